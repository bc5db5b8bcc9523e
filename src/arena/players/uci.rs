//! Player that runs an external program over UCI, in Fairy-Stockfish's Othello dialect.
//! For the dialect see [`flipello`].

mod options;

use std::time::Instant;

use super::process::{Process, ProcessContext};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::{Color, Position, flipello};
use crate::game::{Game, Played};
use crate::search::{Limits, TimeControl};
use options::ProgramOptions;

/// Settings sent to the program before its first game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct UciSetup {
    /// Options to set, as `(name, value)`.
    pub(super) options: Vec<(String, String)>,
    /// Depth and node limits of `go` in games without a time control.
    pub(super) limits: Limits,
}

/// External program that speaks UCI, started when a game first needs it.
#[derive(Debug)]
pub(super) struct Uci {
    command: String,
    setup: UciSetup,
    /// Whether the program may keep its memory from one game to the next.
    keep: bool,
    context: ProcessContext,
    process: Option<Process>,
    /// Whether the process has been asked for a move.
    has_thought: bool,
}

impl Uci {
    pub(super) fn new(command: &str, setup: UciSetup, keep: bool, context: ProcessContext) -> Uci {
        Uci {
            command: command.to_owned(),
            setup,
            keep,
            context,
            process: None,
            has_thought: false,
        }
    }

    fn process(&mut self) -> Result<&Process, Trouble> {
        if self.process.is_none() {
            let process = Process::start(&self.command, &self.context)?;
            process.send("uci");
            let mut listed = ProgramOptions::default();
            process.answer_in_patience(|line| {
                listed.hear(line);
                (line == "uciok").then_some(())
            })?;
            if listed.has("UCI_Variant") {
                set_option(&process, &listed, "UCI_Variant", flipello::VARIANT)?;
            }
            for (name, value) in &self.setup.options {
                set_option(&process, &listed, name, value)?;
            }
            self.process = Some(process);
            self.has_thought = false;
        }
        // The process exists: it was started above if it was missing.
        self.process.as_ref().ok_or(Fault::UNKNOWN_END.into())
    }

    /// Waits for the program to process all earlier commands.
    fn wait_until_ready(&mut self) -> Result<(), Trouble> {
        let process = self.process()?;
        process.send("isready");
        process.answer_in_patience(|line| (line == "readyok").then_some(()))
    }

    fn say_goodbye(&mut self) {
        if let Some(process) = self.process.take() {
            process.leave("quit");
        }
    }

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
                let Limits { depth, nodes, .. } = self.setup.limits;
                let limit = |word: &str, count: Option<u64>| {
                    count.map_or(String::new(), |count| format!(" {word} {count}"))
                };
                let [depth, nodes] = [limit("depth", depth.map(u64::from)), limit("nodes", nodes)];
                format!("go{depth}{nodes}")
            }
        }
    }
}

/// Sets an option. UCI has no response to `setoption`.
/// Any output line that contains the option's name therefore counts as a refusal.
fn set_option(
    process: &Process,
    listed: &ProgramOptions,
    name: &str,
    value: &str,
) -> Result<(), Trouble> {
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
    process.answer_in_patience(|line| {
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
    fn hear(&mut self, line: &str) {
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

impl Player for Uci {
    fn begin(&mut self, _game: &Game, _clock: Clock) -> Result<(), Trouble> {
        if self.has_thought && self.context.fresh {
            self.say_goodbye();
        }
        let keeps = self.keep;
        let process = self.process()?;
        if !keeps {
            process.send("ucinewgame");
        }
        self.wait_until_ready()
    }

    /// Does nothing: the `position` command before `go` contains all moves.
    fn hear(&mut self, _mover: Color, _played: &Played, _own: bool) -> Result<(), Trouble> {
        Ok(())
    }

    fn prepare(&mut self, _mover: Color, _time: Option<TimeControl>) -> Result<(), Trouble> {
        self.wait_until_ready()
    }

    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble> {
        let allowed = deadline.saturating_duration_since(Instant::now());
        self.has_thought = true;
        let go = self.go(game.position().mover, time);
        let process = self.process()?;
        process.send(&position_command(game));
        process.send(&go);
        let mut info = Info::default();
        let said = process.answer(deadline, allowed, |line| {
            info.hear(line);
            let best = line.strip_prefix("bestmove ")?;
            Some(best.split(' ').next().unwrap_or_default().to_owned())
        })?;
        let mv = flipello::read_move(&said);
        let mv = mv.ok_or_else(|| Fault::Garbage(format!("bestmove {said}")))?;
        Ok(Thought {
            mv,
            eval: info.eval,
            depth: info.depth,
            nodes: info.nodes,
        })
    }

    fn dismiss(&mut self) {
        self.process = None;
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        self.say_goodbye();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Transcript;

    #[test]
    fn position_command_contains_passes() {
        let command = |moves: &str, start| {
            let transcript = Transcript::parse(moves, start).unwrap();
            position_command(&Game::from(&transcript))
        };
        assert_eq!(command("", Position::START), "position startpos");
        // After these moves Black must pass.
        let passed = command("d3c3f5d2d1e1b2c1pa", Position::START);
        let (moves, pass) = passed.rsplit_once(' ').unwrap();
        assert!(
            moves.starts_with("position startpos moves P@d6 P@c6 ") && moves.ends_with(" P@c8")
        );
        assert_eq!(flipello::read_move(pass), Some(crate::board::Move::Pass));
        let start = "d3c3".parse().unwrap();
        let fen = flipello::fen(&start);
        assert_eq!(
            command("c4", start),
            format!("position fen {fen} moves P@c5")
        );
    }

    #[test]
    fn info_of_the_best_line_is_parsed() {
        let mut info = Info::default();
        for line in [
            "info string score cp 7",
            "info depth 3 seldepth 5 multipv 1 score cp 250 nodes 1000 nps 5 time 3 pv P@e3",
            "info depth 3 multipv 2 score cp -250 nodes 2000 pv P@f4",
            "bestmove P@e3 ponder cp",
            "info currmove P@e3",
        ] {
            info.hear(line);
        }
        let expected = Info {
            eval: Some(2.5),
            depth: Some(3),
            nodes: Some(1000),
        };
        assert_eq!(info, expected);
    }
}
