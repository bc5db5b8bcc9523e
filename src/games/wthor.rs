//! Reader of the WTHOR database of the Fédération Française d'Othello. `write` is its writer.
//!
//! It consists of games (`.wtb`), players (`.JOU`) and tournaments (`.TRN`).
//! A file is a header of 16 bytes and its records. All numbers are little-endian.
//!
//! | bytes of the header | content |
//! |---|---|
//! | 0 to 3 | century, year, month and day of the file |
//! | 4 to 7 | number of games, u32 |
//! | 8 to 9 | number of names, u16 |
//! | 10 to 11 | year of the games, u16 |
//! | 12, 13, 14 | board size, type, depth of the theoretical score |
//!
//! A game has 68 bytes, a player's name 20 and a tournament's name 26.
//! Names are Latin-1, padded with zeros.

mod write;

use std::borrow::Cow;
use std::ops::Range;
use std::slice::ChunksExact;

use super::Game;
use super::archive::ArchivedGame;
use emilia_core::board::{IllegalMove, Square};

pub use write::{Unwritable, WthorFiles, WthorWriter};

/// Accepted years of games: from the first rules of Othello to the last year a header can date.
const YEARS: std::ops::RangeInclusive<u16> = 1971..=2155;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// Names of players and tournaments. Games refer to them by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorNames {
    /// Player names, from [`read_players`].
    pub players: Vec<String>,
    /// Tournament names, from [`read_tournaments`].
    pub tournaments: Vec<String>,
}

/// An error in a WTHOR file, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {byte}: {}{problem}", record.map(|number| format!("record {number}: ")).unwrap_or_default())]
pub struct WthorError {
    /// Byte offset in the file, counted from 0.
    pub byte: usize,
    /// Number of the game or name, counted from 1. `None` in the header.
    pub record: Option<usize>,
    /// What is wrong at that place, and what was expected, as one sentence without a full stop.
    pub problem: String,
}

/// Reads the player names of a `.JOU` file, in the order of their indices.
///
/// # Errors
/// If the file length differs from the one that the header implies.
pub fn read_players(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names(bytes, PLAYER)
}

/// Reads the tournament names of a `.TRN` file, in the order of their indices.
///
/// # Errors
/// If the file length differs from the one that the header implies.
pub fn read_tournaments(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names(bytes, TOURNAMENT)
}

/// Splits a file into its header and records of `size` bytes. `count` reads their number.
fn records(
    bytes: &[u8],
    size: usize,
    count: impl Fn(&[u8; HEADER]) -> usize,
) -> Result<(&[u8; HEADER], ChunksExact<'_, u8>), WthorError> {
    let found = bytes.len();
    let wrong_length = |expected| {
        let problem = format!("the file has {found} bytes, its header says {expected}");
        WthorError::at(found.min(expected), problem)
    };
    let (header, rest) = bytes
        .split_first_chunk::<HEADER>()
        .ok_or_else(|| wrong_length(HEADER))?;
    let expected = HEADER.saturating_add(count(header).saturating_mul(size));
    if bytes.len() == expected {
        Ok((header, rest.chunks_exact(size)))
    } else {
        Err(wrong_length(expected))
    }
}

/// Returns whether the file is a valid list of player or tournament names.
pub(super) fn is_names(bytes: &[u8]) -> bool {
    [PLAYER, TOURNAMENT].iter().any(|&size| {
        let names = records(bytes, size, |header| u16_at(header, 8).into());
        names.is_ok_and(|(header, records)| is_header(header) && records.len() > 0)
    })
}

/// Returns whether the games of a file can be of this year.
pub fn is_year(year: u16) -> bool {
    YEARS.contains(&year)
}

/// Returns whether the file begins with a WTHOR header.
pub fn is_games(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(is_header)
}

/// Returns whether the first bytes are a plausible date: century, year, month and day.
fn is_header(header: &[u8; HEADER]) -> bool {
    let [century, year, month, day, ..] = *header;
    (19..=21).contains(&century) && year < 100 && month <= 12 && day <= 31
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn names(bytes: &[u8], size: usize) -> Result<Vec<String>, WthorError> {
    let (_, records) = records(bytes, size, |header| u16_at(header, 8).into())?;
    let name = |record: &[u8]| {
        let letters = record.iter().take_while(|&&byte| byte != 0);
        letters.map(|&byte| letter(byte)).collect()
    };
    Ok(records.map(name).collect())
}

/// Decodes a Latin-1 byte. Control characters become the replacement character.
fn letter(byte: u8) -> char {
    let letter = char::from(byte);
    if letter.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        letter
    }
}

/// Reads the games of a `.wtb` file, in file order. An invalid game does not affect the others.
/// A player or tournament not in `names` becomes `#` and its index.
///
/// # Errors
/// If the file length differs from the one that the header implies.
/// Also if the board is not 8×8 or the year is out of range.
pub fn read_games(
    bytes: &[u8],
    names: &WthorNames,
) -> Result<Vec<Result<Game, WthorError>>, WthorError> {
    Ok(games(bytes, names)?.collect())
}

