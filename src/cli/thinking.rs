//! Progress display of a search: status lines on the terminal, rewritten after each iteration.

use super::print_to_stderr;
use super::terminal::status_width;
use crate::search::{Depth, Progress, Selectivity};
use crate::view::{SearchStatus, cut};

/// Columns reserved for the elapsed time.
pub(super) const TIME_WIDTH: usize = 12;

/// Note below the status lines of a search that runs until a key is pressed.
pub(super) const UNTIL_KEY: &str = if cfg!(unix) {
    "Any key ends the search."
} else {
    "Ctrl-C ends the search."
};

/// Status lines of a running search, one for each MultiPV line.
#[derive(Debug)]
pub(super) struct Thinking {
    status: SearchStatus,
    /// Text below the status lines.
    note: &'static str,
    lines: Vec<String>,
}

impl Thinking {
    /// Starts an empty display with `note` below it.
    /// If stderr is no terminal, the note is printed once instead.
    pub(super) fn new(note: &'static str) -> Thinking {
        let status = SearchStatus::new();
        status.begin(note);
        if status.is_hidden() && !note.is_empty() {
            print_to_stderr(&note);
        }
        Thinking {
            status,
            note,
            lines: Vec::new(),
        }
    }

    /// Shows a new line, in place of the line with the same MultiPV number and those after it.
    pub(super) fn show(&mut self, progress: &Progress) {
        self.lines.truncate(progress.multi_pv - 1);
        let width = status_width().saturating_sub(TIME_WIDTH);
        self.lines
            .push(cut(&progress.line.to_string(), width).to_owned());
        let mut text = self.lines.join("\n");
        if !self.note.is_empty() {
            text = format!("{text}\n{}", self.note);
        }
        self.status.set_message(&text);
    }
}

/// Formats a search depth: `depth 9`, `exact`, or `win, draw or loss`.
pub(super) fn depth(depth: Depth) -> String {
    match depth {
        Depth::Plies(..) => format!("depth {depth}"),
        Depth::Exact => "exact".to_owned(),
        Depth::Wld => "win, draw or loss".to_owned(),
    }
}

/// Explains a selective depth as a sentence. Returns `None` for depths without forward pruning.
pub(super) fn meaning(depth: Depth) -> Option<String> {
    match depth {
        Depth::Plies(plies, selectivity) if selectivity != Selectivity::P100 => Some(format!(
            "depth {depth}: searched {plies} {} deep, forward pruning at {} % confidence",
            if plies == 1 { "ply" } else { "plies" },
            selectivity.percent()
        )),
        _ => None,
    }
}
