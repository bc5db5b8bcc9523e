//! `BookExit`: where a game leaves the opening book, and by whose move.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Color, Move};
use crate::book::Book;
use crate::eval::Value;
use crate::files::FileError;
use crate::game::Game;

/// End of the part of a game that the opening book has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookExit {
    /// Number of the last move that the book has, passes not counted.
    pub moves: usize,
    /// The move that the book does not have. Absent if the book ends here with its own move.
    pub left: Option<LeftBook>,
}

/// Move that leaves the opening book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftBook {
    /// Side that moved.
    pub side: Color,
    /// Move played.
    pub r#move: String,
    /// Best move of the book.
    pub best: String,
    /// Value of `best` in discs for the side that moved.
    pub value: Option<f64>,
}

impl BookExit {
    /// Finds where `game` leaves `book`. Returns `None` if its first move is not in the book, or
    /// its last one is.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn of(game: &Game, book: &Book) -> Result<Option<BookExit>, FileError> {
        let mut moves = 0;
        for (position, played) in game.positions().iter().zip(game.moves()) {
            let known = book.moves(&position.board)?;
            let Some(best) = known.first() else {
                let ended = (moves > 0).then_some(BookExit { moves, left: None });
                return Ok(ended);
            };
            if !known.iter().any(|book_move| book_move.mv == played.mv) {
                let left = LeftBook {
                    side: position.mover,
                    r#move: played.mv.to_string(),
                    best: best.mv.to_string(),
                    value: best.value.map(Value::discs),
                };
                return Ok(Some(BookExit {
                    moves,
                    left: Some(left),
                }));
            }
            moves += usize::from(played.mv != Move::Pass);
        }
        Ok(None)
    }
}

/// Formats as one sentence without a full stop.
impl fmt::Display for BookExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.left {
            None => write!(f, "the book ends after move {}", self.moves),
            Some(left) => {
                write!(
                    f,
                    "{} leaves the book at move {}",
                    left.side,
                    self.moves + 1
                )?;
                write!(f, " with {}; the book has {}", left.r#move, left.best)?;
                left.value
                    .map_or(Ok(()), |value| write!(f, " ({value:+.2})"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Transcript};

    /// The exit of a game from the embedded book, as a sentence.
    fn exit(moves: &str) -> Option<String> {
        let transcript = Transcript::parse(moves, Position::START).unwrap();
        let exit = BookExit::of(&Game::from(&transcript), &Book::Embedded).unwrap();
        exit.map(|exit| exit.to_string())
    }

    #[test]
    fn the_first_move_that_the_book_lacks_leaves_it() {
        let best = |moves: &str| {
            let end = Transcript::parse(moves, Position::START).unwrap().end();
            Book::Embedded.moves(&end.board).unwrap()[0].mv
        };
        assert_eq!(exit("f5d6"), None);
        // f5 f6 e6 g6 loses a dozen discs for black.
        let sentence = exit("f5f6e6g6").unwrap();
        let expected = format!(
            "white leaves the book at move 4 with g6; the book has {}",
            best("f5f6e6")
        );
        assert!(sentence.starts_with(&expected), "{sentence}");
    }

    #[test]
    fn without_a_book_there_is_no_exit() {
        let transcript = Transcript::parse("f5d6", Position::START).unwrap();
        assert_eq!(
            BookExit::of(&Game::from(&transcript), &Book::Off).unwrap(),
            None
        );
    }
}
