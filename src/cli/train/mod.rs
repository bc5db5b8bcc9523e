//! `emilia train`: fits pattern weights, the net, or the error model of ProbCut to data.
//! The algorithms are in [`crate::train`]. Read `read` (the data) and `fit_weights` first.

mod chart;
pub(super) mod error_model;
mod net;
mod read;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::options::{ForceOption, FromFile, GlobalOptions, from_file};
use super::{Failure, Verdict};
use crate::board::Board;
use crate::eval::{Classic, Evaluator, Features, Light, Pattern, PatternWeights, STAGES};
use crate::files::{self, FileError};
use crate::train::{Checkpoint, ErrorStats, Fit, Fitted, Job, SampleKind, Split, StageFit};
use crate::view::width;
use crate::view::{Align, ProgressBar, Table};
use chart::chart;
use error_model::ErrorModelOptions;
use read::read;

/// Default λ of the TD(λ) labels, chosen by matches between several values.
const DEFAULT_LAMBDA: f32 = 0.75;

/// Heading of the options of the pattern fit in the help.
const FIT: &str = "Fit of the weights";

/// Arguments of `emilia train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions of games get TD(λ) labels from the search values stored with the games: (1 − λ) · value
+ λ · label of the next position. Exact values are used unchanged. At each number of empties the
kinds of positions (games, leaves, branches) have the same total weight, and the weight of a
position is at most 4.

One game in twenty, and one block of labelled positions in twenty, is held out. The errors printed
are those on held-out positions. The fit is deterministic for any number of threads. Two sets of
weights are fitted: those of the evaluation, and those of a light evaluation for move ordering in
the second half of the game.

--net trains the net instead, by stochastic gradient descent over the positions in random order,
from files that may be larger than memory. The first of every fifty blocks is held out. It resumes
after the last four million positions.

The fit needs 24 bytes of memory for each position, and 0.3 GiB besides: 5 million games of 38
positions need 5 GiB. The same command resumes an interrupted run after the last finished stage.
The checkpoint is FILE.part until the end. A checkpoint of other data or options is refused; with
--restart it is renamed to FILE.part.1, or the next free number.

Examples:
  emilia train --data 1.games 1.positions --out 1.weights --svg errors.svg
  emilia train --data 2.games --prior 1.weights --out 2.weights
  emilia train --net --data 1.games 1.positions --out 1.net --epochs 2
  emilia train --data 1.games --fit-selectivity
  emilia play --weights 2.weights")]
pub(super) struct Args {
    /// Training data of `emilia selfplay`: games, positions or both
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// File to write the weights to
    #[arg(long, value_name = "FILE", required_unless_present = "fit_selectivity")]
    out: Option<PathBuf>,

    /// Random seed of held-out data, sampled positions, initial net, and order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Start from scratch. An existing checkpoint is renamed
    #[arg(long, requires = "out")]
    restart: bool,

    /// Write a chart of the errors by pass and by stage
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// λ of the TD(λ) labels: 0 is the search value at each position, 1 the final score of the game
    #[arg(
        long,
        help_heading = FIT,
        value_name = "L",
        default_value_t = DEFAULT_LAMBDA,
        value_parser = unit_interval,
    )]
    lambda: f32,

    /// Maximum iterations of conjugate gradients for each stage, one pass over the data each
    #[arg(
        long,
        help_heading = FIT,
        conflicts_with = "net",
        value_name = "N",
        default_value_t = Fit::default().passes as u32,
        value_parser = clap::value_parser!(u32).range(1..=1000),
    )]
    passes: u32,

    /// L2 regularisation: number of positions that count as much as the prior.
    /// The prior of a stage is the weights of the next stage
    #[arg(
        long,
        help_heading = FIT,
        conflicts_with = "net",
        value_name = "N",
        default_value_t = Fit::default().ridge,
        value_parser = positive,
    )]
    ridge: f32,

    /// File of weights that are the prior of their stages instead
    #[arg(
        long,
        help_heading = FIT,
        conflicts_with = "net",
        value_name = "FILE",
        value_parser = from_file(pattern_weights),
    )]
    prior: Option<FromFile<Arc<PatternWeights>>>,

    /// Weight of a position in the two neighbouring stages, 0 to 1
    #[arg(
        long,
        help_heading = FIT,
        conflicts_with = "net",
        value_name = "SHARE",
        default_value_t = Fit::default().neighbours,
        value_parser = unit_interval,
    )]
    neighbours: f32,

    #[command(flatten)]
    net: net::NetOptions,

    #[command(flatten)]
    error_model: ErrorModelOptions,
}

/// Fits the weights if `--out` is given, otherwise the error model.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    match &args.out {
        Some(path) if args.net.net => net::run(args, path, global, out),
        Some(path) => fit_weights(args, path, global, out),
        None => error_model::run(args, global, out),
    }
}

