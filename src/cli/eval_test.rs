//! `emilia eval-test`: measures the errors of searches on positions with labels. A label is the
//! score that a search should return: exact, from a deeper search, or the final score of a game.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::inputs::unless_left_out;
use super::options::{EngineOptions, LimitOptionsFrom0, ShardedOutput};
use super::selfplay::up_to_60;
use super::solve::shard_of;
use super::{CommandResult, Failure, Verdict, interrupt_flag};
use emilia_core::board::{Color, Position};
use emilia_core::eval::Value;
use emilia_core::search::Limits;
use emilia_files::FileError;
use emilia_games::{Labelled, input};
use emilia_review::eval_test::{EvalTest, ScoredPosition};
use emilia_train::{Block, BlockReader, Records, TrainingGame};

/// Default search depth in plies.
const DEFAULT_DEPTH: u32 = 8;

/// Default hash size of a thread in MiB. It is small, because the table is cleared for each
/// position.
const DEFAULT_HASH_MIB: usize = 8;

/// Arguments of `emilia eval-test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
FILE has one position on each line: OBF with the scores of moves, or a table with tabs whose \
header names the columns board, side, best, and optionally move_scores (F1:+18 A6:+8). Or it holds \
labelled positions of `emilia selfplay --roots`, or games of `emilia selfplay`, whose positions \
are labelled with the final scores. Best moves and discs lost are counted for positions with \
scores of moves.

'mean' is the mean error, and 'lost' the discs that a move loses.

The table is cleared for each position, so the results depend neither on the order nor on \
--threads. --depth 0 is the static evaluation; without limits the depth is 8.

Examples:
  emilia eval-test positions.tsv --depth 0
  emilia eval-test 1.games --depth 8
  emilia eval-test positions.obf --time 0.1 --json --shard 2/8 > part-2.json")]
pub(super) struct Args {
    /// File of positions with scores
    file: PathBuf,

    /// Only positions with A to B empties
    #[arg(long, value_name = "A-B", default_value = "0-60", value_parser = up_to_60)]
    empties: (u8, u8),

    #[command(flatten)]
    limits: LimitOptionsFrom0,

    #[command(flatten)]
    output: ShardedOutput,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Searches each position and prints the errors by number of empties, then the last line in a fixed
/// format for scripts.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut limits = args.limits.limits();
    if limits == Limits::default() {
        limits = Limits::depth(DEFAULT_DEPTH);
    }
    let (positions, bad) = read(args)?;
    let test = EvalTest {
        settings: args.engine.settings_with_hash(DEFAULT_HASH_MIB),
        limits,
        interrupt: interrupt_flag()?,
    };
    let start = Instant::now();
    let mut errors = test.run(&positions, args.engine.threads_or_cores().get())?;
    errors.seconds = start.elapsed().as_secs_f64();
    errors.write(args.output.json, out)?;
    if test.interrupt.is_set() {
        note!(
            "emilia: interrupted: {} of {} positions are counted",
            errors.positions(),
            positions.len()
        );
        return Ok(Verdict::Interrupted);
    }
    out.flush()?;
    unless_left_out(bad, bad + positions.len(), "positions")
}

/// Reads the positions of this shard whose numbers of empties are in `--empties`. Also returns the
/// number of unreadable positions, which are reported on stderr.
fn read(args: &Args) -> Result<(Vec<ScoredPosition>, usize), Failure> {
    let bytes = emilia_files::read(&args.file, input::MAX_SIZE)?;
    let name = args.file.display().to_string();
    let all: Vec<Result<ScoredPosition, FileError>> = if Block::is_at_start_of(&bytes) {
        let blocks = read_blocks(&bytes).map_err(|why| FileError::refused(&args.file, why))?;
        blocks.into_iter().map(Ok).collect()
    } else {
        let labelled = input::positions_in(&args.file, &bytes).into_iter();
        let refused = |why| FileError::refused(&args.file, why);
        let scored = labelled.map(|read| scored(read?).map_err(refused));
        scored.collect()
    };
    let range = u32::from(args.empties.0)..=u32::from(args.empties.1);
    let is_kept = |one: &ScoredPosition| range.contains(&one.position.board.empty_count());
    let kept = (all.into_iter()).filter(|read| read.as_ref().map_or(true, is_kept));
    let (positions, bad) = shard_of(kept.collect(), &name, args.output.shard)?;
    Ok((positions.into_iter().map(|(_, one)| one).collect(), bad))
}

/// Reads the positions of a file of training blocks.
fn read_blocks(bytes: &[u8]) -> Result<Vec<ScoredPosition>, String> {
    let scored = |position, label, is_exact| ScoredPosition {
        position,
        label,
        is_exact,
        moves: Vec::new(),
    };
    let mut reader = BlockReader::new(bytes);
    let mut all = Vec::new();
    while let Some(block) = reader
        .read()
        .map_err(|error| format!("at byte {}: {error}", reader.offset()))?
    {
        match block.records {
            Records::Positions(positions) => all.extend(positions.iter().map(|one| {
                let (board, mover) = (one.board, Color::Black);
                scored(
                    Position { board, mover },
                    one.label.value,
                    one.label.is_exact,
                )
            })),
            Records::Games(games) => {
                let plies = games.iter().filter_map(TrainingGame::plies).flatten();
                all.extend(plies.map(|ply| {
                    let (board, mover) = (ply.board, ply.mover);
                    let is_exact = ply.search.is_some_and(|search| search.is_exact);
                    scored(
                        Position { board, mover },
                        Value::from_score(ply.score),
                        is_exact,
                    )
                }));
            }
        }
    }
    Ok(all)
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
