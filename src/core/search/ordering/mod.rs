//! Move ordering: moves of a position with their ordering scores, returned best first.
//! Scores come from table moves, killer moves, history, mobility, square weights and values.

pub(super) mod history;

use arrayvec::ArrayVec;

use self::history::History;
use super::window::Phase;
use crate::board::{Bitboard, Board, Square, WIPE_OUT};
use crate::eval::{Value, static_square_weight};

/// Legal move with its resulting board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegalMove {
    pub(crate) square: Square,
    /// Board after the move, from the opponent's point of view.
    pub(crate) child: Board,
    /// Legal moves of the opponent on `child`.
    pub(crate) replies: Bitboard,
}

impl LegalMove {
    /// Makes the legal move `square` on `board`.
    #[inline]
    pub(crate) fn new(board: &Board, square: Square) -> LegalMove {
        let (child, replies) = board.advance(square);
        LegalMove {
            square,
            child,
            replies,
        }
    }

    /// Returns a number of points: `reply` for each legal reply of the opponent, and `corner` in
    /// addition for each reply on a corner.
    #[inline]
    pub(crate) fn mobility_points(&self, reply: i32, corner: i32) -> i32 {
        let corners = self.replies & Bitboard::CORNERS;
        reply * self.replies.count() as i32 + corner * corners.count() as i32
    }

    /// Returns the opponent's potential mobility after the move: the number of empty squares next
    /// to a disc of the mover. Corners count twice.
    #[inline]
    fn potential_mobility(&self) -> i32 {
        let open = self.child.opponent.dilated() & self.child.empties();
        (open.count() + (open & Bitboard::CORNERS).count()) as i32
    }

    /// Returns the number of the mover's discs on corners, and on edge squares next to corners that
    /// the mover holds.
    #[inline]
    fn discs_at_corners(&self) -> i32 {
        let own = self.child.opponent;
        let near = (own & Bitboard::CORNERS).dilated() & Bitboard::EDGES;
        (near & own).count() as i32
    }
}

/// Capacity of a move list, enough for any board. No position of a game is known to have more than
/// 33 legal moves.
const MOVE_CAPACITY: usize = 64;

/// Moves of one position. As an iterator it returns them by descending score.
#[derive(Debug, Default)]
pub(crate) struct MoveList {
    /// The moves in the order in which they were added: a1..h8 after [`add`](Self::add), the given
    /// order after [`in_order`](Self::in_order).
    moves: ArrayVec<LegalMove, MOVE_CAPACITY>,
    /// Key of each move. The move with the greatest key is returned next. The list `moves` itself
    /// is not sorted, because keys are cheaper to compare and to change.
    keys: ArrayVec<i32, MOVE_CAPACITY>,
    /// Indices of the moves already taken, in the order in which they were taken.
    taken: ArrayVec<u8, MOVE_CAPACITY>,
    /// Number of moves excluded by [`limit`](Self::limit), which are never taken.
    left_out: usize,
}

/// Number of low bits of a key that hold the index of its move.
const INDEX_BITS: u32 = MOVE_CAPACITY.ilog2();

/// Key of a move that was already taken. It is less than the key of any other move.
const TAKEN: i32 = i32::MIN;

/// Key of the move at `index`: the higher bits hold its ordering score. The low bits fall with the
/// index, so that of two moves with the same score the first has the greater key.
fn key(score: i32, index: usize) -> i32 {
    score << INDEX_BITS | (MOVE_CAPACITY - 1 - index) as i32
}

/// Scores of the two table moves, above the score of any other move.
const TABLE_MOVES: [i32; 2] = [1 << 24, 1 << 23];

/// Inputs of move ordering besides the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderingHints<'a> {
    pub(crate) history: &'a History,
    pub(crate) ply: usize,
    /// Moves from the transposition table, the best first.
    pub(crate) table_moves: [Option<Square>; 2],
}

impl MoveList {
    /// Returns the list of `moves`, to be taken in the order given.
    pub(crate) fn in_order(moves: impl Iterator<Item = LegalMove>) -> MoveList {
        let mut list = MoveList::default();
        for (index, mv) in moves.enumerate() {
            list.keys.push(key(0, index));
            list.moves.push(mv);
        }
        list
    }

    /// Scores the legal moves `squares` of `board` and adds them to this list, which must be empty.
    ///
    /// The function fills a list in place, because returning a new list would copy its 2.9 kB.
    pub(crate) fn add<P: Phase>(
        &mut self,
        board: &Board,
        squares: Bitboard,
        hints: &OrderingHints,
    ) {
        for (index, square) in squares.squares().enumerate() {
            let mv = LegalMove::new(board, square);
            self.keys.push(key(score::<P>(&mv, hints), index));
            self.moves.push(mv);
        }
    }

