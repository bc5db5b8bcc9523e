//! `emilia perft`: counts the leaves of the game tree, and runs suites of expected counts.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::inputs::{POSITION, position};
use super::options::{ShardedOutput, ThreadsOption, hash_mib, whole};
use super::{CommandResult, Verdict, interruptible_bar, per_second, refused, write_totals};
use emilia_core::board::perft::{self, Case, Convention, MAX_DEPTH, Perft};
use emilia_core::board::{Move, printable};
use emilia_core::work::Shard;
use emilia_files::MIB;
use emilia_review::json;

/// Maximum size of a suite in bytes.
const MAX_SUITE_BYTES: u64 = 64 * MIB;

/// Heading of the options of suites in the help.
const SUITES: &str = "Suites";

/// Arguments of `emilia perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Conventions differ in how a pass and a finished game are counted:
  A  a pass is a ply, a finished game counts 1 at any depth
  F  a pass is a ply, only positions at full depth count (OEIS A124004)
  B  a pass costs no ply, a finished game counts 1 at any depth

The table of --hash stores positions up to symmetry; without --hash there is no table.

Examples:
  emilia perft 9
  emilia perft 13 --convention F --hash 1024 --threads 2
  emilia perft 6 f5d6c3 --divide
  emilia perft 15 --json --shard 3/100 > part-3.json
  emilia perft --suite perft/*.perft --max-nodes 1000000")]
pub(super) struct Args {
    /// Depth in plies
    #[arg(required_unless_present = "suite")]
    #[arg(value_parser = whole::<u32>(0..=MAX_DEPTH))]
    depth: Option<u32>,

    #[arg(value_name = "POS", help = POSITION)]
    position: Vec<String>,

    /// Convention for passes and finished games: A, F or B
    #[arg(long, value_name = "A|F|B", default_value_t = Convention::A)]
    convention: Convention,

    /// First print the count of each legal move
    #[arg(long)]
    divide: bool,

    /// Count unique positions up to symmetry. A pass costs no ply, a finished game counts 0
    #[arg(long, conflicts_with_all = ["divide", "convention", "shard"])]
    unique: bool,

    /// Transposition table size in MiB [default: no table]
    #[arg(long, value_name = "MIB", value_parser = hash_mib, conflicts_with = "unique")]
    hash: Option<usize>,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    output: ShardedOutput,

    /// Compare the counts with these suites
    #[arg(long, help_heading = SUITES, value_name = "FILE", num_args = 1..)]
    #[arg(conflicts_with_all = ["depth", "convention", "divide", "unique"])]
    suite: Vec<PathBuf>,

    /// Skip the cases of a suite with a larger count
    #[arg(long, help_heading = SUITES, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u64>,
}

/// Counts the leaves at `--depth`, or runs suites.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let perft = Perft {
        convention: args.convention,
        hash_mib: args.hash,
        threads: args.threads.threads_or_one(),
        shard: args.output.shard,
    };
    match args.depth {
        Some(depth) => count(args, &perft, depth, out),
        None => run_suites(args, &perft, out),
    }
}

/// Leaf count of a position. With `--shard`, the count of the shard's part.
#[derive(Serialize)]
struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
    /// Count of each legal move, with `--divide`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<RootCount>,
}

#[derive(Serialize)]
struct RootCount {
    r#move: String,
    nodes: u64,
}

/// Formats `move count` for each move, and `perft DEPTH NODES SECONDS NPS`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for RootCount { r#move, nodes } in &self.moves {
            writeln!(f, "{move} {nodes}")?;
        }
        let (depth, nodes, seconds, nps) = (self.depth, self.nodes, self.seconds, self.nps);
        write!(f, "perft {depth} {nodes} {seconds:.3} {nps}")
    }
}

/// Prints the count, with `--divide` the count of each move first.
fn count(args: &Args, perft: &Perft, depth: u32, out: &mut dyn Write) -> CommandResult {
    let position = position(&args.position)?;
    let bar = interruptible_bar("parts")?;
    let progress = |done, total| bar.update(done, total);
    let start = Instant::now();
    let mut moves = Vec::new();
    if args.divide {
        moves = perft.divide(&position, depth, &progress);
    }
    let nodes = if args.unique {
        perft::unique(&position.board, depth, &progress)
    } else if moves.is_empty() {
        perft.count(&position.board, depth, &progress)
    } else {
        moves.iter().map(|&(_, nodes)| nodes).sum()
    };
    let time = start.elapsed();
    drop(bar);
    let of_move = |(mv, nodes): (Move, u64)| RootCount {
        r#move: mv.to_string(),
        nodes,
    };
    let counted = Count {
        depth,
        nodes,
        seconds: time.as_secs_f64(),
        nps: per_second(nodes, time).round() as u64,
        moves: moves.into_iter().map(of_move).collect(),
    };
    json::write_line("perft", &counted, args.output.json, out)?;
    Ok(Verdict::Yes)
}

/// Case of a suite with its count.
#[derive(Serialize)]
struct CountedCase {
    /// Number among the cases of all shards, from 1.
    case: usize,
    convention: String,
    id: String,
    depth: u32,
    nodes: u64,
    expected: u64,
}

/// Formats the line `ok …` or `FAIL …`.
impl fmt::Display for CountedCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (convention, id) = (printable(&self.convention), printable(&self.id));
        let (depth, nodes, expected) = (self.depth, self.nodes, self.expected);
        if nodes == expected {
            write!(f, "ok {convention} {id}: depth {depth}, {nodes}")
        } else {
            write!(
                f,
                "FAIL {convention} {id}: depth {depth}, expected {expected} got {nodes}"
            )
        }
    }
}

/// Prints a line for each case, and the number of cases that passed.
fn run_suites(args: &Args, perft: &Perft, out: &mut dyn Write) -> CommandResult {
    let mut cases: Vec<Case> = Vec::new();
    for path in &args.suite {
        let read = emilia_files::read_text(path, MAX_SUITE_BYTES);
        let text = read.map_err(|error| refused(format!("suite {error}")))?;
        let suite = perft::parse_suite(&text);
        let wrong = |error| refused(format!("suite '{}', {error}", path.display()));
        cases.extend(suite.map_err(wrong)?);
    }
    cases.retain(|case| args.max_nodes.is_none_or(|most| case.nodes <= most));

    let bar = interruptible_bar("cases")?;
    let (mut passed, mut failed) = (0, 0);
    for (index, case) in cases.iter().enumerate() {
        if !perft.shard.covers(index) {
            continue;
        }
        bar.update(index, cases.len());
        let whole = Perft {
            convention: case.convention,
            shard: Shard::WHOLE,
            ..*perft
        };
        let counted = CountedCase {
            case: index + 1,
            convention: case.convention.to_string(),
            id: case.id.clone(),
            depth: case.depth,
            nodes: whole.count(&case.position.board, case.depth, &|_, _| ()),
            expected: case.nodes,
        };
        bar.suspend(|| json::write_line("perft_case", &counted, args.output.json, out))?;
        let is_right = counted.nodes == counted.expected;
        passed += u32::from(is_right);
        failed += u32::from(!is_right);
    }
    drop(bar);
    let line = format!("perft suite: {passed} passed, {failed} failed");
    write_totals(&line, args.output.json, out)?;
    Ok(Verdict::of(failed == 0))
}
