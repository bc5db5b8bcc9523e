//! `emilia solve`: exact final scores, held against known ones.

mod input;
mod solution;

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use super::options::GlobalOptions;
use super::{Failure, Verdict, on_interrupt, per_second, say_on_stderr};
use crate::cli::terminal::width;
use crate::search::{Engine, Goal, Limits, Line, Report, Stop, solve_time_estimate};
use crate::view::{SearchStatus, cut};
use crate::work::Shard;
use input::Entry;
use solution::Solution;

/// What `emilia solve` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints a line a position, its fields separated by tabs:
  #k empties score best-move seconds nodes nps pv
The score is the final disc difference for the side to move; with --wld it is +1, +0 or -1 for a win, a draw or a loss.
With --all-moves the scores of all moves follow, best first. Where a known score differs, the line ends with WRONG and
the scores, and the exit code is 1. Each position is searched from an empty table, so neither the order nor --shard
changes a score, nor with --threads 1 the move, the nodes and the line.

A file has a position a line: OBF with or without scores, 64 squares and the side to move, or a transcript; or a table
with tabs whose header names the columns board, side, and if known best and move_scores. Blank lines and comments (# or
%) are skipped. Lines that cannot be read are named and skipped, and the exit code is 2. Ctrl-C ends with what is solved,
exit code 130. What will hardly be solved in an hour is said before it is begun.

Examples:
  emilia solve endings.obf --hash 1024
  emilia solve --all-moves '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
  head -20 endings.obf | emilia solve - --wld --json
  emilia solve endings.obf --shard 3/8")]
pub(super) struct Args {
    /// A file, - for stdin, or a position
    #[arg(value_name = "FILE|-|POS", required = true)]
    inputs: Vec<String>,

    /// Only tell wins, draws and losses apart
    #[arg(long)]
    wld: bool,

    /// Solve every legal move
    #[arg(long)]
    all_moves: bool,

    /// A JSON object a line; the last line, which counts all, goes to stderr
    #[arg(long)]
    json: bool,

    /// Only the K-th of N parts of the positions
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
}

/// Solves everything that can be read.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let entries = input::read(&args.inputs, args.shard).map_err(Failure::Input)?;
    for reason in entries.iter().filter_map(|entry| entry.read.as_ref().err()) {
        say_on_stderr(&format_args!("emilia: {reason}"));
    }

    let mut engine = global.engine()?;
    let stop = Stop::default();
    engine.set_interrupt(stop.clone());
    let handle = stop.clone();
    on_interrupt(move || handle.set())?;

    let mut job = Job {
        goal: if args.wld { Goal::Wld } else { Goal::Exact },
        all_moves: args.all_moves,
        json: args.json,
        engine,
        stop,
        tally: Tally::default(),
    };
    let ended = job.solve(&entries, out)?;
    let unreadable = entries.iter().filter(|entry| entry.read.is_err()).count();
    if args.json {
        say_on_stderr(&job.tally);
    } else {
        writeln!(out, "{}", job.tally)?;
    }
    if let Some(number) = ended {
        let readable = entries.len() - unreadable;
        say_on_stderr(&format_args!(
            "emilia: interrupted: {} of {readable} positions solved, #{number} not finished",
            job.tally.positions
        ));
        return Ok(Verdict::Interrupted);
    }
    if unreadable > 0 {
        return Err(Failure::Input(format!(
            "{unreadable} of {} positions could not be read",
            entries.len()
        )));
    }
    Ok(if job.tally.wrong == 0 {
        Verdict::Yes
    } else {
        Verdict::No
    })
}

/// How to solve, and what has come of it.
struct Job {
    goal: Goal,
    all_moves: bool,
    json: bool,
    engine: Engine,
    stop: Stop,
    tally: Tally,
}

impl Job {
    /// Solves the entries that could be read, one after the other, and writes each solution. If it is stopped, the number
    /// of the entry that was not finished.
    fn solve(&mut self, entries: &[Entry], out: &mut dyn Write) -> io::Result<Option<usize>> {
        let limits = Limits::solve(self.goal);
        let count = if self.all_moves { usize::MAX } else { 1 };
        let status = SearchStatus::new();
        for (index, Entry { number, read }) in entries.iter().enumerate() {
            let Ok(labelled) = read else {
                continue;
            };
            if self.stop.is_set() {
                return Ok(Some(*number));
            }
            let board = &labelled.position.board;
            let mut progress = Progress {
                status: &status,
                number: *number,
                empties: board.empty_count(),
                place: (index + 1, entries.len()),
                warned: false,
            };
            status.begin(&progress.heading());
            self.engine.clear();
            let lines = self.engine.multi_pv(board, count, &limits, &mut progress);
            let solution = Solution::new(*number, labelled, lines, self.all_moves);
            let Some(solution) = solution else {
                return Ok(Some(*number));
            };
            self.tally.add(&solution);
            status.aside(|| {
                if self.json {
                    solution.write_json(out)
                } else {
                    writeln!(out, "{solution}")
                }
            })?;
        }
        Ok(None)
    }
}

/// What takes longer than this is said before it is begun.
const REASONABLE: Duration = Duration::from_secs(3600);

/// Columns kept for the time of a search.
const TIME_WIDTH: usize = 10;

/// Shows how the search of a position stands, and says beforehand if there is little hope of an end.
struct Progress<'a> {
    status: &'a SearchStatus,
    number: usize,
    empties: u32,
    /// Its place among those to solve here, and how many they are.
    place: (usize, usize),
    warned: bool,
}

impl Progress<'_> {
    fn heading(&self) -> String {
        let Progress {
            number,
            empties,
            place: (place, all),
            ..
        } = self;
        if *all == 1 {
            format!("#{number}: {empties} empties")
        } else {
            format!("#{number} {place}/{all}: {empties} empties")
        }
    }
}

impl Report for Progress<'_> {
    fn progress(&mut self, _: usize, line: &Line) {
        let estimate = || solve_time_estimate(self.empties, line.nodes, line.elapsed);
        if !self.warned
            && !line.depth.is_solved()
            && let Some(time) = estimate().filter(|&time| time > REASONABLE)
        {
            self.warned = true;
            self.status.aside(|| {
                say_on_stderr(&format_args!(
                    "emilia: #{}: solving {} empty squares may take {} on this machine; Ctrl-C ends it",
                    self.number,
                    self.empties,
                    in_words(time)
                ));
            });
        }
        let text = format!("{}, depth {}, {}", self.heading(), line.depth, line.value);
        self.status
            .tell(cut(&text, width().saturating_sub(TIME_WIDTH)));
    }
}

/// About how long a long time is: `7 hours`.
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

/// The sums over all positions solved.
#[derive(Default)]
struct Tally {
    positions: usize,
    wrong: usize,
    time: Duration,
    nodes: u64,
}

impl Tally {
    fn add(&mut self, solution: &Solution) {
        self.positions += 1;
        self.wrong += usize::from(!solution.is_right());
        self.time += solution.elapsed();
        self.nodes += solution.nodes();
    }
}

/// The last line.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            positions,
            wrong,
            time,
            nodes,
        } = self;
        let seconds = time.as_secs_f64();
        let nps = per_second(*nodes, *time);
        write!(
            f,
            "solve: {positions} positions, {wrong} wrong, {seconds:.3} s, {nodes} nodes, {nps:.0} nps"
        )
    }
}
