//! The progress of a search: a few lines on the terminal that are written over and over.

use super::say_on_stderr;
use super::terminal::status_width;
use crate::search::{Depth, Progress, Selectivity};
use crate::view::{SearchStatus, cut, thinking};

/// Columns kept for the time of a search.
const TIME_WIDTH: usize = 12;

/// The note under a search that goes on until a key is pressed.
pub(super) const UNTIL_KEY: &str = if cfg!(unix) {
    "Any key ends the search."
} else {
    "Ctrl-C ends the search."
};

/// Shows the lines of each iteration.
#[derive(Debug)]
pub(super) struct Thinking {
    status: SearchStatus,
    /// What stands under the lines.
    note: &'static str,
    lines: Vec<String>,
}

impl Thinking {
    /// Nothing yet; `note` stands under the lines, or alone where lines cannot be written over.
    pub(super) fn new(note: &'static str) -> Thinking {
        let status = SearchStatus::new();
        status.begin(note);
        if status.is_hidden() && !note.is_empty() {
            say_on_stderr(&note);
        }
        Thinking {
            status,
            note,
            lines: Vec::new(),
        }
    }

    /// Shows this line.
    pub(super) fn show(&mut self, progress: &Progress) {
        self.lines.truncate(progress.multi_pv - 1);
        let width = status_width().saturating_sub(TIME_WIDTH);
        self.lines
            .push(cut(&thinking(&progress.line), width).to_owned());
        let mut text = self.lines.join("\n");
        if !self.note.is_empty() {
            text = format!("{text}\n{}", self.note);
        }
        self.status.tell(&text);
    }
}

/// `depth 9`, `exact`, or what it was solved for.
pub(super) fn depth(depth: Depth) -> String {
    match depth {
        Depth::Plies(..) => format!("depth {depth}"),
        Depth::Exact => "exact".to_owned(),
        Depth::Wld => "win, draw or loss".to_owned(),
    }
}

/// What [`depth`] means where moves were pruned; other depths explain themselves.
pub(super) fn meaning(depth: Depth) -> Option<String> {
    match depth {
        Depth::Plies(plies, selectivity) if selectivity != Selectivity::P100 => Some(format!(
            "depth {depth}: searched {plies} plies deep, forward pruning at {} % confidence",
            selectivity.percent()
        )),
        _ => None,
    }
}
