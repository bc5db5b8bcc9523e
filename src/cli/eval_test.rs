//! `emilia eval-test`: measures the errors of searches on positions with exact or labelled scores.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::mark::{self, JobSum};
use super::options::{GlobalOptions, LimitOptions, ShardedOutput};
use super::solve::{shard_of, unless_unreadable};
use super::{CommandResult, Failure, Verdict, interrupt_flag, print_to_stderr};
use crate::analysis::eval_test::{EvalTestJudge, KIND, ScoredPosition};
use crate::analysis::json;
use crate::board::{Color, Labelled, Position};
use crate::eval::Value;
use crate::files::{self, FileError};
use crate::game::input;
use crate::search::Limits;
use crate::train::{BlockReader, LabelledPosition, Records};

/// Default search depth in plies.
pub(super) const DEFAULT_DEPTH: u32 = 8;

/// Default hash size of a thread in MiB. The table is cleared for each position, which takes time.
pub(super) const DEFAULT_HASH_MIB: usize = 8;

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

    #[command(flatten)]
    output: ShardedOutput,
}

/// Searches each position and prints the errors at each depth, then the fixed last line.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let mut limits = args.limits.limits();
    if limits == Limits::default() {
        limits = Limits::depth(DEFAULT_DEPTH);
    }
    let mut job = JobSum::new(KIND);
    job.add(&format_args!("{limits:?}"));
    job.add_engine(global, DEFAULT_HASH_MIB);
    let (positions, bad) = read(args, &mut job)?;
    let judge = EvalTestJudge {
        settings: global.settings_with_hash(DEFAULT_HASH_MIB),
        limits,
        interrupt: interrupt_flag()?,
    };
    let start = Instant::now();
    let mut errors = judge.judge_all(&positions, global.threads_or_cores().get())?;
    errors.seconds = start.elapsed().as_secs_f64();
    errors.write(args.output.json, out)?;
    if judge.interrupt.is_set() {
        print_to_stderr(&format_args!(
            "emilia: interrupted: {} of {} positions are counted",
            errors.positions(),
            positions.len()
        ));
        return Ok(Verdict::Interrupted);
    }
    job.write_mark(&args.output, bad, out)?;
    out.flush()?;
    unless_unreadable(bad, bad + positions.len())?;
    Ok(Verdict::Yes)
}

/// Reads the positions of this shard and the number of bad ones, which are reported on stderr.
fn read(args: &Args, job: &mut JobSum) -> Result<(Vec<ScoredPosition>, usize), Failure> {
    let bytes = files::read(&args.file, input::MAX_POSITIONS_SIZE)?;
    job.add(&files::checksum(&bytes));
    let name = args.file.display().to_string();
    let all = if BlockReader::<&[u8]>::recognizes(&bytes) {
        let blocks = read_blocks(&bytes).map_err(|why| FileError::refused(&args.file, why))?;
        blocks.into_iter().map(|one| Ok(one.into())).collect()
    } else {
        let labelled = input::positions_in(&name, &bytes).into_iter();
        let scored = labelled.map(|read| scored(read?).map_err(|why| format!("{name}, {why}")));
        scored.collect()
    };
    let (positions, bad) = shard_of(all, &name, args.output.part())?;
    Ok((positions.into_iter().map(|(_, one)| one).collect(), bad))
}

/// Reads the labelled positions of a file of training blocks.
fn read_blocks(bytes: &[u8]) -> Result<Vec<LabelledPosition>, String> {
    let mut reader = BlockReader::new(bytes);
    let mut all = Vec::new();
    while let Some(block) = reader.next() {
        match block.map(|block| block.records) {
            Ok(Records::Positions(positions)) => all.extend(positions),
            Ok(Records::Games(_)) => {
                let why =
                    "it holds games; expected labelled positions of `emilia selfplay --roots`";
                return Err(why.to_owned());
            }
            Err(error) => return Err(format!("at byte {}: {error}", reader.offset())),
        }
    }
    Ok(all)
}

impl From<LabelledPosition> for ScoredPosition {
    fn from(one: LabelledPosition) -> ScoredPosition {
        ScoredPosition {
            position: Position {
                board: one.board,
                mover: Color::Black,
            },
            label: one.label.value,
            is_exact: one.label.is_exact,
            moves: Vec::new(),
        }
    }
}

fn scored(labelled: Labelled) -> Result<ScoredPosition, String> {
    let best = labelled.best.ok_or_else(|| {
        let position = labelled.position;
        format!("{position}: no score (expected one in the column best, or scores of moves)")
    })?;
    let value = |(mv, score)| (mv, Value::from_score(score));
    Ok(ScoredPosition {
        position: labelled.position,
        label: Value::from_score(best),
        is_exact: true,
        moves: labelled.moves.into_iter().map(value).collect(),
    })
}
