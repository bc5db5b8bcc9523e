//! The terminal that a command runs on: its width, a status line, and input without echo.

use std::io::{self, IsTerminal, Write};

use crate::view::cut;

/// The width in columns where the terminal does not tell its own.
pub(super) const USUAL_WIDTH: usize = 80;

/// Carriage return, and erase in line (ECMA-48).
const CLEAR_LINE: &str = "\r\x1b[K";

/// How many columns the terminal has.
pub(super) fn width() -> usize {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// A status line on stderr, if that is a terminal; dropping it clears the line.
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

    /// Overwrites the line with as much of the text as fits. Errors of the terminal are ignored.
    pub(super) fn show(&self, text: &str) {
        if self.on_terminal {
            // The last column stays free: some terminals wrap after it.
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

/// Turns off the echo of the terminal while it lives. Dropping it discards an unfinished line of input, which nobody has
/// seen.
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
            // With echo the command works as well.
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
