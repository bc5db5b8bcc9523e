//! GTP, the Go Text Protocol, version 2, as Othello clients use it.
//!
//! A response is `=id answer` or `?id error`, followed by a blank line.
//! Commands are executed in order. `quit` and the end of the input take effect after the commands
//! before them, whose searches all have limits.
//! The comment `# interrupt` stops the running search, whose best move is the response.
//! Pondering ends at an unexpected move, or when the engine is needed for another search.
//! A move of the side that is not to move implies a forced pass of the other side. If that side can
//! move, the move is illegal.
//!
//! Reading order: this file, `request`, `play`, `clock`, `gogui`.

#[cfg(feature = "arena")]
pub(super) mod client;
mod clock;
mod gogui;
mod play;
mod request;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};

use super::reader::{Inbox, InputLine};
use super::{Setup, shown};
use crate::game::Game;
use crate::player::Player;
use crate::search::Engine;
use clock::GameClock;
use request::{Request, cleaned};

/// Response to a command: the text after `=`, or one sentence after `?`.
type Answer = Result<String, String>;

/// Handler of a command, by what it needs.
enum GtpCommand {
    /// Constant text.
    Text(&'static str),
    /// Text of the session's state. Arguments are ignored.
    Query(fn(&GtpSession) -> String),
    /// Check of the arguments alone.
    Check(fn(&[&str]) -> Answer),
    /// Action that cannot fail. Arguments are ignored.
    Run(fn(&mut GtpSession)),
    /// Action with arguments, which may fail.
    Execute(fn(&mut GtpSession, &[&str]) -> Answer),
}

use GtpCommand::{Check, Execute, Query, Run, Text};

/// All commands, sorted by name for the binary search.
const COMMANDS: &[(&str, GtpCommand)] = &[
    ("boardsize", Check(play::boardsize)),
    ("clear_board", Run(GtpSession::clear_board)),
    ("clear_cache", Run(GtpSession::clear_cache)),
    ("emilia-eval", Query(GtpSession::eval)),
    ("emilia-hint", Execute(GtpSession::hint)),
    ("emilia-set", Execute(GtpSession::set)),
    ("emilia-setboard", Execute(GtpSession::setboard)),
    ("final_score", Execute(GtpSession::final_score)),
    ("genmove", Execute(GtpSession::genmove)),
    ("gogui-analyze_commands", Text(gogui::ANALYZE_COMMANDS)),
    ("gogui-interrupt", Text("")),
    ("gogui-rules_board", Query(GtpSession::rules_board)),
    ("gogui-rules_board_size", Text("8")),
    (
        "gogui-rules_final_result",
        Query(GtpSession::rules_final_result),
    ),
    ("gogui-rules_game_id", Text("Othello")),
    (
        "gogui-rules_legal_moves",
        Query(GtpSession::rules_legal_moves),
    ),
    (
        "gogui-rules_side_to_move",
        Query(GtpSession::rules_side_to_move),
    ),
    ("known_command", Check(known_command)),
    ("komi", Check(play::komi)),
    ("list_commands", Query(|_| list_commands())),
    ("list_games", Text("Othello")),
    ("loadsgf", Execute(GtpSession::loadsgf)),
    ("name", Text("Emilia")),
    ("play", Execute(GtpSession::play)),
    ("protocol_version", Text("2")),
    ("quit", Run(GtpSession::quit)),
    ("reg_genmove", Execute(GtpSession::reg_genmove)),
    ("set_game", Check(play::set_game)),
    ("showboard", Query(GtpSession::showboard)),
    ("time_left", Execute(GtpSession::time_left)),
    ("time_settings", Execute(GtpSession::time_settings)),
    ("undo", Execute(GtpSession::undo)),
    ("version", Text(env!("CARGO_PKG_VERSION"))),
];

fn list_commands() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|&(name, _)| name).collect();
    names.join("\n")
}

fn known_command(arguments: &[&str]) -> Answer {
    let &[name] = arguments else {
        return refuse("known_command needs a name");
    };
    let known = COMMANDS.iter().any(|&(command, _)| command == name);
    Ok(known.to_string())
}

/// Empty response: success.
const DONE: Answer = Ok(String::new());

fn refuse(sentence: &str) -> Answer {
    Err(sentence.to_owned())
}

/// State of a GTP session.
#[derive(Debug)]
struct GtpSession {
    setup: Setup,
    player: Player,
    inbox: Inbox,
    game: Game,
    /// Number of moves before each move of the client, for `undo`.
    /// An implied pass is undone together with the move that implied it.
    history: Vec<usize>,
    clock: GameClock,
    quit: bool,
}

/// Runs a GTP session until `quit` or the end of the input.
pub(super) fn run(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
) -> io::Result<()> {
    let mut session = GtpSession::open(input, setup)?;
    while !session.quit
        && let Some(line) = session.next_line()
    {
        if let Some(answer) = session.answer(&line) {
            out.write_all(answer.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

impl GtpSession {
    fn open(input: impl BufRead + Send + 'static, setup: Setup) -> io::Result<GtpSession> {
        let engine = Engine::try_new(setup.settings.clone())?;
        Ok(GtpSession {
            inbox: Inbox::open(input, request::kind, setup.client_has_left)?,
            player: Player::new(engine).with_play_settings(setup.play_settings.clone()),
            setup,
            game: Game::default(),
            history: Vec::new(),
            clock: GameClock::default(),
            quit: false,
        })
    }

    /// Returns the next line. The player ponders until it comes, if enabled.
    fn next_line(&mut self) -> Option<InputLine> {
        let position = self.game.position();
        self.player.ponder(&position, &self.setup.limits);
        self.inbox.next()
    }

    /// Returns the complete response to a line. `None` for a blank line or a comment.
    fn answer(&mut self, line: &InputLine) -> Option<String> {
        let cleaned = cleaned(&line.text);
        let request = Request::parse(&cleaned)?;
        let answer = if line.cut {
            refuse("line too long")
        } else {
            self.execute(&request)
        };
        let (sign, text) = match answer {
            Ok(text) => ('=', text),
            Err(sentence) => ('?', shown(&sentence)),
        };
        // A board diagram starts on a new line.
        let gap = if text.is_empty() || text.starts_with('\n') {
            ""
        } else {
            " "
        };
        Some(format!("{sign}{}{gap}{text}\n\n", request.id))
    }

    fn execute(&mut self, request: &Request) -> Answer {
        let index = COMMANDS.binary_search_by_key(&request.command, |&(name, _)| name);
        let index = index.map_err(|_| "unknown command")?;
        match &COMMANDS[index].1 {
            Text(words) => Ok((*words).to_owned()),
            Query(show) => Ok(show(self)),
            Check(judge) => judge(&request.arguments),
            Run(act) => {
                act(self);
                DONE
            }
            Execute(act) => act(self, &request.arguments),
        }
    }

    fn quit(&mut self) {
        self.quit = true;
    }

    /// Executes `emilia-set NAME VALUE`.
    fn set(&mut self, arguments: &[&str]) -> Answer {
        let &[name, value] = arguments else {
            return refuse("emilia-set needs a name and a value");
        };
        self.setup.set(&mut self.player, name, value)?;
        DONE
    }
}
