//! `emilia gtp`, `emilia nboard`, and `emilia` alone with a pipe: an engine for clients that speak a protocol.

use std::io::{self, BufReader, Write};

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict};
use crate::protocol::{self, Protocol, Setup};

/// What `emilia gtp` and `emilia nboard` take.
#[derive(Debug, clap::Args)]
#[command(after_help = default_limits())]
pub(super) struct Args {
    #[command(flatten)]
    limits: LimitOptions,

    /// Think on the opponent's time as well
    #[arg(long)]
    ponder: bool,
}

/// The last words of the help.
fn default_limits() -> String {
    format!(
        "Without limits and without a clock that the client sets, a move takes {:?}. A clock is always kept to; a\n\
         fixed --time holds as long as the clock can pay it. Where time is limited, the only move is played at once.\n\
         Any line of input ends the thinking on the opponent's time. The end of the input ends a running search, so a\n\
         script must wait for its answers before it closes the pipe.",
        protocol::DEFAULT_TIME
    )
}

/// Speaks that protocol with whoever is at stdin and stdout.
pub(super) fn run(
    protocol: Protocol,
    args: &Args,
    global: &GlobalOptions,
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    let setup = Setup {
        settings: global.parallel_settings(),
        limits: args.limits.limits(),
        ponder: args.ponder,
    };
    protocol.run(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}

/// Speaks the protocol that the first line asks for: some clients start the binary without arguments.
pub(super) fn detect(global: &GlobalOptions, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let setup = Setup {
        settings: global.parallel_settings(),
        ..Setup::default()
    };
    protocol::run_detected(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}