/// Fits the pattern weights, writes them, and prints the errors.
fn fit_weights(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let start = Instant::now();
    args.check_paths(path, global)?;
    let read = read(args, global.threads_or_cores())?;
    let (games, split) = (read.games, read.split);
    writeln!(out, "{games} games; training and held-out positions:")?;
    for kind in SampleKind::ALL {
        let counts = [&split.training, &split.held_out].map(|samples| samples.count(kind));
        if counts != [0, 0] {
            writeln!(out, "{:>9} {:>11} {:>9}", kind.name(), counts[0], counts[1])?;
        }
    }
    if split.bad > 0 {
        writeln!(
            out,
            "{} records are no legal games and were skipped",
            split.bad
        )?;
    }
    out.flush()?;

    let stages = fit(args, path, global, read.checksum, &split, out)?;
    let file = PatternWeights::pack(&weights(&stages.full), &weights(&stages.light));
    let fitted = PatternWeights::from_bytes(&file).map_err(|error| {
        Failure::Input(format!(
            "the fitted weights are no file of weights: {error}"
        ))
    })?;
    write_weights(path, &file)?;

    let pattern = Pattern::new(fitted.into());
    let curve = learning_curve(&stages.full);
    let errors = StageErrors::of(&split, &pattern);
    let shown = |table: Table| table.fitted(width());
    writeln!(out, "\n{}", shown(curve_table(&curve)))?;
    writeln!(out, "{}", shown(errors_table(&errors)))?;
    if let Some(table) = empties_table(&split, &pattern) {
        writeln!(out, "{}", shown(table))?;
    }
    if let Some(path) = &args.svg {
        files::replace(path, chart(games, &split, &curve, &errors).as_bytes())?;
    }
    writeln!(
        out,
        "{} bytes of weights, {:.1} s",
        file.len(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(Verdict::Yes)
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
}

fn weights(stages: &[StageFit]) -> Vec<Vec<f32>> {
    stages.iter().map(|stage| stage.weights.clone()).collect()
}

/// Fits the stages that the checkpoint does not hold yet.
fn fit(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    data_checksum: u64,
    split: &Split,
    out: &mut dyn Write,
) -> Result<Fitted, Failure> {
    let fit = Fit {
        ridge: args.ridge,
        passes: args.passes as usize,
        neighbours: args.neighbours,
    };
    let prior = args.prior.as_ref().map(|prior| &*prior.content);
    let positions = SampleKind::ALL.map(|kind| split.training.count(kind));
    let positions: usize = positions.into_iter().sum();
    let job = Job::new([
        ("data", data_fact(positions as u64, data_checksum)),
        ("--seed", args.seed.to_string()),
        ("--lambda", args.lambda.to_string()),
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
    ]);
    let (mut checkpoint, finished) = Checkpoint::open(&checkpoint_of(args, path, out)?, &job)?;
    if !finished.is_empty() {
        writeln!(
            out,
            "resumed: {} of {} stages are finished",
            finished.len(),
            Fit::STAGES
        )?;
        out.flush()?;
    }
    let bar = ProgressBar::new("passes");
    let fitted = fit.run(
        split,
        prior,
        global.threads_or_cores(),
        finished,
        |stage| checkpoint.append(stage),
        &|done, total| {
            bar.update(done, total);
        },
    )?;
    Ok(fitted)
}

/// Writes the weights and deletes their checkpoint.
fn write_weights(path: &Path, file: &[u8]) -> Result<(), files::FileError> {
    files::replace(path, file)?;
    let checkpoint = checkpoint_path(path);
    fs::remove_file(&checkpoint).map_err(|error| files::FileError::new(&checkpoint, error))
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

/// Formats the training data as a parameter of a [`Job`].
fn data_fact(positions: u64, checksum: u64) -> String {
    format!("{positions} training positions with checksum {checksum:016x}")
}

/// Formats the initial weights as a parameter of a [`Job`].
fn weights_fact(checksum: Option<u64>) -> String {
    checksum.map_or("none".to_owned(), |checksum| {
        format!("weights with checksum {checksum:016x}")
    })
}

/// Returns the path of the checkpoint: the path of the weights with `.part` appended.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    name.into()
}

/// Returns the errors before the first pass and after each, summed over all stages.
/// The first of each pair is for training positions, the second for held-out positions.
fn learning_curve(stages: &[StageFit]) -> Vec<[ErrorStats; 2]> {
    let passes = stages
        .iter()
        .map(|stage| stage.curve.len())
        .max()
        .unwrap_or(0);
    (0..passes)
        .map(|pass| {
            let mut errors = [ErrorStats::default(); 2];
            for stage in stages {
                // A stage that converged earlier keeps its last errors.
                if let Some(more) = stage.curve.get(pass).or(stage.curve.last()) {
                    errors = [errors[0].and(more[0]), errors[1].and(more[1])];
                }
            }
            errors
        })
        .collect()
}

/// Errors on the held-out positions of one stage.
#[derive(Clone, Copy, Debug, Default)]
struct StageErrors {
    pattern: ErrorStats,
    /// Errors of the light evaluation. Empty in stages that do not use it.
    light: ErrorStats,
    classic: ErrorStats,
    /// Errors of a constant: the mean label of the training positions.
    constant: ErrorStats,
}

impl StageErrors {
    /// Returns the errors of each stage.
    fn of(split: &Split, pattern: &Pattern) -> Vec<StageErrors> {
        (0..STAGES)
            .map(|stage| {
                let training = split.training.stage(stage);
                let constant = ErrorStats::all(training, |_| 0.0);
                let held_out = |predict: &dyn Fn(&Board) -> f64| {
                    ErrorStats::all(split.held_out.stage(stage), predict)
                };
                StageErrors {
                    pattern: held_out(&|board| pattern.evaluate(board).discs()),
                    light: if stage < Light::FIRST_STAGE {
                        ErrorStats::default()
                    } else {
                        held_out(&|board| pattern.evaluate_for_ordering(board).discs())
                    },
                    classic: held_out(&|board| Classic.evaluate(board).discs()),
                    constant: held_out(&|_| -constant.mean()),
                }
            })
            .collect()
    }

    /// Returns the errors of both stages together.
    fn and(&self, other: &StageErrors) -> StageErrors {
        StageErrors {
            pattern: self.pattern.and(other.pattern),
            light: self.light.and(other.light),
            classic: self.classic.and(other.classic),
            constant: self.constant.and(other.constant),
        }
    }
}

fn curve_table(curve: &[[ErrorStats; 2]]) -> Table {
    let mut table = Table::new([
        ("pass", Align::Right),
        ("RMSE training", Align::Right),
        ("RMSE held-out", Align::Right),
    ]);
    for (pass, errors) in curve.iter().enumerate() {
        let rmse = errors.map(|error| format!("{:.3}", error.rmse()));
        table.row([&[pass.to_string()][..], &rmse].concat());
    }
    table
}

fn errors_table(stages: &[StageErrors]) -> Table {
    let columns = [
        "discs", "held-out", "MAE", "RMSE", "light", "RMSE", "classic", "RMSE", "constant", "RMSE",
    ];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let mut row = |name: String, errors: &StageErrors| {
        let mut cells = vec![name, format!("{:.0}", errors.pattern.count)];
        for error in [
            errors.pattern,
            errors.light,
            errors.classic,
            errors.constant,
        ] {
            cells.extend([error.mae(), error.rmse()].map(|discs| {
                if error.count > 0.0 {
                    format!("{discs:.2}")
                } else {
                    String::new()
                }
            }));
        }
        table.row(cells);
    };
    let mut all = StageErrors::default();
    for (stage, errors) in stages.iter().enumerate() {
        all = all.and(errors);
        if errors.pattern.count > 0.0 {
            row(format!("{}-{}", 4 + 2 * stage, 5 + 2 * stage), errors);
        }
    }
    row("all".to_owned(), &all);
    table
}

/// Returns the errors by number of empties and kind of positions, or `None` if all are of games.
fn empties_table(split: &Split, pattern: &Pattern) -> Option<Table> {
    let rows: Vec<[ErrorStats; 3]> = (0..=60)
        .map(|empties| {
            SampleKind::ALL
                .map(|kind| ErrorStats::of_evaluator(split.held_out.group(empties, kind), pattern))
        })
        .collect();
    kinds_table(&rows)
}

/// Returns a table of errors with a row for each number of empties.
/// Rows without leaves and branches are omitted. Returns `None` if no row is left.
fn kinds_table(rows: &[[ErrorStats; 3]]) -> Option<Table> {
    let columns: Vec<String> = SampleKind::ALL
        .iter()
        .flat_map(|kind| [kind.name().to_owned(), "mean".to_owned(), "MAE".to_owned()])
        .collect();
    let columns = std::iter::once("empties").chain(columns.iter().map(String::as_str));
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let cells = |errors: [ErrorStats; 3]| {
        errors.into_iter().flat_map(|error| {
            [
                format!("{:.0}", error.count),
                format!("{:+.2}", error.mean()),
                format!("{:.2}", error.mae()),
            ]
        })
    };
    let mut all = None;
    for (empties, &errors) in rows.iter().enumerate() {
        let [_, leaves, branches] = errors;
        if leaves.count + branches.count > 0.0 {
            table.row(std::iter::once(empties.to_string()).chain(cells(errors)));
            let before: [ErrorStats; 3] = all.unwrap_or_default();
            all = Some(std::array::from_fn(|kind| before[kind].and(errors[kind])));
        }
    }
    all.map(|all| {
        table.row(std::iter::once("all".to_owned()).chain(cells(all)));
        table
    })
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if f32::is_finite(number) && number > 0.0 => Ok(number),
        _ => Err("expected a number above 0".to_owned()),
    }
}

fn pattern_weights(file: &str) -> Result<Arc<PatternWeights>, String> {
    let weights = PatternWeights::read(file).map_err(|error| error.to_string())?;
    Ok(Arc::new(weights))
}

fn unit_interval(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}
