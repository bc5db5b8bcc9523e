//! A program that speaks the protocol of NBoard, version 2.

use std::time::{Duration, Instant};

use super::process::{Process, ProcessContext};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::Color;
use crate::game::{Game, Played, TimeLimit};
use crate::search::TimeControl;

/// A player at the other end of a pipe.
#[derive(Debug)]
pub(super) struct NBoard {
    command: String,
    depth: Option<u32>,
    /// Whether it may remember earlier games.
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
        // It has been started just now, if it was not there.
        self.process.as_ref().ok_or(Fault::UNKNOWN_END.into())
    }

    /// Waits until the program has done all it was told.
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

/// The clock as a record writes it. A time for each move is both the main time and the increment, and moves are told as
/// if they had taken all of it: so there is always just this time left.
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
        // The protocol has no word for forgetting.
        if self.has_thought && (self.context.fresh || !self.keep) {
            self.say_goodbye();
        }
        self.clock = clock;
        let limit = time_limit(clock);
        let mut record = limit.map_or_else(
            || game.clone(),
            // In a record every move adds to the clock, so those of the opening take what they add.
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
            // A forced pass takes no time, and the one who runs the match adds none for it.
            Clock::Game { increment, .. } => Some(played.time.unwrap_or(increment)),
        };
        // What the other one thinks of its move is its own affair.
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

/// The moves of `game`, each of which took `time`.
fn as_if_each_took(time: Duration, game: &Game) -> Game {
    let mut told = Game::new(game.start());
    for played in game.moves() {
        let timed = Played {
            time: Some(time),
            ..*played
        };
        // The moves have been played in `game` already.
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
