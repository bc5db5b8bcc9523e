//! `emilia gtp`, `emilia nboard`, and `emilia` alone with a pipe: an engine for clients that speak a protocol.

use std::io::{self, BufReader, Write};

use super::options::{GlobalOptions, LimitOptions};
use super::{Failure, Verdict};
use crate::player;
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
         Pondering goes on until the opponent plays a move that was not expected. The end of the input lets searches finish within\n\
         their limits, and so does quit in GTP; in NBoard any line, quit among them, ends a search without its answer.",
        player::DEFAULT_TIME
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
        is_client_gone: Some(is_stdout_closed),
    };
    protocol.run(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}

/// Speaks the protocol that the first line asks for: some clients start the binary without arguments.
pub(super) fn detect(global: &GlobalOptions, out: &mut dyn Write) -> Result<Verdict, Failure> {
    let setup = Setup {
        settings: global.parallel_settings(),
        is_client_gone: Some(is_stdout_closed),
        ..Setup::default()
    };
    protocol::run_detected(BufReader::new(io::stdin()), out, setup)?;
    Ok(Verdict::Yes)
}

/// Whether stdout is a pipe that nobody reads any more.
fn is_stdout_closed() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

        let stdout = io::stdout();
        // Closing is told whatever is asked for.
        let mut asked = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
        let closed = PollFlags::POLLERR | PollFlags::POLLHUP;
        poll(&mut asked, PollTimeout::ZERO).is_ok_and(|count| count > 0)
            && asked[0]
                .revents()
                .is_some_and(|told| told.intersects(closed))
    }
    #[cfg(not(unix))]
    false
}
