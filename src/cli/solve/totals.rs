//! Totals over all solved positions, printed as the fixed last line.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use super::Solution;
use crate::cli::{Verdict, per_second, print_to_stderr};

/// Totals over all solved positions.
#[derive(Default)]
pub(super) struct SolveTotals {
    pub(super) positions: usize,
    wrong: usize,
    time: Duration,
    nodes: u64,
}

impl SolveTotals {
    pub(super) fn add(&mut self, solution: &Solution) {
        self.positions += 1;
        self.wrong += usize::from(!solution.is_right());
        self.time = self.time.saturating_add(solution.elapsed());
        self.nodes = self.nodes.saturating_add(solution.nodes);
    }

    /// Returns `Yes` if no score differs from the input.
    pub(super) fn verdict(&self) -> Verdict {
        if self.wrong == 0 {
            Verdict::Yes
        } else {
            Verdict::No
        }
    }

    /// Writes the last line. With JSON it goes to stderr.
    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        if json {
            print_to_stderr(self);
            Ok(())
        } else {
            writeln!(out, "{self}")
        }
    }
}

/// Formats the fixed last line.
impl fmt::Display for SolveTotals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolveTotals {
            positions,
            wrong,
            time,
            nodes,
        } = self;
        let seconds = time.as_secs_f64();
        let nps = per_second(*nodes, *time);
        write!(
            f,
            "solve: {positions} positions, {wrong} wrong, \
             {seconds:.3} s, {nodes} nodes, {nps:.0} nps"
        )
    }
}
