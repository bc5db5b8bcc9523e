//! The terminal that a command runs on: its width, and input key by key without echo.

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

#[cfg(unix)]
pub(super) use quiet::QuietKeys;

/// Switches the terminal at stdin to single keys without echo, and back: when the value is dropped,
/// when a signal ends the process, and while Ctrl-Z suspends it.
#[cfg(unix)]
mod quiet {
    use std::ffi::c_int;
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, OwnedFd};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    use nix::libc::{self, TCSANOW};
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    use nix::sys::termios::tcgetattr;

    /// The terminal at stdin with its settings before the first change, and the quiet ones.
    struct Settings {
        /// A descriptor of its own: that of stdin may be given to something else.
        terminal: OwnedFd,
        before: libc::termios,
        quiet: libc::termios,
    }

    static SETTINGS: OnceLock<Settings> = OnceLock::new();

    /// Whether the quiet settings are in force.
    static IS_QUIET: AtomicBool = AtomicBool::new(false);

    impl Settings {
        /// The settings of the terminal at stdin; `None` where there is none. The first call decides
        /// about `signals`.
        fn get(signals: bool) -> Option<&'static Settings> {
            if SETTINGS.get().is_none() {
                let terminal = io::stdin().as_fd().try_clone_to_owned().ok()?;
                let before = tcgetattr(&terminal).ok()?.into();
                let quiet = quiet(before, signals);
                let settings = Settings {
                    terminal,
                    before,
                    quiet,
                };
                if SETTINGS.set(settings).is_ok() {
                    handle_signals();
                }
            }
            SETTINGS.get()
        }

        /// Sets the terminal. Async-signal-safe. Without success the command works as well.
        fn apply(&self, settings: &libc::termios) {
            // SAFETY: `settings` is a live reference, and the descriptor is never closed.
            unsafe { libc::tcsetattr(self.terminal.as_raw_fd(), TCSANOW, settings) };
        }
    }

    /// Keys one by one, as they are pressed, not shown.
    fn quiet(mut settings: libc::termios, signals: bool) -> libc::termios {
        if !signals {
            settings.c_lflag &= !libc::ISIG;
        }
        settings.c_lflag &= !(libc::ECHO | libc::ICANON | libc::IEXTEN);
        settings.c_iflag &= !(libc::ICRNL | libc::IXON | libc::ISTRIP);
        settings.c_cc[libc::VMIN] = 1;
        settings.c_cc[libc::VTIME] = 0;
        settings
    }

    /// Single keys without echo while it lives, if stdin is a terminal.
    #[derive(Debug)]
    pub(in crate::cli) struct QuietKeys(());

    impl QuietKeys {
        /// Switches echo and lines off. With `signals` Ctrl-C and Ctrl-Z stay signals, otherwise
        /// they are keys.
        pub(in crate::cli) fn new(signals: bool) -> QuietKeys {
            if let Some(settings) = Settings::get(signals) {
                IS_QUIET.store(true, Ordering::SeqCst);
                settings.apply(&settings.quiet);
            }
            QuietKeys(())
        }
    }

    /// Switches echo and lines on again. Keys that nobody has read stay for whoever reads next.
    impl Drop for QuietKeys {
        fn drop(&mut self) {
            if let Some(settings) = SETTINGS.get() {
                settings.apply(&settings.before);
                IS_QUIET.store(false, Ordering::SeqCst);
            }
        }
    }

    /// Installs the handlers of signals that end or suspend the process. An ignored one stays so.
    fn handle_signals() {
        let once = SaFlags::SA_RESETHAND;
        for (signal, handler, flags) in [
            (Signal::SIGTERM, end as extern "C" fn(c_int), once),
            (Signal::SIGHUP, end, once),
            (Signal::SIGQUIT, end, once),
            (Signal::SIGTSTP, suspend, SaFlags::SA_RESTART),
        ] {
            let action = SigAction::new(SigHandler::Handler(handler), flags, SigSet::empty());
            // SAFETY: the handlers call nothing but what POSIX lets a handler call.
            let replaced = unsafe { sigaction(signal, &action) };
            if let Ok(old) = replaced
                && matches!(old.handler(), SigHandler::SigIgn)
            {
                // SAFETY: to ignore a signal runs no code.
                let _ = unsafe { sigaction(signal, &old) };
            }
        }
    }

    /// Once it returns, the signal is delivered again, and ends the process.
    extern "C" fn end(signal: c_int) {
        if let Some(settings) = SETTINGS.get() {
            settings.apply(&settings.before);
        }
        // SAFETY: handlers may call `raise`.
        unsafe { libc::raise(signal) };
    }

    /// Stops the process, with the old settings until it is continued.
    extern "C" fn suspend(_: c_int) {
        if let Some(settings) = SETTINGS.get() {
            settings.apply(&settings.before);
        }
        // SAFETY: as above. The call returns once the process is continued.
        unsafe { libc::raise(libc::SIGSTOP) };
        if let Some(settings) = SETTINGS.get()
            && IS_QUIET.load(Ordering::SeqCst)
        {
            settings.apply(&settings.quiet);
        }
    }
}

/// Without termios the console stays as it is.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct QuietKeys(());

#[cfg(not(unix))]
impl QuietKeys {
    /// Changes nothing.
    pub(super) fn new(_signals: bool) -> QuietKeys {
        QuietKeys(())
    }
}
