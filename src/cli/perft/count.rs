//! Result of perft as lines of text or as JSON.

use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::board::Move;
use crate::cli::{Failure, Verdict, json, per_second};

/// Kind of this line in the JSON schema.
pub(in crate::cli) const KIND: &str = "perft";

/// Leaf count of a position, or the part of it that a shard counted.
#[derive(Debug, Serialize, Deserialize)]
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

    /// Writes `move count` for each move and `perft DEPTH NODES SECONDS NPS`, or one line of JSON.
    pub(super) fn write(&self, json: bool, out: &mut dyn Write) -> io::Result<()> {
        if json {
            return json::write(KIND, self, out);
        }
        for MoveCount { mv, nodes } in &self.moves {
            writeln!(out, "{mv} {nodes}")?;
        }
        let Count {
            depth,
            nodes,
            seconds,
            nps,
            ..
        } = self;
        writeln!(out, "perft {depth} {nodes} {seconds:.3} {nps}")
    }

    /// Adds the count of another shard. Returns `None` on overflow or if the moves differ.
    fn add(&mut self, other: &Count) -> Option<()> {
        let add = |sum: &mut u64, nodes| {
            *sum = sum.checked_add(nodes)?;
            Some(())
        };
        add(&mut self.nodes, other.nodes)?;
        self.seconds += other.seconds;
        if self.moves.len() != other.moves.len() {
            return None;
        }
        for (own, of_other) in self.moves.iter_mut().zip(&other.moves) {
            if own.mv != of_other.mv {
                return None;
            }
            add(&mut own.nodes, of_other.nodes)?;
        }
        Some(())
    }
}

/// Writes the sum of the counts of all shards in the format of a single run.
pub(in crate::cli) fn write_sum(
    counts: Vec<Count>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let mut counts = counts.into_iter();
    let Some(mut sum) = counts.next() else {
        return Ok(Verdict::Yes);
    };
    for count in counts {
        sum.add(&count).ok_or_else(|| {
            Failure::Input("the counts of the shards do not add up: they are damaged".to_owned())
        })?;
    }
    let time = Duration::try_from_secs_f64(sum.seconds).unwrap_or_default();
    sum.nps = per_second(sum.nodes, time).round() as u64;
    sum.write(json, out)?;
    Ok(Verdict::Yes)
}
