//! Input of a session: a thread reads lines of text, and the session receives them, even during a
//! search.
//!
//! A script writes several commands at once. The thread sends all whole lines of one read together,
//! so the session has the whole script when a search begins. Lines that arrive later come from a
//! client that watches the search.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::mem;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use emilia_core::search::{Line, Progress, ProgressEvent, SearchHandle};
use emilia_core::work::spawn_thread;

/// Maximum length of a line in bytes. The rest is cut off, so an endless line needs no memory.
const MAX_LINE: usize = 1 << 16;

/// Number of queued lines at which a search stops receiving lines. Further input then stays in the
/// client's pipe.
const MAX_WAITING: usize = 1 << 14;

/// Maximum number of reads whose lines wait for the session. At this number, the reader thread
/// blocks.
pub(super) const READS: usize = 16;

/// Interval at which a running search looks for new lines.
pub(super) const POLL: Duration = Duration::from_millis(5);

/// Time after a `quit` in which the searches of a script may finish.
const GRACE: Duration = Duration::from_secs(10);

/// Input line without its line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InputLine {
    /// Text of the line. Invalid UTF-8 is replaced.
    pub(super) text: String,
    /// Whether the line was too long and its end was cut off.
    pub(super) cut: bool,
}

impl InputLine {
    /// Converts the bytes of a line, and clears `bytes`.
    fn take(bytes: &mut Vec<u8>) -> InputLine {
        let cut = bytes.len() > MAX_LINE;
        bytes.truncate(MAX_LINE);
        let text = String::from_utf8_lossy(bytes).into_owned();
        bytes.clear();
        InputLine { text, cut }
    }
}

/// Effect of an input line on the search that runs when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// No effect: the line waits for its turn.
    Waits,
    /// No effect: the line is executed during the search, before the queued lines.
    Now,
    /// Stops the running search, and every search that starts while this line is queued.
    Stops,
    /// Stops the running search. A search that starts while this line is queued may run for
    /// [`GRACE`].
    Quit,
}

/// Receiver of the reader thread's lines, with the queue of lines that are not executed yet.
#[derive(Debug)]
pub(super) struct Inbox {
    reads: Receiver<Vec<InputLine>>,
    kind: fn(&InputLine) -> LineKind,
    waiting: VecDeque<(LineKind, InputLine)>,
    /// Whether the input has ended.
    ended: bool,
    /// Time at which every search ends: [`GRACE`] after a `quit`, or at once if the `quit` arrived
    /// during a search or the client has gone.
    deadline: Option<Instant>,
    client_has_left: fn() -> bool,
}

impl Inbox {
    /// Starts a thread that reads `input`.
    /// `client_has_left` is polled during a search and returns whether nobody reads the output any
    /// more.
    pub(super) fn open(
        input: impl BufRead + Send + 'static,
        client_has_left: fn() -> bool,
    ) -> io::Result<Inbox> {
        let (sender, reads) = sync_channel(READS);
        spawn_thread("reader", move || read_all(input, &sender))?;
        Ok(Inbox {
            reads,
            kind: |_| LineKind::Waits,
            waiting: VecDeque::new(),
            ended: false,
            deadline: None,
            client_has_left,
        })
    }

    /// Sets the function that classifies lines, and classifies the queued lines again.
    pub(super) fn with_kinds(mut self, kind: fn(&InputLine) -> LineKind) -> Inbox {
        self.kind = kind;
        let lines = mem::take(&mut self.waiting).into_iter();
        self.add(lines.map(|(_, line)| line), GRACE);
        self
    }

    /// Queues lines. After the first `quit`, searches may run for `grace`.
    fn add(&mut self, lines: impl IntoIterator<Item = InputLine>, grace: Duration) {
        for line in lines {
            let kind = (self.kind)(&line);
            if kind == LineKind::Quit {
                self.deadline.get_or_insert_with(|| Instant::now() + grace);
            }
            self.waiting.push_back((kind, line));
        }
    }

    /// Blocks until lines arrive or the input has ended.
    pub(super) fn wait(&mut self) {
        match self.reads.recv() {
            Ok(lines) => self.add(lines, GRACE),
            Err(_) => self.ended = true,
        }
    }

