//! Game files of every kind, read by one function. The content determines the kind, not the name.
//!
//! Builds on the readers of the single formats in this folder, and on those of transcripts and
//! positions in `board`.

use std::borrow::Cow;

use super::match_log;
use super::wthor::{self, WthorError, WthorNames};
use super::{Game, RecordError, header, properties};
use crate::obf::parse_obf;
use emilia_core::board::{Position, Transcript, split_number};

/// Format of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFormat {
    /// Transcripts: a game on each line, or on several lines with move numbers.
    /// Header lines like `% Black: Ann` may precede one. An OBF position is a game without moves.
    Transcript,
    /// GGF, the Generic Game Format of the Generic Game Server and of NBoard.
    Ggf,
    /// SGF, the Smart Game Format, with Othello moves as Quarry writes them.
    Sgf,
    /// WTHOR, the game base of the Fédération Française d'Othello.
    Wthor,
    /// Log of `emilia match`, a game on each line of JSON.
    MatchLog,
}

/// Games of a file, or what a reader keeps of each game.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection<G = Game> {
    /// Format of the file.
    pub kind: GameFormat,
    /// Games in the order of the file. An invalid game does not affect the others: it is a
    /// sentence with its number and place in the file.
    pub games: Vec<Result<G, String>>,
}

/// Error: the file contains no games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGames {
    /// The file is empty.
    #[error("there are no games in it (expected transcripts, GGF, SGF, OBF or a WTHOR file)")]
    Empty,
    /// The file is neither text nor WTHOR.
    #[error("this is no file of games: byte {at} is {byte:#04x} (expected text, or a WTHOR file)")]
    Binary {
        /// First byte that does not occur in text.
        byte: u8,
        /// Offset of this byte, from 0.
        at: usize,
    },
    /// The file holds the names for WTHOR games, not games.
    #[error("these are names for a WTHOR file (expected the file with the games, .wtb)")]
    Names,
    /// The file is WTHOR, but its header or length is invalid.
    #[error("{0}")]
    Wthor(#[source] WthorError),
}

impl Collection {
    /// Reads the games of a file. `names` are the players and events of WTHOR files.
    ///
    /// # Errors
    /// Returns an error if the file contains no games. Invalid games are errors in `games`.
    pub fn read(bytes: &[u8], names: &WthorNames) -> Result<Collection, NoGames> {
        if !wthor::is_games(bytes) {
            return Collection::read_text(bytes, &|game| game);
        }
        if wthor::is_names(bytes) {
            return Err(NoGames::Names);
        }
        let games = wthor::read_games(bytes, names).map_err(NoGames::Wthor)?;
        let sentence = |error: WthorError| error.to_string();
        let games = games.into_iter().map(|game| game.map_err(sentence));
        Collection::of(GameFormat::Wthor, games.collect())
    }
}

impl<G> Collection<G> {
    /// Returns the games of a file. A file without games is an error.
    fn of(kind: GameFormat, games: Vec<Result<G, String>>) -> Result<Collection<G>, NoGames> {
        if games.is_empty() {
            return Err(NoGames::Empty);
        }
        Ok(Collection { kind, games })
    }

    /// Reads the games of a text file. `keep` is applied to each game as soon as it is read, so
    /// that the memory needed is that of its results.
    pub(super) fn read_text(
        bytes: &[u8],
        keep: &impl Fn(Game) -> G,
    ) -> Result<Collection<G>, NoGames> {
        if let Some((at, byte)) = emilia_files::first_binary(bytes) {
            return Err(NoGames::Binary { byte, at });
        }
        let text = text(bytes);
        let (kind, games) = if match_log::is_log(&text) {
            let games = match_log::read(&text).map(|game| game.map(keep));
            (GameFormat::MatchLog, games.collect())
        } else if let Some(name) = properties::first_name(&text) {
            read_trees(&text, &name, keep)
        } else {
            (GameFormat::Transcript, read_lines(&text, keep))
        };
        let numbered = (1..).zip(games);
        let numbered = numbered.map(|(number, game): (usize, Result<G, String>)| {
            game.map_err(|problem| format!("game {number}: {problem}"))
        });
        Collection::of(kind, numbered.collect())
    }
}

