//! Players of a match: this engine in-process, or a program that speaks GTP, NBoard or UCI.
//!
//! Reading order: this file for the `Player` trait that the referee calls, then
//! `builtin` (the engine in this process) and `process` (a child with limits on every wait).
//! `gtp`, `nboard` and `uci` are the protocols on top of `process`.
//! `guard` kills children that outlive this process, and `fault` lists the errors of players.
//! `spec` parses the description of a player and starts it.

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

/// Move of a player, with what it reports about its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thought {
    /// Move, not yet checked for legality.
    pub(super) mv: Move,
    /// Expected final disc difference, from the player's view.
    pub(super) eval: Option<f64>,
    /// Search depth in plies. Number of empties if the position was solved.
    pub(super) depth: Option<u32>,
    /// Number of nodes searched.
    pub(super) nodes: Option<u64>,
}

/// Reason why a player returns no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Fault of the player, which costs it the game.
    Fault(Fault),
    /// The match is being stopped.
    Interrupted,
    /// The system refuses a resource that this process needs. The player is not at fault.
    Lacks(String),
}

impl Trouble {
    /// Error for a resource `what` that the system refused to this process.
    fn lacks(what: &str, error: &std::io::Error) -> Trouble {
        Trouble::Lacks(format!("{what}: {error}"))
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// Player of several games, one after another. The referee calls its methods in order.
pub(super) trait Player: Send {
    /// Announces the index of the next game. Random choices depend on it, not on earlier games.
    fn next_game(&mut self, _number: usize) {}

    /// Prepares for a game with the moves of `game` already played. Restarts a dismissed program.
    fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Trouble>;

    /// Notifies the player of a move or forced pass of either side. `own` marks its own moves.
    fn hear(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), Trouble>;

    /// Prepares for a move before its time starts.
    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), Trouble>;

    /// Returns a move for the side to move, which has a legal one. Returns by `deadline`.
    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble>;

    /// Ends the player's process, after a fault or to free resources. The next game restarts it.
    fn dismiss(&mut self) {}
}
