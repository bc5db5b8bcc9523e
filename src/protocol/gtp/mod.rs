//! GTP, the Go Text Protocol, version 2, as Othello clients speak it: `=id answer` or `?id sentence`, and a blank line.
//!
//! Commands are answered in order. `quit` and the end of the input wait for the commands before them, whose searches all
//! have limits; the comment `# interrupt` ends a running search, whose move is answered. Pondering goes on until the opponent
//! plays a move that was not expected, or the engine is needed for something else. A move of the side that is not to move is taken as a sign that the client sends no passes: the
//! forced pass of the other side is played before it; where none is forced, the move is illegal.

mod clock;
mod gogui;
mod play;
mod request;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};

use super::reader::{Inbox, Line};
use super::{Setup, shown};
use crate::game::Game;
use crate::player::Player;
use crate::search::Engine;
use clock::GameClock;
use request::{Request, cleaned};

/// What a command answers: the text after `=`, or one sentence after `?`.
type Answer = Result<String, String>;

/// What a command is made of.
enum Command {
    /// The same words always.
    Says(&'static str),
    /// Something of the session, whatever the arguments.
    Shows(fn(&Session) -> String),
    /// A judgement of the arguments alone.
    Judges(fn(&[&str]) -> Answer),
    /// A deed that cannot fail, whatever the arguments.
    Acts(fn(&mut Session)),
    /// A deed.
    Does(fn(&mut Session, &[&str]) -> Answer),
}

use Command::{Acts, Does, Judges, Says, Shows};

/// All commands, sorted by name.
const COMMANDS: &[(&str, Command)] = &[
    ("boardsize", Judges(play::boardsize)),
    ("clear_board", Acts(Session::clear_board)),
    ("clear_cache", Acts(Session::clear_cache)),
    ("emilia-eval", Shows(Session::eval)),
    ("emilia-hint", Does(Session::hint)),
    ("emilia-set", Does(Session::set)),
    ("emilia-setboard", Does(Session::setboard)),
    ("final_score", Does(Session::final_score)),
    ("genmove", Does(Session::genmove)),
    ("gogui-analyze_commands", Says(gogui::ANALYZE_COMMANDS)),
    ("gogui-interrupt", Says("")),
    ("gogui-rules_board", Shows(Session::rules_board)),
    ("gogui-rules_board_size", Says("8")),
    (
        "gogui-rules_final_result",
        Shows(Session::rules_final_result),
    ),
    ("gogui-rules_game_id", Says("Othello")),
    ("gogui-rules_legal_moves", Shows(Session::rules_legal_moves)),
    (
        "gogui-rules_side_to_move",
        Shows(Session::rules_side_to_move),
    ),
    ("known_command", Judges(known_command)),
    ("komi", Judges(play::komi)),
    ("list_commands", Shows(|_| list_commands())),
    ("list_games", Says("Othello")),
    ("loadsgf", Does(Session::loadsgf)),
    ("name", Says("Emilia")),
    ("play", Does(Session::play)),
    ("protocol_version", Says("2")),
    ("quit", Acts(Session::quit)),
    ("reg_genmove", Does(Session::reg_genmove)),
    ("set_game", Judges(play::set_game)),
    ("showboard", Shows(Session::showboard)),
    ("time_left", Does(Session::time_left)),
    ("time_settings", Does(Session::time_settings)),
    ("undo", Does(Session::undo)),
    ("version", Says(env!("CARGO_PKG_VERSION"))),
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

/// The answer that says no more than that it is done.
const DONE: Answer = Ok(String::new());

fn refuse(sentence: &str) -> Answer {
    Err(sentence.to_owned())
}

/// What a session knows.
#[derive(Debug)]
struct Session {
    setup: Setup,
    player: Player,
    inbox: Inbox,
    game: Game,
    /// The number of moves before each move that the client knows of, for `undo`: a pass that was put in goes with
    /// the move it was put in for.
    history: Vec<usize>,
    clock: GameClock,
    quit: bool,
}

/// Speaks GTP until `quit` or the end of the input.
pub(super) fn run(
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
) -> io::Result<()> {
    let mut session = Session::open(input, setup)?;
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

impl Session {
    fn open(input: impl BufRead + Send + 'static, setup: Setup) -> io::Result<Session> {
        let engine = Engine::try_new(setup.settings.clone())?;
        Ok(Session {
            inbox: Inbox::open(input, request::kind, setup.is_client_gone)?,
            player: Player::new(engine).with_style(setup.style),
            setup,
            game: Game::default(),
            history: Vec::new(),
            clock: GameClock::default(),
            quit: false,
        })
    }

    /// The next line. Until it comes the player ponders, where that is wanted and the opponent is to move.
    fn next_line(&mut self) -> Option<Line> {
        let position = self.game.position();
        self.player.ponder(&position, &self.setup.limits);
        self.inbox.next()
    }

    /// The whole answer to a line; `None` to a line that says nothing.
    fn answer(&mut self, line: &Line) -> Option<String> {
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
        // A picture starts on a line of its own.
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
            Says(words) => Ok((*words).to_owned()),
            Shows(show) => Ok(show(self)),
            Judges(judge) => judge(&request.arguments),
            Acts(act) => {
                act(self);
                DONE
            }
            Does(act) => act(self, &request.arguments),
        }
    }

    fn quit(&mut self) {
        self.quit = true;
    }

    /// `emilia-set NAME VALUE`.
    fn set(&mut self, arguments: &[&str]) -> Answer {
        let &[name, value] = arguments else {
            return refuse("emilia-set needs a name and a value");
        };
        self.setup.set(&mut self.player, name, value)?;
        DONE
    }
}
