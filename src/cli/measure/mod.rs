//! `emilia measure`: programs behind figures that the pages of this repository show. The help does
//! not list them.

mod net;
mod people;

use std::io::Write;
use std::path::PathBuf;

use super::{Failure, Verdict};

/// What `emilia measure` takes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

/// A figure.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// The time of a move and its value, by the net and by the pattern evaluation; half a minute
    Net,
    /// The temperatures of human levels in the games of a file, WTHOR or another; ten minutes for a
    /// thousand games
    People {
        /// The games, with the names of the players
        file: PathBuf,
    },
}

/// Measures, and prints the figures.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Verdict, Failure> {
    match &args.what {
        What::Net => net::run(out)?,
        What::People { file } => people::run(file, out)?,
    }
    Ok(Verdict::Yes)
}
