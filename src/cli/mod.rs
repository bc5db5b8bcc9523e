//! Command line: one file or folder for each subcommand.
//! Each file parses the arguments of its command, calls the library and prints the results.
//! Results go to stdout, progress and errors to stderr.
//!
//! Read `options` (shared options), `inputs` (positions and games as arguments) and `hint` first.

/// Returns early with the error for invalid input. The arguments are those of `format!` and give
/// the message, one sentence.
macro_rules! bail {
    ($($sentence:tt)*) => { return Err($crate::cli::refused(format_args!($($sentence)*))) };
}

/// Writes a sentence to stderr. The arguments are those of `format!`.
macro_rules! note {
    ($($sentence:tt)*) => { $crate::cli::print_to_stderr(&format_args!($($sentence)*)) };
}

pub(crate) mod analyze;
mod bench;
mod book;
mod compare;
mod convert;
mod eval_test;
mod games;
mod generated;
mod ggs;
mod gui;
mod hint;
mod inputs;
mod levels;
mod matches;
mod openings;
mod options;
mod perft;
mod play;
mod practice;
mod puzzles;
mod selfplay;
mod serve;
mod show;
mod solve;
mod train;
mod tune;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use etcetera::BaseStrategy;

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use emilia_core::board::{Sentence, printable};
use emilia_core::search::OutOfMemory;
use emilia_core::work::StopFlag;
use emilia_files::FileError;
use emilia_protocol::Protocol;
use emilia_view::{ProgressBar, message, width, wrap};
use options::{EngineOptions, PlayOptions};

/// Heading in the help, above the options that every command has.
const OUTPUT: &str = "Output";

/// Maximum width of help in columns. Wider lines are hard to read.
const WIDEST: usize = 100;

/// Version, followed by the x86-64 level (x86-64 psABI) that this build needs. In a build for other
/// processors, `portable` follows.
const VERSION: &str = if cfg!(not(target_arch = "x86_64")) {
    concat!(env!("CARGO_PKG_VERSION"), " (portable)")
} else if cfg!(not(target_feature = "avx2")) {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64)")
} else if cfg!(not(target_feature = "avx512vl")) {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v3)")
} else {
    concat!(env!("CARGO_PKG_VERSION"), " (x86-64-v4)")
};

/// Name of the program and of its folder in the user's data folder.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Emilia, an Othello engine. Without a command: `play` on a terminal, otherwise the protocol
/// (GTP, NBoard, UCI or Cassio's) that the first line of the input selects
#[derive(Debug, Parser)]
#[command(version = VERSION)]
pub(crate) struct Cli {
    #[command(flatten)]
    options: PlayOptions,

