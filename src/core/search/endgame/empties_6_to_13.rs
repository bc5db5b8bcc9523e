//! Solver for 6 to 13 empties: [`EndgameSolver`]. Moves are ordered by fastest first (few replies
//! of the opponent). With 10 or more empties, an evaluation also orders them. With 9 or fewer, a
//! move that leaves very few replies, usually one, is searched at once, before the child boards of
//! later moves are computed. Stable discs and stored bounds cut nodes. With 8 or more empties, the
//! stored bound of a child can cut its parent as well (enhanced transposition cut-off, ETC).

use std::ops::ControlFlow;

use super::empties_1_to_5::{search_by_parity, solve_by_parity};
use super::ordering::{EndgameMoves, OddQuadrants};
use super::small_table::SmallTable;
use super::{NO_SCORE, own_stable_cut, stable_bound, stable_child_cut};
use crate::board::{Bitboard, Board, Score, WIPE_OUT};
use crate::eval::{Incremental, Value, static_square_weight};
use crate::search::ordering::LegalMove;
use crate::search::parameters::endgame::{
    CORNER_REPLY, DISC, EARLY_COST, EARLY_EMPTIES, ETC_EMPTIES, EVALUATED_EMPTIES,
    EVALUATED_WITHIN, ODD_QUADRANT, PARITY_EMPTIES, REPLY, SHARED_EMPTIES, SQUARE,
};
use crate::search::selectivity::Selectivity;
use crate::search::table::{Draft, TranspositionTable};
use crate::search::window::{Endgame, Phase, Window};

/// Ordering evaluation, with its incremental state of the current board.
type Ordering<'a, E> = (&'a E, &'a <E as Incremental>::State);

/// Solver for few empties. Boards with at least [`SHARED_EMPTIES`] empties have their bounds in the
/// transposition table, which all threads share. Other boards have them in the thread's small
/// table.
#[derive(Debug)]
pub(crate) struct EndgameSolver<'a> {
    pub(crate) small: &'a mut SmallTable,
    pub(crate) shared: &'a TranspositionTable,
    /// Nodes visited so far, as defined in the [module](super).
    pub(crate) nodes: u64,
}

