//! UCI options: standard names of chess engines where they exist, and engine-specific ones.
//! `setoption` is parsed into a [`Change`], which the session applies.

use super::split_at_word;
use crate::board::flipello;
use crate::book::Book;
use crate::player::options::{
    EVAL, EvalName, HASH, LEVEL, MAX_HASH_MIB, MAX_THREADS, SEED, SELECTIVITY, THREADS, WEIGHTS,
};
use crate::protocol::Setup;
use crate::search::Selectivity;

/// Maximum of MultiPV, above the number of legal moves in any position.
const MAX_LINES: usize = 64;

/// Returns the `option name …` lines, with the initial settings as defaults.
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
        format!("MultiPV type spin default 1 min 1 max {MAX_LINES}"),
        format!(
            "UCI_Variant type combo default {0} var {0}",
            flipello::VARIANT
        ),
        format!("Level type string default {EMPTY}"),
        // Not `spin`: the seed has 64 bits, and some clients parse 32 only.
        format!("Seed type string default {}", start.play_settings.seed),
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
        format!(
            "OwnBook type check default {}",
            start.play_settings.book != Book::Off
        ),
        format!("BookFile type string default {EMPTY}"),
    ]
    .map(|option| format!("option name {option}"))
    .into()
}

/// Effect of a `setoption` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// No effect on this program.
    Nothing,
    /// Engine option and its new value.
    Engine(&'static str, &'a str),
    /// Reset to the initial level.
    FirstLevel,
    /// Reset to the initial weights.
    FirstWeights,
    /// Number of lines to search: MultiPV.
    LineCount(usize),
    /// Whether to play from the opening book.
    OwnBook(bool),
    /// File of the opening book, or [`ON`] for the embedded one.
    BookFile(&'a str),
    /// Clear the hash table.
    Clear,
}

/// Engine options that [`list`] contains.
const OF_ENGINE: [&str; 7] = [
    HASH.name,
    THREADS.name,
    LEVEL.name,
    SEED.name,
    SELECTIVITY.name,
    EVAL.name,
    WEIGHTS.name,
];

/// Value of the engine option `book` for the embedded book.
pub(super) const ON: &str = "on";

/// Text for an unset string option. Clients send it back as the default value.
const EMPTY: &str = "<empty>";

/// Splits `name NAME [value VALUE]`, the text after `setoption`. Both may contain spaces.
///
/// # Errors
/// If there is no name. The text is one sentence.
pub(super) fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    let Some(("", rest)) = split_at_word(text, "name") else {
        return Err("setoption: expected 'setoption name NAME value VALUE'".to_owned());
    };
    Ok(split_at_word(rest, "value").unwrap_or((rest, "")))
}

/// Returns the effect of setting `name`, in any case, to `value`.
///
/// # Errors
/// If the option does not exist, or the value of a UCI option is invalid. One sentence.
pub(super) fn change<'a>(name: &str, value: &'a str) -> Result<Change<'a>, String> {
    let expected = |expectation: &str| Err(format!("'{value}' is not {expectation}"));
    match name.to_ascii_lowercase().as_str() {
        "clear hash" => Ok(Change::Clear),
        // The option only announces pondering, which `go ponder` requests.
        "ponder" => match value {
            "true" | "false" => Ok(Change::Nothing),
            _ => expected("true or false"),
        },
        "multipv" => match value.parse() {
            Ok(count @ 1..=MAX_LINES) => Ok(Change::LineCount(count)),
            _ => expected(&format!("1 to {MAX_LINES}")),
        },
        "uci_variant" => match value {
            flipello::VARIANT => Ok(Change::Nothing),
            _ => expected(flipello::VARIANT),
        },
        "ownbook" => match value {
            "true" => Ok(Change::OwnBook(true)),
            "false" => Ok(Change::OwnBook(false)),
            _ => expected("true or false"),
        },
        "bookfile" if is_empty(value) => Ok(Change::BookFile(ON)),
        "bookfile" => Ok(Change::BookFile(value)),
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
