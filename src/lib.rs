//! Emilia, an Othello engine: the rules, the evaluation, the search, and the protocols that carry them.
//!
//! The floors, ground first; a room imports only from floors below it:
//!
//! 0. [`files`]: reading with a limit, appending, replacing
//! 1. [`board`]: the rules
//! 2. [`eval`]: what a position is worth without search
//! 3. [`search`]: what it is worth with search; [`textbook`]: the same as the textbooks print it
//! 4. [`game`]: a game as played; [`options`]: the options of the engine, by name
//! 5. [`protocol`]: how programs see it; [`arena`]: matches between them; [`train`]: how the evaluation learns;
//!    [`view`]: how people see it
//! 6. [`cli`]: one file per subcommand

pub mod arena;
pub mod board;
pub mod cli;
pub mod eval;
pub mod files;
pub mod game;
pub mod options;
pub mod protocol;
pub mod search;
pub mod textbook;
mod threads;
pub mod train;
pub mod view;
