//! Emilia, an Othello engine: the rules, the evaluation, the search, and the protocols that carry them.
//!
//! The floors, ground first; a room imports only from floors below it (`tests/architecture.rs` checks that):
//!
//! 0. [`files`]: reading with a limit, appending, replacing; [`work`]: what threads share
//! 1. [`board`]: the rules
//! 2. [`eval`]: what a position is worth without search; [`game`]: a game as played
//! 3. [`search`]: what a position is worth with search; [`textbook`]: the same as the textbooks print it
//! 4. [`protocol`]: how programs see it; [`arena`]: matches between them; [`train`]: how the evaluation learns;
//!    [`view`]: how people see it
//! 5. [`cli`]: one file per subcommand

pub mod arena;
pub mod board;
pub mod cli;
pub mod eval;
pub mod files;
pub mod game;
pub mod protocol;
pub mod search;
pub mod textbook;
pub mod train;
pub mod view;
pub mod work;
