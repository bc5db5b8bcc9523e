//! The table of engine options, one row for each option.
//!
//! The command line, UCI, the GTP command `emilia-set`, the specification `builtin:` of a player,
//! the C library and the Python package take names, ranges, defaults and help sentences from this
//! table.
//!
//! Reading order:
//! - [`EngineOption`]: a row of the table. [`ValueKind`]: the values of an option, and the setter,
//!   which changes a [`Setup`].
//! - [`ALL`] and [`find`]: the table. [`Setting`]: an option with a parsed value.
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
use emilia_core::eval::{AnyEvaluator, Classic, Net, NetWeights, Simple, Value};
use emilia_core::search::{Selectivity, TimeControl, check_hash};
use emilia_files::{FileError, MIB};

/// Maximum search depth in plies that a user can set.
pub const MAX_DEPTH: u32 = 60;

/// Maximum time limit: 1000 hours, so that adding times cannot overflow.
pub const MAX_TIME: Duration = Duration::from_secs(3_600_000);

/// Maximum size in bytes of a weights file. The weights of a net have 13 MB.
const MAX_WEIGHTS: u64 = 64 * MIB;

/// Constructor of an evaluator with its embedded weights.
type NewEvaluator = fn() -> AnyEvaluator;

/// Built-in evaluators by name, the strongest first.
pub const EVALUATORS: [(&str, NewEvaluator); 3] = [
    (Net::NAME, || Net::embedded().into()),
    ("classic", || Classic.into()),
    (Simple::NAME, || Simple.into()),
];

/// Defines each row as a constant, and [`ALL`] as the array of all rows in the same order. A row
/// consists of: constant, name, name of the option that it excludes, group in the help, placeholder
/// of the value, help sentence, kind of values, and a function that returns the value as text.
macro_rules! table {
    ($($row:ident: $name:literal !$excludes:expr, $group:literal $unit:literal $help:literal
       $kind:expr, $get:expr;)*) => {
        $(#[doc = $help]
        pub const $row: EngineOption = EngineOption {
            name: $name, excludes: $excludes, heading: $group, unit: $unit, help: $help,
            kind: $kind, get: $get,
        };)*
        /// The table: all engine options. Specifications of players list them in this order.
        pub static ALL: [EngineOption; [$($name),*].len()] = [$($row),*];
    };
}

