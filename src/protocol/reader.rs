//! Reader thread: reads input lines during a search and queues them for the session.
//!
//! Each line is classified when it is read, so its effect on the running search does not depend on
//! the number of lines queued before it. Urgent lines stop the search at once.
//! The queue is bounded. When it is full, the reader pauses and the client's pipe fills up.
//! The line that did not fit has been classified by then.
//! In NBoard, where every line is urgent, a full queue therefore means that the search has stopped.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::search::{self, Progress, SearchHandle, StopFlag};
use crate::work::spawn_thread;

/// Maximum length of a line in bytes. The rest is cut off, so endless garbage needs no memory.
const MAX_LINE: usize = 1 << 16;

/// Maximum size of the queue in bytes: room for long scripts, small for the machine.
const BACKLOG: usize = 8 << 20;

/// Bookkeeping bytes counted for each queued line, so that empty lines count towards the limit too.
const LINE_OVERHEAD: usize = 64;

/// Commands this soon after the start of a search belong to a script.
/// No client can have reacted to the search in that time.
const SCRIPT: Duration = Duration::from_millis(100);

/// Polling interval of the check whether the client has gone.
const CLIENT_POLL: Duration = Duration::from_millis(100);

/// Input line without its line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputLine {
    /// Text of the line. Invalid UTF-8 is replaced.
    pub(super) text: String,
    /// Whether the line was too long and its end was cut off.
    pub(super) cut: bool,
}

impl InputLine {
    /// Returns bytes that [`read_line`] reads as this line.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let end = if self.cut { "...\n" } else { "\n" };
        (self.text + end).into_bytes()
    }

    /// Returns the size of the line in the queue, in bytes.
    fn size(&self) -> usize {
        self.text.len() + LINE_OVERHEAD
    }
}

/// Effect of a line when it is read, before the session takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// No effect.
    Plain,
    /// Stops the running search, and each search that starts before the session takes this line.
    Urgent,
    /// Overtakes all other lines while a search runs.
    Early,
    /// No effect. The session starts a search when it takes this line.
    Search,
    /// Ponder hit: puts the limits of the last search before it into force. Overtakes other lines.
    PonderHit,
    /// Urgent if the client waits for the running search.
    /// That is a search older than [`SCRIPT`] without another search requested in that time.
    Quit,
}

/// Reads a line. Returns `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
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
        let kept = part.len().min(MAX_LINE - bytes.len());
        bytes.extend_from_slice(&part[..kept]);
        cut |= kept < part.len();
        begun |= !available.is_empty();
        let finished = end.is_some() || available.is_empty();
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if finished {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Ok(begun.then_some(InputLine { text, cut }));
        }
    }
}

/// Search that the session is waiting for. Urgent lines stop it.
#[derive(Debug)]
struct Running {
    stop: StopFlag,
    /// Whether the search has limits. Without limits, the end of the input stops it.
    is_bounded: bool,
    /// Start of the search.
    start: Instant,
    /// Whether the next search was requested before a client could react to this one.
    is_scripted: bool,
}

impl Running {
    /// Returns whether the search is so young that no client can have reacted to it.
    fn is_new(&self) -> bool {
        self.start.elapsed() <= SCRIPT
    }
}

/// For each search line, whether a ponder hit followed it before the next search line.
#[derive(Debug, Default)]
struct PonderHits {
    /// Flags of the queued search lines.
    waiting: VecDeque<bool>,
    /// Flag of the last search line taken by the session.
    last: bool,
}

impl PonderHits {
    /// Sets the flag of the last search line read.
    fn add(&mut self) {
        *self.waiting.back_mut().unwrap_or(&mut self.last) = true;
    }
}

/// Queued line.
#[derive(Debug)]
struct Waiting {
    /// Number of lines read before this line.
    number: u64,
    line: InputLine,
    kind: LineKind,
    /// Whether this line stops searches until the session takes it.
    is_urgent: bool,
}

