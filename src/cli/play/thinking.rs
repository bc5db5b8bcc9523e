//! What the engine thinks while it thinks: one line on the terminal that is written over and over.

use crate::cli::terminal::StatusLine;
use crate::search::{Depth, Line};
use crate::view::moves;

/// Shows each iteration on the status line.
#[derive(Debug)]
pub(super) struct Thinking(StatusLine);

impl Thinking {
    pub(super) fn new() -> Thinking {
        Thinking(StatusLine::new())
    }

    /// Shows this line.
    pub(super) fn show(&mut self, line: &Line) {
        self.0.show(&format!(
            "{:>8}  {:>6}  {:>6} kN  {}",
            depth(line.depth),
            line.value,
            line.nodes / 1000,
            moves(&line.pv)
        ));
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
