//! The options as UCI names them: those that every chess program knows under its names, the others under their own.

use crate::board::flipello;
use crate::options::{
    EVAL, EvalName, HASH, LEVEL, MAX_HASH_MIB, MAX_THREADS, SEED, SELECTIVITY, THREADS, WEIGHTS,
};
use crate::protocol::Setup;
use crate::search::Selectivity;

/// The most lines that can be asked for: no position has more moves.
const MOST_LINES: usize = 64;

/// `option name …` for each option, as the session stands.
pub(super) fn list(setup: &Setup) -> Vec<String> {
    let settings = &setup.settings;
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
        "Level type string default <empty>".to_owned(),
        // A number of 64 bits; some clients know no more than 32.
        format!("Seed type string default {}", setup.style.seed),
        format!(
            "Selectivity type combo default {} {}",
            settings.selectivity.percent(),
            selectivities.join(" ")
        ),
        format!(
            "Eval type combo default {} var {evals}",
            settings.evaluator.name()
        ),
        "Weights type string default <empty>".to_owned(),
    ]
    .map(|option| format!("option name {option}"))
    .into()
}

/// What `setoption` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// Nothing that this program has to know.
    Nothing,
    /// An option of the engine and its new value.
    Engine(&'static str, &'a str),
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

/// Reads `setoption name NAME [value VALUE]`, without its first word. Names are known in any case.
///
/// # Errors
/// If there is no such option, or the value does not suit one that is not of the engine; one sentence.
pub(super) fn read(text: &str) -> Result<Change<'_>, String> {
    let (name, value) = name_and_value(text)?;
    let name = name.to_ascii_lowercase();
    let expected = |expectation: &str| format!("{name} '{value}': expected {expectation}");
    match name.as_str() {
        "clear hash" => Ok(Change::Clear),
        // The client says when to ponder.
        "ponder" => match value {
            "true" | "false" => Ok(Change::Nothing),
            _ => Err(expected("true or false")),
        },
        "multipv" => match value.parse() {
            Ok(count @ 1..=MOST_LINES) => Ok(Change::LineCount(count)),
            _ => Err(expected(&format!("1 to {MOST_LINES}"))),
        },
        "uci_variant" => match value {
            flipello::VARIANT => Ok(Change::Nothing),
            _ => Err(expected(flipello::VARIANT)),
        },
        // Clients send the default of a text as well.
        "level" | "weights" if matches!(value, "" | "<empty>") => Ok(Change::Nothing),
        _ => match OF_ENGINE.into_iter().find(|&own| own == name) {
            Some(own) => Ok(Change::Engine(own, value)),
            None => Err(format!("no such option: {name}")),
        },
    }
}

/// The two parts, either of which may have several words.
fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    let rest = text.strip_prefix("name ");
    let rest = rest.ok_or("setoption: expected 'setoption name NAME value VALUE'")?;
    let (name, value) = rest.split_once(" value").unwrap_or((rest, ""));
    Ok((name.trim(), value.trim()))
}
