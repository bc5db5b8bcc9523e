//! What NBoard is told of a search, in the words it understands.

use std::io::{self, Write};

use crate::board::Move;
use crate::eval::Value;
use crate::protocol::reader::Inbox;
use crate::search::{Line, Report};

/// Discs with two decimals, no plus and no negative zero.
pub(super) fn discs(value: Value) -> String {
    let text = format!("{:.2}", value.discs());
    match text.as_str() {
        "-0.00" => "0.00".to_owned(),
        _ => text,
    }
}

/// `F5D6C3`; a pass is `PA`.
fn pv(moves: &[Move]) -> String {
    let names = moves.iter().map(|mv| match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    });
    names.collect()
}

/// `search PV eval 0 depth`.
pub(super) fn search_line(line: &Line) -> String {
    format!(
        "search {} {} 0 {}",
        pv(&line.pv),
        discs(line.value),
        line.depth
    )
}

/// Tells in `status` lines how a search gets on.
pub(super) struct Thinking<'a> {
    out: &'a mut dyn Write,
    inbox: &'a Inbox,
    failure: Option<io::Error>,
}

impl<'a> Thinking<'a> {
    pub(super) fn new(out: &'a mut dyn Write, inbox: &'a Inbox) -> Thinking<'a> {
        Thinking {
            out,
            inbox,
            failure: None,
        }
    }

    /// Whether all could be written.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    fn say(&mut self, line: &Line) -> io::Result<()> {
        writeln!(
            self.out,
            "status Thinking: depth {}, {} {}",
            line.depth,
            pv(&line.pv),
            discs(line.value)
        )?;
        self.out.flush()
    }
}

impl Report for Thinking<'_> {
    fn progress(&mut self, line: &Line) {
        if self.failure.is_some() || self.inbox.interrupted() {
            return;
        }
        if let Err(error) = self.say(line) {
            // Nobody hears the answer any more.
            self.failure = Some(error);
            self.inbox.stop_search();
        }
    }
}
