//! `emilia train pattern`: fits the pattern weights by least squares.

use std::io::Write;
use std::sync::Arc;

use super::weights::WeightsOptions;
use crate::cli::{CommandResult, Verdict, refused};
use emilia_core::eval::{Evaluator, Pattern, PatternWeights};
use emilia_files::Paths;
use emilia_train::fit_patterns;
use emilia_view::ProgressBar;

/// Arguments of `emilia train pattern`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Labels and held-out positions are those of `emilia train net`. Two sets of weights are fitted: \
those of the evaluation, and those of a light evaluation for move ordering in the second half of \
the game. The fit is deterministic for any number of threads.

The fit needs 32 bytes of memory for each position, and 0.3 GiB besides: 5 million games of 38 \
positions need 6 GiB.

Examples:
  emilia train pattern --data 1.games 1.positions --out 1.weights
  emilia play --weights 1.weights")]
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
    let file = fit_patterns(training, threads, &|done, total| bar.update(done, total));
    drop(bar);
    let weights = PatternWeights::from_bytes(&file)
        .map_err(|error| refused(format!("the fitted weights: {error}")))?;
    let pattern = Pattern::new(Arc::new(weights));
    let held_out = run.stream.held_out(threads)?;
    run.finish(
        &file,
        &held_out,
        |board| pattern.evaluate(board).discs(),
        out,
    )?;
    Ok(Verdict::Yes)
}
