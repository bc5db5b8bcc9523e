//! State of one search thread: shared data, thread-local data, node count and limits.
//! Most functions of the search are methods of [`Searcher`].
//! `deepening`, `interior`, `pruning` and `parallel` define these methods.

use std::sync::Arc;
use std::time::Duration;

use std::borrow::Borrow;

use super::control::Control;
use super::limits::{Goal, Limits};
use super::parameters::parallel::{NODES_PER_POLL, NODES_PER_POLL_IN_TEAM};
use super::report::{Line, Observer};
use super::root_moves::RootMove;
use super::selectivity::Pruning;
use super::sigmas::Sigmas;
use super::table::TranspositionTable;
use super::team::{Split, Team};
use super::thread_state::ThreadState;
use super::time::{Stopwatch, TimeManager, solve_time_estimate};
use crate::board::{Bitboard, Board};
use crate::eval::{Incremental, SearchEvaluator, Value};

/// Data that all threads of a search share.
pub(super) struct Shared<'a, E: Incremental> {
    pub(super) table: &'a TranspositionTable,
    pub(super) evaluator: &'a E,
    pub(super) sigmas: &'a Sigmas,
    pub(super) goal: Goal,
    pub(super) control: &'a Control,
    pub(super) stopwatch: Stopwatch,
    /// Threads of this search. `None` for a search by one thread.
    pub(super) team: Option<Team<E::State>>,
    pub(super) observe: Option<Observer<'a>>,
}

/// One thread of a search of one root position: the main thread or a helper.
pub(super) struct Searcher<'a, E: SearchEvaluator> {
    pub(super) shared: &'a Shared<'a, E>,
    pub own: &'a mut ThreadState,
    pub(super) pruning: Pruning,
    /// Number of nodes visited. [`endgame`](super::endgame) defines which positions are nodes.
    pub nodes: u64,
    /// Whether this thread must return at once. The values that it then returns are meaningless.
    pub(super) stopped: bool,
    /// Split point that this thread is working on.
    pub(super) split: Option<Arc<Split<E::State>>>,
    /// Root moves of the main thread, in search order.
    pub(super) root: Vec<RootMove>,
    /// Index in `root` of the first root move of the current search. The root moves before it are
    /// better, as earlier searches of this iteration have shown.
    pub(super) root_front: usize,
    is_helper: bool,
    next_poll: u64,
    /// Current limits. Pondering replaces them when the expected move is played.
    pub(super) limits: Limits,
    /// Search time and node count at the moment when the current limits took effect.
    limits_since: (Duration, u64),
    /// Time manager of the main thread, if time is limited. Helpers have none.
    time_manager: Option<TimeManager>,
    empties: u32,
    /// Whether limits may end the search. False in the first iteration, which is always completed.
    interruptible: bool,
}

