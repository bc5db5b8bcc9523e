//! Positions with exact scores: OBF, `board side; A2:+38; C7:+36; % comment`, and plain boards.

use crate::{Game, PackedGame, boards};
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

/// Converts a game to its last position. It has scores only if the game has no moves.
///
/// # Errors
/// If a part of the game was not read, so that its last position is unknown.
impl TryFrom<&PackedGame> for Labelled {
    type Error = String;

    fn try_from(packed: &PackedGame) -> Result<Labelled, String> {
        let (warnings, is_cut) = packed.warnings();
        if is_cut {
            let warnings: Vec<&str> = warnings.iter().map(|why| &**why).collect();
            return Err(warnings.join("; "));
        }
        let game = packed.game();
        let (best, moves) = if packed.is_empty() {
            (game.notes().best, game.notes().scores.clone())
        } else {
            (None, Vec::new())
        };
        let position = game.position();
        Ok(Labelled {
            position,
            best,
            moves,
        })
    }
}

impl From<Labelled> for Game {
    fn from(labelled: Labelled) -> Game {
        let mut game = Game::new(labelled.position);
        if labelled.best.is_some() {
            let notes = game.notes_mut();
            (notes.best, notes.scores) = (labelled.best, labelled.moves);
        }
        game
    }
}

/// Reads a line of OBF, or a position of another form on a line.
///
/// # Errors
/// If the position, a move or a score is unreadable, or a move is illegal.
pub(super) fn read(line: &str) -> Result<Labelled, String> {
    /// Field that ends the scores of a position in some files. It is not a move.
    const NO_MOVE: &str = "--:-127";
    let line = line.split('%').next().unwrap_or_default();
    let (board, scores) = line.split_once(';').unwrap_or((line, ""));
    // Other programs write an identifier and `;` before the board. Such a line has no scores.
    let has_scores = boards::holds_board(board) || !boards::holds_board(line);
    let (board, scores) = if has_scores {
        (board, scores)
    } else {
        (line, "")
    };
    let position = boards::on_a_line(without_score(board))?;
    let scores = scores.split(';').map(str::trim);
    let scores = scores.filter(|field| !field.is_empty() && *field != NO_MOVE);
    let score = |field: &str| {
        let read = || {
            let (mv, score) = field.split_once(':')?;
            let mv = mv.trim().parse().ok()?;
            position.play(mv).is_ok().then_some((mv, score_of(score)?))
        };
        let expected = "a legal move and its score from -64 to 64, like A2:+38";
        read().ok_or_else(|| format!("'{}' (expected {expected})", excerpt(field)))
    };
    let moves: Vec<(Move, Score)> = scores.map(score).collect::<Result<_, _>>()?;
    Ok(Labelled {
        position,
        best: moves.iter().map(|&(_, score)| score).max(),
        moves,
    })
}

/// Reads the fields of a table row. `best` is the score of the position, and `scores` are the
/// scores of single moves. `side`, `best` and `scores` may be empty.
pub(super) fn row(board: &str, side: &str, best: &str, scores: &str) -> Result<Labelled, String> {
    let scores = scores.split_whitespace().map(|score| format!("; {score}"));
    let mut labelled = read(&format!("{board} {side}{}", scores.collect::<String>()))?;
    if !best.is_empty() {
        let expected = "expected a score from -64 to 64, like +18";
        let score = score_of(best).ok_or_else(|| format!("'{}' ({expected})", excerpt(best)));
        labelled.best = Some(score?);
    }
    Ok(labelled)
}

/// Removes the score that some files write after a board.
fn without_score(board: &str) -> &str {
    let (rest, score) = board
        .trim_end()
        .rsplit_once(char::is_whitespace)
        .unwrap_or((board, ""));
    let squares = rest.chars().filter(|c| !c.is_whitespace()).count();
    let is_score = score.parse::<i32>().is_ok() && squares >= Square::COUNT;
    if is_score { rest } else { board }
}

/// Reads a number from −64 to 64.
fn score_of(text: &str) -> Option<Score> {
    let score = text.trim().parse().ok();
    score.filter(|score| (-64..=64).contains(score))
}
