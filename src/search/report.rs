//! What a search reports while it runs and when it ends.

use std::fmt;
use std::time::Duration;

use super::Selectivity;
use crate::board::Move;
use crate::eval::Value;

/// How far a search looked, in the order of what is known after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// This many plies, passes not counted, as surely as that. Where they reach the end of the game, the final score
    /// takes the place of the evaluation.
    Plies(u32, Selectivity),
    /// To the end of the game, but only to tell a win from a draw and a draw from a loss.
    Wld,
    /// To the end of the game: the score is exact.
    Exact,
}

impl Depth {
    /// Whether the whole game was searched, so that what the value says is certain.
    pub const fn is_solved(self) -> bool {
        matches!(self, Depth::Exact | Depth::Wld)
    }

    /// Plies from a position with `empties` empty squares.
    pub const fn plies(self, empties: u32) -> u32 {
        match self {
            Depth::Plies(plies, _) => plies,
            Depth::Wld | Depth::Exact => empties,
        }
    }
}

/// `8`, `18@87%` for a selective search, `100%` for exact, `100%W` for win, draw or loss.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Plies(plies, Selectivity::P100) => f.pad(&plies.to_string()),
            Depth::Plies(plies, selectivity) => f.pad(&format!("{plies}@{selectivity}")),
            Depth::Exact => f.pad("100%"),
            Depth::Wld => f.pad("100%W"),
        }
    }
}

/// What a search found: the result of an iteration, or of the whole.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Line {
    /// Expected final score for the side to move. At [`Depth::Wld`] it is +1, 0 or −1 disc for a win, a draw or a loss,
    /// and says nothing of the margin.
    pub value: Value,
    /// How far it looked.
    pub depth: Depth,
    /// The best play of both sides, the move to make first; all legal, passes included. Empty when the game is over.
    /// At [`Depth::Wld`] the move keeps the result, and the line may end early; if all moves lose, it is the one that
    /// looked best.
    pub pv: Vec<Move>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time taken so far.
    pub elapsed: Duration,
}

impl Line {
    /// The move to make; `None` when the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Nodes per second.
    pub fn nps(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Hears of the progress of a search.
pub trait Report {
    /// An iteration is complete, and this is its line number `multi_pv`, counted from 1 for the best.
    fn progress(&mut self, multi_pv: usize, line: &Line);
}

/// Does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn progress(&mut self, _multi_pv: usize, _line: &Line) {}
}
