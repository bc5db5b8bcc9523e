//! `emilia measure`: measures figures shown on pages of this repository. Hidden from the help.

mod net;
mod people;

use std::io::Write;
use std::path::PathBuf;

use super::{Failure, Verdict};

/// Arguments of `emilia measure`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

/// Figure to measure.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Time per move and evaluation of the net and of the pattern evaluation. Takes half a minute
    Net,
    /// Temperatures of human levels in a file of games. Takes ten minutes for a thousand games
    People {
        /// File of games with the names of the players
        file: PathBuf,
    },
}

/// Measures the figure and prints it.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    match &args.what {
        What::Net => net::run(out)?,
        What::People { file } => people::run(file, out)?,
    }
    Ok(Verdict::Yes)
}
