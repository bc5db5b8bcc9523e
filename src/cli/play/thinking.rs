//! What the engine thinks while it thinks: one line on the terminal that is written over and over.

use std::io::{self, IsTerminal, Write};

use crate::search::{Depth, Line, Report};
use crate::view::moves;

/// Widest line that does not wrap on the narrowest usual terminal.
const WIDTH: usize = 79;
/// Back to the first column and clear the line, in the language of terminals (ECMA-48).
const CLEAR_LINE: &str = "\r\x1b[K";

/// Shows progress on stderr when that is a terminal, and takes it away when it is dropped.
#[derive(Debug)]
pub(super) struct Thinking {
    on_terminal: bool,
}

impl Thinking {
    pub(super) fn new() -> Thinking {
        Thinking {
            on_terminal: io::stderr().is_terminal(),
        }
    }

    /// Writes over the line. Progress that cannot be shown is no reason to stop thinking.
    fn show(&self, text: &str) {
        if self.on_terminal {
            let _ = io::stderr().write_all(format!("{CLEAR_LINE}{text}").as_bytes());
        }
    }
}

impl Report for Thinking {
    fn progress(&mut self, line: &Line) {
        let text = format!(
            "{:>8}  {:>6}  {:>6} kN  {}",
            depth(line.depth),
            line.value,
            line.nodes / 1000,
            moves(&line.pv)
        );
        self.show(&text.chars().take(WIDTH).collect::<String>());
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.show("");
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
