//! Client side of UCI, in Fairy-Stockfish's Othello dialect. For the dialect see [`flipello`].

mod options;
#[cfg(test)]
mod tests;

use std::time::Instant;

use crate::board::{Color, Position, flipello};
use crate::game::{Game, Played};
use crate::protocol::client::{Client, Fault, PlayedMove, PlayerError, Process};
use crate::search::{Limits, TimeControl};
use options::ProgramOptions;

/// Settings sent to a UCI program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UciClient {
    /// Options to set before the first game, as `(name, value)`.
    pub(crate) options: Vec<(String, String)>,
    /// Depth and node limits of `go` in games without a time control.
    pub(crate) limits: Limits,
}

/// Waits for the program to process all earlier commands.
fn wait_until_ready(process: &Process) -> Result<(), PlayerError> {
    process.send("isready");
    process.answer(process.patience(), |line| (line == "readyok").then_some(()))
}

/// Sets an option. UCI has no response to `setoption`.
/// Any output line that contains the option's name therefore counts as a refusal.
fn set_option(
    process: &Process,
    listed: &ProgramOptions,
    name: &str,
    value: &str,
) -> Result<(), PlayerError> {
    let command = if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    };
    if let Some(why) = listed.refusal(name, value) {
        return Err(Fault::Refused(command, why).into());
    }
    process.send(&command);
    process.send("isready");
    let mut refusal = None;
    process.answer(process.patience(), |line| {
        let line = line.strip_prefix("info string ").unwrap_or(line);
        if line.contains(name) {
            refusal = Some(line.to_owned());
        }
        (line == "readyok").then_some(())
    })?;
    refusal.map_or(Ok(()), |why| Err(Fault::Refused(command, why).into()))
}

/// Returns the `position` command with all moves from the game's first position.
fn position_command(game: &Game) -> String {
    let start = game.start();
    let start = if start == Position::START {
        "startpos".to_owned()
    } else {
        format!("fen {}", flipello::fen(&start))
    };
    let names = game.moves().iter().zip(game.positions());
    let names: Vec<String> = names
        .map(|(played, position)| flipello::move_name(played.mv, position))
        .collect();
    if names.is_empty() {
        format!("position {start}")
    } else {
        format!("position {start} moves {}", names.join(" "))
    }
}

/// Values from the program's `info` lines. Later lines overwrite earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Info {
    /// Evaluation in discs: `score cp` is in hundredths of a disc.
    eval: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Info {
    /// Reads an output line. Lines of the second and further MultiPV moves are ignored.
    fn read_line(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let mut read = *self;
        while let Some(word) = words.next() {
            match word {
                "depth" => read.depth = words.next().and_then(|depth| depth.parse().ok()),
                "nodes" => read.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                "cp" => {
                    let cp: Option<f64> = words.next().and_then(|cp| cp.parse().ok());
                    read.eval = cp.map(|cp| cp / 100.0);
                }
                "multipv" if words.next() != Some("1") => return,
                "string" | "pv" => break,
                _ => {}
            }
        }
        *self = read;
    }
}

impl UciClient {
    /// Returns the `go` command with the limits of the next move.
    fn go(&self, mover: Color, time: Option<TimeControl>) -> String {
        match time {
            Some(TimeControl::PerMove(time)) => format!("go movetime {}", time.as_millis()),
            Some(TimeControl::Clock { left, increment }) => {
                let (left, increment) = (left.as_millis(), increment.as_millis());
                // Only the mover's time is sent.
                match mover {
                    Color::Black => format!("go wtime {left} winc {increment}"),
                    Color::White => format!("go btime {left} binc {increment}"),
                }
            }
            None => {
                let mut go = "go".to_owned();
                let depth = self.limits.depth.map(u64::from);
                for (word, limit) in [("depth", depth), ("nodes", self.limits.nodes)] {
                    go.extend(limit.map(|limit| format!(" {word} {limit}")));
                }
                go
            }
        }
    }
}

impl Client for UciClient {
    fn can_clear(&self) -> bool {
        true
    }

    fn start(&mut self, process: &Process) -> Result<(), PlayerError> {
        process.send("uci");
        let mut listed = ProgramOptions::default();
        process.answer(process.patience(), |line| {
            listed.read_line(line);
            (line == "uciok").then_some(())
        })?;
        if listed.has("UCI_Variant") {
            set_option(process, &listed, "UCI_Variant", flipello::VARIANT)?;
        }
        for (name, value) in &self.options {
            set_option(process, &listed, name, value)?;
        }
        Ok(())
    }

    fn begin(
        &mut self,
        process: &Process,
        _game: &Game,
        _clock: Option<TimeControl>,
        clear: bool,
    ) -> Result<(), PlayerError> {
        if clear {
            process.send("ucinewgame");
        }
        wait_until_ready(process)
    }

    /// Does nothing: the `position` command before `go` contains all moves.
    fn notify(
        &mut self,
        _process: &Process,
        _mover: Color,
        _played: &Played,
        _own: bool,
    ) -> Result<(), PlayerError> {
        Ok(())
    }

    fn prepare(
        &mut self,
        process: &Process,
        _mover: Color,
        _time: Option<TimeControl>,
    ) -> Result<(), PlayerError> {
        wait_until_ready(process)
    }

    fn think(
        &mut self,
        process: &Process,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<PlayedMove, PlayerError> {
        process.send(&position_command(game));
        process.send(&self.go(game.position().mover, time));
        let mut info = Info::default();
        let answer = process.answer(deadline, |line| {
            info.read_line(line);
            let best = line.strip_prefix("bestmove ")?;
            Some(best.split(' ').next().unwrap_or_default().to_owned())
        })?;
        let mv = flipello::read_move(&answer);
        let mv = mv.ok_or_else(|| Fault::Garbage(format!("bestmove {answer}")))?;
        Ok(PlayedMove {
            mv,
            eval: info.eval,
            depth: info.depth,
            nodes: info.nodes,
        })
    }
}
