//! Runs the binary on a pseudo-terminal of a given width.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::Signal;

use super::{PATIENCE, send_signal, wait_for_end};

pub(crate) struct Terminal {
    child: Child,
    /// Controlling end of the pseudo-terminal.
    keyboard: File,
    output: Receiver<Vec<u8>>,
    /// Output since the last text that was waited for.
    shown: String,
}

impl Terminal {
    /// Starts `emilia` on a terminal of `columns` columns.
    pub(crate) fn emilia(arguments: &[&str], columns: u16) -> Terminal {
        Terminal::of_kind("xterm", "C.UTF-8", arguments, columns)
    }

    /// Starts `emilia` on a terminal of 80 columns in a locale.
    pub(crate) fn in_locale(locale: &str, arguments: &[&str]) -> Terminal {
        Terminal::of_kind("xterm", locale, arguments, 80)
    }

    /// Starts `emilia` on 80 columns and waits for the prompt of the side that begins.
    pub(crate) fn at_prompt(term: &str, arguments: &[&str]) -> Terminal {
        let mut terminal = Terminal::of_kind(term, "C.UTF-8", arguments, 80);
        terminal.wait_for("black> ");
        terminal
    }

    fn of_kind(term: &str, locale: &str, arguments: &[&str], columns: u16) -> Terminal {
        // Until the terminal is close-on-exec, a program started meanwhile would inherit it.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let size = Winsize {
            ws_row: 24,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = openpty(&size, None).expect("a terminal");
        fcntl(&pair.master, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).expect("a descriptor");
        let end = || Stdio::from(pair.slave.try_clone().expect("a descriptor"));
        let child = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(arguments)
            .env("TERM", term)
            .env("LC_ALL", locale)
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the binary starts");
        let keyboard = File::from(pair.master);
        let mut screen = keyboard.try_clone().expect("a descriptor");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails once the program has ended.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            child,
            keyboard,
            output,
            shown: String::new(),
        }
    }

    /// Writes keys to the terminal.
    pub(crate) fn press(&mut self, keys: &str) {
        let written = self.keyboard.write_all(keys.as_bytes());
        written.expect("the terminal takes keys");
    }

    /// Writes keys to the terminal, then waits for a text as [`wait_for`](Self::wait_for) does.
    pub(crate) fn press_until(&mut self, keys: &str, text: &str) -> String {
        self.press(keys);
        self.wait_for(text)
    }

    /// Waits for a text. Returns the output since the last text, up to and including this one.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        let started = Instant::now();
        loop {
            if let Some(at) = self.shown.find(text) {
                let rest = self.shown.split_off(at + text.len());
                return std::mem::replace(&mut self.shown, rest);
            }
            let left = PATIENCE.saturating_sub(started.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.shown += &String::from_utf8_lossy(&bytes),
                Err(error) => panic!("no '{text}' ({error}) in {}", self.shown),
            }
        }
    }

    /// Sends SIGINT to the program, as Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        send_signal(&self.child, Signal::SIGINT);
    }

    /// Waits for the end with exit code `code`. Returns the output since the last awaited text.
    pub(crate) fn finish_with(mut self, code: i32) -> String {
        let status = wait_for_end(&mut self.child);
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.shown += &String::from_utf8_lossy(&bytes);
        }
        assert_eq!(status.code(), Some(code), "{}", self.shown);
        std::mem::take(&mut self.shown)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed test the program still runs. Otherwise it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the final lines on the screen, after applying line clearing and removing colours.
pub(crate) fn seen(text: &str) -> Vec<String> {
    let mut pieces = text.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    let plain = pieces.fold(first, |shown, piece| {
        let Some(end) = piece.find(|letter: char| letter.is_ascii_alphabetic()) else {
            return shown;
        };
        let (command, rest) = piece.split_at(end + 1);
        // After these commands other text replaces the present line.
        let is_replaced = command.ends_with(['A', 'K']);
        shown + if is_replaced { "\r" } else { "" } + rest
    });
    let lines = plain.split("\r\n").flat_map(|line| line.split('\r'));
    lines.map(str::to_owned).collect()
}
