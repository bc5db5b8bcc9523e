//! `emilia eval-test`: measures the errors of searches on positions with exact or labelled scores.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::options::{GlobalOptions, LimitOptions, ShardedOutput};
use super::selfplay::range;
use super::solve::{shard_of, unless_unreadable};
use super::{CommandResult, Failure, Verdict, interrupt_flag, print_to_stderr};
use emilia_core::board::{Color, Position};
use emilia_core::eval::Value;
use emilia_core::search::Limits;
use emilia_files::FileError;
use emilia_games::Labelled;
use emilia_games::input;
use emilia_review::eval_test::{EvalTest, ScoredPosition};
use emilia_train::{BlockReader, LabelledPosition, Ply, Records, TrainingGame};

/// Default search depth in plies.
pub(super) const DEFAULT_DEPTH: u32 = 8;

/// Default hash size of a thread in MiB. The table is cleared for each position, which takes time.
pub(super) const DEFAULT_HASH_MIB: usize = 8;

/// Arguments of `emilia eval-test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE has one position on each line: OBF with the scores of moves, or a table with tabs whose
header names the columns board, side, best, and optionally move_scores (F1:+18 A6:+8). Or it holds
labelled positions of `emilia selfplay --roots`: if a label is not exact, the error is the
difference from the search that made it. Or it holds games of `emilia selfplay`: their positions
after the random opening plies are labelled with the final scores. Best moves and discs lost are
counted for positions with scores of moves.

The last columns are the mean errors with Black and with White to move. Labelled positions have no
colours, and are counted as Black to move.

The table is cleared for each position, so the results depend neither on the order nor on
--threads. --depth 0 is the static evaluation.

Examples:
  emilia eval-test positions.tsv --depth 0
  emilia eval-test tests/data/leaves.positions --depth 0
  emilia eval-test 1.games --depth 8
  emilia eval-test 1.games --depth 8 --empties 27-52 --shard 1/100
  emilia eval-test positions.obf --time 0.1 --json --shard 2/8 > part-2.json")]
pub(super) struct Args {
    /// File of positions with scores
    file: PathBuf,

    /// Only positions with A to B empties
    #[arg(long, value_name = "A-B", default_value = "0-60", value_parser = range)]
    empties: (u8, u8),

    #[command(flatten)]
    limits: LimitOptions,

    #[command(flatten)]
    output: ShardedOutput,
}

/// Searches each position and prints the errors after each iteration, then the fixed last line.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let mut limits = args.limits.limits();
    if limits == Limits::default() {
        limits = Limits::depth(DEFAULT_DEPTH);
    }
    let (positions, bad) = read(args)?;
    let test = EvalTest {
        settings: global.settings_with_hash(DEFAULT_HASH_MIB),
        limits,
        interrupt: interrupt_flag()?,
    };
    let start = Instant::now();
    let mut errors = test.run(&positions, global.threads_or_cores().get())?;
    errors.seconds = start.elapsed().as_secs_f64();
    errors.write(args.output.json, out)?;
    if test.interrupt.is_set() {
        print_to_stderr(&format_args!(
            "emilia: interrupted: {} of {} positions are counted",
            errors.positions(),
            positions.len()
        ));
        return Ok(Verdict::Interrupted);
    }
    out.flush()?;
    unless_unreadable(bad, bad + positions.len())?;
    Ok(Verdict::Yes)
}

/// Reads the positions of this shard and the number of bad ones, which are reported on stderr.
fn read(args: &Args) -> Result<(Vec<ScoredPosition>, usize), Failure> {
    let bytes = emilia_files::read(&args.file, input::MAX_POSITIONS_SIZE)?;
    let name = args.file.display().to_string();
    let all: Vec<Result<ScoredPosition, String>> = if BlockReader::<&[u8]>::recognizes(&bytes) {
        let blocks = read_blocks(&bytes).map_err(|why| FileError::refused(&args.file, why))?;
        blocks.into_iter().map(Ok).collect()
    } else {
        let labelled = input::positions_in(&name, &bytes).into_iter();
        let scored = labelled.map(|read| scored(read?).map_err(|why| format!("{name}, {why}")));
        scored.collect()
    };
    let (fewest, most) = args.empties;
    let range = u32::from(fewest)..=u32::from(most);
    let is_kept = |read: &Result<ScoredPosition, String>| {
        let empties = read.as_ref().map(|one| one.position.board.empty_count());
        empties.is_ok_and(|empties| range.contains(&empties)) || read.is_err()
    };
    let kept = all.into_iter().filter(is_kept).collect();
    let (positions, bad) = shard_of(kept, &name, args.output.part())?;
    Ok((positions.into_iter().map(|(_, one)| one).collect(), bad))
}

/// Reads the positions of a file of training blocks.
fn read_blocks(bytes: &[u8]) -> Result<Vec<ScoredPosition>, String> {
    let mut reader = BlockReader::new(bytes);
    let mut all = Vec::new();
    while let Some(block) = reader.next() {
        match block.map(|block| block.records) {
            Ok(Records::Positions(positions)) => {
                all.extend(positions.into_iter().map(from_label));
            }
            Ok(Records::Games(games)) => {
                let plies = games.iter().filter_map(TrainingGame::plies).flatten();
                all.extend(plies.map(from_ply));
            }
            Err(error) => return Err(format!("at byte {}: {error}", reader.offset())),
        }
    }
    Ok(all)
}

fn from_ply(ply: Ply) -> ScoredPosition {
    ScoredPosition {
        position: Position {
            board: ply.board,
            mover: ply.mover,
        },
        label: Value::from_score(ply.score),
        is_exact: ply.search.is_some_and(|search| search.is_exact),
        moves: Vec::new(),
    }
}

fn from_label(one: LabelledPosition) -> ScoredPosition {
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
