//! `BookExit`: where a game leaves the opening book, and by whose move.

use std::fmt;

use emilia_games::match_log::ColorName;
use serde::{Deserialize, Serialize};

use emilia_book::Book;
use emilia_core::board::{Color, Move};
use emilia_files::FileError;
use emilia_games::Game;

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
    #[serde(with = "ColorName")]
    pub side: Color,
    /// Move played.
    pub r#move: String,
    /// Best move of the book.
    pub best: String,
    /// Value of `best` in discs for the side that moved.
    pub value: f64,
}

impl BookExit {
    /// Finds where `game` leaves `book`. Returns `None` if its first move is not in the book, or
    /// its last one is.
    ///
    /// # Errors
    /// If the book cannot be read.
    pub fn of(game: &Game, book: &Book) -> Result<Option<BookExit>, FileError> {
        let in_book = moves_in_book(game, book)?;
        let Some(played) = game.moves().get(in_book) else {
            return Ok(None);
        };
        let position = game.positions()[in_book];
        let moves = placed(game, in_book);
        let known = book.moves(&position.board)?;
        let Some(best) = known.first() else {
            return Ok((moves > 0).then_some(BookExit { moves, left: None }));
        };
        let left = LeftBook {
            side: position.mover,
            r#move: played.mv.to_string(),
            best: best.mv.to_string(),
            value: best.value.discs(),
        };
        Ok(Some(BookExit {
            moves,
            left: Some(left),
        }))
    }
}

/// Returns the number of moves at the start of a game that the book has, passes included.
fn moves_in_book(game: &Game, book: &Book) -> Result<usize, FileError> {
    let positions = game.positions();
    for (index, (position, played)) in positions.iter().zip(game.moves()).enumerate() {
        let known = book.moves(&position.board)?;
        if !known.iter().any(|book_move| book_move.mv == played.mv) {
            return Ok(index);
        }
    }
    Ok(game.moves().len())
}

/// Returns the number of the first `count` moves that placed a disc.
fn placed(game: &Game, count: usize) -> usize {
    let moves = game.moves()[..count].iter();
    moves.filter(|played| played.mv != Move::Pass).count()
}

/// Returns the number of moves at the start of a game that the book has, passes not counted.
///
/// # Errors
/// If the book cannot be read.
pub(super) fn placed_in_book(game: &Game, book: &Book) -> Result<usize, FileError> {
    Ok(placed(game, moves_in_book(game, book)?))
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
                let LeftBook {
                    r#move,
                    best,
                    value,
                    ..
                } = left;
                write!(f, " with {move}; the book has {best} ({value:+.2})")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_core::board::{Position, Transcript};

    #[test]
    fn the_first_move_that_the_book_lacks_leaves_it() {
        let transcript = Transcript::parse("f5d6", Position::START).unwrap();
        let mut game = Game::from(&transcript);
        assert_eq!(BookExit::of(&game, &Book::Embedded).unwrap(), None);
        // Black plays the best moves of the book, white the first move that it does not have.
        for moves in 2.. {
            let position = game.position();
            let known = Book::Embedded.moves(&position.board).unwrap();
            let is_known = |mv: &Move| known.iter().any(|book_move| book_move.mv == *mv);
            let unknown = position.moves().into_iter().find(|mv| !is_known(mv));
            let best = known[0].mv;
            let (Color::White, Some(mv)) = (position.mover, unknown) else {
                game.play(best).unwrap();
                continue;
            };
            game.play(mv).unwrap();
            game.play(game.position().moves()[0]).unwrap();
            let sentence = BookExit::of(&game, &Book::Embedded)
                .unwrap()
                .unwrap()
                .to_string();
            let number = moves + 1;
            let start =
                format!("white leaves the book at move {number} with {mv}; the book has {best}");
            assert!(sentence.starts_with(&start), "{sentence}, not {start}");
            return;
        }
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
