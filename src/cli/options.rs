//! Options that several subcommands share.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::Failure;
use crate::arena::LONGEST_TIME;
use crate::board::{Position, Transcript};
use crate::eval::{AnyEvaluator, Classic, Pattern, PatternWeights};
use crate::search::{Engine, Limits, Selectivity, Settings, check_hash};

/// The transposition table of a search where none is asked for, in MiB.
const DEFAULT_HASH_MIB: u32 = 64;

/// The headings of the help under which shared options stand.
const LIMITS: &str = "Limits";
const ENGINE: &str = "Engine";
const OUTPUT: &str = "Output";

/// Options that every subcommand takes; the help of each shows those that matter there.
#[derive(Clone, Debug, Args)]
pub(super) struct GlobalOptions {
    /// Transposition table size in MiB [default: 64; less where many searches run]
    #[arg(long, global = true, help_heading = ENGINE, value_name = "MIB", value_parser = hash_mib)]
    hash: Option<u32>,

    /// Threads of each search, or of the whole job where many searches run [default: one for each core; 1 in match, perft
    /// and bench]
    #[arg(long, global = true, help_heading = ENGINE, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Static evaluation
    #[arg(long, global = true, help_heading = ENGINE, value_enum, default_value_t = EvalName::Pattern)]
    eval: EvalName,

    /// Weights of the pattern evaluation, made by `emilia train`, in place of its own
    #[arg(long, global = true, help_heading = ENGINE, value_name = "FILE", value_parser = read_weights)]
    weights: Option<Arc<PatternWeights>>,

    /// Selectivity of forward pruning (Multi-ProbCut): 73, 87, 95, 98 or 99 percent, or 100 for full width. Exact scores
    /// are exact in any case
    #[arg(long, global = true, help_heading = ENGINE, value_name = "PERCENT", default_value_t = Selectivity::default())]
    selectivity: Selectivity,

    /// Log more on stderr (-v info, -vv debug); EMILIA_LOG sets it finely
    #[arg(short, long, global = true, help_heading = OUTPUT, action = clap::ArgAction::Count)]
    verbose: u8,

    /// When to colour the output
    #[arg(long, global = true, help_heading = OUTPUT, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// An evaluation by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum EvalName {
    /// Pattern weights fitted to games
    Pattern,
    /// Discs, mobility, corners
    Classic,
}

/// When to colour the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// In files and pipes too
    Always,
    /// Plain text
    Never,
}

impl GlobalOptions {
    pub(super) fn log_level(&self) -> Option<log::LevelFilter> {
        match self.verbose {
            0 => None,
            1 => Some(log::LevelFilter::Info),
            _ => Some(log::LevelFilter::Debug),
        }
    }

    /// The evaluation asked for.
    pub(super) fn evaluator(&self) -> AnyEvaluator {
        self.evaluator_named(self.eval)
    }

    /// Every evaluation there is.
    pub(super) fn evaluators(&self) -> impl Iterator<Item = AnyEvaluator> {
        EvalName::value_variants()
            .iter()
            .map(|&name| self.evaluator_named(name))
    }

    fn evaluator_named(&self, name: EvalName) -> AnyEvaluator {
        match name {
            EvalName::Pattern => match &self.weights {
                Some(weights) => Pattern::new(weights.clone()).into(),
                None => Pattern::embedded().into(),
            },
            EvalName::Classic => Classic.into(),
        }
    }

    /// The engine settings asked for, with one thread.
    pub(super) fn settings(&self) -> Settings {
        self.settings_with_hash(DEFAULT_HASH_MIB)
    }

    /// The same, with a table of so many MiB where no size is given.
    pub(super) fn settings_with_hash(&self, default_mib: u32) -> Settings {
        Settings::default()
            .with_hash_mib(self.hash.unwrap_or(default_mib) as usize)
            .with_evaluator(self.evaluator())
            .with_selectivity(self.selectivity)
    }

    /// The engine settings asked for, where a search may use the whole machine.
    pub(super) fn parallel_settings(&self) -> Settings {
        Settings {
            threads: self.threads_or_cores(),
            ..self.settings()
        }
    }

