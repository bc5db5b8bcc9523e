//! `emilia solve`: solves positions exactly and compares the scores with the input.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use super::inputs::{readable, unless_left_out};
use super::options::{EngineOptions, ShardedOutput};
use super::{
    CommandResult, Failure, Verdict, interrupt_flag, interrupted, per_second, print_to_stderr,
};
use crate::play::TIME_WIDTH;
use emilia_core::search::{Goal, Limits, Line, Report};
use emilia_core::work::Shard;
use emilia_files::FileError;
use emilia_games::input;
use emilia_review::json;
use emilia_review::solution::{KIND, Solution};
use emilia_view::{SearchStatus, cut, status_width};

/// Arguments of `emilia solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints one line for each position, with tabs between the fields, and on a terminal in columns \
below a heading:
  #k empties score best-move seconds nodes nps pv
The score is the final disc difference for the side to move, or with --wld +1, +0 or -1 for a win, \
a draw or a loss. With --all-moves the scores of all moves follow, best first. If a score of the \
input differs, the line ends with WRONG and both scores, and the exit code is 1. The table is \
cleared for each position, so scores depend neither on the order nor on --shard.

A file has one position on each line: OBF with or without scores, 64 squares and the side to move, \
or a transcript. Or it is a table with tabs whose header names the columns board and side, and \
optionally best and move_scores. Comments begin with # or %. A line that may be a position and \
cannot be read is reported, and the exit code is then 2. Ctrl-C keeps the solutions so far, \
and shows the best score of the next one, marked NOT EXACT with depth and confidence.

Examples:
  emilia solve endings.obf --hash 1024
  emilia solve --all-moves '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
  emilia solve endings.obf --json --shard 3/8 > part-3.json")]
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

    #[command(flatten)]
    output: ShardedOutput,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Solves all readable positions and writes the solutions and the totals.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let goal = if args.wld { Goal::Wld } else { Goal::Exact };
    let all = input::positions(&args.inputs)?;
    let (positions, bad) = shard_of(all, "", args.output.shard)?;
    let mut engine = args.engine.engine()?;
    let stop = interrupt_flag()?;
    engine.set_interrupt(stop.clone());

    let empties = positions
        .iter()
        .map(|(_, one)| one.position.board.empty_count());
    if empties.max() > Some(MANY_EMPTIES) {
        note!(
            "emilia: over {MANY_EMPTIES} empties may take very long; Ctrl-C shows the best so far"
        );
    }
    let limits = Limits::solve(goal);
    let lines = if args.all_moves { usize::MAX } else { 1 };
    let status = SearchStatus::new();
    let mut solutions = Vec::new();
    let in_columns = !args.output.json && io::stdout().is_terminal();
    if in_columns {
        writeln!(out, "{}", columns(HEADING))?;
    }
    for (index, (number, labelled)) in positions.iter().enumerate() {
        if stop.is_set() {
            break;
        }
        let board = &labelled.position.board;
        let place = match positions.len() + bad {
            1 => String::new(),
            count => format!(" {}/{count}", index + 1),
        };
        let heading = format!("#{number}{place}: {} empties", board.empty_count());
        let mut iteration: Vec<Line> = Vec::new();
        let mut report = |multi_pv: usize, line: &Line| {
            iteration.progress(multi_pv, line);
            let text = format!("{heading}, {line}");
            status.set_message(cut(&text, status_width().saturating_sub(TIME_WIDTH)));
        };
        status.begin(&heading);
        engine.clear();
        let mut lines = engine.multi_pv(board, lines, &limits, &mut report);
        if !lines.iter().all(|line| line.depth.is_solved()) {
            lines = iteration;
        }
        let Some(solution) = Solution::new(*number, labelled, &lines, args.all_moves) else {
            break;
        };
        status.suspend(|| {
            if args.output.json {
                json::write(KIND, &solution, out)
            } else if in_columns {
                writeln!(out, "{}", columns(&solution.to_string()))
            } else {
                writeln!(out, "{solution}")
            }
        })?;
        if !solution.is_exact() {
            break;
        }
        solutions.push(solution);
    }
    drop(status);
    let verdict = write_totals(&solutions, args.output.json, out)?;
    if solutions.len() < positions.len() {
        return Ok(interrupted(solutions.len(), positions.len(), "positions"));
    }
    unless_left_out(bad, bad + positions.len(), "positions")?;
    Ok(verdict)
}

/// Number of empties above which a solution is likely to take hours.
const MANY_EMPTIES: u32 = 34;

/// Names of the fields of a solution.
const HEADING: &str = "#k\tempties\tscore\tbest\tseconds\tnodes\tnps\tpv";

/// Widths in columns of the first seven fields, without the gaps between the fields.
const WIDTHS: [usize; 7] = [5, 7, 5, 4, 9, 13, 10];

/// Aligns the tab-separated fields of a line in columns.
fn columns(line: &str) -> String {
    let mut fields = line.split('\t');
    let columns = WIDTHS.iter().zip(&mut fields);
    let aligned = columns.map(|(width, field)| format!("{field:>width$}  "));
    let aligned: String = aligned.collect();
    aligned + &fields.collect::<Vec<_>>().join("  ")
}

/// Returns the positions of a shard, with their numbers in the whole input from 1. Also returns the
/// number of unreadable positions, and reports these positions on stderr.
///
/// # Errors
/// If the input is empty. The error quotes `name`, the name of the input.
pub(super) fn shard_of<T>(
    all: Vec<Result<T, FileError>>,
    name: &str,
    shard: Shard,
) -> Result<(Vec<(usize, T)>, usize), Failure> {
    if all.is_empty() {
        bail!(
            "'{name}': no positions \
             (expected OBF lines, or a table with the columns board, side and best)"
        );
    }
    let numbered = (1..).zip(all);
    Ok(readable(
        numbered.filter(|(number, _)| shard.covers(number - 1)),
    ))
}

/// Writes the totals as the last text line, in a fixed format for scripts. Writes it to stderr if
/// the results are JSON. The verdict is `Yes` if no score differs from the input.
fn write_totals(solutions: &[Solution], json: bool, out: &mut dyn Write) -> io::Result<Verdict> {
    let wrong = solutions.iter().filter(|one| !one.is_right()).count();
    let time: Duration = solutions.iter().map(Solution::elapsed).sum();
    let nodes = solutions.iter().map(|solution| solution.nodes).sum();
    let line = format!(
        "solve: {} positions, {wrong} wrong, {:.3} s, {nodes} nodes, {:.0} nps",
        solutions.len(),
        time.as_secs_f64(),
        per_second(nodes, time)
    );
    if json {
        print_to_stderr(&line);
    } else {
        writeln!(out, "{line}")?;
    }
    Ok(Verdict::of(wrong == 0))
}
