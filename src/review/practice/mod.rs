//! Practice: positions in which discs were lost become exercises, repeated at growing intervals.
//!
//! Reading order:
//! - `exercise`: [`Exercise`], and the mistakes of analysed games that it is made of.
//! - `themes`: [`THEMES`], the table of themes and their rules.
//! - `answer_key`: [`AnswerKey`], the values of all moves, by which an answer is graded.
//! - `schedule`: [`Answer`], the time at which an exercise returns, and [`session`], the exercises
//!   of a session.
//! - `fsrs`: the scheduler, FSRS-5.
//! - `store`: [`Store`], the database of the user's exercises and answers, a file. Builds
//!   for WebAssembly compile `memory` instead, whose `Store` keeps them in memory.
//! - `records`: answers, and exercises as lines of JSON, for other machines and browsers.
//! - `search`: [`SearchLimits`], the analysis of games and the search of answer keys. Each result
//!   is stored, so that each search runs once.
//! - `puzzles`: [`Puzzle`], the exercises embedded in the program, and the user's rating.
//! - `puzzle_maker`: finds positions of games that are puzzles.

mod answer_key;
mod exercise;
mod fsrs;
#[cfg(not(target_family = "wasm"))]
mod puzzle_maker;
#[cfg(test)]
mod puzzle_tests;
mod puzzles;
mod records;
mod schedule;
mod search;
#[cfg_attr(target_family = "wasm", path = "memory.rs")]
mod store;
#[cfg(test)]
mod tests;
mod themes;

pub use answer_key::{AnswerKey, Graded};
pub use exercise::{Exercise, MIN_LOSS};
pub use fsrs::Rating;
#[cfg(not(target_family = "wasm"))]
pub use puzzle_maker::{MIN_LEAD, PuzzleMaker};
pub use puzzles::{Puzzle, PuzzleSkill};
pub use records::{Added, read_exported};
pub use schedule::{Answer, days_until, due_after, due_count, session};
pub use search::SearchLimits;
pub use store::Store;
pub use themes::{THEMES, Theme};
