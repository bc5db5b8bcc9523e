//! `emilia train --level`: sets the output biases of a net from the games that it has played.

use std::io::Write;
use std::path::Path;

use super::{Args, read_parameters};
use crate::cli::{CommandResult, Verdict, refused};
use crate::eval::net::OUTPUT_DISCS;
use crate::files;
use crate::train::{Levelling, read_games};
use crate::view::{Align, Table, width};

/// Writes the net of `--initial` to `path`, with its biases reduced by the mean errors.
pub(super) fn run(args: &Args, path: &Path, initial: &Path, out: &mut dyn Write) -> CommandResult {
    let mut parameters = read_parameters(initial)?;
    let levelling = Levelling::of(&read_games(&args.data, &|_, _| ())?);
    if levelling.errors().iter().all(|errors| errors.count == 0.0) {
        let why = "--level: no search values in the data (expected games of `emilia selfplay`)";
        return Err(refused(why));
    }
    let columns = ["empties", "positions", "mean error", "smoothed", "bias"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    let errors = levelling.errors().iter().zip(levelling.mean_errors());
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
    files::replace(path, &parameters.pack())?;
    write!(out, "{}", table.fitted(width()))?;
    Ok(Verdict::Yes)
}
