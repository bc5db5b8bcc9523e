//! Practice: positions in which a player lost discs become exercises, which are repeated at growing
//! intervals.
//!
//! Reading order:
//! - `exercise`: [`Exercise`], and how mistakes in analysed games become exercises.
//! - `themes`: [`THEMES`], the themes of exercises and their rules.
//! - `answer_key`: [`AnswerKey`], the scores of all moves, by which an answer is graded.
//! - `schedule`: [`Answer`], the time at which an exercise is asked again, and [`session`], which
//!   selects the exercises to ask.
//! - `fsrs`: the scheduling algorithm FSRS-5.
//! - `store`: [`Store`], the database file with exercises and answers. WebAssembly has no files, so
//!   its builds compile `memory` in place of `store`.
//! - `records`: export and import of exercises with answers as JSON lines.
//! - `search`: [`SearchLimits`], which analyses games and searches answer keys. The results are
//!   stored, so that no search runs twice.
//! - `puzzles`: [`Puzzle`], an exercise embedded in the program, and the rating of the user.
//! - `puzzle_maker`: `PuzzleMaker`, which selects puzzles from the positions of games.

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
