//! Boards in any text: 64 squares on a line or in a link (URL), eight rows as programs and people
//! draw them, matrices of numbers, two hexadecimal numbers, and boards with the number of the move
//! on each square.

mod row;

use std::ops::Range;

use self::row::{Cell, Row};
use super::wthor::WthorNames;
use super::{Collection, Game, words};
use emilia_core::board::{
    Bitboard, Board, Color, Faults, Position, PositionError, Square, Transcript, cell, excerpt,
};

/// Fewest square letters on a line that holds a board. A square letter is a character that [`cell`]
/// reads as a disc or an empty square. Lines of other texts have fewer of them.
const FEWEST: usize = 56;

/// Longest run of square letters that can be a board. The letters of an adjacent word can make a
/// run longer than the 64 squares.
const MOST: usize = 80;

/// Characters of frame lines, which some programs draw between the rows.
const FRAME: &str = "+-=|─━│┃┼├┤┬┴┌┐└┘`";

fn is_square(letter: char) -> bool {
    cell(letter).is_some()
}

/// Reads a position in any form: a form of [`Position`], the first drawn board in a text, or the
/// first game that [`Collection`] reads, such as the game of a link or of two hexadecimal numbers.
///
/// # Errors
/// Returns the error of [`Position`] if no form fits.
pub fn position(text: &str) -> Result<Position, PositionError> {
    text.parse::<Position>().or_else(|error| {
        let mut lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let board = lines.find_map(|at| drawn(text, at));
        let game = board.and_then(|board| board.game.ok()).or_else(|| {
            let read = Collection::read(text.as_bytes(), &WthorNames::default()).ok()?;
            let first = read.games.into_iter().next()?.ok()?;
            (!first.warnings().1).then(|| first.game())
        });
        game.map_or(Err(error), |game| Ok(game.position()))
    })
}

/// Reads a position from a single line.
///
/// - The forms of [`Position`], 64 squares in rows separated by `/`, and 64 squares after a word.
/// - Discs of the side to move and of the opponent as hexadecimal numbers, such as
///   `0x0000000810000000 0x0000001008000000`. The lowest bit is a1. The side to move may follow.
pub(super) fn on_a_line(text: &str) -> Result<Position, String> {
    let board = run_of_board(text).map_or(text, |(_, run)| run);
    let squares = board.chars().filter(|letter| !letter.is_whitespace());
    let squares = squares.take_while(|letter| is_square(*letter));
    one_alphabet(squares.take(Square::COUNT))?;
    let read = match text.matches('/').count() {
        7 => text.parse().or_else(|_| text.replace('/', " ").parse()),
        _ => text.parse(),
    };
    let read = read.or_else(|error| hexadecimal(text).ok_or(error));
    let read = read.or_else(|error| after_a_word(text).ok_or(error));
    read.map_err(|error: PositionError| error.to_string())
}

/// Checks that all discs of a side are the same character. `*` is not checked: on boards whose
/// discs are other characters, it marks legal moves.
fn one_alphabet(squares: impl Iterator<Item = char>) -> Result<(), String> {
    let mut signs = [None; 2];
    for letter in squares.filter(|letter| *letter != '*') {
        if let Some(Some(side)) = cell(letter) {
            let letter = letter.to_ascii_lowercase();
            let first = *signs[side as usize].get_or_insert(letter);
            if first != letter {
                return Err(format!(
                    "both '{first}' and '{letter}' are discs of one side"
                ));
            }
        }
    }
    Ok(())
}

/// Returns whether a line is a position in hexadecimal.
pub(super) fn is_hexadecimal(line: &str) -> bool {
    line.starts_with('0') && hexadecimal(line).is_some()
}

/// Reads two hexadecimal numbers, and the side to move if there is one.
fn hexadecimal(text: &str) -> Option<Position> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let mut words = words.filter(|word| !word.is_empty());
    let mut discs = || {
        let word = words.next()?.to_ascii_lowercase();
        let digits = word.strip_prefix("0x")?.trim_end_matches(['u', 'l']);
        u64::from_str_radix(digits, 16).ok().map(Bitboard)
    };
    let (player, opponent) = (discs()?, discs()?);
    let mover = words
        .next()
        .map_or(Some(Color::Black), |side| side.parse().ok())?;
    let board = Board { player, opponent };
    let is_valid = (board.faults() - Faults::HARMLESS).is_empty();
    (is_valid && words.next().is_none()).then_some(Position { board, mover })
}

/// Returns the byte offset and the text of the first run of exactly 64 square letters.
fn run_of_board(text: &str) -> Option<(usize, &str)> {
    let mut runs = text.split(|c| !is_square(c));
    let run = runs.find(|run| run.chars().count() == Square::COUNT)?;
    Some((run.as_ptr().addr() - text.as_ptr().addr(), run))
}

