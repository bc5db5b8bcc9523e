//! `emilia eval-test`: how far searches are from known scores.

mod errors;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict, on_interrupt};
use crate::arena::Interrupt;
use crate::board::{Labelled, LabelledError, LabelledReader, Move, Position, Score};
use crate::eval::Value;
use crate::search::{Depth, Engine, Limits, Line, Report, Settings};
use crate::train::Shard;
use crate::view::{Align, ProgressBar, Table};
use errors::{Errors, figure};

/// How deep to search where no limit is given, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The table of a thread where no size is given, in MiB: it is emptied for each position, which takes time.
const DEFAULT_HASH_MIB: u32 = 8;

/// What `emilia eval-test` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE has a position a line: OBF with the scores of moves, or a table whose first line names its columns, with tabs
between them: board, side, best, and optionally move_scores (F1:+18 A6:+8). Best moves and discs lost are counted where
the scores of moves are known.

Each position is searched with a table of its own, so neither their order nor --threads changes what is found.
--depth 0 is the evaluation without search. Without limits the depth is 8.

Examples:
  emilia eval-test positions.tsv --depth 0
  emilia eval-test positions.obf --time 0.1 --shard 2/8")]
pub(super) struct Args {
    /// Positions with known scores
    file: PathBuf,

    #[command(flatten)]
    limits: LimitOptions,

    /// Only the K-th of N parts of the positions
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
}

/// Searches each position and prints the errors at each depth, then `eval-test: N positions, MAE …`.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let (positions, bad) = read(args)?;
    let judge = Judge {
        settings: global.settings_with_hash(DEFAULT_HASH_MIB),
        limits: limits(&args.limits),
        interrupt: Interrupt::default(),
    };
    let interrupt = judge.interrupt.clone();
    on_interrupt(move || interrupt.set())?;
    let start = Instant::now();
    let found = judge.judge_all(&positions, global.threads_or_cores().get());
    print(&found, start.elapsed(), out)?;
    if judge.interrupt.is_set() {
        eprintln!(
            "emilia: interrupted: {} of {} positions are counted",
            found.result.positions,
            positions.len()
        );
        return Ok(Verdict::Interrupted);
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

/// A position and the final scores that are known of it.
#[derive(Debug)]
struct Known {
    position: Position,
    /// The score of best play.
    best: Score,
    /// The scores of moves. May be empty.
    moves: Vec<(Move, Score)>,
}

/// The positions of this part of the file, and the number of bad lines in it, each of which is told on stderr.
fn read(args: &Args) -> Result<(Vec<Known>, usize), Failure> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Failure::Input(format!("'{name}': {error}")))?;
    let mut reader = LabelledReader::default();
    let lines: Vec<(usize, Result<Labelled, LabelledError>)> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, reader.read(line).transpose()?)))
        .collect();
    if lines.is_empty() {
        return Err(Failure::Input(format!(
            "'{name}': no positions (expected OBF lines, or a table with the columns board, side and best)"
        )));
    }
    let (mut positions, mut bad) = (Vec::new(), 0);
    for (index, (number, line)) in lines.into_iter().enumerate() {
        if !args.shard.covers(index) {
            continue;
        }
        match line.map_err(|error| error.to_string()).and_then(known) {
            Ok(known) => positions.push(known),
            Err(problem) => {
                bad += 1;
                eprintln!("emilia: '{name}', line {number}: {problem}");
            }
        }
    }
    Ok((positions, bad))
}

fn known(labelled: Labelled) -> Result<Known, String> {
    let best = labelled
        .best
        .ok_or("no known score (expected one in the column best, or scores of moves)")?;
    Ok(Known {
        position: labelled.position,
        best,
        moves: labelled.moves,
    })
}

/// What all positions together give.
#[derive(Debug, Default)]
struct Found {
    /// After each iteration, the shallowest first, for the positions that completed it.
    iterations: BTreeMap<Depth, Errors>,
    /// At the end.
    result: Errors,
}

impl Found {
    fn merge(&mut self, other: Found) {
        for (iteration, errors) in other.iterations {
            *self.iterations.entry(iteration).or_default() += errors;
        }
        self.result += other.result;
    }
}

/// How positions are searched.
struct Judge {
    settings: Settings,
    limits: Limits,
    interrupt: Interrupt,
}

impl Judge {
    /// Searches all positions, several at a time.
    fn judge_all(&self, positions: &[Known], threads: usize) -> Found {
        let bar = ProgressBar::new();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut found = Found::default();
            let mut engine = Engine::new(self.settings.clone());
            self.interrupt.watch(engine.stop_handle());
            while !self.interrupt.is_set()
                && let Some(known) = positions.get(next.fetch_add(1, Ordering::Relaxed))
            {
                self.judge(known, &mut engine, &mut found);
                bar.update(
                    next.load(Ordering::Relaxed).min(positions.len()),
                    positions.len(),
                );
            }
            found
        };
        let mut found = Found::default();
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(positions.len()))
                .map(|_| scope.spawn(work))
                .collect();
            found.merge(work());
            for other in others {
                match other.join() {
                    Ok(part) => found.merge(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        found
    }

    fn judge(&self, known: &Known, engine: &mut Engine, found: &mut Found) {
        /// Keeps the last line of each iteration.
        struct Iterations(Vec<Line>);
        impl Report for Iterations {
            fn progress(&mut self, line: &Line) {
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
            found.result += Errors::of(known, value, None, 1);
            return;
        }
        let mut iterations = Iterations(Vec::new());
        engine.clear();
        // A position with one move has a value to be found as well.
        let lines = engine.hint(board, 1, &self.limits, &mut iterations);
        if self.interrupt.is_set() {
            // What was not finished is left out.
            return;
        }
        for line in &iterations.0 {
            *found.iterations.entry(line.depth).or_default() +=
                Errors::of(known, line.value, line.best_move(), line.nodes);
        }
        for line in &lines {
            found.result += Errors::of(known, line.value, line.best_move(), line.nodes);
        }
    }
}

fn print(found: &Found, time: Duration, out: &mut dyn Write) -> Result<(), Failure> {
    let mut table = Table::new([
        ("depth", Align::Right),
        ("positions", Align::Right),
        ("MAE", Align::Right),
        ("mean error", Align::Right),
        ("RMSE", Align::Right),
        ("best %", Align::Right),
        ("discs lost per move", Align::Right),
        ("nodes", Align::Right),
    ]);
    for (depth, errors) in &found.iterations {
        table.row(row(depth.to_string(), errors));
    }
    let result = &found.result;
    table.row(row("result".to_owned(), result));
    writeln!(out, "{table}")?;
    writeln!(
        out,
        "eval-test: {} positions, MAE {}, best {} %, {:.3} s, {} nodes",
        result.positions,
        figure(result.mean_absolute()),
        figure(result.best_percent()),
        time.as_secs_f64(),
        result.nodes
    )?;
    Ok(())
}

fn row(depth: String, errors: &Errors) -> [String; 8] {
    [
        depth,
        errors.positions.to_string(),
        figure(errors.mean_absolute()),
        errors
            .mean()
            .map_or_else(|| figure(None), |mean| format!("{mean:+.2}")),
        figure(errors.root_mean_square()),
        figure(errors.best_percent()),
        figure(errors.lost_per_move()),
        errors.nodes.to_string(),
    ]
}
