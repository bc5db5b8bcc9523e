//! The engine side of the text protocols GTP, NBoard, UCI and `ENGINE-PROTOCOL` of Cassio.
//!
//! A second thread reads the input, so that an input line can end a running search.
//! Sessions read any [`BufRead`] and write any [`Write`].
//! Every output line is ASCII and flushed at once.
//!
//! # `genmove b`, from a line of stdin to the answer
//!
//! 1. `Cli::run` in `cli/mod.rs` parses the command line. `run` in `cli/serve.rs` passes stdin,
//!    stdout and the setup to [`serve`] here, which selects [`gtp::run`].
//! 2. [`Inbox::next`] waits for the line, which the thread of [`reader::read_all`] reads.
//! 3. `respond` in `gtp/mod.rs` finds the command in its table `COMMANDS`.
//! 4. `find_move` in `gtp/play.rs` calls [`Player::start`](emilia_player::Player::start), which
//!    takes a move of the book or starts a search: see [`emilia_player`].
//! 5. [`Inbox::wait_for_search`] waits for the end of the search, and stops it at a line such as
//!    `# interrupt`.
//! 6. [`Player::pick`](emilia_player::Player::pick) takes the move, `genmove` plays it, `respond`
//!    returns `= F5`, and [`gtp::run`] writes it.
//!
//! # A new protocol
//!
//! - In this crate: a folder with a function `run`, and a variant of [`Protocol`] with its arms in
//!   [`Protocol::of_first_line`] and [`serve`].
//! - In `cli/mod.rs` of the program: a variant of `Command`, its arm in `Cli::run`, and its name in
//!   `GROUPS`.
//! - In `README.md` of this crate: a section with the commands, which [`Protocol::page`] returns
//!   for the help. A test in this file compares the section with the table of commands.
//!
//! # Reading order
//!
//! [`serve`], then `reader` for lines that arrive during a search, and the sessions `gtp`,
//! `nboard`, `uci` and `cassio`, each with a table of its commands. `ggs` is a client that plays on
//! the Generic Game Server.

mod cassio;
pub mod ggs;
mod gtp;
mod nboard;
mod reader;
mod uci;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use emilia_player::Setup;
use emilia_player::options::MAX_TIME;
use reader::Inbox;
pub use uci::flipello;

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
    /// The first word `nboard`, `uci` or `ENGINE-PROTOCOL` selects a protocol. Any other word
    /// selects GTP.
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

    /// Returns the title of the protocol's section in `README.md`.
    fn title(self) -> &'static str {
        match self {
            Protocol::Gtp => "GTP",
            Protocol::NBoard => "NBoard",
            Protocol::Uci => "UCI",
            Protocol::Cassio => "Cassio",
        }
    }

    /// Returns the section of `README.md` on the protocol as plain text, one line per paragraph or
    /// item.
    pub fn page(self) -> String {
        let sections = include_str!("README.md").split("\n## ");
        let mut own = sections.filter_map(|section| section.split_once("\n\n"));
        let found = own.find(|(title, _)| *title == self.title());
        let plain = found.map_or("", |(_, text)| text).replace(['`', '*'], "");
        let paragraphs = plain.trim().split("\n\n").map(|paragraph| {
            let items = paragraph
                .split("\n- ")
                .map(|item| item.replace("\n  ", " "));
            let lines: Vec<String> = items.map(|item| item.replace('\n', " ")).collect();
            lines.join("\n- ")
        });
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }
}

/// Serves a client until it quits or the input ends. If `protocol` is `None`, the first line that
/// is not blank selects the protocol.
///
/// `client_has_left` returns whether nobody reads the output any more. Searches poll it, and `true`
/// ends the session.
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

/// Reason for which a command was not executed.
enum Refusal {
    /// Error sentence for the client.
    Sentence(String),
    /// The output failed, or the system refused a thread. The session ends.
    Io(io::Error),
}

/// Result of a command whose handler writes the answers itself.
type Done = Result<(), Refusal>;

impl From<String> for Refusal {
    fn from(sentence: String) -> Refusal {
        Refusal::Sentence(sentence)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Io(error)
    }
}

/// Writes the sentence of a refusal after `prefix`, such as `status`.
fn report(done: Done, prefix: &str, out: &mut dyn Write) -> io::Result<()> {
    match done {
        Ok(()) => Ok(()),
        Err(Refusal::Sentence(sentence)) => say(out, &format!("{prefix} {}", shown(&sentence))),
        Err(Refusal::Io(error)) => Err(error),
    }
}

/// Writes one line to the client.
fn say(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
}

/// Parses a time in seconds, decimals allowed. Negative times become 0.
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_TIME.as_secs_f64())).ok()
}

/// Returns `text` safe to quote to a client: printable ASCII, at most 200 characters.
fn shown(text: &str) -> String {
    const MAX_LENGTH: usize = 200;
    let printable = text.chars().map(|character| match character {
        ' '..='~' => character,
        _ => '?',
    });
    printable.take(MAX_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the commands in the section `title` of the README: the first word of
    /// each code span before the colon of a list item.
    fn named(title: &str) -> Vec<String> {
        let readme = include_str!("README.md").split("\n## ");
        let section = readme
            .clone()
            .find(|section| section.starts_with(&format!("{title}\n\n")));
        let items = section.unwrap().split("\n- ").skip(1);
        let heads = items.map(|item| item.split_once(": ").unwrap().0);
        let words = heads.flat_map(|head| head.split('`').skip(1).step_by(2));
        let mut names: Vec<String> = words
            .map(|word| word.split(' ').next().unwrap().to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn the_page_of_a_protocol_names_its_commands() {
        let gtp = gtp::COMMANDS.iter().map(|(name, _)| *name);
        let nboard = nboard::COMMANDS.iter().map(|(name, _)| *name);
        let uci = uci::COMMANDS.iter().map(|(name, _)| *name);
        let cassio = cassio::COMMANDS.iter().map(|(name, _)| *name);
        let tables: [(Protocol, Vec<&str>); 4] = [
            (Protocol::Gtp, gtp.collect()),
            (Protocol::NBoard, nboard.collect()),
            (Protocol::Uci, uci.collect()),
            (
                Protocol::Cassio,
                cassio.filter(|name| !name.is_empty()).collect(),
            ),
        ];
        for (protocol, mut commands) in tables {
            commands.sort_unstable();
            assert_eq!(named(protocol.title()), commands, "{protocol:?}");
            let item = format!("\n- {}", commands[0]);
            assert!(protocol.page().contains(&item), "{protocol:?}");
        }
    }
}
