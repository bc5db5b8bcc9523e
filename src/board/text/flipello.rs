//! Positions and moves as UCI engines of Fairy-Stockfish's dialect write them, whose name for Othello is `flipello`.
//!
//! Ranks are those of chess: they count from the bottom, so the row at the top, row 1 in Othello, is rank 8. The side that
//! moves first is White there and has the capital letters:
//!
//! | Othello | flipello |
//! |---|---|
//! | Black, who moves first | `w`, discs `P` |
//! | White | `b`, discs `p` |
//! | d3 | the drop `P@d6` |
//! | a pass | a move from a square with a disc of the mover to itself; Fairy-Stockfish wants the first such square, a1 first |
//!
//! Source: Fairy-Stockfish, and its rules as the Python package `pyffish` 0.0.90, which the tests ask.

use std::fmt;

use super::Faults;
use crate::board::{Bitboard, Color, Move, Position, Square, excerpt};

/// What the dialect calls the game, in `UCI_Variant`.
pub const VARIANT: &str = "flipello";

/// Rows and columns of the board.
const SIDE: usize = 8;

/// Discs in the hand of each side at the start: more than it can ever drop.
const DISCS_IN_HAND: usize = 60;

/// Why a text is no position in this notation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// It has so many rows.
    RowCount(usize),
    /// This row, of Othello, is not made of eight squares.
    Row(usize, String),
    /// The side to move.
    Mover(String),
    /// The discs.
    Faults(Faults),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::RowCount(count) => {
                write!(f, "FEN: {count} rows (expected 8, with / between them)")
            }
            FenError::Row(number, text) => write!(
                f,
                "FEN: row {number}, '{}', is not made of P, p and digits for 8 squares",
                excerpt(text)
            ),
            FenError::Mover(text) => {
                let text = excerpt(text);
                write!(f, "FEN: '{text}' is no side to move (expected w or b)")
            }
            FenError::Faults(faults) => write!(f, "FEN: {faults}"),
        }
    }
}

impl std::error::Error for FenError {}

/// The position of a FEN: the rows from the top, the side to move. The discs in hand and what comes after the side to
/// move say nothing in Othello and may be left out.
///
/// ```
/// use emilia::board::{Position, flipello};
/// let start = flipello::from_fen("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1").unwrap();
/// assert_eq!(start, Position::START);
/// ```
///
/// # Errors
/// If that is no position.
pub fn from_fen(text: &str) -> Result<Position, FenError> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or_default();
    let board = board.split('[').next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != SIDE {
        return Err(FenError::RowCount(rows.len()));
    }
    let mut discs = [Bitboard::EMPTY; 2];
    for (rank, row) in (0..).zip(rows) {
        let squares = squares(row).filter(|squares| squares.len() == SIDE);
        let squares =
            squares.ok_or_else(|| FenError::Row(usize::from(rank) + 1, row.to_owned()))?;
        for (file, disc) in (0..).zip(squares) {
            if let Some(color) = disc {
                discs[color as usize] |= Bitboard::of(Square::at(file, rank));
            }
        }
    }
    let mover = match words.next().unwrap_or("w") {
        "w" => Color::Black,
        "b" => Color::White,
        other => return Err(FenError::Mover(other.to_owned())),
    };
    let [black, white] = discs;
    let position = Position::new(black, white, mover);
    let faults = position.board.faults() - Faults::HARMLESS;
    if faults.is_empty() {
        Ok(position)
    } else {
        Err(FenError::Faults(faults))
    }
}

/// The squares of a row, no more than one too many; `None` if it has something else.
fn squares(row: &str) -> Option<Vec<Option<Color>>> {
    let mut squares = Vec::with_capacity(SIDE);
    for character in row.chars() {
        match character {
            'P' => squares.push(Some(Color::Black)),
            'p' => squares.push(Some(Color::White)),
            '1'..='8' => {
                let count = character.to_digit(10)? as usize;
                squares.resize(squares.len() + count, None);
            }
            _ => return None,
        }
        if squares.len() > SIDE {
            return None;
        }
    }
    Some(squares)
}

/// The FEN of a position, with more discs in hand than there are empty squares.
///
/// ```
/// use emilia::board::{Position, flipello};
/// let fen = flipello::fen(&Position::START);
/// assert!(fen.starts_with("8/8/8/3pP3/3Pp3/8/8/8[PPP"));
/// assert!(fen.ends_with("ppp] w 0 1"));
/// ```
pub fn fen(position: &Position) -> String {
    let rows: Vec<String> = (0..8).map(|rank| row(position, rank)).collect();
    let hands = "P".repeat(DISCS_IN_HAND) + &"p".repeat(DISCS_IN_HAND);
    let mover = match position.mover {
        Color::Black => 'w',
        Color::White => 'b',
    };
    format!("{}[{hands}] {mover} 0 1", rows.join("/"))
}

