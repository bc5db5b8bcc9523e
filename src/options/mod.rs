//! The options of the engine: one table that the command line, the protocols, and the specs of players read.
//!
//! ```
//! use emilia::options::{DEPTH, by_name};
//! assert_eq!(DEPTH.parse("8").unwrap(), 8);
//! assert_eq!(DEPTH.parse("61").unwrap_err().to_string(), "'61' is not a depth from 1 to 60");
//! assert_eq!(by_name("depth").unwrap().unit(), "PLIES");
//! ```

#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::board::excerpt;
use crate::eval::{AnyEvaluator, AnyWeights, Classic, Net, Pattern};
use crate::player::{Level, Style};
use crate::search::{Limits, Selectivity, Settings, TimeControl};

/// The deepest search that can be asked for, in plies.
pub const MAX_DEPTH: u32 = 60;

/// The largest transposition table that can be asked for, in MiB.
pub const MAX_HASH_MIB: usize = 1 << 16;

/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;

/// The longest time that can be asked for, 1000 hours: far from what clocks cannot add.
pub const LONGEST_TIME: Duration = Duration::from_secs(3_600_000);

/// Level: depth and exact solving, or a human level.
pub const LEVEL: EngineOption<Level> = EngineOption {
    name: "level",
    unit: "LEVEL",
    meaning: "Level of play: h1 to h14 play as people do, from a beginner to the best of a club; \
              1 to 60 set the depth in the midgame and in the endgame, and 1 plays like h9 \
              ('emilia levels' prints them)",
    range: Level::RANGE,
    read: |text| text.parse().map_err(|_| Reason::OutOfRange),
    set: |target, level| level.apply(target.limits, target.style),
    unset: None,
};

/// Seed of human levels.
pub const SEED: EngineOption<u64> = EngineOption {
    name: "seed",
    unit: "N",
    meaning: "Random seed of the moves of levels h1 to h14",
    range: "a number from 0",
    read: |text| within(text, 0..=u64::MAX),
    set: |target, seed| target.style.seed = seed,
    unset: None,
};

/// Depth limit.
pub const DEPTH: EngineOption<u32> = EngineOption {
    name: "depth",
    unit: "PLIES",
    meaning: "Depth of the search, in plies",
    range: "a depth from 1 to 60",
    read: |text| within(text, 1..=MAX_DEPTH),
    set: |target, depth| {
        target.limits.depth = Some(depth);
        target.style.human = None;
    },
    unset: Some(|limits| limits.depth = None),
};

/// Time limit.
pub const TIME: EngineOption<Duration> = EngineOption {
    name: "time",
    unit: "SECONDS",
    meaning: "Time for each move or position, in seconds",
    range: "a positive number of seconds, at most 3600000",
    read: |text| {
        let time = text.parse().ok().map(Duration::try_from_secs_f64);
        match time {
            Some(Ok(time)) if !time.is_zero() && time <= LONGEST_TIME => Ok(time),
            _ => Err(Reason::OutOfRange),
        }
    },
    set: |target, time| target.limits.time = Some(TimeControl::PerMove(time)),
    unset: Some(|limits| limits.time = None),
};

/// Node limit.
pub const NODES: EngineOption<u64> = EngineOption {
    name: "nodes",
    unit: "N",
    meaning: "Nodes searched for each move or position",
    range: "a number of nodes from 1",
    read: |text| within(text, 1..=u64::MAX),
    set: |target, nodes| target.limits.nodes = Some(nodes),
    unset: Some(|limits| limits.nodes = None),
};

/// Exact solving.
pub const EXACT: EngineOption<u32> = EngineOption {
    name: "exact",
    unit: "EMPTIES",
    meaning: "Solve exactly from this many empty squares on",
    range: "a number of empty squares from 0 to 60",
    read: |text| within(text, 0..=60),
    set: |target, empties| target.limits.exact = Some(empties),
    unset: Some(|limits| limits.exact = None),
};

/// Threads of a search.
pub const THREADS: EngineOption<NonZero<usize>> = EngineOption {
    name: "threads",
    unit: "N",
    meaning: "Threads of each search",
    range: "1 to 1024 threads",
    read: |text| {
        let most = NonZero::<usize>::MIN.saturating_add(MAX_THREADS - 1);
        within(text, NonZero::<usize>::MIN..=most)
    },
    set: |target, threads| target.settings.threads = threads,
    unset: None,
};

/// Pondering.
pub const PONDER: EngineOption<bool> = EngineOption {
    name: "ponder",
    unit: "on|off",
    meaning: "Ponder: think on the opponent's time as well",
    range: "on or off",
    read: |text| match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(Reason::OutOfRange),
    },
    set: |target, ponder| target.style.ponder = ponder,
    unset: None,
};

/// Size of the transposition table.
pub const HASH: EngineOption<usize> = EngineOption {
    name: "hash",
    unit: "MIB",
    meaning: "Transposition table size in MiB",
    range: "1 to 65536 MiB",
    read: |text| within(text, 1..=MAX_HASH_MIB),
    set: |target, mib| target.settings.hash_mib = mib,
    unset: None,
};

/// The static evaluation.
pub const EVAL: EngineOption<EvalName> = EngineOption {
    name: "eval",
    unit: "NAME",
    meaning: "Static evaluation",
    range: "an evaluation: net, pattern or classic",
    read: |text| {
        let mut all = EvalName::ALL.into_iter();
        all.find(|eval| eval.name() == text)
            .ok_or(Reason::OutOfRange)
    },
    set: |target, eval| target.settings.evaluator = eval.evaluator(),
    unset: None,
};

