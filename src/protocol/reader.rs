//! The reader thread: it takes lines from the input while the engine searches, ends the search for those that cannot
//! wait, and hands all of them to the session in order.
//!
//! The reader looks at each line once, when it reads it, and its effect on the running search does
//! not depend on how many lines wait before it. What waits is bounded: then the reader stops
//! reading, and the client's pipe fills until the session has caught up. The line that finds no
//! room has been looked at by then, so in NBoard, where every line is urgent, the search has ended
//! long before.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::search::{self, Progress, Search, Stop};
use crate::work::spawn_thread;

/// The bytes of a line that are kept; no client sends more, and garbage may be endless.
const LONGEST_LINE: usize = 1 << 16;

/// The bytes of the lines that wait: long scripts, and no danger to the machine.
const BACKLOG: usize = 8 << 20;

/// What a line takes beside its text: empty ones are not for nothing.
const LINE_OVERHEAD: usize = 64;

/// A command that comes this soon after the beginning of a search is part of a script: no client
/// has seen the search.
const SCRIPT: Duration = Duration::from_millis(100);

/// Between two looks at whether the client has gone.
const LOOK: Duration = Duration::from_millis(100);

/// A line of input without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its text; bytes that are no UTF-8 are replaced.
    pub(super) text: String,
    /// Whether it was too long and its end was thrown away.
    pub(super) cut: bool,
}

impl Line {
    /// Bytes that are read as this line again.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let end = if self.cut { "...\n" } else { "\n" };
        (self.text + end).into_bytes()
    }

    /// The bytes that it takes while it waits.
    fn size(&self) -> usize {
        self.text.len() + LINE_OVERHEAD
    }
}

/// What a line does before its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Plain,
    /// Ends every search until it is handed over.
    Urgent,
    /// While a search runs it is handed over ahead of all others.
    Early,
    /// Nothing; in its turn it begins a search.
    Search,
    /// Lets the limits of the last search before it count; handed over early.
    PonderHit,
    /// Is urgent if the client waits for the search that runs: one that began more than [`SCRIPT`]
    /// ago, with no other search asked for before then.
    Quit,
}

/// Reads a line; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut cut = false;
    let mut begun = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let kept = part.len().min(LONGEST_LINE - bytes.len());
        bytes.extend_from_slice(&part[..kept]);
        cut |= kept < part.len();
        begun |= !available.is_empty();
        let finished = end.is_some() || available.is_empty();
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if finished {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Ok(begun.then_some(Line { text, cut }));
        }
    }
}

/// The search that the session waits for. Urgent lines end it.
#[derive(Debug)]
struct Running {
    stop: Stop,
    /// Whether it has limits of its own: else the end of the input ends it too.
    is_bounded: bool,
    /// When it began.
    start: Instant,
    /// Whether the next search was asked for before a client could see this one.
    is_scripted: bool,
}

impl Running {
    /// Whether it began so recently that no client has seen it.
    fn is_new(&self) -> bool {
        self.start.elapsed() <= SCRIPT
    }
}

/// Whether a ponder hit came behind each line that begins a search, and before the next such line.
#[derive(Debug, Default)]
struct PonderHits {
    /// Behind those that are not yet handed over.
    waiting: VecDeque<bool>,
    /// Behind the last one that is handed over.
    last: bool,
}

impl PonderHits {
    /// One has come.
    fn add(&mut self) {
        *self.waiting.back_mut().unwrap_or(&mut self.last) = true;
    }
}

/// A line that is read and not yet handed over.
#[derive(Debug)]
struct Waiting {
    /// The number of lines read before it.
    number: u64,
    line: Line,
    kind: Kind,
    /// Whether it ends searches until it is handed over.
    is_urgent: bool,
}

/// What the two threads agree on, under one lock, so that no urgent line falls between the session's look and the beginning
/// of its search.
#[derive(Debug, Default)]
struct Gate {
    /// Lines that are handed over in their turn.
    lines: VecDeque<Waiting>,
    /// Lines that are handed over ahead of those while a search runs, and in their turn otherwise.
    early: VecDeque<Waiting>,
    /// What both take, no more than [`BACKLOG`].
    bytes: usize,
    /// The urgent lines that are read and not yet handed over; the last of them may still wait for room.
    urgent: usize,
    /// Where ponder hits came.
    ponder_hits: PonderHits,
    /// Lines read.
    read: u64,
    /// Whether the reader waits for room.
    full: bool,
    running: Option<Running>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether nothing is left to do: the session has ended, or the client has gone.
    over: bool,
}