/// Returns the byte range of the position in a line: from the board up to the comment (`%`).
pub(super) fn part_of_position(line: &str) -> Range<usize> {
    let start = run_of_board(line).map_or(0, |(start, _)| start);
    let end = line.find('%').unwrap_or(line.len());
    start..end.max(start)
}

/// Reads 64 squares in sequence after a word, and the side to move after them.
fn after_a_word(text: &str) -> Option<Position> {
    let (start, run) = run_of_board(text)?;
    if text[..start].trim().is_empty() {
        // No word is before the board. The caller has tried `Position` on this text before.
        return None;
    }
    let after = &text[start + run.len()..];
    let side = after.trim_start_matches([' ', '\t', '+', ',', ';', '|']);
    let is_end = |c: char| c.is_whitespace() || "\"'&;,|)".contains(c);
    let side = side.split(is_end).next().unwrap_or_default();
    // Black is to move if no side follows the board, or if only another field of a table does.
    let is_field = side.is_empty() || after.starts_with(';');
    let mover = side.parse().ok().or(is_field.then_some(Color::Black))?;
    Position::of_cells(run.chars(), mover).ok()
}

/// Returns whether a line has a board of 64 squares, of which a few may be missing or misspelt.
pub(super) fn holds_board(line: &str) -> bool {
    if line.len() < FEWEST {
        return false;
    }
    // Stops at the ninth character that is not a square letter, which is early on most lines.
    let mut others = 0;
    let letters = line.chars().filter(|letter| !letter.is_whitespace());
    let squares = letters.take(Square::COUNT).take_while(|letter| {
        others += usize::from(!is_square(*letter));
        others <= Square::COUNT - FEWEST
    });
    squares.count() >= FEWEST + others || has_run(line, FEWEST..=MOST)
}

/// Returns whether a line has a run of square letters, not all equal, whose length is in `lengths`.
fn has_run(line: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    let mut runs = line.split(|letter| !is_square(letter));
    runs.any(|run| {
        let is_mixed = || run.chars().any(|letter| !run.starts_with(letter));
        run.len() >= *lengths.start() && lengths.contains(&run.chars().count()) && is_mixed()
    })
}

/// Returns whether a line may be a part of a board: a row, or a run of at least eight squares.
pub(super) fn holds_part(line: &str) -> bool {
    let has_signs = line.contains(|c: char| !c.is_alphanumeric() && is_square(c));
    if has_signs && has_run(line, 8..=usize::MAX) {
        return true;
    }
    let is_disc = |one: &Cell| matches!(one, Cell::Letter(own) if own.is_alphanumeric());
    Row::of(line).is_some_and(|row| row.cells.iter().any(is_disc) || row.is_numbered())
}

/// A board drawn in eight rows.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Game without moves that begins at the board, or the game of the moves if the squares have
    /// move numbers. An error sentence if the board is damaged.
    pub game: Result<Game, String>,
    /// Byte offset of the end of the rows.
    pub end: usize,
    /// Byte range of the note that names the side to move. Empty if no note beside or below the
    /// rows names it.
    pub side: Range<usize>,
    /// Byte ranges of the other notes beside the rows.
    pub beside: Vec<Range<usize>>,
}

/// Number of lines below a board that may name its side to move. Above the board, one line fewer is
/// searched.
const NEAR: usize = 4;

/// Reads the eight rows that begin at byte `at` of a text. Returns `None` if no board begins there.
pub(super) fn drawn(text: &str, at: usize) -> Option<Drawn> {
    let heading = heading(text[..at].lines().next_back().unwrap_or_default());
    let (rows, end) = rows(text, at, heading.as_ref())?;
    let mut beside: Vec<Range<usize>> = rows.iter().map(|row| row.beside.clone()).collect();
    let below = text[end..].split_inclusive('\n').take(NEAR);
    let below: Vec<&str> = below.take_while(|line| Row::of(line).is_none()).collect();
    let notes = beside.iter().map(|note| &text[note.clone()]);
    let notes: Vec<&str> = notes.chain(below).collect();
    let own = side_in(&notes);
    let mut side = end..end;
    if let Some((_, index)) = own {
        let start = notes[index].as_ptr().addr() - text.as_ptr().addr();
        side = start..start + notes[index].len();
        beside.retain(|note| *note != side);
    }
    let above: Vec<&str> = text[..at].lines().rev().take(NEAR - 1).collect();
    let mover = own.or_else(|| side_in(&above)).map(|(mover, _)| mover);
    let is_open = |note: &&&str| mover.is_none() && note.trim_end().ends_with("to move");
    let game = match notes.iter().find(is_open) {
        Some(note) => Err(format!("'{}' names no side", excerpt(note.trim()))),
        None => game_of(&rows, heading.as_ref(), mover.unwrap_or(Color::Black))?,
    };
    Some(Drawn {
        game,
        end,
        side,
        beside,
    })
}

