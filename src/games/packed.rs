//! [`PackedGame`]: a game that costs what its moves cost, as collections of many games keep it.

use std::time::Duration;

use super::record::Notes;
use super::{Game, Played, Tags};
use emilia_core::board::{Move, Position, Square};

/// A game without its positions: 32 bytes, one for each move, and what else the record has.
///
/// ```
/// use emilia_core::board::{Position, Transcript};
/// use emilia_games::{Game, PackedGame};
/// let game = Game::from(&Transcript::parse("f5d6c3", Position::START).unwrap());
/// assert_eq!(PackedGame::from(game.clone()).game(), game);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PackedGame {
    /// Index of the square of each move, or [`PASS`].
    moves: Box<[u8]>,
    /// `None` if no tag is set.
    tags: Option<Box<Tags>>,
    /// `None` if the game begins as usual, without evaluations, times and notes.
    more: Option<Box<More>>,
}

/// What few games have.
#[derive(Clone, Debug, PartialEq)]
struct More {
    start: Position,
    notes: Notes,
    /// Evaluation and time of each move, or nothing.
    thoughts: Box<[(Option<f64>, Option<Duration>)]>,
}

const PASS: u8 = 64;

impl From<Game> for PackedGame {
    fn from(game: Game) -> PackedGame {
        let index = |played: &Played| {
            played
                .mv
                .square()
                .map_or(PASS, |square| square.index() as u8)
        };
        let has_thought = |played: &Played| played.eval.is_some() || played.time.is_some();
        let thoughts: Box<[_]> = if game.moves().iter().any(has_thought) {
            let moves = game.moves().iter();
            moves.map(|played| (played.eval, played.time)).collect()
        } else {
            Box::default()
        };
        let (start, notes) = (game.start(), game.notes().clone());
        let is_plain = start == Position::START && notes == Notes::default() && thoughts.is_empty();
        PackedGame {
            moves: game.moves().iter().map(index).collect(),
            more: (!is_plain).then(|| {
                Box::new(More {
                    start,
                    notes,
                    thoughts,
                })
            }),
            tags: (game.tags != Tags::default()).then(|| Box::new(game.tags)),
        }
    }
}

impl PackedGame {
    /// Returns the game with its positions.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start());
        let thoughts = self.more.iter().flat_map(|more| &more.thoughts);
        let mut thoughts = thoughts.copied();
        for &index in &self.moves {
            let mv = Square::new(index).map_or(Move::Pass, Move::Place);
            let (eval, time) = thoughts.next().unwrap_or_default();
            // All moves are legal.
            let played = game.play(Played { mv, eval, time });
            debug_assert!(played.is_ok(), "{played:?}");
        }
        game.tags = self.tags.as_deref().cloned().unwrap_or_default();
        if let Some(more) = &self.more {
            game.set_notes(&more.notes);
        }
        game
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> Position {
        self.more
            .as_ref()
            .map_or(Position::START, |more| more.start)
    }

    /// Returns whether the game has neither moves nor passes.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the squares of the moves, without passes.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().filter_map(|&index| Square::new(index))
    }

    /// Returns the tags, or `None` if none is set.
    pub(super) fn tags(&self) -> Option<&Tags> {
        self.tags.as_deref()
    }

    /// Returns the warnings of the [`Game`], and whether a part of it was not read.
    pub fn warnings(&self) -> (&[String], bool) {
        self.more.as_ref().map_or((&[], false), |more| {
            (&*more.notes.warnings, more.notes.is_cut)
        })
    }
}
