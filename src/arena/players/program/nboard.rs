//! Client side of the NBoard protocol, version 2.

use std::time::{Duration, Instant};

use super::{Client, PlayerMove, Process, Result, garbage};
use crate::Clock;
use emilia_core::board::Color;
use emilia_core::search::TimeControl;
use emilia_games::{Game, Played, TimeLimit};

/// State of the connection to an NBoard program.
#[derive(Debug)]
pub(super) struct NBoardClient {
    /// Depth sent with `set depth`, in plies.
    depth: Option<u32>,
    clock: Option<TimeControl>,
    pings: u64,
}

impl NBoardClient {
    pub(super) fn new(depth: Option<u32>) -> NBoardClient {
        NBoardClient {
            depth,
            clock: None,
            pings: 0,
        }
    }

    /// Waits for the program to process all earlier commands.
    fn ping(&mut self, process: &Process) -> Result {
        self.pings += 1;
        process.send(&format!("ping {}", self.pings));
        let pong = format!("pong {}", self.pings);
        process.answer(process.patience(), |line| (line == pong).then_some(()))
    }
}

/// Converts a time control to the GGF clock that NBoard programs read.
/// A fixed time per move becomes both main time and increment. Each move is reported as using all
/// of its time, so the remaining time stays the time of one move.
fn time_limit(clock: TimeControl) -> TimeLimit {
    let (main, increment) = match clock {
        TimeControl::PerMove(time) => (time, time),
        TimeControl::Clock { left, increment } => (left, increment),
    };
    TimeLimit {
        main,
        increment,
        grace: Duration::ZERO,
    }
}

/// Copies `game` with `time` as the time of each move.
fn with_move_times(time: Duration, game: &Game) -> Game {
    let mut timed = Game::new(game.start());
    for played in game.moves() {
        let time = Some(time);
        // These moves are legal: `game` has played them.
        if timed.play(Played { time, ..*played }).is_err() {
            break;
        }
    }
    timed
}

impl Client for NBoardClient {
    fn start(&mut self, process: &Process) -> Result {
        process.send("nboard 2");
        if let Some(depth) = self.depth {
            process.send(&format!("set depth {depth}"));
        }
        Ok(())
    }

    fn begin(&mut self, process: &Process, game: &Game, clock: Option<Clock>) -> Result {
        // GGF has no periods: the main time of the first period is sent as the main time of the
        // game.
        self.clock = clock.map(|clock| clock.control);
        let limit = self.clock.map(time_limit);
        let mut record = match limit {
            None => game.clone(),
            // Opening moves take exactly the increment, so that they leave the clock unchanged.
            Some(limit) => with_move_times(limit.increment, game),
        };
        record.tags.time = limit;
        process.send(&format!("set game {}", record.to_ggf()));
        self.ping(process)
    }

    fn notify(&mut self, process: &Process, _: Color, played: &Played, _own: bool) -> Result {
        let time = self.clock.map(|clock| match clock {
            TimeControl::PerMove(time) => time,
            // The GGF clock adds the increment for a forced pass, and the referee's clock does not.
            // Reporting the increment as the time of the pass keeps both clocks equal.
            TimeControl::Clock { increment, .. } => played.time.unwrap_or(increment),
        });
        // The evaluation is left out: it is private to the side that moved.
        let sent = Played {
            time,
            ..played.mv.into()
        };
        process.send(&format!("move {sent}"));
        Ok(())
    }

    fn prepare(&mut self, process: &Process, _: Color, _: Option<Clock>) -> Result {
        self.ping(process)
    }

    fn think(&mut self, process: &Process, _: &Game, deadline: Instant) -> Result<PlayerMove> {
        process.send("go");
        let mut nodes = None;
        let answer = process.answer(deadline, |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("nodestats") => nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                Some("===") => return Some(words.next().unwrap_or_default().to_owned()),
                _ => {}
            }
            None
        })?;
        let Ok(played) = answer.parse::<Played>() else {
            return Err(garbage(&format!("=== {answer}")));
        };
        Ok(PlayerMove {
            eval: played.eval,
            nodes,
            ..PlayerMove::new(played.mv)
        })
    }
}
