//! What NBoard is told of a search, in the words it understands.

use std::io::{self, Write};

use crate::board::Move;
use crate::eval::Value;
use crate::protocol::reader::Inbox;
use crate::search::{Depth, Line, Report, Selectivity};

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

/// What hears of a search and tells the client, until a line of the client makes it not want to know.
pub(super) struct Teller<'a> {
    out: &'a mut dyn Write,
    inbox: &'a Inbox,
    words: fn(&Line) -> String,
    failure: Option<io::Error>,
}

impl<'a> Teller<'a> {
    /// Tells every report in these words.
    pub(super) fn new(
        out: &'a mut dyn Write,
        inbox: &'a Inbox,
        words: fn(&Line) -> String,
    ) -> Teller<'a> {
        Teller {
            out,
            inbox,
            words,
            failure: None,
        }
    }

    /// Whether all could be written.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    fn say(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.out, "{}", (self.words)(line))?;
        self.out.flush()
    }
}

impl Report for Teller<'_> {
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

/// How a search gets on, for the person who watches.
pub(super) fn thinking(line: &Line) -> String {
    let Line { value, depth, .. } = line;
    let [pv, eval] = [pv(&line.pv), discs(*value)];
    format!("status Thinking: depth {depth}, {pv} {eval}")
}

/// One of the results of a hint.
pub(super) fn result(line: &Line) -> String {
    let Line { value, depth, .. } = line;
    let [pv, eval] = [pv(&line.pv), discs(*value)];
    // NBoard wants a number here and takes any words after it.
    let depth = match depth {
        Depth::Plies(plies, Selectivity::P100) => plies.to_string(),
        Depth::Plies(plies, selectivity) => format!("{plies} at {selectivity}"),
        Depth::Wld | Depth::Exact => depth.to_string(),
    };
    format!("search {pv} {eval} 0 {depth}")
}
