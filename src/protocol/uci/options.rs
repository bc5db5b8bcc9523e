//! The options as UCI names them: those that every chess program knows under its names, the others under their own.

use super::split_at_word;
use crate::board::flipello;
use crate::options::{
    EVAL, EvalName, HASH, LEVEL, MAX_HASH_MIB, MAX_THREADS, SEED, SELECTIVITY, THREADS, WEIGHTS,
};
use crate::protocol::Setup;
use crate::search::Selectivity;

/// The most lines that can be asked for: no position has more moves.
const MOST_LINES: usize = 64;

/// `option name …` for each option, with what the session began with as the default.
pub(super) fn list(start: &Setup) -> Vec<String> {
    let settings = &start.settings;
    let evals = EvalName::ALL.map(EvalName::name).join(" var ");
    let selectivities: Vec<String> = Selectivity::ALL
        .iter()
        .map(|selectivity| format!("var {}", selectivity.percent()))
        .collect();
    [
        format!(
            "Hash type spin default {} min 1 max {MAX_HASH_MIB}",
            settings.hash_mib
        ),
        "Clear Hash type button".to_owned(),
        format!(
            "Threads type spin default {} min 1 max {MAX_THREADS}",
            settings.threads
        ),
        "Ponder type check default false".to_owned(),
        format!("MultiPV type spin default 1 min 1 max {MOST_LINES}"),
        format!(
            "UCI_Variant type combo default {0} var {0}",
            flipello::VARIANT
        ),
        format!("Level type string default {EMPTY}"),
        // A number of 64 bits; some clients know no more than 32.
        format!("Seed type string default {}", start.style.seed),
        format!(
            "Selectivity type combo default {} {}",
            settings.selectivity.percent(),
            selectivities.join(" ")
        ),
        format!(
            "Eval type combo default {} var {evals}",
            settings.evaluator.name()
        ),
        format!("Weights type string default {EMPTY}"),
    ]
    .map(|option| format!("option name {option}"))
    .into()
}

/// What `setoption` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// Nothing that this program has to know.
    Nothing,
    /// An option of the engine and its new value.
    Engine(&'static str, &'a str),
    /// The level that the session began with.
    FirstLevel,
    /// The weights that the session began with.
    FirstWeights,
    /// How many lines a search is to find.
    LineCount(usize),
    /// Everything that was learnt is to be forgotten.
    Clear,
}

/// The options of the engine that are [listed](list).
const OF_ENGINE: [&str; 7] = [
    HASH.name,
    THREADS.name,
    LEVEL.name,
    SEED.name,
    SELECTIVITY.name,
    EVAL.name,
    WEIGHTS.name,
];

/// The value of a text that is not set; clients send it as they send any default.
const EMPTY: &str = "<empty>";

/// The parts of `setoption name NAME [value VALUE]`, without its first word; either may have several words.
///
/// # Errors
/// If there is no name; one sentence.
pub(super) fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    let Some(("", rest)) = split_at_word(text, "name") else {
        return Err("setoption: expected 'setoption name NAME value VALUE'".to_owned());
    };
    Ok(split_at_word(rest, "value").unwrap_or((rest, "")))
}

/// What it is to set `name`, in any case, to `value`.
///
/// # Errors
/// If there is no such option, or the value does not suit one that is not of the engine; one sentence.
pub(super) fn change<'a>(name: &str, value: &'a str) -> Result<Change<'a>, String> {
    let expected = |expectation: &str| Err(format!("'{value}' is not {expectation}"));
    match name.to_ascii_lowercase().as_str() {
        "clear hash" => Ok(Change::Clear),
        // The client says when to ponder.
        "ponder" => match value {
            "true" | "false" => Ok(Change::Nothing),
            _ => expected("true or false"),
        },
        "multipv" => match value.parse() {
            Ok(count @ 1..=MOST_LINES) => Ok(Change::LineCount(count)),
            _ => expected(&format!("1 to {MOST_LINES}")),
        },
        "uci_variant" => match value {
            flipello::VARIANT => Ok(Change::Nothing),
            _ => expected(flipello::VARIANT),
        },
        known => match OF_ENGINE.into_iter().find(|&own| own == known) {
            Some(own) if own == LEVEL.name && is_empty(value) => Ok(Change::FirstLevel),
            Some(own) if own == WEIGHTS.name && is_empty(value) => Ok(Change::FirstWeights),
            Some(own) => Ok(Change::Engine(own, value)),
            None => Err("there is no such option".to_owned()),
        },
    }
}

fn is_empty(value: &str) -> bool {
    matches!(value, "" | EMPTY)
}
