//! [`Answer`], the time at which an exercise is asked again, and the exercises of a session. FSRS
//! computes the time from all answers, in whole days.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::fsrs::{Memory, Rating, answered};
use super::{Exercise, Graded, MIN_LOSS, Puzzle, PuzzleSkill, Theme};
use emilia_core::board::{Board, Square, Symmetry};
use emilia_player::people::HALF_A_DISC;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Time by which an exercise may be asked before it is due, because the user does not practise at
/// the same hour every day.
const EARLY: Duration = Duration::from_secs(12 * 60 * 60);

/// Number of puzzles from which a session draws its puzzles: those whose ratings are nearest to the
/// user's rating.
const NEAR: usize = 40;

/// Latest valid time of an answer, in milliseconds since 1970: the end of the year 9999.
const LATEST: u64 = 253_402_300_799_999;

/// Answer of the user to an exercise.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Time of the answer in milliseconds since 1970.
    pub at: u64,
    /// Move that the user chose.
    #[serde(rename = "move")]
    pub mv: Square,
    /// Loss in discs.
    pub lost: f64,
    /// Whether a hint was shown before the answer.
    pub hinted: bool,
}

impl Answer {
    /// Creates an answer. `graded` is the grade of `mv` by
    /// [`AnswerKey::grade`](super::AnswerKey::grade).
    pub fn new(mv: Square, graded: &Graded, hinted: bool, at: SystemTime) -> Answer {
        let since = at.duration_since(SystemTime::UNIX_EPOCH);
        Answer {
            at: since.unwrap_or_default().as_millis() as u64,
            mv,
            lost: graded.lost,
            hinted,
        }
    }

    /// Returns whether the time of the answer is at most [`LATEST`].
    pub(super) fn has_time(&self) -> bool {
        self.at <= LATEST
    }

    fn time(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(self.at)
    }

    /// Returns whether the move loses less than half a disc. Such a move counts as best.
    pub(super) fn is_best(&self) -> bool {
        self.lost < HALF_A_DISC
    }

    /// Rates the answer for FSRS: `Good` for a best move without a hint, `Again` for a loss of at
    /// least [`MIN_LOSS`], and `Hard` otherwise.
    fn rating(&self) -> Rating {
        match self.lost {
            lost if lost >= MIN_LOSS => Rating::Again,
            _ if !self.is_best() || self.hinted => Rating::Hard,
            _ => Rating::Good,
        }
    }
}

impl Exercise {
    /// Computes `due` from all answers.
    pub(super) fn reschedule(&mut self) {
        self.answers.sort_by_key(|answer| answer.at);
        let answers = self.answers.iter();
        self.due = due_after(answers.map(|answer| (answer.time(), answer.rating())));
    }

    /// Adds the answers of `image`, an exercise with a symmetric position. Returns the number of
    /// new answers. Two answers with the same time in milliseconds count as the same answer.
    pub(super) fn add_answers_of(&mut self, image: &Exercise) -> usize {
        let is_own = |by: &Symmetry| by.board(&image.position.board) == self.position.board;
        let Some(symmetry) = Symmetry::all().find(is_own) else {
            return 0;
        };
        let before = self.answers.len();
        for answer in &image.answers {
            if self.answers.iter().all(|own| own.at != answer.at) {
                let mv = symmetry.square(answer.mv);
                self.answers.push(Answer { mv, ..*answer });
            }
        }
        self.reschedule();
        self.answers.len() - before
    }

    /// Returns the time from which the exercise is asked again. `None` before the first answer.
    pub fn due(&self) -> Option<SystemTime> {
        self.due
    }

    /// Returns whether a session at the time `now` may ask the exercise. An exercise without an
    /// answer is always due.
    pub(super) fn is_due(&self, now: SystemTime) -> bool {
        self.due().is_none_or(|due| due <= now + EARLY)
    }
}

/// Returns the time at which an exercise is asked again. `answers` must be sorted by time. `None`
/// if there are no answers.
pub fn due_after(answers: impl Iterator<Item = (SystemTime, Rating)>) -> Option<SystemTime> {
    let mut last: Option<(Memory, SystemTime)> = None;
    let mut due = None;
    for (at, rating) in answers {
        let days = |before| at.duration_since(before).unwrap_or_default().as_secs() / DAY.as_secs();
        let before = last.map(|(memory, before)| (memory, days(before)));
        let (memory, days) = answered(before, rating);
        last = Some((memory, at));
        due = Some(at + DAY * days);
    }
    due
}

/// Selects at most `count` exercises for a session, of one theme or of all themes.
///
/// Exercises that are due come first, the longest overdue first. Then come exercises without an
/// answer, the largest loss first, and then embedded puzzles. The puzzles are drawn at random with
/// `seed` from the puzzles whose ratings are nearest to the user's rating.
pub fn session(
    all: &[Exercise],
    theme: Option<&Theme>,
    now: SystemTime,
    count: usize,
    seed: u64,
) -> Vec<Exercise> {
    let is_wanted = |one: &Exercise| theme.is_none_or(|theme| theme.is_of(one));
    let own = all.iter().filter(|one| !one.is_new_puzzle());
    let answered: HashSet<Board> = own.clone().map(Exercise::key).collect();
    let due = own.filter(|one| one.is_due(now) && is_wanted(one));
    let mut session: Vec<Exercise> = due.cloned().collect();
    session.sort_by(|one, other| {
        let when = |one: &Exercise| (one.due().is_none(), one.due());
        (when(one).cmp(&when(other))).then(other.lost.total_cmp(&one.lost))
    });
    session.truncate(count);
    let rating = PuzzleSkill::of(all).rating;
    let puzzles = Puzzle::embedded().iter();
    let mut new: Vec<&Puzzle> = puzzles
        .filter(|(key, _)| !answered.contains(key))
        .map(|(_, puzzle)| puzzle)
        .collect();
    let distance = |puzzle: &&Puzzle| (puzzle.rating() - rating).abs();
    new.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    let exercises = new.into_iter().filter_map(Puzzle::exercise);
    let mut near: Vec<Exercise> = exercises.filter(is_wanted).take(NEAR).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut near);
    let left = count - session.len();
    session.extend(near.into_iter().take(left));
    session
}

/// Returns the number of exercises with an answer that are due at the time `now`.
pub fn due_count(all: &[Exercise], now: SystemTime) -> usize {
    let answered = all.iter().filter(|one| !one.answers.is_empty());
    answered.filter(|one| one.is_due(now)).count()
}

/// Returns the number of days from `now` to `due`, rounded. 0 if `due` has passed.
pub fn days_until(due: SystemTime, now: SystemTime) -> u64 {
    let left = due.duration_since(now).unwrap_or_default();
    (left.as_secs_f64() / DAY.as_secs_f64()).round() as u64
}
