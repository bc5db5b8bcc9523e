//! Detection of the protocol from the first input line, for GUIs that pass no arguments.
//! The detected session of `gtp`, `nboard` or `uci` then reads the whole input.

use std::io::{self, BufRead, Read, Write};

use super::reader::read_line;
use super::{Setup, gtp, nboard, uci};

/// Text protocol of a session.
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
    /// Returns the protocol of a client by its first line that is not blank.
    /// The first word `nboard` or `uci` selects that protocol, and any other selects GTP.
    ///
    /// ```
    /// use emilia::protocol::Protocol;
    /// assert_eq!(Protocol::of_first_line("nboard 2"), Protocol::NBoard);
    /// assert_eq!(Protocol::of_first_line("uci"), Protocol::Uci);
    /// assert_eq!(Protocol::of_first_line("1 protocol_version"), Protocol::Gtp);
    /// ```
    pub fn of_first_line(line: &str) -> Protocol {
        match line.split_whitespace().next() {
            Some("nboard") => Protocol::NBoard,
            Some("uci") => Protocol::Uci,
            _ => Protocol::Gtp,
        }
    }

    /// Runs a session of this protocol until the client quits or the input ends.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(
        self,
        input: impl BufRead + Send + 'static,
        out: &mut dyn Write,
        setup: Setup,
    ) -> io::Result<()> {
        match self {
            Protocol::Gtp => gtp::run(input, out, setup),
            Protocol::NBoard => nboard::run(input, out, setup),
            Protocol::Uci => uci::run(input, out, setup),
        }
    }
}

/// Waits for the first line that is not blank and runs the protocol it selects.
///
/// # Errors
/// If the input cannot be read or the output cannot be written.
pub fn run_detected(
    mut input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
    setup: Setup,
) -> io::Result<()> {
    while let Some(line) = read_line(&mut input)? {
        if !line.text.trim().is_empty() {
            let protocol = Protocol::of_first_line(&line.text);
            let first = io::Cursor::new(line.into_bytes());
            return protocol.run(first.chain(input), out, setup);
        }
    }
    Ok(())
}
