//! UCI options: standard names of chess engines where they exist, and engine-specific ones.

use super::flipello::VARIANT;
use super::{UciSession, split_at_word};
use emilia_book::Book;
use emilia_core::search::Selectivity;
use emilia_player::Setup;
use emilia_player::options::{AnyOption, BOOK, EVAL, EvalName, MAX_HASH_MIB, MAX_THREADS};

/// Maximum of MultiPV, above the number of legal moves in any position.
const MAX_LINES: usize = 64;

/// Returns the `option name …` lines, with the initial settings as defaults.
pub(super) fn list(start: &Setup) -> Vec<String> {
    let (settings, play_settings) = (&start.settings, &start.play_settings);
    let (hash_mib, threads, seed) = (settings.hash_mib, settings.threads, play_settings.seed);
    let (selectivity, eval) = (settings.selectivity.percent(), settings.evaluator.name());
    let selectivities = Selectivity::ALL.map(|own| own.percent().to_string());
    let selectivities = selectivities.join(" var ");
    let mut evals = EvalName::ALL.map(EvalName::name).to_vec();
    if !evals.contains(&eval) {
        evals.push(eval);
    }
    let evals = evals.join(" var ");
    let has_book = play_settings.book != Book::Off;
    [
        format!("Hash type spin default {hash_mib} min 1 max {MAX_HASH_MIB}"),
        "Clear Hash type button".to_owned(),
        format!("Threads type spin default {threads} min 1 max {MAX_THREADS}"),
        "Ponder type check default false".to_owned(),
        format!("MultiPV type spin default 1 min 1 max {MAX_LINES}"),
        format!("UCI_Variant type combo default {VARIANT} var {VARIANT}"),
        format!("Level type string default {EMPTY}"),
        // Not `spin`: the seed has 64 bits, and some clients parse 32 only.
        format!("Seed type string default {seed}"),
        format!("Selectivity type combo default {selectivity} var {selectivities}"),
        format!("Eval type combo default {eval} var {evals}"),
        format!("Weights type string default {EMPTY}"),
        format!("OwnBook type check default {has_book}"),
        format!("BookFile type string default {EMPTY}"),
    ]
    .map(|option| format!("option name {option}"))
    .into()
}

/// Text for an unset string option. Clients send it back as the default value.
const EMPTY: &str = "<empty>";

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

    /// Sets the option `name`, in lower case. The error is one sentence.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let expected = |expectation: &str| Err(format!("'{value}' is not {expectation}"));
        let is_empty = matches!(value, "" | EMPTY);
        let mut new = self.setup.clone();
        match (name, value) {
            // The option only announces pondering, which `go ponder` requests.
            ("ponder", "true" | "false") | ("uci_variant", VARIANT) => {}
            ("uci_variant", _) => {
                return Err(format!(
                    "'{value}' is ignored: only Othello is played, {VARIANT}"
                ));
            }
            ("clear hash", _) => self.player.clear(),
            ("multipv", _) => match value.parse() {
                Ok(count @ 1..=MAX_LINES) => self.line_count = count,
                _ => return expected(&format!("1 to {MAX_LINES}")),
            },
            ("ownbook", "true" | "false") => self.owns_book = value == "true",
            ("ponder" | "ownbook", _) => return expected("true or false"),
            ("bookfile", _) => {
                BOOK.set_text(&mut new, if is_empty { "on" } else { value })?;
                self.book = new.play_settings.book.clone();
            }
            // An empty value restores the one at the start of the session.
            ("level", _) if is_empty => {
                new.limits.depth = self.start.limits.depth;
                new.play_settings.human = self.start.play_settings.human;
            }
            ("weights", _) if is_empty => {
                let (present, start) = (&mut new.settings.evaluator, &self.start.settings);
                *present = match EVAL.parse(present.name()) {
                    Ok(eval) if start.evaluator.name() != present.name() => eval.evaluator(),
                    _ => start.evaluator.clone(),
                };
            }
            ("hash" | "threads" | "level" | "seed" | "selectivity" | "eval" | "weights", _) => {
                return self.setup.set(&mut self.player, name, value);
            }
            _ => return Err("there is no such option".to_owned()),
        }
        // The book stays open while it is not used, so that options may come in any order.
        new.play_settings.book = if self.owns_book {
            self.book.clone()
        } else {
            Book::Off
        };
        self.setup.replace(new, &mut self.player)
    }
}
