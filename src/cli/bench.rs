//! `emilia bench`: prints the signature and the speed of the search.

use std::io::{self, Write};
use std::time::Duration;

use super::options::{EngineOptions, whole};
use super::{CommandResult, Verdict, interruptible_bar, per_second};
use emilia_core::search::{BENCH_DEPTH, BENCH_EXACT, Settings, bench};
use emilia_player::options::MAX_DEPTH;
use emilia_view::width;
use emilia_view::{Align, Columns, moves};

/// Least search time of each of the `--runs`.
const RUN: Duration = Duration::from_secs(1);

/// Arguments of `emilia bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
With one thread the node count is deterministic, on every machine and in every build: it is the \
signature of the search.

With --runs the first search of the positions is the warm-up. Each run repeats it until at least a \
second of search time has passed. The speed in the last line is then the mean of the runs.

Examples:
  emilia bench --depth 12
  emilia bench --runs 10")]
pub(super) struct Args {
    /// Search depth of each position, in plies
    #[arg(long, value_name = "PLIES", default_value_t = BENCH_DEPTH, value_parser = whole(1..=MAX_DEPTH))]
    depth: u32,

    /// Repeat the searches, and print mean and standard deviation of time and speed of N runs
    #[arg(long, value_name = "N", value_parser = whole::<u32>(2..=1000))]
    runs: Option<u32>,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Searches the fixed positions in order, prints a line for each, then the lines of `--runs`, then
/// `N nodes M nps`.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let bar = interruptible_bar("positions")?;
    let settings = args
        .engine
        .settings()
        .with_threads(args.engine.threads_or_one());
    let searches = bench(settings.clone(), args.depth);
    let all = searches.size_hint().1.unwrap_or(0);
    bar.update(0, all);
    writeln!(
        out,
        "depth {}, solved from {BENCH_EXACT} empty squares\n",
        args.depth
    )?;
    let columns = [
        ("empties", Align::Right, 7),
        ("depth", Align::Right, 5),
        ("score", Align::Right, 6),
        ("nodes", Align::Right, 12),
        ("seconds", Align::Right, 7),
        ("line", Align::Line, 0),
    ];
    let columns = Columns::new(columns, width());
    writeln!(out, "{}", columns.heading())?;
    for (done, (position, line)) in (1..).zip(searches) {
        nodes += line.nodes;
        time += line.elapsed;
        let cells = [
            position.board.empty_count().to_string(),
            line.depth.to_string(),
            line.value.to_string(),
            line.nodes.to_string(),
            format!("{:.3}", line.elapsed.as_secs_f64()),
            moves(&line.pv),
        ];
        bar.suspend(|| writeln!(out, "{}", columns.row(cells)))?;
        out.flush()?;
        bar.update(done, all);
    }
    drop(bar);
    write!(out, "{}", columns.note())?;
    writeln!(out)?;
    let mut speed = per_second(nodes, time);
    if let Some(runs) = args.runs {
        speed = measure(&settings, args.depth, runs, out)?;
    }
    writeln!(out, "{nodes} nodes {speed:.0} nps")?;
    Ok(Verdict::Yes)
}

/// Searches the positions in each of `runs` runs until [`RUN`] has passed, and prints time and
/// speed of each, then mean and standard deviation. Returns the mean speed in nodes per second.
fn measure(settings: &Settings, depth: u32, runs: u32, out: &mut dyn Write) -> io::Result<f64> {
    let (mut times, mut speeds) = (Vec::new(), Vec::new());
    for run in 1..=runs {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        while time < RUN {
            for (_, line) in bench(settings.clone(), depth) {
                nodes += line.nodes;
                time += line.elapsed;
            }
        }
        times.push(time.as_secs_f64());
        speeds.push(per_second(nodes, time));
        writeln!(
            out,
            "run {run}: {:.3} s, {:.0} nps",
            time.as_secs_f64(),
            per_second(nodes, time)
        )?;
        out.flush()?;
    }
    let [(time, time_deviation), (speed, deviation)] = [times, speeds].map(|all| mean(&all));
    writeln!(
        out,
        "{runs} runs: {time:.3} ± {time_deviation:.3} s, {speed:.0} ± {deviation:.0} nps \
         (mean ± standard deviation)\n"
    )?;
    Ok(speed)
}

/// Returns mean and sample standard deviation of at least two values.
fn mean(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    let variance = squares.sum::<f64>() / (values.len() - 1) as f64;
    (mean, variance.sqrt())
}
