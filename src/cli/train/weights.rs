//! Options, data and report common to `train net` and `train light`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::cli::Failure;
use crate::cli::options::{ForceOption, ThreadsOption};
use emilia_core::board::Board;
use emilia_files::Paths;
use emilia_train::{KINDS, LabelledBoard, PositionStream, errors_table};
use emilia_view::{ProgressBar, width};

/// Default λ of the TD(λ) labels, chosen by matches between several values.
const DEFAULT_LAMBDA: f32 = 0.75;

/// Options that `train net` and `train light` share.
#[derive(Debug, clap::Args)]
pub(super) struct WeightsOptions {
    /// Training data of `emilia selfplay`: games, positions or both
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// File to write the weights to
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,

    /// λ of the TD(λ) labels: 0 takes the search value of each position, 1 the final score
    #[arg(long, value_name = "L")]
    #[arg(default_value_t = DEFAULT_LAMBDA, value_parser = unit_interval)]
    lambda: f32,

    /// Random seed of the initial weights and of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    force: ForceOption,

    #[command(flatten)]
    pub(super) threads: ThreadsOption,
}

/// Training of weights in progress: its data, and the start time for the report.
pub(super) struct WeightsRun<'a> {
    out_file: &'a Path,
    pub(super) stream: PositionStream,
    start: Instant,
}

impl WeightsOptions {
    /// Checks the files of these options and of `paths`. Opens the training data and prints the
    /// number of positions of each of the [`KINDS`]: positions of games, leaves of searches, and
    /// positions of branches, which are games played on with many random moves.
    ///
    /// # Errors
    /// If an output exists or is an input, the data cannot be read, or there are no training
    /// positions.
    pub(super) fn begin(
        &self,
        paths: Paths,
        out: &mut dyn Write,
    ) -> Result<WeightsRun<'_>, Failure> {
        paths
            .input(&self.data)
            .output("--out", Some(&self.out))
            .check(self.force.force)?;
        let start = Instant::now();
        let sizes = self.data.iter().map(fs::metadata);
        let total: u64 = sizes.flatten().map(|file| file.len()).sum();
        let bar = ProgressBar::new("bytes");
        let on_block = |bytes: u64| bar.update(bytes as usize, total as usize);
        let data = self.data.clone();
        let stream = PositionStream::open(data, self.lambda, self.seed, &on_block)?;
        drop(bar);
        if stream.position_count() == 0 {
            bail!(
                "there are no training positions beside the first block, which is held out \
                 (expected a few hundred games at least)"
            );
        }
        writeln!(out, "training positions:")?;
        let kinds = KINDS.into_iter().zip(stream.kind_counts());
        for (kind, count) in kinds.filter(|&(_, count)| count > 0) {
            writeln!(out, "{kind:>9} {count:>11}")?;
        }
        Ok(WeightsRun {
            out_file: &self.out,
            stream,
            start,
        })
    }
}

impl WeightsRun<'_> {
    /// Writes the weights, which are the bytes `file`, to `--out`. Prints the errors of `evaluate`
    /// on the positions `held_out`.
    pub(super) fn finish(
        &self,
        file: &[u8],
        held_out: &[LabelledBoard],
        evaluate: impl Fn(&Board) -> f64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        emilia_files::replace(self.out_file, file)?;
        let table = errors_table(held_out, evaluate);
        write!(out, "\n{}", table.fitted(width()))?;
        let seconds = self.start.elapsed().as_secs_f64();
        writeln!(out, "\n{} bytes of weights, {seconds:.1} s", file.len())?;
        Ok(())
    }
}

/// Parses a number from 0 to 1.
fn unit_interval(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let valid = number.filter(|number| (0.0..=1.0).contains(number));
    valid.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
