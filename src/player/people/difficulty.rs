//! [`Difficulty`]: how hard the best move of a position is to find.

use std::fmt;

use super::{Choice, Model, Skill};
use emilia_core::board::Move;

/// Difficulty of a position for players of one skill, by the model of people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// Probability, from 0 to 1, that a player's move loses less than [`HALF_A_DISC`]. It is
    /// rounded to whole percent, so that [`Difficulty::grade`] uses the number that users see.
    pub found: f64,
    /// Expected loss of a player's move, in discs.
    pub loss: f64,
}

/// A move with a smaller loss than this number of discs counts as best. Final scores differ by at
/// least two discs, or by one if the number of discs on the board is odd.
pub const HALF_A_DISC: f64 = 0.5;

impl Difficulty {
    /// Returns the difficulty of `choice` for players of `skill`. `known` are losses from a deeper
    /// search, as in [`Choice::losses`].
    pub fn of(choice: &Choice, known: &[(Move, f64)], skill: Skill) -> Difficulty {
        let probabilities = Model::FITTED.probabilities(choice, skill.factor());
        let mut difficulty = Difficulty {
            found: 0.0,
            loss: 0.0,
        };
        for (loss, probability) in choice.losses(known).zip(probabilities) {
            if loss < HALF_A_DISC {
                difficulty.found += probability;
            }
            difficulty.loss += probability * loss;
        }
        difficulty.found = (100.0 * difficulty.found).round() / 100.0;
        difficulty
    }

    /// Formats the share of players that find the best move: `3 in 10`.
    pub fn found_in_words(self) -> String {
        match (10.0 * self.found).round() {
            0.0 => "fewer than 1 in 10".to_owned(),
            10.0 => "nearly all".to_owned(),
            tenths => format!("{tenths:.0} in 10"),
        }
    }

    /// Returns the difficulty in words.
    pub fn grade(self) -> DifficultyGrade {
        let mut grades = GRADES.into_iter();
        let grade = grades.find(|(.., least)| self.found >= *least);
        grade.map_or(DifficultyGrade::VeryHard, |(grade, ..)| grade)
    }
}

/// Difficulty in words, by the probability that the best move is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifficultyGrade {
    /// Found by at least 75 % of the players.
    Easy,
    /// Found by at least 45 % of the players.
    Medium,
    /// Found by at least 25 % of the players.
    Hard,
    /// Found by less than 25 % of the players.
    VeryHard,
}

/// All grades, the easiest first: the grade, its name, and the smallest share of players that find
/// the best move. [`Difficulty::found_in_words`] rounds this share to tenths. 0.75, 0.45 and 0.25
/// are limits of this rounding, so that each number of tenths has one grade.
const GRADES: [(DifficultyGrade, &str, f64); 4] = [
    (DifficultyGrade::Easy, "easy", 0.75),
    (DifficultyGrade::Medium, "medium", 0.45),
    (DifficultyGrade::Hard, "hard", 0.25),
    (DifficultyGrade::VeryHard, "very hard", 0.0),
];

impl DifficultyGrade {
    /// Returns the smallest share of players, from 0 to 1, that find the best move of a position of
    /// this grade.
    pub fn min_found(self) -> f64 {
        GRADES[self as usize].2
    }
}

impl fmt::Display for DifficultyGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(GRADES[*self as usize].1)
    }
}
