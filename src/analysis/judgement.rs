//! A move of a game, and what it cost.

use std::fmt;

use super::{Better, Scored};
use crate::board::{Color, Move, Position, Square};
use crate::eval::Value;
use crate::search::Depth;

/// A move that placed a disc, and what could have been played in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Where it stands among the moves of the game, passes included, from 0.
    pub index: usize,
    /// Its number, from 1, passes left out of the count.
    pub number: usize,
    /// The position before it.
    pub position: Position,
    /// The move.
    pub played: Square,
    /// What the player expected, in discs, where the record says so.
    pub eval: Option<f64>,
    /// Its score for the side that played it.
    pub score: Scored,
    /// How far the search for a better move looked.
    pub searched: Depth,
    /// The best of the moves that are better, if there is one.
    pub better: Option<Better>,
}

impl Judgement {
    /// The move that should have been played.
    pub fn best_move(&self) -> Move {
        let better = self.better.as_ref();
        let square = better.and_then(|better| better.line.first().copied());
        square.unwrap_or(Move::Place(self.played))
    }

    /// The score of that move, for its side: no surer than what is known of the other moves.
    pub fn best(&self) -> Scored {
        let better = self.better.as_ref();
        Scored {
            value: better.map_or(self.score.value, |better| better.value),
            depth: self.score.depth.min(self.searched),
        }
    }

    /// The discs that the move lost; never below 0.
    pub fn loss(&self) -> f64 {
        (self.best().value - self.score.value).discs()
    }

    /// How bad it was.
    pub fn grade(&self) -> Grade {
        Grade::of(self.loss())
    }

    /// Whether it was the only legal move.
    pub fn is_forced(&self) -> bool {
        self.position.moves().len() == 1
    }

    /// Whether the scores that it is judged by are certain.
    pub fn is_exact(&self) -> bool {
        self.best().depth.is_solved()
    }

    /// The score before the move, under best play, for Black.
    pub fn best_for_black(&self) -> Value {
        for_black(self.best().value, self.position.mover)
    }

    /// The score after the move, for Black.
    pub fn score_for_black(&self) -> Value {
        for_black(self.score.value, self.position.mover)
    }
}

fn for_black(value: Value, mover: Color) -> Value {
    match mover {
        Color::Black => value,
        Color::White => -value,
    }
}

/// How bad a move is, by the discs it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It loses little or nothing.
    Good,
    /// From 2 discs on.
    Inaccuracy,
    /// From 4 discs on.
    Mistake,
    /// From 10 discs on.
    Blunder,
}

impl Grade {
    /// All that have a name of their own, the least first.
    pub const BAD: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The grade of a move that loses so many discs.
    pub fn of(loss: f64) -> Grade {
        let bad = Grade::BAD.into_iter().rev();
        bad.into_iter()
            .find(|grade| loss >= grade.least_loss())
            .unwrap_or(Grade::Good)
    }

    /// From how many discs on a move is of this grade.
    pub const fn least_loss(self) -> f64 {
        match self {
            Grade::Good => 0.0,
            Grade::Inaccuracy => 2.0,
            Grade::Mistake => 4.0,
            Grade::Blunder => 10.0,
        }
    }

    /// The mark of chess books: `?!`, `?`, `??`.
    pub const fn mark(self) -> &'static str {
        match self {
            Grade::Good => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Grade::Good => "good",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        })
    }
}
