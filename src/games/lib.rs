//! Games as played: moves with evaluations and times, tags, file formats, archives.
//!
//! Reading order:
//! - `record`: [`Game`] and its [`Tags`]; `played`: one move with its evaluation and time;
//!   `packed`: a game in little memory.
//! - `outcome`: recorded results; `times`: time limits and times, as records write them.
//! - `tree`: GGF and SGF, [`Game::to_ggf`] and [`Game::to_sgf`].
//! - `pgn`: [`Game::to_pgn`] and its reader; `json`: games of Othello Quest and other sites.
//! - `segments`: splits a text into parts of one format each; `reading`: collects the games, the
//!   spans of text that were read, and warnings about the rest.
//! - `tokens`, `scanner`: splits text into moves, numbers, results and words; `words`: passes,
//!   sides and tags in several languages; `lists`: lists of moves; `labels`, `conventions`: their
//!   other forms.
//! - `boards`: positions drawn in any way, and in links.
//! - [`wthor`]: the binary files of the WTHOR tournament database.
//! - `match_log`: the games of `emilia match --out`.
//! - `collection`: [`Collection::read`] reads all games of a file.
//! - `lines`: the games of a text without structure; `header`: the header lines with their tags.
//! - `opening`: names of openings, and XOT.
//! - `labelled`: lines of positions with the scores of their moves.
//! - `input`: games and positions named by arguments, such as `games.ggf:3`.
//! - `archive`: searches in files of many games.

pub mod archive;
mod boards;
mod collection;
mod conventions;
mod header;
pub mod input;
mod json;
mod labelled;
mod labels;
mod lines;
mod lists;
pub mod match_log;
mod opening;
mod outcome;
mod packed;
mod pgn;
mod played;
mod reading;
mod record;
mod replay;
mod scanner;
mod segments;
#[cfg(test)]
mod tests;
mod times;
mod tokens;
mod tree;
mod words;
pub mod wthor;

pub use boards::position;
pub use collection::{Collection, NoGames};
pub use labelled::Labelled;
pub use opening::{OPENINGS, Opening, XOT, opening_moves, opening_names, openings_like};
pub use outcome::{Ending, Outcome};
pub use packed::PackedGame;
pub use played::Played;
pub use record::{Game, Tags};
pub use times::{TimeLimit, today};
pub use tree::SgfSquares;
