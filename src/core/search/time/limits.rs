//! Limits of a search: depth, nodes, time, first moves, and where to solve the game.

use std::time::Duration;

use crate::board::Bitboard;
use crate::search::Depth;
use crate::search::time::clock::TimeControl;

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

/// Limits of a search. The first one reached ends it.
///
/// Without any limit the search runs until the position is solved.
///
/// ```
/// use emilia_core::search::Limits;
/// let limits = Limits::depth(12).with_solve_from_empties(20);
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Depth of the last iteration, in plies, at least 1.
    /// After the first, iterations of the other parity are left out.
    pub depth: Option<u32>,
    /// Maximum number of nodes, not counting those of the first iteration.
    ///
    /// The first iteration is always completed.
    /// Endgame solvers check the limit seldom and may exceed it by some thousand nodes.
    /// With one thread the search ends at the same node every time.
    pub nodes: Option<u64>,
    /// Time control for this search.
    pub time: Option<TimeControl>,
    /// Largest number of empties at which the position is solved exactly.
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
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
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
        Limits {
            time: Some(TimeControl::PerMove(time)),
            ..Limits::default()
        }
    }

    /// Sets the largest number of empties at which the position is solved exactly.
    #[must_use]
    pub fn with_solve_from_empties(self, empties: u32) -> Limits {
        Limits {
            solve_from_empties: Some(empties),
            ..self
        }
    }
}
