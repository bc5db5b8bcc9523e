//! The terminal that a command runs on: its width, a line that is written over and over, and keys kept quiet.

use std::io::{self, IsTerminal, Write};

use crate::view::cut;

/// What a terminal is taken for that does not tell its width.
pub(super) const USUAL_WIDTH: usize = 80;

/// Back to the first column and clear the line, in the language of terminals (ECMA-48).
const CLEAR_LINE: &str = "\r\x1b[K";

/// How many columns the terminal has.
pub(super) fn width() -> usize {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// A line on stderr, if that is a terminal, which shows how a search stands and goes when it is dropped.
#[derive(Debug)]
pub(super) struct StatusLine {
    on_terminal: bool,
}

impl StatusLine {
    pub(super) fn new() -> StatusLine {
        StatusLine {
            on_terminal: io::stderr().is_terminal(),
        }
    }

    /// Writes over the line, as much of the text as fits. What cannot be shown is no reason to stop.
    pub(super) fn show(&self, text: &str) {
        if self.on_terminal {
            // The last column stays free: some terminals begin a new line after it.
            let text = cut(text, width().saturating_sub(1));
            let _ = io::stderr().write_all(format!("{CLEAR_LINE}{text}").as_bytes());
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.show("");
    }
}

/// As long as it lives, what is typed is not shown on the terminal. Then a line that is not finished is forgotten, as
/// nobody has seen it.
#[derive(Debug)]
pub(super) struct QuietKeys {
    #[cfg(unix)]
    before: Option<nix::sys::termios::Termios>,
}

#[cfg(unix)]
impl QuietKeys {
    pub(super) fn new() -> QuietKeys {
        use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(settings) = &before {
            let mut quiet = settings.clone();
            quiet.local_flags.remove(LocalFlags::ECHO);
            // Keys that are shown are an ornament: no reason to stop.
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &quiet);
        }
        QuietKeys { before }
    }
}

#[cfg(unix)]
impl Drop for QuietKeys {
    fn drop(&mut self) {
        use nix::sys::termios::{SetArg, tcsetattr};
        if let Some(settings) = &self.before {
            let _ = tcsetattr(io::stdin(), SetArg::TCSAFLUSH, settings);
        }
    }
}

#[cfg(not(unix))]
impl QuietKeys {
    pub(super) fn new() -> QuietKeys {
        QuietKeys {}
    }
}
