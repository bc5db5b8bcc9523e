//! Engine options: one table read by the command line, the protocols, and the player specs.
//!
//! Reading order:
//! - [`EngineOption`]: one row of the table, with name, unit, help text, parser and setter.
//!   The setters change a [`Setup`].
//! - The constants [`LEVEL`] to [`SELECTIVITY`]: the rows.
//! - [`ALL`] and [`by_name`]: the table and its lookup.
//!
//! ```
//! use emilia_player::options::{DEPTH, by_name};
//! assert_eq!(DEPTH.parse("8").unwrap(), 8);
//! assert_eq!(DEPTH.parse("61").unwrap_err(), "expected a depth from 1 to 60");
//! assert_eq!(by_name("depth").unwrap().name(), "depth");
//! ```

#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::{Level, Setup};
use emilia_book::Book;
use emilia_core::board::excerpt;
use emilia_core::eval::{AnyEvaluator, Classic, Net, NetWeights, Simple, Value};
use emilia_core::search::{Limits, Selectivity, TimeControl};
use emilia_files::{FileError, MIB};

/// Maximum search depth in plies that a user can set.
pub const MAX_DEPTH: u32 = 60;

/// Maximum transposition table size in MiB that a user can set.
pub const MAX_HASH_MIB: usize = 1 << 16;

/// Maximum number of threads that a user can set.
pub const MAX_THREADS: usize = 1024;

/// Maximum size of a file of weights in bytes. Nets have 13 MB.
const MAX_WEIGHTS: u64 = 64 * MIB;

/// Maximum time limit: 1000 hours, small enough that adding times cannot overflow.
pub const MAX_TIME: Duration = Duration::from_secs(3_600_000);

/// Reads a file of weights.
fn read_weights(path: &Path) -> Result<Arc<NetWeights>, FileError> {
    let bytes = emilia_files::read(path, MAX_WEIGHTS)?;
    let weights = NetWeights::from_bytes(&bytes);
    (weights.map(Arc::new)).map_err(|bad| FileError::refused(path, bad.to_string()))
}

/// Level of play: 1 to 60 sets search depth and endgame depth; h1 to h14 are human levels.
pub const LEVEL: EngineOption<Level> = EngineOption {
    name: "level",
    unit: "LEVEL",
    help: "Level of play: h1 to h14 play as people do, from a beginner to the best of a club; \
              1 to 60 set the depth in the midgame and in the endgame, and 1 plays like h10 \
              ('emilia levels' prints them)",
    range: Level::RANGE,
    parse_value: |text| text.parse().map_err(|_| None),
    set: |setup, level| level.apply(&mut setup.limits, &mut setup.play_settings),
};

/// Random seed of human levels.
pub const SEED: EngineOption<u64> = EngineOption {
    name: "seed",
    unit: "N",
    help: "Random seed of the moves of levels h1 to h14 and of the book",
    range: "a number from 0",
    parse_value: |text| parse_in_range(text, 0..=u64::MAX),
    set: |setup, seed| setup.play_settings.seed = seed,
};

/// Depth limit in plies. Setting it turns a human level off.
pub const DEPTH: EngineOption<u32> = EngineOption {
    name: "depth",
    unit: "PLIES",
    help: "Depth of the search, in plies",
    range: "a depth from 1 to 60",
    parse_value: |text| parse_in_range(text, 1..=MAX_DEPTH),
    set: |setup, depth| {
        setup.limits.depth = Some(depth);
        setup.play_settings.human = None;
    },
};

/// Time limit for each move or position, in seconds.
pub const TIME: EngineOption<Duration> = EngineOption {
    name: "time",
    unit: "SECONDS",
    help: "Time for each move or position, in seconds",
    range: "a positive number of seconds, at most 3600000",
    parse_value: |text| {
        let time = text.parse().ok().map(Duration::try_from_secs_f64);
        match time {
            Some(Ok(time)) if !time.is_zero() && time <= MAX_TIME => Ok(time),
            _ => Err(None),
        }
    },
    set: |setup, time| setup.limits.time = Some(TimeControl::PerMove(time)),
};

/// Node limit for each move or position.
pub const NODES: EngineOption<u64> = EngineOption {
    name: "nodes",
    unit: "N",
    help: "Nodes searched for each move or position",
    range: "a number of nodes from 1",
    parse_value: |text| parse_in_range(text, 1..=u64::MAX),
    set: |setup, nodes| setup.limits.nodes = Some(nodes),
};

