//! OBF, a line format of endgame problems: `board side; A2:+38; C7:+36; % comment`.

use emilia_core::board::{Move, Position, PositionError, Score, Square, excerpt};

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

/// Fewest squares of a board. Other text has fewer.
const FEWEST: usize = 56;

/// Most letters of a board, with those of words that touch it.
const MOST: usize = 80;

fn is_square(letter: char) -> bool {
    matches!(
        letter,
        '-' | '.' | '_' | 'X' | 'x' | 'O' | 'o' | '*' | '0' | 'B' | 'b' | 'W' | 'w' | '@' | '#'
    ) || matches!(letter, '\u{25cf}' | '\u{25cb}' | '\u{30fb}' | '\u{b7}')
}

/// Returns whether a line has a board of 64 squares, of which a few may be missing or misspelt.
pub(super) fn holds_board(line: &str) -> bool {
    if line.len() < FEWEST {
        return false;
    }
    let mut letters = line.chars().filter(|letter| !letter.is_whitespace());
    let mut squares = 0;
    // Most lines have other letters first, and are not read on.
    for read in 1..=Square::COUNT {
        squares += usize::from(letters.next().is_some_and(is_square));
        if read - squares > Square::COUNT - FEWEST {
            break;
        }
    }
    squares >= FEWEST || holds_run(line)
}

/// Returns whether a line has a run of squares as long as a board, and not all of them alike.
pub(super) fn holds_run(line: &str) -> bool {
    // A run as long has one of these letters. Most lines have none of them among their squares.
    let mut probes = line.chars().skip(FEWEST - 1).step_by(FEWEST);
    if !probes.any(is_square) {
        return false;
    }
    let mut runs = line.split(|letter| !is_square(letter));
    runs.any(|run| {
        let is_mixed = || run.chars().any(|letter| !run.starts_with(letter));
        run.len() >= FEWEST && (FEWEST..=MOST).contains(&run.chars().count()) && is_mixed()
    })
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
    let position = board.parse();
    let position: Position = position.map_err(|error: PositionError| error.to_string())?;
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
