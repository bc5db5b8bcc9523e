//! `emilia selfplay`: makes training games or labelled positions and appends them block by block. A
//! label is the value of a search. A root is a position of a game, below which labelled positions
//! are sampled. Games and roots are numbered. A block holds several consecutive games, or the
//! positions of several consecutive roots.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::options::{EngineOptions, LimitOptions, named, range, whole};
use super::{CommandResult, Failure, Verdict, per_second};
use emilia_core::search::{Engine, Settings};
use emilia_core::work::Shard;
use emilia_files::FileError;
use emilia_player::options::MAX_DEPTH;
use emilia_train::{Block, BlockReader, Origin, RootSampling, SelfPlay, most_empties};
use emilia_view::ProgressBar;

/// Default depth of the search for a move, in plies.
const DEFAULT_DEPTH: u32 = 4;

/// Default depth in plies of the search of a root. The leaves of this search are sampled as
/// labelled positions.
const DEFAULT_LEAF_DEPTH: u32 = 6;

/// Default number of empties from which games are solved.
const DEFAULT_EXACT: u32 = 14;

/// Default maximum number of empties of positions labelled by solving.
const DEFAULT_POSITION_EXACT: u32 = 16;

/// Default depth of the searches that label positions with too many empties to be solved, in plies.
const DEFAULT_LABEL_DEPTH: u32 = 8;

/// Default hash size of a thread in MiB. It is small, because the table is cleared before each game
/// and each root.
const HASH_MIB: usize = 2;

/// Heading in the help, above the options for labelled positions.
const POSITIONS: &str = "Labelled positions";

/// Arguments of `emilia selfplay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A game is stored with the search value of each move. --roots makes single positions instead, \
distributed as in search trees: from each root, a position of a game, leaves of a search or the \
positions of a noisy continuation. Positions with at most --exact empties are solved, others are \
searched. `emilia train` reads both kinds of data.

The data do not depend on the number of threads. The same command resumes an interrupted run, also \
with more --games or --roots. Files of several shards or runs can be concatenated with cat.

Examples:
  emilia selfplay --out 1.games --games 1000000 --seed 1
  emilia selfplay --out 1.positions --roots 400000 --seed 2
  emilia selfplay --out 2.positions --roots 400000 --seed 3 --empties 17-30 --label-depth 10")]
pub(super) struct Args {
    /// Append the games or positions to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games of the whole run, all shards together
    #[arg(long, value_name = "N", required_unless_present = "roots")]
    #[arg(value_parser = whole::<u64>(1..=MAX_ITEMS))]
    games: Option<u64>,

    /// Make labelled positions instead of games: a label is the value of a search. The positions
    /// are sampled below this many roots, which are positions of games, in the whole run
    #[arg(long, help_heading = POSITIONS, value_name = "N")]
    #[arg(conflicts_with_all = ["games", "nodes"])]
    #[arg(value_parser = whole::<u64>(1..=MAX_ITEMS))]
    roots: Option<u64>,

    /// Number of empties of the positions, uniform in A-B
    #[arg(long, help_heading = POSITIONS, value_name = "A-B")]
    #[arg(default_value = "8-16", conflicts_with = "games", value_parser = up_to_60)]
    empties: (u8, u8),

    /// How to sample positions from roots: leaves of searches, or branches, which are noisy
    /// continuations of games [default: both in turn]
    #[arg(long, help_heading = POSITIONS, value_name = "NAME", conflicts_with = "games")]
    #[arg(value_parser = named([(RootSampling::Leaf, "leaf"), (RootSampling::Branch, "branch")]))]
    source: Option<RootSampling>,

    /// Depth of the search that labels a position with too many empties to be solved
    #[arg(long, help_heading = POSITIONS, value_name = "PLIES")]
    #[arg(default_value_t = DEFAULT_LABEL_DEPTH, conflicts_with = "games")]
    #[arg(value_parser = whole(1..=MAX_DEPTH))]
    label_depth: u32,

    /// Random seed of the run
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Random opening plies, uniform in A-B
    #[arg(long, value_name = "A-B", default_value = "4-40", value_parser = up_to_60)]
    random_plies: (u8, u8),

    /// Make only the K-th of N disjoint parts of the run
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Maximum number of games or roots of a run.
const MAX_ITEMS: u64 = 1_000_000_000;

/// Plays the missing games or labels the missing positions, appends them to the file, and prints
/// totals and speed.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let settings = args.engine.settings_with_hash(HASH_MIB);
    let run = self_play(args, &settings)?;
    (args.engine.paths())
        .append_output("--out", Some(&args.out))
        .check(false)?;
    let mut engines = Engine::several(&settings, args.engine.threads_or_cores().get())?;
    let (mut file, left) = open(args, &run)?;
    let total = run.shard_items();
    let done = total - left.iter().map(|(first, end)| end - first).sum::<u64>();
    let unit = if run.origin.is_positions() {
        "roots"
    } else {
        "games"
    };
    writeln!(out, "random seed {}, {} threads", args.seed, engines.len())?;
    if done > 0 {
        writeln!(out, "resumed: {done} of {total} {unit} are in the file")?;
    }
    out.flush()?;

