//! `ENGINE-PROTOCOL` of Cassio: each request contains a position, a search window (alpha and beta,
//! in discs), a depth and a precision in percent.
//!
//! Every answer to a command ends with a line `ready.`. Exceptions are `quit`, which is answered by
//! `bye bye.`, and `empty-hash` and `feed-hash`, which have no answer. During a search, an empty
//! line (a ping) and `get-search-infos` are answered at once, without `ready.`. Other commands wait
//! for the end of the search. `stop` ends the search without a result, and drops the queued
//! commands: one `ready.` answers all of them. `quit` does the same and ends the session. If the
//! input ends without `quit`, the last search gets the time [`LAST_TIME`].
//!
//! Reading order: this file, `request` (arguments and result of a search).

mod request;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::reader::{Inbox, InputLine, LineKind, POLL};
use super::{Done, report, say};
use emilia_core::search::{Engine, Limits, ProgressEvent};
use emilia_player::Setup;
use request::Request;

/// First word of every command.
pub(super) const PREFIX: &str = "ENGINE-PROTOCOL";

/// Last line of an answer.
const READY: &str = "ready.";

/// Time limit of a search after the end of an input without `quit`.
const LAST_TIME: Duration = Duration::from_secs(5);

/// Handler of a command, with its arguments.
type Handler = fn(&mut CassioSession, &[&str]) -> Done;

/// All commands. The command with an empty name is a ping: an empty line. `feed-hash` stores
/// nothing, because a wrong result of another engine would make exact scores wrong.
pub(super) const COMMANDS: [(&str, Handler); 11] = [
    ("", |session, _| session.say(READY)),
    ("get-version", |session, _| session.say(VERSION)),
    ("init", |session, _| session.say(READY)),
    ("new-position", |session, _| session.say(READY)),
    ("midgame-search", |session, words| {
        session.search(&Request::midgame(words)?)
    }),
    ("endgame-search", |session, words| {
        session.search(&Request::endgame(words)?)
    }),
    ("get-search-infos", |session, _| session.say(READY)),
    ("stop", |session, _| session.say(READY)),
    ("empty-hash", |session, _| {
        session.engine.clear();
        Ok(())
    }),
    ("feed-hash", |_, _| Ok(())),
    ("quit", |session, _| session.say("bye bye.")),
];

const VERSION: &str = concat!("version: Emilia ", env!("CARGO_PKG_VERSION"), "\nready.");

/// Splits a line into a command and its arguments.
/// Returns `None` if the prefix or the command is missing.
fn command(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = line.split_whitespace();
    match words.next() {
        None => Some(("", Vec::new())),
        Some(PREFIX) => Some((words.next()?, words.collect())),
        Some(_) => None,
    }
}

/// Returns the kind of a line for the reader. A line that is too long waits for its turn and is
/// then refused.
fn kind(line: &InputLine) -> LineKind {
    match command(&line.text) {
        Some(("" | "get-search-infos", _)) if !line.cut => LineKind::Now,
        Some(("stop" | "quit", _)) if !line.cut => LineKind::Stops,
        _ => LineKind::Waits,
    }
}

pub(super) struct CassioSession<'a> {
    engine: Engine,
    /// Node and time limits of each search. The depth comes from the request.
    limits: Limits,
    inbox: Inbox,
    out: &'a mut dyn Write,
}

/// Runs a Cassio session until `quit` or the end of the input.
pub(super) fn run(inbox: Inbox, out: &mut dyn Write, setup: Setup) -> io::Result<()> {
    let mut session = CassioSession {
        engine: Engine::try_new(setup.settings)?,
        limits: setup.limits,
        inbox: inbox.with_kinds(kind),
        out,
    };
    while let Some(line) = session.inbox.next() {
        session.obey(&line)?;
        if !line.cut && command(&line.text).is_some_and(|(command, _)| command == "quit") {
            break;
        }
    }
    Ok(())
}

impl CassioSession<'_> {
    /// Writes lines to the client.
    fn say(&mut self, lines: &str) -> Done {
        Ok(say(self.out, lines)?)
    }

    fn obey(&mut self, line: &InputLine) -> io::Result<()> {
        let Some((command, arguments)) = command(&line.text) else {
            return say(self.out, &format!("ERROR: expected {PREFIX} COMMAND"));
        };
        let done = match COMMANDS.iter().find(|(name, _)| *name == command) {
            _ if line.cut => Err("line too long".to_owned().into()),
            Some((_, handler)) => handler(self, &arguments),
            None => Err(format!("unknown command {command}").into()),
        };
        let is_refused = done.is_err();
        report(done, "ERROR:", self.out)?;
        if is_refused {
            say(self.out, READY)?;
        }
        Ok(())
    }

    /// Searches, and writes the result unless a `stop` or `quit` ends the search.
    fn search(&mut self, request: &Request) -> Done {
        let ends = |line: &InputLine| kind(line) == LineKind::Stops;
        let settings = request.settings(self.engine.settings());
        self.engine.configure(settings).map_err(io::Error::from)?;
        let limits = request.limits(&self.limits);
        let mut search = self.engine.start(&request.position.board, 1, &limits)?;
        let (started, mut nodes) = (Instant::now(), 0);
        self.inbox.begin_search();
        let line = loop {
            let is_late = self.inbox.has_ended() && started.elapsed() > LAST_TIME;
            if self.inbox.interrupts() || is_late && !self.inbox.waiting().any(ends) {
                break None;
            }
            while let Some(line) = self.inbox.take_now() {
                self.answer_in_search(&line, nodes, started)?;
            }
            match search.progress_within(POLL) {
                ProgressEvent::Progress(progress) if request.is_answered_by(&progress.line) => {
                    break Some(progress.line);
                }
                // `get-search-infos` shows the node count of the last complete iteration.
                ProgressEvent::Progress(progress) => nodes = progress.line.nodes,
                ProgressEvent::Timeout => self.inbox.check_client(),
                ProgressEvent::Ended => break Some(search.wait().swap_remove(0)),
            }
        };
        // A `stop` may have arrived together with the end of the search.
        if let Some(line) = line.filter(|_| !self.inbox.interrupts()) {
            return self.say(&format!("{}\n{READY}", request.result(&line)));
        }
        let before_end = self.inbox.waiting().position(ends);
        for _ in 0..before_end.unwrap_or(self.inbox.waiting().count()) {
            if let Some(line) = self.inbox.next() {
                self.answer_in_search(&line, nodes, started)?;
            }
        }
        let late = || format!("no result {LAST_TIME:?} after the end of the input: keep it open");
        before_end.map(|_| ()).ok_or_else(|| late().into())
    }

    /// Answers a ping or a request for the state of the search. Other commands have no answer
    /// during a search.
    fn answer_in_search(&mut self, line: &InputLine, nodes: u64, started: Instant) -> Done {
        let time = started.elapsed().as_secs_f64();
        match command(&line.text) {
            Some(("", _)) => self.say("ok."),
            Some(("get-search-infos", _)) => self.say(&format!("node {nodes}, time {time:.3}")),
            _ => Ok(()),
        }
    }
}