/// Data shared by the reader and the session, under one lock.
/// The session checks for urgent lines and registers a search in one step, so it misses none.
#[derive(Debug, Default)]
struct Gate {
    /// Queue of the lines taken in order.
    lines: VecDeque<Waiting>,
    /// Queue of the lines of kind [`LineKind::Early`] and ponder hits.
    /// While a search runs, these lines are taken before those of `lines`. Otherwise all lines are
    /// taken in the order of input.
    early: VecDeque<Waiting>,
    /// Size of both queues in bytes, at most [`BACKLOG`].
    bytes: usize,
    /// Number of urgent lines read and not taken yet, including one that waits for room.
    urgent: usize,
    /// Ponder hits of the search lines.
    ponder_hits: PonderHits,
    /// Number of lines read.
    read: u64,
    /// Whether the reader is waiting for room.
    full: bool,
    running: Option<Running>,
    /// Whether the input has ended.
    ended: bool,
    /// Whether the session has ended or the client has gone, so that no work is left.
    over: bool,
}

impl Gate {
    /// Stops the search that the session is waiting for, if any.
    fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop.set();
        }
    }

    /// Applies the effect of a line that was read. Returns whether the line is urgent.
    fn apply(&mut self, kind: LineKind) -> bool {
        let running = self.running.as_mut();
        let is_urgent = match kind {
            LineKind::Plain | LineKind::Early => false,
            LineKind::Urgent => true,
            LineKind::Search => {
                self.ponder_hits.waiting.push_back(false);
                if let Some(running) = running {
                    running.is_scripted |= running.is_new();
                }
                false
            }
            LineKind::PonderHit => {
                self.ponder_hits.add();
                false
            }
            LineKind::Quit => {
                running.is_some_and(|running| !running.is_scripted && !running.is_new())
            }
        };
        if is_urgent {
            self.urgent += 1;
            self.stop();
        }
        is_urgent
    }

    /// Queues a line.
    fn push(&mut self, line: InputLine, kind: LineKind, is_urgent: bool) {
        self.bytes += line.size();
        let waiting = Waiting {
            number: self.read,
            line,
            kind,
            is_urgent,
        };
        self.read += 1;
        match kind {
            LineKind::Early | LineKind::PonderHit => self.early.push_back(waiting),
            LineKind::Plain | LineKind::Urgent | LineKind::Search | LineKind::Quit => {
                self.lines.push_back(waiting);
            }
        }
    }

    /// Takes the next line in the order of reading.
    fn pop(&mut self) -> Option<InputLine> {
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
        if waiting.kind == LineKind::Search {
            let hits = &mut self.ponder_hits;
            hits.last = hits.waiting.pop_front().unwrap_or(false);
        }
        Some(waiting.line)
    }

    /// Takes all early lines.
    fn pop_early(&mut self) -> Vec<InputLine> {
        let lines: Vec<InputLine> = self.early.drain(..).map(|waiting| waiting.line).collect();
        self.bytes -= lines.iter().map(InputLine::size).sum::<usize>();
        lines
    }

    /// Returns whether both queues are empty.
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.early.is_empty()
    }

    /// Stops a search without limits if the input has ended.
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

    /// Returns whether no more lines will come.
    fn is_closed(&self) -> bool {
        self.ended || self.over
    }

    /// Returns whether a line of this size fits. Any line fits into an empty queue.
    fn has_room(&self, size: usize) -> bool {
        self.is_empty() || self.bytes + size <= BACKLOG
    }
}

/// Gate with the conditions that its threads wait for.
#[derive(Debug, Default)]
struct SharedInput {
    gate: Mutex<Gate>,
    /// Signalled when a line or the end of the input arrives.
    arrival: Condvar,
    /// Signalled when lines were taken, or when the session has ended.
    departure: Condvar,
}

impl SharedInput {
    /// Locks the gate. No code panics under this lock, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// State of the input during a search.
#[derive(Debug)]
pub(super) struct InputState {
    /// Early lines, taken from the queue.
    pub(super) lines: Vec<InputLine>,
    /// Whether a ponder hit has come for the search.
    pub(super) is_ponder_hit: bool,
    /// Whether the client waits for the search to end: a line is queued, or the input has ended.
    pub(super) is_awaited: bool,
}

/// Session's handle of the reader thread.
#[derive(Debug)]
pub(super) struct Inbox {
    shared: Arc<SharedInput>,
}

impl Inbox {
    /// Starts a thread that reads `input`. `kind` classifies each line when it is read.
    ///
    /// The end of the input stops a search without limits at once. It stops a search with limits
    /// when `client_has_left` returns true.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub(super) fn open(
        input: impl BufRead + Send + 'static,
        kind: fn(&InputLine) -> LineKind,
        client_has_left: Option<fn() -> bool>,
    ) -> io::Result<Inbox> {
        let shared = Arc::<SharedInput>::default();
        let inbox = Inbox {
            shared: Arc::clone(&shared),
        };
        spawn_thread("reader", move || {
            read_all(input, &shared, kind);
            if let Some(client_has_left) = client_has_left {
                watch(&shared, client_has_left);
            }
        })?;
        Ok(inbox)
    }

