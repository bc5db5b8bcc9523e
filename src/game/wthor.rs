//! The WTHOR base of the Fédération Française d'Othello: games (`.wtb`), players (`.JOU`), tournaments (`.TRN`).
//!
//! A file is a header of 16 bytes (century, year, month and day of making; the number of games as u32 or of names as
//! u16; the year of the games; board size, type, depth of the theoretical score) and its records: games of 68 bytes,
//! names of 20 (players) or 26 (tournaments) in Latin-1, filled up with zeros. All numbers are little-endian.

use std::fmt;

use super::{Ending, Game, Outcome};
use crate::board::{IllegalMove, Move, Square};

/// The years of games: from the first rules of Othello to the last that the date of the header can be of.
const YEARS: std::ops::RangeInclusive<u16> = 1971..=2155;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// The names that games refer to by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The players, from [`read_players`].
    pub players: Vec<String>,
    /// The tournaments, from [`read_tournaments`].
    pub tournaments: Vec<String>,
}

/// A game of the base.
#[derive(Clone, Debug, PartialEq)]
pub struct WthorGame {
    /// The moves, the names, the tournament, the year, and the official score as outcome.
    pub game: Game,
    /// The theoretical score: Black's discs, 0..=64, after perfect play from [`Games::depth`] empties on.
    pub theoretical: u8,
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Games {
    /// The year they were played.
    pub year: u16,
    /// From how many empties on the theoretical scores are solved.
    pub depth: u8,
    /// The games in their order. One that does not replay does not keep the others from being read.
    pub games: Vec<Result<WthorGame, WthorError>>,
}

/// What is wrong with a file of the base, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WthorError {
    /// The byte, counted from 0.
    pub byte: usize,
    /// The game or name, counted from 1; none in the header.
    pub record: Option<usize>,
    /// What is wrong.
    pub problem: WthorProblem,
}

/// What is wrong with a file of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WthorProblem {
    /// The file is shorter or longer than its header says.
    Length {
        /// Its length in bytes.
        found: usize,
        /// What the header leads to.
        expected: usize,
    },
    /// The games are of a year in which there was no Othello, or that has not come.
    Year(u16),
    /// The board is not 8×8.
    BoardSize(u8),
    /// A score above 64 discs.
    Score(u8),
    /// A number that is no square.
    NoSquare {
        /// Which move of the game, counted from 1.
        number: usize,
        /// What stands there.
        found: u8,
    },
    /// A move that breaks the rules.
    Illegal {
        /// Which move of the game, counted from 1.
        number: usize,
        /// The move.
        illegal: IllegalMove,
    },
}

impl fmt::Display for WthorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.byte)?;
        if let Some(record) = self.record {
            write!(f, "record {record}: ")?;
        }
        match &self.problem {
            WthorProblem::Length { found, expected } => {
                write!(f, "the file has {found} bytes, its header says {expected}")
            }
            WthorProblem::Year(year) => {
                write!(
                    f,
                    "games of the year {year}, expected {} to {}",
                    YEARS.start(),
                    YEARS.end()
                )
            }
            WthorProblem::BoardSize(size) => write!(f, "board size {size}, expected 8"),
            WthorProblem::Score(score) => write!(f, "{score} discs, expected at most 64"),
            WthorProblem::NoSquare { number, found } => write!(
                f,
                "move {number}: {found} is no square (expected 10 x row + column, 11 to 88)"
            ),
            WthorProblem::Illegal { number, illegal } => write!(f, "move {number}: {illegal}"),
        }
    }
}

impl std::error::Error for WthorError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            WthorProblem::Illegal { illegal, .. } => Some(illegal),
            _ => None,
        }
    }
}

/// The players of a `.JOU` file, by number.
///
/// # Errors
/// If the file is not as long as its header says.
pub fn read_players(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names(bytes, PLAYER)
}

/// The tournaments of a `.TRN` file, by number.
///
/// # Errors
/// If the file is not as long as its header says.
pub fn read_tournaments(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    names(bytes, TOURNAMENT)
}

