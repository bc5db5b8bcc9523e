//! Files of games: one door for every kind. Which kind a file is of, its content tells, never its name.

use std::borrow::Cow;
use std::fmt;

use super::error::Place;
use super::wthor::{self, Names, WthorError};
use super::{Game, RecordError, header, properties};
use crate::board::{ObfError, Position, Transcript, TranscriptError, parse_obf, split_number};
use crate::files;

/// A kind of file that holds games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The moves of a game on a line, or on lines with move numbers, under lines like `% Black:
    /// Ann` that say who played. A position in OBF is a game that begins there.
    Transcript,
    /// The format of the Generic Game Server and of NBoard.
    Ggf,
    /// The smart game format, as Quarry writes it.
    Sgf,
    /// The base of the Fédération Française d'Othello.
    Wthor,
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// What the file is.
    pub kind: Kind,
    /// Its games in their order. One that cannot be read does not keep the others from being read.
    pub games: Vec<Result<Game, BadGame>>,
}

/// A game of a file that cannot be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BadGame {
    /// Which of the games, counted from 1.
    pub number: usize,
    /// What is wrong, and where.
    pub problem: GameProblem,
}

/// What is wrong with a game of a file, and where.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GameProblem {
    /// In GGF or SGF.
    Record(RecordError),
    /// In the base.
    Wthor(WthorError),
    /// In a transcript.
    Transcript {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        error: TranscriptError,
    },
    /// In a position.
    Position {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        error: ObfError,
    },
    /// In a line that says who played, and the like.
    Header {
        /// The line, counted from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

/// The file holds no games.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoGames {
    /// There is nothing in it.
    Empty,
    /// It is neither text nor a file of the base.
    Binary {
        /// The first byte that no text has.
        byte: u8,
        /// Where it is, counted from 0.
        at: usize,
    },
    /// It holds the names that a file of the base refers to.
    Names,
    /// It is a file of the base whose header or length is wrong.
    Wthor(WthorError),
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            // It names the record itself.
            GameProblem::Wthor(error) => error.fmt(f),
            problem => write!(f, "game {}: {problem}", self.number),
        }
    }
}

impl std::error::Error for BadGame {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}

impl fmt::Display for GameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameProblem::Record(error) => error.fmt(f),
            GameProblem::Wthor(error) => error.fmt(f),
            GameProblem::Transcript { line, error } => write!(f, "line {line}, {error}"),
            GameProblem::Position { line, error } => write!(f, "line {line}, {error}"),
            GameProblem::Header { line, expected } => write!(f, "line {line}: expected {expected}"),
        }
    }
}

impl std::error::Error for GameProblem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GameProblem::Record(error) => Some(error),
            GameProblem::Wthor(error) => Some(error),
            GameProblem::Transcript { error, .. } => Some(error),
            GameProblem::Position { error, .. } => Some(error),
            GameProblem::Header { .. } => None,
        }
    }
}

impl fmt::Display for NoGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGames::Empty => f.write_str(
                "there are no games in it (expected transcripts, GGF, SGF, OBF or a WTHOR file)",
            ),
            NoGames::Binary { byte, at } => write!(
                f,
                "this is no file of games: byte {at} is {byte:#04x} (expected text, or a WTHOR file)"
            ),
            NoGames::Names => f.write_str(
                "these are names for a WTHOR file (expected the file with the games, .wtb)",
            ),
            NoGames::Wthor(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoGames {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NoGames::Wthor(error) => Some(error),
            _ => None,
        }
    }
}

impl Collection {
    /// Reads the games of a file; `names` are those that a file of the base refers to.
    ///
    /// # Errors
    /// If no game can be found in it. A game that is found and cannot be read is an error among the games.
    pub fn read(bytes: &[u8], names: &Names) -> Result<Collection, NoGames> {
        if wthor::is_names(bytes) {
            return Err(NoGames::Names);
        }
        let collection = if wthor::is_games(bytes) {
            Collection::read_wthor(bytes, names)?
        } else {
            Collection::read_text(bytes)?
        };
        if collection.games.is_empty() {
            return Err(NoGames::Empty);
        }
        Ok(collection)
    }

    fn read_text(bytes: &[u8]) -> Result<Collection, NoGames> {
        if let Some((at, byte)) = files::first_binary(bytes) {
            return Err(NoGames::Binary { byte, at });
        }
        let text = text(bytes);
        Ok(match properties::first_name(&text) {
            Some(name) => Collection::read_trees(&text, &name),
            None => Collection {
                kind: Kind::Transcript,
                games: read_lines(&text),
            },
        })
    }

