//! Emilia, an Othello engine: the rules, the evaluation, the search, and the protocols that carry them.
//!
//! A game against the engine:
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
//! Endgames of an OBF file solved:
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
//!     let found = engine.search(&problem.position.board, &Limits::solve(Goal::Exact), &mut Silent);
//!     println!("{:?} {}", found.best_move(), found.value);
//!     assert_eq!(found.value, Value::from_score(38));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The floors, ground first; a room imports only from floors below it (`tests/architecture.rs` checks that):
//!
//! 0. [`files`]: reading with a limit, appending, replacing; [`work`]: what threads share; `cpu`: whether the processor has
//!    what the build assumes
//! 1. [`board`]: the rules
//! 2. [`eval`]: what a position is worth without search; [`game`]: a game as played
//! 3. [`search`]: what it is worth with search; [`textbook`]: the same as the textbooks print it
//! 4. [`player`]: which move to play; [`analysis`]: what the moves of a game were worth; [`options`]: the options of the
//!    engine, by name
//! 5. [`protocol`]: how programs see it; `arena`: matches between them; `train`: how the evaluation learns;
//!    `view`: how people see it
//! 6. `cli`: one file per subcommand; `capi`: the same engine for programs in C and what calls C
//!
//! Errors are values. Each says in one sentence what was found, where, and what was expected; one that wraps another
//! repeats it in its sentence, and returns it as [`source`](std::error::Error::source).

pub mod analysis;
#[cfg(feature = "arena")]
pub mod arena;
pub mod board;
#[cfg(feature = "capi")]
pub mod capi;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(all(target_arch = "x86_64", any(feature = "capi", feature = "cli")))]
pub mod cpu;
pub mod eval;
pub mod files;
pub mod game;
pub mod options;
pub mod player;
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
    Depth, Engine, Goal, Limits, Line, OutOfMemory, Progress, Report, Search, Selectivity,
    Settings, Silent, Stop, Techniques, TimeControl,
};
