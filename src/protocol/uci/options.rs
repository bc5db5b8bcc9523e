//! The options as UCI names them: those that every chess program knows under its names, the others under their own.

use crate::board::flipello;
use crate::options::{
    EVAL, EvalName, HASH, LEVEL, MAX_HASH_MIB, MAX_THREADS, SEED, SELECTIVITY, THREADS, WEIGHTS,
};
use crate::protocol::{Setup, options};
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

/// What `setoption` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing that this program has to know.
    Nothing,
    /// The settings of the engine.
    Settings,
    /// How many lines a search is to find.
    LineCount(usize),
    /// Everything that was learnt is to be forgotten.
    Clear,
}

/// `setoption name NAME [value VALUE]`, without its first word. Names are known in any case.
///
/// # Errors
/// If there is no such option, or the value does not suit it; one sentence.
pub(super) fn set(setup: &mut Setup, text: &str) -> Result<Change, String> {
    let (name, value) = name_and_value(text)?;
    let name = name.to_ascii_lowercase();
    let expected = |expectation: &str| format!("{name} '{value}': expected {expectation}");
    let own = match name.as_str() {
        "clear hash" => return Ok(Change::Clear),
        // The client says when to ponder.
        "ponder" => {
            let is_known = matches!(value, "true" | "false");
            return is_known
                .then_some(Change::Nothing)
                .ok_or_else(|| expected("true or false"));
        }
        "multipv" => {
            let count = value.parse().ok();
            return count
                .filter(|count| (1..=MOST_LINES).contains(count))
                .map(Change::LineCount)
                .ok_or_else(|| expected(&format!("1 to {MOST_LINES}")));
        }
        "uci_variant" => {
            return (value == flipello::VARIANT)
                .then_some(Change::Nothing)
                .ok_or_else(|| expected(flipello::VARIANT));
        }
        // Clients send the default of a text as well.
        "level" | "weights" if matches!(value, "" | "<empty>") => return Ok(Change::Nothing),
        _ => [
            HASH.name,
            THREADS.name,
            LEVEL.name,
            SEED.name,
            SELECTIVITY.name,
            EVAL.name,
            WEIGHTS.name,
        ]
        .into_iter()
        .find(|&own| own == name),
    };
    let own = own.ok_or_else(|| format!("no such option: {name}"))?;
    let is_of_engine = options::set(setup, own, value)?;
    Ok(if is_of_engine {
        Change::Settings
    } else {
        Change::Nothing
    })
}

/// The two parts, either of which may have several words.
fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    let rest = text.strip_prefix("name ");
    let rest = rest.ok_or("setoption: expected 'setoption name NAME value VALUE'")?;
    let (name, value) = rest.split_once(" value").unwrap_or((rest, ""));
    Ok((name.trim(), value.trim()))
}
