//! A search under way in a thread of its own.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

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

/// A search that was [started](super::Engine::start): it can be polled, told of new limits, stopped, and waited for. When this is
/// dropped, the search ends.
///
/// ```
/// use emilia::board::Board;
/// use emilia::search::{Engine, Limits, Settings};
/// let engine = Engine::new(Settings::default());
/// // Think on the opponent's time, without limits ...
/// let mut search = engine.start(&Board::START, 1, &Limits::default())?;
/// while search.poll().is_none() {}
/// // ... until the move that was expected is played: now there are some.
/// search.ponder_hit(Limits::nodes(10_000));
/// assert!(search.wait()[0].best_move().is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Search {
    control: Control,
    progress: Receiver<Progress>,
    /// Nothing once it has been waited for.
    thread: Option<JoinHandle<Vec<Line>>>,
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
    ) -> io::Result<Search> {
        let (sender, progress) = channel();
        let own = control.clone();
        let thread = spawn_thread("search", move || search(&own, &mut Messenger(sender)))?;
        Ok(Search {
            control,
            progress,
            thread: Some(thread),
        })
    }

    /// The next line that is known already; `None` while there is none, and after the end.
    pub fn poll(&mut self) -> Option<Progress> {
        self.progress.try_recv().ok()
    }

    /// The next line; waits for it. `None` when the search has ended.
    pub fn next_progress(&mut self) -> Option<Progress> {
        self.progress.recv().ok()
    }

    /// Whether it has ended: then [`wait`](Self::wait) returns at once.
    pub fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
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
        self.join()
    }

    fn join(&mut self) -> Vec<Line> {
        let Some(thread) = self.thread.take() else {
            return Vec::new();
        };
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A search that panicked has said so on stderr.
            let _ = thread.join();
        }
    }
}
