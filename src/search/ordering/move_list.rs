//! Move ordering in the midgame: scores the moves of a position and returns them best first.
//! Scores come from table moves, killer moves, history, mobility and static square weights.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Square};
use crate::eval::{Value, static_square_weight};
use crate::search::Techniques;
use crate::search::ordering::cut_moves::CutMoves;

/// Legal move with its resulting board and its ordering score.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct ScoredMove {
    /// Board after the move, from the opponent's point of view.
    pub(in crate::search) child: Board,
    pub(in crate::search) square: Square,
    /// Legal moves of the opponent on `child`. Empty if replies are not counted at this depth.
    pub(in crate::search) replies: Bitboard,
    /// Ordering score in points. Moves with a greater score come first.
    score: i32,
    /// Static value of `child` for the opponent, if it was used for move ordering.
    pub(in crate::search) value: Option<Value>,
}

/// Capacity of a move list, enough for any board. The most moves seen in a game is 33.
pub(in crate::search) const MAX_MOVES: usize = 64;

/// Moves of one position. As an iterator it returns them by descending score.
#[derive(Debug)]
pub(in crate::search) struct MoveList {
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    /// Number of moves already returned. They are at the front of `moves`.
    taken: usize,
}

/// Ordering weights in points, tuned on the node counts of `bench`.
/// History counters are added unweighted.
mod points {
    /// Scores of the two table moves, above the score of any other move.
    pub(in crate::search) const TABLE_MOVES: [i32; 2] = [1 << 24, 1 << 23];
    /// Bonuses of the two killer moves of the ply, the latest first.
    pub(in crate::search) const KILLERS: [i32; 2] = [100, 60];
    /// Weight of each legal reply of the opponent.
    pub(in crate::search) const OPPONENT_MOVE: i32 = -150;
    /// Additional weight of each corner among the opponent's replies.
    pub(in crate::search) const OPPONENT_CORNER: i32 = -150;
    /// Weight of each disc of a move's static value.
    pub(in crate::search) const DISC: i32 = 300;
    /// Weight of each step of [`static_square_weight`](super::static_square_weight).
    pub(in crate::search) const SQUARE_WEIGHT: i32 = 25;
}

/// Inputs of move ordering besides the board.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct OrderingHints<'a> {
    pub(in crate::search) techniques: Techniques,
    pub(in crate::search) cut_moves: &'a CutMoves,
    pub(in crate::search) ply: usize,
    /// Moves from the transposition table, the best first.
    pub(in crate::search) table_moves: [Option<Square>; 2],
    /// Whether to count the opponent's replies at this depth.
    pub(in crate::search) count_replies: bool,
}

impl MoveList {
    /// Scores the legal moves `squares` of `board`.
    pub(in crate::search) fn new(
        board: &Board,
        squares: Bitboard,
        hints: &OrderingHints,
    ) -> MoveList {
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

    /// Returns the moves that the iterator returned before its latest one.
    pub(in crate::search) fn before_last(&self) -> impl Iterator<Item = Square> {
        let before = self.taken.saturating_sub(1);
        self.moves[..before].iter().map(|mv| mv.square)
    }

    /// Returns the moves that the iterator has not returned yet, unsorted.
    pub(in crate::search) fn rest(&self) -> &[ScoredMove] {
        &self.moves[self.taken..]
    }

    /// Returns the remaining moves other than table moves, to adjust their scores.
    pub(in crate::search) fn not_from_table(&mut self) -> impl Iterator<Item = &mut ScoredMove> {
        self.moves[self.taken..]
            .iter_mut()
            .filter(|mv| mv.score < points::TABLE_MOVES[1])
    }
}

impl ScoredMove {
    /// Sets the static value of `child` and adds its weight to the ordering score.
    pub(in crate::search) fn set_value(&mut self, value: Value) {
        self.score -= value.units() * points::DISC / Value::PER_DISC;
        self.value = Some(value);
    }
}

/// Returns the remaining move with the greatest score. Ties go to the first square in a1..h8 order.
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
        // Shift rather than swap, to keep moves of equal score in square order.
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
    fn each_move_is_returned_once_and_table_moves_first() {
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
    fn moves_of_equal_score_are_returned_in_square_order() {
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
