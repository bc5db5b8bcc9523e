//! The table of options: one row for each setting of the engine.
//!
//! The command line, UCI, GTP's `emilia-set`, the keys of `builtin:`, the C library and the Python
//! package take names, ranges, defaults and sentences from this table.
//! Reading order:
//! - [`EngineOption`]: a row. [`Kind`] has its values and the setter, which changes a [`Setup`].
//! - The constants [`LEVEL`] to [`PONDER`]: the rows. [`ALL`] and [`find`]: the table.
//! - [`Setting`]: an option with a parsed value.
//!
//! ```
//! use emilia_player::Setup;
//! use emilia_player::options::{DEPTH, find};
//! let mut setup = Setup::default();
//! find("depth").unwrap().set(&mut setup, "8").unwrap();
//! assert_eq!(setup.limits.depth, Some(8));
//! assert_eq!(DEPTH.parse("61").unwrap_err(), "expected a depth from 1 to 60, or none");
//! ```

#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::{Level, Setup};
use emilia_book::Book;
use emilia_core::board::excerpt;
use emilia_core::eval::{AnyEvaluator, AnyWeights, Classic, Net, Simple, Value};
use emilia_core::search::{Selectivity, TimeControl, check_hash};
use emilia_files::{FileError, MIB};

/// Maximum search depth in plies that a user can set.
pub const MAX_DEPTH: u32 = 60;

/// Maximum time limit: 1000 hours, small enough that adding times cannot overflow.
pub const MAX_TIME: Duration = Duration::from_secs(3_600_000);

/// Maximum size of a file of weights in bytes. Those of nets have 13 MB.
const MAX_WEIGHTS: u64 = 64 * MIB;

/// Constructor of an evaluator with its embedded weights.
type NewEvaluator = fn() -> AnyEvaluator;

/// Built-in static evaluations by name, the strongest first.
pub const EVALUATORS: [(&str, NewEvaluator); 3] = [
    (Net::NAME, || Net::embedded().into()),
    ("classic", || Classic.into()),
    (Simple::NAME, || Simple.into()),
];

/// Headings of the rows in the help.
const LIMITS: &str = "Limits";
const BOOK_HEADING: &str = "Opening book";
const ENGINE: &str = "Engine";

/// Level of play: sets or clears the depth and the human level.
pub const LEVEL: EngineOption = EngineOption {
    name: "level",
    heading: LIMITS,
    unit: "LEVEL",
    help: "Level of play: h1 to h14 play as people do, from a beginner to the best of a club; \
           1 to 60 set the depth in the midgame and in the endgame, and 1 plays like h10 \
           ('emilia levels' prints them)",
    excludes: Some("depth"),
    kind: Kind::Text {
        expected: Level::RANGE,
        parse: |text| {
            let level: Level = text.parse().map_err(|_| None)?;
            Ok(change(move |setup| {
                level.apply(&mut setup.limits, &mut setup.play_settings)
            }))
        },
    },
    get: |setup| setup.play_settings.human.map(|human| human.to_string()),
};

/// Random seed of human levels and of the book.
pub const SEED: EngineOption = EngineOption {
    name: "seed",
    heading: LIMITS,
    unit: "N",
    help: "Random seed of the moves of levels h1 to h14 and of the book",
    excludes: None,
    kind: Kind::Number {
        what: "a number",
        range: 0..=u64::MAX,
        set: |setup, seed| setup.play_settings.seed = seed,
    },
    get: |setup| text(Some(setup.play_settings.seed)),
};

/// Opening book to play from.
pub const BOOK: EngineOption = EngineOption {
    name: "book",
    heading: BOOK_HEADING,
    unit: "FILE|on|off",
    help: "Opening book: a file of `emilia book`, on for the embedded book, or off",
    excludes: None,
    kind: Kind::Text {
        expected: "a book file, on or off",
        parse: |text| {
            let book = match text {
                "on" => Book::Embedded,
                "off" => Book::Off,
                path => Book::open(Path::new(path)).map_err(|error| Some(error.reason()))?,
            };
            Ok(change(move |setup| setup.play_settings.book = book.clone()))
        },
    },
    get: |setup| text(Some(&setup.play_settings.book)),
};

