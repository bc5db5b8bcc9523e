//! Moves in the UCI dialect of Fairy-Stockfish, which calls Othello `flipello`.
//! [`Position::from_fen`] reads the positions of the dialect.
//!
//! Ranks are numbered as in chess: they count from the bottom, so row 1 of Othello is rank 8.
//! Black of Othello, who moves first, is White in flipello, with capital letters:
//!
//! | Othello | flipello |
//! |---|---|
//! | Black, the first to move | `w`, discs `P` |
//! | White | `b`, discs `p` |
//! | d3 | the drop `P@d6` |
//! | a pass | a square with a disc of the mover, written twice: `a1a1` |
//!
//! The square of a pass is the first square with a disc of the mover in the order a1, b1, …, h8,
//! with ranks counted from the bottom as in flipello. Source: the rules of Fairy-Stockfish. Its
//! Python package `pyffish` 0.0.90 played the games of the tests.

use emilia_core::board::{Move, Position, Square};

/// The name of the game in the UCI option `UCI_Variant`.
pub const VARIANT: &str = "flipello";

/// The square mirrored at the horizontal axis: row 1 becomes rank 8.
fn mirrored(square: Square) -> Square {
    Square::at(square.file(), 7 - square.rank())
}

/// Reads a move: `P@e3` in either case, or a pass.
/// A pass is a square twice (`a1a1`), the UCI null move (`0000`), or `@@@@`.
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
    if let Some(drop) = text.strip_prefix(['P', 'p']) {
        let square = drop.strip_prefix('@')?.parse().ok()?;
        return Some(Move::Place(mirrored(square)));
    }
    if text == "@@@@" {
        return Some(Move::Pass);
    }
    let [from, to] = [text.get(..2)?, text.get(2..)?];
    let is_pass = from == to && (from == "00" || from.parse::<Square>().is_ok());
    is_pass.then_some(Move::Pass)
}

/// Returns the name of `mv` in flipello. `position` is the position before the move.
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

    /// Games by the rules of Fairy-Stockfish, from the Python package `pyffish`. Each game has its
    /// moves, the number of legal moves before each move, and the last board.
    const GAMES: &str = include_str!("../../../tests/data/flipello-games.txt");

    #[test]
    fn games_of_fairy_stockfish_have_the_same_moves_boards_and_ends() {
        for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
            let (moves, board) = line.rsplit_once(' ').unwrap();
            let mut position = Position::START;
            for entry in moves.split(' ') {
                let (name, count) = entry.split_once(':').unwrap();
                let mv = read_move(name).unwrap();
                // At the end of the game both sides pass in Fairy-Stockfish.
                let mut legal = position.moves();
                legal.extend(position.is_over().then_some(Move::Pass));
                assert_eq!(legal.len(), count.parse::<usize>().unwrap(), "{line}");
                assert!(legal.contains(&mv), "{name}: {line}");
                assert_eq!(move_name(mv, &position), name, "{line}");
                let passed = position.with_mover(!position.mover);
                position = position.play(mv).unwrap_or(passed);
            }
            assert!(position.is_over());
            assert_eq!(position.to_fen().split('[').next(), Some(board));
        }
    }

    #[test]
    fn malformed_moves_are_rejected() {
        for text in [
            "", "P@", "P@i1", "P@e9", "P@e33", "e3", "e3e4", "p", "00", "é1é1", "a1a1a1",
        ] {
            assert_eq!(read_move(text), None, "{text}");
        }
    }
}
