//! Limits of a search: depth, nodes, time, first moves, and where to solve the game.

use std::time::Duration;

use super::parameters::table::TABLE_SHARE;
use super::parameters::time::{LATENCY, MIN_MOVES_LEFT};
use super::report::Depth;
use crate::board::Bitboard;

/// Goal of a search that reaches the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The exact final score.
    #[default]
    Exact,
    /// Win, draw or loss (WLD). Needs far fewer nodes unless the game is close.
    Wld,
}

impl Goal {
    /// Returns the [`Depth`] of a line that has reached this goal.
    pub const fn depth(self) -> Depth {
        match self {
            Goal::Exact => Depth::Exact,
            Goal::Wld => Depth::Wld,
        }
    }
}

/// Time available to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// Fixed time for each move. Unused time is lost.
    PerMove(Duration),
    /// Main time plus increment: unused time stays on the clock.
    Clock {
        /// Time left on the clock for the rest of the game.
        left: Duration,
        /// Time added to the clock after each move.
        increment: Duration,
    },
}

impl TimeControl {
    /// Returns a fixed time per move, for a move whose time is measured by another process.
    ///
    /// Subtracts an allowance for latency from `time`: a quarter of `time`, at most 100 ms.
    pub fn with_latency_allowance(time: Duration) -> TimeControl {
        TimeControl::PerMove(time.saturating_sub(LATENCY.min(time / 4)))
    }

    /// Returns the time that a search may spend on zeroing a new table.
    pub(crate) fn time_for_new_table(self) -> Duration {
        let (TimeControl::PerMove(time) | TimeControl::Clock { left: time, .. }) = self;
        time / TABLE_SHARE
    }
}

/// Limits of a search. The first limit reached ends the search.
///
/// Without any limit the search runs until the position is solved.
///
/// ```
/// use emilia_core::search::Limits;
/// use std::time::Duration;
/// let limits = Limits::depth(12).with_time(Duration::from_secs(1)).with_solve_from_empties(20);
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Depth of the last iteration, in plies, at least 1. After the first iteration, only depths
    /// with the parity of this depth are searched.
    pub depth: Option<u32>,
    /// Maximum number of nodes, including the first iteration.
    ///
    /// The first iteration is always completed, even if it takes more nodes.
    /// Endgame solvers check the limit seldom and may exceed it by some thousand nodes.
    /// With one thread the search ends at the same node every time.
    pub nodes: Option<u64>,
    /// Time control for this search.
    pub time: Option<TimeControl>,
    /// Largest number of empties at which the position is solved for the [`goal`](Self::goal).
    pub solve_from_empties: Option<u32>,
    /// Goal of a search that reaches the end of the game: exact score, or win, draw or loss.
    pub goal: Goal,
    /// First moves to search. `None`, or a set without a legal move, searches all legal moves.
    pub first_moves: Option<Bitboard>,
}

impl Limits {
    /// Returns whether depth, nodes or time can end the search before the position is solved.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Limits the search to `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Limits the search to `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits::default().with_nodes(nodes)
    }

    /// Searches until the position is solved, without any other limit.
    pub fn solve(goal: Goal) -> Limits {
        Limits {
            solve_from_empties: Some(64),
            goal,
            ..Limits::default()
        }
    }

    /// Limits the search to a fixed time for this move.
    pub fn time(time: Duration) -> Limits {
        Limits::default().with_time(time)
    }

    /// Adds a limit of `nodes` nodes.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Limits {
        self.nodes = Some(nodes);
        self
    }

    /// Adds a fixed time for this move.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Limits {
        self.time = Some(TimeControl::PerMove(time));
        self
    }

    /// Sets the largest number of empties at which the position is solved.
    #[must_use]
    pub fn with_solve_from_empties(mut self, empties: u32) -> Limits {
        self.solve_from_empties = Some(empties);
        self
    }

    /// Returns these limits with the time control of `clock`, if there is one.
    ///
    /// If `self` and `clock` both have a fixed time per move, the smaller time applies.
    /// If `clock` is a main time, the fixed time of `self` applies only if the time left is enough
    /// for 20 such moves, so that no fixed time makes a side lose on time.
    #[must_use]
    pub fn with_clock(self, clock: Option<TimeControl>) -> Limits {
        let time = match (self.time, clock) {
            (time, None) => time,
            (Some(TimeControl::PerMove(fixed)), Some(TimeControl::PerMove(share))) => {
                Some(TimeControl::PerMove(fixed.min(share)))
            }
            (Some(TimeControl::PerMove(fixed)), Some(TimeControl::Clock { left, .. }))
                if fixed <= left / MIN_MOVES_LEFT =>
            {
                self.time
            }
            _ => clock,
        };
        Limits { time, ..self }
    }

    /// Returns these limits with `solve_from_empties` set to [`level_solve_from`] of `depth`.
    ///
    /// Limits without a depth, with a node limit, or with `solve_from_empties` set stay unchanged.
    #[must_use]
    pub fn at_level(mut self) -> Limits {
        let depth = self.depth.filter(|_| self.nodes.is_none());
        self.solve_from_empties = self.solve_from_empties.or(depth.map(level_solve_from));
        self
    }
}

/// Returns the largest number of empties at which a level solves the game. A level is a search of
/// `depth` plies. Such a search alone would lose games in the last moves, although solving is cheap
/// there.
///
/// The numbers were measured: see Levels in `MEASUREMENTS.md` of the search.
pub fn level_solve_from(depth: u32) -> u32 {
    // Low levels stay weak in the endgame as well. At higher levels, solving one more empty square
    // costs as much time as one more ply. At the highest levels it costs as much as two plies.
    (2 * depth + 2).min(depth + 8).min(14 + depth / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_solves_from_more_empties_unless_nodes_or_empties_are_given() {
        let exact = |limits: Limits| limits.at_level().solve_from_empties;
        let of_depths = [1, 4, 8, 12, 16, 20, 24].map(|depth| exact(Limits::depth(depth)));
        assert_eq!(of_depths, [4, 10, 16, 20, 22, 24, 26].map(Some));
        assert_eq!(
            exact(Limits::depth(8).with_solve_from_empties(30)),
            Some(30)
        );
        assert_eq!(exact(Limits::nodes(1000)), None);
        assert_eq!(exact(Limits::default()), None);
    }
}
