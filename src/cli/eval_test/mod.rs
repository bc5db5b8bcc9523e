//! `emilia eval-test`: measures the errors of searches on positions with exact or labelled scores.

mod errors;
mod found;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::mark::{self, JobSum};
use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict, json, on_interrupt, print_to_stderr};
use crate::board::{Color, Labelled, LabelledError, LabelledReader, Move, Position};
use crate::eval::Value;
use crate::files::{self, checksum};
use crate::search::{Engine, Limits, Line, OutOfMemory, Report, Settings};
use crate::train::{BlockReader, LabelledPosition, Records};
use crate::view::ProgressBar;
use crate::work::{self, Shard, Stop};
use errors::Errors;
pub(super) use found::{Found, KIND};

/// Default search depth in plies.
pub(super) const DEFAULT_DEPTH: u32 = 8;

/// Default hash size of a thread in MiB. The table is cleared for each position, which takes time.
pub(super) const DEFAULT_HASH_MIB: usize = 8;

/// Maximum size of the input file in bytes.
const MOST_BYTES: u64 = 256 * files::MIB;

/// Arguments of `emilia eval-test`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
FILE has one position on each line: OBF with the scores of moves, or a table with tabs whose
header names the columns board, side, best, and optionally move_scores (F1:+18 A6:+8). Or it holds
labelled positions of `emilia selfplay --roots`: if a label is not exact, the error is the
difference from the search that made it. Best moves and discs lost are counted for positions with
scores of moves.

The table is cleared for each position, so the results depend neither on the order nor on
--threads. --depth 0 is the static evaluation.

{}

Kind 'errors': seconds, and sums by depth and selectivity (depths; no depth if solved) and, at the
end of the search, by number of empties (empties): positions, exact (labels), signed, absolute and
squared errors in 1/32 disc, moves found, best (moves found that are best), scored (moves found
with a score), lost (by these, in 1/32 disc), nodes. {}

Examples:
  emilia eval-test positions.tsv --depth 0
  emilia eval-test tests/data/leaves.positions --depth 0
  emilia eval-test positions.obf --time 0.1 --json --shard 2/8 > part-2.json",
    json::ABOUT, mark::ABOUT))]
pub(super) struct Args {
    /// File of positions with scores
    file: PathBuf,

    #[command(flatten)]
    limits: LimitOptions,

    /// Print the sums of the errors as a JSON object
    #[arg(long)]
    json: bool,

    /// Search only the K-th of N disjoint parts of the positions
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
}

/// Searches each position and prints the errors at each depth, then the fixed last line.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let limits = limits(&args.limits);
    let mut sum = JobSum::new(KIND);
    sum.add(&format_args!("{limits:?}"));
    sum.add_engine(global, DEFAULT_HASH_MIB);
    let (positions, bad) = read(args, &mut sum)?;
    let judge = Judge {
        settings: global.settings_with_hash(DEFAULT_HASH_MIB),
        limits,
        interrupt: Stop::default(),
    };
    let interrupt = judge.interrupt.clone();
    on_interrupt(move || interrupt.set())?;
    let start = Instant::now();
    let mut found = judge.judge_all(&positions, global.threads_or_cores().get())?;
    found.time = start.elapsed();
    found.write(args.json, out)?;
    if judge.interrupt.is_set() {
        print_to_stderr(&format_args!(
            "emilia: interrupted: {} of {} positions are counted",
            found.result().positions,
            positions.len()
        ));
        return Ok(Verdict::Interrupted);
    }
    if let Some(shard) = args.shard.filter(|_| args.json) {
        sum.write_mark(shard, bad, out)?;
    }
    if bad > 0 {
        out.flush()?;
        let name = args.file.display();
        let lines = if bad == 1 { "line" } else { "lines" };
        return Err(Failure::Input(format!(
            "'{name}': {bad} bad {lines} left out"
        )));
    }
    Ok(Verdict::Yes)
}

fn limits(options: &LimitOptions) -> Limits {
    let limits = options.limits();
    if limits == Limits::default() {
        Limits::depth(DEFAULT_DEPTH)
    } else {
        limits
    }
}

/// Position with its score.
#[derive(Debug)]
struct Known {
    position: Position,
    /// Score of best play, or the value of the search that labelled the position.
    label: Value,
    /// Whether the label is exact.
    is_exact: bool,
    /// Exact values of moves. May be empty.
    moves: Vec<(Move, Value)>,
}

