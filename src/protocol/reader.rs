//! The reader thread: it takes lines from the input while the engine searches, ends the search for those that cannot
//! wait, and hands all of them to the session in order. Stands on `search::Stop`.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::search::Stop;

/// The bytes of a line that are kept; no client sends more, and garbage may be endless.
const LONGEST_LINE: usize = 1 << 16;

/// A line of input without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its text; bytes that are no UTF-8 are replaced.
    pub(super) text: String,
    /// Whether it was too long and its end was thrown away.
    pub(super) cut: bool,
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

/// What the two threads agree on, under one lock, so that no urgent line falls between the session's look and its
/// clearing of the stop.
#[derive(Debug, Default)]
struct Gate {
    /// Lines that are read and not yet handed over.
    waiting: usize,
    /// The urgent ones of them.
    urgent: usize,
    /// Whether the session does something that every line ends.
    idle: bool,
    /// Whether the input has ended.
    ended: bool,
}

/// The session's end of the reader thread.
#[derive(Debug)]
pub(super) struct Inbox {
    lines: Receiver<(Line, bool)>,
    gate: Arc<Mutex<Gate>>,
    stop: Stop,
}

impl Inbox {
    /// Starts reading `input`. A line that `is_urgent`, and the end of the input, set `stop`.
    pub(super) fn open(
        input: impl BufRead + Send + 'static,
        stop: Stop,
        is_urgent: fn(&str) -> bool,
    ) -> Inbox {
        let (sender, lines) = channel();
        let gate = Arc::<Mutex<Gate>>::default();
        let inbox = Inbox {
            lines,
            gate: Arc::clone(&gate),
            stop: stop.clone(),
        };
        thread::spawn(move || read_all(input, &sender, &gate, &stop, is_urgent));
        inbox
    }

    /// The next line; waits for it. `None` at the end of the input.
    pub(super) fn next(&self) -> Option<Line> {
        let (line, urgent) = self.lines.recv().ok()?;
        let mut gate = lock(&self.gate);
        gate.waiting -= 1;
        gate.urgent -= usize::from(urgent);
        drop(gate);
        Some(line)
    }

    /// Lets `search` run until the next line comes or the input ends; not at all if a line waits already. Tells whether
    /// it came to its end by itself.
    pub(super) fn while_idle(&self, search: impl FnOnce()) -> bool {
        let mut gate = lock(&self.gate);
        if gate.waiting > 0 || gate.ended {
            return false;
        }
        gate.idle = true;
        self.stop.clear();
        drop(gate);
        search();
        lock(&self.gate).idle = false;
        !self.stop.is_set()
    }

    /// Makes a search possible; if something urgent waits already, it will end at once.
    pub(super) fn arm(&self) {
        let gate = lock(&self.gate);
        if gate.urgent == 0 && !gate.ended {
            self.stop.clear();
        } else {
            self.stop.set();
        }
    }

    /// Whether an urgent line waits.
    pub(super) fn interrupted(&self) -> bool {
        lock(&self.gate).urgent > 0
    }

    /// Ends the running search from within, as when nobody hears its answer.
    pub(super) fn stop_search(&self) {
        self.stop.set();
    }
}

/// A counter cannot be left half changed, so a poisoned lock is as good as any.
fn lock(gate: &Mutex<Gate>) -> MutexGuard<'_, Gate> {
    gate.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_all(
    mut input: impl BufRead,
    sender: &Sender<(Line, bool)>,
    gate: &Mutex<Gate>,
    stop: &Stop,
    is_urgent: fn(&str) -> bool,
) {
    // An input that cannot be read has ended.
    while let Ok(Some(line)) = read_line(&mut input) {
        let urgent = is_urgent(&line.text);
        let mut gate = lock(gate);
        gate.waiting += 1;
        gate.urgent += usize::from(urgent);
        if urgent || gate.idle {
            stop.set();
        }
        drop(gate);
        if sender.send((line, urgent)).is_err() {
            return;
        }
    }
    lock(gate).ended = true;
    stop.set();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut bytes: &[u8]) -> Vec<(String, bool)> {
        std::iter::from_fn(|| read_line(&mut bytes).unwrap())
            .map(|line| (line.text, line.cut))
            .collect()
    }

    #[test]
    fn lines_end_with_the_input_and_long_ones_are_cut() {
        assert_eq!(lines(b""), []);
        let whole = |text: &str| (text.to_owned(), false);
        assert_eq!(lines(b"a\n\nb"), [whole("a"), whole(""), whole("b")]);
        assert_eq!(lines(b"\xff\n"), [whole("\u{fffd}")]);
        let long = ["x".repeat(LONGEST_LINE + 1).as_bytes(), b"\ny\n"].concat();
        assert_eq!(lines(&long), [("x".repeat(LONGEST_LINE), true), whole("y")]);
    }

    #[test]
    fn an_urgent_line_stops_every_search_until_it_is_handed_over() {
        let stop = Stop::default();
        let (reader, mut client) = io::pipe().unwrap();
        let inbox = Inbox::open(io::BufReader::new(reader), stop.clone(), |line| line == "!");
        io::Write::write_all(&mut client, b"a\n!\nb\n").unwrap();
        assert_eq!(inbox.next().unwrap().text, "a");
        // The reader may be slower than this thread.
        while !stop.is_set() {
            thread::yield_now();
        }
        inbox.arm();
        assert!(stop.is_set() && inbox.interrupted());
        assert_eq!(inbox.next().unwrap().text, "!");
        inbox.arm();
        assert!(!stop.is_set() && !inbox.interrupted());
        assert_eq!(inbox.next().unwrap().text, "b");
        drop(client);
        assert_eq!(inbox.next(), None);
        inbox.arm();
        assert!(stop.is_set() && !inbox.interrupted());
    }

    #[test]
    fn any_line_ends_what_is_done_while_idle() {
        let stop = Stop::default();
        let (reader, mut client) = io::pipe().unwrap();
        let inbox = Inbox::open(io::BufReader::new(reader), stop.clone(), |_| false);
        let until_stopped = |stop: &Stop| {
            while !stop.is_set() {
                thread::yield_now();
            }
        };
        assert!(inbox.while_idle(|| ()), "nothing disturbs");
        let ended = inbox.while_idle(|| {
            io::Write::write_all(&mut client, b"a\n").unwrap();
            until_stopped(&stop);
        });
        assert!(!ended);
        assert!(!inbox.while_idle(|| panic!("a line waits")));
        assert_eq!(inbox.next().unwrap().text, "a");
        // Lines that are not urgent do not end other searches.
        inbox.arm();
        io::Write::write_all(&mut client, b"b\n").unwrap();
        assert_eq!(inbox.next().unwrap().text, "b");
        assert!(!stop.is_set());
        let ended = inbox.while_idle(|| {
            drop(client);
            until_stopped(&stop);
        });
        assert!(!ended);
        assert!(!inbox.while_idle(|| panic!("the input has ended")));
        assert_eq!(inbox.next(), None);
    }
}
