//! Progress bar of a job and status line of a search, on stderr if it is a terminal.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressDrawTarget, ProgressState, ProgressStyle};
use parking_lot::Mutex;

use emilia_core::work::spawn_thread;

/// Minimum duration before anything is shown.
const QUIET: Duration = Duration::from_millis(300);

/// Redraw interval of the elapsed time.
const TICK: Duration = Duration::from_millis(250);

/// Progress bar that appears once the job takes long, and disappears when dropped.
///
/// ```
/// let bar = emilia_view::ProgressBar::new("games");
/// bar.update(1, 3);
/// ```
#[derive(Debug)]
pub struct ProgressBar(indicatif::ProgressBar);

impl ProgressBar {
    /// Creates a bar for a job that starts now. `what` is the unit counted, such as `games`.
    pub fn new(what: &'static str) -> ProgressBar {
        // Hidden until the job takes long.
        let bar = indicatif::ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "{prefix} {human_pos}/{human_len} {wide_bar} {percent:>3} %  {elapsed}{left}{msg}",
        );
        // There is no estimate before the first item is done.
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
        let weak = bar.downgrade();
        // Without the thread there is no bar, which is harmless.
        let _ = spawn_thread("progress", move || {
            loop {
                thread::sleep(QUIET);
                let Some(bar) = weak.upgrade() else { return };
                if bar.length().is_some() || !bar.message().is_empty() {
                    return show(&bar);
                }
            }
        });
        ProgressBar(bar)
    }

    /// Sets the items done by an earlier run.
    pub fn resume(&self, done: usize, total: usize) {
        self.update(done, total);
        // The estimate of the remaining time counts only items of this run.
        self.0.reset_eta();
    }

    /// Sets the number of items done and their total. Any thread may call this.
    pub fn update(&self, done: usize, total: usize) {
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
    }

    /// Shows these lines below the bar.
    pub fn set_message(&self, lines: &str) {
        self.0.set_message(format!("\n{}", lines.trim_end()));
    }
}

/// Draws the bar and updates its elapsed time from now on, if stderr is a terminal.
fn show(bar: &indicatif::ProgressBar) {
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if !bar.is_hidden() && !bar.is_finished() {
        bar.enable_steady_tick(TICK);
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Status line of a running search, with its elapsed time.
/// It appears once the search takes long, and disappears when dropped.
///
/// ```
/// let status = emilia_view::SearchStatus::new();
/// status.begin("#1  20 empties");
/// status.set_message("#1  20 empties  depth 12");
/// status.suspend(|| println!("a result"));
/// ```
#[derive(Debug)]
pub struct SearchStatus {
    line: indicatif::ProgressBar,
    text: Arc<Mutex<String>>,
}

impl SearchStatus {
    /// Creates an empty status line.
    #[allow(clippy::new_without_default)] // It takes over the terminal, so it is no plain value.
    pub fn new() -> SearchStatus {
        let line = indicatif::ProgressBar::new_spinner();
        let text = Arc::new(Mutex::new(String::new()));
        let shown = text.clone();
        let status = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let text = shown.lock();
            let seconds = state.elapsed().as_secs_f64();
            if !text.is_empty() && state.elapsed() > QUIET {
                // An error of the terminal must not stop the search.
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

    /// Returns whether nothing is shown, because stderr is no suitable terminal.
    pub fn is_hidden(&self) -> bool {
        self.line.is_hidden()
    }

    /// Starts a search with this text. The elapsed time restarts at 0.
    pub fn begin(&self, text: &str) {
        self.set_message(text);
        self.line.reset_elapsed();
    }

    /// Replaces the text of the search.
    pub fn set_message(&self, text: &str) {
        text.clone_into(&mut self.text.lock());
    }

    /// Calls `write` with the line hidden, so that `write` can use the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.line.suspend(write)
    }
}

impl Drop for SearchStatus {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
