//! UCI options: engine options of [`emilia_player::options`], and options that only UCI has.

use std::time::Duration;

use super::flipello::VARIANT;
use super::{UciSession, split_at_word};
use emilia_book::Book;
use emilia_player::Setup;
use emilia_player::options::{
    BOOK, EVAL, EngineOption, HASH, LEVEL, SEED, SELECTIVITY, THREADS, ValueKind, WEIGHTS,
};

/// Maximum of the option `MultiPV`. No position has more legal moves.
const MAX_LINES: usize = 64;

/// Engine options that are UCI options. Search limits are not among them, because `go` sets them.
const ROWS: [&EngineOption; 8] = [
    &HASH,
    &THREADS,
    &LEVEL,
    &SEED,
    &BOOK,
    &SELECTIVITY,
    &EVAL,
    &WEIGHTS,
];

/// Maximum of the option `Move Overhead`, in milliseconds.
const MAX_OVERHEAD: u64 = 5000;

/// Text for an unset string option. Clients may send this text back as the default value.
const EMPTY: &str = "<empty>";

/// Returns the `option name …` lines, with the initial settings as defaults.
pub(super) fn list(start: &Setup) -> Vec<String> {
    let has_book = start.play_settings.book != Book::Off;
    let of_uci = [
        format!("Move Overhead type spin default 0 min 0 max {MAX_OVERHEAD}"),
        "Clear Hash type button".to_owned(),
        "Ponder type check default false".to_owned(),
        format!("MultiPV type spin default 1 min 1 max {MAX_LINES}"),
        format!("UCI_Variant type combo default {VARIANT} var {VARIANT}"),
        format!("OwnBook type check default {has_book}"),
    ];
    let rows = ROWS.into_iter().map(|option| {
        let (first, rest) = option.name.split_at(1);
        let name = first.to_ascii_uppercase() + rest;
        format!("{name} type {}", type_and_default(option, start))
    });
    let options = rows.chain(of_uci);
    options
        .map(|option| format!("option name {option}"))
        .collect()
}

fn type_and_default(option: &EngineOption, start: &Setup) -> String {
    let default = (option.get)(start).unwrap_or_else(|| EMPTY.to_owned());
    match &option.kind {
        ValueKind::Choice(words, _) => {
            let other = Some(&*default).filter(|default| !words.contains(default));
            let all: Vec<&str> = words.iter().copied().chain(other).collect();
            format!("combo default {default} var {}", all.join(" var "))
        }
        // Some clients parse only 32-bit numbers. Larger numbers become strings.
        ValueKind::Number(_, range, _) if i32::try_from(*range.end()).is_ok() => {
            format!(
                "spin default {default} min {} max {}",
                range.start(),
                range.end()
            )
        }
        _ => format!("string default {default}"),
    }
}

impl UciSession<'_> {
    /// Executes `setoption name NAME [value VALUE]`. Name and value may contain spaces.
    pub(super) fn set_option(&mut self, text: &str) -> Result<(), String> {
        let Some(("", rest)) = split_at_word(text, "name") else {
            return Err("setoption: expected 'setoption name NAME value VALUE'".to_owned());
        };
        let (name, value) = split_at_word(rest, "value").unwrap_or((rest, ""));
        self.set(&name.to_ascii_lowercase(), value)
            .map_err(|why| format!("option '{name}': {why}"))
    }

    /// Sets the option `name`, given in lower case.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let expected = |expectation: &str| Err(format!("'{value}': expected {expectation}"));
        let is_empty = matches!(value, "" | EMPTY);
        let mut new = self.setup.clone();
        match (name, value) {
            // The option `Ponder` only announces that the client may send `go ponder`.
            ("ponder", "true" | "false") | ("uci_variant", VARIANT) => {}
            ("uci_variant", _) => {
                return Err(format!(
                    "'{value}' is ignored: only Othello is played, {VARIANT}"
                ));
            }
            ("clear hash", _) => self.player.clear(),
            ("multipv", _) => match value.parse() {
                Ok(count @ 1..=MAX_LINES) => self.line_count = count,
                _ => return expected(&format!("a number of lines from 1 to {MAX_LINES}")),
            },
            ("move overhead", _) => match value.parse() {
                Ok(millis @ 0..=MAX_OVERHEAD) => self.overhead = Duration::from_millis(millis),
                _ => return expected(&format!("milliseconds from 0 to {MAX_OVERHEAD}")),
            },
            ("ownbook", "false") => new.play_settings.book = Book::Off,
            // A book that is already in use is kept.
            ("ownbook", "true") if new.play_settings.book != Book::Off => {}
            ("ownbook", "true") => new.play_settings.book = Book::Embedded,
            ("ponder" | "ownbook", _) => return expected("true or false"),
            // An empty value restores the value at the start of the session.
            ("level", _) if is_empty => {
                new.limits.depth = self.start.limits.depth;
                new.play_settings.human = self.start.play_settings.human;
            }
            ("weights", _) if is_empty => {
                if new.weights.is_some() {
                    new.settings.evaluator = self.start.settings.evaluator.clone();
                    new.weights.clone_from(&self.start.weights);
                }
            }
            _ if ROWS.iter().any(|option| option.name == name) => {
                return self.setup.set(&mut self.player, name, value);
            }
            _ => return Err("no such option".to_owned()),
        }
        self.setup.replace(new, &mut self.player)
    }
}
