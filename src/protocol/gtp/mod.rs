//! GTP, the Go Text Protocol, version 2, as Othello clients use it.
//!
//! A response is `=id answer` or `?id error`, followed by a blank line. Commands are executed in
//! order. At the end of the input, all commands before it are still executed: every search has
//! limits.
//!
//! The comment `# interrupt` stops the running search, and the response is the best move so far. A
//! `quit` that arrives during the search also stops the search. A `quit` that arrived before the
//! search waits for its turn, and stops searches ten seconds after its arrival.
//!
//! A move of the side that is not to move implies a pass of the other side. Such a move is illegal
//! if the other side has a legal move.
//!
//! Pondering ends at an unexpected move, or when the engine is needed for another search.
//!
//! Reading order: this file, `play`, `clock`, `gogui`.

mod clock;
mod gogui;
mod play;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use super::reader::{Inbox, InputLine, LineKind};
use super::shown;
use clock::GameClock;
use emilia_core::board::{Color, Position, Transcript};
use emilia_games::Game;
use emilia_player::{Player, Setup, options};

/// Response to a command: the text after `=` (`Ok`), or one sentence after `?` (`Err`).
type Response = Result<String, String>;

/// Handler of a command, with its arguments.
type Handler = fn(&mut GtpSession, &[&str]) -> Response;

/// All commands, in the order of `list_commands`.
pub(super) const COMMANDS: &[(&str, Handler)] = &[
    ("boardsize", |_, arguments| play::boardsize(arguments)),
    ("clear_board", |session, _| session.clear_board()),
    ("clear_cache", |session, _| session.clear_cache()),
    ("emilia-eval", |session, _| Ok(session.eval())),
    ("emilia-hint", GtpSession::hint),
    ("emilia-set", GtpSession::set),
    ("emilia-setboard", GtpSession::setboard),
    ("final_score", |session, _| session.final_score()),
    ("genmove", GtpSession::genmove),
    ("gogui-analyze_commands", |_, _| {
        Ok(gogui::ANALYZE_COMMANDS.to_owned())
    }),
    ("gogui-interrupt", |_, _| DONE),
    ("gogui-rules_board", |session, _| Ok(session.rules_board())),
    ("gogui-rules_board_size", |_, _| Ok("8".to_owned())),
    ("gogui-rules_final_result", |session, _| {
        Ok(session.rules_final_result())
    }),
    ("gogui-rules_game_id", |_, _| Ok("Othello".to_owned())),
    ("gogui-rules_legal_moves", |session, _| {
        Ok(session.rules_legal_moves())
    }),
    ("gogui-rules_side_to_move", |session, _| {
        Ok(session.game.position().mover.to_string())
    }),
    ("kgs-time_settings", GtpSession::kgs_time_settings),
    ("known_command", |_, arguments| known_command(arguments)),
    ("komi", |_, arguments| play::komi(arguments)),
    ("list_commands", |_, _| Ok(list_commands())),
    ("list_games", |_, _| Ok("Othello".to_owned())),
    ("loadsgf", GtpSession::loadsgf),
    ("name", |_, _| Ok("Emilia".to_owned())),
    ("play", GtpSession::play),
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("quit", |session, _| {
        session.quit = true;
        DONE
    }),
    ("reg_genmove", GtpSession::reg_genmove),
    ("set_game", |_, arguments| play::set_game(arguments)),
    ("showboard", |session, _| Ok(session.showboard())),
    ("time_left", GtpSession::time_left),
    ("time_settings", GtpSession::time_settings),
    ("undo", |session, _| session.undo()),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
];

/// Returns the error of an unknown command. If the command is a move such as `f5`, the user
/// probably expects a game, and the error names the commands to play.
fn unknown(command: &str) -> &'static str {
    match Transcript::parse(command, Position::START) {
        Ok(_) => "unknown command (here 'play b f5' plays a move; 'emilia play' plays with you)",
        Err(_) if command == "help" => "unknown command (list_commands lists all)",
        Err(_) => "unknown command",
    }
}

fn list_commands() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|&(name, _)| name).collect();
    names.join("\n")
}

