//! [`Difficulty`]: how hard the best move of a position is to find.

use std::fmt;

use super::{Choice, Model, Skill};
use emilia_core::board::Move;

/// Difficulty of a position for players of one skill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// Probability of a move that loses less than [`HALF_A_DISC`], 0 to 1 in whole percent: the
    /// number that is shown and graded.
    pub found: f64,
    /// Expected loss of a move, in discs.
    pub loss: f64,
}

/// Losses below this count as none, in discs.
/// Final scores differ by two discs, or by one if the number of discs on the board is odd.
pub const HALF_A_DISC: f64 = 0.5;

impl Difficulty {
    /// Returns the difficulty of a choice. `best` is the best move by a deeper search.
    /// `None` takes the best move of the choice itself.
    pub fn of(choice: &Choice, best: Option<Move>, skill: Skill) -> Difficulty {
        let probabilities = Model::FITTED.probabilities(choice, skill.factor());
        let is_best = |mv: Move| best.is_some_and(|best| best == mv);
        let reference = choice.candidates.iter().find(|one| is_best(one.mv));
        let reference = reference.or(choice.candidates.first());
        let best_value = reference.map_or(0.0, |one| one.searched);
        let mut difficulty = Difficulty {
            found: 0.0,
            loss: 0.0,
        };
        for (candidate, probability) in choice.candidates.iter().zip(probabilities) {
            let loss = best_value - candidate.searched;
            // The deeper search refutes a move with a value above that of its best move.
            if loss.abs() < HALF_A_DISC {
                difficulty.found += probability;
            }
            difficulty.loss += probability * loss.max(0.0);
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifficultyGrade {
    /// Found by at least 3 of 4 players.
    Easy,
    /// Found by at least 1 of 2.
    Medium,
    /// Found by at least 1 of 4.
    Hard,
    /// Found by fewer.
    VeryHard,
}

/// All grades, easiest first: the name, and the smallest share of players that find the best move.
const GRADES: [(DifficultyGrade, &str, f64); 4] = [
    (DifficultyGrade::Easy, "easy", 0.75),
    (DifficultyGrade::Medium, "medium", 0.5),
    (DifficultyGrade::Hard, "hard", 0.25),
    (DifficultyGrade::VeryHard, "very hard", 0.0),
];

impl DifficultyGrade {
    /// Returns the smallest share of players that find the best move, 0 to 1.
    pub fn min_found(self) -> f64 {
        GRADES[self as usize].2
    }
}

impl fmt::Display for DifficultyGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(GRADES[*self as usize].1)
    }
}
