//! A game between people and the engine. The commands are typed at a terminal or come from a pipe.
//!
//! Reading order: `state` contains the game and its players, and applies moves and undo.
//! `session` is the loop: it reads a command, executes it and runs the engine. `commands` is the
//! help table of commands. `players` holds which sides people play, and the level of the engine.
//! `input` reads typed lines, and ends searches at Ctrl-C. `thinking` shows a search. `file` saves
//! games and formats the command that continues a game.

mod commands;
mod file;
mod input;
mod players;
mod session;
mod state;
mod thinking;

pub(crate) use file::quoted;
pub(crate) use players::Humans;
pub(crate) use session::run;
pub(crate) use state::GameState;
pub(crate) use thinking::{ENDLESS, TIME_WIDTH, hints, watch};
