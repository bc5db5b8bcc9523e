//! Lists of moves in unusual coordinates: the rank first, pairs of digits, indices, or `x(4,5)`. A
//! list is accepted only if exactly one convention makes all its moves legal. The game then has a
//! warning that names this convention.

use super::Game;
use super::lists::FEWEST;
use emilia_core::board::{Position, Sentence, Square};

/// A coordinate convention: its name, and a function that reads the squares of a text, or returns
/// `None` if the text has another form.
type Convention = (&'static str, fn(&str) -> Option<Vec<Square>>);

/// Reflecting the board in a diagonal keeps the start position, so two conventions that differ only
/// by such a reflection make the same lists legal. Only one of them is listed.
const CONVENTIONS: [Convention; 5] = [
    ("rank first, 5f for f5", |text| pairs(text, b'1', b'a')),
    ("column and row as digits, 65 for f5", |text| {
        let swapped = |square: Square| Square::at(square.rank(), square.file());
        Some(pairs(text, b'1', b'1')?.into_iter().map(swapped).collect())
    }),
    ("indices from 0, 37 for f5", |text| indices(text, 0)),
    ("indices from 1, 38 for f5", |text| indices(text, 1)),
    ("row and column from 0, x(4,5) for f5", calls),
];

/// Reads a list of moves of a game that begins at `start`. Returns `None` unless exactly one
/// convention fits.
pub(super) fn read(text: &str, start: Position) -> Option<Game> {
    let games = CONVENTIONS.iter().filter_map(|(name, squares)| {
        let squares = squares(text)?;
        let mut game = Game::new(start);
        let is_legal = squares.iter().all(|&square| game.play_next(square).is_ok());
        (is_legal && squares.len() >= FEWEST).then_some((name, game))
    });
    let games: Vec<_> = games.take(2).collect();
    let [(name, mut game)] = <[_; 1]>::try_from(games).ok()?;
    let text = format!("the moves are in other coordinates ({name})");
    let warning = Sentence::new("coordinates", text).with("form", name);
    game.notes_mut().warnings.push(warning);
    Some(game)
}

fn square(file: u8, rank: u8) -> Option<Square> {
    (file < 8 && rank < 8).then(|| Square::at(file, rank))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// Reads squares of two characters each: the row, then the column. `row` and `column` are the
/// characters of the first row and of the first column.
fn pairs(text: &str, row: u8, column: u8) -> Option<Vec<Square>> {
    let letters: Vec<u8> = words(text).flat_map(str::bytes).collect();
    let pairs = letters.chunks(2).map(|pair| {
        let [own_row, own_column] = pair else {
            return None;
        };
        let file = own_column.to_ascii_lowercase().wrapping_sub(column);
        square(file, own_row.wrapping_sub(row))
    });
    pairs.collect()
}

fn indices(text: &str, first: u8) -> Option<Vec<Square>> {
    let index = |word: &str| Square::new(word.parse::<u8>().ok()?.checked_sub(first)?);
    words(text).map(index).collect()
}

fn calls(text: &str) -> Option<Vec<Square>> {
    let calls = text.match_indices('(').filter_map(|(at, _)| {
        let is_disc = text[..at].ends_with(['x', 'o', 'X', 'O']);
        let (inside, _) = text[at + 1..].split_once(')')?;
        let (rank, file) = inside.split_once(',').filter(|_| is_disc)?;
        square(file.trim().parse().ok()?, rank.trim().parse().ok()?)
    });
    let calls: Vec<Square> = calls.collect();
    (!calls.is_empty()).then_some(calls)
}
