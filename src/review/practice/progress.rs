//! The exercises that are due, and results by theme.

use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::{Practised, THEMES};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An exercise may come half a day early, so that the hour of practice may vary.
const EARLY: Duration = Duration::from_secs(12 * 60 * 60);

/// Results of the exercises of a theme. An exercise may have several themes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ThemeProgress {
    /// Name of the theme, or `all`.
    pub theme: &'static str,
    /// Number of exercises.
    pub exercises: usize,
    /// Number of exercises answered at least once.
    pub practised: usize,
    /// Number of exercises due now, new ones not counted.
    pub due: usize,
    /// Number of answers.
    pub answers: u32,
    /// Number of answers that were the best move.
    pub best: u32,
    /// Discs lost by all answers.
    pub lost: f64,
}

impl ThemeProgress {
    /// Returns the share of answers that were the best move, 0 to 1.
    pub fn share(&self) -> f64 {
        f64::from(self.best) / f64::from(self.answers.max(1))
    }

    /// Returns the mean loss of an answer in discs.
    pub fn mean_loss(&self) -> f64 {
        self.lost / f64::from(self.answers.max(1))
    }
}

/// Returns the progress of each theme that has exercises, and of all exercises at the end.
pub fn progress(all: &[Practised], now: SystemTime) -> Vec<ThemeProgress> {
    let of = |theme: &'static str, own: &[Practised]| ThemeProgress {
        theme,
        exercises: own.len(),
        practised: own.iter().filter(|one| one.answers > 0).count(),
        due: due(own, now, usize::MAX)
            .iter()
            .filter(|one| one.answers > 0)
            .count(),
        answers: own.iter().map(|one| one.answers).sum(),
        best: own.iter().map(|one| one.best).sum(),
        lost: own.iter().map(|one| one.lost).sum(),
    };
    let themes = THEMES.iter().map(|theme| {
        let own = all.iter().filter(|one| theme.is_of(&one.exercise));
        of(theme.name, &own.cloned().collect::<Vec<_>>())
    });
    let themes = themes.filter(|theme| theme.exercises > 0);
    themes.chain([of("all", all)]).collect()
}

/// Returns the exercises of a session, at most `count`: those that are due, the longest waiting
/// first, and then new ones, the largest loss first.
pub fn due(all: &[Practised], now: SystemTime, count: usize) -> Vec<&Practised> {
    let is_due = |one: &&Practised| one.due().is_none_or(|due| due <= now + EARLY);
    let mut due: Vec<&Practised> = all.iter().filter(is_due).collect();
    due.sort_by(|one, other| {
        let by_loss = other.exercise.lost.total_cmp(&one.exercise.lost);
        let is_new = |one: &Practised| one.due().is_none();
        let by_time = is_new(one)
            .cmp(&is_new(other))
            .then(one.due().cmp(&other.due()));
        by_time.then(by_loss)
    });
    due.truncate(count);
    due
}

/// Returns the number of days from `now` to `due`, rounded.
pub fn days_until(due: SystemTime, now: SystemTime) -> u64 {
    let left = due.duration_since(now).unwrap_or_default();
    (left.as_secs_f64() / DAY.as_secs_f64()).round() as u64
}
