//! Client side of UCI, in Fairy-Stockfish's Othello dialect. [`flipello`] describes the dialect.

#[cfg(test)]
mod tests;

use std::time::Instant;

use super::{Client, PlayerMove, Process, ProgramSpec, Result, garbage, refused};
use crate::Clock;
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::TimeControl;
use emilia_games::Game;
use emilia_protocol::flipello;

/// State of the connection to a UCI program.
#[derive(Debug)]
pub(super) struct UciClient {
    spec: ProgramSpec,
    /// Clock of the next move.
    clock: Option<Clock>,
}

/// Waits for the program to process all earlier commands.
fn wait_until_ready(process: &Process) -> Result {
    process.send("isready");
    process.answer(process.patience(), |line| (line == "readyok").then_some(()))
}

/// Returns the name of the option in a line `option name NAME type TYPE ...`.
fn option_name(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim())
}

/// Sets an option. `listed` holds the names of the options that the program listed at its start.
/// Fails if `listed` lacks the option, or the program refuses it. UCI has no response to
/// `setoption`, so any output line that contains the option's name counts as a refusal.
fn set_option(process: &Process, listed: &[String], name: &str, value: &str) -> Result {
    let command = if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    };
    if !listed.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return Err(refused(&command, "no such option"));
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
    refusal.map_or(Ok(()), |why| Err(refused(&command, &why)))
}

/// Returns the `position` command with all moves from the game's first position.
fn position_command(game: &Game) -> String {
    let start = game.start();
    let start = if start == Position::START {
        "startpos".to_owned()
    } else {
        format!("fen {}", start.to_fen())
    };
    let played = game.moves().iter().zip(game.positions());
    let names: Vec<String> = played
        .map(|(played, position)| flipello::move_name(played.mv, position))
        .collect();
    if names.is_empty() {
        format!("position {start}")
    } else {
        format!("position {start} moves {}", names.join(" "))
    }
}

/// Reads the evaluation, depth and nodes of an `info` line into `played`. `score cp` is in
/// hundredths of a disc. Lines of the second and further MultiPV moves are ignored.
fn read_info(line: &str, played: &mut PlayerMove) {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let mut read = *played;
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
    *played = read;
}

/// Returns the move in a line `bestmove MOVE …`: an empty text if the move is missing, `None` if
/// the line is another answer. Any white space separates the words.
fn best_move(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next()? == "bestmove").then(|| words.next().unwrap_or_default())
}

impl UciClient {
    pub(super) fn new(spec: &ProgramSpec) -> UciClient {
        UciClient {
            spec: spec.clone(),
            clock: None,
        }
    }

    /// Returns the options to set for a program that lists the names `listed`. Match options that
    /// the program does not list are left out.
    fn options(&self, listed: &[String]) -> impl Iterator<Item = &(String, String)> {
        let is_listed = |name: &str| listed.iter().any(|own| own.eq_ignore_ascii_case(name));
        let defaults = self.spec.of_match.iter();
        let of_match = defaults.filter(move |(name, _)| is_listed(name));
        of_match.chain(&self.spec.options)
    }

    /// Returns the `go` command with the limits of the next move.
    fn go(&self, mover: Color) -> String {
        let period = self.clock.and_then(|clock| clock.period);
        match self.clock.map(|clock| clock.control) {
            Some(TimeControl::PerMove(time)) => format!("go movetime {}", time.as_millis()),
            Some(TimeControl::Clock { left, increment }) => {
                let (left, increment) = (left.as_millis(), increment.as_millis());
                let to_go = period.map_or(String::new(), |period| {
                    format!(" movestogo {}", period.left)
                });
                // Only the mover's time is sent. Black of Othello is White (`w`) in this dialect.
                match mover {
                    Color::Black => format!("go wtime {left} winc {increment}{to_go}"),
                    Color::White => format!("go btime {left} binc {increment}{to_go}"),
                }
            }
            None => {
                let mut go = "go".to_owned();
                let depth = self.spec.limits.depth.map(u64::from);
                for (word, limit) in [("depth", depth), ("nodes", self.spec.limits.nodes)] {
                    go.extend(limit.map(|limit| format!(" {word} {limit}")));
                }
                go
            }
        }
    }
}

impl Client for UciClient {
    fn start(&mut self, process: &Process) -> Result {
        process.send("uci");
        let mut listed = Vec::new();
        process.answer(process.patience(), |line| {
            listed.extend(option_name(line).map(str::to_owned));
            (line == "uciok").then_some(())
        })?;
        if listed.iter().any(|name| name == "UCI_Variant") {
            set_option(process, &listed, "UCI_Variant", flipello::VARIANT)?;
        }
        for (name, value) in self.options(&listed) {
            set_option(process, &listed, name, value)?;
        }
        Ok(())
    }

    fn clear(&mut self, process: &Process) -> Result<bool> {
        process.send("ucinewgame");
        Ok(true)
    }

    fn begin(&mut self, process: &Process, _: &Game, _: Option<Clock>) -> Result {
        wait_until_ready(process)
    }

    fn prepare(&mut self, process: &Process, _: Color, clock: Option<Clock>) -> Result {
        self.clock = clock;
        wait_until_ready(process)
    }

    /// Sends all moves of the game with each request, so [`Client::notify`] has nothing to send.
    fn think(&mut self, process: &Process, game: &Game, deadline: Instant) -> Result<PlayerMove> {
        process.send(&position_command(game));
        process.send(&self.go(game.position().mover));
        let mut played = PlayerMove::new(Move::Pass);
        let answer = process.answer(deadline, |line| {
            read_info(line, &mut played);
            best_move(line).map(str::to_owned)
        })?;
        let mv = flipello::read_move(&answer);
        played.mv = mv.ok_or_else(|| garbage(&format!("bestmove {answer}")))?;
        Ok(played)
    }
}