    /// What searches may leave out.
    pub(super) fn selectivity(&self) -> Selectivity {
        self.selectivity
    }

    /// The table size in MiB, if one is given.
    pub(super) fn hash(&self) -> Option<u32> {
        self.hash
    }

    /// The number of threads, if one is given.
    pub(super) fn threads(&self) -> Option<NonZero<usize>> {
        self.threads
            .and_then(|threads| NonZero::new(usize::from(threads)))
    }

    /// The number of threads: where none is given, one for each core.
    pub(super) fn threads_or_cores(&self) -> NonZero<usize> {
        self.threads()
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }

    /// An engine with these settings that may use the whole machine.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub(super) fn engine(&self) -> Result<Engine, Failure> {
        Engine::try_new(self.parallel_settings()).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Whether to colour what goes to stdout.
    pub(super) fn colored(&self) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                std::io::stdout().is_terminal() && !no_color && !dumb
            }
        }
    }
}

/// What bounds a search, as flags.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct LimitOptions {
    /// Deepest search, in plies
    #[arg(long, help_heading = LIMITS, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(super) depth: Option<u32>,

    /// Time per move or position
    #[arg(long, help_heading = LIMITS, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<Duration>,

    /// Positions visited per move or position
    #[arg(long, help_heading = LIMITS, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,

    /// Solve exactly from this many empty squares on [default: in play, gtp, nboard and match what goes with --depth, 16 at
    /// depth 8; 14 in selfplay; otherwise none]
    #[arg(long, help_heading = LIMITS, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub(super) exact: Option<u32>,
}

impl LimitOptions {
    /// The limits asked for.
    pub(super) fn limits(&self) -> Limits {
        let time = self.time.map_or_else(Limits::default, Limits::time);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            exact: self.exact,
            ..time
        }
    }
}

/// The size of a transposition table, which must fit in the memory.
fn hash_mib(text: &str) -> Result<u32, String> {
    const MOST: u32 = 65536;
    let mib = text.parse().ok().filter(|mib| (1..=MOST).contains(mib));
    let mib: u32 = mib.ok_or_else(|| format!("expected 1 to {MOST} MiB"))?;
    check_hash(mib as usize).map_err(|error| error.to_string())?;
    Ok(mib)
}

/// The weights in a file.
pub(super) fn read_weights(path: &str) -> Result<Arc<PatternWeights>, String> {
    PatternWeights::read(path)
        .map(Arc::new)
        .map_err(|error| error.to_string())
}

/// A positive number of seconds, `0.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected seconds, like 0.5".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() && time <= LONGEST_TIME => Ok(time),
        _ => Err(format!(
            "expected a positive number of seconds, at most {}",
            LONGEST_TIME.as_secs()
        )),
    }
}

/// The game that the words of the command line spell: a transcript with its moves, or a position that is the start of
/// one; none is the start of the game.
pub(super) fn game(words: &[String]) -> Result<Transcript, Failure> {
    let text = words.join(" ");
    if let Ok(transcript) = Transcript::parse(&text, Position::START) {
        return Ok(transcript);
    }
    let start = text
        .parse()
        .map_err(|error| Failure::Input(format!("position: {error}")))?;
    Ok(Transcript::new(start))
}

/// The position at the end of that [`game`].
pub(super) fn position(words: &[String]) -> Result<Position, Failure> {
    Ok(game(words)?.end())
}

/// The argument, written so that a board whose first squares are empty (`---OX…`) is not taken for an option: its
/// dashes become dots, which mean the same.
pub(super) fn board_as_value(argument: OsString) -> OsString {
    /// Fewest squares that make a board of an argument; no option is made of so many letters for squares.
    const SQUARES: usize = 8;
    let text = argument.to_string_lossy();
    let squares = text
        .chars()
        .take_while(|&cell| "-._xX*bBoO0wW".contains(cell))
        .count();
    if text.starts_with('-') && squares >= SQUARES {
        let (board, rest) = text.split_at(squares);
        return OsString::from(board.replace('-', ".") + rest);
    }
    argument
}
