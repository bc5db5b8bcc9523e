//! `emilia train light`: fits the light weights by least squares.

use std::io::Write;

use super::weights::WeightsOptions;
use crate::cli::{CommandResult, Verdict, refused};
use emilia_core::eval::{Light, light::MOST_EMPTIES};
use emilia_files::Paths;
use emilia_train::fit_light;
use emilia_view::ProgressBar;

/// Arguments of `emilia train light`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The light weights order moves where at most 30 squares are empty. Labels and held-out positions \
are those of `emilia train net`. The fit is deterministic for any number of threads. Only the \
library embeds the weights: src/train/README.md.

The fit needs 32 bytes of memory for each position, and 0.3 GiB besides: 5 million games of 38 \
positions need 6 GiB.

Example:
  emilia train light --data 1.games 1.positions --out light.bin")]
pub(super) struct Args {
    #[command(flatten)]
    weights: WeightsOptions,
}

/// Fits the weights and writes them.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let threads = args.weights.threads.threads_or_cores();
    let run = args.weights.begin(Paths::default(), out)?;
    out.flush()?;
    let bar = ProgressBar::new("passes");
    let training = run.stream.training(threads)?;
    let file = fit_light(training, threads, &|done, total| bar.update(done, total));
    drop(bar);
    let light = Light::from_bytes(&file)
        .map_err(|error| refused(format!("the fitted weights: {error}")))?;
    let mut held_out = run.stream.held_out(threads)?;
    held_out.retain(|one| one.board.empty_count() <= MOST_EMPTIES);
    let evaluate = |board: &_| light.evaluate(board).discs();
    run.finish(&file, &held_out, evaluate, out)?;
    Ok(Verdict::Yes)
}
