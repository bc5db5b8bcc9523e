//! Handle of a search in a background thread: poll, replace the limits, stop, wait.

use std::fmt;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::control::Control;
use super::{Limits, Line, Report, StopFlag};
use crate::work::spawn_thread;

/// Progress of a search: one of the lines (MultiPV) of a completed iteration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Rank of the line in MultiPV, counted from 1 for the best.
    pub multi_pv: usize,
    /// The line with its value, depth and moves.
    pub line: Line,
}

/// Result of waiting a limited time for progress of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgressEvent {
    /// A line of a completed iteration.
    Progress(Progress),
    /// No [`Progress`] arrived in the given time.
    Timeout,
    /// The search has ended, and all its [`Progress`] was returned.
    Ended,
}

/// Handle of a running search, returned by [`Engine::start`](super::Engine::start).
///
/// The handle can poll the search, replace its limits, stop it and wait for it.
/// Dropping the handle stops the search.
/// The search runs in its own thread.
/// If no thread can be started, the first call that polls or waits runs it.
///
/// ```
/// use emilia::board::Board;
/// use emilia::search::{Engine, Limits, Settings};
/// let engine = Engine::new(Settings::default());
/// // Ponder: search without limits on the opponent's time.
/// let mut search = engine.start(&Board::START, 1, &Limits::default());
/// while search.poll().is_none() {}
/// // The opponent played the expected move: search 10,000 more nodes.
/// search.ponder_hit(Limits::nodes(10_000));
/// assert!(search.wait()[0].best_move().is_some());
/// ```
#[derive(Debug)]
pub struct SearchHandle {
    control: Control,
    progress: Receiver<Progress>,
    state: State,
}

/// The search closure, taken by the first thread that runs it.
type SearchClosure = Arc<Mutex<Option<Box<dyn FnOnce() -> Vec<Line> + Send>>>>;

/// Where the search runs.
enum State {
    /// Runs in a background thread.
    Thread(JoinHandle<Vec<Line>>),
    /// Not started: no thread was available.
    Waiting(SearchClosure),
    /// Finished, with its lines.
    Done(Vec<Line>),
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Thread(_) => "Thread",
            State::Waiting(_) => "Waiting",
            State::Done(_) => "Done",
        })
    }
}

/// Runs the search. Returns no lines if it was run before.
fn run(job: &SearchClosure) -> Vec<Line> {
    let search = job.lock().unwrap_or_else(PoisonError::into_inner).take();
    search.map_or_else(Vec::new, |search| search())
}

/// Sends each line of a completed iteration through a channel.
struct Messenger(Sender<Progress>);

impl Report for Messenger {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        // Without a receiver the message is dropped and the search goes on.
        let _ = self.0.send(Progress {
            multi_pv,
            line: line.clone(),
        });
    }
}

impl SearchHandle {
    /// Starts `search` in a new thread.
    pub(super) fn spawn(
        control: Control,
        search: impl FnOnce(&Control, &mut dyn Report) -> Vec<Line> + Send + 'static,
    ) -> SearchHandle {
        let (sender, progress) = channel();
        let own = control.clone();
        let search = move || search(&own, &mut Messenger(sender));
        let job: SearchClosure = Arc::new(Mutex::new(Some(Box::new(search))));
        let own = Arc::clone(&job);
        let state = match spawn_thread("search", move || run(&own)) {
            Ok(thread) => State::Thread(thread),
            Err(_) => State::Waiting(job),
        };
        SearchHandle {
            control,
            progress,
            state,
        }
    }

    /// The handle of a search that has ended with these lines, which are its progress too.
    pub fn finished(lines: Vec<Line>) -> SearchHandle {
        let (sender, progress) = channel();
        for (multi_pv, line) in (1..).zip(&lines) {
            Messenger(sender.clone()).progress(multi_pv, line);
        }
        SearchHandle {
            control: Control::default(),
            progress,
            state: State::Done(lines),
        }
    }

    /// Runs the search in the calling thread if it has no thread of its own.
    fn run_without_thread(&mut self) {
        if let State::Waiting(job) = &self.state {
            self.state = State::Done(run(job));
        }
    }

    /// Returns the next [`Progress`] without waiting.
    /// Returns `None` if there is none yet or the search has ended.
    pub fn poll(&mut self) -> Option<Progress> {
        self.run_without_thread();
        self.progress.try_recv().ok()
    }

    /// Waits for the next [`Progress`]. Returns `None` when the search has ended.
    pub fn next_progress(&mut self) -> Option<Progress> {
        self.run_without_thread();
        self.progress.recv().ok()
    }

    /// Waits for the next [`Progress`] for at most `wait`.
    pub fn progress_within(&mut self, wait: Duration) -> ProgressEvent {
        self.run_without_thread();
        match self.progress.recv_timeout(wait) {
            Ok(progress) => ProgressEvent::Progress(progress),
            Err(RecvTimeoutError::Timeout) => ProgressEvent::Timeout,
            Err(RecvTimeoutError::Disconnected) => ProgressEvent::Ended,
        }
    }

    /// Returns whether the search has ended, so that [`wait`](Self::wait) returns at once.
    pub fn is_finished(&self) -> bool {
        match &self.state {
            State::Thread(thread) => thread.is_finished(),
            State::Waiting(_) => false,
            State::Done(_) => true,
        }
    }

    /// Replaces the limits. Call this when the opponent plays the move pondered on.
    ///
    /// Time and nodes are counted from now on.
    pub fn ponder_hit(&self, limits: Limits) {
        self.control.set_limits(limits);
    }

    /// Stops the search within milliseconds.
    pub fn stop(&self) {
        self.control.stop.set();
    }

    /// Returns the stop flag of the search. Any thread may set it.
    pub fn stop_handle(&self) -> StopFlag {
        self.control.stop.clone()
    }

    /// Waits for the end of the search and returns its lines, best first.
    pub fn wait(mut self) -> Vec<Line> {
        match mem::replace(&mut self.state, State::Done(Vec::new())) {
            State::Thread(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            State::Waiting(job) => run(&job),
            State::Done(lines) => lines,
        }
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
        if let State::Thread(thread) = mem::replace(&mut self.state, State::Done(Vec::new())) {
            // The panic hook has already printed the message of a search that panicked.
            let _ = thread.join();
        }
    }
}
