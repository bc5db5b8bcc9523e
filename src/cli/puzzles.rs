//! `emilia puzzles`: finds positions with one best move, the puzzles of the Practice page.

use std::io::Write;
use std::path::PathBuf;

use super::inputs::{archives, report, unless_left_out};
use super::options::{EngineOptions, whole};
use super::{CommandResult, Failure, Verdict, interrupt_flag};
use emilia_files::{FileError, MIB};
use emilia_games::archive::GamePlace;
use emilia_review::practice::{Puzzle, PuzzleMaker};
use emilia_view::ProgressBar;

/// Maximum size of the file `--out`, in bytes.
const MAX_FILE: u64 = 64 * MIB;

/// Arguments of `emilia puzzles`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A puzzle is a position of the games with one best move: 3 discs or more ahead of the second, or the \
only move that wins. Up to 22 empty squares both moves are solved exactly. Other positions are \
searched to depths 22, 23, 24 and 25, which agree. A game gives one puzzle at most. They are spread evenly over 8 to 52 empty \
squares, and over the share of average club players (h10) who find the move. No two are alike, also \
mirrored, turned or with the colours exchanged.

The same command goes on behind the last puzzle of --out, also with more games at the end. With \
--threads 1 it always makes the same puzzles. src/review/practice/README.md has the format of the file.

Example:
  emilia match --player builtin:level=h5 --player builtin:level=h9 --player builtin:level=h13 \\
      --openings xot --games 1000 --out games.jsonl
  emilia puzzles --from games.jsonl --out puzzles.bin --threads 1")]
pub(super) struct Args {
    /// Files or folders of games
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,

    /// File to which each puzzle is appended, 20 bytes for each
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of puzzles, the puzzles in --out included
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = whole::<usize>(1..=100_000))]
    count: usize,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Examines the positions of the games in order, and appends the puzzles among them to `--out`. If
/// `--out` contains puzzles, skips the games up to the game of the last puzzle.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let path = &args.out;
    (args.engine.paths())
        .input(&args.from)
        .append_output("--out", Some(path))
        .check(false)?;
    let (archives, bad) = archives(&args.from, args.engine.threads_or_cores())?;
    let visited = archives.visit(|all: &mut Vec<GamePlace>, place, _| all.push(place));
    report(&visited.bad);
    let mut engine = args.engine.engine()?;
    let mut file = emilia_files::open_to_append(path)?;
    let bytes = emilia_files::read_stream(path, &file, MAX_FILE)?;
    let made = Puzzle::read(&bytes).map_err(|why| FileError::refused(path, why))?;
    let (bar, interrupted) = (ProgressBar::new("puzzles"), interrupt_flag()?);
    engine.set_interrupt(interrupted.clone());
    let mut maker = PuzzleMaker::new(engine, &made, args.count)?;
    let mut last = made.last().map(|puzzle| puzzle.board);
    let mut number = made.len();
    archives.visit_at(&visited.results.concat(), |_, game| {
        // A game gives at most one puzzle, because the next positions resemble the puzzle.
        for position in game.game().positions() {
            if last.is_some() {
                last = last.filter(|&last| last != position.board);
                if last.is_none() {
                    break;
                }
            } else if number >= args.count || interrupted.is_set() {
                break;
            } else if let Some(puzzle) = maker.puzzle(position) {
                emilia_files::append(path, &mut file, &puzzle.bytes())?;
                number += 1;
                bar.update(number, args.count);
                break;
            }
        }
        Ok::<(), Failure>(())
    })?;
    drop(bar);
    if last.is_some() {
        bail!(
            "the last puzzle of '{}' is not of these games",
            path.display()
        );
    }
    writeln!(out, "{number} puzzles in {}", path.display())?;
    if interrupted.is_set() {
        return Ok(Verdict::Interrupted);
    }
    unless_left_out(bad + visited.bad.len(), archives.games() + bad, "games")
}
