//! Solver for 10 to 13 empties: as [`from_6`](super::from_6), with evaluated move ordering.

use std::ops::ControlFlow;

use super::from_6::{SmallSolver, cost};
use super::moves::EndgameMoves;
use super::parity::OddQuadrants;
use super::small_table::SmallTable;
use super::{five, stable_child_cut};
use crate::board::{Bitboard, Board, Score};
use crate::eval::{Incremental, Value};
use crate::search::ordering::move_list::LegalMove;
use crate::search::parameters::small_solver::{DISC, EVALUATED_EMPTIES, PARITY_EMPTIES};

/// Least number of empties that are solved here. Fewer are solved by mobility alone.
const MIN_EMPTIES: u32 = 10;

/// Ordering evaluation with its incremental state of the current board.
struct Ordering<'a, E: Incremental> {
    evaluator: &'a E,
    state: E::State,
}

impl<E: Incremental> Ordering<'_, E> {
    /// Returns the state after a pass.
    fn passed(&self) -> Self {
        Ordering {
            state: self.evaluator.passed(&self.state),
            evaluator: self.evaluator,
        }
    }

    /// Returns the state after a move from `parent` to `child`.
    #[inline]
    fn after(&self, parent: &Board, child: &Board) -> Self {
        Ordering {
            state: self.evaluator.after(&self.state, parent, child),
            evaluator: self.evaluator,
        }
    }

    /// Returns the ordering cost, in points, of a move that leads to `board`.
    /// `moves` are the legal moves there, and the state must be that of `board`.
    #[inline]
    fn points(&self, board: &Board, moves: Bitboard) -> i32 {
        let value = self.evaluator.value(board, moves, &self.state);
        DISC * value.units() / Value::PER_DISC
    }
}

impl SmallSolver {
    /// Solves `board`, whose legal moves are `moves`, in the null window above `alpha`, fail-soft.
    ///
    /// # Panics
    /// Panics if a position has more than [`EndgameMoves::MAX`] legal moves.
    /// With at most 16 empties it never panics.
    pub(crate) fn solve<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        ordering: Option<&E>,
        alpha: Score,
    ) -> Score {
        let empties = board.empty_count();
        if empties <= PARITY_EMPTIES {
            return five::solve_five(board, alpha, self);
        }
        self.table.prepare();
        let odd = OddQuadrants::of(board.empties());
        if empties < MIN_EMPTIES {
            return self.solve_by_mobility(board, moves, odd, alpha);
        }
        let ordering = ordering
            .filter(|_| empties >= EVALUATED_EMPTIES)
            .map(|evaluator| Ordering {
                evaluator,
                state: evaluator.state(&board),
            });
        self.solve_evaluated(board, moves, odd, ordering.as_ref(), alpha)
    }

    /// Same as [`solve`](Self::solve), for ten empties or more.
    fn solve_evaluated<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<&Ordering<E>>,
        alpha: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play_many(board, moves, odd, ordering, alpha);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            board.final_score()
        } else {
            let ordering = ordering.map(Ordering::passed);
            -self.play_many(passed, moves, odd, ordering.as_ref(), -alpha - 1)
        }
    }

    /// Searches `moves`, at least one, and returns the best score.
    fn play_many<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<&Ordering<E>>,
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
            let LegalMove { child, replies, .. } = candidate;
            if child.player.is_empty() {
                return self.wipe_out();
            }
            self.table.prefetch(SmallTable::slot(&child));
            let points = || {
                let evaluated = ordering.map(|ordering| ordering.after(&board, &child));
                evaluated.map_or(0, |ordering| ordering.points(&child, replies))
            };
            candidates.push(candidate, cost(&candidate, odd, known.best, points));
        }
        if let Some(score) = stable_child_cut(candidates.all(), adds_stable, empties, alpha) {
            return score;
        }
        if let Some(score) = self.etc_cut(candidates.all(), alpha) {
            return score;
        }

        let ordering = ordering.filter(|_| empties > EVALUATED_EMPTIES);
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
                if empties > MIN_EMPTIES {
                    // `points` has computed this state before, but storing it costs more than
                    // computing it twice, because most candidates are never tried.
                    let ordering = ordering.map(|ordering| ordering.after(&board, &child));
                    -solver.solve_evaluated(child, replies, odd, ordering.as_ref(), -alpha - 1)
                } else {
                    -solver.solve_by_mobility(child, replies, odd, -alpha - 1)
                }
            },
        )
    }
}