/// Loss that a move of the book may have, in discs.
pub const BOOK_ERROR: EngineOption = EngineOption {
    name: "book-error",
    heading: BOOK_HEADING,
    unit: "DISCS",
    help: "Discs that a move of the book may lose against the best one; a random one is played",
    excludes: None,
    kind: Kind::Text {
        expected: "a number of discs from 0 to 64",
        parse: |text| {
            let error = discs(text).ok_or(None)?;
            Ok(change(move |setup| setup.play_settings.book_error = error))
        },
    },
    get: |setup| text(Some(setup.play_settings.book_error.discs())),
};

/// Depth limit in plies. Setting it turns a human level off.
pub const DEPTH: EngineOption = EngineOption {
    name: "depth",
    heading: LIMITS,
    unit: "PLIES",
    help: "Depth of the search, in plies",
    excludes: None,
    kind: Kind::Limit {
        what: "a depth",
        range: 1..=MAX_DEPTH as u64,
        set: set_depth,
    },
    get: |setup| text(setup.limits.depth),
};

/// [`DEPTH`] of `eval-test`, where a search of depth 0 is the static evaluation.
pub const DEPTH_FROM_0: EngineOption = EngineOption {
    kind: Kind::Limit {
        what: "a depth",
        range: 0..=MAX_DEPTH as u64,
        set: set_depth,
    },
    ..DEPTH
};

/// Time limit for each move or position, in seconds.
pub const TIME: EngineOption = EngineOption {
    name: "time",
    heading: LIMITS,
    unit: "SECONDS",
    help: "Time for each move or position, in seconds",
    excludes: None,
    kind: Kind::Text {
        expected: "a positive number of seconds, at most 3600000, or none",
        parse: |text| {
            let time = match text {
                "none" => None,
                _ => Some(TimeControl::PerMove(seconds(text).ok_or(None)?)),
            };
            Ok(change(move |setup| setup.limits.time = time))
        },
    },
    get: |setup| match setup.limits.time {
        Some(TimeControl::PerMove(time)) => text(Some(time.as_secs_f64())),
        _ => None,
    },
};

/// Node limit for each move or position.
pub const NODES: EngineOption = EngineOption {
    name: "nodes",
    heading: LIMITS,
    unit: "N",
    help: "Nodes searched for each move or position",
    excludes: None,
    kind: Kind::Limit {
        what: "a number of nodes",
        range: 1..=u64::MAX,
        set: |setup, nodes| setup.limits.nodes = nodes,
    },
    get: |setup| text(setup.limits.nodes),
};

/// Number of empties from which positions are solved exactly.
pub const EXACT: EngineOption = EngineOption {
    name: "exact",
    heading: LIMITS,
    unit: "EMPTIES",
    help: "Solve positions with at most this number of empty squares exactly",
    excludes: None,
    kind: Kind::Limit {
        what: "a number of empty squares",
        range: 0..=60,
        set: |setup, empties| setup.limits.solve_from_empties = empties.map(|count| count as u32),
    },
    get: |setup| text(setup.limits.solve_from_empties),
};

/// Weights file. Also selects the evaluation that the weights belong to.
pub const WEIGHTS: EngineOption = EngineOption {
    name: "weights",
    heading: ENGINE,
    unit: "FILE",
    help: "Weights file made by `emilia train`; also selects the evaluation it belongs to",
    excludes: Some("eval"),
    kind: Kind::Text {
        expected: "a file of weights",
        parse: |path| {
            let weights = read_weights(Path::new(path)).map_err(|error| Some(error.reason()))?;
            let path = path.to_owned();
            Ok(change(move |setup| {
                setup.settings.evaluator = weights.clone();
                setup.weights = Some(path.clone());
            }))
        },
    },
    get: |setup| setup.weights.clone(),
};

/// Static evaluation, selected by name.
pub const EVAL: EngineOption = EngineOption {
    name: "eval",
    heading: ENGINE,
    unit: "NAME",
    help: "Static evaluation",
    excludes: None,
    kind: Kind::Choice {
        values: &[EVALUATORS[0].0, EVALUATORS[1].0, EVALUATORS[2].0],
        set: |setup, index| {
            setup.settings.evaluator = EVALUATORS[index].1();
            setup.weights = None;
        },
    },
    get: |setup| text(Some(setup.settings.evaluator.name())),
};

/// Size of the transposition table in MiB.
pub const HASH: EngineOption = EngineOption {
    name: "hash",
    heading: ENGINE,
    unit: "MIB",
    help: "Transposition table size in MiB",
    excludes: None,
    kind: Kind::Number {
        what: "a number of MiB",
        range: 1..=1 << 16,
        set: |setup, mib| setup.settings.hash_mib = mib as usize,
    },
    get: |setup| text(Some(setup.settings.hash_mib)),
};

