//! What a person types, and Ctrl-C: both arrive while the engine thinks as well.

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cli::terminal::QuietKeys;
use crate::cli::{Failure, on_interrupt};
use crate::search::{Line, Progress, Search, Stop};
use crate::work::spawn_thread;

/// The longest line that is read, in bytes; the input may be anything.
const LONGEST_LINE: usize = 1 << 16;

/// So many lines are read before they are asked for.
const READ_AHEAD: usize = 16;

/// What comes next.
#[derive(Debug)]
pub(super) enum Event {
    /// A line. Bytes that are no text make a line like any other, which is then no command.
    Line {
        text: String,
        /// It was typed while keys were kept quiet.
        unseen: bool,
    },
    /// The end of the input.
    End,
    /// The input cannot be read.
    Failed(io::Error),
    /// Ctrl-C, and nothing ran that it could have stopped.
    Interrupted,
}

/// Where commands come from.
#[derive(Debug)]
pub(super) struct Input {
    events: Receiver<Event>,
    state: Arc<State>,
    /// Whether somebody sits at the other end.
    pub(super) prompting: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The next Ctrl-C ends the search that runs, and no more.
    spares: AtomicBool,
    /// Ctrl-C asked for the end.
    leaves: AtomicBool,
    /// Keys are kept quiet.
    quiet: AtomicBool,
    /// The next key ends the search that runs, and is no command.
    any_key: AtomicBool,
    /// Ends the search that runs.
    search: Mutex<Option<Stop>>,
}

impl State {
    fn search(&self) -> MutexGuard<'_, Option<Stop>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop_search(&self) {
        if let Some(search) = &*self.search() {
            search.set();
        }
    }
}

impl Input {
    /// Reads stdin from now on, and listens for Ctrl-C.
    pub(super) fn open(prompting: bool) -> Result<Input, Failure> {
        let (sender, events) = sync_channel(READ_AHEAD);
        let state = Arc::new(State::default());
        let (handle, wake) = (state.clone(), sender.clone());
        on_interrupt(move || {
            if !handle.spares.swap(false, Ordering::SeqCst) {
                handle.leaves.store(true, Ordering::SeqCst);
                // If there is no room, nobody waits to be woken.
                let _ = wake.try_send(Event::Interrupted);
            }
            handle.stop_search();
        })?;
        let reader = state.clone();
        spawn_thread("reader", move || read(&sender, &reader))
            .map_err(|error| Failure::Input(error.to_string()))?;
        Ok(Input {
            events,
            state,
            prompting,
        })
    }

    /// Waits for what comes next; to be called after [`spare_no_more`](Self::spare_no_more).
    pub(super) fn next(&self) -> Event {
        if self.is_left() {
            return Event::Interrupted;
        }
        // The reader says what ends it.
        self.events.recv().unwrap_or(Event::End)
    }

    /// From now on until [`spare_no_more`](Self::spare_no_more), the first Ctrl-C only ends the search that runs.
    pub(super) fn spare(&self) {
        self.state.spares.store(true, Ordering::SeqCst);
    }

    /// From now on Ctrl-C ends the game. Before the prompt is shown: whoever sees it may press the keys at once.
    pub(super) fn spare_no_more(&self) {
        self.state.spares.store(false, Ordering::SeqCst);
    }

    /// Whether Ctrl-C has asked for the end.
    pub(super) fn is_left(&self) -> bool {
        self.state.leaves.load(Ordering::SeqCst)
    }

    /// Waits for the lines of `search` with the keys kept quiet, and lets `show` know of its progress. Ctrl-C ends it, and so
    /// does `any_key`, if that is wanted.
    pub(super) fn attend(
        &self,
        mut search: Search,
        any_key: bool,
        mut show: impl FnMut(&Progress),
    ) -> Vec<Line> {
        *self.state.search() = Some(search.stop_handle());
        if self.is_left() {
            search.stop();
        }
        self.state.any_key.store(any_key, Ordering::SeqCst);
        let keys = self.prompting.then(|| QuietKeys::new(any_key));
        self.state.quiet.store(keys.is_some(), Ordering::SeqCst);
        while let Some(progress) = search.next_progress() {
            show(&progress);
        }
        let lines = search.wait();
        drop(keys);
        self.state.any_key.store(false, Ordering::SeqCst);
        self.state.quiet.store(false, Ordering::SeqCst);
        *self.state.search() = None;
        lines
    }
}

/// Reads lines until the input ends or nobody wants them.
fn read(events: &SyncSender<Event>, state: &State) {
    let mut input = io::stdin().lock();
    loop {
        let event = match read_line(&mut input, state) {
            Ok(line) if line.is_empty() => Event::End,
            Ok(line) => Event::Line {
                text: String::from_utf8_lossy(&line).into_owned(),
                unseen: state.quiet.load(Ordering::SeqCst),
            },
            Err(error) => Event::Failed(error),
        };
        let is_last = !matches!(event, Event::Line { .. });
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The next line with its end, empty at the end of the input. Keys that end a search are left out.
fn read_line(input: &mut impl BufRead, state: &State) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let read = input.fill_buf()?;
        if read.is_empty() {
            break;
        }
        let end = read.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(read.len(), |end| end + 1);
        if state.any_key.swap(false, Ordering::SeqCst) {
            let all = read.len();
            input.consume(all);
            state.stop_search();
            continue;
        }
        line.extend_from_slice(&read[..length]);
        input.consume(length);
        if line.len() >= LONGEST_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a line of {LONGEST_LINE} bytes and more"),
            ));
        }
    }
    Ok(line)
}
