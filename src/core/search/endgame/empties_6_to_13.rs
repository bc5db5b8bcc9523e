//! Solver for 6 to 13 empties: [`EndgameSolver`].
//! Moves are ordered by fastest first, and from 11 empties on also by an evaluation.
//! Stable discs and bounds in a small table cut nodes.
//! From nine empties on, so do bounds of the positions after each move (ETC).

use std::ops::ControlFlow;

use super::empties_1_to_5::{search_by_parity, solve_by_parity};
use super::ordering::{EndgameMoves, OddQuadrants};
use super::small_table::{Bounds, SmallTable};
use super::{NO_SCORE, own_stable_cut, stable_bound, stable_child_cut};
use crate::board::{Bitboard, Board, Score, Square, WIPE_OUT};
use crate::eval::{Incremental, Value, static_square_weight};
use crate::search::ordering::LegalMove;
use crate::search::parameters::endgame::{
    CORNER_REPLY, DISC, ETC_EMPTIES, EVALUATED_EMPTIES, ODD_QUADRANT, PARITY_EMPTIES, REPLY, SQUARE,
};

/// Part of the ordering cost that depends on an evaluation.
trait Ordering {
    /// Whether there is an evaluation.
    const EVALUATES: bool;

    /// Returns the ordering after a move from `parent` to `child`.
    fn after(&self, parent: &Board, child: &Board) -> Self;

    /// Returns the ordering after a pass.
    fn passed(&self) -> Self;

    /// Returns the cost, in points, of the move of `parent` that leads to `child`, where `moves`
    /// are the legal moves.
    fn points(&self, parent: &Board, child: &Board, moves: Bitboard) -> i32;
}

/// Ordering without an evaluation.
struct Unevaluated;

impl Ordering for Unevaluated {
    const EVALUATES: bool = false;

    #[inline]
    fn after(&self, _: &Board, _: &Board) -> Self {
        Unevaluated
    }

    #[inline]
    fn passed(&self) -> Self {
        Unevaluated
    }

    #[inline]
    fn points(&self, _: &Board, _: &Board, _: Bitboard) -> i32 {
        0
    }
}

/// Ordering evaluation with its incremental state of the current board.
struct Evaluated<'a, E: Incremental> {
    evaluator: &'a E,
    state: E::State,
}

impl<E: Incremental> Ordering for Evaluated<'_, E> {
    const EVALUATES: bool = true;

    #[inline]
    fn after(&self, parent: &Board, child: &Board) -> Self {
        Evaluated {
            state: self.evaluator.after(&self.state, parent, child),
            evaluator: self.evaluator,
        }
    }

    fn passed(&self) -> Self {
        Evaluated {
            state: self.evaluator.passed(&self.state),
            evaluator: self.evaluator,
        }
    }

    #[inline]
    fn points(&self, parent: &Board, child: &Board, moves: Bitboard) -> i32 {
        let Evaluated { state, evaluator } = self.after(parent, child);
        DISC * evaluator.value(child, moves, &state).units() / Value::PER_DISC
    }
}

/// Solver for few empties, with its small table. Each thread has its own.
#[derive(Debug, Default)]
pub(crate) struct EndgameSolver {
    pub(super) table: SmallTable,
    /// Nodes visited so far, as defined in the [module](super).
    pub nodes: u64,
}

