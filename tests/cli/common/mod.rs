//! A child process driven through pipes by a text protocol.
//! Every wait has a time limit, so that a hanging process fails its test.

pub(crate) mod browser;
pub(crate) mod matches;
pub(crate) mod run;
pub(crate) mod scratch;
#[cfg(unix)]
pub(crate) mod terminal;

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

/// Longest wait for a line or for the end of a process before a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running program. A thread reads the lines of its stdout. It is killed on drop.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Mutex<Receiver<Vec<u8>>>,
}

impl Process {
    /// Starts Emilia with these arguments.
    pub(crate) fn emilia(arguments: &[&str]) -> Process {
        Process::start(env!("CARGO_BIN_EXE_emilia"), arguments)
    }

    /// Starts `program` with these arguments.
    pub(crate) fn start(program: impl AsRef<OsStr>, arguments: &[&str]) -> Process {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            lines: Mutex::new(lines),
        }
    }

    /// Writes bytes to stdin without adding a line end. Panics if the program no longer reads.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.try_send_bytes(bytes).expect("the program reads");
    }

    /// Writes bytes to stdin without adding a line end. Fails if the program no longer reads.
    pub(crate) fn try_send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes)?;
        input.flush()
    }

    /// Writes a line and its line end to stdin.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Closes the program's stdin.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Stops reading the output, which closes the pipe.
    pub(crate) fn close_output(&mut self) {
        self.lines = Mutex::new(channel().1);
    }

    /// Returns the next output line without its line end, or `None` at the end of the output.
    /// Panics if the line is not ASCII, or after [`PATIENCE`] without a line.
    pub(crate) fn line(&mut self) -> Option<String> {
        let lines = self.lines.get_mut().expect("no panic");
        match lines.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                assert!(bytes.is_ascii(), "{:?}", String::from_utf8_lossy(&bytes));
                let line = String::from_utf8(bytes).expect("ASCII");
                Some(line.strip_suffix('\n').expect("a whole line").to_owned())
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no line in {PATIENCE:?}"),
        }
    }

    /// Skips lines up to the next one that begins with `start`, and returns that one.
    pub(crate) fn line_starting(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            let line = line.unwrap_or_else(|| panic!("the output ended before '{start}'"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Returns the next GTP response without the blank line that ends it.
    pub(crate) fn answer(&mut self) -> String {
        let mut lines = vec![self.line().expect("an answer")];
        loop {
            let line = self.line().expect("a blank line ends the answer");
            if line.is_empty() {
                return lines.join("\n");
            }
            lines.push(line);
        }
    }

    /// Sends a GTP command and returns its response, `= …` or `? …`.
    pub(crate) fn gtp(&mut self, command: &str) -> String {
        self.send(command);
        self.answer()
    }

    /// Sends a GTP command and returns the text of its response. Panics on an error, `? …`.
    pub(crate) fn ask(&mut self, command: &str) -> String {
        let answer = self.gtp(command);
        let text = answer.strip_prefix('=');
        let text = text.unwrap_or_else(|| panic!("{command}: {answer}"));
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    }

    /// Sends a signal to the program.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: Signal) {
        send_signal(&self.child, signal);
    }

    /// Waits for the program to end and returns its exit status.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        wait_for_end(&mut self.child)
    }

    /// Closes stdin, asserts the exit code 0 and returns the remaining lines of the output.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        self.close();
        let rest = std::iter::from_fn(|| self.line()).collect();
        assert!(self.wait().success());
        rest
    }
}

#[cfg(unix)]
pub(crate) fn send_signal(child: &Child, signal: Signal) {
    let id = Pid::from_raw(child.id().cast_signed());
    kill(id, signal).expect("the program runs");
}

/// Waits for a child process to end and returns its exit status.
#[track_caller]
pub(crate) fn wait_for_end(child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until(|| {
        status = child.try_wait().expect("a child");
        status.is_some()
    });
    status.expect("an ended child")
}

/// Waits until a condition holds. Panics after [`PATIENCE`].
#[track_caller]
pub(crate) fn wait_until(mut is_done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_done() {
        assert!(started.elapsed() < PATIENCE, "waited for {PATIENCE:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A failed test leaves no process behind. Both calls fail after a successful `wait`.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
