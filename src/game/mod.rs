//! A game as played: its moves with what was thought of them, its clocks, and the files that games come in.
//!
//! [`Game`] is the record; [`Collection::read`] reads files of any kind. [`Game::from_ggf`] and [`Game::from_sgf`] read one, [`Game::to_ggf`] and [`Game::to_sgf`]
//! write it, and [`wthor`] reads the tournament base.

mod collection;
mod error;
mod ggf;
mod header;
mod opening;
mod played;
mod properties;
mod record;
mod sgf;
#[cfg(test)]
mod tests;
mod times;
pub mod wthor;

pub use collection::{BadGame, Collection, GameProblem, Kind, NoGames};
pub use error::{RecordError, RecordProblem};
pub use opening::Opening;
pub use played::{NotPlayed, Played};
pub use record::{Ending, Game, Outcome, Tags};
pub use times::{NotATime, TimeLimit};