    /// Blocks until the next line and returns it. `None` after the last line, or without a client.
    pub(super) fn next(&self) -> Option<InputLine> {
        self.wait();
        let mut gate = self.shared.lock();
        if gate.over {
            return None;
        }
        let line = gate.pop()?;
        self.make_room(&gate);
        Some(line)
    }

    /// Takes the early lines and returns the state of the input.
    pub(super) fn take_early(&self) -> InputState {
        let mut gate = self.shared.lock();
        let lines = gate.pop_early();
        self.make_room(&gate);
        InputState {
            lines,
            is_ponder_hit: gate.ponder_hits.last,
            is_awaited: !gate.lines.is_empty() || gate.is_closed(),
        }
    }

    /// Wakes a reader that waits for room when half of the queue is free.
    /// Waking costs more time than reading a line. The reader thus reads many lines per wake-up.
    fn make_room(&self, gate: &Gate) {
        if gate.full && gate.bytes <= BACKLOG / 2 {
            self.shared.departure.notify_one();
        }
    }

    /// Blocks until a line is queued or no more lines will come.
    pub(super) fn wait(&self) {
        let waits = |gate: &mut Gate| gate.is_empty() && !gate.is_closed();
        let gate = self.shared.arrival.wait_while(self.shared.lock(), waits);
        drop(gate.unwrap_or_else(PoisonError::into_inner));
    }

    /// Blocks until `search` has ended, and returns its lines. Reports progress to `on_progress`.
    ///
    /// An urgent line stops the search. The end of the input stops it unless `is_bounded` is set.
    ///
    /// # Errors
    /// Returns the error of `on_progress`, which also stops the search.
    pub(super) fn wait_for_search(
        &self,
        mut search: SearchHandle,
        is_bounded: bool,
        mut on_progress: impl FnMut(&Progress) -> io::Result<()>,
    ) -> io::Result<Vec<search::Line>> {
        self.begin(search.stop_handle(), is_bounded);
        let mut result = Ok(());
        while let Some(progress) = search.next_progress() {
            if result.is_ok() && !self.interrupted() {
                result = on_progress(&progress);
                if result.is_err() {
                    search.stop();
                }
            }
        }
        let lines = search.wait();
        self.finish();
        result.map(|()| lines)
    }

    /// Unregisters the search, which has ended.
    pub(super) fn finish(&self) {
        self.shared.lock().running = None;
    }

    /// Registers a search, or its new limits. `stop` is set at once if an urgent line is queued.
    pub(super) fn begin(&self, stop: StopFlag, is_bounded: bool) {
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

    /// Returns whether an urgent line has been read and not taken yet.
    pub(super) fn interrupted(&self) -> bool {
        self.shared.lock().urgent > 0
    }
}

/// Ends the reader thread, which may be waiting for room.
impl Drop for Inbox {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.departure.notify_one();
    }
}

fn read_all(mut input: impl BufRead, shared: &SharedInput, kind: fn(&InputLine) -> LineKind) {
    // A read error counts as the end of the input.
    while let Ok(Some(line)) = read_line(&mut input) {
        let kind = kind(&line);
        let size = line.size();
        let mut gate = shared.lock();
        let is_urgent = gate.apply(kind);
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

/// Polls after the end of the input whether the client has gone. Then stops the search and the
/// session.
fn watch(shared: &SharedInput, client_has_left: fn() -> bool) {
    let mut gate = shared.lock();
    while !gate.over {
        let wait = shared
            .departure
            .wait_timeout_while(gate, CLIENT_POLL, |gate| !gate.over);
        gate = wait.unwrap_or_else(PoisonError::into_inner).0;
        if client_has_left() {
            gate.over = true;
            gate.stop();
        }
    }
}

#[cfg(test)]
mod tests;
