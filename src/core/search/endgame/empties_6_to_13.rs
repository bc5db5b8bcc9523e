//! Solver for 6 to 13 empties: [`EndgameSolver`]. Moves are ordered by fastest first, and from 10
//! empties on also by an evaluation. With fewer empties, a move that leaves one reply is searched
//! before the children of later moves are made. Stable discs and bounds in a small table cut nodes.
//! From eight empties on, a stored bound of the position after a move can cut as well (enhanced
//! transposition cut-off, ETC).

use std::ops::ControlFlow;

use super::empties_1_to_5::{search_by_parity, solve_by_parity};
use super::ordering::{EndgameMoves, OddQuadrants};
use super::small_table::{Bounds, SmallTable};
use super::{NO_SCORE, own_stable_cut, stable_bound, stable_child_cut};
use crate::board::{Bitboard, Board, Score, WIPE_OUT};
use crate::eval::{Incremental, Value, static_square_weight};
use crate::search::ordering::LegalMove;
use crate::search::parameters::endgame::{
    CORNER_REPLY, DISC, EARLY_COST, EARLY_EMPTIES, ETC_EMPTIES, EVALUATED_EMPTIES,
    EVALUATED_WITHIN, ODD_QUADRANT, PARITY_EMPTIES, REPLY, SQUARE,
};