table! {
    LEVEL: "level" !Some("depth"), "Limits" "LEVEL"
        "Level of play: 1 to 60 set the depth in the midgame and in the endgame; where a game is \
         played, h0 to h14 play as people do, from a first game to the best of a club, and 1 plays \
         like h10 ('emilia levels' prints them)"
        ValueKind::Text(|text| {
            let level: Option<Level> = match text {
                "none" => None,
                _ => Some(text.parse().map_err(|error| format!("{error}, or none"))?),
            };
            Ok(change(move |setup| match level {
                Some(level) => level.apply(&mut setup.limits, &mut setup.play_settings),
                None => set_depth(setup, None),
            }))
        }),
        |setup| setup.play_settings.human.map(|human| human.to_string());
    SEED: "seed" !None, "Limits" "N"
        "Random seed of the moves of levels h0 to h14 and of the book"
        ValueKind::Number("a number", 0..=u64::MAX, |setup, seed| setup.play_settings.seed = seed),
        |setup| text(Some(setup.play_settings.seed));
    BOOK: "book" !None, "Opening book" "FILE|on|off"
        "Opening book: a file of `emilia book`, on for the embedded book, or off"
        ValueKind::Text(|text| {
            let book = match text {
                "on" => Book::Embedded,
                "off" => Book::Off,
                path => Book::open(Path::new(path)).map_err(|error| error.reason())?,
            };
            Ok(change(move |setup| setup.play_settings.book = book.clone()))
        }),
        |setup| text(Some(&setup.play_settings.book));
    BOOK_ERROR: "book-error" !None, "Opening book" "DISCS"
        "Discs that a move of the book may lose against the best one; a random one is played"
        ValueKind::Text(|text| {
            let error = discs(text)?;
            Ok(change(move |setup| setup.play_settings.book_error = error))
        }),
        |setup| text(Some(setup.play_settings.book_error.discs()));
    DEPTH: "depth" !None, "Limits" "PLIES"
        "Depth of the search, in plies"
        ValueKind::Limit("a depth", 1..=MAX_DEPTH as u64, set_depth),
        |setup| text(setup.limits.depth);
    TIME: "time" !None, "Limits" "SECONDS"
        "Time for each move or position, in seconds"
        ValueKind::Text(|text| {
            let time = match text {
                "none" => None,
                _ => Some(seconds(text).map_err(|error| error + ", or none")?),
            };
            Ok(change(move |setup| setup.limits.time = time.map(TimeControl::PerMove)))
        }),
        |setup| match setup.limits.time {
            Some(TimeControl::PerMove(time)) => text(Some(time.as_secs_f64())),
            _ => None,
        };
    NODES: "nodes" !None, "Limits" "N"
        "Nodes searched for each move or position"
        ValueKind::Limit("a number of nodes", 1..=u64::MAX, |setup, nodes| setup.limits.nodes = nodes),
        |setup| text(setup.limits.nodes);
    EXACT: "exact" !None, "Limits" "EMPTIES"
        "Solve positions with at most this number of empty squares exactly"
        ValueKind::Limit("a number of empty squares", 0..=60, |setup, empties| {
            setup.limits.solve_from_empties = empties.map(|count| count as u32);
        }),
        |setup| text(setup.limits.solve_from_empties);
    WEIGHTS: "weights" !Some("eval"), "Engine" "FILE"
        "Weights file of a net, made by `emilia train net`; also selects the net"
        ValueKind::Text(|path| {
            if path == "none" {
                return Ok(change(|setup| {
                    if setup.weights.take().is_some() {
                        setup.settings.evaluator = EVALUATORS[0].1();
                    }
                }));
            }
            let evaluator = read_weights(Path::new(path)).map_err(|error| error.reason())?;
            let file = path.to_owned();
            Ok(change(move |setup| {
                setup.settings.evaluator = evaluator.clone();
                setup.weights = Some(file.clone());
            }))
        }),
        |setup| setup.weights.clone();
    EVAL: "eval" !None, "Engine" "NAME"
        "Static evaluation"
        ValueKind::Choice(&[EVALUATORS[0].0, EVALUATORS[1].0, EVALUATORS[2].0], |setup, index| {
            setup.settings.evaluator = EVALUATORS[index].1();
            setup.weights = None;
        }),
        |setup| text(Some(setup.settings.evaluator.name()));
    HASH: "hash" !None, "Engine" "MIB"
        "Transposition table size in MiB"
        ValueKind::Number("a number of MiB", 1..=1 << 16, |setup, mib| {
            setup.settings.hash_mib = mib as usize;
        }),
        |setup| text(Some(setup.settings.hash_mib));
    SELECTIVITY: "selectivity" !None, "Engine" "PERCENT"
        "Least confidence of Multi-ProbCut in percent; 100 is full width, without any forward \
         pruning. Deep iterations have at least 87 and 95. Solved scores are exact in any case"
        ValueKind::Choice(&["73", "87", "95", "98", "99", "100"], |setup, index| {
            setup.settings.selectivity = Selectivity::ALL[index];
        }),
        |setup| text(Some(setup.settings.selectivity.percent()));
    THREADS: "threads" !None, "Engine" "N"
        "Threads of each search"
        ValueKind::Number("a number of threads", 1..=1024, |setup, count| {
            setup.settings.threads = NonZero::new(count as usize).unwrap_or(NonZero::<usize>::MIN);
        }),
        |setup| text(Some(setup.settings.threads));
    PONDER: "ponder" !None, "Limits" "on|off"
        "Ponder: also search on the opponent's time"
        ValueKind::Choice(&["off", "on"], |setup, index| setup.play_settings.ponder = index == 1),
        |setup| text(Some(["off", "on"][usize::from(setup.play_settings.ponder)]));
}

/// The option [`DEPTH`] as the command `eval-test` has it, with values from 0. A search of depth 0
/// is the static evaluation.
pub const DEPTH_FROM_0: EngineOption = EngineOption {
    kind: ValueKind::Limit("a depth", 0..=MAX_DEPTH as u64, set_depth),
    ..DEPTH
};

/// Sets the depth limit, and turns a human level off.
fn set_depth(setup: &mut Setup, depth: Option<u64>) {
    setup.limits.depth = depth.map(|depth| depth as u32);
    setup.play_settings.human = None;
}

fn text(value: Option<impl fmt::Display>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// Returns the option with this name.
///
/// # Errors
/// If no option has this name. The error lists all names.
pub fn find(name: &str) -> Result<&'static EngineOption, String> {
    let found = ALL.iter().find(|option| option.name == name);
    found.ok_or_else(|| no_such_option(ALL.iter().map(|option| option.name)))
}

/// Returns the error for an option whose name is not one of `names`, the names of all options.
pub fn no_such_option<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("no such option; expected one of {}", names.join(", "))
}

/// Parses a positive time of at most [`MAX_TIME`], in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().map(Duration::try_from_secs_f64);
    match time {
        Some(Ok(time)) if !time.is_zero() && time <= MAX_TIME => Ok(time),
        _ => Err("expected a positive number of seconds, at most 3600000".to_owned()),
    }
}

/// Parses a number of discs from 0 to 64.
pub fn discs(text: &str) -> Result<Value, String> {
    match text.parse() {
        Ok(discs @ 0.0..=64.0) => {
            let units: f64 = discs * f64::from(Value::PER_DISC);
            Ok(Value::from_units(units.round() as i32))
        }
        _ => Err("expected a number of discs from 0 to 64".to_owned()),
    }
}

