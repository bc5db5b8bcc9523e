//! The protocols: their sessions, and which one a first line selects.
//!
//! A new protocol needs a folder with a function `run` of its session, its `mod` in `lib.rs`, a
//! variant here, and a subcommand in `cli/mod.rs` of the program.

use std::io::{self, BufRead, Write};

use super::reader::Inbox;
use super::{cassio, gtp, nboard, uci};
use emilia_player::Setup;

/// Text protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// GTP, the Go Text Protocol, version 2.
    Gtp,
    /// NBoard protocol, versions 1 and 2.
    NBoard,
    /// UCI, the Universal Chess Interface, in Fairy-Stockfish's dialect.
    Uci,
    /// `ENGINE-PROTOCOL` of Cassio.
    Cassio,
}

impl Protocol {
    /// Returns the protocol of a client by its first line that is not blank.
    /// The first word `nboard`, `uci` or `ENGINE-PROTOCOL` selects a protocol, any other selects GTP.
    ///
    /// ```
    /// use emilia_protocol::Protocol;
    /// assert_eq!(Protocol::of_first_line("nboard 2"), Protocol::NBoard);
    /// assert_eq!(Protocol::of_first_line("uci"), Protocol::Uci);
    /// assert_eq!(Protocol::of_first_line("ENGINE-PROTOCOL init"), Protocol::Cassio);
    /// assert_eq!(Protocol::of_first_line("1 protocol_version"), Protocol::Gtp);
    /// ```
    pub fn of_first_line(line: &str) -> Protocol {
        match line.split_whitespace().next() {
            Some("nboard") => Protocol::NBoard,
            Some("uci") => Protocol::Uci,
            Some(cassio::PREFIX) => Protocol::Cassio,
            _ => Protocol::Gtp,
        }
    }
}

/// Serves a client until it quits or the input ends. Without a protocol, the first line that is not
/// blank selects it.
///
/// `client_has_left` returns whether nobody reads the output any more. It is polled during searches
/// after the end of the input, and `true` ends the session.
pub fn serve(
    protocol: Option<Protocol>,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
    client_has_left: fn() -> bool,
) -> io::Result<()> {
    let mut inbox = Inbox::open(input, client_has_left)?;
    let detected = || inbox.first_line().map(Protocol::of_first_line);
    match protocol.or_else(detected) {
        Some(Protocol::Gtp) => gtp::run(inbox, out, setup),
        Some(Protocol::NBoard) => nboard::run(inbox, out, setup),
        Some(Protocol::Uci) => uci::run(inbox, out, setup),
        Some(Protocol::Cassio) => cassio::run(inbox, out, setup),
        None => Ok(()),
    }
}
