//! `NegaScout` and MTD(f) in their basic forms, and with refinements that make cuts come early.
//!
//! Each refinement has a switch. None of them changes the value of the search.
//! A refinement changes the order of moves, or reuses stored results.

use bitflags::bitflags;

use super::observer::{cut, enter_as_mover, report};
use super::table::{NodeTable, Probe};
use super::{Game, GameValue, Observer, Step};

bitflags! {
    /// The refinements that are switched on.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Refinements: u8 {
        /// Searches moves with a high [`Game::static_weight`] first.
        /// In Othello these are corners. Squares next to a corner come last.
        const STATIC_ORDER = 1;
        /// Killer moves: searches first the last two moves that caused a cut at the same ply.
        ///
        /// Source: Akl and Newborn, The Principal Continuation and the Killer Heuristic, 1977.
        const KILLERS = 1 << 1;
        /// Iterative deepening: searches height 1, 2, … up to the requested height.
        /// Each iteration improves the move ordering of the next.
        ///
        /// Source: D. J. Slate and L. R. Atkin, CHESS 4.5, 1977.
        const DEEPENING = 1 << 2;
        /// Transposition table: reuses stored bounds. With deepening it also searches the stored
        /// best move first.
        ///
        /// Source: R. D. Greenblatt et al., The Greenblatt Chess Program, 1967.
        const TABLE = 1 << 3;
        /// Fastest first: searches moves first that leave few [`Game::replies`].
        /// This order comes after the table's move and the killers, and before the static order.
        const MOBILITY = 1 << 4;
    }
}

/// The algorithm to refine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseAlgorithm {
    /// Fail-soft alpha-beta in negamax form.
    AlphaBeta,
    /// `NegaScout`: null windows for all moves but the first.
    NegaScout,
    /// MTD(f): null windows only.
    /// The first guess of an iteration is the value of the iteration two plies less deep. This
    /// value is closer than the value of the last iteration, because values of odd and even heights
    /// differ.
    MtdF,
}

/// `NegaScout`: searches `height` plies ahead and returns the value of `position` for Max.
///
/// With good move ordering the first move is the best. It is searched in the whole window (α, β).
/// Each later move is first searched in a null window above the best value, which has more cuts and
/// shows only whether the move is better.
/// A better move is searched again for its exact value.
///
/// ```text
///   first move    |α ----------------------- β|
///   its value v        v
///   other moves        |v, v+1|                     ≤ v: not better, done
///   if better               |t ------------- β|     > v: re-search above the proven bound t
/// ```
///
/// Source: A. Reinefeld, An Improvement to the Scout Tree-Search Algorithm, ICCA Journal, 1983.
/// This is the fail-soft form, without the shortcut for the last two plies.
pub fn nega_scout<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (alpha, beta) = (G::Value::NEG_INFINITY, G::Value::INFINITY);
    let mut search = Search::new(BaseAlgorithm::NegaScout, Refinements::empty(), observer);
    let value = search.node(position, height, 0, alpha, beta);
    position.to_move().from_max(value)
}

/// MTD(f): searches `height` plies ahead and returns the value of `position` for Max.
/// The first guess is the static evaluation of the position.
///
/// Each null-window search gives a lower or an upper bound. When the bounds meet, they are the
/// value. The searches share a transposition table, because they visit many nodes again.
///
/// Source: A. Plaat et al., Best-First Fixed-Depth Minimax Algorithms, 1996.
/// The node search is their procedure `AlphaBetaWithMemory`.
pub fn mtd_f<G: Game>(position: &G, height: u32, observer: &mut impl Observer<G>) -> G::Value {
    let (base, table) = (BaseAlgorithm::MtdF, Refinements::TABLE);
    refined(position, height, base, table, observer)
}

/// MTD driver: searches null windows (α, β), starting at `guess`, until the bounds meet.
fn close_in<V: GameValue>(guess: V, mut search: impl FnMut(V, V) -> V) -> V {
    let (mut lower, mut upper) = (V::NEG_INFINITY, V::INFINITY);
    let mut value = guess;
    while lower < upper {
        let beta = if value == lower { value.above() } else { value };
        value = search(beta.below(), beta);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
    }
    value
}

/// Searches `height` plies ahead with `base` and `refinements`.
/// Returns the value of `position` for Max.
pub fn refined<G: Game>(
    position: &G,
    height: u32,
    base: BaseAlgorithm,
    refinements: Refinements,
    observer: &mut impl Observer<G>,
) -> G::Value {
    let estimate = position.outcome().unwrap_or_else(|| position.estimate());
    let estimate = position.to_move().from_max(estimate);
    let (mut before_last, mut last) = (estimate, estimate);
    let mut search = Search::new(base, refinements, observer);
    let is_deepening = refinements.contains(Refinements::DEEPENING);
    let first = if is_deepening { height.min(1) } else { height };
    for height in first..=height {
        let value = search.root(position, height, before_last);
        (before_last, last) = (last, value);
    }
    position.to_move().from_max(last)
}

