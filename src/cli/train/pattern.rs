//! `emilia train pattern`: fits the pattern weights by least squares.

use std::io::Write;
use std::sync::Arc;

use super::weights::WeightsOptions;
use crate::cli::{CommandResult, refused};
use emilia_core::eval::{Classic, Evaluator, Features, Light, Pattern, PatternWeights, stage};
use emilia_train::{NamedEvaluation, PATTERN_STAGES, PatternFit};
use emilia_view::ProgressBar;

/// Arguments of `emilia train pattern`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Labels, held-out positions and the checkpoint are as in `emilia train net`. Two sets of weights \
are fitted: for the evaluation, and for a light evaluation for move ordering in the \
second half of the game. The fit is deterministic for any number of threads. The same command \
resumes an interrupted run after the last finished stage.

The fit needs 32 bytes of memory for each position, and 0.3 GiB besides: 5 million games of 38 \
positions need 6 GiB.

Examples:
  emilia train pattern --data 1.games 1.positions --out 1.weights
  emilia play --weights 1.weights")]
pub(super) struct Args {
    #[command(flatten)]
    weights: WeightsOptions,
}

/// Fits the stages that the checkpoint does not hold yet.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let threads = args.weights.threads.or_cores();
    let run = args.weights.begin(None, out)?;
    let mut fit = PatternFit::new(&run.stream, &run.checkpoint)?;
    let done = fit.stages.len();
    if done > 0 {
        let all = PATTERN_STAGES;
        writeln!(out, "resumed: {done} of {all} stages are finished")?;
        out.flush()?;
    }
    let bar = ProgressBar::new("passes");
    let training = run.stream.training(threads)?;
    fit.run(training, threads, &|done, total| bar.update(done, total))?;
    drop(bar);
    let file = fit.pack();
    let weights = PatternWeights::from_bytes(&file)
        .map_err(|error| refused(format!("the fitted weights: {error}")))?;
    let pattern = Pattern::new(Arc::new(weights));
    let evaluations: [NamedEvaluation; 3] = [
        ("pattern", &|board| Some(pattern.evaluate(board).discs())),
        ("light", &|board| {
            let is_late = stage(board.empty_count()) >= Light::FIRST_STAGE;
            is_late.then(|| pattern.evaluate_for_ordering(board).discs())
        }),
        ("classic", &|board| Some(Classic.evaluate(board).discs())),
    ];
    let held_out = run.stream.held_out(threads)?;
    run.finish(&file, &[], &held_out, &evaluations, out)
}
