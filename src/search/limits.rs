//! When a search ends.

use std::time::Duration;

use super::Depth;
use super::clock::TimeControl;
use crate::board::Bitboard;

/// What a search to the end of the game has to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The final score.
    #[default]
    Exact,
    /// Win, draw or loss: far less work where the game is not close.
    Wld,
}

impl Goal {
    /// How far a search looked that has found it out.
    pub(super) const fn depth(self) -> Depth {
        match self {
            Goal::Exact => Depth::Exact,
            Goal::Wld => Depth::Wld,
        }
    }
}

/// What bounds a search; whichever comes first ends it. Without any, it searches until the position is solved.
///
/// ```
/// use emilia::search::Limits;
/// let limits = Limits::depth(12).with_nodes(1_000_000).with_exact(20);
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Deepest iteration, in plies; at least 1.
    pub depth: Option<u32>,
    /// Positions visited, but for those of the first iteration, which is always completed. Near the end of the game a search may
    /// visit some thousands more. One thread ends at the same count each time.
    pub nodes: Option<u64>,
    /// Time for this search.
    pub time: Option<TimeControl>,
    /// Solve exactly once this few squares are empty.
    pub exact: Option<u32>,
    /// What is found out when the search reaches the end of the game.
    pub goal: Goal,
    /// The first moves that are searched, of those that are legal; all without, and where none of these is.
    pub first_moves: Option<Bitboard>,
}

impl Limits {
    /// Whether something ends the search before the position is solved.
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Iterations up to `depth` plies, nothing else.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// At most this many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Until the position is solved, however long that takes.
    pub fn solve(goal: Goal) -> Limits {
        Limits {
            exact: Some(64),
            goal,
            ..Limits::default()
        }
    }

    /// A fixed time for the move.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(TimeControl::PerMove(time)),
            ..Limits::default()
        }
    }

    /// With iterations up to `depth` plies; at least 1.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..self
        }
    }

    /// With at most this many positions.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..self
        }
    }

    /// With this time for the search.
    #[must_use]
    pub fn with_time(self, time: TimeControl) -> Limits {
        Limits {
            time: Some(time),
            ..self
        }
    }

    /// With an exact solution once this few squares are empty.
    #[must_use]
    pub fn with_exact(self, empties: u32) -> Limits {
        Limits {
            exact: Some(empties),
            ..self
        }
    }

    /// With this goal of a search that reaches the end of the game.
    #[must_use]
    pub fn with_goal(self, goal: Goal) -> Limits {
        Limits { goal, ..self }
    }

    /// With these first moves alone.
    #[must_use]
    pub fn with_first_moves(self, squares: Bitboard) -> Limits {
        Limits {
            first_moves: Some(squares),
            ..self
        }
    }
}
