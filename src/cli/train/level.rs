//! `emilia train level`: sets the output biases of a net from the games that it has played.

use std::io::Write;
use std::path::PathBuf;

use super::net::read_parameters;
use crate::cli::options::ForceOption;
use crate::cli::{CommandResult, Verdict};
use emilia_core::eval::net::OUTPUT_DISCS;
use emilia_files::Paths;
use emilia_train::{Levelling, read_games};
use emilia_view::{Align, Table, width};

/// Arguments of `emilia train level`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The mean error of the searches of the net is then independent of the number of empties.

Examples:
  emilia selfplay --weights 1.net --out 2.games --games 8192 --depth 8 --seed 2
  emilia train level --data 2.games --initial 1.net --out 2.net")]
pub(super) struct Args {
    /// Games of `emilia selfplay` that the net has played
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,

    /// File of the net
    #[arg(long, value_name = "FILE")]
    initial: PathBuf,

    /// File to write the net with the new biases to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceOption,
}

/// Writes the net with new output biases. The net has an output bias for each number of empties,
/// from which the smoothed mean error of positions with this number is subtracted.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    Paths::default()
        .input(&args.data)
        .input([&args.initial])
        .output("--out", Some(&args.out))
        .check(args.force.force)?;
    let mut parameters = read_parameters(&args.initial)?;
    let levelling = Levelling::of(&read_games(&args.data)?);
    if levelling.errors.iter().all(|errors| errors.count == 0.0) {
        bail!("no search values in the data (expected games of `emilia selfplay`)");
    }
    let columns = ["empties", "positions", "mean error", "smoothed", "bias"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let errors = levelling.errors.iter().zip(levelling.mean_errors());
    let biases = parameters.biases.iter_mut();
    for (empties, (bias, (errors, smoothed))) in biases.zip(errors).enumerate() {
        let discs = f64::from(OUTPUT_DISCS);
        *bias -= (smoothed / discs) as f32;
        if errors.count > 0.0 {
            let [mean, smoothed, bias] =
                [errors.mean(), smoothed, f64::from(*bias) * discs].map(|d| format!("{d:+.2}"));
            let positions = format!("{:.0}", errors.count);
            table.row([empties.to_string(), positions, mean, smoothed, bias]);
        }
    }
    emilia_files::replace(&args.out, &parameters.pack())?;
    write!(out, "{}", table.fitted(width()))?;
    Ok(Verdict::Yes)
}
