//! OBF, a line format of endgame problems: `board side; A2:+38; C7:+36; % comment`.

use super::boards::{holds_board, position};
use emilia_core::board::{Move, Position, Score, Square, excerpt};

/// A position with the exact scores that a file gives for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The position.
    pub position: Position,
    /// Final score under best play, for the side to move, in discs.
    pub best: Option<Score>,
    /// Final scores of single moves, for the side to move, in file order. May be empty.
    pub moves: Vec<(Move, Score)>,
}

/// Returns the error that `field` is not valid. `field` must be a subslice of `line`.
pub(super) fn invalid(line: &str, field: &str, expected: &str) -> String {
    let (column, found) = (column(line, field), excerpt(field));
    format!("column {column}: '{found}' (expected {expected})")
}

/// The column where `part` starts, in characters from 1. `part` must be a subslice of `line`.
pub(super) fn column(line: &str, part: &str) -> usize {
    let offset = part.as_ptr().addr() - line.as_ptr().addr();
    line[..offset].chars().count() + 1
}

/// Ends the scores of a position in some files: there is no further move.
const NO_MOVE: &str = "--:-127";

/// Reads one OBF line. Returns `None` if it is blank or only a comment.
///
/// # Errors
/// If the board, a move or a score is unreadable, or a move is illegal.
pub fn parse_obf(line: &str) -> Result<Option<Labelled>, String> {
    let line = line.split('%').next().unwrap_or_default();
    if line.trim().is_empty() {
        return Ok(None);
    }
    let mut fields = line.split(';');
    let board = fields.next().unwrap_or_default();
    // Other programs have an identifier before the board, and text after it.
    let has_scores = holds_board(board) || !holds_board(line);
    let board = if has_scores { board } else { line };
    let position = position(without_score(board)).map_err(|error| error.to_string())?;
    let fields = fields.filter(|_| has_scores).map(str::trim);
    let fields = fields.filter(|field| !field.is_empty() && *field != NO_MOVE);
    let moves = fields.map(|field| move_score(&position, line, field));
    let moves: Vec<(Move, Score)> = moves.collect::<Result<_, _>>()?;
    let best = moves.iter().map(|&(_, score)| score).max();
    Ok(Some(Labelled {
        position,
        best,
        moves,
    }))
}

/// Returns a board without the score after it, which some files have.
fn without_score(board: &str) -> &str {
    let rest = board
        .trim_end()
        .trim_end_matches(|c: char| c.is_ascii_digit());
    let rest = rest.trim_end_matches(['+', '-']);
    let squares = rest.chars().filter(|c| !c.is_whitespace()).count();
    let has_score = rest.len() < board.trim_end().len() && rest.ends_with(char::is_whitespace);
    if has_score && squares >= Square::COUNT {
        rest
    } else {
        board
    }
}

/// Reads `field` of `line`, such as `A2:+38`, as a legal move of `position` and its score.
pub(super) fn move_score(
    position: &Position,
    line: &str,
    field: &str,
) -> Result<(Move, Score), String> {
    let read = || {
        let (mv, score) = field.split_once(':')?;
        let mv = mv.trim().parse().ok()?;
        position.play(mv).is_ok().then_some((mv, score_of(score)?))
    };
    let expected = "a legal move and its score from -64 to 64, like A2:+38";
    read().ok_or_else(|| invalid(line, field, expected))
}

/// Reads a number from −64 to 64.
pub(super) fn score_of(text: &str) -> Option<Score> {
    let score = text.trim().parse().ok()?;
    (-64..=64).contains(&score).then_some(score)
}
