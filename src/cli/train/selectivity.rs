//! `emilia train selectivity`: fits the error model of ProbCut and prints it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::cli::options::{EngineOptions, whole};
use crate::cli::{CommandResult, Verdict, refused};
use emilia_core::search::{Engine, Selectivity};
use emilia_train::{ProbCutFit, read_games, sample_positions, search_all};
use emilia_view::ProgressBar;

/// Default hash size of a thread in MiB. The table is cleared for each position.
const HASH_MIB: usize = 16;

/// Arguments of `emilia train selectivity`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the coefficients of the error model of the evaluation of --eval or --weights.

Examples:
  emilia train selectivity --data 1.games
  emilia train selectivity --data 1.games --eval classic --positions 3000")]
pub(super) struct Args {
    /// Games of `emilia selfplay`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// Number of positions, at most one from each game
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = whole::<u32>(1..=1_000_000))]
    positions: u32,

    /// Depth of the deepest search, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 10)]
    #[arg(value_parser = whole::<u32>(1..=30))]
    depth: u32,

    /// Random seed of the sampled positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Searches the positions and fits the model. Prints the residuals, and the coefficients as Rust
/// source.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let start = Instant::now();
    let games = read_games(&args.data)?;
    let boards = sample_positions(&games, args.positions as usize, args.seed);
    drop(games);
    let settings = (args.engine)
        .settings_with_hash(HASH_MIB)
        .with_selectivity(Selectivity::P100);
    let threads = args.engine.threads_or_cores().get().min(boards.len());
    let mut engines = Engine::several(&settings, threads)?;
    let bar = ProgressBar::new("positions");
    let done = |count| bar.update(count, boards.len());
    let searched = search_all(&mut engines, &boards, args.depth, &done);
    drop(bar);
    let (count, depth) = (searched.len(), args.depth);
    let fit = ProbCutFit::of(&searched).ok_or_else(|| {
        refused(format!(
            "{count} positions searched {depth} plies deep: too few positions, or too few depths \
             and empties, to determine the coefficients"
        ))
    })?;
    let ([midgame, endgame], residuals) = (fit.pairs, fit.rms_residuals);
    writeln!(
        out,
        "{count} positions, {midgame} pairs of searches, {endgame} of a search and a final score, \
         {:.1} s\n\n\
         RMS of the residuals of ln σ: midgame {:.3}, endgame {:.3}\n\n\
         midgame: {:.3?},\nendgame: {:.3?},",
        start.elapsed().as_secs_f64(),
        residuals[0],
        residuals[1],
        fit.model.midgame,
        fit.model.endgame
    )?;
    Ok(Verdict::Yes)
}
