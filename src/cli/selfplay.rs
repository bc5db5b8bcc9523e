//! `emilia selfplay`: makes training data, into a file that grows block by block.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict, on_interrupt, per_second};
use crate::files;
use crate::search::{Engine, Settings, Stop};
use crate::train::{
    BadBlock, BlockReader, Origin, Product, RootSampling, Roots, RunTotals, SelfPlay, Shard,
};
use crate::view::ProgressBar;

/// Plies of search a move where no limit is given.
const DEFAULT_DEPTH: u32 = 4;

/// Plies of the searches whose leaves are kept where no depth is given.
const DEFAULT_LEAF_DEPTH: u32 = 6;

/// Games are solved from so many empty squares on where nothing is said.
const DEFAULT_EXACT: u32 = 14;

/// Transposition table where no size is given, in MiB: it is emptied before each game.
const HASH_MIB: u32 = 2;

/// What `emilia selfplay` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each game keeps its moves, the value of the search that chose each, and whether that was exact. With --roots single
positions are made instead, as searches meet them, each solved: from one root the leaves of a search (16 of them), from
the next a noisy continuation (half of its moves are random). `emilia train` takes both kinds.

What is made depends on the random seed, the random opening plies, the limits, the table size, the evaluation and the
selectivity, not on the number of threads. A run that was ended resumes when the same command is given again, and --games
or --roots may be raised then. The files of several shards or runs may be put one behind the other with cat.

Examples:
  emilia selfplay --out 1.games --games 1000000 --seed 1
  emilia selfplay --out 1.positions --roots 400000 --seed 2")]
pub(super) struct Args {
    /// File the games or positions are appended to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games of the whole run
    #[arg(long, value_name = "N", required_unless_present = "roots", value_parser = clap::value_parser!(u64).range(1..=MOST))]
    games: Option<u64>,

    /// Make solved positions instead of games, from so many roots in the whole run
    #[arg(long, value_name = "N", conflicts_with_all = ["games", "nodes", "exact"], value_parser = clap::value_parser!(u64).range(1..=MOST))]
    roots: Option<u64>,

    /// Empty squares of the solved positions, uniform in A-B
    #[arg(long, value_name = "A-B", default_value = "8-16", conflicts_with = "games", value_parser = range)]
    empties: (u8, u8),

    /// RootSampling of the solved positions [default: both in turns]
    #[arg(long, value_enum, conflicts_with = "games")]
    source: Option<SourceName>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Random opening plies, uniform in A-B
    #[arg(long, value_name = "A-B", default_value = "4-40", value_parser = range)]
    random_plies: (u8, u8),

    /// Only the K-th of N disjoint parts of the run
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    #[command(flatten)]
    limits: LimitOptions,
}

/// Where solved positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SourceName {
    /// Leaves of searches
    Leaf,
    /// Noisy continuations of games
    Branch,
}

/// Most games or roots of a run.
const MOST: u64 = 1_000_000_000;

/// Makes the games or positions and prints how many, and how fast.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let settings = global.settings_with_hash(HASH_MIB);
    let run = self_play(args, &settings)?;
    let mut engines = Engine::several(&settings, global.threads_or_cores().get())?;
    let (mut file, left) = open(args, &run)?;
    let (unit, total) = (args.unit(), run.len());
    let done = total - left.iter().map(|(first, end)| end - first).sum::<u64>();
    writeln!(
        out,
        "random seed {}, depth {}, {}, {} threads",
        args.seed,
        run.origin.depth,
        match run.product {
            Product::Games(_) => format!("solved from {} empty squares", run.origin.exact),
            Product::Positions(_) => format!("{}-{} empty squares", args.empties.0, args.empties.1),
        },
        engines.len()
    )?;
    if done > 0 {
        writeln!(out, "resumed: {done} of {total} {unit} are in the file")?;
    }
    out.flush()?;

    let stop = run.stop.clone();
    on_interrupt(move || stop.set())?;
    let start = Instant::now();
    let bar = ProgressBar::new(unit);
    let finished = AtomicUsize::new(done as usize);
    let one_done = || {
        bar.update(finished.fetch_add(1, Ordering::Relaxed) + 1, total as usize);
    };
    let mut made = RunTotals::default();
    run.make(
        &mut engines,
        &left,
        &one_done,
        |block| -> Result<(), Failure> {
            file.write_all(&block.to_bytes())
                .map_err(|error| files::FileError::new(&args.out, error))?;
            made.add(&block);
            Ok(())
        },
    )?;
    drop(bar);
    let time = start.elapsed();
    writeln!(
        out,
        "{} {unit}, {} positions, {:.1} s, {:.1} {unit}/s, {:.0} positions/s",
        made.span,
        made.positions,
        time.as_secs_f64(),
        per_second(made.span, time),
        per_second(made.positions, time)
    )?;
    if done + made.span < total {
        writeln!(
            out,
            "interrupted: {} of {total} {unit} are in the file; the same command resumes",
            done + made.span
        )?;
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Yes)
}

