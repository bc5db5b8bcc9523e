//! FEN of Fairy-Stockfish's variant `flipello`. There the side that moves first is `w` and has the
//! discs `P`. In Othello, this side is Black.

use super::PositionError;
use crate::board::{Color, Position, Square, excerpt};

/// Number of rows and of columns of the board.
const SIDE: u8 = 8;

/// Number of discs in the hand of each side in a FEN that this program writes. The hand is the
/// supply from which a side places its discs. Both sides together place at most 60 discs in a game,
/// so that a hand never gets empty.
const DISCS_IN_HAND: usize = 60;

/// Returns whether the first word of `text` looks like the board of a FEN: rows with `/` between
/// them.
/// Either all characters occur in FENs, or there are eight rows of one to eight characters with at
/// least one digit. The second case covers FENs with a wrong character, which then get an error
/// message about FEN.
pub(super) fn looks_like_fen(text: &str) -> bool {
    let board = text.split_whitespace().next().unwrap_or_default();
    let board = board.split('[').next().unwrap_or_default();
    let is_row_part = |character| matches!(character, 'P' | 'p' | '1'..='8' | '/');
    let is_row = |row: &str| (1..=usize::from(SIDE)).contains(&row.len());
    let has_digit = || board.contains(|character: char| character.is_ascii_digit());
    match board.matches('/').count() {
        0 => false,
        7 if board.split('/').all(is_row) && has_digit() => true,
        _ => board.chars().all(is_row_part),
    }
}

/// Converts a letter or digit of a FEN to the characters of its squares in a text board.
fn cells_of(letter: char) -> Option<String> {
    match letter {
        'P' => Some("X".to_owned()),
        'p' => Some("O".to_owned()),
        '1'..='8' => letter.to_digit(10).map(|count| "-".repeat(count as usize)),
        _ => None,
    }
}

impl Position {
    /// Reads a FEN: the rows from the top, then the side to move.
    /// A missing side to move means `w`. The discs in hand and the fields after the side to move
    /// have no effect and may be missing.
    ///
    /// ```
    /// use emilia_core::board::Position;
    /// let start = Position::from_fen("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1").unwrap();
    /// assert_eq!(start, Position::START);
    /// ```
    pub fn from_fen(text: &str) -> Result<Position, PositionError> {
        let fail = |why: String| PositionError(format!("FEN: {why}"));
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or_default();
        let board = board.split('[').next().unwrap_or_default();
        let rows: Vec<&str> = board.split('/').collect();
        let count = rows.len();
        if count != usize::from(SIDE) {
            return Err(fail(format!(
                "{count} rows (expected 8, with / between them)"
            )));
        }
        let mut cells = String::new();
        for (number, row) in (1..).zip(rows) {
            let squares: Option<String> = row.chars().map(cells_of).collect();
            if let Some(own) = squares.filter(|own| own.len() == usize::from(SIDE)) {
                cells += &own;
            } else {
                let row = excerpt(row);
                let why = "is not made of P, p and digits for 8 squares";
                return Err(fail(format!("row {number}, '{row}', {why}")));
            }
        }
        let mover = match words.next().unwrap_or("w") {
            "w" => Color::Black,
            "b" => Color::White,
            other => {
                let other = excerpt(other);
                let why = format!("'{other}' is not a side to move (expected w or b)");
                return Err(fail(why));
            }
        };
        Position::of_cells(cells.chars(), mover).map_err(|error| fail(error.0))
    }

    /// Writes the FEN of a position, with 60 discs in the hand of each side.
    ///
    /// ```
    /// use emilia_core::board::Position;
    /// let fen = Position::START.to_fen();
    /// assert!(fen.starts_with("8/8/8/3pP3/3Pp3/8/8/8[PPP"));
    /// assert!(fen.ends_with("ppp] w 0 1"));
    /// ```
    pub fn to_fen(&self) -> String {
        let rows: Vec<String> = (0..SIDE).map(|rank| row(self, rank)).collect();
        let hands = "P".repeat(DISCS_IN_HAND) + &"p".repeat(DISCS_IN_HAND);
        let mover = match self.mover {
            Color::Black => 'w',
            Color::White => 'b',
        };
        format!("{}[{hands}] {mover} 0 1", rows.join("/"))
    }
}

/// Writes one row of a FEN, where a digit stands for a run of empty squares.
fn row(position: &Position, rank: u8) -> String {
    let cells = [0, 1, 2, 3, 4, 5, 6, 7].map(|file| position.disc_on(Square::at(file, rank)));
    let runs = cells.chunk_by(|one, next| one.is_none() && next.is_none());
    let texts = runs.map(|run| match run[0] {
        None => run.len().to_string(),
        Some(Color::Black) => "P".to_owned(),
        Some(Color::White) => "p".to_owned(),
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fens_round_trip() {
        let mut rng = fastrand::Rng::with_seed(17);
        for _ in 0..200 {
            let mut position = Position::START;
            while let Some(&mv) = rng.choice(&position.moves()) {
                position = position.play(mv).unwrap();
                let fen = position.to_fen();
                assert_eq!(Position::from_fen(&fen), Ok(position));
                assert_eq!(fen.parse(), Ok(position));
            }
        }
    }

    #[test]
    fn links_and_paths_are_not_fens() {
        for text in [
            "https://e.org/1/2/3/4/5",
            "/home/u1/a/b/c/d/e",
            "games/2025/x.pgn",
        ] {
            assert!(!looks_like_fen(text), "{text}");
        }
    }

    #[test]
    fn malformed_fens_are_rejected() {
        for (text, sentence) in [
            ("", "FEN: 1 rows (expected 8"),
            ("8/8/8/3pP3/3Pp3/8/8", "FEN: 7 rows"),
            ("8/8/8/3pP4/3Pp3/8/8/8", "FEN: row 4, '3pP4'"),
            ("8/8/8/3xP3/3Pp3/8/8/8", "FEN: row 4, '3xP3'"),
            ("8/8/8/3pP3/3Pp3/8/8/99999999", "FEN: row 8, '99999999'"),
            ("8/8/8/3pP3/3Pp3/8/8/8 x", "FEN: 'x' is not a side to move"),
            ("8/8/8/8/8/8/8/8 w", "FEN: empty board"),
        ] {
            let error = Position::from_fen(text).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{text}: {error}");
        }
    }
}
