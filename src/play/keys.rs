//! Single-key mode of the terminal at stdin: input without echo and without line editing.

#[cfg(unix)]
pub use quiet::QuietKeys;

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

    /// Terminal at stdin with its original settings and those of single-key mode.
    struct TerminalModes {
        /// Duplicate descriptor of stdin, valid even if stdin is redirected later.
        terminal: OwnedFd,
        before: libc::termios,
        quiet: libc::termios,
    }

    static MODES: OnceLock<TerminalModes> = OnceLock::new();

    /// Whether single-key mode is on.
    static IS_QUIET: AtomicBool = AtomicBool::new(false);

    impl TerminalModes {
        /// Returns the settings of the terminal at stdin, or `None` if stdin is no terminal.
        /// Only the first call uses `signals`, because the settings are cached.
        fn get(signals: bool) -> Option<&'static TerminalModes> {
            if MODES.get().is_none() {
                let terminal = io::stdin().as_fd().try_clone_to_owned().ok()?;
                let before = tcgetattr(&terminal).ok()?.into();
                let quiet = quiet(before, signals);
                let settings = TerminalModes {
                    terminal,
                    before,
                    quiet,
                };
                if MODES.set(settings).is_ok() {
                    handle_signals();
                }
            }
            MODES.get()
        }

        /// Applies terminal settings. It is async-signal-safe. Errors are ignored.
        fn apply(&self, settings: &libc::termios) {
            // SAFETY: `settings` is a live reference, and the descriptor is never closed.
            unsafe { libc::tcsetattr(self.terminal.as_raw_fd(), TCSANOW, settings) };
        }
    }

    /// Returns `settings` changed to single-key mode: no echo, no line editing, one byte a read.
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

    /// Guard that keeps the terminal at stdin in single-key mode until dropped.
    /// The old settings also return before a signal ends the process, and while Ctrl-Z suspends it.
    #[derive(Debug)]
    pub struct QuietKeys(());

    impl QuietKeys {
        /// Turns single-key mode on, if stdin is a terminal.
        /// Ctrl-C and Ctrl-Z send signals if `signals` is true, and are plain keys otherwise.
        pub fn new(signals: bool) -> QuietKeys {
            if let Some(settings) = TerminalModes::get(signals) {
                IS_QUIET.store(true, Ordering::SeqCst);
                settings.apply(&settings.quiet);
            }
            QuietKeys(())
        }
    }

    /// Restores the original settings. Unread keys stay in the input queue.
    impl Drop for QuietKeys {
        fn drop(&mut self) {
            if let Some(settings) = MODES.get() {
                settings.apply(&settings.before);
                IS_QUIET.store(false, Ordering::SeqCst);
            }
        }
    }

    /// Installs handlers for signals that end or suspend the process. Ignored signals stay ignored.
    fn handle_signals() {
        let once = SaFlags::SA_RESETHAND;
        for (signal, handler, flags) in [
            (Signal::SIGTERM, end as extern "C" fn(c_int), once),
            (Signal::SIGHUP, end, once),
            (Signal::SIGQUIT, end, once),
            (Signal::SIGTSTP, suspend, SaFlags::SA_RESTART),
        ] {
            let action = SigAction::new(SigHandler::Handler(handler), flags, SigSet::empty());
            // SAFETY: the handlers call only async-signal-safe functions.
            let replaced = unsafe { sigaction(signal, &action) };
            if let Ok(old) = replaced
                && matches!(old.handler(), SigHandler::SigIgn)
            {
                // SAFETY: `SIG_IGN` runs no handler.
                let _ = unsafe { sigaction(signal, &old) };
            }
        }
    }

    /// Handler of ending signals: restores the terminal and raises the signal again.
    /// The handler was reset, so the signal ends the process once this returns.
    extern "C" fn end(signal: c_int) {
        if let Some(settings) = MODES.get() {
            settings.apply(&settings.before);
        }
        // SAFETY: `raise` is async-signal-safe.
        unsafe { libc::raise(signal) };
    }

    /// Handler of `SIGTSTP`: restores the terminal, stops the process, and resumes single-key mode.
    extern "C" fn suspend(_: c_int) {
        if let Some(settings) = MODES.get() {
            settings.apply(&settings.before);
        }
        // SAFETY: `raise` is async-signal-safe. It returns when the process is continued.
        unsafe { libc::raise(libc::SIGSTOP) };
        if let Some(settings) = MODES.get()
            && IS_QUIET.load(Ordering::SeqCst)
        {
            settings.apply(&settings.quiet);
        }
    }
}

/// Single-key mode without termios: the console stays as it is.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct QuietKeys(());

#[cfg(not(unix))]
impl QuietKeys {
    /// Creates a guard that changes nothing.
    pub fn new(_signals: bool) -> QuietKeys {
        QuietKeys(())
    }
}