impl EndgameSolver {
    /// Empties the small table.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves `board`, whose legal moves are `moves`, in the null window above `alpha`, fail-soft.
    /// `evaluation` orders the moves where they are many.
    ///
    /// # Panics
    /// Panics if a position has more than [`EndgameMoves::MAX`] legal moves.
    /// With at most 16 empties it never panics.
    pub(crate) fn solve<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        evaluation: Option<&E>,
        alpha: Score,
    ) -> Score {
        let empties = board.empty_count();
        if empties <= PARITY_EMPTIES {
            return solve_by_parity(board, alpha, self);
        }
        self.table.prepare();
        let odd = OddQuadrants::of(board.empties());
        match evaluation.filter(|_| empties >= EVALUATED_EMPTIES) {
            None => self.search(board, moves, odd, &Unevaluated, alpha),
            Some(evaluator) => {
                let state = evaluator.state(&board);
                let ordering = Evaluated { evaluator, state };
                self.search(board, moves, odd, &ordering, alpha)
            }
        }
    }

    /// Same as [`solve`](Self::solve), with six empties or more.
    ///
    /// `odd` are the quadrants of odd parity of `board`.
    /// The table must have been [prepared](SmallTable::prepare).
    fn search<O: Ordering>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: &O,
        alpha: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play(board, moves, odd, ordering, alpha);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            board.final_score()
        } else {
            -self.play(passed, moves, odd, &ordering.passed(), -alpha - 1)
        }
    }

    /// Searches `moves`, at least one, and returns the best score.
    #[inline]
    fn play<O: Ordering>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: &O,
        alpha: Score,
    ) -> Score {
        let empties = board.empty_count();
        let (slot, known) = match self.look_up(&board, empties, alpha) {
            Ok(found) => found,
            Err(score) => return score,
        };
        let adds_stable = match own_stable_cut(&board, empties, alpha) {
            ControlFlow::Continue(squares) => squares,
            ControlFlow::Break(score) => return score,
        };
        let uses_etc = O::EVALUATES || empties >= ETC_EMPTIES;
        let mut candidates = EndgameMoves::new();
        for square in moves.squares() {
            let candidate = LegalMove::new(&board, square);
            let LegalMove { child, replies, .. } = candidate;
            if child.player.is_empty() {
                return self.wipe_out();
            }
            if uses_etc {
                self.table.prefetch(SmallTable::slot(&child));
            }
            let points = || ordering.points(&board, &child, replies);
            candidates.push(candidate, cost(&candidate, odd, known.best, points));
        }
        if let Some(score) = stable_child_cut(candidates.all(), adds_stable, empties, alpha) {
            return score;
        }
        if uses_etc && let Some(score) = self.etc_cut(candidates.all(), alpha) {
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
                let (odd, below) = (odd.after(square), -alpha - 1);
                if O::EVALUATES && empties > EVALUATED_EMPTIES {
                    // `points` has computed this state before, but storing it costs more than
                    // computing it twice, because most candidates are never tried.
                    let ordering = ordering.after(&board, &child);
                    -solver.search(child, replies, odd, &ordering, below)
                } else if O::EVALUATES || empties - 1 > PARITY_EMPTIES {
                    -solver.search(child, replies, odd, &Unevaluated, below)
                } else {
                    -search_by_parity(child, replies, odd, below, solver)
                }
            },
        )
    }

    /// Searches the candidates in order of cost. Stores the best score in `slot` and returns it.
    /// `score` searches one candidate. `known` are the bounds from `slot` before the search.
    #[inline]
    fn best_of(
        &mut self,
        board: &Board,
        slot: usize,
        known: Bounds,
        candidates: &mut EndgameMoves,
        alpha: Score,
        mut score: impl FnMut(&mut EndgameSolver, &LegalMove) -> Score,
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
    fn look_up(
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

    /// Enhanced transposition cut-off: probes the small table for the child of every candidate.
    /// Returns the first lower bound of a move that exceeds `alpha`.
    pub(crate) fn etc_cut(&mut self, candidates: &[LegalMove], alpha: Score) -> Option<Score> {
        self.table.prepare();
        candidates.iter().find_map(|LegalMove { child, .. }| {
            let lower = -self.table.get(SmallTable::slot(child), child).upper;
            (lower > alpha).then_some(lower)
        })
    }

    /// Returns [`WIPE_OUT`], the best possible score, and counts the node after the move.
    fn wipe_out(&mut self) -> Score {
        self.nodes += 1;
        WIPE_OUT
    }
}

/// Returns the ordering cost of a candidate. The table move costs least.
///
/// Other moves cost points for replies (corners twice) and for the `evaluation` of the child.
/// Squares in odd quadrants and good squares cost less.
#[inline]
fn cost(
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