/// Ordering evaluation, with its incremental state of the current board.
type Ordering<'a, E> = (&'a E, &'a <E as Incremental>::State);

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
    /// `evaluation` orders the moves of positions with at least [`EVALUATED_EMPTIES`] empties.
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
            None => self.search::<E, false>(board, moves, odd, None, alpha),
            Some(evaluator) => {
                let ordering = Some((evaluator, &evaluator.state(&board)));
                self.search::<E, true>(board, moves, odd, ordering, alpha)
            }
        }
    }

    /// Same as [`solve`](Self::solve), with six empties or more.
    ///
    /// `odd` are the quadrants of odd parity of `board`.
    /// `EVALUATES` states whether there is an `ordering`.
    /// The table must have been [prepared](SmallTable::prepare).
    fn search<E: Incremental, const EVALUATES: bool>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<Ordering<E>>,
        alpha: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play::<E, EVALUATES>(board, moves, odd, ordering, alpha);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            return board.final_score();
        }
        let state = ordering.map(|(evaluator, state)| (evaluator, evaluator.passed(state)));
        let ordering = state.as_ref().map(|(evaluator, state)| (*evaluator, state));
        -self.play::<E, EVALUATES>(passed, moves, odd, ordering, -alpha - 1)
    }

    /// Searches `moves`, at least one, and returns the best score.
    #[inline]
    fn play<E: Incremental, const EVALUATES: bool>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<Ordering<E>>,
        alpha: Score,
    ) -> Score {
        let (slot, known) = match self.look_up(&board, alpha) {
            Ok(found) => found,
            Err(score) => return score,
        };
        let mut candidates = EndgameMoves::new();
        let made = self.make_moves::<E>(&board, moves, odd, alpha, &mut candidates);
        let mut best = match made {
            ControlFlow::Continue(best) => best,
            ControlFlow::Break(score) => {
                self.table.put(slot, board, known.with(score, alpha));
                return score;
            }
        };
        let ordering = ordering.filter(|_| EVALUATES);
        if let Some((evaluator, state)) = ordering
            && candidates.all().len() > 1
        {
            candidates.add_costs(EVALUATED_WITHIN, |LegalMove { child, replies, .. }| {
                let state = evaluator.after(state, &board, child);
                DISC * evaluator.value(child, *replies, &state).units() / Value::PER_DISC
            });
        }

        while best <= alpha
            && let Some(mv) = candidates.take_best()
        {
            let score = self.search_child::<E, EVALUATES>(&board, mv, odd, ordering, alpha);
            best = best.max(score);
        }
        self.table.put(slot, board, known.with(best, alpha));
        best
    }

    /// Makes `moves`, and adds them to `candidates` unless they are searched at once: see
    /// [`EARLY_COST`]. Tests for cut-offs by stable discs and by the small table (ETC).
    ///
    /// Breaks with a lower bound above `alpha`.
    /// Otherwise continues with the best score of the moves searched.
    #[inline]
    fn make_moves<E: Incremental>(
        &mut self,
        board: &Board,
        moves: Bitboard,
        odd: OddQuadrants,
        alpha: Score,
        candidates: &mut EndgameMoves,
    ) -> ControlFlow<Score, Score> {
        let empties = board.empty_count();
        let adds_stable = own_stable_cut(board, empties, alpha)?;
        let mut best = NO_SCORE;
        for part in odd.parts(moves) {
            for square in part.squares() {
                let mv = LegalMove::new(board, square);
                if mv.child.player.is_empty() {
                    self.nodes += 1;
                    return ControlFlow::Break(WIPE_OUT);
                }
                let cost = cost(&mv, odd);
                if cost > EARLY_COST || empties > EARLY_EMPTIES {
                    if empties >= ETC_EMPTIES {
                        self.table.prefetch(SmallTable::slot(&mv.child));
                    }
                    candidates.push(mv, cost);
                    continue;
                }
                stable_child_cut(&[mv], adds_stable, empties, alpha)?;
                best = best.max(self.search_child::<E, false>(board, &mv, odd, None, alpha));
                if best > alpha {
                    return ControlFlow::Break(best);
                }
            }
        }
        stable_child_cut(candidates.all(), adds_stable, empties, alpha)?;
        let uses_etc = empties >= ETC_EMPTIES;
        let lower = uses_etc.then(|| self.etc_cut(candidates.all(), alpha));
        lower
            .flatten()
            .map_or(ControlFlow::Continue(best), ControlFlow::Break)
    }

    /// Searches a move of `board` and returns its score. `odd` are the quadrants before the move.
    #[inline]
    fn search_child<E: Incremental, const EVALUATES: bool>(
        &mut self,
        board: &Board,
        mv: &LegalMove,
        odd: OddQuadrants,
        ordering: Option<Ordering<E>>,
        alpha: Score,
    ) -> Score {
        let (child, replies, below) = (mv.child, mv.replies, -alpha - 1);
        let (odd, empties) = (odd.after(mv.square), child.empty_count());
        if let Some((evaluator, state)) = ordering
            && empties >= EVALUATED_EMPTIES
        {
            // The order has computed this state before, but storing it costs more than
            // computing it twice, because most candidates are never tried.
            let state = evaluator.after(state, board, &child);
            let ordering = Some((evaluator, &state));
            -self.search::<E, true>(child, replies, odd, ordering, below)
        } else if EVALUATES || empties > PARITY_EMPTIES {
            -self.search::<E, false>(child, replies, odd, None, below)
        } else {
            -search_by_parity(child, replies, odd, below, self)
        }
    }

    /// Probes the small table. Returns the slot of `board` and the stored bounds of its score.
    /// Returns the score as an error if stable discs or the stored bounds allow a cut-off.
    #[inline]
    fn look_up(&mut self, board: &Board, alpha: Score) -> Result<(usize, Bounds), Score> {
        let slot = SmallTable::slot(board);
        self.table.prefetch(slot);
        if let Some(upper) = stable_bound(board, board.empty_count(), alpha) {
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
            let lower = -self.table.get(SmallTable::slot(child), child).upper();
            (lower > alpha).then_some(lower)
        })
    }
}

/// Returns the ordering cost of a candidate: points for replies, corners more.
/// Squares in odd quadrants and good squares cost less.
#[inline]
fn cost(candidate: &LegalMove, odd: OddQuadrants) -> i32 {
    let square = candidate.square;
    candidate.mobility_points(REPLY, CORNER_REPLY)
        - ODD_QUADRANT * i32::from(odd.contains(square))
        - SQUARE * i32::from(static_square_weight(square))
}
