//! Moves from the opening book.

use std::time::Duration;

use fastrand::Rng;

use super::PlaySettings;
use emilia_book::BookMove;
use emilia_core::board::{Bitboard, Board, Position};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Line};

/// Default of [`PlaySettings::book_error`]: half a disc.
pub(super) const DEFAULT_ERROR: Value = Value::from_units(Value::PER_DISC / 2);

/// Draws one of the book's moves at random. Only moves to squares of `allowed` are drawn (`None`:
/// to all squares), and of these only moves that lose at most [`PlaySettings::book_error`] against
/// the best of them.
///
/// Returns `None` if the book has no such move. At a human level, also returns `None` after the
/// plies that players of this level know by heart
/// ([`Human::book_plies`](crate::people::Human::book_plies)).
///
/// A book that cannot be read counts as empty.
pub(super) fn draw(
    position: &Position,
    allowed: Option<Bitboard>,
    settings: &PlaySettings,
    rng: &mut Rng,
) -> Option<Line> {
    let book = &settings.book;
    let board = &position.board;
    let plies = (Board::START.empty_count()).saturating_sub(board.empty_count());
    if (settings.human).is_some_and(|human| plies >= human.book_plies()) {
        return None;
    }
    let mut moves = book.moves_if_readable(board);
    if let Some(allowed) = allowed {
        moves.retain(|known| known.mv.square().is_none_or(|own| allowed.contains(own)));
    }
    let best = moves.first()?.value;
    let is_good = |book_move: &&BookMove| best - book_move.value <= settings.book_error;
    let good: Vec<&BookMove> = moves.iter().filter(is_good).collect();
    let drawn = rng.choice(good)?;
    Some(Line {
        value: drawn.value,
        depth: Depth::Book(drawn.level),
        pv: book.line(board, drawn.mv),
        nodes: 0,
        elapsed: Duration::ZERO,
    })
}
