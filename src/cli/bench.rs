//! `emilia bench`: prints the signature and the speed of the search.

use std::io::Write;
use std::time::Duration;

use super::options::{EngineOptions, whole};
use super::{CommandResult, Verdict, interruptible_bar, per_second};
use emilia_core::search::{BENCH_DEPTH, BENCH_EXACT, bench};
use emilia_player::options::MAX_DEPTH;
use emilia_view::{Align, Columns, moves, width};

/// Arguments of `emilia bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
With one thread the node count is deterministic, on every machine and in every build: it is the \
signature of the search.

Example:
  emilia bench --depth 12")]
pub(super) struct Args {
    /// Search depth of each position, in plies
    #[arg(long, value_name = "PLIES", default_value_t = BENCH_DEPTH, value_parser = whole(1..=MAX_DEPTH))]
    depth: u32,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Searches the fixed positions in order, prints a text line for each, then `N nodes M nps`.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let bar = interruptible_bar("positions")?;
    let threads = args.engine.threads_or_one();
    let searches = bench(args.engine.settings().with_threads(threads), args.depth);
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
    writeln!(out, "{nodes} nodes {:.0} nps", per_second(nodes, time))?;
    Ok(Verdict::Yes)
}
