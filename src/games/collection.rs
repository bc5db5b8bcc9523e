//! Game files of every kind, read by one function. The content determines the kind, not the name.
//!
//! Structured formats come first: WTHOR, match logs, PGN, GGF, SGF, JSON. Anything else is text,
//! which `lines` reads.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::properties::{self, Record};
use super::wthor::{self, WthorError, WthorNames};
use super::{Game, PackedGame, json, lines, match_log, pgn};

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

/// Games of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// Format of the file.
    pub kind: GameFormat,
    /// Games in the order of the file. An invalid game does not affect the others: it is a
    /// sentence with its number and place in the file.
    pub games: Vec<Result<PackedGame, String>>,
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
        if wthor::is_games(bytes) {
            wthor_records(bytes)?;
            let games = wthor::read_games(bytes, names).map_err(NoGames::Wthor)?;
            let games = games.into_iter();
            return Ok(Collection {
                kind: GameFormat::Wthor,
                games: games
                    .map(|game| game.map_err(|error| error.to_string()))
                    .collect(),
            });
        }
        let text = text(bytes)?;
        let (kind, mut games) = if match_log::is_log(&text) {
            (GameFormat::MatchLog, packed(match_log::read(&text)))
        } else if pgn::is_pgn(&text) {
            (GameFormat::Pgn, packed(pgn::games(&text)))
        } else if let Some(name) = properties::first_name(&text) {
            let is_ggf = name.eq_ignore_ascii_case("othello");
            let (kind, read): (_, fn(&str) -> Record) = if is_ggf {
                (GameFormat::Ggf, Game::read_ggf_record)
            } else {
                (GameFormat::Sgf, Game::read_sgf_record)
            };
            (kind, packed(properties::games(&text, read)))
        } else if let Some(games) = json::read(&text) {
            (GameFormat::Json, packed(games))
        } else {
            (GameFormat::Transcript, lines::read(&text))
        };
        if games.is_empty() {
            return Err(NoGames::Empty);
        }
        for (number, game) in (1..).zip(&mut games) {
            if let Err(problem) = game {
                *problem = format!("game {number}: {problem}");
            }
        }
        Ok(Collection { kind, games })
    }
}

/// Settles and packs games.
fn packed(
    games: impl IntoIterator<Item = Result<Game, String>>,
) -> Vec<Result<PackedGame, String>> {
    let games = games.into_iter();
    games.map(|game| game.map(PackedGame::settled)).collect()
}

/// Returns the year and the records of a WTHOR file.
pub(super) fn wthor_records(bytes: &[u8]) -> Result<(u16, &[wthor::Record]), NoGames> {
    if wthor::is_names(bytes) {
        return Err(NoGames::Names);
    }
    let (year, records) = wthor::game_records(bytes).map_err(NoGames::Wthor)?;
    if records.is_empty() {
        return Err(NoGames::Empty);
    }
    Ok((year, records))
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
