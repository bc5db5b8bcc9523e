//! Solver for six to nine empties.
//! Moves are ordered by fastest first. Stable discs and bounds in a small table cut nodes.
//! From nine empties on, so do bounds of the positions after each move (ETC).

use std::ops::ControlFlow;

use super::moves::EndgameMoves;
use super::parity::OddQuadrants;
use super::small_table::{Bounds, SmallTable};
use super::{NO_SCORE, five, stable_child_cut};
use crate::board::{Bitboard, Board, Score, Square, WIPE_OUT};
use crate::eval::static_square_weight;
use crate::search::Techniques;
use crate::search::ordering::move_list::LegalMove;
use crate::search::parameters::small_solver::{
    CORNER_REPLY, ETC_EMPTIES, ODD_QUADRANT, PARITY_EMPTIES, REPLY, SQUARE,
};

/// Solver for few empties, with its small table. Each thread has its own.
#[derive(Debug, Default)]
pub(crate) struct SmallSolver {
    pub(super) table: SmallTable,
    /// Nodes visited so far, as defined in the [module](super).
    pub nodes: u64,
    /// Techniques that are switched on.
    pub(crate) techniques: Techniques,
}

impl SmallSolver {
    /// Empties the small table.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    #[inline]
    pub(super) fn uses(&self, technique: Techniques) -> bool {
        self.techniques.contains(technique)
    }

    /// Solves `board`, with six empties or more, in the null window above `alpha`, fail-soft.
    ///
    /// `moves` are the legal moves of `board`, and `odd` its quadrants of odd parity.
    /// The table must have been [prepared](SmallTable::prepare).
    pub(super) fn solve_by_mobility(
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

    /// Searches `moves`, at least one, and returns the best score.
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
        let adds_stable = match self.own_stable_cut(&board, empties, alpha) {
            ControlFlow::Continue(squares) => squares,
            ControlFlow::Break(score) => return score,
        };
        let mut candidates = EndgameMoves::new();
        for square in moves.squares() {
            let candidate = LegalMove::new(&board, square);
            if candidate.child.player.is_empty() {
                return self.wipe_out();
            }
            if empties >= ETC_EMPTIES {
                self.table.prefetch(SmallTable::slot(&candidate.child));
            }
            candidates.push(candidate, cost(&candidate, odd, known.best, || 0));
        }
        if let Some(score) = stable_child_cut(candidates.all(), adds_stable, empties, alpha) {
            return score;
        }
        if empties >= ETC_EMPTIES
            && let Some(score) = self.etc_cut(candidates.all(), alpha)
        {
            return score;
        }

        self.best_of(
            &board,
            slot,
            known,
            &mut candidates,
            alpha,
            |solver, candidate| {
                let &LegalMove {
                    square,
                    child,
                    replies,
                } = candidate;
                let odd = odd.after(square);
                if empties - 1 > PARITY_EMPTIES {
                    -solver.solve_by_mobility(child, replies, odd, -alpha - 1)
                } else {
                    -five::search(child, replies, odd, -alpha - 1, solver)
                }
            },
        )
    }

    /// Searches the candidates in order of cost. Stores the best score in `slot` and returns it.
    /// `score` searches one candidate. `known` are the bounds from `slot` before the search.
    #[inline]
    pub(super) fn best_of(
        &mut self,
        board: &Board,
        slot: usize,
        known: Bounds,
        candidates: &mut EndgameMoves,
        alpha: Score,
        mut score: impl FnMut(&mut SmallSolver, &LegalMove) -> Score,
    ) -> Score {
        let (mut best, mut best_square) = (NO_SCORE, None);
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

    /// Probes the small table. Returns the slot of `board` and the stored bounds of its score.
    /// Returns the score as an error if stable discs or the stored bounds allow a cut-off.
    #[inline]
    pub(super) fn look_up(
        &mut self,
        board: &Board,
        empties: u32,
        alpha: Score,
    ) -> Result<(usize, Bounds), Score> {
        let slot = SmallTable::slot(board);
        self.table.prefetch(slot);
        if let Some(upper) = self.stable_bound(board, empties, alpha) {
            return Err(upper);
        }
        let known = self.table.get(slot, board);
        known.cut(alpha).map_or(Ok((slot, known)), Err)
    }

    /// Enhanced transposition cut-off: probes the small table for the child of every candidate.
    /// Returns the first lower bound of a move that exceeds `alpha`.
    pub(crate) fn etc_cut(&mut self, candidates: &[LegalMove], alpha: Score) -> Option<Score> {
        if !self.uses(Techniques::ETC) {
            return None;
        }
        self.table.prepare();
        candidates.iter().find_map(|LegalMove { child, .. }| {
            let lower = -self.table.get(SmallTable::slot(child), child).upper;
            (lower > alpha).then_some(lower)
        })
    }

    /// Returns the best possible score, that of a wipe-out, and counts the node after the move.
    pub(super) fn wipe_out(&mut self) -> Score {
        self.nodes += 1;
        WIPE_OUT
    }
}

/// Returns the ordering cost of a candidate. The table move costs least.
///
/// Other moves cost points for replies (corners twice) and for the `evaluation` of the child.
/// Squares in odd quadrants and good squares cost less.
#[inline]
pub(super) fn cost(
    candidate: &LegalMove,
    odd: OddQuadrants,
    table_move: Option<Square>,
    evaluation: impl FnOnce() -> i32,
) -> i32 {
    let square = candidate.square;
    if table_move == Some(square) {
        return EndgameMoves::MIN_COST;
    }
    candidate.mobility_points(REPLY, CORNER_REPLY)
        - ODD_QUADRANT * i32::from(odd.contains(square))
        - SQUARE * i32::from(static_square_weight(square))
        + evaluation()
}
