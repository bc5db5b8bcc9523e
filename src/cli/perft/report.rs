//! Results of perft: the count of a position, and the counted cases of a suite.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::cli::{Verdict, per_second};
use emilia_core::board::Move;
use emilia_core::board::perft::Case;
use emilia_view::printable;

/// Leaf count of a position, or the part of it that a shard counted.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// Count of each legal move, with `--divide`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveCount>,
}

#[derive(Debug, Serialize)]
struct MoveCount {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl Count {
    pub(crate) fn new(depth: u32, nodes: u64, time: Duration, moves: &[(Move, u64)]) -> Count {
        let of_move = |&(mv, nodes): &(Move, u64)| MoveCount {
            mv: mv.to_string(),
            nodes,
        };
        Count {
            depth,
            nodes,
            seconds: time.as_secs_f64(),
            nps: per_second(nodes, time).round() as u64,
            moves: moves.iter().map(of_move).collect(),
        }
    }
}

/// Formats `move count` for each move, and `perft DEPTH NODES SECONDS NPS`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for MoveCount { mv, nodes } in &self.moves {
            writeln!(f, "{mv} {nodes}")?;
        }
        let (depth, nodes, seconds, nps) = (self.depth, self.nodes, self.seconds, self.nps);
        write!(f, "perft {depth} {nodes} {seconds:.3} {nps}")
    }
}

/// Case of a suite with its count.
#[derive(Debug, Serialize)]
pub(crate) struct CountedCase {
    /// Number among the cases of all shards, from 1.
    case: usize,
    convention: String,
    id: String,
    depth: u32,
    nodes: u64,
    expected: u64,
}

impl CountedCase {
    pub(crate) fn new(number: usize, case: &Case, nodes: u64) -> CountedCase {
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

/// Writes the fixed last line. The verdict is `Yes` if all cases passed.
pub(super) fn write_totals(
    cases: &[CountedCase],
    json: bool,
    out: &mut dyn Write,
) -> io::Result<Verdict> {
    let passed = cases.iter().filter(|case| case.is_right()).count();
    let failed = cases.len() - passed;
    let line = format!("perft suite: {passed} passed, {failed} failed");
    crate::cli::write_totals(&line, json, out)?;
    Ok(Verdict::of(failed == 0))
}
