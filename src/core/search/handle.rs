//! Handle of a search in a background thread: poll, replace the limits, stop, wait. A [`Line`] is a
//! root move with its value, depth and PV.

use std::io;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::control::Control;
use super::limits::Limits;
use super::report::{Line, Report};
use crate::work::{StopFlag, spawn_thread};

/// Progress of a search: one of the lines (MultiPV) of a completed iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Rank of the line in MultiPV, counted from 1 for the best.
    pub multi_pv: usize,
    /// The line: the move with its value, depth and PV.
    pub line: Line,
}

/// Result of [`SearchHandle::progress_within`].
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
///
/// ```
/// use emilia_core::board::Board;
/// use emilia_core::search::{Engine, Limits, Settings};
/// let engine = Engine::new(Settings::default());
/// // Ponder: search without limits on the opponent's time.
/// let mut search = engine.start(&Board::START, 1, &Limits::default())?;
/// while search.poll().is_none() {}
/// // The opponent played the expected move: search 10,000 more nodes.
/// search.ponder_hit(Limits::nodes(10_000));
/// assert!(search.wait()[0].best_move().is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SearchHandle {
    control: Control,
    progress: Receiver<Progress>,
    /// Thread of the search. `None` if the search had ended before the handle was created: `lines`
    /// is then its result.
    thread: Option<JoinHandle<Vec<Line>>>,
    lines: Vec<Line>,
}

/// Sends each line of a completed iteration through a channel.
impl Report for Sender<Progress> {
    fn progress(&mut self, multi_pv: usize, line: &Line) {
        // Without a receiver the message is dropped and the search goes on.
        let _ = self.send(Progress {
            multi_pv,
            line: line.clone(),
        });
    }
}

impl SearchHandle {
    /// Starts `search` in a new thread. On WebAssembly, which has no threads, runs `search` at
    /// once.
    pub(super) fn spawn(
        control: Control,
        search: impl FnOnce(&Control, &mut dyn Report) -> Vec<Line> + Send + 'static,
    ) -> io::Result<SearchHandle> {
        let (mut sender, progress) = channel();
        let own = control.clone();
        let run = move || search(&own, &mut sender);
        let (thread, lines) = if cfg!(target_family = "wasm") {
            (None, run())
        } else {
            (Some(spawn_thread("search", run)?), Vec::new())
        };
        Ok(SearchHandle {
            control,
            progress,
            thread,
            lines,
        })
    }

    /// Returns the handle of a search that has ended with `lines`. The handle also returns each of
    /// these lines as [`Progress`].
    pub fn finished(lines: Vec<Line>) -> SearchHandle {
        let (mut sender, progress) = channel();
        for (multi_pv, line) in (1..).zip(&lines) {
            sender.progress(multi_pv, line);
        }
        SearchHandle {
            control: Control::default(),
            progress,
            thread: None,
            lines,
        }
    }

    /// Returns the next [`Progress`] without waiting.
    /// Returns `None` if no further iteration is completed yet, or if the search has ended.
    pub fn poll(&mut self) -> Option<Progress> {
        self.progress.try_recv().ok()
    }

    /// Waits for the next [`Progress`]. Returns `None` when the search has ended.
    pub fn next_progress(&mut self) -> Option<Progress> {
        self.progress.recv().ok()
    }

    /// Waits for the next [`Progress`] for at most `wait`.
    pub fn progress_within(&mut self, wait: Duration) -> ProgressEvent {
        match self.progress.recv_timeout(wait) {
            Ok(progress) => ProgressEvent::Progress(progress),
            Err(RecvTimeoutError::Timeout) => ProgressEvent::Timeout,
            Err(RecvTimeoutError::Disconnected) => ProgressEvent::Ended,
        }
    }

    /// Returns whether the search has ended, so that [`wait`](Self::wait) returns at once.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Replaces the limits. Call this when the opponent plays the move pondered on.
    ///
    /// Time and nodes are counted from this call on.
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
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => mem::take(&mut self.lines),
        }
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // The panic hook has already printed the message of a search that panicked.
            let _ = thread.join();
        }
    }
}
