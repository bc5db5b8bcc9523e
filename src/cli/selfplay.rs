//! `emilia selfplay`: training games of the engine against itself, into a file that grows block by block.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict, per_second};
use crate::train::{BadGames, Block, Origin, SelfPlay, Shard, Tally};
use crate::view::ProgressBar;

/// Plies of search where no limit is given.
const DEFAULT_DEPTH: u32 = 6;

/// Solved from so many empty squares on where nothing is said.
const DEFAULT_EXACT: u32 = 14;

/// Transposition table of a game where none is asked for, in MiB: it is emptied before each game.
const HASH_MIB: u32 = 2;

/// What `emilia selfplay` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The games depend on the seed, the random plies, the limits in depth, nodes and empty squares, the table size, the
evaluation and the selectivity, not on the number of threads. A run that was ended goes on where it stopped when the same
command is given again. The files of several parts may be put one behind the other with cat.

Example:
  emilia selfplay --out games.bin --games 100000 --seed 1 --depth 6 --exact 14")]
pub(super) struct Args {
    /// Where the games go, 64 bytes each
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games of the whole run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,

    /// What all drawing of lots begins with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many moves at the start of a game are drawn by lot: each of these numbers as often as the others
    #[arg(long, value_name = "FROM-TO", default_value = "8-55", value_parser = plies)]
    random_plies: (u8, u8),

    /// Only the K-th of N parts of the run
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    #[command(flatten)]
    limits: LimitOptions,
}

/// Plays the games and prints how many, and how fast.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let run = self_play(args, global)?;
    let (mut file, done) = open(args, &run)?;
    let total = run.len() as usize;
    writeln!(
        out,
        "seed {}, depth {}, solved from {} empty squares, {} threads",
        args.seed, run.origin.depth, run.origin.exact, run.threads
    )?;
    if done.games > 0 {
        writeln!(out, "{} games are there already", done.games)?;
    }
    out.flush()?;

    let start = Instant::now();
    let bar = ProgressBar::new();
    let finished = AtomicUsize::new(done.games as usize);
    let played = || bar.update(finished.fetch_add(1, Ordering::Relaxed) + 1, total);
    let mut tally = Tally::default();
    run.play(done.blocks, &played, |block| -> Result<(), Failure> {
        file.write_all(&block.to_bytes())?;
        tally.add(&block);
        Ok(())
    })?;
    drop(bar);
    let time = start.elapsed();
    writeln!(
        out,
        "{} games, {} positions, {:.1} s, {:.1} games/s, {:.0} positions/s",
        tally.games,
        tally.positions,
        time.as_secs_f64(),
        per_second(tally.games, time),
        per_second(tally.positions, time)
    )?;
    Ok(Verdict::Yes)
}

/// `8-55`, from fewest to most.
fn plies(text: &str) -> Result<(u8, u8), String> {
    let range = text.split_once('-').and_then(|(fewest, most)| {
        let (fewest, most) = (fewest.parse().ok()?, most.parse().ok()?);
        (fewest <= most && most <= 60).then_some((fewest, most))
    });
    range.ok_or_else(|| "expected two numbers up to 60, like 8-55".to_owned())
}

/// The run that the command line asks for.
fn self_play(args: &Args, global: &GlobalOptions) -> Result<SelfPlay, Failure> {
    if args.limits.time.is_some() {
        return Err(Failure::Input(
            "training games are limited by --depth or --nodes, not by --time: they must come out the same again"
                .to_owned(),
        ));
    }
    let mut limits = args.limits.limits();
    if limits.nodes.is_none() {
        limits.depth = limits.depth.or(Some(DEFAULT_DEPTH));
    }
    let exact = *limits.exact.get_or_insert(DEFAULT_EXACT);
    let settings = global.settings_with_hash(HASH_MIB);
    Ok(SelfPlay {
        origin: Origin {
            seed: args.seed,
            player: settings.evaluator.fingerprint()
                ^ settings.hash_mib as u64
                ^ u64::from(settings.selectivity.percent()) << 32,
            depth: limits.depth.unwrap_or(0) as u8,
            exact: exact as u8,
            nodes: limits.nodes.unwrap_or(0),
            random_plies: args.random_plies,
        },
        settings,
        limits,
        games: args.games,
        shard: args.shard,
        threads: global.threads_or_cores(),
    })
}

/// What a file holds already.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    blocks: usize,
    games: u64,
}

/// Opens the file for the blocks to come, behind those that it has. A last block that is not whole is cut off.
fn open(args: &Args, run: &SelfPlay) -> Result<(File, Done), Failure> {
    let name = args.out.display();
    let wrong = |what: String| Failure::Input(format!("games '{name}': {what}"));
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&args.out)
        .map_err(|error| wrong(error.to_string()))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (mut done, mut at) = (Done::default(), 0);
    let mut expected = run.blocks();
    while at < bytes.len() {
        let (block, size) = match Block::from_bytes(&bytes[at..]) {
            Ok(whole) => whole,
            Err(BadGames::Truncated) => break,
            Err(error) => return Err(wrong(format!("at byte {at}: {error}"))),
        };
        let games = block.games.len() as u64;
        if block.origin != run.origin || expected.next() != Some((block.first, block.first + games))
        {
            return Err(wrong(
                "it holds games of another run; give the same options again, or another file"
                    .to_owned(),
            ));
        }
        done.blocks += 1;
        done.games += games;
        at += size;
    }
    file.set_len(at as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok((file, done))
}