/// Returns the game of eight rows. Returns `None` if the rows are not a board, and an error if the
/// board is damaged.
fn game_of(rows: &[Row], heading: Option<&Heading>, mover: Color) -> Option<Result<Game, String>> {
    let numbers: String = rows.iter().filter_map(|row| row.number).collect();
    if !numbers.is_empty() && numbers != "12345678" {
        return Some(Err(format!("the rows are {numbers} (expected 1 to 8)")));
    }
    if let Some(Heading { letters, .. }) = heading.filter(|own| own.letters != FILES) {
        return Some(Err(format!("the columns are {letters} (expected {FILES})")));
    }
    if rows.iter().any(Row::is_numbered) {
        let text = "the numbers on the board are no game (expected 1 to n, each legal)";
        return Some(sheet(rows).ok_or(text.to_owned()));
    }
    let cells = || rows.iter().flat_map(|row| &row.cells);
    // Not a board: a board writes discs and empty squares either as letters or as numbers, not as
    // both.
    let is_disc = |one: &Cell| matches!(one, Cell::Letter(own) if cell(*own).flatten().is_some());
    let has = |is: fn(&Cell) -> bool| cells().any(is);
    let is_mixed = has(|one| matches!(one, Cell::Number(0)))
        && has(|one| matches!(one, Cell::Letter('-' | '.' | '_')));
    if cells().any(is_disc) && (is_mixed || has(|one| matches!(one, Cell::Number(1..)))) {
        return None;
    }
    if has(|one| matches!(one, Cell::Letter(' '))) && has(|one| matches!(one, Cell::Letter('-'))) {
        return Some(Err("a row ends before column h".to_owned()));
    }
    // On a board with red and blue discs, white and black squares are empty squares.
    let letters = || cells().map(|cell| cell.letter());
    let has_colors = letters().any(|cell| matches!(cell, '🔴' | '🔵'));
    let is_ground = |cell: char| has_colors && matches!(cell, '⬜' | '⬛');
    let letters = || letters().map(|cell| if is_ground(cell) { '-' } else { cell });
    let board = one_alphabet(letters()).map(|()| Position::of_cells(letters(), mover));
    let board = board.and_then(|board| board.map_err(|why| why.to_string()));
    Some(board.map(Game::new))
}

/// Column letters above a board, in lower case, and their byte offsets in the line.
#[derive(Debug)]
struct Heading {
    letters: String,
    places: Vec<usize>,
}

/// Column letters from left to right.
const FILES: &str = "abcdefgh";

/// Returns the column letters of a line, or `None` if the line has anything else.
fn heading(line: &str) -> Option<Heading> {
    let letters = line
        .char_indices()
        .filter(|(_, letter)| !letter.is_whitespace());
    let letters = letters.map(|(at, letter)| (at, letter.to_ascii_lowercase()));
    let (places, letters): (Vec<usize>, String) = letters.unzip();
    let is_heading = letters.len() == FILES.len() && FILES.chars().all(|own| letters.contains(own));
    is_heading.then_some(Heading { letters, places })
}

/// Returns whether a line consists of the column letters of a board.
pub(super) fn is_heading(line: &str) -> bool {
    heading(line).is_some()
}

/// Reads eight rows from byte `at`. Returns them in the order 1 to 8, and the byte offset of their
/// end.
fn rows(text: &str, at: usize, heading: Option<&Heading>) -> Option<(Vec<Row>, usize)> {
    let (mut rows, mut end) = (Vec::new(), at);
    for line in text[at..].split_inclusive('\n') {
        let row = Row::of(line);
        let row = row.or_else(|| Row::below(&heading?.places, line));
        match row {
            Some(mut row) => {
                let word = row.note.split_whitespace().next();
                if word.is_some_and(|word| matches!(word, "-" | "." | "_")) {
                    // The line has a ninth square, so the row is damaged.
                    return None;
                }
                let beside = word.and_then(|word| line.rfind(word)).unwrap_or(line.len());
                row.beside = end + beside..end + line.len();
                rows.push(row);
            }
            None if !rows.is_empty() && is_frame(line) => {}
            None => return None,
        }
        end += line.len();
        if rows.len() == 8 {
            let numbers = rows.iter().filter_map(|row| row.number);
            if numbers.eq("87654321".chars()) {
                rows.reverse();
            }
            return Some((rows, end));
        }
    }
    None
}

