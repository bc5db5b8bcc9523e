//! Client side of GTP, the Go Text Protocol.

use std::time::{Duration, Instant};

use super::{Client, PlayerError, PlayerMove, Process, Result, garbage, refused};
use crate::Clock;
use emilia_core::board::{Color, Move};
use emilia_core::search::TimeControl;
use emilia_games::{Game, Played};

/// Maximum number of bytes in a response, line ends included.
const MAX_BYTES: usize = 1 << 20;

/// Text of a response: `Ok` after `=`, `Err` after `?`.
type Response = std::result::Result<String, String>;

/// State of the connection to a GTP program.
#[derive(Debug, Default)]
pub(super) struct GtpClient {
    /// Whether the program supports `clear_cache`, which clears its transposition table.
    can_clear: bool,
}

/// Waits for a response until `deadline`. With `has_greeting`, skips lines before the first line
/// that begins with `=` or `?`.
fn response(process: &Process, deadline: Instant, has_greeting: bool) -> Result<Response> {
    let mut text: Vec<String> = Vec::new();
    let mut bytes = 0;
    process.answer(deadline, |line| {
        bytes += line.len() + 1;
        let is_greeting = has_greeting && text.is_empty() && !line.starts_with(['=', '?']);
        if bytes > MAX_BYTES {
            let what = "sent an answer without end".to_owned();
            return Some(Err(PlayerError::Fault(what)));
        } else if line.is_empty() && !text.is_empty() {
            return Some(Ok(()));
        } else if !line.is_empty() && !is_greeting {
            text.push(line.to_owned());
        }
        None
    })??;
    let whole = text.join("\n");
    let rest = |text: &str| text.trim().to_owned();
    if let Some(answer) = whole.strip_prefix('=') {
        Ok(Ok(rest(answer)))
    } else if let Some(refusal) = whole.strip_prefix('?') {
        Ok(Err(rest(refusal)))
    } else {
        Err(garbage(&text[0]))
    }
}

/// Sends a command and waits for its response.
fn ask(process: &Process, command: &str) -> Result<Response> {
    process.send(command);
    response(process, process.patience(), false)
}

/// Sends a command that the program must accept: a refusal is a fault of the program.
fn command(process: &Process, command: &str) -> Result<String> {
    let answer = ask(process, command)?;
    answer.map_err(|refusal| refused(command, &refusal))
}

/// Sends a move with `play`. A refused pass is ignored: many programs do not support passes.
fn play(process: &Process, mover: Color, mv: Move) -> Result {
    let vertex = mv.to_string().to_ascii_uppercase();
    let text = format!("play {mover} {vertex}");
    match mv {
        Move::Place(_) => command(process, &text).map(drop),
        Move::Pass => ask(process, &text).map(drop),
    }
}

/// Formats a time in seconds for GTP: an integer if the fraction is below a millisecond, otherwise
/// with two decimals.
fn seconds(time: Duration) -> String {
    if time.subsec_millis() == 0 {
        time.as_secs().to_string()
    } else {
        format!("{:.2}", time.as_secs_f64())
    }
}

impl Client for GtpClient {
    fn start(&mut self, process: &Process) -> Result {
        process.send("name");
        // Programs may print a greeting before the first response, but none afterwards.
        let _: Response = response(process, process.patience(), true)?;
        for command in ["set_game Othello", "boardsize 8"] {
            // A program may refuse these commands: many programs play only Othello and only on 8×8.
            let _: Response = ask(process, command)?;
        }
        self.can_clear = ask(process, "known_command clear_cache")?.as_deref() == Ok("true");
        Ok(())
    }

    fn clear(&mut self, process: &Process) -> Result<bool> {
        if self.can_clear {
            command(process, "clear_cache")?;
        }
        Ok(self.can_clear)
    }

    fn begin(&mut self, process: &Process, game: &Game, clock: Option<Clock>) -> Result {
        command(process, "clear_board")?;
        let settings = clock.map(|clock| match (clock.control, clock.period) {
            (TimeControl::PerMove(time), _) => format!("0 {} 1", seconds(time)),
            (TimeControl::Clock { left, .. }, Some(period)) => {
                format!("0 {} {}", seconds(left), period.moves)
            }
            (TimeControl::Clock { left, increment }, None) => {
                format!("{} {} 0", seconds(left), seconds(increment))
            }
        });
        if let Some(settings) = settings {
            // A program without time control may refuse this command. The referee measures its time
            // anyway.
            let _: Response = ask(process, &format!("time_settings {settings}"))?;
        }
        for (played, position) in game.moves().iter().zip(game.positions()) {
            play(process, position.mover, played.mv)?;
        }
        Ok(())
    }

    fn notify(&mut self, process: &Process, mover: Color, played: &Played, own: bool) -> Result {
        // `genmove` has already played the program's own move. A forced pass was not generated.
        if own && played.mv != Move::Pass {
            Ok(())
        } else {
            play(process, mover, played.mv)
        }
    }

    fn prepare(&mut self, process: &Process, mover: Color, clock: Option<Clock>) -> Result {
        let Some(Clock { control, period }) = clock else {
            return Ok(());
        };
        if let TimeControl::Clock { left, .. } = control {
            let (left, stones) = (seconds(left), period.map_or(0, |period| period.left));
            let _: Response = ask(process, &format!("time_left {mover} {left} {stones}"))?;
        }
        Ok(())
    }

    fn think(&mut self, process: &Process, game: &Game, deadline: Instant) -> Result<PlayerMove> {
        let command = format!("genmove {}", game.position().mover);
        process.send(&command);
        let response = response(process, deadline, false)?;
        let answer = response.map_err(|refusal| refused(&command, &refusal))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(PlayerError::Fault("resigned".to_owned()));
        }
        let mv = answer.parse().map_err(|_| garbage(&answer))?;
        Ok(PlayerMove::new(mv))
    }
}
