//! `emilia train`: fits pattern weights, the net, the error model of ProbCut, or the model of
//! people to data.
//! [`crate::train`] has the algorithms and the reports.

pub(super) mod error_model;
mod level;
mod people;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::options::{ForceOption, FromFile, GlobalOptions, from_file};
use super::{CommandResult, Failure, Verdict, refused};
use crate::board::Board;
use crate::eval::net::Parameters;
use crate::eval::{
    Classic, Evaluator, Features, Light, Net, NetWeights, Pattern, PatternWeights, stage,
};
use crate::files::{self, FileError, MIB, checksum};
use crate::train::report::{NamedEvaluation, TrainingReport};
use crate::train::{
    FitCheckpoint, FitPositions, NetFit, NetPhase, NetTraining, PatternFit, PositionStream,
    SampleKind, TrainJob,
};
use crate::view::{ProgressBar, width};
use error_model::ErrorModelOptions;
use people::PeopleOptions;

/// Default λ of the TD(λ) labels, chosen by matches between several values.
const DEFAULT_LAMBDA: f32 = 0.75;

/// Maximum size in bytes of a file of a net.
const MAX_NET_BYTES: u64 = 64 * MIB;

/// Heading of the options of the pattern fit in the help.
const FIT: &str = "Fit of the weights";

/// Heading of the options of the net in the help.
const NET: &str = "Training of the net";

/// Arguments of `emilia train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions of games get TD(λ) labels from the search values stored with the games:
(1 − λ) · value + λ · label of the next position. Exact values are used unchanged. At each number
of empties the kinds of positions (games, leaves, branches) have the same total weight, and the
weight of a position is at most 4.

The first of every fifty blocks of the data (256 games or 64 roots) is held out. The errors printed
are those on held-out positions. The fit is deterministic for any number of threads. Two sets of
weights are fitted: those of the evaluation, and those of a light evaluation for move ordering in
the second half of the game.

--net trains the net instead, by stochastic gradient descent over the positions in random order,
from files that may be larger than memory. It resumes after the last four million positions.

--fit-people fits the model of how people choose moves, and prints its temperatures and weights.
It writes no file.

The fit needs 32 bytes of memory for each position, and 0.3 GiB besides: 5 million games of 38
positions need 6 GiB. The same command resumes an interrupted run after the last finished stage.
The checkpoint is FILE.part until the end. A checkpoint of other data or options is refused; with
--restart it is renamed to FILE.part.1, or the next free number.

Examples:
  emilia train --data 1.games 1.positions --out 1.weights --svg errors.svg
  emilia train --data 2.games --prior 1.weights --out 2.weights
  emilia train --net --data 1.games 1.positions --out 1.net --epochs 2
  emilia selfplay --weights 1.net --out 2.games --games 8192 --depth 8 --seed 2
  emilia train --level --data 2.games --initial 1.net --out 2.net
  emilia train --data 1.games --fit-selectivity
  emilia train --fit-people --data wthor/ --held-out WTH_2019.wtb
  emilia play --weights 2.weights")]
pub(super) struct Args {
    /// Training data of `emilia selfplay`: games, positions or both. For --fit-people files or
    /// folders of games of people
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// File to write the weights to
    #[arg(long, value_name = "FILE")]
    #[arg(required_unless_present_any = ["fit_selectivity", "fit_people"])]
    out: Option<PathBuf>,

    /// Random seed of sampled positions, initial net, and order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Start from scratch. An existing checkpoint is renamed
    #[arg(long, requires = "out")]
    restart: bool,

    /// Write a chart of the learning curve and of the errors
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// λ of the TD(λ) labels: 0 takes the search value of each position, 1 the final score
    #[arg(long, help_heading = FIT, value_name = "L")]
    #[arg(default_value_t = DEFAULT_LAMBDA, value_parser = unit_interval)]
    lambda: f32,

    /// Maximum iterations of conjugate gradients for each stage, one pass over the data each
    #[arg(long, help_heading = FIT, value_name = "N")]
    #[arg(conflicts_with = "net")]
    #[arg(default_value_t = PatternFit::default().passes as u32)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,

