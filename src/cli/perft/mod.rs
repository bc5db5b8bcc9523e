//! `emilia perft`: counts the leaves of the game tree, and runs suites of expected counts.

mod report;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::inputs::{POSITION, position};
use super::options::{GlobalOptions, ShardedOutput};
use super::{CommandResult, Failure, Verdict, build_target, refused};
use emilia_core::board::perft::{self, Case, Convention, Counting, MAX_DEPTH, Perft};
use emilia_core::work::Shard;
use emilia_files::MIB;
use emilia_review::json;
use emilia_view::ProgressBar;
use report::{Count, CountedCase, write_totals};

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
    #[arg(
        required_unless_present = "suite",
        value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)),
    )]
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
    #[arg(long, conflicts_with_all = ["divide", "convention", "plain", "shard"])]
    unique: bool,

    /// Disable bulk counting: play every leaf instead of counting the legal moves at the last ply
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    output: ShardedOutput,

    /// Compare the counts with those of these suites
    #[arg(long, help_heading = SUITES, value_name = "FILE")]
    #[arg(num_args = 1..)]
    #[arg(conflicts_with_all = ["depth", "convention", "divide", "unique"])]
    suite: Vec<PathBuf>,

    /// Skip the cases of a suite with a larger count
    #[arg(long, help_heading = SUITES, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u64>,
}

/// Counts the leaves at `--depth`, or runs suites.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    build_target::say_if_slow();
    let perft = Perft {
        convention: args.convention,
        counting: counting(args, global)?,
        threads: global.threads_or_one(),
        shard: args.output.part(),
    };
    match args.depth {
        Some(depth) => count(args, &perft, depth, out),
        None => run_suites(args, &perft, out),
    }
}

/// Returns how leaves are counted, by `--plain` and `--hash`.
fn counting(args: &Args, global: &GlobalOptions) -> Result<Counting, Failure> {
    match (args.plain, args.unique, global.hash) {
        (true, _, Some(_)) => Err(refused("--plain and --hash exclude each other")),
        (_, true, Some(_)) => Err(refused("--unique and --hash exclude each other")),
        (true, _, None) => Ok(Counting::Plain),
        (false, _, Some(mib)) => Ok(Counting::Hashed(mib)),
        (false, _, None) => Ok(Counting::Bulk),
    }
}

/// Prints the count, with `--divide` the count of each move first.
fn count(args: &Args, perft: &Perft, depth: u32, out: &mut dyn Write) -> CommandResult {
    let position = position(&args.position)?;
    let bar = ProgressBar::new("parts");
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
    let counted = Count::new(depth, nodes, time, &moves);
    json::write_line("perft", &counted, args.output.json, out)?;
    Ok(Verdict::Yes)
}

/// Prints a line for each case, and the number of cases that passed.
fn run_suites(args: &Args, perft: &Perft, out: &mut dyn Write) -> CommandResult {
    let mut cases = Vec::new();
    for path in &args.suite {
        cases.extend(read_suite(path)?);
    }
    cases.retain(|case| args.max_nodes.is_none_or(|most| case.nodes <= most));

    // On a terminal the lines show the progress, and a bar would break them.
    let bar = (!io::stdout().is_terminal()).then(|| ProgressBar::new("cases"));
    let mut counted = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        if !perft.shard.covers(index) {
            continue;
        }
        if let Some(bar) = &bar {
            bar.update(index, cases.len());
        }
        let whole = Perft {
            convention: case.convention,
            shard: Shard::WHOLE,
            ..*perft
        };
        let nodes = whole.count(&case.position.board, case.depth, &|_, _| ());
        let case = CountedCase::new(index + 1, case, nodes);
        json::write_line("perft_case", &case, args.output.json, out)?;
        counted.push(case);
    }
    drop(bar);
    Ok(write_totals(&counted, args.output.json, out)?)
}

fn read_suite(path: &Path) -> Result<Vec<Case>, Failure> {
    let text = emilia_files::read_text(path, MAX_SUITE_BYTES)
        .map_err(|error| refused(format!("suite {error}")))?;
    perft::parse_suite(&text)
        .map_err(|error| refused(format!("suite '{}', {error}", path.display())))
}
