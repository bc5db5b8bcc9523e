//! The protocols: their names, their sessions and clients, and which one a first line selects.
//!
//! A new protocol needs a folder with a function `run` of its session and a [`Client`], its `mod` in
//! `lib.rs`, a variant here, and a subcommand in `cli/mod.rs` of the program.

use std::io::{self, BufRead, Write};

use super::reader::Inbox;
use super::{Client, gtp, nboard, uci};
use emilia_core::search::Limits;
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
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 3] = [Protocol::Gtp, Protocol::NBoard, Protocol::Uci];

    /// The name, as a subcommand and as the kind of a player in a match.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
            Protocol::Uci => "uci",
        }
    }

    /// Returns the protocol of a client by its first line that is not blank.
    /// The first word `nboard` or `uci` selects that protocol, and any other selects GTP.
    ///
    /// ```
    /// use emilia_protocol::Protocol;
    /// assert_eq!(Protocol::of_first_line("nboard 2"), Protocol::NBoard);
    /// assert_eq!(Protocol::of_first_line("uci"), Protocol::Uci);
    /// assert_eq!(Protocol::of_first_line("1 protocol_version"), Protocol::Gtp);
    /// ```
    pub fn of_first_line(line: &str) -> Protocol {
        let word = line.split_whitespace().next();
        let mut all = Protocol::ALL.into_iter();
        all.find(|protocol| word == Some(protocol.name()))
            .unwrap_or(Protocol::Gtp)
    }

    /// Returns the client side, for a program in a match. NBoard uses the depth of `limits`.
    /// UCI uses its depth and nodes, and sets `options`, pairs of name and value.
    pub fn client(self, limits: &Limits, options: &[(String, String)]) -> Box<dyn Client> {
        match self {
            Protocol::Gtp => Box::new(gtp::client::GtpClient::default()),
            Protocol::NBoard => Box::new(nboard::client::NBoardClient {
                depth: limits.depth,
                ..Default::default()
            }),
            Protocol::Uci => Box::new(uci::client::UciClient {
                options: options.to_vec(),
                limits: limits.clone(),
                time: None,
            }),
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
        None => Ok(()),
    }
}