    /// L2 regularisation: number of positions that count as much as the prior.
    /// The prior of a stage is the weights of the next stage
    #[arg(long, help_heading = FIT, value_name = "N")]
    #[arg(conflicts_with = "net", default_value_t = PatternFit::default().ridge)]
    #[arg(value_parser = positive)]
    ridge: f32,

    /// File of weights that are the prior of their stages instead
    #[arg(long, help_heading = FIT, value_name = "FILE")]
    #[arg(conflicts_with = "net", value_parser = from_file(pattern_weights))]
    prior: Option<FromFile<Arc<PatternWeights>>>,

    /// Weight of a position in the two neighbouring stages, 0 to 1
    #[arg(long, help_heading = FIT, value_name = "SHARE")]
    #[arg(conflicts_with = "net")]
    #[arg(default_value_t = PatternFit::default().neighbours)]
    #[arg(value_parser = unit_interval)]
    neighbours: f32,

    #[command(flatten)]
    net: NetOptions,

    #[command(flatten)]
    error_model: ErrorModelOptions,

    #[command(flatten)]
    people: PeopleOptions,
}

/// Options of the net.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = NET)]
struct NetOptions {
    /// Train the net by stochastic gradient descent, instead of the pattern weights
    #[arg(long, conflicts_with = "fit_selectivity")]
    net: bool,

    /// Number of epochs
    #[arg(long, value_name = "N")]
    #[arg(default_value_t = NetFit::default().epochs, requires = "net")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    epochs: u64,

    /// Positions in a batch
    #[arg(long, value_name = "N")]
    #[arg(default_value_t = NetFit::default().batch as u32, requires = "net")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65536))]
    batch: u32,

    /// Learning rate after the warm-up
    #[arg(long, value_name = "RATE")]
    #[arg(default_value_t = NetFit::default().learning_rate, requires = "net")]
    #[arg(value_parser = positive)]
    learning_rate: f32,

    /// Train only rows and layers of this phase of the game, by its positions. The net of
    /// --initial gives the others
    #[arg(
        long,
        value_name = "NAME",
        requires = "net",
        requires = "initial",
        value_enum
    )]
    phase: Option<PhaseName>,

    /// File of a net to start from, instead of random weights
    #[arg(long, value_name = "FILE")]
    initial: Option<PathBuf>,

    /// Set the output biases of the net of --initial from games that it has played, instead of
    /// training. The mean error of its searches is then independent of the number of empties
    #[arg(long, requires = "initial", requires = "out")]
    #[arg(conflicts_with_all = ["net", "fit_selectivity", "lambda", "svg"])]
    level: bool,
}

/// Phase of the game, by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PhaseName {
    /// More than 25 empties
    Early,
    /// At most 25 empties
    Late,
}

impl From<PhaseName> for NetPhase {
    fn from(name: PhaseName) -> NetPhase {
        match name {
            PhaseName::Early => NetPhase::Early,
            PhaseName::Late => NetPhase::Late,
        }
    }
}

/// Fits weights if `--out` is given, otherwise the error model.
pub(super) fn run(args: &Args, global: &GlobalOptions, out: &mut dyn Write) -> CommandResult {
    let Some(path) = &args.out else {
        return if args.people.fit_people {
            people::run(args, global, out)
        } else {
            error_model::run(args, global, out)
        };
    };
    args.check_paths(path, global)?;
    if let (true, Some(initial)) = (args.net.level, &args.net.initial) {
        return level::run(args, path, initial, out);
    }
    let start = Instant::now();
    let stream = open(args)?;
    writeln!(out, "training positions:")?;
    for kind in SampleKind::ALL {
        if stream.count_of(kind) > 0 {
            writeln!(out, "{:>9} {:>11}", kind.name(), stream.count_of(kind))?;
        }
    }
    out.flush()?;
    let (file, report) = if args.net.net {
        train_net(args, path, global, &stream, out)?
    } else {
        fit_pattern(args, path, global, &stream, out)?
    };
    files::replace(path, &file)?;
    let checkpoint = checkpoint_path(path);
    fs::remove_file(&checkpoint).map_err(|error| FileError::new(&checkpoint, error))?;
    for table in report.tables() {
        write!(out, "\n{}", table.fitted(width()))?;
    }
    if let Some(svg) = &args.svg {
        files::replace(svg, report.chart().as_bytes())?;
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "\n{} bytes of weights, {seconds:.1} s", file.len())?;
    Ok(Verdict::Yes)
}

