//! Players of a match: this engine in-process, or a program that speaks GTP, NBoard or UCI.
//!
//! The referee calls both kinds of players through the trait [`MatchPlayer`].
//! Reading order: this file, `builtin` (the engine in this process), `program` (external programs),
//! then `spec` (parses the description of a player and creates it).

mod builtin;
mod program;
mod spec;

use std::time::Instant;

use crate::Clock;
use emilia_core::board::{Color, Move};
use emilia_games::{Game, Played};

pub(super) use program::ProcessContext;
pub use spec::{PlayerSpec, with_protocol};

/// Move of a player, with the player's report about its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlayerMove {
    /// Move, not yet checked for legality.
    pub(super) mv: Move,
    /// Expected final disc difference, from the player's view.
    pub(super) eval: Option<f64>,
    /// Search depth in plies. Number of empties if the position was solved.
    pub(super) depth: Option<u32>,
    /// Number of nodes searched.
    pub(super) nodes: Option<u64>,
}

impl PlayerMove {
    /// Returns a move without evaluation, depth and node count.
    pub(super) fn new(mv: Move) -> PlayerMove {
        PlayerMove {
            mv,
            eval: None,
            depth: None,
            nodes: None,
        }
    }
}

/// Reason why a player returns no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerError {
    /// Fault of the player, such as an illegal move. It costs the player the game.
    Fault(String),
    /// The match is being stopped.
    Interrupted,
    /// The system refuses a resource to this process: memory, a thread or a child process. The
    /// player is not at fault.
    OutOfResources(String),
}

pub(super) type Result<T = ()> = std::result::Result<T, PlayerError>;

/// Player of several games, one after another. For each game the referee calls `begin`. For each
/// move it then calls `prepare` and `think` of the side to move, and `notify` of both players.
pub(super) trait MatchPlayer: Send {
    /// Prepares for game `number`, in which the moves of `game` are already played.
    /// Random choices depend on `number`, not on earlier games. Restarts a program that was
    /// dismissed.
    fn begin(&mut self, number: usize, game: &Game, clock: Option<Clock>) -> Result;

    /// Notifies the player of a move or forced pass of either side. `own`: this player made it. Not
    /// called for the last move of a game.
    fn notify(&mut self, _mover: Color, _played: &Played, _own: bool) -> Result {
        Ok(())
    }

    /// Prepares the player for its next move, before its clock starts.
    fn prepare(&mut self, _mover: Color, _clock: Option<Clock>) -> Result {
        Ok(())
    }

    /// Returns a move for the side to move by `deadline`. Called only if the side has a legal move.
    fn think(&mut self, game: &Game, clock: Option<Clock>, deadline: Instant)
    -> Result<PlayerMove>;

    /// Ends the player's process after a fault. The next game restarts it.
    fn dismiss(&mut self) {}
}
