//! One thread's part in a search: what it shares with the others, what is its own, and when it ends.

use std::sync::Arc;
use std::time::Duration;

use super::clock::{Stopwatch, TimeManager};
use super::control::Control;
use super::selectivity::Pruning;
use super::sigmas::Sigmas;
use super::solve_time::solve_time_estimate;
use super::table::TranspositionTable;
use super::team::{Split, Team};
use super::thread_state::ThreadState;
use super::{Goal, Limits, Line, Techniques};
use crate::board::Board;
use crate::eval::{Incremental, SearchEvaluator, Value};

/// Nodes between two looks at the clock and the stop flag: well under a millisecond.
const NODES_PER_POLL: u64 = 1024;

/// The same where other threads may have done what this one is doing for nothing.
const NODES_PER_POLL_IN_TEAM: u64 = 256;

/// What all threads of a search share, and only read.
pub(super) struct Shared<'a, E: Incremental> {
    pub(super) table: &'a TranspositionTable,
    pub(super) evaluator: &'a E,
    pub(super) sigmas: &'a Sigmas,
    pub(super) techniques: Techniques,
    pub(super) goal: Goal,
    pub(super) control: &'a Control,
    pub(super) stopwatch: Stopwatch,
    /// The threads of this search, if there are several.
    pub(super) team: Option<Team<E::State>>,
}

/// A position in the tree.
#[derive(Debug)]
pub(super) struct Node<'a, S> {
    pub(super) board: &'a Board,
    /// The evaluation's state of the board.
    pub(super) state: &'a S,
    /// Plies below the root.
    pub(super) ply: usize,
    /// Its static value, if it has been worked out.
    pub(super) value: Option<Value>,
}

impl<S> Clone for Node<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Node<'_, S> {}

impl<'a, S> Node<'a, S> {
    /// The node that a move from this one leads to.
    #[inline]
    pub(super) fn child(&self, board: &'a Board, state: &'a S) -> Node<'a, S> {
        Node {
            board,
            state,
            ply: self.ply + 1,
            value: None,
        }
    }
}

/// One search of one root position, or one thread's part in it.
pub(super) struct Searcher<'a, E: SearchEvaluator> {
    pub(super) shared: &'a Shared<'a, E>,
    pub(super) own: &'a mut ThreadState,
    pub(super) pruning: Pruning,
    /// Positions visited, as [`endgame`](super::endgame) counts nodes.
    pub(super) nodes: u64,
    /// The search has been told to end: what functions return from here on means nothing.
    pub(super) stopped: bool,
    /// What this thread is working on together with others.
    pub(super) split: Option<Arc<Split<E::State>>>,
    is_helper: bool,
    next_poll: u64,
    /// In force now; a pondered search gets others when the move it expected is played.
    limits: Limits,
    /// When these limits came into force, and how many nodes there were by then.
    limits_since: (Duration, u64),
    /// Without a limit on the time there is none; helpers go by the first thread's.
    time_manager: Option<TimeManager>,
    empties: u32,
    /// The first iteration is always completed.
    interruptible: bool,
}

impl<'a, E: SearchEvaluator> Searcher<'a, E> {
    /// The first thread of a search of `board`.
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

    /// Another thread of the same search.
    pub(super) fn helper(shared: &'a Shared<'a, E>, own: &'a mut ThreadState) -> Searcher<'a, E> {
        own.begin();
        Searcher {
            shared,
            own,
            pruning: Pruning::NONE,
            nodes: 0,
            stopped: false,
            split: None,
            is_helper: true,
            next_poll: 0,
            limits: Limits::default(),
            limits_since: (Duration::ZERO, 0),
            time_manager: None,
            empties: 0,
            // No position is split in the first iteration.
            interruptible: true,
        }
    }

    /// These limits are in force from now on.
    fn set_limits(&mut self, limits: Limits) {
        self.time_manager = limits
            .time
            .map(|control| TimeManager::new(control, self.empties));
        self.limits = limits;
        self.limits_since = (self.elapsed(), self.nodes);
        self.tell_maximum();
    }

    /// The limits in force.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time that counts for the limits.
    fn limited_time(&self) -> Duration {
        self.elapsed().saturating_sub(self.limits_since.0)
    }

    /// Whether all of these techniques are on.
    #[inline]
    pub(super) fn uses(&self, techniques: Techniques) -> bool {
        self.shared.techniques.contains(techniques)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.stopwatch.elapsed()
    }

    /// From here on the search may be ended.
    pub(super) fn make_interruptible(&mut self) {
        self.interruptible = true;
        self.poll();
    }

    /// An iteration is complete; this is its best line.
    pub(super) fn note_iteration(&mut self, best: Option<&Line>) {
        if let (Some(manager), Some(line)) = (&mut self.time_manager, best)
            && let Some(mv) = line.best_move()
        {
            manager.iteration(mv, line.value);
        }
    }

    /// Whether the limits leave room for another iteration.
    pub(super) fn allows_next_iteration(&self) -> bool {
        !self.stopped
            && self
                .time_manager
                .as_ref()
                .is_none_or(|manager| manager.allows_next_iteration(self.limited_time()))
    }

    /// Whether the time that is left is enough, by the estimate, to solve a position with so many empty squares.
    /// Without a limit on the time there is nothing to judge by.
    pub(super) fn has_time_to_solve(&self, empties: u32) -> bool {
        let manager = self.time_manager.as_ref().filter(|_| !self.stopped);
        manager.is_some_and(|manager| {
            solve_time_estimate(empties, self.nodes, self.elapsed())
                .is_some_and(|time| manager.allows_solving(self.limited_time(), time))
        })
    }

    /// The next iteration solves the position, and [`has_time_to_solve`](Self::has_time_to_solve).
    pub(super) fn begin_solving(&mut self) {
        if let Some(manager) = &mut self.time_manager {
            manager.begin_solving();
        }
        self.tell_maximum();
    }

    /// Tells the other threads how long there is time.
    fn tell_maximum(&self) {
        if let Some(team) = &self.shared.team {
            let manager = self.time_manager.as_ref();
            team.set_maximum(manager.map(|manager| self.limits_since.0 + manager.maximum()));
        }
    }

    /// Counts the position just reached, and looks at the limits now and then.
    #[inline]
    pub(super) fn visit(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    /// Counts positions visited elsewhere.
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
        let node_limit = match self.limits.nodes {
            Some(nodes) => self.limits_since.1.saturating_add(nodes),
            None => u64::MAX,
        };
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

    /// Brings the nodes of the helpers to those of the first thread.
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

    /// Whether the split that this thread works on, or one above it, is called off.
    pub(super) fn is_called_off(&self) -> bool {
        self.split.as_ref().is_some_and(Split::is_called_off)
    }
}
