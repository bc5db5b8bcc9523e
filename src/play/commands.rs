//! Parser of the lines typed during a game, and their help table.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use super::players::{self, Humans, Strength};
use emilia_core::board::{Move, excerpt};
use emilia_view::{Align, Table};

/// Default number of moves that `hint` shows.
const DEFAULT_HINTS: usize = 3;

/// Maximum number of moves of `back` and `forward`. No game is longer.
const MAX_STEPS: isize = 120;

/// First words of all commands, for completion.
pub(super) const WORDS: [&str; 19] = [
    "back", "board", "eval", "exit", "forward", "go", "help", "hint", "level", "load", "moves",
    "new", "quit", "redo", "resign", "save", "side", "undo", "?",
];

/// Returns whether a file name follows this command word.
pub(super) fn takes_a_file(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "load" | "save")
}

/// Returns the arguments of a command word, for completion.
pub(super) fn arguments(word: &str) -> &'static [&'static str] {
    match word.to_ascii_lowercase().as_str() {
        "level" => &players::WORDS,
        "side" => &Humans::NAMES,
        _ => &[],
    }
}

/// Parsed line typed during a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
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

impl FromStr for PlayCommand {
    type Err = String;

    /// Parses moves and commands, ignoring case. File names keep theirs.
    fn from_str(line: &str) -> Result<PlayCommand, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_ascii_lowercase();
        let expected = |what: &str| format!("{word} '{}': expected {what}.", excerpt(rest));
        let count = |max: isize| match rest.parse() {
            Ok(count) if (1..=max).contains(&count) => Ok(count),
            _ => Err(expected(&format!("a number of moves, 1 to {max}"))),
        };
        Ok(match (word.as_str(), rest) {
            ("save" | "load", "") => {
                let ending = if word == "save" { "txt" } else { "sgf" };
                return Err(format!(
                    "{word} needs a file name, like {word} game.{ending}."
                ));
            }
            ("save", file) => PlayCommand::Save(PathBuf::from(file)),
            ("load", file) => PlayCommand::Load(file.to_owned()),
            ("hint", "") => PlayCommand::Hint(DEFAULT_HINTS),
            ("hint", _) => PlayCommand::Hint(count(64)?.unsigned_abs()),
            ("back", "") => PlayCommand::Step(1),
            ("forward", "") => PlayCommand::Step(-1),
            ("back", _) => PlayCommand::Step(count(MAX_STEPS)?),
            ("forward", _) => PlayCommand::Step(-count(MAX_STEPS)?),
            ("level", "") => PlayCommand::Level(None),
            ("level", level) => match level.parse() {
                Ok(strength) => PlayCommand::Level(Some(strength)),
                Err(problem) => return Err(format!("level '{}': {problem}.", excerpt(level))),
            },
            ("side", side) => PlayCommand::Side(
                Humans::from_str(side, true)
                    .map_err(|_| expected("black, white, both or none, the sides that you play"))?,
            ),
            ("undo", "") => PlayCommand::Undo,
            ("redo", "") => PlayCommand::Redo,
            ("go", "") => PlayCommand::Go,
            ("eval", "") => PlayCommand::Eval,
            ("resign", "") => PlayCommand::Resign,
            ("moves", "") => PlayCommand::Moves,
            ("new", "") => PlayCommand::New,
            ("board", "") => PlayCommand::Board,
            ("help" | "?", "") => PlayCommand::Help,
            ("quit" | "exit", "") => PlayCommand::Quit,
            _ => PlayCommand::Play(line.parse().map_err(|_| {
                let problem = if is_several_moves(line) {
                    "is several moves; type one move at a time"
                } else {
                    "is neither a move nor a command; help lists the commands"
                };
                format!("'{}' {problem}.", excerpt(line))
            })?),
        })
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

/// Commands in the order of the help, with what they do.
const HELP: [(&str, &str); 17] = [
    ("f5", "play that square; passes are made for you"),
    ("undo", "go back to your previous turn"),
    ("redo", "make the moves again that undo took back"),
    (
        "back, forward",
        "step through the game, back 10 by ten moves; Emilia does not answer",
    ),
    ("go", "let Emilia move for the side to move"),
    (
        "hint",
        "see the best moves with their scores; without limits until you press Enter; hint 5 shows \
         five",
    ),
    ("eval", "see the static evaluation, without search"),
    (
        "level L",
        "choose how strong Emilia is: beginner, casual, club, strong, best, h1 to h14 like \
         people, 1 to 60 by depth",
    ),
    ("side white", "play that side: black, white, both or none"),
    ("board", "see the board again"),
    ("moves", "see the moves so far"),
    (
        "save FILE",
        "write the game: .sgf, .ggf, or .txt for its moves",
    ),
    (
        "load FILE",
        "continue a saved game: load game.sgf, load game.sgf:12 after 12 moves",
    ),
    ("resign", "give the game up"),
    ("new", "begin again"),
    ("quit", "leave; so does the end of input, Ctrl-D"),
    (
        "Ctrl-C",
        "while Emilia thinks: stop and take the best result so far; else leave",
    ),
];

/// Returns the table of commands, with editor keys if `edits` is true.
pub(super) fn help(edits: bool) -> Table {
    let mut table = Table::new([("type", Align::Left), ("to", Align::Left)]);
    for (typed, meaning) in HELP {
        table.row([typed, meaning]);
    }
    if edits {
        let meaning = "complete the word, recall earlier lines, search them";
        table.row(["Tab, up, Ctrl-R", meaning]);
    }
    table
}
