//! The state of one search: counters, limits, and what it learns about moves. Stands on `table`, `limits`, `clock`.

use std::time::{Duration, Instant};

use super::clock::Budget;
use super::cut_moves::CutMoves;
use super::endgame::MidSolver;
use super::foresight::solve_time;
use super::pv::PvTable;
use super::selectivity::Spread;
use super::table::Table;
use super::{Goal, Limits, Selectivity, Stop, Techniques};
use crate::board::Board;

/// Nodes between two looks at the clock and the stop flag: well under a millisecond.
const NODES_PER_POLL: u64 = 1024;

/// One search of one root position.
pub(super) struct Searcher<'a, E> {
    pub(super) table: &'a Table,
    pub(super) evaluator: &'a E,
    pub(super) techniques: Techniques,
    pub(super) goal: Goal,
    /// What the current iteration may leave out.
    pub(super) selectivity: Selectivity,
    pub(super) spread: &'static Spread,
    /// How many shallow searches for cuts are under way, one within the other.
    pub(super) probes: u32,
    pub(super) cut_moves: CutMoves,
    pub(super) pv: PvTable,
    pub(super) mid: MidSolver,
    /// Positions visited: every position that a move or a pass leads to, the root included.
    pub(super) nodes: u64,
    /// The search has been told to end: what functions return from here on means nothing.
    pub(super) stopped: bool,
    next_poll: u64,
    node_limit: u64,
    budget: Option<Budget>,
    stop: &'a Stop,
    start: Instant,
    /// The first iteration is always completed.
    interruptible: bool,
}

impl<'a, E> Searcher<'a, E> {
    pub(super) fn new(
        table: &'a Table,
        evaluator: &'a E,
        spread: &'static Spread,
        techniques: Techniques,
        limits: &Limits,
        board: &Board,
        stop: &'a Stop,
    ) -> Searcher<'a, E> {
        Searcher {
            table,
            evaluator,
            techniques,
            goal: limits.goal,
            selectivity: Selectivity::P100,
            spread,
            probes: 0,
            cut_moves: CutMoves::default(),
            pv: PvTable::default(),
            mid: MidSolver::new(),
            nodes: 0,
            stopped: false,
            next_poll: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            budget: limits
                .time
                .map(|control| Budget::new(control, board.empty_count())),
            stop,
            start: Instant::now(),
            interruptible: false,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// From here on the search may be ended.
    pub(super) fn make_interruptible(&mut self) {
        self.interruptible = true;
        self.poll();
    }

    /// Whether the limits leave room for another iteration.
    pub(super) fn allows_next_iteration(&self) -> bool {
        !self.stopped
            && self
                .budget
                .is_none_or(|budget| budget.allows_next_iteration(self.elapsed()))
    }

    /// Whether the time that is left is enough, as far as one can tell, to solve a position with so many empty squares.
    /// Without a limit on the time there is nothing to judge by.
    pub(super) fn has_time_to_solve(&self, empties: u32) -> bool {
        let elapsed = self.elapsed();
        self.budget.is_some_and(|budget| {
            let left = budget.maximum.saturating_sub(elapsed);
            solve_time(empties, self.nodes, elapsed).is_some_and(|time| time <= left)
        })
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
        if self.interruptible {
            let out_of_time = || {
                self.budget
                    .is_some_and(|budget| self.elapsed() >= budget.maximum)
            };
            self.stopped |= self.nodes >= self.node_limit || self.stop.is_set() || out_of_time();
        }
        self.next_poll = (self.nodes + NODES_PER_POLL).min(self.node_limit.max(self.nodes + 1));
    }
}