    let start = Instant::now();
    let bar = ProgressBar::new(unit);
    let finished = AtomicUsize::new(done as usize);
    let on_record = || {
        bar.update(finished.fetch_add(1, Ordering::Relaxed) + 1, total as usize);
    };
    let (mut items, mut positions) = (0, 0);
    let on_block = |block: Block| -> Result<(), Failure> {
        emilia_files::append(&args.out, &mut file, &block.to_bytes())?;
        items += block.item_count;
        positions += block.position_count();
        Ok(())
    };
    run.make(&mut engines, &left, &on_record, on_block)?;
    drop(bar);
    let time = start.elapsed();
    writeln!(
        out,
        "{items} {unit}, {positions} positions, {:.1} s, {:.1} {unit}/s, {:.0} positions/s",
        time.as_secs_f64(),
        per_second(items, time),
        per_second(positions, time)
    )?;
    Ok(Verdict::Yes)
}

/// Parses a range of two numbers up to 60.
pub(super) fn up_to_60(text: &str) -> Result<(u8, u8), String> {
    let number = |text: &str| text.parse().ok().filter(|&number| number <= 60);
    let range = range(text, number).map(|[fewest, most]| (fewest, most));
    range.ok_or_else(|| "expected two numbers up to 60, like 8-55".to_owned())
}

/// Creates the run from the arguments.
///
/// # Errors
/// If `--time` is given. With `--roots`, also if `--empties` includes 0, or more empties than the
/// leaves of searches of `--depth` plies can have.
fn self_play(args: &Args, settings: &Settings) -> Result<SelfPlay, Failure> {
    let limits = args.limits.limits();
    if limits.time.is_some() {
        bail!("--time: training data must be reproducible, so limit it by --depth or --nodes");
    }
    let mut origin = Origin {
        seed: args.seed,
        engine: settings.evaluator.fingerprint()
            ^ settings.hash_mib as u64
            ^ u64::from(settings.selectivity.percent()) << 32,
        random_plies: args.random_plies,
        ..Origin::default()
    };
    if args.roots.is_some() {
        let depth = limits.depth.unwrap_or(DEFAULT_LEAF_DEPTH);
        let (fewest, most) = args.empties;
        let highest = most_empties(depth);
        if fewest == 0 || u32::from(most) > highest {
            bail!(
                "--empties: with searches of depth {depth}, expected numbers from 1 to {highest}"
            );
        }
        (origin.depth, origin.empties) = (depth as u8, args.empties);
        origin.exact = limits.solve_from_empties.unwrap_or(DEFAULT_POSITION_EXACT) as u8;
        (origin.sampling, origin.label_depth) = (args.source, args.label_depth as u8);
    } else {
        let unlimited = limits.nodes.map_or(DEFAULT_DEPTH, |_| 0);
        origin.depth = limits.depth.unwrap_or(unlimited) as u8;
        origin.exact = limits.solve_from_empties.unwrap_or(DEFAULT_EXACT) as u8;
        origin.nodes = limits.nodes.unwrap_or(0);
    }
    Ok(SelfPlay {
        origin,
        item_count: args.games.or(args.roots).unwrap_or(0),
        shard: args.shard,
    })
}

/// Opens the output file, and returns it with the blocks that it lacks, as half-open ranges of game
/// or root numbers. Removes an incomplete last block.
///
/// # Errors
/// If a block is damaged or belongs to another run.
fn open(args: &Args, run: &SelfPlay) -> Result<(File, Vec<(u64, u64)>), Failure> {
    let refused = |why: String| FileError::refused(&args.out, why);
    let mut file = emilia_files::open_to_append(&args.out)?;
    let mut reader = BlockReader::new(BufReader::new(&file));
    let mut done = Vec::new();
    loop {
        match reader.read() {
            Ok(None) => break,
            Ok(Some(block)) if block.origin == run.origin => {
                done.push((block.first, block.item_count));
            }
            Ok(Some(_)) => return Err(refused(OTHER_RUN.to_owned()).into()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => {
                let (number, at) = (done.len() + 1, reader.offset());
                return Err(refused(format!("block {number}, at byte {at}: {error}")).into());
            }
        }
    }
    let whole = reader.offset();
    let left = run
        .remaining_blocks(done)
        .ok_or_else(|| refused(OTHER_RUN.to_owned()))?;
    file.set_len(whole)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(|error| FileError::new(&args.out, error))?;
    Ok((file, left))
}

/// Error message for a file that holds blocks of another run.
const OTHER_RUN: &str =
    "it holds blocks of another run; give the same options again, or another file";
