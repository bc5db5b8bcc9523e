//! `emilia show`: a position to look at.

use std::io::Write;

use super::options::{GlobalOptions, position};
use super::{Failure, Verdict};

/// What `emilia show` takes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// 64 squares and the side to move, an OBF line, or a transcript
    #[arg(value_name = "POS")]
    position: Vec<String>,
}

/// Prints the position.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let position = position(&args.position)?;
    let _ = global.colored();
    writeln!(out, "{position}")?;
    Ok(Verdict::Yes)
}