/// A row, empty squares as their number.
fn row(position: &Position, rank: u8) -> String {
    let mut text = String::new();
    let mut empties = 0;
    for file in 0..8 {
        match position.disc_on(Square::at(file, rank)) {
            None => empties += 1,
            Some(color) => {
                if empties > 0 {
                    text += &empties.to_string();
                    empties = 0;
                }
                text.push(match color {
                    Color::Black => 'P',
                    Color::White => 'p',
                });
            }
        }
    }
    if empties > 0 {
        text += &empties.to_string();
    }
    text
}

/// The same square with the ranks counted from the other side.
fn mirrored(square: Square) -> Square {
    Square::at(square.file(), 7 - square.rank())
}

/// A move in this notation: `P@e3`, in either case, or a pass, `a1a1` with any square or `0000`, UCI's own word for it. Whether
/// it is legal is another matter.
///
/// ```
/// use emilia::board::{Move, Square, flipello};
/// assert_eq!(flipello::read_move("P@e3"), Some(Move::Place(Square::E6)));
/// assert_eq!(flipello::read_move("a1a1"), Some(Move::Pass));
/// assert_eq!(flipello::read_move("0000"), Some(Move::Pass));
/// assert_eq!(flipello::read_move("e3"), None);
/// ```
pub fn read_move(text: &str) -> Option<Move> {
    if let Some(square) = text.strip_prefix(['P', 'p']) {
        let square: Square = square.strip_prefix('@')?.parse().ok()?;
        return Some(Move::Place(mirrored(square)));
    }
    let [from, to] = [text.get(..2)?, text.get(2..)?];
    let is_pass = from == to && (from == "00" || from.parse::<Square>().is_ok());
    is_pass.then_some(Move::Pass)
}

/// A move of the side to move of `position` in this notation.
///
/// ```
/// use emilia::board::{Move, Position, Square, flipello};
/// assert_eq!(flipello::move_name(Move::Place(Square::D3), &Position::START), "P@d6");
/// ```
pub fn move_name(mv: Move, position: &Position) -> String {
    match mv {
        Move::Place(square) => format!("P@{}", mirrored(square)),
        Move::Pass => {
            let own = position.board.player.squares().map(mirrored);
            // A side without a disc does not pass there: the game has ended.
            let square = own
                .min_by_key(|square| square.index())
                .unwrap_or(Square::A1);
            format!("{square}{square}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_moves_are_those_of_fairy_stockfish() {
        let names: Vec<String> = Position::START
            .moves()
            .into_iter()
            .map(|mv| move_name(mv, &Position::START))
            .collect();
        assert_eq!(names, ["P@d6", "P@c5", "P@f4", "P@e3"]);
    }

    #[test]
    fn random_games_are_read_as_they_are_written() {
        let mut rng = fastrand::Rng::with_seed(17);
        for _ in 0..200 {
            let mut position = Position::START;
            while let Some(&mv) = rng.choice(&position.moves()) {
                assert_eq!(read_move(&move_name(mv, &position)), Some(mv));
                position = position.play(mv).unwrap();
                assert_eq!(from_fen(&fen(&position)), Ok(position));
            }
        }
    }

    #[test]
    fn a_pass_is_named_by_the_lowest_disc_of_the_mover() {
        // Of a random game in pyffish 0.0.90, where the legal moves are d2d2 alone.
        let fen = "pPPPp1PP/ppppppPP/ppPPpPpP/pPppPpPP/pPPpPpPP/pPPpppPP/PPPpPpPP/PPPPPPPP[Pp] b - - 0 30";
        let position = from_fen(fen).unwrap();
        assert!(position.must_pass());
        assert_eq!(move_name(Move::Pass, &position), "d2d2");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for (text, sentence) in [
            ("", "FEN: 1 rows (expected 8"),
            ("8/8/8/3pP3/3Pp3/8/8", "FEN: 7 rows"),
            ("8/8/8/3pP3/3Pp3/8/8/8/8", "FEN: 9 rows"),
            ("8/8/8/3pP4/3Pp3/8/8/8", "FEN: row 4, '3pP4'"),
            ("8/8/8/3pP/3Pp3/8/8/8", "FEN: row 4, '3pP'"),
            ("8/8/8/3xP3/3Pp3/8/8/8", "FEN: row 4, '3xP3'"),
            ("8/8/8/3pP3/3Pp3/8/8/99999999", "FEN: row 8, '99999999'"),
            ("8/8/8/3pP3/3Pp3/8/8/8 x", "FEN: 'x' is no side to move"),
            ("8/8/8/8/8/8/8/8 w", "FEN: empty board"),
        ] {
            let error = from_fen(text).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{text}: {error}");
        }
        for text in [
            "", "P@", "P@i1", "P@e9", "P@e33", "e3", "e3e4", "p", "00", "é1é1", "a1a1a1",
        ] {
            assert_eq!(read_move(text), None, "{text}");
        }
    }
}
