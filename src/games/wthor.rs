//! Reader of the WTHOR database of the Fédération Française d'Othello. `write` is its writer.
//!
//! The database consists of games (`.wtb`), players (`.JOU`) and tournaments (`.TRN`).
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

use super::replay::Replay;
use super::{Outcome, PackedGame, Tags};
use arrayvec::ArrayVec;
use emilia_core::board::{Move, Position, Square};

pub use write::{Unwritable, WthorFiles, WthorWriter};

/// Accepted years of games. The rules of Othello are from 1971. A year after 2155 means that the
/// header is damaged.
const YEARS: std::ops::RangeInclusive<u16> = 1971..=2155;

const HEADER: usize = 16;
const GAME: usize = 68;
/// Offset of the first move in the record of a game.
const MOVES: usize = 8;
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
    /// Number of the game or name, counted from 1. `None` if the error is outside the records.
    pub record: Option<usize>,
    /// What is wrong at that place, and what was expected, as one sentence without a full stop.
    pub problem: String,
}

/// Reads the player names of a `.JOU` file, in the order of their indices.
///
/// # Errors
/// If the file length differs from the one that the header implies.
pub fn read_players(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names::<PLAYER>(bytes)
}

/// Reads the tournament names of a `.TRN` file, in the order of their indices.
///
/// # Errors
/// If the file length differs from the one that the header implies.
pub fn read_tournaments(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names::<TOURNAMENT>(bytes)
}

/// Splits a file into its header and its records of `SIZE` bytes. `count` reads the number of
/// records from the header.
fn records<const SIZE: usize>(
    bytes: &[u8],
    count: impl Fn(&[u8; HEADER]) -> usize,
) -> Result<(&[u8; HEADER], &[[u8; SIZE]]), WthorError> {
    let found = bytes.len();
    let wrong_length = |expected| {
        let problem = format!("the file has {found} bytes, its header says {expected}");
        WthorError::at(found.min(expected), problem)
    };
    let (header, rest) = bytes
        .split_first_chunk::<HEADER>()
        .ok_or_else(|| wrong_length(HEADER))?;
    let expected = HEADER.saturating_add(count(header).saturating_mul(SIZE));
    if bytes.len() == expected {
        Ok((header, rest.as_chunks().0))
    } else {
        Err(wrong_length(expected))
    }
}

/// Returns whether the file is a list of player or tournament names.
pub(super) fn is_names(bytes: &[u8]) -> bool {
    is_games(bytes)
        && [read_players, read_tournaments]
            .iter()
            .any(|read| read(bytes).is_ok_and(|names| !names.is_empty()))
}

/// Returns whether `year` is a possible year of WTHOR games.
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

fn names<const SIZE: usize>(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    let (_, records) = records::<SIZE>(bytes, |header| u16_at(header, 8).into())?;
    let name = |record: &[u8; SIZE]| {
        let letters = record.iter().take_while(|&&byte| byte != 0);
        letters.map(|&byte| letter(byte)).collect()
    };
    Ok(records.iter().map(name).collect())
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
/// If the file length differs from the one that the header implies, the board is not 8×8, or the
/// year is out of range.
pub fn read_games(
    bytes: &[u8],
    names: &WthorNames,
) -> Result<Vec<Result<PackedGame, WthorError>>, WthorError> {
    let (year, records) = game_records(bytes)?;
    let games = records.iter().enumerate();
    Ok(games
        .map(|(index, record)| read_game(index, record, names, year))
        .collect())
}

/// Record of a game: the index of the tournament, the indices of both players, Black's discs at the
/// end of the game, Black's discs under best play (the theoretical score), and the moves without
/// passes.
type Record = [u8; GAME];

/// Checks the header of a `.wtb` file. Returns the year of the games and their records.
fn game_records(bytes: &[u8]) -> Result<(u16, &[Record]), WthorError> {
    let count = |header: &[u8; HEADER]| {
        u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize
    };
    let (header, records) = records(bytes, count)?;
    // In old files, the board size is 0.
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

/// Reads the record of the game with index `index`, counted from 0. `year` is the year of the file.
fn read_game(
    index: usize,
    record: &Record,
    names: &WthorNames,
    year: u16,
) -> Result<PackedGame, WthorError> {
    let fail = |at: usize, problem| WthorError {
        byte: HEADER + GAME * index + at,
        record: Some(index + 1),
        problem,
    };
    if let Some(at) = (6..MOVES).find(|&at| record[at] > 64) {
        let problem = format!("{} discs, expected at most 64", record[at]);
        return Err(fail(at, problem));
    }
    let (moves, position) = moves(record).map_err(|(at, problem)| fail(at, problem))?;
    let name = |names: &[String], at| {
        let number = u16_at(record, at);
        let name = names.get(usize::from(number));
        name.map_or_else(|| format!("#{number}"), String::clone)
    };
    let mut tags = Tags {
        event: name(&names.tournaments, 0),
        black: name(&names.players, 2),
        white: name(&names.players, 4),
        date: year.to_string(),
        outcome: Some(Outcome::played(f64::from(record[6]) * 2.0 - 64.0)),
        ..Tags::default()
    };
    let warning = tags.settle(&position);
    Ok(PackedGame::with_tags(&moves, tags, warning))
}

/// Reads the moves of a record. Returns the moves, passes included, and the last position.
///
/// # Errors
/// Returns the offset of the first move that is invalid, and why.
fn moves(record: &Record) -> Result<(ArrayVec<Move, 128>, Position), (usize, String)> {
    let end = record[MOVES..].iter().rposition(|&number| number != 0);
    let end = end.map_or(MOVES, |last| MOVES + last + 1);
    let (mut moves, mut replay) = (ArrayVec::new(), Replay::new(Position::START));
    for (at, &found) in record[..end].iter().enumerate().skip(MOVES) {
        let wrong = |why| (at, format!("move {}: {why}", at - MOVES + 1));
        let expected = "10 x row + column, 11 to 88";
        let square = SQUARES[usize::from(found)]
            .ok_or_else(|| wrong(format!("{found} is not a square (expected {expected})")))?;
        if replay.take_pass() {
            moves.push(Move::Pass);
        }
        let mv = Move::Place(square);
        if !replay.play(square) {
            let illegal = replay.position.play(mv).err();
            let illegal = illegal.map(|illegal| illegal.to_string());
            return Err(wrong(illegal.unwrap_or_default()));
        }
        moves.push(mv);
    }
    Ok((moves, replay.position))
}

/// Squares by their byte in a record: 10 × row + column, both from 1 to 8.
const SQUARES: [Option<Square>; 256] = {
    let mut squares = [None; 256];
    let mut index = 0;
    while index < 64 {
        squares[10 * (index / 8 + 1) + index % 8 + 1] = Square::new(index as u8);
        index += 1;
    }
    squares
};

impl WthorError {
    /// Creates an error at a byte outside the records.
    fn at(byte: usize, problem: String) -> WthorError {
        WthorError {
            byte,
            record: None,
            problem,
        }
    }
}
