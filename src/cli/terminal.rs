//! The terminal that a command runs on: its width, and input without echo.

#[cfg(unix)]
use std::io;

/// The width in columns where the terminal does not tell its own.
pub(super) const USUAL_WIDTH: usize = 80;

/// How many columns the terminal has.
pub(super) fn width() -> usize {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// Turns off the echo of the terminal while it lives, and if asked for the collecting of keys into lines. Dropping it discards
/// an unfinished line of input, which nobody has seen.
#[derive(Debug)]
pub(super) struct QuietKeys {
    #[cfg(unix)]
    before: Option<nix::sys::termios::Termios>,
}

#[cfg(unix)]
impl QuietKeys {
    /// `each_key`: keys are to be read one by one, not as lines.
    pub(super) fn new(each_key: bool) -> QuietKeys {
        use nix::sys::termios::{LocalFlags, SetArg, tcgetattr, tcsetattr};
        let before = tcgetattr(io::stdin()).ok();
        if let Some(settings) = &before {
            let mut quiet = settings.clone();
            quiet.local_flags.remove(LocalFlags::ECHO);
            quiet.local_flags.set(
                LocalFlags::ICANON,
                settings.local_flags.contains(LocalFlags::ICANON) && !each_key,
            );
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
    pub(super) fn new(_each_key: bool) -> QuietKeys {
        QuietKeys {}
    }
}
