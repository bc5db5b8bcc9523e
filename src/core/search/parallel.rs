//! Parallel search: starts helper threads, splits nodes and searches the moves of a split point.
//! The code of this module connects [`Searcher`] with the [`Team`] of threads.

use std::sync::Arc;
use std::thread;

use super::interior::{Best, Scouted};
use super::node::Node;
use super::ordering::LegalMove;
use super::parameters::parallel::MAY_CUT;
use super::searcher::{Searcher, Shared};
use super::team::{Dismissal, Split, Team};
use super::thread_state::ThreadState;
use super::window::{Endgame, Midgame, Phase, Pv};
use crate::board::Move;
use crate::eval::{SearchEvaluator, Value};
use crate::work::start_thread;

/// Result of the search of a move at a split point.
struct SharedResult {
    value: Value,
    /// `alpha` of the window in which `value` was found.
    alpha: Value,
}

/// Runs `search` with one helper thread for each state in `others`. The helper threads end before
/// this function returns.
///
/// If the system cannot start a thread, the search goes on with fewer helpers.
pub(super) fn with_helpers<'a, E: SearchEvaluator, T>(
    shared: &'a Shared<'a, E>,
    others: &'a mut [ThreadState],
    search: impl FnOnce() -> T,
) -> T {
    let Some(team) = &shared.team else {
        return search();
    };
    thread::scope(|scope| {
        let _dismissal = Dismissal(team);
        for own in others {
            let help = move || Searcher::helper(shared, own).help(team, None);
            if let Err(error) = start_thread(scope, "search", help) {
                log::warn!("{error}");
                break;
            }
        }
        search()
    })
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Returns whether to split at `node`, after `tried` moves.
    ///
    /// A cut-off wastes the work of the helpers. A null-window node of a solve that may be a cut
    /// node is therefore split only after its second move: see [`MAY_CUT`].
    #[inline]
    pub(super) fn can_split<P: Phase>(&mut self, node: &Node<&E::State>, tried: usize) -> bool {
        let team = self.shared.team.as_ref();
        if tried == 0 || !team.is_some_and(|team| team.should_split::<P>(node.depth)) {
            return false;
        }
        let needs_all_moves = !P::IS_END || tried > 1 || node.window.is_open(P::STEP);
        needs_all_moves || self.static_value(node) < node.window.alpha + MAY_CUT
    }

    /// Searches the remaining `moves` of `node` together with idle threads. `best` is the result of
    /// the `tried` moves searched before. Returns the best of all moves, as a search by one thread
    /// does. At a PV node the PV is then in `self.own.pv`.
    pub(super) fn split<P: Phase>(
        &mut self,
        node: &Node<&E::State>,
        best: Best,
        tried: usize,
        moves: impl Iterator<Item = LegalMove>,
    ) -> Best {
        let Some(team) = &self.shared.team else {
            return best;
        };
        let above = self.split.clone();
        let split = Arc::new(Split::new(node, self.pruning, best, tried, moves, above));
        team.open(split.clone());
        self.work_on::<P>(&split);
        if team.close(&split) {
            self.help(team, Some(&split));
            self.update_stopped();
        }
        let mut found = split.found();
        if let (Some(line), Some(square)) = (found.line.take(), found.best.1) {
            self.own.pv.replace(node.ply + 1, line);
            self.own.pv.extend(node.ply, Move::Place(square));
        }
        found.best
    }

    /// Searches moves at split points of other threads, until [`Team::join`] returns `None`. With
    /// `top`, joins only split points below `top`.
    fn help(&mut self, team: &Team<E::State>, top: Option<&Arc<Split<E::State>>>) {
        while let Some(share) = team.join(top) {
            if share.split.node().is_endgame() {
                self.work_on::<Endgame>(&share.split);
            } else {
                self.work_on::<Midgame>(&share.split);
            }
            self.count();
        }
    }

    /// Searches moves of `split` until none is left or this thread is stopped.
    fn work_on<P: Phase>(&mut self, split: &Arc<Split<E::State>>) {
        let outer = self.split.replace(split.clone());
        let pruning = std::mem::replace(&mut self.pruning, split.pruning);
        while !self.stopped
            && let Some((tried, mv)) = split.take()
        {
            let SharedResult { value, alpha } = self.search_shared_move::<P>(split, tried, mv);
            if self.stopped {
                break;
            }
            let node = split.node();
            let is_pv = node.window.is_open(P::STEP);
            let line = is_pv.then(|| self.own.pv.line(node.ply + 1));
            split.record(mv.square, value, alpha, line);
        }
        self.split = outer;
        self.pruning = pruning;
        self.update_stopped();
    }

    /// Searches the move `mv` of `split` in the current window of the split.
    /// `tried` is the number of moves of the node that were searched or taken before `mv`.
    fn search_shared_move<P: Phase>(
        &mut self,
        split: &Split<E::State>,
        tried: usize,
        mv: &LegalMove,
    ) -> SharedResult {
        let node = split.node();
        let evaluator = self.shared.evaluator;
        let state = evaluator.after(node.state, &node.board, &mv.child);
        let alpha = split.alpha();
        let child = Node {
            window: -node.window.above(alpha),
            ..node.child(mv, &state)
        };
        let Scouted { value, is_inside } = self.scout::<Pv, P>(&child, tried);
        let scouted = SharedResult { value, alpha };
        if !is_inside {
            return scouted;
        }
        // `value` is a lower bound of the value of this move. `raise_alpha` makes other threads
        // search above this bound from now on.
        if !split.raise_alpha(value) {
            // Another thread has raised `alpha` further: this move must exceed the new `alpha`.
            return self.search_above::<P>(split.alpha(), &child);
        }
        let found = self.search_above::<P>(value - P::STEP, &child);
        if found.value > found.alpha || self.stopped {
            return found;
        }
        // Search instability: the table can make the two searches disagree.
        SharedResult {
            value: -self.search_in::<P>(&child),
            ..scouted
        }
    }

    /// Searches the move that leads to `child` in the part of its window above `alpha`.
    fn search_above<P: Phase>(&mut self, alpha: Value, child: &Node<&E::State>) -> SharedResult {
        let value = -self.search_in::<P>(&Node {
            window: -(-child.window).above(alpha),
            ..*child
        });
        SharedResult { value, alpha }
    }

    /// Updates `stopped`: set if the search has ended or this thread's split is called off.
    fn update_stopped(&mut self) {
        let team = self.shared.team.as_ref();
        self.stopped = team.is_some_and(Team::has_ended) || self.is_called_off();
    }
}