impl<'a, E: SearchEvaluator> Searcher<'a, E> {
    /// Creates the main thread's searcher for a search of `board`.
    pub(super) fn new(
        shared: &'a Shared<'a, E>,
        own: &'a mut ThreadState,
        limits: &Limits,
        board: &Board,
    ) -> Searcher<'a, E> {
        let mut first = Searcher {
            is_helper: false,
            interruptible: false,
            empties: board.empty_count(),
            ..Searcher::helper(shared, own)
        };
        first.set_limits(limits.clone());
        first
    }

    /// Creates the searcher of a helper thread.
    pub(super) fn helper(shared: &'a Shared<'a, E>, own: &'a mut ThreadState) -> Searcher<'a, E> {
        own.begin();
        Searcher {
            shared,
            own,
            pruning: Pruning::NONE,
            nodes: 0,
            stopped: false,
            split: None,
            root: Vec::new(),
            root_front: 0,
            is_helper: true,
            next_poll: 0,
            limits: Limits::default(),
            limits_since: (Duration::ZERO, 0),
            time_manager: None,
            empties: 0,
            // The first iteration is never split, so helpers work only after it.
            interruptible: true,
        }
    }

    /// Replaces the limits. The new limits count time and nodes from this call on.
    fn set_limits(&mut self, limits: Limits) {
        let manager = |control| TimeManager::new(control, self.empties);
        self.time_manager = limits.time.map(manager);
        self.limits = limits;
        self.limits_since = (self.elapsed(), self.nodes);
        self.share_time_limit();
    }

    /// Returns the time since the current limits took effect.
    fn limited_time(&self) -> Duration {
        self.elapsed().saturating_sub(self.limits_since.0)
    }

    /// Returns the static value of `board`, whose legal moves are `moves`. A value that is not
    /// cached is computed from the evaluation state that `state` returns.
    #[inline]
    pub(super) fn evaluate<S: Borrow<E::State>>(
        &mut self,
        board: &Board,
        moves: Bitboard,
        state: impl FnOnce() -> S,
    ) -> Value {
        let shared = self.shared;
        self.own.values.value(board, || {
            if let Some(observe) = shared.observe {
                observe(board);
            }
            shared.evaluator.value(board, moves, state().borrow())
        })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.stopwatch.elapsed()
    }

    /// Allows the limits to end the search from now on, and checks them.
    pub(super) fn make_interruptible(&mut self) {
        self.interruptible = true;
        self.poll();
    }

    /// Passes the best move of a completed iteration, with its value, to the time manager.
    pub(super) fn note_iteration(&mut self, best: Option<&Line>) {
        if let (Some(manager), Some(line)) = (&mut self.time_manager, best)
            && let Some(mv) = line.best_move()
        {
            manager.iteration(mv, line.value);
        }
    }

    /// Returns whether the time manager allows another iteration. Without a time limit, only a stop
    /// prevents it.
    pub(super) fn allows_next_iteration(&self) -> bool {
        let allows = |manager: &TimeManager| manager.allows_next_iteration(self.limited_time());
        !self.stopped && self.time_manager.as_ref().is_none_or(allows)
    }

    /// Returns whether the time left is estimated to be enough to solve a position with `empties`
    /// empties. Returns `false` for a search without a time limit.
    pub(super) fn has_time_to_solve(&self, empties: u32) -> bool {
        let manager = self.time_manager.as_ref().filter(|_| !self.stopped);
        manager.is_some_and(|manager| {
            solve_time_estimate(empties, self.nodes, self.elapsed())
                .is_some_and(|time| manager.allows_solving(self.limited_time(), time))
        })
    }

    /// Switches the time manager to the time limit of a solve. The next iteration begins the solve.
    pub(super) fn begin_solving(&mut self) {
        if let Some(manager) = &mut self.time_manager {
            manager.begin_solving();
        }
        self.share_time_limit();
    }

    /// Passes the time limit of the search to the helper threads.
    fn share_time_limit(&self) {
        if let Some(team) = &self.shared.team {
            let manager = self.time_manager.as_ref();
            team.set_maximum(manager.map(|manager| self.limits_since.0 + manager.maximum()));
        }
    }

    /// Counts the current node, and checks the limits if a poll is due.
    #[inline]
    pub(super) fn visit(&mut self) {
        self.add_nodes(1);
    }

    /// Adds nodes counted by the endgame solver, and checks the limits if a poll is due.
    #[inline]
    pub(super) fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    fn poll(&mut self) {
        self.count();
        if !self.is_helper
            && let Some(limits) = self.shared.control.take_limits()
        {
            self.set_limits(limits);
        }
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let node_limit = self.limits_since.1.saturating_add(most);
        if self.interruptible {
            let ended = self.nodes >= node_limit
                || self.shared.control.is_stopped()
                || self.is_out_of_time();
            self.stopped |= ended;
            if let Some(team) = &self.shared.team {
                if ended {
                    team.end();
                }
                self.stopped |= team.has_ended() || self.is_called_off();
            }
        }
        let nodes_per_poll = match self.shared.team {
            None => NODES_PER_POLL,
            Some(_) => NODES_PER_POLL_IN_TEAM,
        };
        self.next_poll = (self.nodes + nodes_per_poll).min(node_limit.max(self.nodes + 1));
    }

    fn is_out_of_time(&self) -> bool {
        match (&self.time_manager, &self.shared.team) {
            (Some(manager), _) => self.limited_time() >= manager.maximum(),
            (None, Some(team)) => team.maximum().is_some_and(|end| self.elapsed() >= end),
            (None, None) => false,
        }
    }

    /// Transfers node counts from the helpers to the main thread. A helper adds its count to the
    /// count of the team. The main thread adds the count of the team to its own. Both reset the
    /// count that they have added.
    pub(super) fn count(&mut self) {
        if let Some(team) = &self.shared.team {
            if self.is_helper {
                team.add_nodes(std::mem::take(&mut self.nodes));
                self.next_poll = 0;
            } else {
                self.nodes += team.take_nodes();
            }
        }
    }

    /// Returns whether the split point of this thread, or a split point above it, has had a
    /// cut-off.
    pub(super) fn is_called_off(&self) -> bool {
        self.split.as_ref().is_some_and(Split::is_called_off)
    }
}
