//! Moves from the opening book.

use std::time::Duration;

use fastrand::Rng;

use super::PlaySettings;
use crate::board::{Bitboard, Board, Position};
use crate::book::{Book, BookMove};
use crate::eval::Value;
use crate::files::FileError;
use crate::people::Human;
use crate::search::{Depth, Line};

/// The default of [`PlaySettings::book_error`].
pub(super) const DEFAULT_ERROR: Value = Value::from_units(Value::PER_DISC / 2);

/// Draws a move of the book that loses at most the error of the settings against the best one.
/// Returns `None` if the book has no move, or if the human level does not reach so far.
///
/// A book that cannot be read is logged, and the engine searches instead.
pub(super) fn draw(
    position: &Position,
    allowed: Option<Bitboard>,
    settings: &PlaySettings,
    rng: &mut Rng,
) -> Option<Line> {
    let book = &settings.book;
    let board = &position.board;
    let plies = Board::START
        .empty_count()
        .saturating_sub(board.empty_count());
    if settings
        .human
        .is_some_and(|human: Human| plies >= human.book_plies())
    {
        return None;
    }
    match line(book, board, allowed, settings.book_error, rng) {
        Ok(line) => line,
        Err(error) => {
            log::warn!("no move from the book: {error}");
            None
        }
    }
}

fn line(
    book: &Book,
    board: &Board,
    allowed: Option<Bitboard>,
    error: Value,
    rng: &mut Rng,
) -> Result<Option<Line>, FileError> {
    let mut moves = book.moves(board)?;
    if let Some(allowed) = allowed {
        moves.retain(|book_move| {
            book_move
                .mv
                .square()
                .is_none_or(|square| allowed.contains(square))
        });
    }
    let Some(best) = moves.first().map(|best| best.value) else {
        return Ok(None);
    };
    let is_good = |book_move: &&BookMove| best - book_move.value <= error;
    let good: Vec<&BookMove> = moves.iter().filter(is_good).collect();
    let Some(drawn) = rng.choice(good) else {
        return Ok(None);
    };
    let mut pv = vec![drawn.mv];
    let mut board = board.make(drawn.mv);
    while let Some(next) = book.moves(&board)?.first() {
        pv.push(next.mv);
        board = board.make(next.mv);
    }
    Ok(Some(Line {
        value: drawn.value,
        depth: Depth::Book(drawn.level),
        pv,
        nodes: 0,
        elapsed: Duration::ZERO,
    }))
}