/// Confidence of Multi-ProbCut in percent; 100 means full width, without any forward pruning.
pub const SELECTIVITY: EngineOption = EngineOption {
    name: "selectivity",
    heading: ENGINE,
    unit: "PERCENT",
    help: "Least confidence of Multi-ProbCut in percent; 100 is full width, without any forward \
           pruning. Deep iterations have at least 87 and 95. Solved scores are exact in any case",
    excludes: None,
    kind: Kind::Choice {
        values: &["73", "87", "95", "98", "99", "100"],
        set: |setup, index| setup.settings.selectivity = Selectivity::ALL[index],
    },
    get: |setup| text(Some(setup.settings.selectivity.percent())),
};

/// Number of search threads.
pub const THREADS: EngineOption = EngineOption {
    name: "threads",
    heading: ENGINE,
    unit: "N",
    help: "Threads of each search",
    excludes: None,
    kind: Kind::Number {
        what: "a number of threads",
        range: 1..=1024,
        set: |setup, count| {
            setup.settings.threads = NonZero::new(count as usize).unwrap_or(NonZero::<usize>::MIN);
        },
    },
    get: |setup| text(Some(setup.settings.threads)),
};

/// Pondering: whether to search on the opponent's time.
pub const PONDER: EngineOption = EngineOption {
    name: "ponder",
    heading: LIMITS,
    unit: "on|off",
    help: "Ponder: also search on the opponent's time",
    excludes: None,
    kind: Kind::Choice {
        values: &["off", "on"],
        set: |setup, index| setup.play_settings.ponder = index == 1,
    },
    get: |setup| {
        let ponder = ["off", "on"][usize::from(setup.play_settings.ponder)];
        text(Some(ponder))
    },
};

/// The table: all options of the engine. Player specifications are written in this order.
pub static ALL: [EngineOption; 14] = [
    LEVEL,
    SEED,
    BOOK,
    BOOK_ERROR,
    DEPTH,
    TIME,
    NODES,
    EXACT,
    WEIGHTS,
    EVAL,
    HASH,
    SELECTIVITY,
    THREADS,
    PONDER,
];

/// Returns the option with this name. The error names all options.
pub fn find(name: &str) -> Result<&'static EngineOption, String> {
    let names = || ALL.each_ref().map(|option| option.name).join(", ");
    ALL.iter()
        .find(|option| option.name == name)
        .ok_or_else(|| format!("no such option; expected one of {}", names()))
}

fn set_depth(setup: &mut Setup, depth: Option<u64>) {
    setup.limits.depth = depth.map(|depth| depth as u32);
    setup.play_settings.human = None;
}

/// Parses a positive time of at most [`MAX_TIME`], in seconds.
pub fn seconds(text: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
    Some(time).filter(|time| !time.is_zero() && *time <= MAX_TIME)
}

/// Parses a number of discs from 0 to 64.
pub fn discs(text: &str) -> Option<Value> {
    let discs: f64 = text.parse().ok()?;
    let units = (discs * f64::from(Value::PER_DISC)).round();
    (0.0..=64.0)
        .contains(&discs)
        .then(|| Value::from_units(units as i32))
}

/// Reads a file of weights as an evaluation.
fn read_weights(path: &Path) -> Result<AnyEvaluator, FileError> {
    let bytes = emilia_files::read(path, MAX_WEIGHTS)?;
    let weights = AnyWeights::from_bytes(&bytes);
    let weights = weights.map_err(|bad| FileError::refused(path, bad.to_string()))?;
    Ok(weights.into())
}