/// Returns the game of a board whose squares have the move numbers 1 to n, each once. Returns
/// `None` if a number is missing or a move is illegal.
fn sheet(rows: &[Row]) -> Option<Game> {
    let cells = rows.iter().flat_map(|row| &row.cells).zip(Square::all());
    let moves = cells.filter_map(|(cell, square)| match cell {
        Cell::Number(number) if *number > 0 => Some((*number, square)),
        _ => None,
    });
    let mut moves: Vec<(u8, Square)> = moves.collect();
    moves.sort_unstable();
    let mut game = Game::default();
    let mut moves = (1..).zip(moves);
    let is_game =
        moves.all(|(number, (own, square))| number == own && game.play_next(square).is_ok());
    is_game.then_some(game)
}

/// Returns whether a line is blank or a frame line.
fn is_frame(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || FRAME.contains(c))
}

/// Returns the side to move that one of `notes`, the texts near a board, names. Also returns the
/// index of this note. Examples of notes are `X to move`, `White's turn`, `turn: black`, and a side
/// alone on its line. `After Black's move` means that White is to move.
fn side_in(notes: &[&str]) -> Option<(Color, usize)> {
    const KEYS: [&str; 14] = [
        "move", "moves", "play", "pass", "turn", "mover", "next", "to", "zug", "trait", "tour",
        "turno", "mossa", "番",
    ];
    let side = |word: &&str| word.parse().ok().or_else(|| words::side(word));
    let mut alone = None;
    for (index, note) in notes.iter().enumerate() {
        let is_part =
            |c: char| c.is_alphanumeric() || "*@#".contains(c) || !c.is_ascii() && is_square(c);
        let words = note.split(|c| !is_part(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_key = |word: &&str| KEYS.iter().any(|key| word.eq_ignore_ascii_case(key));
        if let Some(at) = words.iter().position(is_key) {
            let before = words[at.saturating_sub(2)..at].iter().rev();
            let named = before.chain(words[at + 1..].iter().take(2)).find_map(side);
            if let Some(named) = named {
                let has_moved = words[0].eq_ignore_ascii_case("after");
                return Some((if has_moved { !named } else { named }, index));
            }
        }
        if let [word] = words[..] {
            let own = word.parse().ok();
            let own = own.or_else(|| words::side(word).filter(|_| !word.is_ascii()));
            alone = alone.or(own.map(|side| (side, index)));
        }
    }
    alone
}

/// Reads a link (URL) with a board or moves: `…?board=…&player=white&moves=e6`, or `…/g/17#F5D6C3`.
pub(super) fn link(word: &str) -> Option<Game> {
    let rest = word
        .strip_prefix("http")
        .filter(|rest| rest.starts_with(['s', ':']))?;
    let (mut board, mut side, mut moves) = (None, None, None);
    for field in rest.split(['?', '&', '#', ';', '/']) {
        let (key, value) = field.split_once('=').unwrap_or(("", field));
        let value = value.replace("%20", " ").replace('+', " ");
        let letters = value.replace(['e', 'E'], "-");
        if letters.chars().filter(|c| is_square(*c)).count() >= Square::COUNT {
            board = Some(letters);
        } else if words::is_mover(&words::plain(key))
            && (value.len() <= 2 || words::label(&value).is_some())
        {
            side = Some(words::label(&value)?);
        } else if words::is_moves(key) && value.get(..2)?.parse::<Square>().is_err() {
            return None;
        } else if value
            .get(..2)
            .is_some_and(|first| first.parse::<Square>().is_ok())
        {
            // Two lists of moves: it is not certain which one is right. A list of two bytes is
            // ignored, because it may be a part of the path, such as `f1`.
            let known = moves.as_ref().map_or(0, String::len);
            if value.len().min(known) > 2 {
                return None;
            }
            moves = Some(value).filter(|own| own.len() > known).or(moves);
        }
    }
    let Some(board) = board else {
        let moves = listed(&moves?, Position::START)?;
        return Some(Game::from(&moves));
    };
    let start: Position = board.trim().parse().ok()?;
    let start = side.map_or(start, |side| start.with_mover(side));
    // If the square of a single move already has a disc, the board is the one after this move.
    let is_disc = |square| !start.board.empties().contains(square);
    let is_played = |moves: &String| moves.parse::<Square>().is_ok_and(is_disc);
    match moves.filter(|moves| !is_played(moves)) {
        Some(moves) => Some(Game::from(&listed(&moves, start)?)),
        None => Some(Game::new(start)),
    }
}

/// Reads the moves of a link, which may be separated by commas (`%2C`) or hyphens.
fn listed(moves: &str, start: Position) -> Option<Transcript> {
    let moves = moves.replace("%2C", " ").replace("%2c", " ");
    Transcript::parse(&moves.replace('-', " "), start).ok()
}
