//! Practice: positions in which discs were lost become exercises, repeated at growing intervals.
//!
//! Reading order:
//! - `exercise`: [`Exercise`], and the [`Mistake`]s of analysed games that it is made of.
//! - `themes`: [`THEMES`], the table of themes and their rules.
//! - `answer_key`: [`AnswerKey`], the values of all moves, by which an answer is graded.
//! - `schedule`: [`Practised`], an exercise with its [`Answer`]s, and when it returns.
//! - `store`: [`Store`], the file of the user's exercises and answers.
//! - `search`: [`SearchLimits`], the analysis of games and the search of answer keys, each once.
//! - `page`: the page of exercises for a browser.
//! - `progress`: [`due`], the exercises of a session, and [`ThemeProgress`], the results by theme.

mod answer_key;
mod exercise;
pub mod page;
mod progress;
mod schedule;
mod search;
mod store;
#[cfg(test)]
mod tests;
mod themes;

pub use answer_key::{AnswerKey, Graded};
pub use exercise::{Exercise, MIN_LOSS, Mistake, likely_mistakes, mistakes};
pub use progress::{ThemeProgress, days_until, due, progress};
pub use schedule::{Answer, Practised};
pub use search::SearchLimits;
pub use store::{Exercises, Store};
pub use themes::{THEMES, Theme};
