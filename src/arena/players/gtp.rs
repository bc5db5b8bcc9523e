//! A program that speaks GTP. Stands on `process`.

use std::time::{Duration, Instant};

use super::process::{Process, Surroundings};
use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::{Color, Move};
use crate::game::{Game, Played};
use crate::search::TimeControl;

/// A player at the other end of a pipe.
#[derive(Debug)]
pub(super) struct Gtp {
    command: String,
    surroundings: Surroundings,
    process: Option<Process>,
}

/// An answer: what came after `=`, or after `?`.
type Answer = Result<String, String>;

impl Gtp {
    pub(super) fn new(command: &str, surroundings: Surroundings) -> Gtp {
        Gtp {
            command: command.to_owned(),
            surroundings,
            process: None,
        }
    }

    fn process(&mut self) -> Result<&Process, Trouble> {
        if self.process.is_none() {
            let process = Process::start(&self.command, &self.surroundings)?;
            process.send("name");
            // Programs may greet; from here on they only answer.
            while first_line(&process, process.patience(), self.surroundings.patience)?
                .strip_prefix(['=', '?'])
                .is_none()
            {}
            rest_of_answer(&process, process.patience(), self.surroundings.patience)?;
            self.process = Some(process);
            for command in ["set_game Othello", "boardsize 8"] {
                // Most programs know but one game; those that know another refuse its moves below.
                let _: Answer = self.ask(command)?;
            }
        }
        self.process.as_ref().ok_or(Trouble::Fault(Fault::Ended))
    }

    /// Sends a command that no clock bounds and waits for its answer.
    fn ask(&mut self, command: &str) -> Result<Answer, Trouble> {
        let patience = self.surroundings.patience;
        self.ask_until(command, Instant::now() + patience, patience)
    }

    fn ask_until(
        &mut self,
        command: &str,
        deadline: Instant,
        allowed: Duration,
    ) -> Result<Answer, Trouble> {
        let process = self.process()?;
        process.send(command);
        let line = first_line(process, deadline, allowed)?;
        let rest = rest_of_answer(process, deadline, allowed)?;
        let text = |first: &str| [first.trim(), &rest].join("\n").trim().to_owned();
        if let Some(first) = line.strip_prefix('=') {
            Ok(Ok(text(first)))
        } else if let Some(first) = line.strip_prefix('?') {
            Ok(Err(text(first)))
        } else {
            Err(Fault::Garbage(line).into())
        }
    }

    /// Sends a command that must not be refused.
    fn command(&mut self, command: &str) -> Result<String, Trouble> {
        let answer = self.ask(command)?;
        answer.map_err(|refusal| Fault::Refused(command.to_owned(), refusal).into())
    }

    /// Tells of a move. Passes are told too, but many programs neither need nor understand them.
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

/// The next line that is not blank.
fn first_line(process: &Process, deadline: Instant, allowed: Duration) -> Result<String, Trouble> {
    loop {
        match process.line(deadline)? {
            Some(line) if line.trim().is_empty() => {}
            Some(line) => return Ok(line),
            None => return Err(Fault::Silent(allowed, None).into()),
        }
    }
}

/// The lines up to the blank one that ends an answer.
fn rest_of_answer(
    process: &Process,
    deadline: Instant,
    allowed: Duration,
) -> Result<String, Trouble> {
    let mut rest = Vec::new();
    loop {
        match process.line(deadline)? {
            Some(line) if line.trim().is_empty() => return Ok(rest.join("\n")),
            Some(line) => rest.push(line),
            None => return Err(Fault::Silent(allowed, rest.pop()).into()),
        }
    }
}

/// Seconds as GTP writes them: whole numbers where they are whole.
fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        time.as_secs().to_string()
    } else {
        format!("{:.2}", time.as_secs_f64())
    }
}

impl Player for Gtp {
    fn begin(&mut self, game: &Game, clock: Clock) -> Result<(), Trouble> {
        if self.surroundings.fresh {
            self.say_goodbye();
        }
        self.process()?;
        self.command("clear_board")?;
        let settings = match clock {
            Clock::Unlimited => None,
            Clock::PerMove(time) => Some(format!("0 {} 1", seconds(time))),
            Clock::Game { main, increment } => {
                Some(format!("{} {} 0", seconds(main), seconds(increment)))
            }
        };
        if let Some(settings) = settings {
            // A program that does not know of time is held to it all the same.
            let _: Answer = self.ask(&format!("time_settings {settings}"))?;
        }
        for (played, position) in game.moves().iter().zip(game.positions()) {
            self.play(position.mover, played.mv)?;
        }
        Ok(())
    }

    fn hear(&mut self, mover: Color, played: &Played, own: bool) -> Result<(), Trouble> {
        // `genmove` has played its own moves already.
        if own && played.mv != Move::Pass {
            return Ok(());
        }
        self.play(mover, played.mv)
    }

    fn prepare(&mut self, mover: Color, time: Option<TimeControl>) -> Result<(), Trouble> {
        if let Some(TimeControl::Clock { left, .. }) = time {
            let _: Answer = self.ask(&format!("time_left {mover} {} 0", seconds(left)))?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        _time: Option<TimeControl>,
        deadline: Instant,
    ) -> Result<Thought, Trouble> {
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
