//! Player that runs an external program over the NBoard protocol, version 2.

use std::time::{Duration, Instant};

use super::process::{Process, ProcessContext};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::Color;
use crate::game::{Game, Played, TimeLimit};
use crate::search::TimeControl;

/// External program that speaks the NBoard protocol, started when a game first needs it.
#[derive(Debug)]
pub(super) struct NBoard {
    command: String,
    depth: Option<u32>,
    /// Whether the program may keep its memory from one game to the next.
    keep: bool,
    context: ProcessContext,
    process: Option<Process>,
    /// Whether the process has been asked for a move.
    has_thought: bool,
    clock: Clock,
    pings: u64,
}

impl NBoard {
    pub(super) fn new(
        command: &str,
        depth: Option<u32>,
        keep: bool,
        context: ProcessContext,
    ) -> NBoard {
        NBoard {
            command: command.to_owned(),
            depth,
            keep,
            context,
            process: None,
            has_thought: false,
            clock: Clock::Unlimited,
            pings: 0,
        }
    }

    fn process(&mut self) -> Result<&Process, Trouble> {
        if self.process.is_none() {
            let process = Process::start(&self.command, &self.context)?;
            process.send("nboard 2");
            if let Some(depth) = self.depth {
                process.send(&format!("set depth {depth}"));
            }
            self.process = Some(process);
            self.has_thought = false;
        }
        // The process exists: it was started above if it was missing.
        self.process.as_ref().ok_or(Fault::UNKNOWN_END.into())
    }

    /// Waits for the program to process all earlier commands.
    fn ping(&mut self) -> Result<(), Trouble> {
        self.pings += 1;
        let number = self.pings;
        let process = self.process()?;
        process.send(&format!("ping {number}"));
        let pong = format!("pong {number}");
        process.answer_in_patience(|line| (line == pong).then_some(()))
    }

    fn say_goodbye(&mut self) {
        if let Some(process) = self.process.take() {
            process.leave("quit");
        }
    }
}

/// Converts a time control to the GGF form that NBoard programs read.
/// A fixed time per move becomes both main time and increment.
/// If each move then counts as using all of it, the remaining time is always that of one move.
fn time_limit(clock: Clock) -> Option<TimeLimit> {
    let (main, increment) = match clock {
        Clock::Unlimited => return None,
        Clock::PerMove(time) => (time, time),
        Clock::Game { main, increment } => (main, increment),
    };
    Some(TimeLimit {
        main,
        increment,
        grace: Duration::ZERO,
    })
}

impl Player for NBoard {
    fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Trouble> {
        // The protocol has no command to clear memory, so the program is restarted.
        if self.has_thought && (self.context.fresh || !self.keep) {
            self.say_goodbye();
        }
        self.clock = clock;
        let limit = time_limit(clock);
        let mut record = limit.map_or_else(
            || game.clone(),
            // Opening moves take exactly the increment, so that they leave the clock unchanged.
            |limit| as_if_each_took(limit.increment, game),
        );
        record.tags.time = limit;
        self.process()?
            .send(&format!("set game {}", record.to_ggf()));
        self.ping()
    }

    fn hear(&mut self, _mover: Color, played: &Played, _own: bool) -> Result<(), Trouble> {
        let time = match self.clock {
            Clock::Unlimited => None,
            Clock::PerMove(time) => Some(time),
            // A forced pass gets the increment as its time: only the GGF clock adds one for it.
            Clock::Game { increment, .. } => Some(played.time.unwrap_or(increment)),
        };
        // The evaluation is left out: it is private to the side that moved.
        let told = Played {
            mv: played.mv,
            eval: None,
            time,
        };
        self.process()?.send(&format!("move {told}"));
        Ok(())
    }

    fn prepare(&mut self, _mover: Color, _time: Option<TimeControl>) -> Result<(), Trouble> {
        self.ping()
    }

    fn think(
        &mut self,
        _game: &Game,
        _time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble> {
        let allowed = deadline.saturating_duration_since(Instant::now());
        self.has_thought = true;
        let process = self.process()?;
        process.send("go");
        let mut nodes = None;
        let said = process.answer(deadline, allowed, |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("nodestats") => nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                Some("===") => return Some(words.next().unwrap_or_default().to_owned()),
                _ => {}
            }
            None
        })?;
        let played: Played = said
            .parse()
            .map_err(|_| Fault::Garbage(format!("=== {said}")))?;
        Ok(Thought {
            mv: played.mv,
            eval: played.eval,
            depth: None,
            nodes,
        })
    }

    fn dismiss(&mut self) {
        self.process = None;
    }
}

/// Copies `game` with `time` as the time of each move.
fn as_if_each_took(time: Duration, game: &Game) -> Game {
    let mut told = Game::new(game.start());
    for played in game.moves() {
        let timed = Played {
            time: Some(time),
            ..*played
        };
        // These moves are legal: `game` has played them.
        if told.play(timed).is_err() {
            break;
        }
    }
    told
}

impl Drop for NBoard {
    fn drop(&mut self) {
        self.say_goodbye();
    }
}