/// Trains the pools of positions that the checkpoint does not hold yet.
/// Returns the file of the net and the report.
fn train_net(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    stream: &PositionStream,
    out: &mut dyn Write,
) -> Result<(Vec<u8>, TrainingReport), Failure> {
    let fit = NetFit {
        epochs: args.net.epochs,
        batch: args.net.batch as usize,
        learning_rate: args.net.learning_rate,
        seed: args.seed,
        phase: args.net.phase.map(NetPhase::from),
    };
    let initial = args
        .net
        .initial
        .as_deref()
        .map(read_parameters)
        .transpose()?;
    let sum = initial.as_ref().map(|initial| checksum(&initial.pack()));
    let job = args.job(
        stream,
        [
            ("--epochs", fit.epochs.to_string()),
            ("--batch", fit.batch.to_string()),
            ("--learning-rate", fit.learning_rate.to_string()),
            (
                "--phase",
                fit.phase
                    .map_or("all".to_owned(), |phase| format!("{phase:?}")),
            ),
            ("--initial", weights_fact(sum)),
            ("patterns", format!("{:016x}", NetWeights::feature_set())),
        ],
    );
    let mut training = NetTraining::new(fit, stream, initial.as_ref(), global.threads_or_cores())?;
    let checkpoint = checkpoint_of(args, path, out)?;
    if training.resume(&checkpoint, &job)? {
        let (done, all) = training.progress();
        writeln!(out, "resumed: {done} of {all} pools are done")?;
        out.flush()?;
    }
    let bar = ProgressBar::new("positions");
    while !training.is_done() {
        training.next_pool(&|done, total| bar.update(done as usize, total as usize))?;
        training.write_checkpoint(&checkpoint, &job)?;
        if let Some(point) = training.curve().last() {
            bar.set_message(&format!(
                "RMSE {:.3} training, {:.3} held-out",
                point.training_rmse, point.held_out_rmse
            ));
        }
    }
    let parameters = training.parameters();
    let net = Net::new(Arc::new(parameters.quantised()));
    let evaluations: [NamedEvaluation; 4] = [
        ("net", &|board| Some(net.evaluate(board).discs())),
        ("pattern", &|board| {
            Some(Pattern::embedded().evaluate(board).discs())
        }),
        ("classic", &|board| Some(Classic.evaluate(board).discs())),
        ("unrounded", &|board| Some(parameters.value(board).into())),
    ];
    let (curve, held_out) = (training.curve(), training.held_out());
    let report = TrainingReport::new(stream.len(), curve, held_out, &evaluations);
    Ok((parameters.pack(), report))
}

/// Fits the stages of the pattern weights that the checkpoint does not hold yet.
/// Returns the file of weights and the report.
fn fit_pattern(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    stream: &PositionStream,
    out: &mut dyn Write,
) -> Result<(Vec<u8>, TrainingReport), Failure> {
    let threads = global.threads_or_cores();
    let fit = PatternFit {
        ridge: args.ridge,
        passes: args.passes as usize,
        neighbours: args.neighbours,
    };
    let prior = args.prior.as_ref().map(|prior| &*prior.content);
    let job = args.job(
        stream,
        [
            ("--passes", fit.passes.to_string()),
            ("--ridge", fit.ridge.to_string()),
            ("--neighbours", fit.neighbours.to_string()),
            (
                "--prior",
                weights_fact(prior.map(PatternWeights::fingerprint)),
            ),
            (
                "patterns",
                format!("{:016x}", PatternWeights::feature_set()),
            ),
        ],
    );
    let checkpoint = checkpoint_of(args, path, out)?;
    let (mut checkpoint, finished) = FitCheckpoint::open(&checkpoint, job)?;
    if !finished.is_empty() {
        let (done, all) = (finished.len(), PatternFit::STAGES);
        writeln!(out, "resumed: {done} of {all} stages are finished")?;
        out.flush()?;
    }
    let held_out = stream.held_out(threads)?;
    let positions = FitPositions::new(
        stream.training(threads)?,
        held_out.iter().map(|(one, _)| *one),
    );
    let bar = ProgressBar::new("passes");
    let fitted = fit.run(
        &positions,
        prior,
        threads,
        finished,
        |stage| checkpoint.append(stage),
        &|done, total| bar.update(done, total),
    )?;
    let file = fitted.pack();
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
    let report = TrainingReport::new(stream.len(), &fitted.curve(), &held_out, &evaluations);
    Ok((file, report))
}