/// Yields the games as [`read_games`].
pub(super) fn games(
    bytes: &[u8],
    names: &WthorNames,
) -> Result<impl Iterator<Item = Result<Game, WthorError>>, WthorError> {
    let (year, records) = game_records(bytes)?;
    let date = year.to_string();
    Ok(records.enumerate().map(move |(index, record)| {
        let game = ArchivedGame::read(Record(record), names, &date);
        Ok(game.map_err(|error| error.in_game(index))?.game())
    }))
}

/// Checks the header of a `.wtb` file. Returns the year of the games and their records.
pub(super) fn game_records(bytes: &[u8]) -> Result<(u16, ChunksExact<'_, u8>), WthorError> {
    let count = |header: &[u8; HEADER]| {
        u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize
    };
    let (header, records) = records(bytes, GAME, count)?;
    // Old files leave the board size 0.
    let size = header[12];
    if size != 0 && size != 8 {
        return Err(WthorError::at(12, format!("board size {size}, expected 8")));
    }
    let year = u16_at(header, 10);
    if !is_year(year) {
        let (first, last) = (YEARS.start(), YEARS.end());
        let problem = format!("games of the year {year}, expected {first} to {last}");
        return Err(WthorError::at(10, problem));
    }
    Ok((year, records))
}

/// Returns the number of games of a `.wtb` file whose header is valid.
pub(super) fn record_count(bytes: &[u8]) -> usize {
    (bytes.len() - HEADER) / GAME
}

/// Yields the games of a range of indices of a `.wtb` file whose header is valid.
pub(super) fn records_in(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = Record<'_>> {
    let records = &bytes[HEADER + GAME * range.start..HEADER + GAME * range.end];
    records.chunks_exact(GAME).map(Record)
}

impl WthorError {
    /// An error at a byte of the header, or of a record until [`in_game`](Self::in_game).
    fn at(byte: usize, problem: String) -> WthorError {
        WthorError {
            byte,
            record: None,
            problem,
        }
    }

    /// An illegal move of a record. `number` is that of the move, from 1 without passes.
    pub(super) fn illegal(number: usize, illegal: &IllegalMove) -> WthorError {
        let problem = format!("move {number}: {illegal}");
        WthorError::at(Record::MOVES + number - 1, problem)
    }

    /// The error in the file, for an error in the record of game `index`, from 0.
    pub(super) fn in_game(self, index: usize) -> WthorError {
        WthorError {
            byte: HEADER + GAME * index + self.byte,
            record: Some(index + 1),
            ..self
        }
    }
}

/// The 68 bytes of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a>(&'a [u8]);

impl<'a> Record<'a> {
    /// Offset of the first move.
    const MOVES: usize = 8;

    /// Returns the names of the tournament, the black and the white player.
    pub(super) fn names(self, names: &WthorNames) -> [Cow<'_, str>; 3] {
        let lists = [&names.tournaments, &names.players, &names.players];
        [0, 1, 2].map(|index| self.name(lists[index], 2 * index))
    }

    fn name(self, names: &[String], at: usize) -> Cow<'_, str> {
        let number = usize::from(u16_at(self.0, at));
        let name = names.get(number);
        name.map_or_else(|| format!("#{number}").into(), Cow::from)
    }

    /// Returns Black's score in discs.
    ///
    /// # Errors
    /// If a score is above 64 discs.
    pub(crate) fn margin(self) -> Result<f64, WthorError> {
        match (6..8).find(|&at| self.0[at] > 64) {
            Some(at) => {
                let problem = format!("{} discs, expected at most 64", self.0[at]);
                Err(WthorError::at(at, problem))
            }
            None => Ok(f64::from(2 * i32::from(self.0[6]) - 64)),
        }
    }

    /// Yields the squares of the moves, which need not be legal. Records omit passes.
    pub(crate) fn squares(self) -> impl Iterator<Item = Result<Square, WthorError>> + use<'a> {
        let moves = &self.0[Record::MOVES..];
        let played = moves.iter().rposition(|&number| number != 0);
        let moves = &moves[..played.map_or(0, |last| last + 1)];
        (1..).zip(moves).map(|(number, &found)| {
            let expected = "10 x row + column, 11 to 88";
            let problem =
                || format!("move {number}: {found} is not a square (expected {expected})");
            square(found).ok_or_else(|| WthorError::at(Record::MOVES + number - 1, problem()))
        })
    }
}

/// Decodes a move byte, 10 × row + column, both from 1 to 8.
fn square(number: u8) -> Option<Square> {
    let (rank, file) = (number / 10, number % 10);
    let on_board = (1..=8).contains(&rank) && (1..=8).contains(&file);
    on_board.then(|| Square::at(file - 1, rank - 1))
}
