//! `emilia gtp`, `nboard`, `uci` and `cassio`: serve a protocol on stdin and stdout.
//! If `emilia` is started without a command and stdin is not a terminal, it detects the protocol.

use std::io::{self, BufReader, Write};

use super::options::PlayOptions;
use super::{CommandResult, Failure, Verdict, refused};
use emilia_player::Setup;
use emilia_player::options::PONDER;
use emilia_protocol::Protocol;

/// Arguments of `emilia gtp` and `emilia nboard`, whose clients cannot request pondering.
#[derive(Debug, clap::Args)]
pub(super) struct PonderArgs {
    #[command(flatten)]
    pub(super) options: PlayOptions,

    #[arg(long, help = PONDER.help)]
    pub(super) ponder: bool,
}

/// Returns the help text of `emilia cassio` after the options.
pub(super) fn cassio_help() -> String {
    let page = Protocol::Cassio.page();
    format!(
        "{page}\n\n\
         Cassio runs the program engine.sh of each folder in its folder Engines, with the number of \
         processors as its argument. Example, the file Engines/Emilia/engine.sh:\n  \
         #!/bin/sh\n  \
         exec /full/path/to/emilia cassio --threads \"$1\" --hash 256"
    )
}

/// Returns the help text after the options: the README section of the protocol, and rules about
/// time.
pub(super) fn after_help(protocol: Protocol) -> String {
    let page = protocol.page();
    format!(
        "{page}\n\n\
         Without limits, and without a clock of the client, a move takes {:?}. --time applies \
         only while the clock allows it, so that no game is lost on time. With limited time, a \
         forced move is played at once.\n\
         Pondering ends if the opponent plays an unexpected move. At the end of the input searches \
         finish within their limits, and in GTP and UCI also at a quit that was sent with their \
         request, for at most ten seconds after it. In NBoard any line, also quit, ends a search \
         without an answer. In UCI the client requests pondering.",
        emilia_player::DEFAULT_TIME
    )
}

/// Serves a protocol on stdin and stdout. If `protocol` is `None`, the first line of the input
/// selects the protocol: some clients start the binary without arguments.
pub(super) fn run(
    protocol: Option<Protocol>,
    options: &PlayOptions,
    ponder: bool,
    out: &mut dyn Write,
) -> CommandResult {
    let setup = setup(options, ponder);
    // The buffer holds as much as a pipe, so that a script is received in one read.
    let stdin = BufReader::with_capacity(1 << 16, io::stdin());
    let done = emilia_protocol::serve(protocol, stdin, out, setup, is_stdout_closed);
    done.map_err(failure)?;
    Ok(Verdict::Yes)
}

/// Returns the setup of a player with `options`. `ponder` states whether the player searches while
/// the opponent thinks.
pub(super) fn setup(options: &PlayOptions, ponder: bool) -> Setup {
    let mut setup = options.setup();
    setup.play_settings.ponder = ponder;
    setup
}

/// Converts the error of a session. The only system errors of a session are errors of stdout.
/// Any other error contains its own message.
pub(super) fn failure(error: io::Error) -> Failure {
    match error.get_ref() {
        Some(own) => refused(own),
        None => Failure::Io(error),
    }
}

/// Returns whether stdout is a pipe whose reader is gone.
fn is_stdout_closed() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

        let stdout = io::stdout();
        // POLLERR and POLLHUP are reported whatever events are requested.
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
