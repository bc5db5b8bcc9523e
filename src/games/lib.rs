//! Games as played: moves with evaluations and times, tags, file formats, archives.
//!
//! Reading order:
//! - `record`: [`Game`] and its [`Tags`]; `played`: one move with its evaluation and time.
//! - `times`: time limits and times, as records write them.
//! - `properties`: the syntax that GGF and SGF share, and its errors with line and column.
//! - `ggf`, `sgf`: [`Game::from_ggf`], [`Game::to_ggf`], [`Game::from_sgf`], [`Game::to_sgf`].
//! - [`wthor`]: the binary files of the WTHOR tournament database.
//! - `match_log`: the games of `emilia match --out`.
//! - `collection`: [`Collection::read`] detects the format of a file and reads all its games.
//! - `header`: the tags above a transcript; `opening`: names of openings.
//! - `obf`: positions with the scores of their moves; `labelled`: files of them.
//! - `input`: games and positions named by arguments, such as `games.ggf:3`.
//! - `archive`: searches in files of many games.

pub mod archive;
mod collection;
mod ggf;
mod header;
pub mod input;
mod labelled;
pub mod match_log;
mod obf;
mod opening;
mod played;
mod properties;
mod record;
mod sgf;
#[cfg(test)]
mod tests;
mod times;
pub mod wthor;

pub use collection::{Collection, GameFormat, NoGames};
pub use labelled::LabelledReader;
pub use obf::{Labelled, parse_obf};
pub use opening::Opening;
pub use played::Played;
pub use properties::RecordError;
pub use record::{Ending, Game, Outcome, Tags};
pub use times::TimeLimit;