/// Number of empties from which positions are solved exactly.
pub const EXACT: EngineOption<u32> = EngineOption {
    name: "exact",
    unit: "EMPTIES",
    help: "Solve positions with at most this number of empty squares exactly",
    range: "a number of empty squares from 0 to 60",
    parse_value: |text| parse_in_range(text, 0..=60),
    set: |setup, empties| setup.limits.solve_from_empties = Some(empties),
};

/// Number of search threads.
pub const THREADS: EngineOption<NonZero<usize>> = EngineOption {
    name: "threads",
    unit: "N",
    help: "Threads of each search",
    range: "1 to 1024 threads",
    parse_value: |text| {
        let most = NonZero::<usize>::MIN.saturating_add(MAX_THREADS - 1);
        parse_in_range(text, NonZero::<usize>::MIN..=most)
    },
    set: |setup, threads| setup.settings.threads = threads,
};

/// Pondering: whether to search on the opponent's time.
pub const PONDER: EngineOption<bool> = EngineOption {
    name: "ponder",
    unit: "on|off",
    help: "Ponder: also think on the opponent's time",
    range: "on or off",
    parse_value: |text| match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(None),
    },
    set: |setup, ponder| setup.play_settings.ponder = ponder,
};

/// Opening book to play from.
pub const BOOK: EngineOption<Book> = EngineOption {
    name: "book",
    unit: "FILE|on|off",
    help: "Opening book: a file of `emilia book`, on for the embedded book, or off",
    range: "a book file, on or off",
    parse_value: |text| match text {
        "on" => Ok(Book::Embedded),
        "off" => Ok(Book::Off),
        path => Book::open(Path::new(path)).map_err(|error| Some(error.reason())),
    },
    set: |setup, book| setup.play_settings.book = book,
};

/// Loss that a move of the book may have, in discs.
pub const BOOK_ERROR: EngineOption<Value> = EngineOption {
    name: "book-error",
    unit: "DISCS",
    help: "Discs that a move of the book may lose against the best one; a random one is played",
    range: "a number of discs from 0 to 64",
    parse_value: |text| {
        let discs = parse_in_range(text, 0.0..=64.0)?;
        Ok(Value::from_units(
            (discs * f64::from(Value::PER_DISC)).round() as i32,
        ))
    },
    set: |setup, error| setup.play_settings.book_error = error,
};

/// Size of the transposition table in MiB.
pub const HASH: EngineOption<usize> = EngineOption {
    name: "hash",
    unit: "MIB",
    help: "Transposition table size in MiB",
    range: "1 to 65536 MiB",
    parse_value: |text| parse_in_range(text, 1..=MAX_HASH_MIB),
    set: |setup, mib| setup.settings.hash_mib = mib,
};

/// Static evaluation, selected by name.
pub const EVAL: EngineOption<EvalName> = EngineOption {
    name: "eval",
    unit: "NAME",
    help: "Static evaluation",
    range: "an evaluation: net, classic or simple",
    parse_value: |text| {
        let mut all = EvalName::ALL.into_iter();
        all.find(|eval| eval.name() == text).ok_or(None)
    },
    set: |setup, eval| setup.settings.evaluator = eval.evaluator(),
};

/// Weights file of a net. Also selects the net.
pub const WEIGHTS: EngineOption<Arc<NetWeights>> = EngineOption {
    name: "weights",
    unit: "FILE",
    help: "Weights file of a net, made by `emilia train net`; also selects the net",
    range: "a file of weights",
    parse_value: |text| read_weights(Path::new(text)).map_err(|error| Some(error.reason())),
    set: |setup, weights| setup.settings.evaluator = Net::new(weights).into(),
};

/// Confidence of Multi-ProbCut in percent; 100 means full width, without any forward pruning.
pub const SELECTIVITY: EngineOption<Selectivity> = EngineOption {
    name: "selectivity",
    unit: "PERCENT",
    help: "Least confidence of Multi-ProbCut: 73, 87, 95, 98 or 99 percent, or 100 for full \
              width, without any forward pruning. Deep iterations have at least 87 and 95. \
              Solved scores are exact in any case",
    range: "73, 87, 95, 98, 99 or 100 (percent)",
    parse_value: |text| text.parse().map_err(|_| None),
    set: |setup, selectivity| setup.settings.selectivity = selectivity,
};

