//! `emilia train --net`: trains the net with [`NetTraining`] and prints its errors.

mod chart;
mod errors;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::{
    Args, Failure, Verdict, checkpoint_of, data_fact, positive, weights_fact, write_weights,
};
use crate::cli::options::GlobalOptions;
use crate::eval::net::Parameters;
use crate::eval::{Net, NetWeights};
use crate::files::{self, checksum};
use crate::train::{Job, NetFit, NetTraining, SampleKind, Stream};
use crate::view::width;
use crate::view::{Align, ProgressBar, Table};
use chart::chart;
use errors::{by_empties, errors_table, leaves_table};

/// Maximum size in bytes of a file of a net.
const MOST_BYTES: u64 = 64 * files::MIB;

/// Heading of the options of the net in the help.
const NET: &str = "Training of the net";

/// Options of the net.
#[derive(Debug, clap::Args)]
pub(super) struct NetOptions {
    /// Train the net by stochastic gradient descent, instead of the pattern weights
    #[arg(long, help_heading = NET, conflicts_with = "fit_selectivity")]
    pub(super) net: bool,

    /// Number of epochs
    #[arg(
        long,
        help_heading = NET,
        value_name = "N",
        default_value_t = NetFit::default().epochs,
        requires = "net",
        value_parser = clap::value_parser!(u64).range(1..=1000),
    )]
    epochs: u64,

    /// Positions in a batch
    #[arg(
        long,
        help_heading = NET,
        value_name = "N",
        default_value_t = NetFit::default().batch as u32,
        requires = "net",
        value_parser = clap::value_parser!(u32).range(1..=65536),
    )]
    batch: u32,

    /// Learning rate after the warm-up
    #[arg(
        long,
        help_heading = NET,
        value_name = "RATE",
        default_value_t = NetFit::default().learning_rate,
        requires = "net",
        value_parser = positive,
    )]
    learning_rate: f32,

    /// File of a net to start from, instead of random weights
    #[arg(long, help_heading = NET, value_name = "FILE", requires = "net")]
    pub(super) initial: Option<std::path::PathBuf>,
}

/// Trains the net, writes it, and prints the errors.
pub(super) fn run(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let start = Instant::now();
    args.check_paths(path, global)?;
    let stream = open(args)?;
    writeln!(out, "training positions:")?;
    for kind in SampleKind::ALL {
        if stream.count_of(kind) > 0 {
            writeln!(out, "{:>9} {:>11}", kind.name(), stream.count_of(kind))?;
        }
    }
    out.flush()?;
    let training = train(args, path, global, &stream, out)?;

    let parameters = training.parameters();
    let file = parameters.pack();
    write_weights(path, &file)?;

    let net = Net::new(Arc::new(parameters.quantised()));
    let held_out = training.held_out();
    let errors = by_empties(held_out, &parameters, &net);
    let shown = |table: Table| table.fitted(width());
    writeln!(out, "\n{}", shown(curve_table(&training)))?;
    writeln!(out, "{}", shown(errors_table(&errors)))?;
    if let Some(table) = leaves_table(held_out, &net) {
        writeln!(out, "{}", shown(table))?;
    }
    if let Some(svg) = &args.svg {
        files::replace(svg, chart(&stream, training.curve(), &errors).as_bytes())?;
    }
    writeln!(
        out,
        "{} bytes of weights, {:.1} s",
        file.len(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(Verdict::Yes)
}

/// Opens the data and scans it once.
///
/// # Errors
/// If the data cannot be read, or there are no training positions.
fn open(args: &Args) -> Result<Stream, Failure> {
    let sizes: Vec<u64> = args
        .data
        .iter()
        .map(|path| fs::metadata(path).map_or(0, |file| file.len()))
        .collect();
    let total: u64 = sizes.iter().sum();
    let bar = ProgressBar::new("bytes");
    let stream = Stream::open(args.data.clone(), args.lambda, args.seed, &|file, bytes| {
        let before: u64 = sizes[..file].iter().sum();
        bar.update((before + bytes) as usize, total as usize);
    })?;
    if stream.is_empty() {
        return Err(super::read::no_positions());
    }
    Ok(stream)
}

/// Trains the pools that the checkpoint does not hold yet.
fn train<'a>(
    args: &Args,
    path: &Path,
    global: &GlobalOptions,
    stream: &'a Stream,
    out: &mut dyn Write,
) -> Result<NetTraining<'a>, Failure> {
    let options = &args.net;
    let fit = NetFit {
        epochs: options.epochs,
        batch: options.batch as usize,
        learning_rate: options.learning_rate,
        seed: args.seed,
    };
    let initial = options
        .initial
        .as_deref()
        .map(read_parameters)
        .transpose()?;
    let job = Job::new([
        ("data", data_fact(stream.len(), stream.checksum())),
        ("--seed", fit.seed.to_string()),
        ("--lambda", args.lambda.to_string()),
        ("--epochs", fit.epochs.to_string()),
        ("--batch", fit.batch.to_string()),
        ("--learning-rate", fit.learning_rate.to_string()),
        (
            "--initial",
            weights_fact(initial.as_ref().map(|initial| checksum(&initial.pack()))),
        ),
        ("patterns", format!("{:016x}", NetWeights::feature_set())),
    ]);
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
    Ok(training)
}

/// Reads the parameters of a net from a file.
fn read_parameters(path: &Path) -> Result<Parameters, files::FileError> {
    let file = files::read(path, MOST_BYTES)?;
    Parameters::from_bytes(&file)
        .map_err(|error| files::FileError::refused(path, error.to_string()))
}

fn curve_table(training: &NetTraining) -> Table {
    let mut table = Table::new([
        ("positions", Align::Right),
        ("RMSE training", Align::Right),
        ("RMSE held-out", Align::Right),
    ]);
    for point in training.curve() {
        table.row([
            point.positions.to_string(),
            format!("{:.3}", point.training_rmse),
            format!("{:.3}", point.held_out_rmse),
        ]);
    }
    table
}