/// Weights, and with them the evaluation that they are for.
pub const WEIGHTS: EngineOption<AnyWeights> = EngineOption {
    name: "weights",
    unit: "FILE",
    meaning: "Weights, fitted by `emilia train`, for the evaluation that they belong to",
    range: "a file of weights",
    read: |text| AnyWeights::read(text).map_err(|error| Reason::Unusable(error.to_string())),
    set: |target, weights| target.settings.evaluator = weights.into(),
    unset: None,
};

/// Selectivity of forward pruning.
pub const SELECTIVITY: EngineOption<Selectivity> = EngineOption {
    name: "selectivity",
    unit: "PERCENT",
    meaning: "Confidence of forward pruning (Multi-ProbCut): 73, 87, 95, 98 or 99 percent, or 100 for full width. Solved \
              scores are exact in any case",
    range: "73, 87, 95, 98, 99 or 100 (percent)",
    read: |text| text.parse().map_err(|_| Reason::OutOfRange),
    set: |target, selectivity| target.settings.selectivity = selectivity,
    unset: None,
};

/// All options of the engine.
pub static ALL: [&dyn AnyOption; 12] = [
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
];

/// The option of this name, if there is one.
pub fn by_name(name: &str) -> Option<&'static dyn AnyOption> {
    ALL.into_iter().find(|option| option.name() == name)
}

/// A static evaluation by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvalName {
    /// [`Net`].
    #[default]
    Net,
    /// [`Pattern`].
    Pattern,
    /// [`Classic`].
    Classic,
}

impl EvalName {
    /// All evaluations.
    pub const ALL: [EvalName; 3] = [EvalName::Net, EvalName::Pattern, EvalName::Classic];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            EvalName::Net => Net::NAME,
            EvalName::Pattern => Pattern::NAME,
            EvalName::Classic => "classic",
        }
    }

    /// What it is, for help.
    pub const fn meaning(self) -> &'static str {
        match self {
            EvalName::Net => "a network over patterns, trained on games",
            EvalName::Pattern => "pattern weights fitted to games",
            EvalName::Classic => "discs, mobility, corners",
        }
    }

    /// The evaluation itself, with the weights of the binary.
    pub fn evaluator(self) -> AnyEvaluator {
        match self {
            EvalName::Net => Net::embedded().into(),
            EvalName::Pattern => Pattern::embedded().into(),
            EvalName::Classic => Classic.into(),
        }
    }
}

/// What the options are set in.
#[derive(Debug)]
pub struct Target<'a> {
    /// The settings of the engine.
    pub settings: &'a mut Settings,
    /// The limits of its searches.
    pub limits: &'a mut Limits,
    /// What it does besides searching.
    pub style: &'a mut Style,
}

/// An option of the engine with values of type `T`: a row of the table.
#[derive(Clone, Copy, Debug)]
pub struct EngineOption<T> {
    /// The name, the same everywhere.
    pub name: &'static str,
    /// What a value is, in help: `PLIES`, `MIB`.
    pub unit: &'static str,
    /// One line of help.
    pub meaning: &'static str,
    /// The accepted values.
    pub range: &'static str,
    read: fn(&str) -> Result<T, Reason>,
    set: fn(&mut Target, T),
    /// For limits: how to take the limit away.
    unset: Option<fn(&mut Limits)>,
}

impl<T> EngineOption<T> {
    /// The value that is written as `text`.
    ///
    /// # Errors
    /// If it is out of range, or the file that it names cannot be used.
    pub fn parse(&self, text: &str) -> Result<T, OptionError> {
        (self.read)(text).map_err(|reason| OptionError {
            value: text.to_owned(),
            range: self.range,
            reason,
        })
    }

    /// Sets the option.
    pub fn set(&self, target: &mut Target, value: T) {
        (self.set)(target, value);
    }
}

/// An option of the engine, whatever the type of its values.
pub trait AnyOption: Sync {
    /// The name, the same everywhere.
    fn name(&self) -> &'static str;

    /// What a value is, in help: `PLIES`, `MIB`.
    fn unit(&self) -> &'static str;

    /// One line of help.
    fn meaning(&self) -> &'static str;

    /// Sets the option to the value that is written as `text`.
    ///
    /// # Errors
    /// If it is out of range, or the file that it names cannot be used.
    fn set_text(&self, target: &mut Target, text: &str) -> Result<(), OptionError>;

    /// For limits: how to take the limit away. `None` for settings of the engine.
    fn unset(&self) -> Option<fn(&mut Limits)>;
}

impl<T> AnyOption for EngineOption<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn unit(&self) -> &'static str {
        self.unit
    }

    fn meaning(&self) -> &'static str {
        self.meaning
    }

    fn set_text(&self, target: &mut Target, text: &str) -> Result<(), OptionError> {
        self.set(target, self.parse(text)?);
        Ok(())
    }

    fn unset(&self) -> Option<fn(&mut Limits)> {
        self.unset
    }
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    /// It is not one of the range.
    OutOfRange,
    /// What it names cannot be used.
    Unusable(String),
}

/// The text is no value of the option; one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    value: String,
    range: &'static str,
    reason: Reason,
}

impl OptionError {
    /// What was expected, or what is wrong, for a sentence that names the option and the value already.
    pub fn expectation(&self) -> String {
        match &self.reason {
            Reason::OutOfRange => format!("expected {}", self.range),
            Reason::Unusable(problem) => problem.clone(),
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OptionError { value, range, .. } = self;
        let value = excerpt(value);
        match &self.reason {
            Reason::OutOfRange => write!(f, "'{value}' is not {range}"),
            Reason::Unusable(problem) => write!(f, "'{value}': {problem}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A number within a range.
fn within<T: FromStr + PartialOrd>(text: &str, range: RangeInclusive<T>) -> Result<T, Reason> {
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or(Reason::OutOfRange)
}