/// The option table: all options of the engine.
pub static ALL: [&dyn AnyOption; 14] = [
    &LEVEL,
    &SEED,
    &DEPTH,
    &TIME,
    &NODES,
    &EXACT,
    &THREADS,
    &PONDER,
    &HASH,
    &EVAL,
    &WEIGHTS,
    &SELECTIVITY,
    &BOOK,
    &BOOK_ERROR,
];

/// Returns the option with this name, or `None`.
pub fn by_name(name: &str) -> Option<&'static dyn AnyOption> {
    ALL.into_iter().find(|option| option.name() == name)
}

/// Returns a function that removes the limit which the option `name` sets.
/// Returns `None` if the option sets no limit.
pub fn unset(name: &str) -> Option<fn(&mut Limits)> {
    match name {
        "depth" => Some(|limits| limits.depth = None),
        "time" => Some(|limits| limits.time = None),
        "nodes" => Some(|limits| limits.nodes = None),
        "exact" => Some(|limits| limits.solve_from_empties = None),
        _ => None,
    }
}

/// The built-in static evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvalName {
    /// [`Net`]: a small neural network over patterns.
    #[default]
    Net,
    /// [`Classic`]: hand-picked features such as mobility, corners and edges.
    Classic,
    /// [`Simple`]: discs, mobility and corners.
    Simple,
}

impl EvalName {
    /// All built-in evaluations, the strongest first.
    pub const ALL: [EvalName; 3] = [EvalName::Net, EvalName::Classic, EvalName::Simple];

    /// Returns the name that selects the evaluation: `net`, `classic` or `simple`.
    pub const fn name(self) -> &'static str {
        match self {
            EvalName::Net => Net::NAME,
            EvalName::Classic => "classic",
            EvalName::Simple => Simple::NAME,
        }
    }

    /// Creates the evaluator with the weights embedded in the binary.
    pub fn evaluator(self) -> AnyEvaluator {
        match self {
            EvalName::Net => Net::embedded().into(),
            EvalName::Classic => Classic.into(),
            EvalName::Simple => Simple.into(),
        }
    }
}

/// An engine option with values of type `T`: one row of the option table.
#[derive(Clone, Copy, Debug)]
pub struct EngineOption<T> {
    /// The name, identical on the command line, in the protocols and in player specs.
    pub name: &'static str,
    /// The placeholder for a value in the help, such as `PLIES` or `MIB`.
    pub unit: &'static str,
    /// Description for the help.
    pub help: &'static str,
    /// The accepted values, as an error message completes "expected …".
    pub range: &'static str,
    /// Returns the error of the file that the value names, or `None` if the value is out of range.
    parse_value: fn(&str) -> Result<T, Option<String>>,
    set: fn(&mut Setup, T),
}

impl<T> EngineOption<T> {
    /// Parses `text` as a value of this option.
    ///
    /// # Errors
    /// The expected values, or the error of a file, for messages that already quote the value.
    pub fn parse(&self, text: &str) -> Result<T, String> {
        let expected = || format!("expected {}", self.range);
        (self.parse_value)(text).map_err(|problem| problem.unwrap_or_else(expected))
    }
}

/// Object-safe view of an [`EngineOption`], independent of its value type.
pub trait AnyOption: Sync {
    /// The name, identical on the command line, in the protocols and in player specs.
    fn name(&self) -> &'static str;

    /// Parses `text` and sets this option in `setup`.
    ///
    /// # Errors
    /// One sentence that quotes the value. `setup` is unchanged.
    fn set_text(&self, setup: &mut Setup, text: &str) -> Result<(), String>;
}

impl<T> AnyOption for EngineOption<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn set_text(&self, setup: &mut Setup, text: &str) -> Result<(), String> {
        let value = (self.parse_value)(text).map_err(|problem| {
            let reason = problem.map(|problem| format!(": {problem}"));
            let reason = reason.unwrap_or_else(|| format!(" is not {}", self.range));
            format!("'{}'{reason}", excerpt(text))
        })?;
        (self.set)(setup, value);
        Ok(())
    }
}

/// Parses a number and checks that it lies in `range`.
fn parse_in_range<T: FromStr + PartialOrd>(
    text: &str,
    range: RangeInclusive<T>,
) -> Result<T, Option<String>> {
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or(None)
}
