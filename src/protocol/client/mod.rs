//! Client side of the protocols: runs an external program as a player.
//!
//! [`Program`] owns the child process, and a [`Client`] for GTP, NBoard or UCI writes its commands
//! and reads its answers. The clients are `gtp::client`, `nboard::client` and `uci::client`.
//!
//! Reading order: this file, `process` (a child with a limit on every wait), `fault` (errors of a
//! program), `guard` (kills children that outlive this process).

mod fault;
mod guard;
mod process;

use std::fmt::Debug;
use std::time::Instant;

use crate::board::{Color, Move};
use crate::game::{Game, Played};
use crate::search::TimeControl;

pub use fault::Fault;
pub(crate) use guard::Guard;
pub(crate) use process::{Process, ProcessContext};

/// Move of a player, with what it reports about its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlayedMove {
    /// Move, not yet checked for legality.
    pub(crate) mv: Move,
    /// Expected final disc difference, from the player's view.
    pub(crate) eval: Option<f64>,
    /// Search depth in plies. Number of empties if the position was solved.
    pub(crate) depth: Option<u32>,
    /// Number of nodes searched.
    pub(crate) nodes: Option<u64>,
}

/// Reason why a player returns no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlayerError {
    /// Fault of the player, which costs it the game.
    Fault(Fault),
    /// The match is being stopped.
    Interrupted,
    /// The system refuses a resource that this process needs. The player is not at fault.
    OutOfResources(String),
}

impl PlayerError {
    /// Error for a resource `what` that the system refused to this process.
    fn missing_resource(what: &str, error: &std::io::Error) -> PlayerError {
        PlayerError::OutOfResources(format!("{what}: {error}"))
    }
}

impl From<Fault> for PlayerError {
    fn from(fault: Fault) -> PlayerError {
        PlayerError::Fault(fault)
    }
}

/// Player of several games, one after another. The referee of a match calls its methods in order.
pub(crate) trait MatchPlayer: Send {
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

/// Client side of a protocol: the commands for a program and the answers expected.
pub(crate) trait Client: Debug + Send {
    /// Returns whether `begin` can clear the memory of the running program.
    fn can_clear(&self) -> bool;

    /// Performs the handshake with a program that was just started.
    fn start(&mut self, process: &Process) -> Result<(), PlayerError>;

    /// Prepares a game with the moves of `game` already played.
    /// `clear` asks to clear the program's memory, if the protocol has a command for it.
    fn begin(
        &mut self,
        process: &Process,
        game: &Game,
        clock: Option<TimeControl>,
        clear: bool,
    ) -> Result<(), PlayerError>;

    /// Sends a move or forced pass of either side. `own` marks moves of this program.
    fn notify(
        &mut self,
        process: &Process,
        mover: Color,
        played: &Played,
        own: bool,
    ) -> Result<(), PlayerError>;

    /// Waits until the program is ready to search, before its time starts.
    fn prepare(
        &mut self,
        process: &Process,
        mover: Color,
        time: Option<TimeControl>,
    ) -> Result<(), PlayerError>;

    /// Requests a move for the side to move and waits for it until `deadline`.
    fn think(
        &mut self,
        process: &Process,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove, PlayerError>;
}

/// External program, started when a game first needs it.
#[derive(Debug)]
pub(crate) struct Program {
    command: String,
    /// Whether the program may keep its memory from one game to the next.
    keep: bool,
    context: ProcessContext,
    client: Box<dyn Client>,
    process: Option<Process>,
    /// Whether the process has been asked for a move.
    has_thought: bool,
}

impl Program {
    /// Returns the program that the shell runs with `command`.
    pub(crate) fn new(
        command: &str,
        keep: bool,
        context: ProcessContext,
        client: Box<dyn Client>,
    ) -> Program {
        Program {
            command: command.to_owned(),
            keep,
            context,
            client,
            process: None,
            has_thought: false,
        }
    }

    /// Returns the client and the process. Starts the process if there is none.
    fn running(&mut self) -> Result<(&mut dyn Client, &Process), PlayerError> {
        let process = if let Some(process) = self.process.take() {
            process
        } else {
            let process = Process::start(&self.command, &self.context)?;
            self.client.start(&process)?;
            self.has_thought = false;
            process
        };
        Ok((&mut *self.client, self.process.insert(process)))
    }

    /// Asks the process to quit, and kills it if it does not.
    fn leave(&mut self) {
        if let Some(process) = self.process.take() {
            process.leave("quit");
        }
    }
}

impl MatchPlayer for Program {
    /// Restarts the program if its memory must be cleared and the protocol cannot do that.
    fn begin(
        &mut self,
        _number: usize,
        game: &Game,
        clock: Option<TimeControl>,
    ) -> Result<(), PlayerError> {
        let can_stay = self.keep || self.client.can_clear();
        if self.has_thought && (self.context.fresh || !can_stay) {
            self.leave();
        }
        let clear = !self.keep;
        let (client, process) = self.running()?;
        client.begin(process, game, clock, clear)
    }

    fn notify(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), PlayerError> {
        let (client, process) = self.running()?;
        client.notify(process, mover, played, own)
    }

    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), PlayerError> {
        let (client, process) = self.running()?;
        client.prepare(process, mover, time)
    }

    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove, PlayerError> {
        self.has_thought = true;
        let (client, process) = self.running()?;
        client.think(process, game, time, deadline)
    }

    fn dismiss(&mut self) {
        self.process = None;
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.leave();
    }
}
