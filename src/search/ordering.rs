//! Move ordering: a good move first makes the others cheap.

use arrayvec::ArrayVec;

use super::Techniques;
use super::cut_moves::CutMoves;
use crate::board::{Bitboard, Board, Square};
use crate::eval::{Value, static_square_weight};

/// A legal move with what the search needs to make it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    /// The board after it, seen by the other side.
    pub(super) child: Board,
    pub(super) square: Square,
    /// The legal moves there; none if they were not asked for.
    pub(super) replies: Bitboard,
    /// The greater, the earlier.
    score: i32,
    /// The static value of the child, if the order goes by it.
    pub(super) value: Option<Value>,
}

/// Room for the moves of any board. In games the most seen is 33; bit patterns that no game reaches have more.
pub(super) const MOST_MOVES: usize = 64;

/// The moves of one position, handed out best first.
#[derive(Debug)]
pub(super) struct MoveList {
    moves: ArrayVec<ScoredMove, MOST_MOVES>,
    /// The number of those handed out, which are in front.
    taken: usize,
}

/// How a list is put in order: each figure is in score points, chosen by node counts of `bench`. History counters are
/// points as they are.
mod points {
    /// The moves remembered in the table come before all others.
    pub(super) const TABLE_MOVES: [i32; 2] = [1 << 24, 1 << 23];
    /// The killers of the ply.
    pub(super) const KILLERS: [i32; 2] = [100, 60];
    /// For each reply left to the opponent.
    pub(super) const OPPONENT_MOVE: i32 = -150;
    /// Once more for a corner among the replies.
    pub(super) const OPPONENT_CORNER: i32 = -150;
    /// For each disc of the value of a move.
    pub(super) const DISC: i32 = 300;
    /// For each step of [`static_square_weight`](super::static_square_weight).
    pub(super) const SQUARE_WEIGHT: i32 = 25;
}

/// What the order may take into account.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderingHints<'a> {
    pub(super) techniques: Techniques,
    pub(super) cut_moves: &'a CutMoves,
    pub(super) ply: usize,
    /// From the transposition table.
    pub(super) table_moves: [Option<Square>; 2],
    /// Whether counting the opponent's replies pays at this depth.
    pub(super) count_replies: bool,
}

impl MoveList {
    /// The legal moves `squares` of `board`, scored.
    pub(super) fn new(board: &Board, squares: Bitboard, hints: &OrderingHints) -> MoveList {
        let mut list = MoveList {
            moves: ArrayVec::new(),
            taken: 0,
        };
        for square in squares.squares() {
            let (child, replies) = if hints.count_replies {
                board.advance(square)
            } else {
                (board.play(square), Bitboard::EMPTY)
            };
            list.moves.push(ScoredMove {
                child,
                square,
                replies,
                score: score(replies, square, hints),
                value: None,
            });
        }
        list
    }

    /// The moves handed out before the last one.
    pub(super) fn before_last(&self) -> impl Iterator<Item = Square> {
        let before = self.taken.saturating_sub(1);
        self.moves[..before].iter().map(|mv| mv.square)
    }

    /// The moves not handed out yet, in no order.
    pub(super) fn rest(&self) -> &[ScoredMove] {
        &self.moves[self.taken..]
    }

    /// The moves that the table does not put first, to be given more score.
    pub(super) fn not_from_table(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.moves[self.taken..]
            .iter_mut()
            .filter(|mv| mv.score < points::TABLE_MOVES[1])
    }
}

impl ScoredMove {
    /// Takes the static value of the child into account.
    pub(super) fn set_value(&mut self, value: Value) {
        self.score -= value.units() * points::DISC / Value::PER_DISC;
        self.value = Some(value);
    }
}

/// The best move not handed out yet; among equals, the first in a1..h8 order.
impl Iterator for MoveList {
    type Item = ScoredMove;

    #[inline]
    fn next(&mut self) -> Option<ScoredMove> {
        let rest = &mut self.moves[self.taken..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        let chosen = *rest.get(best)?;
        // Shift rather than swap, so that equals stay in order.
        rest.copy_within(0..best, 1);
        rest[0] = chosen;
        self.taken += 1;
        Some(chosen)
    }
}

impl ExactSizeIterator for MoveList {
    fn len(&self) -> usize {
        self.moves.len() - self.taken
    }
}

fn score(replies: Bitboard, square: Square, hints: &OrderingHints) -> i32 {
    for (index, &table_move) in hints.table_moves.iter().enumerate() {
        if table_move == Some(square) {
            return points::TABLE_MOVES[index];
        }
    }
    let on = |technique| hints.techniques.contains(technique);
    let mut score = 0;
    if on(Techniques::STATIC_ORDER) {
        score += i32::from(static_square_weight(square)) * points::SQUARE_WEIGHT;
    }
    if on(Techniques::KILLERS) {
        for (index, &killer) in hints.cut_moves.killers(hints.ply).iter().enumerate() {
            if killer == Some(square) {
                score += points::KILLERS[index];
            }
        }
    }
    if on(Techniques::HISTORY) {
        score += hints.cut_moves.history(hints.ply, square);
    }
    if hints.count_replies && on(Techniques::FASTEST_FIRST) {
        score += replies.count() as i32 * points::OPPONENT_MOVE;
        score += (replies & Bitboard::CORNERS).count() as i32 * points::OPPONENT_CORNER;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moves_come_once_the_table_moves_first() {
        let board = Board::START.play(Square::F5).play(Square::D6);
        let hints = OrderingHints {
            techniques: Techniques::all(),
            cut_moves: &CutMoves::default(),
            ply: 0,
            table_moves: [Some(Square::C6), Some(Square::C4)],
            count_replies: true,
        };
        let mut list = MoveList::new(&board, board.legal_moves(), &hints);
        assert_eq!(list.before_last().count(), 0);
        let mut order = Vec::new();
        while let Some(mv) = list.next() {
            assert!(list.before_last().eq(order.iter().copied()));
            order.push(mv.square);
        }
        assert_eq!(order[..2], [Square::C6, Square::C4]);
        assert_eq!(
            order.iter().copied().collect::<Bitboard>(),
            board.legal_moves()
        );
        assert_eq!(order.len() as u32, board.legal_moves().count());
    }

    #[test]
    fn without_hints_moves_come_in_square_order() {
        let board = Board::START.play(Square::F5);
        let hints = OrderingHints {
            techniques: Techniques::empty(),
            cut_moves: &CutMoves::default(),
            ply: 0,
            table_moves: [None; 2],
            count_replies: true,
        };
        let order: Vec<Square> = MoveList::new(&board, board.legal_moves(), &hints)
            .map(|mv| mv.square)
            .collect();
        assert!(order.is_sorted());
    }
}
