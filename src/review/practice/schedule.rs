//! [`Practised`]: an exercise and its answers. When it returns is decided by FSRS, the free spaced
//! repetition scheduler, with intervals in days. Its state is computed from all answers.

use std::time::SystemTime;

use rs_fsrs::{Card, FSRS, Parameters, Rating};

use super::{Exercise, Graded, MIN_LOSS};
use emilia_core::board::Square;
use emilia_player::people::HALF_A_DISC;

/// Exercise with its results.
#[derive(Clone, Debug)]
pub struct Practised {
    /// Number of the exercise in the file.
    pub id: i64,
    /// The exercise.
    pub exercise: Exercise,
    /// Number of answers.
    pub answers: u32,
    /// Number of answers that were the best move.
    pub best: u32,
    /// Discs lost by all answers.
    pub lost: f64,
    card: Card,
}

/// Answer to an exercise.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Move that the user chose.
    pub mv: Square,
    /// Loss in discs.
    pub lost: f64,
    /// Whether a hint was shown before.
    pub hinted: bool,
    /// Time of the answer.
    pub at: SystemTime,
}

impl Answer {
    /// Creates the answer of this moment.
    pub fn now(mv: Square, graded: &Graded, hinted: bool) -> Answer {
        Answer {
            mv,
            lost: graded.lost,
            hinted,
            at: SystemTime::now(),
        }
    }

    /// Rates the answer. The best move is good, with a hint it is hard, and so is an answer that
    /// loses less than an inaccuracy. Others make the exercise return on the next day.
    fn rating(&self) -> Rating {
        match self.lost {
            lost if lost >= MIN_LOSS => Rating::Again,
            lost if lost >= HALF_A_DISC || self.hinted => Rating::Hard,
            _ => Rating::Good,
        }
    }
}

impl Practised {
    /// Creates an exercise without answers.
    pub(super) fn new(id: i64, exercise: Exercise) -> Practised {
        Practised {
            id,
            exercise,
            answers: 0,
            best: 0,
            lost: 0.0,
            card: Card::default(),
        }
    }

    /// Adds the next answer, and returns when the exercise returns.
    pub(super) fn add(&mut self, answer: &Answer) -> SystemTime {
        self.answers += 1;
        self.best += u32::from(answer.lost < HALF_A_DISC);
        self.lost += answer.lost;
        let at = answer.at.into();
        // After a negative number of days the stability of FSRS is not a number.
        self.card.last_review = self.card.last_review.min(at);
        let parameters = Parameters {
            enable_short_term: false,
            ..Parameters::default()
        };
        let next = FSRS::new(parameters).next(self.card.clone(), at, answer.rating());
        self.card = next.card;
        self.card.due.into()
    }

    /// Returns when the exercise returns, or `None` before the first answer.
    pub fn due(&self) -> Option<SystemTime> {
        (self.answers > 0).then(|| self.card.due.into())
    }
}
