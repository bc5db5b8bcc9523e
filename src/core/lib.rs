//! Emilia's engine: rules of Othello, evaluation and search.
//!
//! Play a game against itself:
//!
//! ```
//! use emilia_core::{Color, Engine, Limits, Position, Settings, Silent};
//!
//! let mut engine = Engine::new(Settings::default());
//! let mut position = Position::START;
//! while !position.is_over() {
//!     let line = engine.search(&position.board, &Limits::depth(2), &mut Silent);
//!     let mv = line.best_move().expect("the game is not over");
//!     println!("{}: {mv}, {} discs", position.mover, line.value);
//!     position = position.play(mv)?;
//! }
//! println!("Black's score: {}", position.final_score_for(Color::Black));
//! # Ok::<(), emilia_core::board::IllegalMove>(())
//! ```
//!
//! Solve the fortieth problem of the FFO set:
//!
//! ```
//! use emilia_core::{Engine, Goal, Limits, Position, Settings, Silent, Value};
//!
//! let problem: Position =
//!     "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X".parse()?;
//! let mut engine = Engine::new(Settings::default());
//! let found = engine.search(&problem.board, &Limits::solve(Goal::Exact), &mut Silent);
//! assert_eq!(found.value, Value::from_score(38));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! Cargo's default target on x86-64 does not use AVX2. Without AVX2, solving a position takes 1.8
//! times as long. `README.md` has the two lines that enable AVX2.
//!
//! # The tour
//!
//! Read the modules in this order. The first four begin with a tour of their files.
//!
//! 1. [`board`]: the rules. [`Board`] holds the discs, [`Position`] also the colour to move.
//! 2. [`eval`]: static evaluation, from `simple` to `net`.
//! 3. [`search`]: how [`Engine`] finds a move, in ten steps.
//! 4. [`work`]: threads, work queues, stop flags.
//! 5. `cpu`: the check that the processor has the instruction sets of this build.
//!
//! Errors are values. An error message is one sentence: what was found, where, and what was
//! expected.

#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

pub mod board;
#[cfg(target_arch = "x86_64")]
pub mod cpu;
pub mod eval;
pub mod search;
pub mod work;

pub use board::perft::perft;
pub use board::{Board, Color, Move, Position, Score, Square, Transcript};
pub use eval::{AnyEvaluator, Evaluator, ProbCutModel, Value};
pub use search::{
    Depth, EachLine, Engine, Goal, Limits, Line, OutOfMemory, Progress, Report, SearchHandle,
    Selectivity, Settings, Silent, StopFlag, TimeControl,
};
