//! Games as played: moves with evaluations and times, tags, file formats, archives.
//!
//! Reading order:
//! - `record`: [`Game`] and its [`Tags`]; `played`: one move with its evaluation and time;
//!   `packed`: a game in little memory.
//! - `outcome`: recorded results; `times`: time limits of games, and times of moves.
//! - `tree`: reads and writes GGF and SGF ([`Game::to_ggf`], [`Game::to_sgf`]).
//! - `pgn`: reads and writes PGN ([`Game::to_pgn`]); `json`: reads games of Othello Quest and other
//!   sites.
//! - `segments`: splits a text into parts of one format each; `reading`: collects the games, the
//!   spans of text that were read, and warnings about the rest.
//! - `tokens`, `scanner`: split a text into moves, numbers, results and words; `words`: the words
//!   for passes, sides and tags in several languages; `lists`: lists of moves; `labels`: lists with
//!   one labelled move a line; `conventions`: lists in unusual coordinates; `replay`: plays moves
//!   without storing positions.
//! - `boards`: positions drawn in rows, on one line, or in a link.
//! - [`wthor`]: the binary files of the WTHOR tournament database.
//! - `match_log`: reads the games of `emilia match --out`.
//! - `collection`: [`Collection::read`] reads all games of a file.
//! - `lines`: games of a text without a structured format; `header`: header lines such as
//!   `% Black: Ann`.
//! - `opening`: names of openings, and XOT.
//! - `labelled`: positions with the exact scores of their moves, as in OBF.
//! - `input`: games and positions named by command-line arguments, such as `games.ggf:3`.
//! - `archive`: searches many games in several files.

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
