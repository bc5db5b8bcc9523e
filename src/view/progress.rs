//! Progress of a long job or a long search, on stderr when it is a terminal, and nowhere otherwise.

use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::work::spawn_thread;

/// Jobs and searches shorter than this show nothing.
const QUIET: Duration = Duration::from_millis(300);

/// How often the time is shown anew.
const TICK: Duration = Duration::from_millis(250);

/// A bar that appears when the job turns out to be long, and goes when it is dropped.
///
/// ```
/// let bar = emilia::view::ProgressBar::new("games");
/// bar.update(1, 3);
/// ```
#[derive(Debug)]
pub struct ProgressBar {
    bar: indicatif::ProgressBar,
    start: Instant,
    /// Done when it has appeared.
    shown: Arc<Once>,
}

impl ProgressBar {
    /// A bar for a job that begins now; `what` it counts stands before the count: `games`.
    pub fn new(what: &'static str) -> ProgressBar {
        // Nothing is drawn before there is something to show.
        let bar = indicatif::ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "{prefix} {human_pos}/{human_len} {wide_bar} {percent:>3} %  {elapsed}{left}{msg}",
        );
        // Before the first part is done there is no estimate.
        let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let left = state.eta();
            if !left.is_zero() {
                let _ = write!(out, ", {:#} left", HumanDuration(left));
            }
        };
        if let Ok(style) = style {
            bar.set_style(style.with_key("left", left));
        }
        bar.set_prefix(what);
        ProgressBar {
            bar,
            start: Instant::now(),
            shown: Arc::new(Once::new()),
        }
    }

    /// Counts on from the parts that an earlier run has done. The bar appears even before the first
    /// update.
    pub fn resume(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        // The estimate of the time that is left is for the parts that this run does.
        self.bar.reset_eta();
        let (bar, shown) = (self.bar.downgrade(), Arc::clone(&self.shown));
        // Without the thread it appears with the first update.
        let _ = spawn_thread("progress", move || {
            thread::sleep(QUIET);
            if let Some(bar) = bar.upgrade() {
                shown.call_once(|| show(&bar));
            }
        });
    }

    /// So many parts of the work are done, of so many; from any thread.
    pub fn update(&self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.show_late();
    }

    /// Shows these lines under the bar.
    pub fn tell(&self, lines: &str) {
        self.bar.set_message(format!("\n{}", lines.trim_end()));
        self.show_late();
    }

    fn show_late(&self) {
        if self.start.elapsed() > QUIET {
            self.shown.call_once(|| show(&self.bar));
        }
    }
}

/// Draws the bar from now on, and lets its time go by, if stderr is a terminal.
fn show(bar: &indicatif::ProgressBar) {
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if !bar.is_hidden() && !bar.is_finished() {
        bar.enable_steady_tick(TICK);
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line that says how the search at work stands, and shows the time go by where that says nothing for long. It appears
/// when the search turns out to be long, and goes when it is dropped.
///
/// ```
/// let status = emilia::view::SearchStatus::new();
/// status.begin("#1  20 empties");
/// status.tell("#1  20 empties  depth 12");
/// status.aside(|| println!("a result"));
/// ```
#[derive(Debug)]
pub struct SearchStatus {
    line: indicatif::ProgressBar,
    text: Arc<Mutex<String>>,
}

impl SearchStatus {
    /// A line that is empty until a search begins.
    #[allow(clippy::new_without_default)] // It takes hold of the terminal: no value that is there by default.
    pub fn new() -> SearchStatus {
        let line = indicatif::ProgressBar::new_spinner();
        let text = Arc::new(Mutex::new(String::new()));
        let shown = text.clone();
        let status = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let text = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let seconds = state.elapsed().as_secs_f64();
            if !text.is_empty() && state.elapsed() > QUIET {
                // What cannot be shown is no reason to stop.
                let _ = write!(out, "{text}  {seconds:.1} s");
            }
        };
        if let Ok(style) = ProgressStyle::with_template("{status}") {
            line.set_style(style.with_key("status", status));
        }
        if !line.is_hidden() {
            line.enable_steady_tick(TICK);
        }
        SearchStatus { line, text }
    }

    /// Whether stderr is no terminal that can show it, so that nothing is shown.
    pub fn is_hidden(&self) -> bool {
        self.line.is_hidden()
    }

    /// A search begins: this is said of it, and its time counts from now.
    pub fn begin(&self, text: &str) {
        self.tell(text);
        self.line.reset_elapsed();
    }

    /// What is to be said of the search from now on.
    pub fn tell(&self, text: &str) {
        text.clone_into(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes the line away while something else is written to the terminal.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.line.suspend(write)
    }
}

impl Drop for SearchStatus {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
