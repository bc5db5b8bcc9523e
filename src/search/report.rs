//! What a search tells while it runs and when it ends. Stands on `eval` and `board`.

use std::fmt;
use std::time::Duration;

use crate::board::Move;
use crate::eval::Value;

/// How far a search looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// This many plies, passes not counted, with the evaluation at the end.
    Plies(u32),
    /// To the end of the game: the score is exact.
    Exact,
}

/// `8`, or `100%` for exact.
impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Plies(plies) => f.pad(&plies.to_string()),
            Depth::Exact => f.pad("100%"),
        }
    }
}

/// What a search found: the result of an iteration, or of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Expected final score for the side to move.
    pub value: Value,
    /// How far it looked.
    pub depth: Depth,
    /// The best play of both sides, the move to make first; all legal, passes included. Empty when the game is over.
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
    /// An iteration is complete, or a better move was found within one.
    fn progress(&mut self, line: &Line);
}

/// Does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn progress(&mut self, _line: &Line) {}
}
