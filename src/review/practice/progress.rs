//! Results by theme.

use std::time::SystemTime;

use serde::Serialize;

use super::{Exercise, THEMES};

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

/// Returns the progress of each theme that has exercises, and of all exercises at the end. Puzzles of
/// the program count from their first answer.
pub fn progress(all: &[Exercise], now: SystemTime) -> Vec<ThemeProgress> {
    let of = |theme: &'static str, is_own: &dyn Fn(&Exercise) -> bool| {
        let mut sums = ThemeProgress {
            theme,
            ..ThemeProgress::default()
        };
        for one in all.iter().filter(|one| is_own(one) && !one.is_new_puzzle()) {
            let is_practised = !one.answers.is_empty();
            sums.exercises += 1;
            sums.practised += usize::from(is_practised);
            sums.due += usize::from(is_practised && one.is_due(now));
            for answer in &one.answers {
                sums.answers += 1;
                sums.best += u32::from(answer.is_best());
                sums.lost += answer.lost;
            }
        }
        sums
    };
    let all_themes = THEMES
        .iter()
        .map(|theme| of(theme.name, &|one| theme.is_of(one)));
    let themes = all_themes.filter(|theme| theme.exercises > 0);
    themes.chain([of("all", &|_| true)]).collect()
}