impl Args {
    /// What is counted.
    fn unit(&self) -> &'static str {
        if self.roots.is_some() {
            "roots"
        } else {
            "games"
        }
    }
}

/// `8-55`, from fewest to most.
fn range(text: &str) -> Result<(u8, u8), String> {
    let range = text.split_once('-').and_then(|(fewest, most)| {
        let (fewest, most) = (fewest.parse().ok()?, most.parse().ok()?);
        (fewest <= most && most <= 60).then_some((fewest, most))
    });
    range.ok_or_else(|| "expected two numbers up to 60, like 8-55".to_owned())
}

/// The run that the command line asks for.
fn self_play(args: &Args, settings: &Settings) -> Result<SelfPlay, Failure> {
    if args.limits.time.is_some() {
        return Err(Failure::Input(
            "training data is limited by --depth or --nodes, not by --time: it must come out the same again"
                .to_owned(),
        ));
    }
    let mut origin = Origin {
        seed: args.seed,
        engine: settings.evaluator.fingerprint()
            ^ settings.hash_mib as u64
            ^ u64::from(settings.selectivity.percent()) << 32,
        random_plies: args.random_plies,
        ..Origin::default()
    };
    let product = if args.roots.is_some() {
        let depth = args.limits.depth.unwrap_or(DEFAULT_LEAF_DEPTH);
        let (fewest, most) = args.empties;
        if fewest == 0 || u32::from(most) > Roots::most_empties(depth) {
            return Err(Failure::Input(format!(
                "--empties: with searches of depth {depth}, expected numbers from 1 to {}",
                Roots::most_empties(depth)
            )));
        }
        (origin.depth, origin.empties) = (depth as u8, args.empties);
        origin.sampling = args.source.map(|source| match source {
            SourceName::Leaf => RootSampling::Leaf,
            SourceName::Branch => RootSampling::Branch,
        });
        Product::Positions(Roots {
            empties: (fewest.into(), most.into()),
            depth,
            sampling: origin.sampling,
        })
    } else {
        let mut limits = args.limits.limits();
        if limits.nodes.is_none() {
            limits.depth = limits.depth.or(Some(DEFAULT_DEPTH));
        }
        let exact = *limits.exact.get_or_insert(DEFAULT_EXACT);
        (origin.depth, origin.exact) = (limits.depth.unwrap_or(0) as u8, exact as u8);
        origin.nodes = limits.nodes.unwrap_or(0);
        Product::Games(limits)
    };
    Ok(SelfPlay {
        product,
        origin,
        span: args.games.or(args.roots).unwrap_or(0),
        shard: args.shard,
        stop: Stop::default(),
    })
}

/// Opens the file for the blocks to come, behind those that it has, and tells what is left to make. A last block that is
/// cut off is removed; a damaged one is left for the user to see.
fn open(args: &Args, run: &SelfPlay) -> Result<(File, Vec<(u64, u64)>), Failure> {
    let refused = |why: String| files::FileError::refused(&args.out, why);
    let mut file = files::open_to_append(&args.out)?;
    let mut reader = BlockReader::new(BufReader::new(&file));
    let mut done = Vec::new();
    while let Some(block) = reader.next() {
        match block {
            Ok(block) if block.origin == run.origin => done.push((block.first, block.span)),
            Err(BadBlock::Truncated) => break,
            Err(error) => {
                let (number, at) = (done.len() + 1, reader.offset());
                return Err(refused(format!("block {number}, at byte {at}: {error}")).into());
            }
            Ok(_) => return Err(refused(OTHER_RUN.to_owned()).into()),
        }
    }
    let whole = reader.offset();
    let left = run
        .left_after(done)
        .ok_or_else(|| refused(OTHER_RUN.to_owned()))?;
    file.set_len(whole)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(|error| files::FileError::new(&args.out, error))?;
    Ok((file, left))
}

const OTHER_RUN: &str =
    "it holds blocks of another run; give the same options again, or another file";
