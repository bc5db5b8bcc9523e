//! A program that speaks UCI in Fairy-Stockfish's dialect: see [`flipello`].

mod options;

use std::time::Instant;

use super::process::{Process, ProcessContext};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::{Color, Position, flipello};
use crate::game::{Game, Played};
use crate::search::{Limits, TimeControl};
use options::ProgramOptions;

/// What a program is told before its first game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct UciSetup {
    /// The options to set, as `(name, value)`.
    pub(super) options: Vec<(String, String)>,
    /// How deep, and how many nodes, where there is no clock.
    pub(super) limits: Limits,
}

/// A player at the other end of a pipe.
#[derive(Debug)]
pub(super) struct Uci {
    command: String,
    setup: UciSetup,
    /// Whether it may remember earlier games.
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
            let mut known = ProgramOptions::default();
            process.answer_in_patience(|line| {
                known.hear(line);
                (line == "uciok").then_some(())
            })?;
            if known.has("UCI_Variant") {
                set_option(&process, &known, "UCI_Variant", flipello::VARIANT)?;
            }
            for (name, value) in &self.setup.options {
                set_option(&process, &known, name, value)?;
            }
            self.process = Some(process);
            self.has_thought = false;
        }
        // It has been started just now, if it was not there.
        self.process.as_ref().ok_or(Fault::UNKNOWN_END.into())
    }

    /// Waits until the program has done all it was told.
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

    /// `go` with the limits of the next move.
    fn go(&self, mover: Color, time: Option<TimeControl>) -> String {
        match time {
            Some(TimeControl::PerMove(time)) => format!("go movetime {}", time.as_millis()),
            Some(TimeControl::Clock { left, increment }) => {
                let (left, increment) = (left.as_millis(), increment.as_millis());
                // The clock of the other side is none of its business.
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

/// Sets an option. There is no answer to that; but a program that speaks of the option then tells why it will not.
fn set_option(
    process: &Process,
    known: &ProgramOptions,
    name: &str,
    value: &str,
) -> Result<(), Trouble> {
    let command = if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    };
    if let Some(why) = known.refusal(name, value) {
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

/// `position`, with all moves from the first position of the game.
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

/// What a program says of its search in `info` lines; the last word holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Info {
    /// `score cp`, which is meant as hundredths of a disc.
    eval: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Info {
    /// Hears a line. Of several lines of play the first counts.
    fn hear(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let mut heard = *self;
        while let Some(word) = words.next() {
            match word {
                "depth" => heard.depth = words.next().and_then(|depth| depth.parse().ok()),
                "nodes" => heard.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
                "cp" => {
                    let cp: Option<f64> = words.next().and_then(|cp| cp.parse().ok());
                    heard.eval = cp.map(|cp| cp / 100.0);
                }
                "multipv" if words.next() != Some("1") => return,
                "string" | "pv" => break,
                _ => {}
            }
        }
        *self = heard;
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

    /// It is told all moves when it is to move.
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
    fn a_game_is_told_with_its_passes() {
        let told = |moves: &str, start| {
            let transcript = Transcript::parse(moves, start).unwrap();
            position_command(&Game::from(&transcript))
        };
        assert_eq!(told("", Position::START), "position startpos");
        // After these moves Black must pass.
        let passed = told("d3c3f5d2d1e1b2c1pa", Position::START);
        let (moves, pass) = passed.rsplit_once(' ').unwrap();
        assert!(
            moves.starts_with("position startpos moves P@d6 P@c6 ") && moves.ends_with(" P@c8")
        );
        assert_eq!(flipello::read_move(pass), Some(crate::board::Move::Pass));
        let start = "d3c3".parse().unwrap();
        let fen = flipello::fen(&start);
        assert_eq!(told("c4", start), format!("position fen {fen} moves P@c5"));
    }

    #[test]
    fn what_is_said_of_the_best_line_is_heard() {
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