impl Args {
    /// Checks, before the fit, that no output overwrites a file.
    ///
    /// # Errors
    /// If an output exists already or is an input.
    fn check_paths(&self, path: &Path, global: &GlobalOptions) -> Result<(), FileError> {
        global
            .paths()
            .input(&self.data)
            .input(self.net.initial.as_ref())
            .input(self.prior.as_ref().map(|prior| &prior.path))
            .output("--out", Some(path))
            .append_output("the checkpoint of --out", Some(&checkpoint_path(path)))
            .output("--svg", self.svg.as_deref())
            .check(self.force.force)
    }

    /// Returns the facts that identify the run in its checkpoint: data, seed, λ and `more`.
    fn job<const N: usize>(&self, stream: &PositionStream, more: [(&str, String); N]) -> TrainJob {
        let (count, sum) = (stream.len(), stream.checksum());
        let data = format!("{count} training positions with checksum {sum:016x}");
        let first = [
            ("data", data),
            ("--seed", self.seed.to_string()),
            ("--lambda", self.lambda.to_string()),
        ];
        TrainJob::new(first.into_iter().chain(more))
    }
}

/// Formats the initial weights as a fact of a [`TrainJob`].
fn weights_fact(checksum: Option<u64>) -> String {
    checksum.map_or("none".to_owned(), |checksum| {
        format!("weights with checksum {checksum:016x}")
    })
}

/// Opens the data and indexes its blocks.
///
/// # Errors
/// If the data cannot be read, or there are no training positions.
fn open(args: &Args) -> Result<PositionStream, Failure> {
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    let sizes: Vec<u64> = args.data.iter().map(size).collect();
    let total: u64 = sizes.iter().sum();
    let bar = ProgressBar::new("bytes");
    let on_block = |file: usize, bytes: u64| {
        let before: u64 = sizes[..file].iter().sum();
        bar.update((before + bytes) as usize, total as usize);
    };
    let phase = args.net.phase.map(NetPhase::from);
    let empties = phase.map_or(0..=Board::START.empty_count(), NetPhase::empties);
    let data = args.data.clone();
    let stream = PositionStream::open(data, args.lambda, empties, args.seed, &on_block)?;
    if stream.is_empty() {
        let why = "there are no training positions beside the first block, which is held out \
                   (expected a few hundred games at least)";
        return Err(refused(why));
    }
    Ok(stream)
}

/// Returns the path of the checkpoint.
/// With `--restart`, an existing checkpoint is renamed first.
fn checkpoint_of(args: &Args, out_path: &Path, out: &mut dyn Write) -> Result<PathBuf, Failure> {
    let path = checkpoint_path(out_path);
    if args.restart
        && let Some(kept) = files::set_aside(&path)?
    {
        writeln!(
            out,
            "the checkpoint that was there is '{}' now",
            kept.display()
        )?;
    }
    Ok(path)
}

/// Returns the path of the checkpoint: the path of the weights with `.part` appended.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    name.into()
}

/// Reads the parameters of a net from a file.
fn read_parameters(path: &Path) -> Result<Parameters, FileError> {
    let file = files::read(path, MAX_NET_BYTES)?;
    Parameters::from_bytes(&file).map_err(|error| FileError::refused(path, error.to_string()))
}

/// Reads the pattern weights of `--prior`.
fn pattern_weights(file: &str) -> Result<Arc<PatternWeights>, String> {
    let weights = PatternWeights::read(file).map_err(|error| error.to_string())?;
    Ok(Arc::new(weights))
}

/// Parses a finite number above 0.
fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// Parses a number from 0 to 1.
fn unit_interval(text: &str) -> Result<f32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