    fn read_wthor(bytes: &[u8], names: &Names) -> Result<Collection, NoGames> {
        let games = wthor::Games::read(bytes, names).map_err(NoGames::Wthor)?;
        let games = games.games.into_iter().zip(1..).map(|(game, number)| {
            game.map(|game| game.game).map_err(|error| BadGame {
                number,
                problem: GameProblem::Wthor(error),
            })
        });
        Ok(Collection {
            kind: Kind::Wthor,
            games: games.collect(),
        })
    }

    /// GGF and SGF, whose games are trees of properties; `game` is what the first one says it is.
    fn read_trees(text: &str, game: &str) -> Collection {
        let kind = if game.eq_ignore_ascii_case("othello") {
            Kind::Ggf
        } else {
            Kind::Sgf
        };
        let read = |(place, record): (Place, &str)| {
            let game = match kind {
                Kind::Ggf => Game::from_ggf(record),
                _ => Game::from_sgf(record),
            };
            game.map_err(|error| error.moved_to(place))
        };
        let games = properties::records(text).into_iter().map(read).zip(1..);
        let games = games.map(|(game, number)| {
            let problem = GameProblem::Record;
            game.map_err(|error| BadGame {
                number,
                problem: problem(error),
            })
        });
        Collection {
            kind,
            games: games.collect(),
        }
    }
}

/// The text of a file; what is not UTF-8 is Latin-1, the first page of Unicode.
fn text(bytes: &[u8]) -> String {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    let unmarked = text.strip_prefix('\u{feff}');
    unmarked.map(str::to_owned).unwrap_or(text)
}

/// A text that begins with so many bad lines has no games: only the first line is complained of.
const HOPELESS: usize = 1000;

/// The games of lines of text: transcripts, positions, and what lines with `%` or `#` in front say of the next one.
fn read_lines(text: &str) -> Vec<Result<Game, BadGame>> {
    let mut games: Vec<Result<Game, BadGame>> = Vec::new();
    let mut header = header::Header::default();
    for (line, content) in joined(text) {
        let content = &*content;
        let number = games.len() + 1;
        let read = if content.is_empty() {
            continue;
        } else if let Some(comment) = content.strip_prefix(['%', '#']) {
            match header.take(comment) {
                Ok(()) => continue,
                Err(expected) => Err(GameProblem::Header { line, expected }),
            }
        } else {
            read_line(content, line, header.start())
        };
        let header = std::mem::take(&mut header);
        games.push(match read {
            Ok(game) => Ok(header.onto(game)),
            Err(problem) => Err(BadGame { number, problem }),
        });
        if number == HOPELESS && games.iter().all(Result::is_err) {
            games.truncate(1);
            break;
        }
    }
    if header.says_anything() {
        // A game without moves.
        let game = Game::new(header.start());
        games.push(Ok(header.onto(game)));
    }
    if games.iter().all(Result::is_ok) {
        return games;
    }
    if let Some(game) = whole(text) {
        return vec![Ok(game)];
    }
    // A board of several lines, or in another form than OBF.
    match parse_obf(text) {
        Ok(Some(obf)) => vec![Ok(Game::new(obf.position))],
        _ => games,
    }
}

/// The lines of a text with their numbers. A line that begins with a move number after the first
/// (`2. c3`, `1... d6`) goes on with the moves of the line before it.
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

/// The game of a line: its moves, or a position to begin from.
fn read_line(content: &str, line: usize, start: Position) -> Result<Game, GameProblem> {
    // A position has 64 squares before the side to move, none of them 1 to 8, and no transcript has as many characters without one
    // of these.
    let has_rows = content.chars().take(8).any(|c| matches!(c, '1'..='8'));
    if !has_rows && content.chars().count() > 60 {
        let problem = |error| GameProblem::Position { line, error };
        if let Some(obf) = parse_obf(content).map_err(problem)? {
            return Ok(Game::new(obf.position));
        }
    }
    match Transcript::parse(content, start) {
        Ok(transcript) => Ok(Game::from(&transcript)),
        Err(error) => Err(GameProblem::Transcript { line, error }),
    }
}

/// The one game of a text whose lines are no games of their own but go on from each other.
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
