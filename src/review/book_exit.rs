//! `BookExit`: where a game leaves the opening book, and by whose move.

use std::fmt;

use emilia_games::match_log::ColorName;
use serde::{Deserialize, Serialize};

use crate::judgement::to_tenth;
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
    /// Value of `best` in discs for the side that moved, to one decimal.
    pub value: f64,
}

impl BookExit {
    /// Returns the number of moves at the start of `game` that `book` has, passes not counted, and
    /// where the game leaves the book. `None` if the book has no move of the first position, or
    /// has the whole game.
    pub fn of(game: &Game, book: &Book) -> Result<(usize, Option<BookExit>), FileError> {
        let mut moves = 0;
        for (position, played) in game.positions().iter().zip(game.moves()) {
            let known = book.moves(&position.board)?;
            if known.iter().any(|own| own.mv == played.mv) {
                moves += usize::from(played.mv != Move::Pass);
                continue;
            }
            let left = known.first().map(|best| LeftBook {
                side: position.mover,
                r#move: played.mv.to_string(),
                best: best.mv.to_string(),
                value: to_tenth(best.value.discs()),
            });
            let is_known = moves > 0 || left.is_some();
            return Ok((moves, is_known.then_some(BookExit { moves, left })));
        }
        Ok((moves, None))
    }
}

/// Formats as one sentence without a full stop.
impl fmt::Display for BookExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(left) = &self.left else {
            return write!(f, "the book ends after move {}", self.moves);
        };
        let (side, mv, best, value) = (left.side, &left.r#move, &left.best, left.value);
        let number = self.moves + 1;
        write!(
            f,
            "{side} leaves the book at move {number} with {mv}; the book has {best} ({value:+.1})"
        )
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
        assert_eq!(BookExit::of(&game, &Book::Off).unwrap(), (0, None));
        assert_eq!(BookExit::of(&game, &Book::Embedded).unwrap(), (2, None));
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
            let (known, exit) = BookExit::of(&game, &Book::Embedded).unwrap();
            assert_eq!(known, moves);
            let sentence = exit.unwrap().to_string();
            let number = moves + 1;
            let start =
                format!("white leaves the book at move {number} with {mv}; the book has {best}");
            assert!(sentence.starts_with(&start), "{sentence}, not {start}");
            return;
        }
    }
}
