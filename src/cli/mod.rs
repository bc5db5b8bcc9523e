//! The command line: one file per subcommand, each of which parses, calls, and shows.
//!
//! Results go to stdout, progress and errors to stderr.

mod ablation;
mod bench;
mod compare;
#[cfg(target_arch = "x86_64")]
pub mod cpu;
mod eval_test;
mod gtp;
mod matches;
mod nboard;
mod options;
mod perft;
mod play;
mod selfplay;
mod shard;
mod show;
mod solve;
mod train;

use std::fmt;
use std::io::{self, BufReader, IsTerminal, Write};

use clap::{Parser, Subcommand};

use crate::protocol::{self, Setup};
use options::GlobalOptions;

/// The last words of the help of both protocols.
fn default_limits() -> String {
    format!(
        "Without limits and without a clock that the client sets, a move takes {:?}. A clock is always kept to; a\n\
         fixed --time holds as long as the clock can pay it. Where time is limited, the only move is played at once.\n\
         Any line of input ends the thinking on the opponent's time. The end of the input ends a running search, so a\n\
         script must wait for its answers before it closes the pipe.",
        protocol::DEFAULT_TIME
    )
}

/// An Othello engine: plays, proves, measures. Without a command: play on a terminal, otherwise the protocol that the
/// first line asks for.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = false)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalOptions,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search fixed positions: the signature of the search, and its speed
    Bench(bench::Args),
    /// Compare minimax, negamax, alpha-beta and its refinements, NegaScout and MTD(f) on one position
    Compare(compare::Args),
    /// Search positions with known scores: how far off, how often the best move
    #[command(mut_arg("depth", |depth| depth.value_parser(clap::value_parser!(u32).range(0..=60))))]
    EvalTest(eval_test::Args),
    /// Let two players play each other, many times, and count
    Match(Box<matches::Args>),
    /// Play a game at the terminal
    Play(play::Args),
    /// Count the positions a number of plies ahead, or run suites of such counts
    Perft(perft::Args),
    /// Speak GTP on stdin and stdout (Quarry, GoGui, match scripts)
    Gtp(gtp::Args),
    /// Speak the protocol of NBoard on stdin and stdout
    #[command(name = "nboard")]
    NBoard(nboard::Args),
    /// Play training games of the engine against itself
    Selfplay(selfplay::Args),
    /// Fit the weights of the pattern evaluation to training games
    Train(train::Args),
    /// Show a position: the board, its legal moves, and what the evaluation says of it
    Show(show::Args),
    /// Solve positions: exact final scores, held against known ones
    Solve(solve::Args),
}

/// How a command that ran came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It did what was asked: exit code 0.
    Yes,
    /// It ran, and the answer is no (a count or a score differs): exit code 1.
    No,
    /// It was told to end before it was done, and kept what it had: exit code 130, as shells say it.
    Interrupted,
}

/// Why a command could not run: exit code 2, with one sentence.
#[derive(Debug)]
pub enum Failure {
    /// What the user gave cannot be used; the sentence says what, where, and what was expected.
    Input(String),
    /// Reading or writing failed.
    Io(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(sentence) => f.write_str(sentence),
            Failure::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl Cli {
    /// The arguments of this process; ends it with a message when they are wrong, or ask for help or the version.
    pub fn from_command_line() -> Cli {
        Cli::parse_from(std::env::args_os().map(options::board_as_value))
    }

    /// The log level asked for by `-v`, `-vv`; none without.
    pub fn log_level(&self) -> Option<log::LevelFilter> {
        self.global.log_level()
    }

    /// Runs the subcommand, results to `out`.
    ///
    /// # Errors
    /// If the input cannot be used, or reading or writing fails.
    pub fn run(self, out: &mut dyn Write) -> Result<Verdict, Failure> {
        match self.command {
            Some(Command::Bench(args)) => bench::run(&args, &self.global, out),
            Some(Command::Compare(args)) => compare::run(&args, &self.global, out),
            Some(Command::EvalTest(args)) => eval_test::run(&args, &self.global, out),
            Some(Command::Match(args)) => matches::run(&args, &self.global, out),
            Some(Command::Play(args)) => play::run(&args, &self.global, out),
            Some(Command::Perft(args)) => perft::run(&args, &self.global, out),
            Some(Command::Gtp(args)) => gtp::run(&args, &self.global, out),
            Some(Command::NBoard(args)) => nboard::run(&args, &self.global, out),
            Some(Command::Selfplay(args)) => selfplay::run(&args, &self.global, out),
            Some(Command::Train(args)) => train::run(&args, &self.global, out),
            Some(Command::Show(args)) => show::run(&args, &self.global, out),
            Some(Command::Solve(args)) => solve::run(&args, &self.global, out),
            None if io::stdin().is_terminal() => {
                play::run(&play::Args::default(), &self.global, out)
            }
            None => detect(&self.global, out),
        }
    }
}

/// Speaks the protocol that the first line asks for: some clients start the binary without arguments.
fn detect(global: &GlobalOptions, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let setup = Setup {
        settings: global.parallel_settings(),
        ..Setup::default()
    };
    protocol::run_detected(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}