/// The state of a search: its parameters, killer moves and transposition table.
struct Search<'a, G: Game, O> {
    base: BaseAlgorithm,
    refinements: Refinements,
    /// Killer moves by ply from the root, the most recent first.
    killers: Vec<[Option<G::Move>; 2]>,
    table: NodeTable<G>,
    observer: &'a mut O,
}

impl<'a, G: Game, O: Observer<G>> Search<'a, G, O> {
    fn new(base: BaseAlgorithm, refinements: Refinements, observer: &'a mut O) -> Self {
        Search {
            base,
            refinements,
            killers: Vec::new(),
            table: NodeTable::new(),
            observer,
        }
    }

    fn root(&mut self, position: &G, height: u32, guess: G::Value) -> G::Value {
        let base = self.base;
        let mut search = |alpha, beta| {
            report(position, Step::Pass(height, (alpha, beta)), self.observer);
            self.node(position, height, 0, alpha, beta)
        };
        match base {
            BaseAlgorithm::MtdF => close_in(guess, search),
            _ => search(G::Value::NEG_INFINITY, G::Value::INFINITY),
        }
    }

    /// Searches a node fail-soft, `ply` moves from the root.
    /// Returns the value for the side to move.
    fn node(
        &mut self,
        position: &G,
        height: u32,
        ply: usize,
        mut alpha: G::Value,
        mut beta: G::Value,
    ) -> G::Value {
        if let Some(value) = enter_as_mover(position, height, (alpha, beta), self.observer) {
            return value;
        }
        let remembers = self.refinements.contains(Refinements::TABLE);
        if remembers {
            match self.table.probe(position, height, alpha, beta) {
                Probe::Answer(value) => {
                    report(position, Step::Recall(value), self.observer);
                    return value;
                }
                Probe::Window(left_alpha, left_beta) => (alpha, beta) = (left_alpha, left_beta),
            }
        }
        let moves = self.ordered_moves(position, ply);
        let (mut best, mut best_move) = (G::Value::NEG_INFINITY, moves[0]);
        for (searched, &mv) in (1..).zip(&moves) {
            let (child, below) = (position.play(mv), height - G::cost(mv));
            let lower = alpha.max(best);
            let is_scout = self.base == BaseAlgorithm::NegaScout && searched > 1;
            let upper = if is_scout { lower.above() } else { beta };
            let mut value = -self.node(&child, below, ply + 1, -upper, -lower);
            if upper <= value && value < beta {
                self.observer.step(position, Step::Again);
                value = -self.node(&child, below, ply + 1, -beta, -value);
            }
            if value > best {
                (best, best_move) = (value, mv);
            }
            let window = (alpha.max(best), beta);
            report(position, Step::Update(value, best, window), self.observer);
            if best >= beta {
                cut(position, searched, moves.len(), self.observer);
                self.note_killer(ply, mv);
                break;
            }
        }
        if remembers {
            let window = (alpha, beta);
            let bounds = (self.table).store(position, height, window, best, best_move);
            report(position, Step::Store(bounds), self.observer);
        }
        best
    }

    /// The moves in search order. Ties keep the order of [`Game::moves`].
    fn ordered_moves(&self, position: &G, ply: usize) -> Vec<G::Move> {
        let on = |refinement| self.refinements.contains(refinement);
        let stored = self.table.best(position);
        let remembered = stored.filter(|_| on(Refinements::DEEPENING));
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let first = [remembered, killers[0], killers[1]];
        let order = |mv| {
            let index = first.iter().position(|&known| known == Some(mv));
            index.unwrap_or(first.len())
        };
        let mut moves = position.moves();
        moves.sort_by_cached_key(|&mv| {
            let replies = on(Refinements::MOBILITY).then(|| position.replies(mv));
            let weight = on(Refinements::STATIC_ORDER).then(|| -position.static_weight(mv));
            (order(mv), replies, weight)
        });
        moves
    }

    fn note_killer(&mut self, ply: usize, mv: G::Move) {
        if !self.refinements.contains(Refinements::KILLERS) {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let [last, before] = &mut self.killers[ply];
        if *last != Some(mv) {
            (*before, *last) = (*last, Some(mv));
        }
    }
}
