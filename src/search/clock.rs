//! How much time a move may take. Pure: it is told the time and never asks for it. Stands on nothing.

use std::time::Duration;

/// The time a side has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// The same time for each move; none is carried over.
    PerMove(Duration),
    /// What is left for the rest of the game, and what each move adds.
    Clock {
        /// Time left.
        left: Duration,
        /// Added after each move.
        increment: Duration,
    },
}
