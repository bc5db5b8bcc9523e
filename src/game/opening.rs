//! Names of openings, whatever the symmetry and the order of moves: the position has the name, not the way to it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Game;
use crate::board::{Board, Position, Transcript};

/// A line for each opening: its moves and its English name, as NBoard and Edax have them.
const FILE: &str = include_str!("openings.tsv");

/// The name of each position that has one, all its images being one.
static NAMES: LazyLock<HashMap<Board, &str>> = LazyLock::new(|| {
    let lines = FILE.lines().skip(1).filter_map(|line| {
        let (moves, name) = line.split_once('\t')?;
        let game = Transcript::parse(moves, Position::START).ok()?;
        Some((game.end().board.canonical(), name))
    });
    lines.collect()
});

/// An opening that a game followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its English name.
    pub name: &'static str,
    /// After how many of the game's moves its position was there.
    pub moves: usize,
}

impl Game {
    /// The last position of the game that is one of a named opening.
    ///
    /// ```
    /// use emilia::board::{Position, Transcript};
    /// use emilia::game::Game;
    /// let game = Game::from(&Transcript::parse("c4c3d3e3f4", Position::START).unwrap());
    /// let opening = game.opening().unwrap();
    /// assert_eq!((opening.name, opening.moves), ("Cow", 5));
    /// ```
    pub fn opening(&self) -> Option<Opening> {
        let mut positions = self.positions().iter().enumerate().rev();
        positions.find_map(|(moves, position)| {
            let name = NAMES.get(&position.board.canonical())?;
            Some(Opening { name, moves })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Square, Symmetry};

    #[test]
    fn every_line_of_the_file_names_a_position() {
        assert_eq!(NAMES.len(), FILE.lines().count() - 1);
        for line in FILE.lines().skip(1) {
            let (moves, name) = line.split_once('\t').unwrap();
            let transcript = Transcript::parse(moves, Position::START).unwrap();
            let opening = Game::from(&transcript).opening().unwrap();
            assert_eq!((opening.name, opening.moves), (name, moves.len() / 2));
            assert!(!name.is_empty() && name.trim() == name);
        }
    }

    #[test]
    fn images_have_the_same_name() {
        let moves = Transcript::parse("f5f6e6d6c5", Position::START)
            .unwrap()
            .moves;
        for symmetry in Symmetry::all() {
            // Four of the symmetries leave the start as it is; the others exchange the colours of the first discs.
            if symmetry.board(&Position::START.board) != Position::START.board {
                continue;
            }
            let mut game = Game::default();
            for square in moves.iter().filter_map(|mv| mv.square()) {
                game.play(Move::Place(symmetry.square(square))).unwrap();
            }
            assert_eq!(game.opening().unwrap().name, "Cow");
        }
        let mut game = Game::default();
        assert_eq!(game.opening(), None);
        game.play(Move::Place(Square::F5)).unwrap();
        assert_eq!(game.opening(), None);
    }
}