/// Reads the property trees of GGF and SGF. `name` is the first record's game name (`GM`).
fn read_trees<G>(
    text: &str,
    name: &str,
    keep: &impl Fn(Game) -> G,
) -> (GameFormat, Vec<Result<G, String>>) {
    let (kind, read): (_, fn(&str) -> _) = if name.eq_ignore_ascii_case("othello") {
        (GameFormat::Ggf, Game::from_ggf)
    } else {
        (GameFormat::Sgf, Game::from_sgf)
    };
    let games = properties::records(text)
        .into_iter()
        .map(|(place, record)| {
            let error = |error: RecordError| error.moved_to(place).to_string();
            read(record).map(keep).map_err(error)
        });
    (kind, games.collect())
}

/// Decodes the text of a file: UTF-8 if valid, or else Latin-1. Removes a byte order mark.
fn text(bytes: &[u8]) -> String {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    let unmarked = text.strip_prefix('\u{feff}');
    unmarked.map(str::to_owned).unwrap_or(text)
}

/// Number of invalid games at the start of a text after which it is no game file.
/// Then only the error of the first game is returned.
const MAX_INVALID_GAMES: usize = 1000;

/// Reads the lines of a text: transcripts, positions, and header lines of the next game.
fn read_lines<G>(text: &str, keep: &impl Fn(Game) -> G) -> Vec<Result<G, String>> {
    let mut games: Vec<Result<G, String>> = Vec::new();
    let mut header = header::Header::default();
    for (line, content) in joined(text) {
        let content = &*content;
        let read = if content.is_empty() {
            continue;
        } else if let Some(comment) = content.strip_prefix(['%', '#']) {
            match header.take(comment) {
                Ok(()) => continue,
                Err(expected) => Err(format!("line {line}: expected {expected}")),
            }
        } else {
            let read = read_line(content, header.start());
            read.map_err(|problem| format!("line {line}, {problem}"))
        };
        let header = std::mem::take(&mut header);
        games.push(read.map(|game| keep(header.onto(game))));
        if games.len() == MAX_INVALID_GAMES && games.iter().all(Result::is_err) {
            games.truncate(1);
            break;
        }
    }
    if header.says_anything() {
        // A header without a game line is a game without moves.
        let game = Game::new(header.start());
        games.push(Ok(keep(header.onto(game))));
    }
    if games.iter().all(Result::is_ok) {
        return games;
    }
    if let Some(game) = whole(text) {
        return vec![Ok(keep(game))];
    }
    // The text may be a board of several lines, or in a form other than OBF.
    match parse_obf(text) {
        Ok(Some(obf)) => vec![Ok(keep(Game::new(obf.position)))],
        _ => games,
    }
}

/// Returns the lines of a text with their numbers.
/// A line that starts with a later move number (`2. c3`, `1... d6`) is joined to the line before.
fn joined(text: &str) -> Vec<(usize, Cow<'_, str>)> {
    let goes_on =
        |line: &str| split_number(line).is_some_and(|(number, dots, _)| number > 1 || dots == 3);
    let mut lines: Vec<(usize, Cow<'_, str>)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = header::trimmed(line);
        match lines.last_mut() {
            Some((_, moves)) if goes_on(line) && split_number(moves).is_some() => {
                moves.to_mut().extend([" ", line]);
            }
            _ => lines.push((number, Cow::Borrowed(line))),
        }
    }
    lines
}

/// Parses a line as a transcript from `start`, or as a position.
fn read_line(content: &str, start: Position) -> Result<Game, String> {
    // A position begins with 64 squares, none of which is written as a digit 1 to 8.
    // A transcript of that length has such a digit among its first characters.
    let has_rows = content.chars().take(8).any(|c| matches!(c, '1'..='8'));
    if !has_rows
        && content.chars().count() > 60
        && let Some(obf) = parse_obf(content)?
    {
        return Ok(Game::new(obf.position));
    }
    let transcript = Transcript::parse(content, start).map_err(|error| error.to_string())?;
    Ok(Game::from(&transcript))
}

/// Parses all lines of a text as one game.
fn whole(text: &str) -> Option<Game> {
    let mut header = header::Header::default();
    let mut lines = Vec::new();
    for line in text.lines() {
        match line.trim_start().strip_prefix(['%', '#']) {
            Some(comment) => header.take(comment).ok()?,
            None => lines.push(line),
        }
    }
    let game = Transcript::parse(&lines.join(" "), header.start()).ok()?;
    Some(header.onto(Game::from(&game)))
}
