//! When an exercise returns: FSRS, the free spaced repetition scheduler, with intervals in days.

use std::time::SystemTime;

use rs_fsrs::{Card, FSRS, Parameters, Rating};

use super::{Graded, MIN_LOSS};
use crate::board::Square;
use crate::people::HALF_A_DISC;

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

    /// Returns the state of the schedule after this answer. `card` is the state before.
    pub(super) fn schedule(&self, card: Option<Card>) -> Card {
        let parameters = Parameters {
            enable_short_term: false,
            ..Parameters::default()
        };
        let card = card.unwrap_or_default();
        FSRS::new(parameters)
            .next(card, self.at.into(), self.rating())
            .card
    }
}
