//! The state of one search: counters, limits, and what it learns about moves. Stands on `table`, `limits`, `clock`.

use std::time::{Duration, Instant};

use super::clock::Pace;
use super::cut_moves::CutMoves;
use super::endgame::MidSolver;
use super::foresight::solve_time;
use super::pv::PvTable;
use super::table::Table;
use super::{Goal, Limits, Line, Stop, Techniques};
use crate::board::Board;

/// Nodes between two looks at the clock and the stop flag: well under a millisecond.
const NODES_PER_POLL: u64 = 1024;

/// One search of one root position.
pub(super) struct Searcher<'a, E> {
    pub(super) table: &'a Table,
    pub(super) evaluator: &'a E,
    pub(super) techniques: Techniques,
    pub(super) goal: Goal,
    pub(super) cut_moves: CutMoves,
    pub(super) pv: PvTable,
    pub(super) mid: MidSolver,
    /// Positions visited: every position that a move or a pass leads to, the root included.
    pub(super) nodes: u64,
    /// The search has been told to end: what functions return from here on means nothing.
    pub(super) stopped: bool,
    next_poll: u64,
    node_limit: u64,
    /// Without a limit on the time there is none.
    pace: Option<Pace>,
    stop: &'a Stop,
    start: Instant,
    /// The first iteration is always completed.
    interruptible: bool,
}

impl<'a, E> Searcher<'a, E> {
    pub(super) fn new(
        table: &'a Table,
        evaluator: &'a E,
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
            cut_moves: CutMoves::default(),
            pv: PvTable::default(),
            mid: MidSolver::new(),
            nodes: 0,
            stopped: false,
            next_poll: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            pace: limits
                .time
                .map(|control| Pace::new(control, board.empty_count())),
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

    /// An iteration is complete; this is its best line.
    pub(super) fn note_iteration(&mut self, best: Option<&Line>) {
        if let (Some(pace), Some(line)) = (&mut self.pace, best)
            && let Some(mv) = line.best_move()
        {
            pace.iteration(mv, line.value);
        }
    }

    /// Whether the limits leave room for another iteration.
    pub(super) fn allows_next_iteration(&self) -> bool {
        !self.stopped
            && self
                .pace
                .as_ref()
                .is_none_or(|pace| pace.allows_next_iteration(self.elapsed()))
    }

    /// Whether the time that is left is enough, as far as one can tell, to solve a position with so many empty squares.
    /// Without a limit on the time there is nothing to judge by.
    pub(super) fn has_time_to_solve(&self, empties: u32) -> bool {
        let elapsed = self.elapsed();
        let pace = self.pace.as_ref().filter(|_| !self.stopped);
        pace.is_some_and(|pace| {
            solve_time(empties, self.nodes, elapsed)
                .is_some_and(|time| pace.allows_solving(elapsed, time))
        })
    }

    /// The next iteration solves the position, and [`has_time_to_solve`](Self::has_time_to_solve).
    pub(super) fn begin_solving(&mut self) {
        if let Some(pace) = &mut self.pace {
            pace.begin_solving();
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
        if self.interruptible {
            let out_of_time = || {
                self.pace
                    .as_ref()
                    .is_some_and(|pace| self.elapsed() >= pace.maximum())
            };
            self.stopped |= self.nodes >= self.node_limit || self.stop.is_set() || out_of_time();
        }
        self.next_poll = (self.nodes + NODES_PER_POLL).min(self.node_limit.max(self.nodes + 1));
    }
}
