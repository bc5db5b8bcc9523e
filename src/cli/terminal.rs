//! The terminal that a command runs on: its width, and input without echo.

use std::io;

use terminal_size::terminal_size_of;

use crate::view::wrap;

/// The width in columns where there is no terminal.
const USUAL_WIDTH: usize = 80;

/// The greatest width of a line of the output, in columns: the environment variable `COLUMNS`,
/// otherwise the width of the terminal that stdout is, otherwise 80.
pub(super) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok();
    let columns = columns.and_then(|columns| columns.parse().ok());
    columns
        .filter(|&columns| columns > 0)
        .or_else(|| Some(terminal_size_of(io::stdout())?.0.0.into()))
        .unwrap_or(USUAL_WIDTH)
}

/// The text in lines that fit the output; those after the first begin with `indent` spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    wrap(text, width(), indent)
}

/// The width of the terminal that stderr is, in columns; 80 if it is none. Status lines go there.
pub(super) fn status_width() -> usize {
    terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(width, _)| width.0.into())
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
            killed::restore_when_killed(settings);
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

/// A process that is killed drops nothing: a handler of the signals gives the terminal its settings back.
#[cfg(unix)]
mod killed {
    use std::ffi::c_int;
    use std::sync::OnceLock;

    use nix::libc::{self, STDIN_FILENO, TCSANOW};
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    use nix::sys::termios::Termios;

    /// The settings before the first change.
    static BEFORE: OnceLock<libc::termios> = OnceLock::new();

    /// From now on SIGTERM, SIGHUP and SIGQUIT set these before they end the process. One that is ignored stays so.
    pub(super) fn restore_when_killed(settings: &Termios) {
        if BEFORE.set(settings.clone().into()).is_err() {
            return;
        }
        let action = SigAction::new(
            SigHandler::Handler(restore),
            SaFlags::SA_RESETHAND,
            SigSet::empty(),
        );
        for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
            // SAFETY: the handler calls nothing but what POSIX lets a handler call.
            let replaced = unsafe { sigaction(signal, &action) };
            if let Ok(old) = replaced
                && matches!(old.handler(), SigHandler::SigIgn)
            {
                // SAFETY: to ignore a signal runs no code.
                let _ = unsafe { sigaction(signal, &old) };
            }
        }
    }

    /// Once it returns, the signal is delivered again, and ends the process as ever.
    extern "C" fn restore(signal: c_int) {
        if let Some(before) = BEFORE.get() {
            // SAFETY: the settings are valid for as long as the process lives; tcsetattr and raise may be called by handlers.
            unsafe { libc::tcsetattr(STDIN_FILENO, TCSANOW, before) };
        }
        // SAFETY: as above.
        unsafe { libc::raise(signal) };
    }
}

#[cfg(not(unix))]
impl QuietKeys {
    pub(super) fn new(_each_key: bool) -> QuietKeys {
        QuietKeys {}
    }
}
