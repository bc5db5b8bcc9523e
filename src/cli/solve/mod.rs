//! `emilia solve`: solves positions exactly and compares the scores with those of the input.

mod input;
mod solution;
mod totals;

use std::io::{self, Write};
use std::time::Duration;

use super::mark::{self, JobSum};
use super::options::{DEFAULT_HASH_MIB, GlobalOptions};
use super::{Failure, Verdict, json, on_interrupt, print_to_stderr};
use crate::cli::terminal::status_width;
use crate::search::{Engine, Goal, Limits, Line, Report, Stop, solve_time_estimate};
use crate::view::{SearchStatus, cut};
use crate::work::Shard;
use input::InputPosition;
pub(super) use solution::{KIND, Solution};
use totals::SolveTotals;

/// Arguments of `emilia solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Prints one line for each position, with tabs between the fields:
  #k empties score best-move seconds nodes nps pv
The score is the final disc difference for the side to move, or with --wld +1, +0 or -1 for a win,
a draw or a loss. With --all-moves the scores of all moves follow, best first. If a score of the
input differs, the line ends with WRONG and both scores, and the exit code is 1. The table is
cleared for each position, so scores depend neither on the order nor on --shard. With --threads 1
this holds for best move, nodes and PV too.

A file has one position on each line: OBF with or without scores, 64 squares and the side to move,
or a transcript. Or it is a table with tabs whose header names the columns board and side, and
optionally best and move_scores. Blank lines and comments (# or %) are skipped. Lines that cannot
be read are reported and skipped, and the exit code is then 2. Ctrl-C keeps the solutions so far,
with exit code 130. A warning is printed if a position may take more than an hour.

{}

Kind 'solution': k, position, empties, wld, score and best (for the side to move), seconds, nodes,
nps, pv; with --all-moves moves (move, score), and if scores differ wrong (move, found, expected).
{}

Examples:
  emilia solve endings.obf --hash 1024
  emilia solve --all-moves '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
  head -20 endings.obf | emilia solve - --wld --json
  emilia solve endings.obf --json --shard 3/8 > part-3.json", json::ABOUT, mark::ABOUT))]
pub(super) struct Args {
    /// File of positions, - for stdin, or a position
    #[arg(value_name = "FILE|-|POS", required = true)]
    inputs: Vec<String>,

    /// Solve for win, draw or loss only, which is faster
    #[arg(long)]
    wld: bool,

    /// Print the exact score of every legal move
    #[arg(long)]
    all_moves: bool,

    /// Print one JSON object on each line. The totals go to stderr
    #[arg(long)]
    json: bool,

    /// Solve only the K-th of N disjoint parts of the positions
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
}

/// Solves all readable positions and writes the solutions and the totals.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let goal = if args.wld { Goal::Wld } else { Goal::Exact };
    let mut sum = JobSum::new(KIND);
    sum.add(&format_args!("{goal:?} {}", args.all_moves));
    sum.add_engine(global, DEFAULT_HASH_MIB);
    let shard = args.shard.unwrap_or(Shard::WHOLE);
    let inputs = input::read(&args.inputs, shard, &mut sum).map_err(Failure::Input)?;
    for reason in inputs.iter().filter_map(|input| input.read.as_ref().err()) {
        print_to_stderr(&format_args!("emilia: {reason}"));
    }

    let mut engine = global.engine()?;
    let stop = Stop::default();
    engine.set_interrupt(stop.clone());
    let handle = stop.clone();
    on_interrupt(move || handle.set())?;

    let mut job = Job {
        goal,
        all_moves: args.all_moves,
        json: args.json,
        engine,
        stop,
        totals: SolveTotals::default(),
    };
    let ended = job.solve(&inputs, out)?;
    let unreadable = inputs.iter().filter(|input| input.read.is_err()).count();
    job.totals.write(args.json, out)?;
    if let Some(number) = ended {
        let readable = inputs.len() - unreadable;
        print_to_stderr(&format_args!(
            "emilia: interrupted: {} of {readable} positions solved, #{number} not finished",
            job.totals.positions
        ));
        return Ok(Verdict::Interrupted);
    }
    if let Some(shard) = args.shard.filter(|_| args.json) {
        sum.write_mark(shard, unreadable, out)?;
    }
    if unreadable > 0 {
        return Err(Failure::Input(format!(
            "{unreadable} of {} position{} could not be read",
            inputs.len(),
            if inputs.len() == 1 { "" } else { "s" }
        )));
    }
    Ok(job.totals.verdict())
}

