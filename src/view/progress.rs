//! Progress of a long job, on stderr when it is a terminal, and nowhere otherwise.

use std::time::{Duration, Instant};

use indicatif::ProgressStyle;

/// Jobs shorter than this show no bar.
const QUIET: Duration = Duration::from_millis(300);

/// A bar that appears when the job turns out to be long, and goes when it is dropped.
///
/// ```
/// let bar = emilia::view::ProgressBar::new();
/// bar.update(1, 3);
/// ```
#[derive(Debug)]
pub struct ProgressBar {
    bar: indicatif::ProgressBar,
    start: Instant,
}

impl ProgressBar {
    /// A bar for a job that begins now.
    #[allow(clippy::new_without_default)] // It begins to measure time: no value that is there by default.
    pub fn new() -> ProgressBar {
        let bar = indicatif::ProgressBar::new(1);
        let style =
            ProgressStyle::with_template("{wide_bar} {percent:>3} %  {elapsed} + {eta}{msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        ProgressBar {
            bar,
            start: Instant::now(),
        }
    }

    /// So many parts of the work are done, of so many; from any thread.
    pub fn update(&self, done: usize, total: usize) {
        if self.start.elapsed() > QUIET {
            self.bar.set_length(total as u64);
            self.bar.set_position(done as u64);
        }
    }

    /// Shows these lines under the bar.
    pub fn tell(&self, lines: &str) {
        if self.start.elapsed() > QUIET {
            self.bar.set_message(format!("\n{}", lines.trim_end()));
        }
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
