//! `emilia train net`: trains the net by stochastic gradient descent.

use crate::cli::options::whole;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::weights::WeightsOptions;
use crate::cli::{CommandResult, Verdict};
use emilia_core::board::Board;
use emilia_core::eval::net::Parameters;
use emilia_core::eval::{Evaluator, Net};
use emilia_files::{FileError, MIB, Paths};
use emilia_train::{NetTraining, PoolErrors};
use emilia_view::ProgressBar;

/// Maximum size in bytes of a file of a net.
const MAX_NET_BYTES: u64 = 64 * MIB;

/// Arguments of `emilia train net`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The first of every fifty blocks of the data (256 games or 64 roots) is held out. The errors \
printed are those on held-out positions. Files may be larger than memory. The result does not \
depend on the number of threads.

The same command resumes an interrupted run after the last four million positions. The checkpoint \
is FILE.part until the end. A checkpoint of other data or options is refused.

Examples:
  emilia train net --data 1.games 1.positions --out 1.net --epochs 2
  emilia play --weights 1.net")]
pub(super) struct Args {
    #[command(flatten)]
    weights: WeightsOptions,

    /// Number of epochs
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = whole::<u64>(1..=1000))]
    epochs: u64,

    /// Learning rate after the warm-up
    #[arg(long, value_name = "RATE", default_value_t = 2e-3)]
    #[arg(value_parser = positive)]
    learning_rate: f32,

    /// File of a net to start from, instead of random weights
    #[arg(long, value_name = "FILE")]
    initial: Option<PathBuf>,
}

/// Trains the net pool by pool. A pool is a part of an epoch: the positions that are in memory at
/// the same time. The state after each pool is written to the checkpoint file, `--out` with `.part`
/// appended, from which an interrupted run resumes.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let mut checkpoint = OsString::from(&args.weights.out);
    checkpoint.push(".part");
    let checkpoint = Path::new(&checkpoint);
    let paths = Paths::default()
        .input(&args.initial)
        .append_output("the checkpoint of --out", Some(checkpoint));
    let run = args.weights.begin(paths, out)?;
    let initial = args.initial.as_deref().map(read_parameters).transpose()?;
    let threads = args.weights.threads.threads_or_cores();
    let mut training = NetTraining::new(
        args.epochs,
        args.learning_rate,
        &run.stream,
        initial.as_ref(),
        threads,
    )?;
    let (mut done, all) = training.progress();
    if training.resume(checkpoint)? {
        (done, _) = training.progress();
        writeln!(out, "resumed: {done} of {all} pools are done")?;
    }
    out.flush()?;
    let mut curve = String::new();
    let bar = ProgressBar::new("positions");
    for pool in done..all {
        let on_batch = |done, total| bar.update(done as usize, total as usize);
        let errors = training.next_pool(&on_batch)?;
        training.write_checkpoint(checkpoint)?;
        let PoolErrors { training, held_out } = errors;
        let errors = format!("RMSE {training:.3} training, {held_out:.3} held-out");
        bar.set_message(&errors);
        let _ = writeln!(curve, "pool {}: {errors}", pool + 1);
    }
    drop(bar);
    write!(out, "\n{curve}")?;
    let parameters = training.parameters();
    let net = Net::new(Arc::new(parameters.quantised()));
    let evaluate = |board: &Board| net.evaluate(board).discs();
    run.finish(&parameters.pack(), &training.held_out, evaluate, out)?;
    fs::remove_file(checkpoint).map_err(|error| FileError::new(checkpoint, error))?;
    Ok(Verdict::Yes)
}

/// Reads the parameters of a net from a file.
pub(super) fn read_parameters(path: &Path) -> Result<Parameters, FileError> {
    let file = emilia_files::read(path, MAX_NET_BYTES)?;
    Parameters::from_bytes(&file).map_err(|error| FileError::refused(path, error.to_string()))
}

/// Parses a finite number above 0.
fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let valid = number.filter(|number: &f32| number.is_finite() && *number > 0.0);
    valid.ok_or_else(|| "expected a number above 0".to_owned())
}