fn known_command(arguments: &[&str]) -> Response {
    let &[name] = arguments else {
        return refuse("known_command needs a name");
    };
    let known = COMMANDS.iter().any(|&(command, _)| command == name);
    Ok(known.to_string())
}

/// Preprocesses a line as the standard requires: removes control characters and the comment, and
/// replaces tabs by spaces.
fn cleaned(line: &str) -> String {
    let command = line.split('#').next().unwrap_or_default();
    let spaced = command.replace('\t', " ");
    spaced.chars().filter(|sign| !sign.is_control()).collect()
}

/// Parses a preprocessed line into an id (digits, may be empty), a command and its arguments.
/// Returns `None` if the line is blank.
fn parse(line: &str) -> Option<(&str, &str, Vec<&str>)> {
    let mut words = line.split_whitespace().peekable();
    let is_id = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.peek()?;
    let id = words.next_if(is_id).unwrap_or_default();
    let command = words.next().unwrap_or_default();
    Some((id, command, words.collect()))
}

/// Returns the effect of a line on the running search. GoGui sends the comment `# interrupt` to
/// stop a search.
fn kind(line: &InputLine) -> LineKind {
    if line.text.starts_with("# interrupt") {
        return LineKind::Stops;
    }
    match parse(&cleaned(&line.text)) {
        Some((_, "quit", _)) => LineKind::Quit,
        _ => LineKind::Waits,
    }
}

/// Parses `b`, `black`, `w` or `white` in any case.
fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Response to a command that succeeded and has no output.
const DONE: Response = Ok(String::new());

fn refuse(sentence: &str) -> Response {
    Err(sentence.to_owned())
}

/// State of a GTP session.
#[derive(Debug)]
pub(super) struct GtpSession {
    setup: Setup,
    player: Player,
    inbox: Inbox,
    game: Game,
    /// Number of moves of `game` before each move that `undo` can undo.
    /// An implied pass is undone together with the move that implied it.
    history: Vec<usize>,
    clock: GameClock,
    quit: bool,
}

/// Runs a GTP session until `quit` or the end of the input.
pub(super) fn run(inbox: Inbox, out: &mut dyn Write, setup: Setup) -> io::Result<()> {
    let mut session = GtpSession {
        inbox: inbox.with_kinds(kind),
        player: setup.player()?,
        setup,
        game: Game::default(),
        history: Vec::new(),
        clock: GameClock::default(),
        quit: false,
    };
    while !session.quit
        && let Some(line) = session.next_line()
    {
        if let Some(response) = session.respond(&line) {
            out.write_all(response.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

impl GtpSession {
    /// Returns the next line. The player ponders until the line arrives, if pondering is enabled.
    fn next_line(&mut self) -> Option<InputLine> {
        let position = self.game.position();
        self.player.ponder(&position, &self.setup.limits);
        self.inbox.next()
    }

    /// Returns the complete response to a line. `None` for a blank line or a comment.
    fn respond(&mut self, line: &InputLine) -> Option<String> {
        let cleaned = cleaned(&line.text);
        let (id, command, arguments) = parse(&cleaned)?;
        let response = match COMMANDS.iter().find(|(name, _)| *name == command) {
            _ if line.cut => refuse("line too long"),
            Some((_, handler)) => handler(self, &arguments),
            None => refuse(unknown(command)),
        };
        let (sign, text) = match response {
            Ok(text) => ('=', text),
            Err(sentence) => ('?', shown(&sentence)),
        };
        // A board diagram starts on a new line.
        let gap = if text.is_empty() || text.starts_with('\n') {
            ""
        } else {
            " "
        };
        Some(format!("{sign}{id}{gap}{text}\n\n"))
    }

    /// Executes `emilia-set NAME VALUE`. Without arguments, returns all options with their values.
    fn set(&mut self, arguments: &[&str]) -> Response {
        let &[name, value] = arguments else {
            if !arguments.is_empty() {
                return refuse("emilia-set needs a name and a value");
            }
            let rows = options::ALL.iter().map(|option| {
                let value = (option.get)(&self.setup);
                format!("{} {}", option.name, value.as_deref().unwrap_or("none"))
            });
            return Ok(rows.collect::<Vec<_>>().join("\n"));
        };
        self.setup.set(&mut self.player, name, value)?;
        DONE
    }
}