/// Reads the positions of this shard and the number of bad lines, which are reported on stderr.
fn read(args: &Args, sum: &mut JobSum) -> Result<(Vec<Known>, usize), Failure> {
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let name = args.file.display();
    let bytes = files::read(&args.file, MOST_BYTES)?;
    sum.add(&checksum(&bytes));
    if BlockReader::<&[u8]>::recognizes(&bytes) {
        return Ok((read_blocks(args, shard, &bytes)?, 0));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::Input(format!(
            "'{name}': neither text nor labelled positions of `emilia selfplay --roots`"
        ))
    })?;
    let mut reader = LabelledReader::default();
    let lines: Vec<(usize, Result<Labelled, LabelledError>)> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, reader.read(line).transpose()?)))
        .collect();
    if lines.is_empty() {
        return Err(Failure::Input(format!(
            "'{name}': no positions \
             (expected OBF lines, or a table with the columns board, side and best)"
        )));
    }
    let (mut positions, mut bad) = (Vec::new(), 0);
    for (index, (number, line)) in lines.into_iter().enumerate() {
        if !shard.covers(index) {
            continue;
        }
        match line.map_err(|error| error.to_string()).and_then(known) {
            Ok(known) => positions.push(known),
            Err(problem) => {
                bad += 1;
                print_to_stderr(&format_args!("emilia: '{name}', line {number}: {problem}"));
            }
        }
    }
    Ok((positions, bad))
}

/// Reads the labelled positions of this shard from a file of training blocks.
fn read_blocks(args: &Args, shard: Shard, bytes: &[u8]) -> Result<Vec<Known>, Failure> {
    let refused = |why: String| Failure::from(files::FileError::refused(&args.file, why));
    let mut reader = BlockReader::new(bytes);
    let mut all = Vec::new();
    while let Some(block) = reader.next() {
        match block.map(|block| block.records) {
            Ok(Records::Positions(positions)) => all.extend(positions),
            Ok(Records::Games(_)) => {
                return Err(refused(
                    "it holds games; expected labelled positions of `emilia selfplay --roots`"
                        .to_owned(),
                ));
            }
            Err(error) => {
                return Err(refused(format!("at byte {}: {error}", reader.offset())));
            }
        }
    }
    let known = |one: LabelledPosition| Known {
        position: Position {
            board: one.board,
            mover: Color::Black,
        },
        label: one.label.value,
        is_exact: one.label.is_exact,
        moves: Vec::new(),
    };
    Ok(all
        .into_iter()
        .enumerate()
        .filter(|&(index, _)| shard.covers(index))
        .map(|(_, one)| known(one))
        .collect())
}

fn known(labelled: Labelled) -> Result<Known, String> {
    let best = labelled
        .best
        .ok_or("no score (expected one in the column best, or scores of moves)")?;
    Ok(Known {
        position: labelled.position,
        label: Value::from_score(best),
        is_exact: true,
        moves: labelled
            .moves
            .into_iter()
            .map(|(mv, score)| (mv, Value::from_score(score)))
            .collect(),
    })
}

/// Settings of the searches.
struct Judge {
    settings: Settings,
    limits: Limits,
    interrupt: Stop,
}

impl Judge {
    /// Searches all positions, one on each thread at a time.
    fn judge_all(&self, positions: &[Known], threads: usize) -> Result<Found, OutOfMemory> {
        let bar = ProgressBar::new("positions");
        let engines = Engine::several(&self.settings, threads.min(positions.len()))?;
        let mut workers: Vec<(Engine, Found)> = engines
            .into_iter()
            .map(|engine| (engine, Found::default()))
            .collect();
        for (engine, _) in &mut workers {
            engine.set_interrupt(self.interrupt.clone());
        }
        let done = |count| bar.update(count, positions.len());
        work::map(
            "search",
            &mut workers,
            positions,
            &done,
            |(engine, found), known| {
                self.judge(known, engine, found);
                (!self.interrupt.is_set()).then_some(())
            },
        );
        let mut found = Found::default();
        for (_, part) in workers {
            found.merge(part);
        }
        Ok(found)
    }

    fn judge(&self, known: &Known, engine: &mut Engine, found: &mut Found) {
        /// Keeps the last line of each iteration.
        struct Iterations(Vec<Line>);
        impl Report for Iterations {
            fn progress(&mut self, _: usize, line: &Line) {
                self.0.pop_if(|last| last.depth == line.depth);
                self.0.push(line.clone());
            }
        }

        let board = &known.position.board;
        if self.limits.depth == Some(0) {
            let value = if board.is_over() {
                Value::from_score(board.final_score())
            } else {
                self.settings.evaluator.evaluate(board)
            };
            found.add_result(known, Errors::of(known, value, None, 1));
            return;
        }
        let mut iterations = Iterations(Vec::new());
        engine.clear();
        // `multi_pv` searches a forced move too, because its value is needed.
        let lines = engine.multi_pv(board, 1, &self.limits, &mut iterations);
        if self.interrupt.is_set() {
            // Interrupted searches are not counted.
            return;
        }
        for line in &iterations.0 {
            *found.iterations.entry(line.depth).or_default() +=
                Errors::of(known, line.value, line.best_move(), line.nodes);
        }
        for line in &lines {
            let errors = Errors::of(known, line.value, line.best_move(), line.nodes);
            found.add_result(known, errors);
        }
    }
}
