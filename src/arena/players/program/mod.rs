//! External programs as players.
//!
//! [`Program`] owns the child process. A [`Client`] writes the commands of one protocol and reads
//! the program's answers. The modules `gtp`, `nboard` and `uci` contain one client each.
//!
//! Reading order: this file, `process` (a child with a limit on every wait), `guard` (kills
//! children that outlive this process).

mod gtp;
mod guard;
mod nboard;
mod process;
mod uci;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use super::{MatchPlayer, PlayerError, PlayerMove, Result};
use crate::Clock;
use emilia_core::board::{Color, excerpt_within};
use emilia_core::search::{Limits, StopFlag};
use emilia_games::{Game, Played};
use gtp::GtpClient;
use nboard::NBoardClient;
use process::Process;
pub(crate) use process::ProcessContext;
use uci::UciClient;

/// Protocol of a program. Cassio's protocol is not supported here, because it has no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramProtocol {
    Gtp,
    NBoard,
    Uci,
}

impl ProgramProtocol {
    /// Each protocol with the word before the colon that selects it in a player specification.
    pub(super) const NAMES: [(ProgramProtocol, &str); 3] = [
        (ProgramProtocol::Gtp, "gtp"),
        (ProgramProtocol::NBoard, "nboard"),
        (ProgramProtocol::Uci, "uci"),
    ];

    pub(super) fn name(self) -> &'static str {
        ProgramProtocol::NAMES[self as usize].1
    }
}

/// Finds the protocol of a program: starts the program, sends the greetings of all protocols, and
/// waits at most `wait` for the first answer that belongs to a protocol.
/// Returns this protocol, and the name in the program's answers (empty if the program sends none).
/// Programs ignore the greetings of other protocols, or report them as unknown.
pub(super) fn find_protocol(command: &str, wait: Duration) -> Result<(ProgramProtocol, String)> {
    let context = ProcessContext {
        interrupt: StopFlag::default(),
        patience: wait,
    };
    let process = Process::start(command, &context)?;
    for line in ["name", "uci", "nboard 2", "ping 1"] {
        process.send(line);
    }
    let mut name = String::new();
    let found = process.answer(process.patience(), |line| {
        let mut names = ["= ", "id name ", "set myname "].into_iter();
        if let Some(given) = names.find_map(|before| line.strip_prefix(before)) {
            given.trim().clone_into(&mut name);
        }
        match line {
            "uciok" => Some(ProgramProtocol::Uci),
            "pong 1" => Some(ProgramProtocol::NBoard),
            _ if line.starts_with(['=', '?']) => Some(ProgramProtocol::Gtp),
            _ => None,
        }
    });
    process.leave("quit");
    Ok((found?, name))
}

/// Program that speaks a protocol.
#[derive(Clone, Debug)]
pub(super) struct ProgramSpec {
    pub(super) protocol: ProgramProtocol,
    /// Shell command that starts the program.
    pub(super) command: String,
    /// UCI options as names and values, from `option.NAME=VALUE`.
    pub(super) options: Vec<(String, String)>,
    /// UCI options derived from match options such as `--hash`. Each is set only if the program
    /// lists it.
    pub(super) of_match: Vec<(String, String)>,
    /// Search limits of the match. The program receives the limits that its protocol can express.
    pub(super) limits: Limits,
}

/// Client side of a protocol: the commands for a program and the answers expected.
trait Client: Debug + Send {
    /// Performs the handshake with a program that was just started.
    fn start(&mut self, process: &Process) -> Result;

    /// Clears the memory of the running program, such as its transposition table. Returns false if
    /// the protocol or the program has no command for it.
    fn clear(&mut self, _process: &Process) -> Result<bool> {
        Ok(false)
    }

    /// Prepares a game in which the moves of `game` are already played.
    fn begin(&mut self, process: &Process, game: &Game, clock: Option<Clock>) -> Result;

    /// Sends a move or forced pass of either side. `own` is true for moves of this program.
    fn notify(&mut self, _: &Process, _mover: Color, _played: &Played, _own: bool) -> Result {
        Ok(())
    }

    /// Waits until the program is ready to search, before its clock starts.
    fn prepare(&mut self, process: &Process, mover: Color, clock: Option<Clock>) -> Result;

    /// Requests a move for the side to move and waits for it until `deadline`.
    fn think(&mut self, process: &Process, game: &Game, deadline: Instant) -> Result<PlayerMove>;
}

/// External program, started when a game first needs it.
#[derive(Debug)]
pub(super) struct Program {
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
    pub(super) fn new(spec: &ProgramSpec, keep: bool, context: &ProcessContext) -> Program {
        Program {
            command: spec.command.clone(),
            keep,
            context: context.clone(),
            client: match spec.protocol {
                ProgramProtocol::Gtp => Box::new(GtpClient::default()),
                ProgramProtocol::NBoard => Box::new(NBoardClient::new(spec.limits.depth)),
                ProgramProtocol::Uci => Box::new(UciClient::new(spec)),
            },
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
    /// Prepares a game. Restarts the program if it has searched before, must not keep its memory,
    /// and has no command that clears it.
    fn begin(&mut self, _number: usize, game: &Game, clock: Option<Clock>) -> Result {
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

    fn prepare(&mut self, mover: Color, clock: Option<Clock>) -> Result {
        let (client, process) = self.running()?;
        client.prepare(process, mover, clock)
    }

    fn think(
        &mut self,
        game: &Game,
        _clock: Option<Clock>,
        deadline: Instant,
    ) -> Result<PlayerMove> {
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

/// Shortens an answer for a message.
fn quote(text: &str) -> String {
    excerpt_within(text, 60)
}

/// Returns the fault of a program whose answer cannot be parsed.
fn garbage(answer: &str) -> PlayerError {
    PlayerError::Fault(format!("answered '{}'", quote(answer)))
}

/// Returns the fault of a program that refused a necessary command.
fn refused(command: &str, refusal: &str) -> PlayerError {
    let [command, refusal] = [command, refusal].map(quote);
    PlayerError::Fault(format!("refused '{command}': {refusal}"))
}