    /// Log more on stderr (-v info, -vv debug). EMILIA_LOG sets levels by module
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = OUTPUT)]
    pub(crate) verbose: u8,

    /// When to colour the output, with ● and ○ as discs. never: plain ASCII. auto: on a terminal,
    /// unless `NO_COLOR` is set or the locale is not UTF-8
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    #[arg(help_heading = OUTPUT)]
    color: ColorChoice,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game at the terminal
    Play(play::Args),
    /// Speak GTP on stdin and stdout (Quarry, GoGui, match scripts)
    #[command(after_help = serve::after_help(Protocol::Gtp))]
    Gtp(serve::PonderArgs),
    /// Speak the NBoard protocol on stdin and stdout
    #[command(name = "nboard", after_help = serve::after_help(Protocol::NBoard))]
    NBoard(serve::PonderArgs),
    /// Speak UCI on stdin and stdout, as Fairy-Stockfish does for Othello, which it calls flipello
    #[command(after_help = serve::after_help(Protocol::Uci))]
    Uci(PlayOptions),
    /// Speak the protocol of Cassio on stdin and stdout
    #[command(after_help = serve::cassio_help())]
    Cassio(EngineOptions),
    /// Open a board in the browser: play, look at values, review games
    Gui(gui::Args),
    /// Play on the game server GGS by itself: accept and make requests, keep the games
    Ggs(Box<ggs::Args>),
    /// Show the best moves of a position with their scores
    Hint(hint::Args),
    /// Solve positions exactly, and compare the scores with the input
    Solve(solve::Args),
    /// Show a position: board, legal moves and static evaluations
    Show(show::Args),
    /// Analyse games: score of each move, better moves, mistakes by discs lost
    Analyze(Box<analyze::Args>),
    /// Search archives: games of a player or a year, moves from a position, duplicates
    Games(games::Args),
    /// Practise the positions of games in which a player, or people of a level, lose the most discs
    Practice(Box<practice::Args>),
    /// Convert game files and folders to one file of transcripts, PGN, GGF, SGF, WTHOR or OBF
    Convert(convert::Args),
    /// Play a match between two players, or a tournament of more: results, Elo, SPRT
    Match(Box<matches::Args>),
    /// Draw openings of a given length and score, for matches
    Openings(openings::Args),
    /// Tune numeric options of a player by games between copies of it
    Tune(Box<tune::Args>),
    /// Make positions to solve, with one best move, from games
    Puzzles(puzzles::Args),
    /// Search positions with exact scores: mean absolute error, share of best moves found
    EvalTest(eval_test::Args),
    /// Learn, exchange and show opening books
    Book(book::Args),
    /// Count the leaves of the game tree at a depth, or run suites of expected counts
    Perft(perft::Args),
    /// Search fixed positions: node count (the signature of the search) and speed
    Bench(bench::Args),
    /// Compare minimax, negamax, alpha-beta and its refinements, NegaScout and MTD(f) on one
    /// position
    Compare(compare::Args),
    /// Make training data: self-play games or labelled positions
    Selfplay(selfplay::Args),
    /// Fit the net, the light weights, the error model of forward pruning or the model of people
    Train(train::Args),
    /// Print the levels of play: depth, exact depth and human level of each
    #[command(after_help = levels::tables(width().min(WIDEST)))]
    Levels,
    /// Print a completion script for a shell
    #[command(after_help = "\
Example:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia")]
    Completions {
        /// Shell to complete for
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages
    #[command(after_help = "\
Example:
  emilia man ~/.local/share/man/man1")]
    Man {
        /// Folder to write to, created if missing
        #[arg(value_name = "DIR")]
        folder: PathBuf,

        #[command(flatten)]
        force: options::ForceOption,
    },
}

/// Outcome of a command that ran. It decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Success: exit code 0.
    Yes,
    /// A count or a score differs from the expected one: exit code 1.
    No,
    /// Ctrl-C ended the command, and finished work was kept. Exit code 130, as in shells.
    Interrupted,
}

impl Verdict {
    /// Returns `Yes` if `is_right` is set, otherwise `No`.
    fn of(is_right: bool) -> Verdict {
        if is_right { Verdict::Yes } else { Verdict::No }
    }
}

/// Result of a command: its verdict, or the error that ended it.
type CommandResult = Result<Verdict, Failure>;

/// Error that ends a command: exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Invalid input. The message says what was wrong, where, and what was expected.
    #[error("{0}")]
    Input(String),
    /// Error while writing the results to stdout.
    #[error("stdout: {0}")]
    Io(#[from] io::Error),
    /// Error while reading or writing a file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Too little memory for a transposition table.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

impl From<Sentence> for Failure {
    fn from(sentence: Sentence) -> Failure {
        Failure::Input(sentence.into())
    }
}

impl From<String> for Failure {
    fn from(sentence: String) -> Failure {
        Failure::Input(sentence)
    }
}

/// Returns the error for invalid input, with `reason` as its message.
fn refused(reason: impl Display) -> Failure {
    Failure::Input(reason.to_string())
}

/// Writes a message to stderr, with control characters escaped, and wrapped if stderr is a
/// terminal.
/// Write errors are ignored.
pub(crate) fn print_to_stderr(sentence: &dyn Display) {
    let text = printable(&sentence.to_string());
    let _ = writeln!(io::stderr(), "{}", message(&text));
}

/// Returns the clap command, with its help wrapped to the terminal. An argument such as `-3` is
/// parsed as a value, not as an option.
fn command_line() -> clap::Command {
    let command = Cli::command().term_width(width().min(WIDEST));
    command.mut_subcommands(|command| command.allow_negative_numbers(true))
}

/// Groups of commands in the help: heading, and names of the commands in the group.
const GROUPS: [(&str, &str); 3] = [
    (
        "Play and study",
        "play gui hint show solve analyze practice book levels compare ggs",
    ),
    ("Files", "convert games puzzles completions man"),
    (
        "Engine work",
        "gtp nboard uci cassio match tune openings bench perft eval-test selfplay train",
    ),
];

/// Replaces the list of commands in the help of `command` by [`GROUPS`].
fn with_groups(command: clap::Command) -> clap::Command {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text.extend([heading, ":\n"]);
        for command in names
            .split(' ')
            .filter_map(|name| command.find_subcommand(name))
        {
            let about = command.get_about().unwrap_or_default();
            let line = format!("  {:11}  {about}", command.get_name());
            text += &wrap(&line, width().min(WIDEST), 15);
            text.push('\n');
        }
        text.push('\n');
    }
    text += "'emilia help COMMAND' describes a command.";
    let template = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}";
    command
        .mut_subcommands(|command| command.hide(true))
        .override_usage("emilia [OPTIONS] [COMMAND]")
        .help_template(template)
        .before_help(text)
}

