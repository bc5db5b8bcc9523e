//! A search under way in a thread of its own.

use std::fmt;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::control::Control;
use super::{Limits, Line, Report, Stop};
use crate::work::spawn_thread;

/// A line of an iteration that is complete.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of the line among those asked for, counted from 1 for the best.
    pub multi_pv: usize,
    /// The line.
    pub line: Line,
}

/// What came of waiting a while for a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A line.
    Progress(Progress),
    /// Nothing in that time.
    Nothing,
    /// The search has ended.
    End,
}

/// A search that was [started](super::Engine::start): it can be polled, told of new limits, stopped, and waited for. When this is
/// dropped, the search ends.
///
/// It runs in a thread of its own. Where the system has none left, it runs in the first call that asks for its lines.
///
/// ```
/// use emilia::board::Board;
/// use emilia::search::{Engine, Limits, Settings};
/// let engine = Engine::new(Settings::default());
/// // Think on the opponent's time, without limits ...
/// let mut search = engine.start(&Board::START, 1, &Limits::default());
/// while search.poll().is_none() {}
/// // ... until the move that was expected is played: now there are some.
/// search.ponder_hit(Limits::nodes(10_000));
/// assert!(search.wait()[0].best_move().is_some());
/// ```
#[derive(Debug)]
pub struct Search {
    control: Control,
    progress: Receiver<Progress>,
    state: State,
}

/// The search itself, until somebody runs it.
type Job = Arc<Mutex<Option<Box<dyn FnOnce() -> Vec<Line> + Send>>>>;

/// Where the search is done.
enum State {
    /// In a thread of its own.
    Thread(JoinHandle<Vec<Line>>),
    /// Nowhere yet: the system has no thread left.
    Waiting(Job),
    /// It has ended.
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

/// Does the search, unless that was done before.
fn run(job: &Job) -> Vec<Line> {
    let search = job.lock().unwrap_or_else(PoisonError::into_inner).take();
    search.map_or_else(Vec::new, |search| search())
}

/// Sends what it is told.
struct Messenger(Sender<Progress>);

impl Report for Messenger {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        // Where nobody wants to know, the search goes on.
        let _ = self.0.send(Progress {
            multi_pv,
            line: line.clone(),
        });
    }
}

impl Search {
    /// Does `search` in a new thread.
    pub(super) fn spawn(
        control: Control,
        search: impl FnOnce(&Control, &mut dyn Report) -> Vec<Line> + Send + 'static,
    ) -> Search {
        let (sender, progress) = channel();
        let own = control.clone();
        let search = move || search(&own, &mut Messenger(sender));
        let job: Job = Arc::new(Mutex::new(Some(Box::new(search))));
        let own = Arc::clone(&job);
        let state = match spawn_thread("search", move || run(&own)) {
            Ok(thread) => State::Thread(thread),
            Err(_) => State::Waiting(job),
        };
        Search {
            control,
            progress,
            state,
        }
    }

    /// Does the search here and now if it has no thread.
    fn run_without_thread(&mut self) {
        if let State::Waiting(job) = &self.state {
            self.state = State::Done(run(job));
        }
    }

    /// The next line that is known already; `None` while there is none, and after the end.
    pub fn poll(&mut self) -> Option<Progress> {
        self.run_without_thread();
        self.progress.try_recv().ok()
    }

    /// The next line; waits for it. `None` when the search has ended.
    pub fn next_progress(&mut self) -> Option<Progress> {
        self.run_without_thread();
        self.progress.recv().ok()
    }

    /// The next line, waiting for it no longer than `wait`.
    pub fn progress_within(&mut self, wait: Duration) -> Heard {
        self.run_without_thread();
        match self.progress.recv_timeout(wait) {
            Ok(progress) => Heard::Progress(progress),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Whether it has ended: then [`wait`](Self::wait) returns at once.
    pub fn is_finished(&self) -> bool {
        match &self.state {
            State::Thread(thread) => thread.is_finished(),
            State::Waiting(_) => false,
            State::Done(_) => true,
        }
    }

    /// The move that was pondered on has been played: from now on the search goes by these limits. Time and nodes are counted from
    /// now on.
    pub fn ponder_hit(&self, limits: Limits) {
        self.control.set_limits(limits);
    }

    /// Ends it within milliseconds.
    pub fn stop(&self) {
        self.control.stop.set();
    }

    /// What [ends](Self::stop) it from other threads.
    pub fn stop_handle(&self) -> Stop {
        self.control.stop.clone()
    }

    /// Waits for the end and returns the lines, best first.
    pub fn wait(mut self) -> Vec<Line> {
        match mem::replace(&mut self.state, State::Done(Vec::new())) {
            State::Thread(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            State::Waiting(job) => run(&job),
            State::Done(lines) => lines,
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
        if let State::Thread(thread) = mem::replace(&mut self.state, State::Done(Vec::new())) {
            // A search that panicked has said so on stderr.
            let _ = thread.join();
        }
    }
}