/// The header and the records of `size` bytes, whose number stands where `count` finds it.
fn records(
    bytes: &[u8],
    size: usize,
    count: impl Fn(&[u8; HEADER]) -> usize,
) -> Result<(&[u8; HEADER], std::slice::ChunksExact<'_, u8>), WthorError> {
    let wrong_length = |expected| WthorError {
        byte: bytes.len().min(expected),
        record: None,
        problem: WthorProblem::Length {
            found: bytes.len(),
            expected,
        },
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

/// Whether these bytes have the length that a header of names promises, of players or of tournaments.
pub(super) fn is_names(bytes: &[u8]) -> bool {
    [PLAYER, TOURNAMENT].iter().any(|&size| {
        let names = records(bytes, size, |header| u16_at(header, 8).into());
        names.is_ok_and(|(header, records)| is_header(header) && records.len() > 0)
    })
}

/// Whether these bytes begin like a file of games.
pub fn is_games(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(is_header)
}

/// Whether this may be the header of a file of the base: century, year, month and day.
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

/// Latin-1 is the first page of Unicode; no name has the control characters that are there, and no file with them is text.
fn letter(byte: u8) -> char {
    let letter = char::from(byte);
    if letter.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        letter
    }
}

impl Games {
    /// Reads the bytes of a `.wtb` file; a player or tournament that `names` does not know is written as `#` and its
    /// number.
    ///
    /// # Errors
    /// If the file is not as long as its header says, or its board is not 8×8.
    pub fn read(bytes: &[u8], names: &Names) -> Result<Games, WthorError> {
        let count = |header: &[u8; HEADER]| {
            u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize
        };
        let (header, records) = records(bytes, GAME, count)?;
        // Old files leave the size out.
        let size = header[12];
        if size != 0 && size != 8 {
            return Err(WthorError {
                byte: 12,
                record: None,
                problem: WthorProblem::BoardSize(size),
            });
        }
        let year = u16_at(header, 10);
        if !YEARS.contains(&year) {
            return Err(WthorError {
                byte: 10,
                record: None,
                problem: WthorProblem::Year(year),
            });
        }
        let game = |(index, record): (usize, &[u8])| {
            game(record, names, year).map_err(|(offset, problem)| WthorError {
                byte: HEADER + GAME * index + offset,
                record: Some(index + 1),
                problem,
            })
        };
        Ok(Games {
            year,
            depth: header[14],
            games: records.enumerate().map(game).collect(),
        })
    }
}

/// One game, or the problem and the byte of the record where it is.
fn game(record: &[u8], names: &Names, year: u16) -> Result<WthorGame, (usize, WthorProblem)> {
    let name = |list: &[String], at| {
        let number = usize::from(u16_at(record, at));
        list.get(number)
            .cloned()
            .unwrap_or_else(|| format!("#{number}"))
    };
    let mut game = Game::default();
    game.tags.event = name(&names.tournaments, 0);
    game.tags.black = name(&names.players, 2);
    game.tags.white = name(&names.players, 4);
    game.tags.date = year.to_string();
    let [black_discs, theoretical] = [record[6], record[7]];
    for (at, score) in [(6, black_discs), (7, theoretical)] {
        if score > 64 {
            return Err((at, WthorProblem::Score(score)));
        }
    }
    game.tags.outcome = Some(Outcome {
        margin: f64::from(2 * i32::from(black_discs) - 64),
        ending: Ending::Played,
    });
    let moves = &record[8..];
    let played = moves.iter().rposition(|&number| number != 0);
    let moves = &moves[..played.map_or(0, |last| last + 1)];
    for (index, &found) in moves.iter().enumerate() {
        let (number, at) = (index + 1, 8 + index);
        let square = square(found).ok_or((at, WthorProblem::NoSquare { number, found }))?;
        // The passes are left out.
        let other = !game.position().mover;
        game.hand_over_to(other);
        game.play(Move::Place(square))
            .map_err(|illegal| (at, WthorProblem::Illegal { number, illegal }))?;
    }
    Ok(WthorGame { game, theoretical })
}

/// 10 × row + column, both 1..8.
fn square(number: u8) -> Option<Square> {
    let (rank, file) = (number / 10, number % 10);
    let on_board = (1..=8).contains(&rank) && (1..=8).contains(&file);
    on_board.then(|| Square::at(file - 1, rank - 1))
}
