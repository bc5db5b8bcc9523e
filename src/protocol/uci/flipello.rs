//! Positions and moves in the UCI dialect of Fairy-Stockfish, which calls Othello `flipello`.
//!
//! Ranks are those of chess: they count from the bottom, so row 1 of Othello is rank 8.
//! The side that moves first is White there and has capital letters:
//!
//! | Othello | flipello |
//! |---|---|
//! | Black, the first to move | `w`, discs `P` |
//! | White | `b`, discs `p` |
//! | d3 | the drop `P@d6` |
//! | a pass | a move from the mover's first disc (counted from a1) to the same square |
//!
//! Source: the rules of Fairy-Stockfish, compared through the Python package `pyffish` 0.0.90.

use emilia_core::board::{Bitboard, Color, Faults, Move, Position, Square, excerpt};

/// The name of the game in the UCI option `UCI_Variant`.
pub const VARIANT: &str = "flipello";

/// Number of rows and of columns of the board.
const SIDE: u8 = 8;

/// Discs in the hand of each side: more than it can place in a game.
const DISCS_IN_HAND: usize = 60;

/// Reads a FEN: the rows from the top, then the side to move.
/// The discs in hand and the fields after the side to move have no effect and may be missing.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_protocol::flipello;
/// let start = flipello::from_fen("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1").unwrap();
/// assert_eq!(start, Position::START);
/// ```
///
/// # Errors
/// If the text is not a position. The error is one sentence.
pub fn from_fen(text: &str) -> Result<Position, String> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or_default();
    let board = board.split('[').next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(SIDE) {
        let count = rows.len();
        return Err(format!(
            "FEN: {count} rows (expected 8, with / between them)"
        ));
    }
    let mut discs = [Bitboard::EMPTY; 2];
    for (rank, row) in (0..).zip(rows) {
        let mut file = 0;
        for character in row.chars() {
            file += match character {
                'P' | 'p' if file < SIDE => {
                    let color = usize::from(character == 'p');
                    discs[color] |= Bitboard::of(Square::at(file, rank));
                    1
                }
                '1'..='8' => character as u8 - b'0',
                _ => SIDE + 1,
            };
            if file > SIDE {
                break;
            }
        }
        if file != SIDE {
            let (number, row) = (rank + 1, excerpt(row));
            return Err(format!(
                "FEN: row {number}, '{row}', is not made of P, p and digits for 8 squares"
            ));
        }
    }
    let mover = match words.next().unwrap_or("w") {
        "w" => Color::Black,
        "b" => Color::White,
        other => {
            let other = excerpt(other);
            return Err(format!(
                "FEN: '{other}' is no side to move (expected w or b)"
            ));
        }
    };
    let position = Position::new(discs[0], discs[1], mover);
    let faults = position.board.faults() - Faults::HARMLESS;
    if faults.is_empty() {
        Ok(position)
    } else {
        Err(format!("FEN: {faults}"))
    }
}

/// Writes the FEN of a position, with 60 discs in the hand of each side.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_protocol::flipello;
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

/// Writes one row, where a digit is a run of empty squares.
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

/// The square mirrored at the horizontal axis: row 1 becomes rank 8.
fn mirrored(square: Square) -> Square {
    Square::at(square.file(), 7 - square.rank())
}

/// Reads a move: `P@e3` in either case, or a pass.
/// A pass is a square twice, such as `a1a1`, or the UCI null move `0000`.
/// The function does not check whether the move is legal.
///
/// ```
/// use emilia_core::board::{Move, Square};
/// use emilia_protocol::flipello;
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

/// Writes a move of the side to move of `position`.
///
/// ```
/// use emilia_core::board::{Move, Position, Square};
/// use emilia_protocol::flipello;
/// assert_eq!(flipello::move_name(Move::Place(Square::D3), &Position::START), "P@d6");
/// ```
pub fn move_name(mv: Move, position: &Position) -> String {
    match mv {
        Move::Place(square) => format!("P@{}", mirrored(square)),
        Move::Pass => {
            let own = position.board.player.squares().map(mirrored);
            // A side without discs never passes, because the game is over.
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
    fn first_moves_match_fairy_stockfish() {
        let names: Vec<String> = Position::START
            .moves()
            .into_iter()
            .map(|mv| move_name(mv, &Position::START))
            .collect();
        assert_eq!(names, ["P@d6", "P@c5", "P@f4", "P@e3"]);
    }

    #[test]
    fn moves_and_fens_round_trip() {
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
        // A position of a random game in pyffish 0.0.90. Its only legal move there is d2d2.
        let fen = "pPPPp1PP/ppppppPP/ppPPpPpP/pPppPpPP/pPPpPpPP/pPPpppPP/PPPpPpPP/PPPPPPPP[Pp] \
                   b - - 0 30";
        let position = from_fen(fen).unwrap();
        assert!(position.must_pass());
        assert_eq!(move_name(Move::Pass, &position), "d2d2");
    }

    #[test]
    fn malformed_fens_and_moves_are_rejected() {
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
            let error = from_fen(text).unwrap_err();
            assert!(error.starts_with(sentence), "{text}: {error}");
        }
        for text in [
            "", "P@", "P@i1", "P@e9", "P@e33", "e3", "e3e4", "p", "00", "é1é1", "a1a1a1",
        ] {
            assert_eq!(read_move(text), None, "{text}");
        }
    }
}