impl Gate {
    /// Ends the search that the session waits for, if there is one.
    fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop.set();
        }
    }

    /// Gives a line that has been read its effect on the searches. Returns whether it is urgent.
    fn see(&mut self, kind: Kind) -> bool {
        let running = self.running.as_mut();
        let is_urgent = match kind {
            Kind::Plain | Kind::Early => false,
            Kind::Urgent => true,
            Kind::Search => {
                self.ponder_hits.waiting.push_back(false);
                if let Some(running) = running {
                    running.is_scripted |= running.is_new();
                }
                false
            }
            Kind::PonderHit => {
                self.ponder_hits.add();
                false
            }
            Kind::Quit => running.is_some_and(|running| !running.is_scripted && !running.is_new()),
        };
        if is_urgent {
            self.urgent += 1;
            self.stop();
        }
        is_urgent
    }

    /// Lets a line wait for its turn.
    fn push(&mut self, line: Line, kind: Kind, is_urgent: bool) {
        self.bytes += line.size();
        let waiting = Waiting {
            number: self.read,
            line,
            kind,
            is_urgent,
        };
        self.read += 1;
        match kind {
            Kind::Early | Kind::PonderHit => self.early.push_back(waiting),
            Kind::Plain | Kind::Urgent | Kind::Search | Kind::Quit => self.lines.push_back(waiting),
        }
    }

    /// Takes the line whose turn it is.
    fn pop(&mut self) -> Option<Line> {
        let [early, other] = [&self.early, &self.lines]
            .map(|lines| lines.front().map_or(u64::MAX, |waiting| waiting.number));
        let lines = if early < other {
            &mut self.early
        } else {
            &mut self.lines
        };
        let waiting = lines.pop_front()?;
        self.bytes -= waiting.line.size();
        self.urgent -= usize::from(waiting.is_urgent);
        if waiting.kind == Kind::Search {
            let hits = &mut self.ponder_hits;
            hits.last = hits.waiting.pop_front().unwrap_or(false);
        }
        Some(waiting.line)
    }

    /// Takes the early lines.
    fn pop_early(&mut self) -> Vec<Line> {
        let lines: Vec<Line> = self.early.drain(..).map(|waiting| waiting.line).collect();
        self.bytes -= lines.iter().map(Line::size).sum::<usize>();
        lines
    }

    /// Whether no line waits.
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.early.is_empty()
    }

    /// Ends it if the input has ended and nothing else would end it.
    fn stop_if_endless(&self) {
        if self.ended
            && self
                .running
                .as_ref()
                .is_some_and(|running| !running.is_bounded)
        {
            self.stop();
        }
    }

    /// Whether no line will come any more.
    fn is_closed(&self) -> bool {
        self.ended || self.over
    }

    /// Whether a line of this size may wait too; one always may.
    fn has_room(&self, size: usize) -> bool {
        self.is_empty() || self.bytes + size <= BACKLOG
    }
}

/// The gate and what its threads wait for.
#[derive(Debug, Default)]
struct Shared {
    gate: Mutex<Gate>,
    /// A line has come, or the end.
    arrival: Condvar,
    /// A line has been handed over, or the session has ended.
    departure: Condvar,
}

