//! Who plays: our own engine in this process, or any program that speaks GTP, NBoard or UCI.

mod builtin;
mod fault;
mod gtp;
mod guard;
mod nboard;
mod process;
mod spec;
mod uci;

use std::time::Instant;

use super::Clock;
use crate::board::{Color, Move};
use crate::game::{Game, Played};
use crate::search::TimeControl;

pub use fault::Fault;
pub(super) use guard::Guard;
pub(super) use process::ProcessContext;
pub use spec::{Defaults, PlayerSpec, SpecError};

/// What a player says of its move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thought {
    /// The move, as yet unchecked.
    pub(super) mv: Move,
    /// The final disc difference that it expects for itself, in discs.
    pub(super) eval: Option<f64>,
    /// How many plies it looked ahead; all that are left if it solved the position.
    pub(super) depth: Option<u32>,
    /// Positions visited.
    pub(super) nodes: Option<u64>,
}

/// Why a player gives no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It is its own fault, and costs it the game.
    Fault(Fault),
    /// The match is to end.
    Interrupted,
    /// This process cannot have what it needs for a player: no fault of the player's.
    Lacks(String),
}

impl Trouble {
    /// The system refused something to this process.
    fn lacks(what: &str, error: &std::io::Error) -> Trouble {
        Trouble::Lacks(format!("{what}: {error}"))
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// One who plays games, one after another.
pub(super) trait Player: Send {
    /// The number of the game that begins next: what a player draws depends on it, not on the games played before.
    fn next_game(&mut self, _number: usize) {}

    /// Prepares for a game that has come as far as `game`. Whoever was at fault before begins afresh.
    fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Trouble>;

    /// Hears of a move or a forced pass of either side; the player's own moves included.
    fn hear(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), Trouble>;

    /// Gets ready to move: what may be said before the clock runs.
    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), Trouble>;

    /// The move of the side to move, which has one, no later than at `deadline`.
    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble>;

    /// Is sent away after a fault, or when its process is in the way; the next game begins afresh.
    fn dismiss(&mut self) {}
}