/// Moves the name of a command, and of its subcommand, before the options:
/// `emilia --threads 2 solve FILE` is `emilia solve --threads 2 FILE`.
fn command_first(mut command: &clap::Command, words: &mut [OsString]) {
    for front in 1..words.len() {
        let mut rest = front..words.len();
        let Some(at) = rest.find(|&at| command.find_subcommand(&words[at]).is_some()) else {
            return;
        };
        words[front..=at].rotate_right(1);
        command = command.find_subcommand(&words[front]).unwrap_or(command);
    }
}

/// Adds a tip to the error for an unknown option that has the name of a positional argument. For
/// `perft --depth 5`, the tip is to leave out `--depth`.
fn set_tip(error: &mut clap::Error, command: &clap::Command) {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return;
    };
    let is_own = |argument: &&clap::Arg| option.trim_start_matches('-') == argument.get_id();
    if let Some(argument) = command.get_positionals().find(is_own) {
        let tip = format!("leave out '{option}': {argument} has no name").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}

/// Returns whether the locale uses UTF-8. The first non-empty variable of `LC_ALL`, `LC_CTYPE` and
/// `LANG` names the locale. If all three are empty, UTF-8 is assumed.
fn is_utf8_locale(variable: impl Fn(&str) -> Option<String>) -> bool {
    let mut set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable);
    let locale = set.find(|locale| !locale.is_empty()).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8")
}

impl Cli {
    /// Parses the arguments of this process.
    /// If the arguments are invalid, or ask for help or the version, prints a message and exits.
    pub(crate) fn from_command_line() -> Cli {
        let mut command = command_line();
        command.build();
        command = with_groups(command);
        let mut words: Vec<_> = std::env::args_os().map(options::board_as_value).collect();
        command_first(&command, &mut words);
        let matches = command.try_get_matches_from_mut(&words);
        let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        cli.unwrap_or_else(|mut error| {
            let own = words.get(1).and_then(|word| command.find_subcommand(word));
            set_tip(&mut error, own.unwrap_or(&command));
            if !error.use_stderr() || !io::stderr().is_terminal() {
                error.exit();
            }
            eprint!("{}", message(&error.render().to_string()));
            std::process::exit(error.exit_code())
        })
    }

