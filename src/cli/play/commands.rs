//! Parser of the lines typed during a game, and their help table.

use std::path::PathBuf;
use std::str::FromStr;

use super::Humans;
use super::strength::{self, Strength};
use crate::board::{Move, excerpt};
use crate::cli::Failure;
use crate::view::{Align, Table};

/// Default number of moves that `hint` shows.
const HINTS: usize = 3;

/// Maximum number of moves of `back` and `forward`. No game is longer.
const MOST_STEPS: isize = 120;

/// First words of all commands, for completion.
pub(super) const WORDS: [&str; 19] = [
    "back", "board", "eval", "exit", "forward", "go", "help", "hint", "level", "load", "moves",
    "new", "quit", "redo", "resign", "save", "side", "undo", "?",
];

/// Returns whether a file name follows this command word.
pub(super) fn takes_a_file(word: &str) -> bool {
    ["load", "save"]
        .iter()
        .any(|command| command.eq_ignore_ascii_case(word))
}

/// Returns the arguments of a command word, for completion.
pub(super) fn arguments(word: &str) -> &'static [&'static str] {
    match word.to_ascii_lowercase().as_str() {
        "level" => &strength::WORDS,
        "side" => &Humans::NAMES,
        _ => &[],
    }
}

/// Parsed line typed during a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    Play(Move),
    Undo,
    Redo,
    /// Number of moves to step back, or forward if negative.
    Step(isize),
    /// Engine move for the side to move.
    Go,
    Hint(usize),
    Eval,
    /// New strength of the engine, or `None` to show the current one.
    Level(Option<Strength>),
    /// Sides that people play.
    Side(Humans),
    Resign,
    /// Show the transcript.
    Moves,
    Save(PathBuf),
    /// File to load, with an optional game or move number.
    Load(String),
    New,
    Board,
    Help,
    Quit,
}

impl FromStr for Command {
    type Err = Failure;

    /// Parses moves and commands, ignoring case. File names keep theirs.
    fn from_str(line: &str) -> Result<Command, Failure> {
        let complaint = |sentence: String| Err(Failure::Input(sentence));
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_ascii_lowercase();
        match (word.as_str(), rest) {
            ("save", "") => complaint("save needs a file name, like save game.txt.".to_owned()),
            ("save", file) => Ok(Command::Save(PathBuf::from(file))),
            ("load", "") => complaint("load needs a file name, like load game.sgf.".to_owned()),
            ("load", file) => Ok(Command::Load(file.to_owned())),
            ("hint", "") => Ok(Command::Hint(HINTS)),
            ("hint", count) => match count.parse() {
                Ok(count @ 1..=64) => Ok(Command::Hint(count)),
                _ => complaint(format!(
                    "hint '{}': expected a number of moves, 1 to 64.",
                    excerpt(count)
                )),
            },
            ("undo", "") => Ok(Command::Undo),
            ("redo", "") => Ok(Command::Redo),
            ("go", "") => Ok(Command::Go),
            ("back", "") => Ok(Command::Step(1)),
            ("forward", "") => Ok(Command::Step(-1)),
            ("back" | "forward", count) => match count.parse() {
                Ok(count @ 1..=MOST_STEPS) if word == "back" => Ok(Command::Step(count)),
                Ok(count @ 1..=MOST_STEPS) => Ok(Command::Step(-count)),
                _ => complaint(format!(
                    "{word} '{}': expected a number of moves, 1 to {MOST_STEPS}.",
                    excerpt(count)
                )),
            },
            ("eval", "") => Ok(Command::Eval),
            ("level", "") => Ok(Command::Level(None)),
            ("level", level) => match level.parse() {
                Ok(strength) => Ok(Command::Level(Some(strength))),
                Err(expected) => complaint(format!("level '{}': {expected}.", excerpt(level))),
            },
            ("side", side) => match Humans::named(side) {
                Some(humans) => Ok(Command::Side(humans)),
                None => complaint(format!(
                    "side '{}': expected black, white, both or none, the sides that you play.",
                    excerpt(side)
                )),
            },
            ("resign", "") => Ok(Command::Resign),
            ("moves", "") => Ok(Command::Moves),
            ("new", "") => Ok(Command::New),
            ("board", "") => Ok(Command::Board),
            ("help" | "?", "") => Ok(Command::Help),
            ("quit" | "exit", "") => Ok(Command::Quit),
            _ => match line.parse() {
                Ok(mv) => Ok(Command::Play(mv)),
                Err(_) if is_several_moves(line) => complaint(format!(
                    "'{}' is several moves; type one move at a time.",
                    excerpt(line)
                )),
                Err(_) => complaint(format!(
                    "'{}' is neither a move nor a command; help lists the commands.",
                    excerpt(line)
                )),
            },
        }
    }
}

/// Returns whether a line consists of two or more squares.
fn is_several_moves(line: &str) -> bool {
    let squares: String = line.split_whitespace().collect();
    let is_move = |square: &[u8]| {
        let square = std::str::from_utf8(square);
        square.is_ok_and(|square| square.parse::<Move>().is_ok())
    };
    squares.len() > 2 && squares.as_bytes().chunks(2).all(is_move)
}

/// Returns the table of commands, with editor keys if `edits` is true.
pub(super) fn help(edits: bool) -> Table {
    let mut table = Table::new([("type", Align::Left), ("to", Align::Left)]);
    table.row(["f5", "play that square; passes are made for you"]);
    table.row(["undo", "go back to your previous turn"]);
    table.row(["redo", "make the moves again that undo took back"]);
    table.row([
        "back, forward",
        "step through the game, back 10 by ten moves; Emilia does not answer",
    ]);
    table.row(["go", "let Emilia move for the side to move"]);
    table.row([
        "hint",
        "see the best moves with their scores; without limits until you press a key; \
             hint 5 shows five",
    ]);
    table.row(["eval", "see the static evaluation, without search"]);
    table.row([
        "level L",
        "choose how strong Emilia is: beginner, casual, club, strong, best, h1 to h14 like \
             people, 1 to 60 by depth",
    ]);
    table.row(["side white", "play that side: black, white, both or none"]);
    table.row(["board", "see the board again"]);
    table.row(["moves", "see the moves so far"]);
    table.row([
        "save FILE",
        "write the game: .sgf, .ggf, or .txt for its moves",
    ]);
    table.row([
        "load FILE",
        "continue a saved game: load game.sgf, load game.sgf:12 after 12 moves",
    ]);
    table.row(["resign", "give the game up"]);
    table.row(["new", "begin again"]);
    table.row(["quit", "leave; so does the end of input, Ctrl-D"]);
    table.row([
        "Ctrl-C",
        "while Emilia thinks: stop and take the best result so far; else leave",
    ]);
    if edits {
        table.row([
            "Tab, up, Ctrl-R",
            "complete the word, recall earlier lines, search them",
        ]);
    }
    table
}
