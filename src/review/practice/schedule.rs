//! [`Answer`], and when an exercise returns. That is decided by FSRS, the free spaced repetition
//! scheduler, with intervals in days. Its state is computed from all answers.

use std::time::{Duration, SystemTime};

use rs_fsrs::{FSRS, Parameters, Rating};

use super::exercise::LOSSES;
use super::records::Unread;
use super::{Exercise, Graded, MIN_LOSS};
use emilia_core::board::Square;
use emilia_player::people::HALF_A_DISC;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An exercise may come half a day early, so that the hour of practice may vary.
const EARLY: Duration = Duration::from_secs(12 * 60 * 60);

/// Latest time of an answer in milliseconds since 1970: the end of the year 9999.
const LATEST: u64 = 253_402_300_799_999;

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
    /// Creates an answer.
    pub fn new(mv: Square, graded: &Graded, hinted: bool, at: SystemTime) -> Answer {
        Answer {
            mv,
            lost: graded.lost,
            hinted,
            at,
        }
    }

    /// Reads an answer. `at` is in milliseconds since 1970.
    ///
    /// # Errors
    /// If there is no such time or loss.
    pub(super) fn stored(at: i64, mv: Square, lost: f64, hinted: bool) -> Result<Answer, Unread> {
        let at = u64::try_from(at).ok().filter(|&at| at <= LATEST);
        let at = at.ok_or("expected a time")?;
        if !LOSSES.contains(&lost) {
            return Err("expected a loss in discs".into());
        }
        Ok(Answer {
            mv,
            lost,
            hinted,
            at: SystemTime::UNIX_EPOCH + Duration::from_millis(at),
        })
    }

    /// Returns the time of the answer in milliseconds since 1970.
    pub(super) fn milliseconds(&self) -> i64 {
        let since = self.at.duration_since(SystemTime::UNIX_EPOCH);
        since.unwrap_or_default().as_millis() as i64
    }

    /// Returns whether the answer was the best move, or as good.
    pub(super) fn is_best(&self) -> bool {
        self.lost < HALF_A_DISC
    }

    /// Rates the answer. The best move is good, with a hint it is hard, and so is an answer that
    /// loses less than an inaccuracy. Others make the exercise return on the next day.
    fn rating(&self) -> Rating {
        match self.lost {
            lost if lost >= MIN_LOSS => Rating::Again,
            _ if !self.is_best() || self.hinted => Rating::Hard,
            _ => Rating::Good,
        }
    }
}

impl Exercise {
    /// Adds the answers that a file has, in the order of their times.
    pub(super) fn answered(mut self, mut answers: Vec<Answer>) -> Exercise {
        answers.sort_by_key(|answer| answer.at);
        for answer in &answers {
            self.add(answer);
        }
        self
    }

    /// Adds the next answer, and returns when the exercise returns.
    pub(super) fn add(&mut self, answer: &Answer) -> SystemTime {
        self.answers.push(*answer);
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
        (!self.answers.is_empty()).then(|| self.card.due.into())
    }

    /// Returns whether a session at `now` may ask the exercise. New ones always count.
    pub(super) fn is_due(&self, now: SystemTime) -> bool {
        self.due().is_none_or(|due| due <= now + EARLY)
    }
}

/// Returns the exercises of a session, at most `count`: those that are due, the longest waiting
/// first, and then new ones, the largest loss first.
pub fn due(all: &[Exercise], now: SystemTime, count: usize) -> Vec<&Exercise> {
    let mut due: Vec<&Exercise> = all.iter().filter(|one| one.is_due(now)).collect();
    due.sort_by(|one, other| {
        let when = |one: &Exercise| (one.due().is_none(), one.due());
        (when(one).cmp(&when(other))).then(other.lost.total_cmp(&one.lost))
    });
    due.truncate(count);
    due
}

/// Returns the number of days from `now` to `due`, rounded.
pub fn days_until(due: SystemTime, now: SystemTime) -> u64 {
    let left = due.duration_since(now).unwrap_or_default();
    (left.as_secs_f64() / DAY.as_secs_f64()).round() as u64
}
