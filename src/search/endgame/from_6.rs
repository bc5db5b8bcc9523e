//! Six to nine empties: the move that leaves the opponent fewest replies comes first (fastest first), nothing is
//! searched where stable discs of the opponent keep the score at alpha or below, and a small table knows boards met before.

use super::candidates::{Candidate, Candidates};
use super::parity::OddQuadrants;
use super::small_table::{Bounds, SmallTable};
use super::weights::few;
use super::{NONE, five, stable_bound};
use crate::board::{Bitboard, Board, Score, Square};
use crate::eval::static_square_weight;

/// Up to this many empties parity alone decides the order. On FFO #40-49, 6 instead takes as long for 12% more nodes.
pub(super) const PARITY_EMPTIES: u32 = 5;

/// A solver with its table; each thread has its own.
#[derive(Debug, Default)]
pub(in crate::search) struct SmallSolver {
    pub(super) table: SmallTable,
    /// Positions visited so far; the [module](super) says what is counted.
    pub(in crate::search) nodes: u64,
}

impl SmallSolver {
    /// Reserves the memory that its table is going to need. Whether there is any.
    pub(in crate::search) fn reserve(&mut self) -> bool {
        self.table.reserve()
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of `board` with six empties or more, whose legal moves are `moves`, in the null window above `alpha`. The
    /// table must have been [prepared](SmallTable::prepare).
    pub(super) fn few(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        alpha: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play_few(board, moves, odd, alpha);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            board.final_score()
        } else {
            -self.play_few(passed, moves, odd, -alpha - 1)
        }
    }

    /// The best of `moves`, which are not empty.
    #[inline]
    fn play_few(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        alpha: Score,
    ) -> Score {
        let empties = board.empty_count();
        let (slot, known) = match self.look_up(&board, empties, alpha) {
            Ok(found) => found,
            Err(score) => return score,
        };
        let mut candidates = Candidates::new();
        for square in moves.squares() {
            let candidate = Candidate::new(&board, square);
            if candidate.child.player.is_empty() {
                return self.wipe_out();
            }
            candidates.push(candidate, cost(&candidate, odd, known.best, || 0));
        }

        self.best_of(
            &board,
            slot,
            known,
            &mut candidates,
            alpha,
            |solver, candidate| {
                let &Candidate {
                    square,
                    child,
                    replies,
                } = candidate;
                let odd = odd.after(square);
                if empties - 1 > PARITY_EMPTIES {
                    -solver.few(child, replies, odd, -alpha - 1)
                } else {
                    -five::search(child, replies, odd, -alpha - 1, &mut solver.nodes)
                }
            },
        )
    }

    /// The best score of the candidates of `board`, tried in their order; `score` is that of one. What comes out is kept in
    /// `slot`, of which this is `known`.
    #[inline]
    pub(super) fn best_of(
        &mut self,
        board: &Board,
        slot: usize,
        known: Bounds,
        candidates: &mut Candidates,
        alpha: Score,
        mut score: impl FnMut(&mut SmallSolver, &Candidate) -> Score,
    ) -> Score {
        let (mut best, mut best_square) = (NONE, None);
        let mut next = candidates.first();
        while let Some(key) = next {
            let candidate = candidates.take(key);
            let score = score(self, candidate);
            if score > best {
                (best, best_square) = (score, Some(candidate.square));
                if best > alpha {
                    break;
                }
            }
            next = candidates.next();
        }
        self.table
            .put(slot, board, known.with(best, best_square, alpha));
        best
    }

    /// What is known of `board` before any move of it is tried, and where that is kept; as an error, the score.
    #[inline]
    pub(super) fn look_up(
        &mut self,
        board: &Board,
        empties: u32,
        alpha: Score,
    ) -> Result<(usize, Bounds), Score> {
        let slot = SmallTable::slot(board);
        self.table.prefetch(slot);
        if let Some(upper) = stable_bound(board, empties, alpha) {
            return Err(upper);
        }
        let known = self.table.get(slot, board);
        known.cut(alpha).map_or(Ok((slot, known)), Err)
    }

    /// The score of a move that leaves the opponent no disc: nothing is better.
    pub(super) fn wipe_out(&mut self) -> Score {
        self.nodes += 1;
        64
    }
}

/// The cost of a candidate: the table's move before all, then by the replies it leaves and by its `evaluation` in points, of
/// equals the one in an odd quadrant. Corners count twice among the replies: saves 8% of the nodes and 9% of the time with 14 empties;
/// parity saves 2% of the nodes, and the static order of squares 2.5% more; twice the weight for it takes 18% more.
#[inline]
pub(super) fn cost(
    candidate: &Candidate,
    odd: OddQuadrants,
    table_move: Option<Square>,
    evaluation: impl FnOnce() -> i32,
) -> i32 {
    let square = candidate.square;
    if table_move == Some(square) {
        return Candidates::LEAST_COST;
    }
    candidate.mobility_points(few::REPLY.get(), few::CORNER_REPLY.get())
        - few::ODD_QUADRANT.get() * i32::from(odd.contains(square))
        - few::SQUARE.get() * i32::from(static_square_weight(square))
        + evaluation()
}
