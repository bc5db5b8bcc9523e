//! Scoresheets: a board with the number of the move on each square, or a line of moves for each
//! side.

use super::Game;
use super::tokens::Token;
use emilia_core::board::{Position, Square};

/// A game with the numbers of its first and last line, from 0.
type Sheet = (Game, [u32; 2]);

/// Reads the first scoresheet of a text.
pub(super) fn read(text: &str, tokens: &[Token], start: Position) -> Option<Sheet> {
    board(text, start).or_else(|| two_lines(tokens, start))
}

/// Reads eight lines of eight squares, most of which are the numbers of moves: `12 3 -- 7 …`.
fn board(text: &str, start: Position) -> Option<Sheet> {
    let mut rows: Vec<[u8; 8]> = Vec::new();
    for (line, content) in (0..).zip(text.lines()) {
        match row(content) {
            Some(row) => rows.push(row),
            None => rows.clear(),
        }
        if rows.len() > 8 {
            rows.remove(0);
        }
        if rows.len() < 8 || !has_each_once(rows.as_flattened()) {
            continue;
        }
        let cells = rows.as_flattened().iter().copied();
        let mut moves: Vec<(u8, Square)> = cells.zip(Square::all()).collect();
        moves.retain(|(number, _)| *number > 0);
        moves.sort_unstable();
        let mut game = Game::new(start);
        let is_next = |(_, square): &(u8, Square)| game.play_next(*square).is_ok();
        if moves.iter().all(is_next) {
            return Some((game, [line - 7, line]));
        }
    }
    None
}

/// Returns whether the numbers are 1 to n, each once.
fn has_each_once(cells: &[u8]) -> bool {
    let mut seen = 1_u64;
    for &number in cells.iter().filter(|number| **number > 0) {
        if seen >> number & 1 == 1 {
            return false;
        }
        seen |= 1 << number;
    }
    seen > 1 && (seen & (seen + 1)) == 0
}

/// Parses eight numbers or signs. A sign is 0.
fn row(line: &str) -> Option<[u8; 8]> {
    let separators = |letter: char| letter.is_whitespace() || matches!(letter, '|' | ',' | ';');
    let mut cells = line.split(separators).filter(|cell| !cell.is_empty());
    let mut row = [0; 8];
    for number in &mut row {
        let cell = cells.next()?;
        *number = match cell.parse() {
            Ok(number @ 1..=60) => number,
            Err(_) if cell.len() <= 3 => 0,
            _ => return None,
        };
    }
    cells.next().is_none().then_some(row)
}

/// Reads two lines next to each other, one with the moves of each side.
fn two_lines(tokens: &[Token], start: Position) -> Option<Sheet> {
    let is_square = |token: &Token| token.square().is_some();
    let squares: Vec<Token> = tokens.iter().copied().filter(Token::is_move).collect();
    let lines = squares.chunk_by(|left, right| left.line == right.line);
    let lines: Vec<&[Token]> = lines.collect();
    let is_whole = |pair: &&[&[Token]]| pair.iter().all(|line| line.iter().all(is_square));
    let games = lines.windows(2).filter(is_whole).filter_map(|pair| {
        let mut sides = [pair[0], pair[1]].map(|line| line.iter().filter_map(Token::square));
        let mut game = Game::new(start);
        loop {
            game.hand_over_to(!game.position().mover);
            let side = usize::from(game.position().mover != start.mover);
            match sides[side].next() {
                Some(square) => game.play_next(square).ok()?,
                None => break,
            }
        }
        let is_read = sides.iter_mut().all(|side| side.next().is_none());
        let lines = [pair[0][0].line, pair[1][0].line];
        is_read.then_some((game, lines))
    });
    games.max_by_key(|(game, _)| game.placed())
}