impl Shared {
    /// Nothing panics under the lock, so a poisoned one is as good as any.
    fn lock(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the reader has for a session whose search runs.
#[derive(Debug)]
pub(super) struct News {
    /// The early lines.
    pub(super) lines: Vec<Line>,
    /// Whether a ponder hit has come for the search.
    pub(super) is_ponder_hit: bool,
    /// Whether a line waits for the end of the search, or none will come any more.
    pub(super) is_awaited: bool,
}

/// The session's end of the reader thread.
#[derive(Debug)]
pub(super) struct Inbox {
    shared: Arc<Shared>,
}

impl Inbox {
    /// Starts reading `input`. Each line has the effect of its `kind` when it is read. The end of
    /// the input ends the search that the session waits for at once where nothing else would end
    /// it, and otherwise when `is_client_gone` returns true.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn open(
        input: impl BufRead + Send + 'static,
        kind: fn(&Line) -> Kind,
        is_client_gone: Option<fn() -> bool>,
    ) -> io::Result<Inbox> {
        let shared = Arc::<Shared>::default();
        let inbox = Inbox {
            shared: Arc::clone(&shared),
        };
        spawn_thread("reader", move || {
            read_all(input, &shared, kind);
            if let Some(is_client_gone) = is_client_gone {
                watch(&shared, is_client_gone);
            }
        })?;
        Ok(inbox)
    }

    /// The next line; waits for it. `None` at the end of the input, and when the client has gone.
    pub(super) fn next(&self) -> Option<Line> {
        self.wait();
        let mut gate = self.shared.lock();
        if gate.over {
            return None;
        }
        let line = gate.pop()?;
        self.make_room(&gate);
        Some(line)
    }

    /// What has come while a search runs.
    pub(super) fn news(&self) -> News {
        let mut gate = self.shared.lock();
        let lines = gate.pop_early();
        self.make_room(&gate);
        News {
            lines,
            is_ponder_hit: gate.ponder_hits.last,
            is_awaited: !gate.lines.is_empty() || gate.is_closed(),
        }
    }

    /// Wakes the reader if it waits for room and there is enough. To wake it costs more than a
    /// line, so it reads many at a time.
    fn make_room(&self, gate: &Gate) {
        if gate.full && gate.bytes <= BACKLOG / 2 {
            self.shared.departure.notify_one();
        }
    }

    /// Waits until a line waits or none will come.
    pub(super) fn wait(&self) {
        let waits = |gate: &mut Gate| gate.is_empty() && !gate.is_closed();
        let gate = self.shared.arrival.wait_while(self.shared.lock(), waits);
        drop(gate.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits for the lines of `search` and lets `hear` know of its progress, unless an urgent line waits: then it ends at once. The
    /// end of the input, after which nobody can end it, ends it only where it is not `is_bounded` by limits.
    ///
    /// # Errors
    /// If `hear` fails; that ends the search.
    pub(super) fn attend(
        &self,
        mut search: Search,
        is_bounded: bool,
        mut hear: impl FnMut(&Progress) -> io::Result<()>,
    ) -> io::Result<Vec<search::Line>> {
        self.begin(search.stop_handle(), is_bounded);
        let mut heard = Ok(());
        while let Some(progress) = search.next_progress() {
            if heard.is_ok() && !self.interrupted() {
                heard = hear(&progress);
                if heard.is_err() {
                    search.stop();
                }
            }
        }
        let lines = search.wait();
        self.finish();
        heard.map(|()| lines)
    }

    /// The search that began last has ended.
    pub(super) fn finish(&self) {
        self.shared.lock().running = None;
    }

    /// A search begins that `stop` ends, or it goes on by other limits.
    pub(super) fn begin(&self, stop: Stop, is_bounded: bool) {
        let mut gate = self.shared.lock();
        gate.running = Some(Running {
            stop,
            is_bounded,
            start: Instant::now(),
            is_scripted: !gate.ponder_hits.waiting.is_empty(),
        });
        if gate.urgent > 0 || gate.over {
            gate.stop();
        }
        gate.stop_if_endless();
    }

    /// Whether an urgent line waits.
    pub(super) fn interrupted(&self) -> bool {
        self.shared.lock().urgent > 0
    }
}

/// The reader may wait for room that nobody is going to make.
impl Drop for Inbox {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.departure.notify_one();
    }
}

fn read_all(mut input: impl BufRead, shared: &Shared, kind: fn(&Line) -> Kind) {
    // An input that cannot be read has ended.
    while let Ok(Some(line)) = read_line(&mut input) {
        let kind = kind(&line);
        let size = line.size();
        let mut gate = shared.lock();
        let is_urgent = gate.see(kind);
        let waits = |gate: &mut Gate| {
            gate.full = !gate.has_room(size) && !gate.over;
            gate.full
        };
        let gate = shared.departure.wait_while(gate, waits);
        let mut gate = gate.unwrap_or_else(PoisonError::into_inner);
        if gate.over {
            return;
        }
        let is_first = gate.is_empty();
        gate.push(line, kind, is_urgent);
        if is_first {
            shared.arrival.notify_one();
        }
    }
    let mut gate = shared.lock();
    gate.ended = true;
    gate.stop_if_endless();
    drop(gate);
    shared.arrival.notify_one();
}

/// After the end of the input: ends the search that runs, and all that wait, when the client has gone.
fn watch(shared: &Shared, is_client_gone: fn() -> bool) {
    let mut gate = shared.lock();
    while !gate.over {
        let wait = shared
            .departure
            .wait_timeout_while(gate, LOOK, |gate| !gate.over);
        gate = wait.unwrap_or_else(PoisonError::into_inner).0;
        if is_client_gone() {
            gate.over = true;
            gate.stop();
        }
    }
}

#[cfg(test)]
mod tests;
