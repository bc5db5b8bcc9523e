//! The state of one search: counters, limits, and what it learns about moves. Stands on `table`, `limits`, `clock`,
//! `parallel`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::agreed::Agreed;
use super::clock::Pace;
use super::cut_moves::CutMoves;
use super::endgame::{MidRoom, MidSolver};
use super::foresight::solve_time;
use super::parallel::{Split, Team};
use super::pv::PvTable;
use super::selectivity::{Pruning, Spread};
use super::table::Table;
use super::{Goal, Limits, Line, Stop, Techniques};
use crate::board::Board;
use crate::eval::{Incremental, Value};

/// Nodes between two looks at the clock and the stop flag: well under a millisecond.
const NODES_PER_POLL: u64 = 1024;

/// The same where other threads may have done what this one is doing for nothing.
const NODES_PER_POLL_IN_TEAM: u64 = 256;

/// One search of one root position, or one thread's part in it.
pub(super) struct Searcher<'a, E: Incremental> {
    pub(super) table: &'a Table,
    pub(super) evaluator: &'a E,
    pub(super) techniques: Techniques,
    pub(super) goal: Goal,
    pub(super) pruning: Pruning,
    pub(super) spread: &'static Spread,
    pub(super) cut_moves: CutMoves,
    pub(super) pv: PvTable,
    /// What the lines of this iteration agree on, where there are several.
    pub(super) agreed: Option<Arc<Agreed>>,
    pub(super) mid: MidSolver,
    /// Positions visited: every position that a move or a pass leads to, the root included.
    pub(super) nodes: u64,
    /// The search has been told to end: what functions return from here on means nothing.
    pub(super) stopped: bool,
    /// The threads of this search, if there are others.
    pub(super) team: Option<&'a Team<E::State>>,
    /// What this thread is working on together with others.
    pub(super) split: Option<Arc<Split<E::State>>>,
    is_helper: bool,
    next_poll: u64,
    node_limit: u64,
    /// Without a limit on the time there is none.
    pace: Option<Pace>,
    stop: &'a Stop,
    start: Instant,
    /// The first iteration is always completed.
    interruptible: bool,
}

impl<'a, E: Incremental> Searcher<'a, E> {
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
            pruning: Pruning::NONE,
            spread,
            cut_moves: CutMoves::default(),
            pv: PvTable::default(),
            agreed: None,
            mid: MidSolver::new(),
            nodes: 0,
            stopped: false,
            team: None,
            split: None,
            is_helper: false,
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

    /// This search as the first of several threads.
    pub(super) fn in_team(self, team: &'a Team<E::State>) -> Searcher<'a, E> {
        let first = Searcher {
            team: Some(team),
            ..self
        };
        first.tell_maximum();
        first
    }

    /// Tells the other threads how long there is time.
    fn tell_maximum(&self) {
        if let (Some(team), Some(pace)) = (self.team, &self.pace) {
            team.set_maximum(pace.maximum());
        }
    }

    /// Makes a thread's part of one that helps this search. It has its own memory of what moves are good, some of it in
    /// `room`.
    pub(super) fn helper(
        &self,
        team: &'a Team<E::State>,
        room: MidRoom,
    ) -> impl FnOnce() -> Searcher<'a, E> + Send + use<'a, E> {
        let (table, evaluator, techniques) = (self.table, self.evaluator, self.techniques);
        let (goal, stop, start) = (self.goal, self.stop, self.start);
        let spread = self.spread;
        move || Searcher {
            table,
            evaluator,
            techniques,
            goal,
            pruning: Pruning::NONE,
            spread,
            cut_moves: CutMoves::default(),
            pv: PvTable::default(),
            agreed: None,
            mid: MidSolver::in_room(room),
            nodes: 0,
            stopped: false,
            team: Some(team),
            split: None,
            is_helper: true,
            next_poll: 0,
            node_limit: u64::MAX,
            // The first thread tells the team how long there is time.
            pace: None,
            stop,
            start,
            // No position is split in the first iteration.
            interruptible: true,
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
        self.tell_maximum();
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

    /// The value of a position on a line that was found before, searched as deep; that line goes on in `pv` at `ply`.
    pub(super) fn agreed_value(&mut self, board: &Board, depth: u32, ply: usize) -> Option<Value> {
        let (value, line) = self.agreed.as_ref()?.get(board, depth)?;
        self.pv.replace(ply, line.to_vec());
        Some(value)
    }

    fn poll(&mut self) {
        self.count();
        if self.interruptible {
            let out_of_time = || {
                let maximum = match (&self.pace, self.team) {
                    (Some(pace), _) => Some(pace.maximum()),
                    (None, Some(team)) => team.maximum(),
                    (None, None) => None,
                };
                maximum.is_some_and(|maximum| self.elapsed() >= maximum)
            };
            let ended = self.nodes >= self.node_limit || self.stop.is_set() || out_of_time();
            self.stopped |= ended;
            if let Some(team) = self.team {
                if ended {
                    team.end();
                }
                self.stopped |= team.has_ended() || self.is_called_off();
            }
        }
        let nodes_per_poll = match self.team {
            None => NODES_PER_POLL,
            Some(_) => NODES_PER_POLL_IN_TEAM,
        };
        self.next_poll = (self.nodes + nodes_per_poll).min(self.node_limit.max(self.nodes + 1));
    }

    /// Brings the nodes of the helpers to those of the first thread.
    pub(super) fn count(&mut self) {
        if let Some(team) = self.team {
            if self.is_helper {
                team.add_nodes(std::mem::take(&mut self.nodes));
                self.next_poll = 0;
            } else {
                self.nodes += team.take_nodes();
            }
        }
    }
}
