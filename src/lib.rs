//! Emilia, an Othello engine: rules, evaluation, search, and the protocols of Othello programs.
//!
//! Play a game against the engine:
//!
//! ```
//! use emilia::{Engine, Limits, Player, Position, Settings, Silent};
//!
//! let mut player = Player::new(Engine::new(Settings::default()));
//! let mut position = Position::START;
//! while !position.is_over() {
//!     let line = player.choose(&position, &Limits::depth(2), None, &mut Silent);
//!     let mv = line.best_move().expect("the game is not over");
//!     println!("{}: {mv}, {} discs", position.mover, line.value);
//!     position = position.play(mv)?;
//! }
//! println!("Black's score: {}", position.final_score_for(emilia::Color::Black));
//! # Ok::<(), emilia::board::IllegalMove>(())
//! ```
//!
//! Solve the endgames of an OBF file:
//!
//! ```
//! use emilia::{Engine, Goal, Limits, Settings, Silent, Value, board::parse_obf};
//!
//! let file = "% The fortieth problem of the FFO set
//! O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38";
//! let mut engine = Engine::new(Settings::default());
//! for line in file.lines() {
//!     let Some(problem) = parse_obf(line)? else {
//!         continue;
//!     };
//!     let limits = Limits::solve(Goal::Exact);
//!     let found = engine.search(&problem.position.board, &limits, &mut Silent);
//!     println!("{:?} {}", found.best_move(), found.value);
//!     assert_eq!(found.value, Value::from_score(38));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The tour
//!
//! The folders of `src`, from the ground up. A folder imports only from lower floors. The list of
//! floors is `FLOORS` in `tests/architecture.rs`. Each module begins with a tour of its own.
//!
//! - [`files`], [`work`] and `cpu`: file access, threads and shards, instruction sets.
//! - [`board`]: the rules. [`Board`] holds the discs, [`Position`] also the colour to move.
//! - [`eval`]: static evaluation, from `simple` to `net`. [`game`]: records and files of games.
//!   `view`: tables, progress bars and pictures of boards.
//! - [`search`]: how [`Engine`] finds a move, in ten steps. [`textbook`]: the same algorithms as
//!   printed in the literature.
//! - [`book`]: the opening book, learned by searches and exchanged with other programs.
//!   [`people`]: a model of how people choose moves.
//! - [`player`]: options and choice of a move. [`analysis`]: mistakes and better moves of a game.
//! - `practice`: exercises from analysed games, and when they return.
//! - [`protocol`]: GTP, NBoard and UCI. `arena`: matches. `train`: training of evaluations.
//! - `play`: the game at the terminal. `gui`: the page in the browser, and its server.
//! - `cli`: the subcommands. `capi`: the library for C programs.
//!
//! To learn the algorithms, read [`textbook`], then `eval/simple.rs`, [`search`] and `eval/net`.
//!
//! Errors are values. An error message is one sentence: what was found, where, and what was
//! expected. An error that wraps another includes its message, and returns it as
//! [`source`](std::error::Error::source).

pub mod analysis;
#[cfg(feature = "arena")]
pub mod arena;
pub mod board;
pub mod book;
#[cfg(feature = "capi")]
pub mod capi;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(all(target_arch = "x86_64", any(feature = "capi", feature = "cli")))]
pub mod cpu;
pub mod eval;
pub mod files;
pub mod game;
#[cfg(feature = "gui")]
mod gui;
pub mod people;
#[cfg(feature = "cli")]
pub mod play;
pub mod player;
#[cfg(feature = "cli")]
pub mod practice;
pub mod protocol;
pub mod search;
pub mod textbook;
#[cfg(feature = "train")]
pub mod train;
#[cfg(feature = "cli")]
pub mod view;
pub mod work;

pub use board::{Board, Color, Move, Position, Score, Square, Transcript};
pub use eval::{AnyEvaluator, ErrorModel, Evaluator, Value};
pub use game::Game;
pub use player::Player;
pub use search::{
    Depth, Engine, Goal, Limits, Line, OutOfMemory, Progress, Report, SearchHandle, Selectivity,
    Settings, Silent, StopFlag, Techniques, TimeControl,
};
