//! Progress bar of a job and status line of a search, on stderr if it is a terminal.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressState, ProgressStyle};
use parking_lot::Mutex;

/// Time after which a job or a search is shown. Nothing is shown for shorter ones.
const QUIET: Duration = Duration::from_millis(300);

/// Redraw interval of the elapsed time.
const TICK: Duration = Duration::from_millis(250);

/// Length of a full bar, in columns.
const BAR: usize = 24;

/// Progress bar of a job. It appears if the job takes more than 0.3 s, and disappears when dropped.
///
/// ```
/// let bar = emilia_view::ProgressBar::new("games");
/// bar.update(1, 3);
/// ```
#[derive(Debug)]
pub struct ProgressBar(SearchStatus);

impl ProgressBar {
    /// Creates a bar for a job that starts now. `what` names the items counted, such as `games`.
    pub fn new(what: &'static str) -> ProgressBar {
        ProgressBar(SearchStatus::showing(move |state, lines| {
            let Some(all) = state.len() else {
                return lines.to_owned();
            };
            let fraction = f64::from(state.fraction());
            let filled = (fraction * BAR as f64) as usize;
            let bar = "█".repeat(filled) + &"░".repeat(BAR.saturating_sub(filled));
            let (done, all, percent) = (HumanCount(state.pos()), HumanCount(all), 100.0 * fraction);
            let elapsed = HumanDuration(state.elapsed());
            let mut text = format!("{what} {done}/{all} {bar} {percent:3.0} %  {elapsed:#}");
            // There is no estimate before the first item is done.
            if !state.eta().is_zero() {
                let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
            }
            text + "\n" + lines
        }))
    }

    /// Sets the number of items that an earlier run of the job has done, and the total number.
    pub fn resume(&self, done: usize, total: usize) {
        self.update(done, total);
        // The estimate of the remaining time counts only items of this run.
        self.0.line.reset_eta();
    }

    /// Sets the number of items done and their total. Any thread may call this.
    pub fn update(&self, done: usize, total: usize) {
        self.0.line.set_length(total as u64);
        self.0.line.set_position(done as u64);
    }

    /// Returns the number of items done and their total.
    pub fn done(&self) -> [u64; 2] {
        [self.0.line.position(), self.0.line.length().unwrap_or(0)]
    }

    /// Shows these text lines below the bar.
    pub fn set_message(&self, lines: &str) {
        self.0.set_message(lines.trim_end());
    }

    /// Calls `write` with the bar hidden, so that `write` can use the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}

/// Status line of a running search, with its elapsed time.
/// It appears if the search takes more than 0.3 s, and disappears when dropped.
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
    #[allow(clippy::new_without_default)] // It takes over the terminal, so it is not a plain value.
    pub fn new() -> SearchStatus {
        SearchStatus::showing(|state, text| match text {
            "" => String::new(),
            text => format!("{text}  {:.1} s", state.elapsed().as_secs_f64()),
        })
    }

    /// Creates a status line. `show` formats it from the state of the progress and the text of
    /// [`set_message`](Self::set_message).
    fn showing(
        show: impl Fn(&ProgressState, &str) -> String + Clone + Send + Sync + 'static,
    ) -> SearchStatus {
        let line = indicatif::ProgressBar::new_spinner();
        let text = Arc::new(Mutex::new(String::new()));
        let shown = text.clone();
        let status = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            if state.elapsed() > QUIET {
                // A failed write to the terminal must not stop the job.
                let _ = out.write_str(show(state, &shown.lock()).trim_end());
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

    /// Returns whether the status line is never shown, because stderr is not a suitable terminal.
    pub fn is_hidden(&self) -> bool {
        self.line.is_hidden()
    }

    /// Shows `text` in the status line for a new search. The elapsed time restarts at 0.
    pub fn begin(&self, text: &str) {
        self.set_message(text);
        self.line.reset_elapsed();
    }

    /// Sets the text that the status line shows before the elapsed time of the search.
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