    /// Returns the move that leaves the opponent no disc, if there is one.
    pub(crate) fn wipe_out(&self) -> Option<Square> {
        let last = self.moves.iter().find(|mv| mv.child.player.is_empty());
        last.map(|mv| mv.square)
    }

    /// Returns the moves taken so far, without the latest move.
    pub(crate) fn before_last(&self) -> impl Iterator<Item = Square> {
        let before = self.taken.len().saturating_sub(1);
        let taken = self.taken[..before].iter();
        taken.map(|&index| self.moves[usize::from(index)].square)
    }

    /// Limits the list to the `most` moves with the greatest scores. Call it before a move is
    /// taken.
    pub(crate) fn limit(&mut self, most: usize) {
        self.left_out = self.moves.len().saturating_sub(most);
    }

    /// Returns the number of moves that can still be taken.
    pub(crate) fn len(&self) -> usize {
        self.moves.len() - self.taken.len() - self.left_out
    }

    /// Takes the remaining move with the greatest score, and returns its index in
    /// [`as_slice`](Self::as_slice). Of moves with equal scores, the first in that slice is taken.
    #[inline]
    pub(crate) fn take_best(&mut self) -> Option<usize> {
        if self.len() == 0 {
            return None;
        }
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        let index = MOVE_CAPACITY - 1 - best as usize % MOVE_CAPACITY;
        self.keys[index] = TAKEN;
        self.taken.push(index as u8);
        Some(index)
    }

    /// Returns all moves in the order in which they were added.
    pub(crate) fn as_slice(&self) -> &[LegalMove] {
        &self.moves
    }

    /// Adds the value of each child, in `disc` points per disc, to the ordering score of its move.
    /// `value` returns the child's value for the opponent, which is subtracted. Table moves keep
    /// their scores. A move is not evaluated, and comes last, if its score is more than `within`
    /// points below the best score of the other moves.
    pub(crate) fn add_values(
        &mut self,
        disc: i32,
        within: i32,
        mut value: impl FnMut(&LegalMove) -> Value,
    ) {
        let scores = self.keys.iter().map(|&key| key >> INDEX_BITS);
        let best = scores.filter(|&score| score < TABLE_MOVES[1]).max();
        let least = best.unwrap_or_default().saturating_sub(within);
        for (mv, key) in self.moves.iter().zip(&mut self.keys) {
            let score = *key >> INDEX_BITS;
            if score < least {
                *key -= (disc * 2 * WIPE_OUT) << INDEX_BITS;
            } else if score < TABLE_MOVES[1] {
                *key -= (disc * value(mv).units() / Value::PER_DISC) << INDEX_BITS;
            }
        }
    }
}

/// Takes one move at a time by [`take_best`](MoveList::take_best), the best move first.
impl Iterator for MoveList {
    type Item = LegalMove;

    #[inline]
    fn next(&mut self) -> Option<LegalMove> {
        self.take_best().map(|index| self.moves[index])
    }
}

/// Returns the ordering score of a move, without the value of its child.
fn score<P: Phase>(mv: &LegalMove, hints: &OrderingHints) -> i32 {
    let order = P::ORDER;
    for (&table_move, score) in hints.table_moves.iter().zip(TABLE_MOVES) {
        if table_move == Some(mv.square) {
            return score;
        }
    }
    let mut score = order.square * i32::from(static_square_weight(mv.square))
        + order.history * hints.history.points(hints.ply, mv.square)
        - mv.mobility_points(order.reply, order.corner_reply)
        - order.potential * mv.potential_mobility()
        + order.at_corner * mv.discs_at_corners();
    for (killer, bonus) in hints.history.killers(hints.ply).iter().zip(order.killers) {
        if *killer == Some(mv.square) {
            score += bonus;
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::window::Midgame;

    /// The list of all legal moves of `board`.
    fn list(board: &Board, table_moves: [Option<Square>; 2]) -> MoveList {
        let mut list = MoveList::default();
        let hints = OrderingHints {
            history: &History::default(),
            ply: 0,
            table_moves,
        };
        list.add::<Midgame>(board, board.legal_moves(), &hints);
        list
    }

    #[test]
    fn each_move_is_returned_once_and_table_moves_first() {
        let board = Board::START.play(Square::F5).play(Square::D6);
        let table_moves = [Some(Square::C6), Some(Square::C4)];
        let mut list = list(&board, table_moves);
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
    fn a_limit_leaves_the_best_moves() {
        let board = Board::START.play(Square::F5).play(Square::D6);
        let order = |most| {
            let mut list = list(&board, [None; 2]);
            list.limit(most);
            let len = list.len();
            let order: Vec<Square> = list.map(|mv| mv.square).collect();
            assert_eq!(order.len(), len);
            order
        };
        let all = order(usize::MAX);
        assert_eq!(all.len() as u32, board.legal_moves().count());
        assert_eq!(order(3), all[..3]);
        assert!(order(0).is_empty());
    }
}
