//! Client side of the protocols: runs an external program as a player.
//!
//! [`Program`] owns the child process, and a [`Client`] writes the commands of its protocol
//! and reads the answers: `gtp::client`, `nboard::client` or `uci::client`.
//!
//! Reading order: this file, `process` (a child with a limit on every wait), `fault` (sentences for
//! its faults), `guard` (kills children that outlive this process).

mod fault;
mod guard;
mod process;

use std::fmt::Debug;
use std::time::Instant;

use emilia_core::board::{Color, Move};
use emilia_core::search::TimeControl;
use emilia_games::{Game, Played};

pub(crate) use fault::{garbage, refused};
pub(crate) use process::Process;
pub use process::ProcessContext;

/// Move of a player, with what it reports about its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove {
    /// Move, not yet checked for legality.
    pub mv: Move,
    /// Expected final disc difference, from the player's view.
    pub eval: Option<f64>,
    /// Search depth in plies. Number of empties if the position was solved.
    pub depth: Option<u32>,
    /// Number of nodes searched.
    pub nodes: Option<u64>,
}

impl PlayedMove {
    /// Returns a move without a report.
    pub fn new(mv: Move) -> PlayedMove {
        PlayedMove {
            mv,
            eval: None,
            depth: None,
            nodes: None,
        }
    }
}

/// Reason why a player returns no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// Fault of the player, which costs it the game.
    Fault(String),
    /// The match is being stopped.
    Interrupted,
    /// The system refuses a resource that this process needs. The player is not at fault.
    OutOfResources(String),
}

/// Result of a request to a player.
pub(crate) type Result<T = ()> = std::result::Result<T, PlayerError>;

/// Player of several games, one after another. The referee of a match calls its methods in order.
pub trait MatchPlayer: Send {
    /// Prepares for game `number` with the moves of `game` already played.
    /// Random choices depend on the number, not on earlier games. Restarts a dismissed program.
    fn begin(&mut self, number: usize, game: &Game, clock: Option<TimeControl>) -> Result;

    /// Notifies the player of a move or forced pass of either side. `own` marks its own moves.
    fn notify(&mut self, _mover: Color, _played: &Played, _own: bool) -> Result {
        Ok(())
    }

    /// Prepares for a move before its time starts.
    fn prepare(&mut self, _mover: Color, _time: Option<TimeControl>) -> Result {
        Ok(())
    }

    /// Returns a move for the side to move, which has a legal one. Returns by `deadline`.
    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove>;

    /// Ends the player's process after a fault. The next game restarts it.
    fn dismiss(&mut self) {}
}

/// Client side of a protocol: the commands for a program and the answers expected.
pub trait Client: Debug + Send {
    /// Performs the handshake with a program that was just started.
    fn start(&mut self, process: &Process) -> Result;

    /// Clears the memory of the running program. Returns false if the protocol cannot do that.
    fn clear(&mut self, _process: &Process) -> Result<bool> {
        Ok(false)
    }

    /// Prepares a game with the moves of `game` already played.
    fn begin(&mut self, process: &Process, game: &Game, clock: Option<TimeControl>) -> Result;

    /// Sends a move or forced pass of either side. `own` marks moves of this program.
    fn notify(&mut self, _: &Process, _mover: Color, _played: &Played, _own: bool) -> Result {
        Ok(())
    }

    /// Waits until the program is ready to search, before its time starts.
    fn prepare(&mut self, process: &Process, mover: Color, time: Option<TimeControl>) -> Result;

    /// Requests a move for the side to move and waits for it until `deadline`.
    fn think(&mut self, process: &Process, game: &Game, deadline: Instant) -> Result<PlayedMove>;
}

/// External program, started when a game first needs it.
#[derive(Debug)]
pub struct Program {
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
    pub fn new(
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
    fn running(&mut self) -> Result<(&mut dyn Client, &Process)> {
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
    fn begin(&mut self, _number: usize, game: &Game, clock: Option<TimeControl>) -> Result {
        let keep = self.keep;
        let (client, process) = self.running()?;
        let is_clear = keep || client.clear(process)?;
        if self.has_thought && !is_clear {
            self.leave();
        }
        let (client, process) = self.running()?;
        client.begin(process, game, clock)
    }

    fn notify(&mut self, mover: Color, played: &Played, own: bool) -> Result {
        let (client, process) = self.running()?;
        client.notify(process, mover, played, own)
    }

    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result {
        let (client, process) = self.running()?;
        client.prepare(process, mover, time)
    }

    fn think(
        &mut self,
        game: &Game,
        _time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove> {
        self.has_thought = true;
        let (client, process) = self.running()?;
        client.think(process, game, deadline)
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
