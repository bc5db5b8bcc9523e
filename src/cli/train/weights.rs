//! What `train net` and `train pattern` share: their data, checkpoint and report.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::cli::options::{ForceOption, ThreadsOption};
use crate::cli::{CommandResult, Failure, Verdict, refused};
use emilia_files::{FileError, Paths};
use emilia_train::report::TrainingReport;
use emilia_train::{PositionStream, SampleKind, TrainJob};
use emilia_view::{ProgressBar, width};

/// Default λ of the TD(λ) labels, chosen by matches between several values.
const DEFAULT_LAMBDA: f32 = 0.75;

/// Options of a training of weights.
#[derive(Debug, clap::Args)]
pub(super) struct WeightsOptions {
    /// Training data of `emilia selfplay`: games, positions or both
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// File to write the weights to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// λ of the TD(λ) labels: 0 takes the search value of each position, 1 the final score
    #[arg(long, value_name = "L")]
    #[arg(default_value_t = DEFAULT_LAMBDA, value_parser = unit_interval)]
    lambda: f32,

    /// Random seed of the initial weights and of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,

    /// Start from scratch. An existing checkpoint is renamed
    #[arg(long)]
    restart: bool,

    #[command(flatten)]
    force: ForceOption,

    #[command(flatten)]
    pub(super) threads: ThreadsOption,
}

/// A training of weights: its data, and its start for the report.
pub(super) struct WeightsRun<'a> {
    options: &'a WeightsOptions,
    pub stream: PositionStream,
    pub(super) checkpoint: PathBuf,
    start: Instant,
}

impl WeightsOptions {
    /// Checks the files, opens the positions with these numbers of empties, and prints their
    /// numbers. `initial` is a further input file.
    ///
    /// # Errors
    /// If an output exists or is an input, the data cannot be read, or have no training positions.
    pub(super) fn begin(
        &self,
        initial: Option<&Path>,
        empties: RangeInclusive<u32>,
        out: &mut dyn Write,
    ) -> Result<WeightsRun<'_>, Failure> {
        let checkpoint = checkpoint_path(&self.out);
        Paths::default()
            .input(&self.data)
            .input(initial)
            .output("--out", Some(&self.out))
            .append_output("the checkpoint of --out", Some(&checkpoint))
            .check(self.force.force)?;
        let start = Instant::now();
        let stream = self.open(empties)?;
        writeln!(out, "training positions:")?;
        for kind in SampleKind::ALL {
            if stream.count_of(kind) > 0 {
                writeln!(out, "{:>9} {:>11}", kind.name(), stream.count_of(kind))?;
            }
        }
        if self.restart
            && let Some(kept) = emilia_files::set_aside(&checkpoint)?
        {
            let kept = kept.display();
            writeln!(out, "the checkpoint that was there is '{kept}' now")?;
        }
        out.flush()?;
        Ok(WeightsRun {
            options: self,
            stream,
            checkpoint,
            start,
        })
    }

    fn open(&self, empties: RangeInclusive<u32>) -> Result<PositionStream, Failure> {
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |file| file.len());
        let sizes: Vec<u64> = self.data.iter().map(size).collect();
        let total: u64 = sizes.iter().sum();
        let bar = ProgressBar::new("bytes");
        let on_block = |file: usize, bytes: u64| {
            let before: u64 = sizes[..file].iter().sum();
            bar.update((before + bytes) as usize, total as usize);
        };
        let data = self.data.clone();
        let stream = PositionStream::open(data, self.lambda, empties, self.seed, &on_block)?;
        if stream.is_empty() {
            let why = "there are no training positions beside the first block, which is held out \
                       (expected a few hundred games at least)";
            return Err(refused(why));
        }
        Ok(stream)
    }
}

impl WeightsRun<'_> {
    /// Returns the facts that identify the run in its checkpoint: data, seed, λ and `more`.
    pub(super) fn job<'a>(&self, more: impl IntoIterator<Item = (&'a str, String)>) -> TrainJob {
        let (count, sum) = (self.stream.len(), self.stream.checksum());
        let first = [
            (
                "data",
                format!("{count} training positions with checksum {sum:016x}"),
            ),
            ("--seed", self.options.seed.to_string()),
            ("--lambda", self.options.lambda.to_string()),
        ];
        TrainJob::new(first.into_iter().chain(more))
    }

    /// Writes the weights, removes the checkpoint and prints the report.
    pub(super) fn finish(
        &self,
        file: &[u8],
        report: &TrainingReport,
        out: &mut dyn Write,
    ) -> CommandResult {
        emilia_files::replace(&self.options.out, file)?;
        let checkpoint = &self.checkpoint;
        fs::remove_file(checkpoint).map_err(|error| FileError::new(checkpoint, error))?;
        for table in report.tables() {
            write!(out, "\n{}", table.fitted(width()))?;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        writeln!(out, "\n{} bytes of weights, {seconds:.1} s", file.len())?;
        Ok(Verdict::Yes)
    }
}

/// Returns the path of the checkpoint: the path of the weights with `.part` appended.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(".part");
    name.into()
}

/// Parses a number from 0 to 1.
fn unit_interval(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
