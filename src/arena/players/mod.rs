//! Players of a match: this engine in-process, or a program that speaks GTP, NBoard or UCI.
//!
//! Reading order: this file for the `Player` trait that the referee calls, then `builtin` (the
//! engine in this process) and `spec` (parses the description of a player and creates it).
//! Programs are [`Program`]s of the room `protocol`.

mod builtin;
mod spec;

use std::time::Instant;

use crate::board::Color;
use crate::game::{Game, Played};
use crate::protocol::{PlayedMove, PlayerError, Program};
use crate::search::TimeControl;

pub use spec::{PlayerDefaults, PlayerSpec};

/// Player of several games, one after another. The referee calls its methods in order.
pub(super) trait Player: Send {
    /// Prepares for game `number` with the moves of `game` already played.
    /// Random choices depend on the number, not on earlier games. Restarts a dismissed program.
    fn begin(
        &mut self,
        number: usize,
        game: &Game,
        clock: Option<TimeControl>,
    ) -> Result<(), PlayerError>;

    /// Notifies the player of a move or forced pass of either side. `own` marks its own moves.
    fn notify(&mut self, _mover: Color, _played: &Played, _own: bool) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Prepares for a move before its time starts.
    fn prepare(&mut self, _mover: Color, _time: Option<TimeControl>) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Returns a move for the side to move, which has a legal one. Returns by `deadline`.
    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove, PlayerError>;

    /// Ends the player's process after a fault. The next game restarts it.
    fn dismiss(&mut self) {}
}

impl Player for Program {
    fn begin(
        &mut self,
        _number: usize,
        game: &Game,
        clock: Option<TimeControl>,
    ) -> Result<(), PlayerError> {
        self.begin(game, clock)
    }

    fn notify(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), PlayerError> {
        self.notify(mover, played, own)
    }

    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), PlayerError> {
        self.prepare(mover, time)
    }

    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove, PlayerError> {
        self.think(game, time, deadline)
    }

    fn dismiss(&mut self) {
        self.dismiss();
    }
}