/// Writes the solutions of all shards in the format and order of a single run.
pub(super) fn write_all(
    mut solutions: Vec<Solution>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    solutions.sort_by_key(|solution| solution.k);
    let mut totals = SolveTotals::default();
    for solution in &solutions {
        totals.add(solution);
        solution.write(json, out)?;
    }
    totals.write(json, out)?;
    Ok(totals.verdict())
}

/// Settings of the job and totals so far.
struct Job {
    goal: Goal,
    all_moves: bool,
    json: bool,
    engine: Engine,
    stop: Stop,
    totals: SolveTotals,
}

impl Job {
    /// Solves the readable positions in order and writes each solution.
    /// Returns the number of the unfinished position if interrupted.
    fn solve(
        &mut self,
        inputs: &[InputPosition],
        out: &mut dyn Write,
    ) -> io::Result<Option<usize>> {
        let limits = Limits::solve(self.goal);
        let count = if self.all_moves { usize::MAX } else { 1 };
        let status = SearchStatus::new();
        for (index, InputPosition { number, read }) in inputs.iter().enumerate() {
            let Ok(labelled) = read else {
                continue;
            };
            if self.stop.is_set() {
                return Ok(Some(*number));
            }
            let board = &labelled.position.board;
            let mut progress = Reporter {
                status: &status,
                number: *number,
                empties: board.empty_count(),
                index,
                count: inputs.len(),
                warned: false,
            };
            status.begin(&progress.heading());
            self.engine.clear();
            let lines = self.engine.multi_pv(board, count, &limits, &mut progress);
            let solution = Solution::new(*number, labelled, &lines, self.all_moves);
            let Some(solution) = solution else {
                return Ok(Some(*number));
            };
            self.totals.add(&solution);
            status.suspend(|| solution.write(self.json, out))?;
        }
        Ok(None)
    }
}

/// Estimated time above which a warning is printed.
const LONG_SOLVE: Duration = Duration::from_secs(3600);

/// Columns reserved for the elapsed time.
const TIME_WIDTH: usize = 10;

/// Shows the progress of a solve, and warns once if it may take long.
struct Reporter<'a> {
    status: &'a SearchStatus,
    number: usize,
    empties: u32,
    /// Index among the positions of this job, from 0. `count` is the number of positions.
    index: usize,
    count: usize,
    warned: bool,
}

impl Reporter<'_> {
    fn heading(&self) -> String {
        let Reporter {
            number,
            empties,
            index,
            count,
            ..
        } = self;
        if *count == 1 {
            format!("#{number}: {empties} empties")
        } else {
            format!("#{number} {}/{count}: {empties} empties", index + 1)
        }
    }
}

impl Report for Reporter<'_> {
    fn progress(&mut self, _: usize, line: &Line) {
        let estimate = || solve_time_estimate(self.empties, line.nodes, line.elapsed);
        if !self.warned
            && !line.depth.is_solved()
            && let Some(time) = estimate().filter(|&time| time > LONG_SOLVE)
        {
            self.warned = true;
            self.status.suspend(|| {
                print_to_stderr(&format_args!(
                    "emilia: #{}: solving {} empty squares may take {} on this machine; \
                      Ctrl-C ends it",
                    self.number,
                    self.empties,
                    in_words(time)
                ));
            });
        }
        let text = format!("{}, {}", self.heading(), line);
        self.status
            .set_message(cut(&text, status_width().saturating_sub(TIME_WIDTH)));
    }
}

/// Formats a long time in rounded units, such as `7 hours`.
fn in_words(time: Duration) -> String {
    const HOUR: f64 = 3600.0;
    const DAY: f64 = 24.0 * HOUR;
    const YEAR: f64 = 365.25 * DAY;
    let seconds = time.as_secs_f64();
    if seconds < 2.0 * DAY {
        format!("{:.0} hours", (seconds / HOUR).ceil())
    } else if seconds < 2.0 * YEAR {
        format!("{:.0} days", seconds / DAY)
    } else if seconds < 1000.0 * YEAR {
        format!("{:.0} years", seconds / YEAR)
    } else {
        "thousands of years".to_owned()
    }
}