    /// Returns whether stdout is coloured.
    fn colored(&self) -> bool {
        let variable = |name| std::env::var_os(name).unwrap_or_default();
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                io::stdout().is_terminal()
                    && variable("NO_COLOR").is_empty()
                    && variable("TERM") != "dumb"
                    && is_utf8_locale(|name| std::env::var(name).ok())
            }
        }
    }

    /// Runs the subcommand and writes the results to `out`. Without a subcommand, plays a game if
    /// stdin is a terminal, and otherwise serves the protocol that the input selects.
    pub(crate) fn run(self, out: &mut (dyn Write + Send)) -> CommandResult {
        log::info!("version {VERSION}");
        let colored = self.colored();
        let Some(command) = self.command else {
            if io::stdin().is_terminal() {
                let args = play::Args {
                    options: self.options,
                    ..play::Args::default()
                };
                return play::run(&args, colored, out);
            }
            return serve::run(None, &self.options, false, out);
        };
        match command {
            Command::Play(args) => play::run(&args, colored, out),
            Command::Gtp(args) => serve::run(Some(Protocol::Gtp), &args.options, args.ponder, out),
            Command::NBoard(args) => {
                serve::run(Some(Protocol::NBoard), &args.options, args.ponder, out)
            }
            Command::Uci(args) => serve::run(Some(Protocol::Uci), &args, false, out),
            Command::Cassio(engine) => {
                let EngineOptions { given } = engine;
                serve::run(Some(Protocol::Cassio), &PlayOptions { given }, false, out)
            }
            Command::Gui(args) => gui::run(&args, out),
            Command::Ggs(args) => ggs::run(&args, out),
            Command::Hint(args) => hint::run(&args, out),
            Command::Solve(args) => solve::run(&args, out),
            Command::Show(args) => show::run(&args, colored, out),
            Command::Analyze(args) => analyze::run(&args, colored, out),
            Command::Games(args) => games::run(&args, out),
            Command::Practice(args) => practice::run(&args, out),
            Command::Convert(args) => convert::run(&args, out),
            Command::Match(args) => matches::run(&args, out),
            Command::Openings(args) => openings::run(&args, out),
            Command::Tune(args) => tune::run(&args, out),
            Command::Puzzles(args) => puzzles::run(&args, out),
            Command::EvalTest(args) => eval_test::run(&args, out),
            Command::Book(args) => book::run(&args, out),
            Command::Perft(args) => perft::run(&args, out),
            Command::Bench(args) => bench::run(&args, out),
            Command::Compare(args) => compare::run(&args, out),
            Command::Selfplay(args) => selfplay::run(&args, out),
            Command::Train(args) => train::run(&args, out),
            Command::Levels => levels::run(out),
            Command::Completions { shell } => generated::completions(shell, out),
            Command::Man { folder, force } => generated::man(&folder, force.force, out),
        }
    }
}

/// Returns the path `given` by `option`, or else the path of the file `name` in the user's data
/// folder.
///
/// # Errors
/// If `given` is `None` and the user has no home folder.
fn data_file(given: Option<&PathBuf>, name: &str, option: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = given {
        return Ok(path.clone());
    }
    match etcetera::choose_base_strategy() {
        Ok(folders) => Ok(folders.data_dir().join(PROGRAM).join(name)),
        Err(_) => bail!("there is no home folder: name the file with {option} FILE"),
    }
}

/// Calls `handler` on Ctrl-C, instead of ending the process.
fn on_interrupt(handler: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(handler).map_err(|error| refused(format!("cannot handle Ctrl-C: {error}")))
}

/// Returns a flag that Ctrl-C sets, instead of ending the process.
fn interrupt_flag() -> Result<StopFlag, Failure> {
    let flag = StopFlag::default();
    let handle = flag.clone();
    on_interrupt(move || handle.set())?;
    Ok(flag)
}

/// Creates a progress bar for a command that prints each result as soon as it is found. Ctrl-C
/// prints the number of results so far, and ends the process with exit code 130.
fn interruptible_bar(unit: &'static str) -> Result<Arc<ProgressBar>, Failure> {
    let bar = Arc::new(ProgressBar::new(unit));
    let shared = Arc::downgrade(&bar);
    on_interrupt(move || {
        if let Some(bar) = shared.upgrade() {
            let [done, all] = bar.done();
            bar.suspend(|| interrupted(done, all, unit));
        }
        std::process::exit(130);
    })?;
    Ok(bar)
}

/// Prints how many of `all` items an interrupted command has finished. `what` is the name of the
/// items, optionally with further facts.
fn interrupted(done: impl Display, all: impl Display, what: &str) -> Verdict {
    note!("emilia: interrupted after {done} of {all} {what}");
    Verdict::Interrupted
}

/// Returns `count` per second, finite even for a time of zero.
fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}
