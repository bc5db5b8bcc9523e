//! Results of perft: the count of a position, and the counted cases of a suite.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::analysis::json;
use crate::board::Move;
use crate::board::perft::Case;
use crate::cli::{CommandResult, Verdict, per_second, refused};
use crate::view::printable;

/// Kind of a [`Count`] in the JSON schema.
pub(in crate::cli) const COUNT: &str = "perft";

/// Kind of a [`CountedCase`] in the JSON schema.
pub(in crate::cli) const CASE: &str = "perft_case";

/// Leaf count of a position, or the part of it that a shard counted.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(in crate::cli) struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// Count of each legal move, with `--divide`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveCount>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MoveCount {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl Count {
    pub(super) fn new(depth: u32, nodes: u64, time: Duration, moves: &[(Move, u64)]) -> Count {
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

/// Writes the sum of the counts of all shards in the format of a single run.
pub(in crate::cli) fn write_sum(
    counts: Vec<Count>,
    json: bool,
    out: &mut dyn Write,
) -> CommandResult {
    let mut counts = counts.into_iter();
    let mut sum = counts.next().unwrap_or_default();
    for count in counts {
        let nodes = sum.nodes.checked_add(count.nodes);
        sum.nodes = nodes
            .ok_or_else(|| refused("the counts of the shards do not add up: they are damaged"))?;
        sum.seconds += count.seconds;
        // All shards list the same moves, each with the shard's part of its count.
        for (own, part) in sum.moves.iter_mut().zip(count.moves) {
            own.nodes = own.nodes.saturating_add(part.nodes);
        }
    }
    let time = Duration::try_from_secs_f64(sum.seconds).unwrap_or_default();
    sum.nps = per_second(sum.nodes, time).round() as u64;
    json::write_line(COUNT, &sum, json, out)?;
    Ok(Verdict::Yes)
}

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

/// Writes the cases of all shards in the format and order of a single run.
pub(in crate::cli) fn write_all(
    mut cases: Vec<CountedCase>,
    json: bool,
    out: &mut dyn Write,
) -> io::Result<Verdict> {
    cases.sort_by_key(|case| case.case);
    for case in &cases {
        json::write_line(CASE, case, json, out)?;
    }
    write_totals(&cases, json, out)
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