impl EndgameSolver<'_> {
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
        let odd = OddQuadrants::of(board.empties());
        match evaluation.filter(|_| empties >= EVALUATED_EMPTIES) {
            None => self.search::<E, false>(board, moves, odd, None, alpha),
            Some(evaluator) => {
                let ordering = Some((evaluator, &evaluator.state(&board)));
                self.search::<E, true>(board, moves, odd, ordering, alpha)
            }
        }
    }

    /// Solves `board`, which has at least six empties and the legal moves `moves`, in the null
    /// window above `alpha`, fail-soft. The side to move may have to pass.
    ///
    /// `odd` are the quadrants of `board` with an odd number of empties.
    /// `EVALUATES` states whether `ordering` is `Some`.
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

    /// Returns the best score of `moves`, of which there is at least one, fail-soft. Tests for a
    /// cut-off by stable discs and by stored bounds. Without a cut-off, searches the moves and
    /// stores the bound that the search finds.
    #[inline]
    fn play<E: Incremental, const EVALUATES: bool>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<Ordering<E>>,
        alpha: Score,
    ) -> Score {
        let empties = board.empty_count();
        let slot = SmallTable::slot(&board);
        self.small.prefetch(slot);
        if let Some(upper) = stable_bound(&board, empties, alpha) {
            return upper;
        }
        if empties >= SHARED_EMPTIES {
            let draft = exact(empties);
            let window = Window::null_above(Value::from_score(alpha), Endgame::STEP);
            let probe = self.shared.probe(&board);
            let entry = probe.entry();
            if let Some(value) = entry.and_then(|entry| entry.cut(draft, window)) {
                return value.round_to_score();
            }
            let score = self.search_moves::<E, EVALUATES>(&board, moves, odd, ordering, alpha);
            probe.store(draft, window, Value::from_score(score), None);
            return score;
        }
        let known = self.small.get(slot, &board);
        if let Some(score) = known.cut(alpha) {
            return score;
        }
        let score = self.search_moves::<E, EVALUATES>(&board, moves, odd, ordering, alpha);
        self.small.put(slot, board, known.with(score, alpha));
        score
    }

    /// Searches `moves`, of which there is at least one, and returns the best score, fail-soft.
    fn search_moves<E: Incremental, const EVALUATES: bool>(
        &mut self,
        board: &Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<Ordering<E>>,
        alpha: Score,
    ) -> Score {
        let mut candidates = EndgameMoves::new();
        let made = self.make_moves::<E>(board, moves, odd, alpha, &mut candidates);
        let mut best = match made {
            ControlFlow::Continue(best) => best,
            ControlFlow::Break(score) => return score,
        };
        let ordering = ordering.filter(|_| EVALUATES);
        if let Some((evaluator, state)) = ordering
            && candidates.all().len() > 1
        {
            candidates.add_costs(EVALUATED_WITHIN, |LegalMove { child, replies, .. }| {
                let state = evaluator.after(state, board, child);
                DISC * evaluator.value(child, *replies, &state).units() / Value::PER_DISC
            });
        }

        while best <= alpha
            && let Some(mv) = candidates.take_best()
        {
            let score = self.search_child::<E, EVALUATES>(board, mv, odd, ordering, alpha);
            best = best.max(score);
        }
        best
    }

    /// Makes each of `moves`. Moves of low cost are searched at once (see [`EARLY_COST`]), other
    /// moves are added to `candidates`. Tests for cut-offs by stable discs and by stored bounds
    /// (ETC).
    ///
    /// Breaks with a lower bound above `alpha`.
    /// Otherwise continues with the best score of the moves searched at once.
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
                    if empties > SHARED_EMPTIES {
                        self.shared.prefetch(&mv.child);
                    } else if empties >= ETC_EMPTIES {
                        self.small.prefetch(SmallTable::slot(&mv.child));
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
        let lower = self.etc_cut(candidates.all(), empties, alpha);
        lower.map_or(ControlFlow::Continue(best), ControlFlow::Break)
    }

    /// Searches a move of `board` and returns its score. `odd` are the odd quadrants of `board`,
    /// before the move.
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
            // `add_costs` has computed this state before. Storing the states of all candidates
            // would cost more than computing this one again, because most candidates are never
            // tried.
            let state = evaluator.after(state, board, &child);
            let ordering = Some((evaluator, &state));
            -self.search::<E, true>(child, replies, odd, ordering, below)
        } else if EVALUATES || empties > PARITY_EMPTIES {
            -self.search::<E, false>(child, replies, odd, None, below)
        } else {
            -search_by_parity(child, replies, odd, below, self)
        }
    }

    /// Enhanced transposition cut-off: looks up the child of every candidate. Returns the first
    /// lower bound that exceeds `alpha`. `empties` is the number of empties before the move.
    #[inline]
    fn etc_cut(&self, candidates: &[LegalMove], empties: u32, alpha: Score) -> Option<Score> {
        if empties > SHARED_EMPTIES {
            let beta = Value::from_score(alpha + 1);
            let lower = self.shared.etc_cut(candidates, exact(empties - 1), beta);
            return lower.map(Value::round_to_score);
        }
        if empties < ETC_EMPTIES {
            return None;
        }
        candidates.iter().find_map(|LegalMove { child, .. }| {
            let lower = -self.small.get(SmallTable::slot(child), child).upper();
            (lower > alpha).then_some(lower)
        })
    }
}

/// Returns the draft of a solve of a board with this number of `empties`.
fn exact(empties: u32) -> Draft {
    Draft::new::<Endgame>(empties, Selectivity::P100)
}

/// Returns the ordering cost of a candidate: points for each legal reply, more for a reply on a
/// corner. A move into an odd quadrant or on a good square costs less.
#[inline]
fn cost(candidate: &LegalMove, odd: OddQuadrants) -> i32 {
    let square = candidate.square;
    candidate.mobility_points(REPLY, CORNER_REPLY)
        - ODD_QUADRANT * i32::from(odd.contains(square))
        - SQUARE * i32::from(static_square_weight(square))
}
