//! Player that runs an external program over GTP, the Go Text Protocol.

use std::time::{Duration, Instant};

use super::process::{MOST_BYTES, MOST_LINES, Process, ProcessContext};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::{Color, Move};
use crate::game::{Game, Played};
use crate::search::TimeControl;

/// External program that speaks GTP, started when a game first needs it.
#[derive(Debug)]
pub(super) struct Gtp {
    command: String,
    /// Whether the program may keep its memory from one game to the next.
    keep: bool,
    context: ProcessContext,
    process: Option<Process>,
    /// Whether the program supports `clear_cache`, which clears its memory.
    forgets: bool,
    /// Whether the process has been asked for a move.
    has_thought: bool,
}

/// GTP response: the text after `=`, or the error text after `?`.
type Response = Result<String, String>;

impl Gtp {
    pub(super) fn new(command: &str, keep: bool, context: ProcessContext) -> Gtp {
        Gtp {
            command: command.to_owned(),
            keep,
            context,
            process: None,
            forgets: false,
            has_thought: false,
        }
    }

    fn process(&mut self) -> Result<&Process, Trouble> {
        if self.process.is_none() {
            let process = Process::start(&self.command, &self.context)?;
            process.send("name");
            let patience = self.context.patience;
            let mut reader = ResponseReader::new(&process, process.patience(), patience);
            // Programs may print a greeting before the first response, but none afterwards.
            while reader.first_line()?.strip_prefix(['=', '?']).is_none() {}
            reader.rest_of_response()?;
            self.process = Some(process);
            self.has_thought = false;
            for command in ["set_game Othello", "boardsize 8"] {
                // May be refused: many programs play a single game and lack these commands.
                let _: Response = self.ask(command)?;
            }
            self.forgets = self.ask("known_command clear_cache")?.as_deref() == Ok("true");
        }
        // The process exists: it was started above if it was missing.
        self.process.as_ref().ok_or(Fault::UNKNOWN_END.into())
    }

    /// Sends a command and waits for its response, at most `patience`.
    fn ask(&mut self, command: &str) -> Result<Response, Trouble> {
        let patience = self.context.patience;
        self.ask_until(command, Instant::now() + patience, patience)
    }

    fn ask_until(
        &mut self,
        command: &str,
        deadline: Instant,
        allowed: Duration,
    ) -> Result<Response, Trouble> {
        let process = self.process()?;
        process.send(command);
        let mut reader = ResponseReader::new(process, deadline, allowed);
        let line = reader.first_line()?;
        let rest = reader.rest_of_response()?;
        let text = |first: &str| [first.trim(), &rest].join("\n").trim().to_owned();
        if let Some(first) = line.strip_prefix('=') {
            Ok(Ok(text(first)))
        } else if let Some(first) = line.strip_prefix('?') {
            Ok(Err(text(first)))
        } else {
            Err(Fault::Garbage(line).into())
        }
    }

    /// Sends a command whose refusal is a fault.
    fn command(&mut self, command: &str) -> Result<String, Trouble> {
        let answer = self.ask(command)?;
        answer.map_err(|refusal| Fault::Refused(command.to_owned(), refusal).into())
    }

    /// Sends a move with `play`. A refused pass is ignored: many programs do not support passes.
    fn play(&mut self, mover: Color, mv: Move) -> Result<(), Trouble> {
        let command = format!("play {mover} {}", vertex(mv));
        match mv {
            Move::Place(_) => self.command(&command).map(drop),
            Move::Pass => self.ask(&command).map(drop),
        }
    }
}

fn vertex(mv: Move) -> String {
    mv.to_string().to_ascii_uppercase()
}

/// Reads one response, limited in time, lines and bytes.
struct ResponseReader<'a> {
    process: &'a Process,
    deadline: Instant,
    allowed: Duration,
    /// Remaining numbers of lines and bytes.
    left: (usize, usize),
}

impl<'a> ResponseReader<'a> {
    fn new(process: &'a Process, deadline: Instant, allowed: Duration) -> ResponseReader<'a> {
        ResponseReader {
            process,
            deadline,
            allowed,
            left: (MOST_LINES, MOST_BYTES),
        }
    }

    fn line(&mut self) -> Result<Option<String>, Trouble> {
        let line = self.process.line(self.deadline)?;
        if let Some(line) = &line {
            let (lines, bytes) = self.left;
            let left = lines.checked_sub(1).zip(bytes.checked_sub(line.len()));
            self.left = left.ok_or(Fault::Endless)?;
        }
        Ok(line)
    }

    /// Returns the next line that is not blank.
    fn first_line(&mut self) -> Result<String, Trouble> {
        loop {
            match self.line()? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => return Ok(line),
                None => return Err(Fault::Silent(self.allowed, None).into()),
            }
        }
    }

    /// Returns the lines up to the blank line that ends a response.
    fn rest_of_response(&mut self) -> Result<String, Trouble> {
        let mut rest = Vec::new();
        loop {
            match self.line()? {
                Some(line) if line.trim().is_empty() => return Ok(rest.join("\n")),
                Some(line) => rest.push(line),
                None => return Err(Fault::Silent(self.allowed, rest.pop()).into()),
            }
        }
    }
}

/// Formats a time in seconds for GTP, as an integer if its fraction is below a millisecond.
fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        time.as_secs().to_string()
    } else {
        format!("{:.2}", time.as_secs_f64())
    }
}

impl Player for Gtp {
    fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Trouble> {
        let can_stay = self.keep || self.forgets;
        if self.has_thought && (self.context.fresh || !can_stay) {
            self.say_goodbye();
        }
        self.process()?;
        self.command("clear_board")?;
        if self.forgets && !self.keep {
            self.command("clear_cache")?;
        }
        let settings = match clock {
            Clock::Unlimited => None,
            Clock::PerMove(time) => Some(format!("0 {} 1", seconds(time))),
            Clock::Game { main, increment } => {
                Some(format!("{} {} 0", seconds(main), seconds(increment)))
            }
        };
        if let Some(settings) = settings {
            // A program without time control may refuse this. The referee times it anyway.
            let _: Response = self.ask(&format!("time_settings {settings}"))?;
        }
        for (played, position) in game.moves().iter().zip(game.positions()) {
            self.play(position.mover, played.mv)?;
        }
        Ok(())
    }

    fn hear(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), Trouble> {
        // The program has already played moves of its own `genmove`.
        if own && played.mv != Move::Pass {
            return Ok(());
        }
        self.play(mover, played.mv)
    }

    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), Trouble> {
        if let Some(TimeControl::Clock { left, .. }) = time {
            let _: Response = self.ask(&format!("time_left {mover} {} 0", seconds(left)))?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        _time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble> {
        self.has_thought = true;
        let command = format!("genmove {}", game.position().mover);
        let allowed = deadline.saturating_duration_since(Instant::now());
        let answer = self.ask_until(&command, deadline, allowed)?;
        let answer = answer.map_err(|refusal| Fault::Refused(command, refusal))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Fault::Resigned.into());
        }
        let mv = answer.parse().map_err(|_| Fault::Garbage(answer))?;
        Ok(Thought {
            mv,
            eval: None,
            depth: None,
            nodes: None,
        })
    }

    fn dismiss(&mut self) {
        self.process = None;
    }
}

impl Gtp {
    fn say_goodbye(&mut self) {
        if let Some(process) = self.process.take() {
            process.leave("quit");
        }
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        self.say_goodbye();
    }
}