fn text(value: Option<impl fmt::Display>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// One row of the table: an option of the engine.
#[derive(Clone, Debug)]
pub struct EngineOption {
    /// Name, identical in every front end.
    pub name: &'static str,
    /// Heading of the option's group in the help.
    pub heading: &'static str,
    /// Placeholder for a value in the help, such as `PLIES` or `MIB`.
    pub unit: &'static str,
    /// Sentence for the help.
    pub help: &'static str,
    /// Name of the option that cannot be given together with this one.
    pub excludes: Option<&'static str>,
    /// Accepted values, and the setter.
    pub kind: Kind,
    /// Returns the text of the value in a setup. `None` for a limit that is not set.
    /// The default of the option is its value in `Setup::default()`.
    pub get: fn(&Setup) -> Option<String>,
}

/// Values of an option, and the setter.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Whole number in a range.
    Number {
        /// Noun with its article, for messages.
        what: &'static str,
        /// Accepted numbers.
        range: RangeInclusive<u64>,
        /// Sets the number.
        set: fn(&mut Setup, u64),
    },
    /// Whole number in a range, or `none`.
    Limit {
        /// Noun with its article, for messages.
        what: &'static str,
        /// Accepted numbers.
        range: RangeInclusive<u64>,
        /// Sets the number, or removes the limit.
        set: fn(&mut Setup, Option<u64>),
    },
    /// One word of a list.
    Choice {
        /// Accepted words.
        values: &'static [&'static str],
        /// Sets the word with this index.
        set: fn(&mut Setup, usize),
    },
    /// Text with a parser of its own.
    Text {
        /// Accepted texts, for messages.
        expected: &'static str,
        /// Parses a text. The error is that of the file which the text names, if any.
        parse: fn(&str) -> Result<Change, Option<String>>,
    },
}

/// Change of a setup by a parsed value.
pub type Change = Arc<dyn Fn(&mut Setup) + Send + Sync>;

fn change(set: impl Fn(&mut Setup) + Send + Sync + 'static) -> Change {
    Arc::new(set)
}

/// Option with a parsed value, which can be set in any number of setups.
#[derive(Clone)]
pub struct Setting {
    /// Name of the option.
    pub name: &'static str,
    /// The value as text.
    pub text: String,
    change: Change,
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.text)
    }
}

impl Setting {
    /// Sets the option in `setup`.
    pub fn apply(&self, setup: &mut Setup) {
        (self.change)(setup);
    }

    /// Returns the default setup with this option set.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::default();
        self.apply(&mut setup);
        setup
    }
}

impl Kind {
    /// Returns the accepted values, as an error message completes "expected …".
    fn expected(&self) -> String {
        let span = |what: &str, range: &RangeInclusive<u64>| match (range.start(), range.end()) {
            (start, &u64::MAX) => format!("{what} from {start}"),
            (start, end) => format!("{what} from {start} to {end}"),
        };
        match self {
            Kind::Number { what, range, .. } => span(what, range),
            Kind::Limit { what, range, .. } => span(what, range) + ", or none",
            Kind::Choice { values, .. } => match values {
                [others @ .., last] => format!("{} or {last}", others.join(", ")),
                [] => String::new(),
            },
            Kind::Text { expected, .. } => (*expected).to_owned(),
        }
    }

    fn parse(&self, text: &str) -> Result<Change, Option<String>> {
        let number = |range: &RangeInclusive<u64>| {
            let number = text.parse().ok().filter(|number| range.contains(number));
            number.ok_or(None)
        };
        Ok(match *self {
            Kind::Number { ref range, set, .. } => {
                let number = number(range)?;
                change(move |setup| set(setup, number))
            }
            Kind::Limit { set, .. } if text == "none" => change(move |setup| set(setup, None)),
            Kind::Limit { ref range, set, .. } => {
                let number = number(range)?;
                change(move |setup| set(setup, Some(number)))
            }
            Kind::Choice { values, set } => {
                let index = values.iter().position(|value| *value == text).ok_or(None)?;
                change(move |setup| set(setup, index))
            }
            Kind::Text { parse, .. } => parse(text)?,
        })
    }
}

impl EngineOption {
    fn change(&self, text: &str) -> Result<Change, String> {
        let expected = || format!("expected {}", self.kind.expected());
        let change = self.kind.parse(text);
        change.map_err(|file_error| file_error.unwrap_or_else(expected))
    }

    /// Parses `text` as a value of this option. A hash size must fit the memory of the system.
    ///
    /// # Errors
    /// The expected values, or the error of a file, for messages that already quote the value.
    pub fn parse(&self, text: &str) -> Result<Setting, String> {
        let setting = Setting {
            name: self.name,
            text: text.to_owned(),
            change: self.change(text)?,
        };
        if self.name == HASH.name {
            check_hash(setting.setup().settings.hash_mib).map_err(|error| error.to_string())?;
        }
        Ok(setting)
    }

    /// Parses `text` and sets this option in `setup`.
    ///
    /// # Errors
    /// One sentence that quotes the value. `setup` is unchanged.
    pub fn set(&self, setup: &mut Setup, text: &str) -> Result<(), String> {
        let change = self.change(text);
        change.map_err(|error| format!("'{}': {error}", excerpt(text)))?(setup);
        Ok(())
    }
}
