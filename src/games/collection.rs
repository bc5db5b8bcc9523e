//! Game files of every kind, read by one function. The content determines the kind, not the name.
//!
//! Structured formats come first: WTHOR, match logs, PGN, GGF, SGF, JSON. Anything else is text,
//! which `lines` reads.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::properties::{self, Record, unexpected};
use super::wthor::{self, WthorError, WthorNames};
use super::{Game, RecordError, json, lines, match_log, pgn};
use emilia_core::board::excerpt;

/// Format of a game file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFormat {
    /// Transcripts: a game on each line, or on several lines with move numbers, or in any text.
    /// Header lines like `% Black: Ann` may precede one. An OBF position is a game without moves.
    Transcript,
    /// PGN, Portable Game Notation.
    Pgn,
    /// GGF, the Generic Game Format of the Generic Game Server and of NBoard.
    Ggf,
    /// SGF, the Smart Game Format.
    Sgf,
    /// WTHOR, the game base of the Fédération Française d'Othello.
    Wthor,
    /// Log of `emilia match`, a game on each line of JSON.
    MatchLog,
    /// JSON of sites such as Othello Quest.
    Json,
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
    #[error("there are no games in it (expected moves, or PGN, GGF, SGF, OBF or a WTHOR file)")]
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
        Collection::read_as(bytes, names, &|game| game)
    }
}

impl<G> Collection<G> {
    /// Reads the games of a file. `keep` is applied to each game as soon as it is read.
    pub(super) fn read_as(
        bytes: &[u8],
        names: &WthorNames,
        keep: &impl Fn(Game) -> G,
    ) -> Result<Collection<G>, NoGames> {
        if !wthor::is_games(bytes) {
            return Collection::read_text(bytes, keep);
        }
        if wthor::is_names(bytes) {
            return Err(NoGames::Names);
        }
        let games = wthor::games(bytes, names).map_err(NoGames::Wthor)?;
        let settled = |mut game: Game| {
            game.settle();
            keep(game)
        };
        let games = games.map(|game| game.map(settled).map_err(|error| error.to_string()));
        Collection::of(GameFormat::Wthor, games.collect())
    }

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
        let text = text(bytes)?;
        let keep = &|mut game: Game| {
            game.settle();
            keep(game)
        };
        let (kind, games) = if match_log::is_log(&text) {
            let games = match_log::read(&text).map(|game| game.map(keep));
            (GameFormat::MatchLog, games.collect())
        } else if pgn::is_pgn(&text) {
            let mut records = pgn::records(&text).peekable();
            let mut games = Vec::new();
            while let Some((line, record)) = records.next() {
                let game = pgn::read(record, line, records.peek().is_none());
                games.push(
                    game.map(keep)
                        .map_err(|error| format!("line {line}: {error}")),
                );
            }
            (GameFormat::Pgn, games)
        } else if let Some(name) = properties::first_name(&text) {
            read_trees(&text, &name, keep)
        } else if let Some(games) = json::read(&text) {
            let games = games.into_iter().map(|game| game.map(keep));
            (GameFormat::Json, games.collect())
        } else {
            (GameFormat::Transcript, lines::read(&text, keep))
        };
        let mut games = games;
        for (number, game) in (1..).zip(&mut games) {
            if let Err(problem) = game {
                *problem = format!("game {number}: {problem}");
            }
        }
        Collection::of(kind, games)
    }
}

/// Reads the property trees of GGF and SGF. `name` is the first record's game name (`GM`).
fn read_trees<G>(
    text: &str,
    name: &str,
    keep: &impl Fn(Game) -> G,
) -> (GameFormat, Vec<Result<G, String>>) {
    let (kind, read): (_, fn(&str) -> Record) = if name.eq_ignore_ascii_case("othello") {
        (GameFormat::Ggf, Game::read_ggf_record)
    } else {
        (GameFormat::Sgf, Game::read_sgf_record)
    };
    // Brackets outside the records belong to damaged ones.
    let is_damaged = |text: &str| text.contains(['[', ']', ';']);
    let records = properties::records(text);
    let before = records.first().map_or(text, |(_, record)| {
        &text[..record.as_ptr().addr() - text.as_ptr().addr()]
    });
    let mut games = Vec::new();
    if is_damaged(before) {
        let found = excerpt(before.trim());
        games.push(Err(format!(
            "line 1: '{found}' is not part of a game (expected '(;')"
        )));
    }
    for (place, record) in records {
        let Record {
            mut game,
            moves,
            end,
            mut fault,
        } = read(record);
        let rest = record[end..].trim_start();
        if fault.is_none() && is_damaged(rest) {
            fault = Some(unexpected(
                record,
                record.len() - rest.len(),
                "the end or another game",
            ));
        }
        let fault = fault.map(|fault: RecordError| fault.moved_to(place).to_string());
        games.push(match fault {
            Some(fault) if game.placed() == 0 => Err(fault),
            Some(fault) => {
                game.cut(format!("{fault}; {} of {moves} moves read", game.placed()));
                Ok(keep(game))
            }
            None => Ok(keep(game)),
        });
    }
    (kind, games)
}

/// Decodes the text of a file, without a byte order mark: UTF-16 or UTF-8 with such a mark, the
/// encoding that SGF names (`CA`), UTF-8 if valid, or else Latin-1.
fn text(bytes: &[u8]) -> Result<Cow<'_, str>, NoGames> {
    let is_text = |bytes: &[u8]| match emilia_files::first_binary(bytes) {
        Some((at, byte)) => Err(NoGames::Binary { byte, at }),
        None => Ok(()),
    };
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let (text, _) = encoding.decode_without_bom_handling(&bytes[length..]);
        is_text(text.as_bytes())?;
        return Ok(text);
    }
    is_text(bytes)?;
    let named = named_encoding(bytes)
        .and_then(|encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes));
    Ok(named.unwrap_or_else(|| match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes
            .iter()
            .copied()
            .map(char::from)
            .collect::<String>()
            .into(),
    }))
}

/// Returns the encoding that the first property `CA` of an SGF file names, if it matters.
fn named_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"CA[";
    // GGF has no such property.
    const GGF: &[u8] = b"(;GM[Othello]";
    if bytes.is_ascii() || !bytes.trim_ascii_start().starts_with(b"(") {
        return None;
    }
    let at = bytes.windows(NAME.len()).position(|part| part == NAME)?;
    if bytes[..at]
        .windows(GGF.len())
        .any(|part| part.eq_ignore_ascii_case(GGF))
    {
        return None;
    }
    let label = bytes[at + NAME.len()..]
        .split(|&byte| byte == b']')
        .next()?;
    Encoding::for_label(label)
}