    /// Queues the lines that have arrived. After the first `quit`, searches may run for `grace`.
    fn receive(&mut self, grace: Duration) {
        while self.waiting.len() < MAX_WAITING && !self.ended {
            match self.reads.try_recv() {
                Ok(lines) => self.add(lines, grace),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.ended = true,
            }
        }
    }

    /// Blocks until there is a next line, and removes it from the queue. `None` after the last
    /// line.
    pub(super) fn next(&mut self) -> Option<InputLine> {
        while self.waiting.is_empty() && !self.ended {
            self.wait();
        }
        self.waiting.pop_front().map(|(_, line)| line)
    }

    /// Returns the text of the first line that is not blank. All lines stay in the queue.
    pub(super) fn first_line(&mut self) -> Option<&str> {
        while self.waiting.iter().all(|(_, line)| is_blank(line)) && !self.ended {
            self.wait();
        }
        let mut lines = self.waiting.iter().map(|(_, line)| line);
        Some(&lines.find(|line| !is_blank(line))?.text)
    }

    /// Removes the first line of kind [`LineKind::Now`] from the queue and returns it.
    pub(super) fn take_now(&mut self) -> Option<InputLine> {
        let mut kinds = self.waiting.iter().map(|(kind, _)| *kind);
        let at = kinds.position(|kind| kind == LineKind::Now)?;
        self.waiting.remove(at).map(|(_, line)| line)
    }

    /// Returns the queued lines.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &InputLine> + Clone {
        self.waiting.iter().map(|(_, line)| line)
    }

    /// Returns whether all input has been received.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Queues the lines that arrived before a search began. They belong to the script that started
    /// the search, so a `quit` among them lets searches run for [`GRACE`].
    pub(super) fn begin_search(&mut self) {
        self.receive(GRACE);
    }

    /// Queues the lines that have arrived, and returns whether the search must end.
    pub(super) fn interrupts(&mut self) -> bool {
        self.receive(Duration::ZERO);
        let is_late = self.deadline.is_some_and(|end| end <= Instant::now());
        let mut kinds = self.waiting.iter().map(|(kind, _)| *kind);
        is_late || kinds.any(|kind| kind == LineKind::Stops)
    }

    /// If nobody reads the output, drops the queued lines and ends the input and every search.
    pub(super) fn check_client(&mut self) {
        if (self.client_has_left)() {
            self.waiting.clear();
            self.ended = true;
            self.deadline = Some(Instant::now());
        }
    }

    /// Blocks until `search` has ended, and returns its search lines: the reported moves, each with
    /// value and PV. Reports progress to `on_progress`. An error of `on_progress` stops the search.
    /// The end of the input stops the search unless `is_bounded` is set.
    pub(super) fn wait_for_search(
        &mut self,
        mut search: SearchHandle,
        is_bounded: bool,
        mut on_progress: impl FnMut(&Progress) -> io::Result<()>,
    ) -> io::Result<Vec<Line>> {
        self.begin_search();
        loop {
            let is_interrupted = self.interrupts();
            if is_interrupted || (self.ended && !is_bounded) {
                search.stop();
            }
            match search.progress_within(POLL) {
                ProgressEvent::Progress(_) if is_interrupted => {}
                ProgressEvent::Progress(progress) => on_progress(&progress)?,
                ProgressEvent::Timeout => self.check_client(),
                ProgressEvent::Ended => return Ok(search.wait()),
            }
        }
    }
}

fn is_blank(line: &InputLine) -> bool {
    line.text.trim().is_empty()
}

/// Sends the lines of `input` until it ends. A read error counts as the end.
pub(super) fn read_all(mut input: impl BufRead, sender: &SyncSender<Vec<InputLine>>) {
    let mut bytes = Vec::new();
    loop {
        let read = match input.fill_buf() {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let size = read.len();
        let mut lines = Vec::new();
        for part in read.split_inclusive(|&byte| byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            // Keeps one byte more than `MAX_LINE`: the extra byte marks a line that is too long.
            let kept = text.len().min(MAX_LINE + 1 - bytes.len());
            bytes.extend_from_slice(&text[..kept]);
            if text.len() < part.len() {
                lines.push(InputLine::take(&mut bytes));
            }
        }
        if size == 0 && !bytes.is_empty() {
            lines.push(InputLine::take(&mut bytes));
        }
        input.consume(size);
        if (!lines.is_empty() && sender.send(lines).is_err()) || size == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
