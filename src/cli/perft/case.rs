//! Counted case of a perft suite, as a line of text or of JSON.

use std::fmt;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::board::perft::Case;
use crate::cli::{Failure, Verdict, json, print_to_stderr};
use crate::view::printable;

/// Kind of these lines in the JSON schema.
pub(in crate::cli) const KIND: &str = "perft_case";

/// Case of a suite with its count.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::cli) struct CountedCase {
    /// Number among the cases of all shards, from 1.
    case: usize,
    convention: String,
    id: String,
    depth: u32,
    nodes: u64,
    expected: u64,
}

impl CountedCase {
    pub(super) fn new(number: usize, case: &Case, nodes: u64) -> CountedCase {
        CountedCase {
            case: number,
            convention: case.convention.to_string(),
            id: case.id.clone(),
            depth: case.depth,
            nodes,
            expected: case.nodes,
        }
    }

    fn is_right(&self) -> bool {
        self.nodes == self.expected
    }

    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        if json {
            json::write(KIND, self, out)
        } else {
            writeln!(out, "{self}")
        }
    }
}

/// Formats the line `ok …` or `FAIL …`.
impl fmt::Display for CountedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (convention, id) = (printable(&self.convention), printable(&self.id));
        let (depth, nodes, expected) = (self.depth, self.nodes, self.expected);
        if self.is_right() {
            write!(f, "ok {convention} {id}: depth {depth}, {nodes}")
        } else {
            write!(
                f,
                "FAIL {convention} {id}: depth {depth}, expected {expected} got {nodes}"
            )
        }
    }
}

/// Numbers of cases that passed and failed.
#[derive(Debug, Default)]
pub(super) struct Totals {
    passed: usize,
    failed: usize,
}

impl Totals {
    pub(super) fn add(&mut self, case: &CountedCase) {
        if case.is_right() {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Writes the fixed last line. With JSON it goes to stderr.
    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<Verdict> {
        let Totals { passed, failed } = self;
        let line = format!("perft suite: {passed} passed, {failed} failed");
        if json {
            print_to_stderr(&line);
        } else {
            writeln!(out, "{line}")?;
        }
        Ok(if *failed == 0 {
            Verdict::Yes
        } else {
            Verdict::No
        })
    }
}

/// Writes the cases of all shards in the format and order of a single run.
pub(in crate::cli) fn write_all(
    mut cases: Vec<CountedCase>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    cases.sort_by_key(|case| case.case);
    let mut totals = Totals::default();
    for case in &cases {
        totals.add(case);
        case.write(json, out)?;
    }
    Ok(totals.write(json, out)?)
}