/// Reads a weights file as an evaluator.
fn read_weights(path: &Path) -> Result<AnyEvaluator, FileError> {
    let bytes = emilia_files::read(path, MAX_WEIGHTS)?;
    let parsed = NetWeights::from_bytes(&bytes);
    let weights = parsed.map_err(|bad| FileError::refused(path, bad.to_string()))?;
    Ok(Net::new(Arc::new(weights)).into())
}

/// An engine option: one row of [`ALL`].
#[derive(Clone, Debug)]
pub struct EngineOption {
    /// Name, identical in every front end.
    pub name: &'static str,
    /// Name of the option that cannot be given together with this one.
    pub excludes: Option<&'static str>,
    /// Heading of the option's group in the help.
    pub heading: &'static str,
    /// Placeholder for a value in the help, such as `PLIES` or `MIB`.
    pub unit: &'static str,
    /// Help sentence.
    pub help: &'static str,
    /// Accepted values, and the setter.
    pub kind: ValueKind,
    /// Returns the value of the option in a setup as text, or `None` for a limit that is not set.
    /// The default value of the option is its value in `Setup::default()`.
    pub get: fn(&Setup) -> Option<String>,
}

/// The values of an option, and the setter.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// Whole number: what it is (as in "a depth"), its range, and the setter.
    Number(&'static str, RangeInclusive<u64>, fn(&mut Setup, u64)),
    /// Like `Number`, but `none` is a valid value, too: it removes the limit.
    Limit(
        &'static str,
        RangeInclusive<u64>,
        fn(&mut Setup, Option<u64>),
    ),
    /// One word of a list. The setter gets the index of the word.
    Choice(&'static [&'static str], fn(&mut Setup, usize)),
    /// Text, with its parser. An error of the parser begins with "expected", or is the reason why
    /// the file that the text names cannot be read.
    Text(fn(&str) -> Result<Change, String>),
}

/// Function that sets a parsed value in a setup.
pub type Change = Arc<dyn Fn(&mut Setup) + Send + Sync>;

fn change(set: impl Fn(&mut Setup) + Send + Sync + 'static) -> Change {
    Arc::new(set)
}

impl ValueKind {
    fn parse(&self, text: &str) -> Result<Change, String> {
        let number = |what: &str, range: &RangeInclusive<u64>| {
            let number = text.parse().ok().filter(|number| range.contains(number));
            number.ok_or_else(|| match (range.start(), range.end()) {
                (start, &u64::MAX) => format!("expected {what} from {start}"),
                (start, end) => format!("expected {what} from {start} to {end}"),
            })
        };
        Ok(match *self {
            ValueKind::Number(what, ref range, set) => {
                let number = number(what, range)?;
                change(move |setup| set(setup, number))
            }
            ValueKind::Limit(.., set) if text == "none" => change(move |setup| set(setup, None)),
            ValueKind::Limit(what, ref range, set) => {
                let number = number(what, range).map_err(|error| error + ", or none")?;
                change(move |setup| set(setup, Some(number)))
            }
            ValueKind::Choice(words, set) => {
                let found = words.iter().position(|word| *word == text);
                let index = found.ok_or_else(|| format!("expected one of {}", words.join(", ")))?;
                change(move |setup| set(setup, index))
            }
            ValueKind::Text(parse) => parse(text)?,
        })
    }
}

/// A parsed value of an option, which can be set in any number of setups.
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
    /// Sets the option `name` in `setup` to the parsed value.
    pub fn apply(&self, setup: &mut Setup) {
        (self.change)(setup);
    }
}

/// Returns the default setup after applying `settings` in their order.
pub fn setup_of(settings: &[Setting]) -> Setup {
    let mut setup = Setup::default();
    for setting in settings {
        setting.apply(&mut setup);
    }
    setup
}

impl EngineOption {
    /// Parses `text` as a value of this option. For the hash size, also checks that the table fits
    /// into the memory of the system.
    ///
    /// # Errors
    /// The error is one of these texts, without a quotation of `text`: the values that are
    /// expected, why the file named by `text` cannot be read, or that the table does not fit.
    pub fn parse(&self, text: &str) -> Result<Setting, String> {
        let setting = Setting {
            name: self.name,
            text: text.to_owned(),
            change: self.kind.parse(text)?,
        };
        if self.name == HASH.name {
            let mib = setup_of(std::slice::from_ref(&setting)).settings.hash_mib;
            check_hash(mib).map_err(|error| error.to_string())?;
        }
        Ok(setting)
    }

    /// Parses `text` and sets this option in `setup`.
    ///
    /// # Errors
    /// One sentence that quotes `text`. `setup` is then unchanged.
    pub fn set(&self, setup: &mut Setup, text: &str) -> Result<(), String> {
        let change = self.kind.parse(text);
        change.map_err(|error| format!("'{}': {error}", excerpt(text)))?(setup);
        Ok(())
    }
}
