//! `emilia perft`: counts the leaves of the game tree, and runs suites of expected counts.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::inputs::{POSITION, position};
use super::options::{ThreadsOption, whole};
use super::{CommandResult, Verdict, interruptible_bar, per_second, refused};
use emilia_core::board::perft::{self, Case, Convention, MAX_DEPTH, Perft};
use emilia_core::board::printable;
use emilia_core::work::Shard;
use emilia_files::MIB;

/// Maximum size of a suite in bytes.
const MAX_SUITE_BYTES: u64 = 64 * MIB;

/// Depth in plies up to which the count from the start is less than 2⁶⁴: about 4·10¹⁸ at depth 21.
const MAX_COUNTED: u32 = 21;

/// Heading in the help, above the options for suites.
const SUITES: &str = "Suites";

/// Arguments of `emilia perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Conventions differ in how a pass and a finished game are counted:
  A  a pass is a ply, a finished game counts 1 at any depth
  F  a pass is a ply, only positions at full depth count (OEIS A124004)
  B  a pass costs no ply, a finished game counts 1 at any depth

Examples:
  emilia perft 9
  emilia perft 13 --convention F --threads 2
  emilia perft 6 f5d6c3 --divide
  emilia perft 15 --shard 3/100 > part-3
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

    #[command(flatten)]
    threads: ThreadsOption,

    /// Count only the K-th of N disjoint parts
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

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
        threads: args.threads.threads_or_one(),
        shard: args.shard,
    };
    match args.depth {
        Some(depth) => count(args, &perft, depth, out),
        None => run_suites(args, &perft, out),
    }
}

/// Prints the number of leaves. With `--divide`, first prints the number for each move.
fn count(args: &Args, perft: &Perft, depth: u32, out: &mut dyn Write) -> CommandResult {
    let position = position(&args.position)?;
    if depth.min(position.board.empty_count()) > MAX_COUNTED {
        bail!(
            "perft {depth}: such counts are beyond 64 bits; expected a depth of 0 to {MAX_COUNTED}"
        );
    }
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
    for (mv, nodes) in moves {
        writeln!(out, "{mv} {nodes}")?;
    }
    let (seconds, nps) = (time.as_secs_f64(), per_second(nodes, time));
    writeln!(out, "perft {depth} {nodes} {seconds:.3} {nps:.0}")?;
    Ok(Verdict::Yes)
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
        let (depth, expected) = (case.depth, case.nodes);
        let nodes = whole.count(&case.position.board, depth, &|_, _| ());
        let what = format!("{} {}: depth {depth}", case.convention, printable(&case.id));
        let line = if nodes == expected {
            passed += 1;
            format!("ok {what}, {nodes}")
        } else {
            failed += 1;
            format!("FAIL {what}, expected {expected} got {nodes}")
        };
        bar.suspend(|| writeln!(out, "{line}"))?;
    }
    drop(bar);
    writeln!(out, "perft suite: {passed} passed, {failed} failed")?;
    Ok(Verdict::of(failed == 0))
}
