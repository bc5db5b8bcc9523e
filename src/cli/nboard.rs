//! `emilia nboard`: an engine for clients that speak the protocol of NBoard.

use std::io::{self, BufReader, Write};

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict};
use crate::protocol::{Protocol, Setup};

/// What `emilia nboard` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = super::default_limits())]
pub(super) struct Args {
    #[command(flatten)]
    limits: LimitOptions,

    /// Think on the opponent's time as well
    #[arg(long)]
    ponder: bool,
}

/// Speaks NBoard with whoever is at stdin and stdout.
pub(super) fn run(
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let setup = Setup {
        settings: global.parallel_settings(),
        limits: args.limits.limits(),
        ponder: args.ponder,
    };
    Protocol::NBoard.run(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}
