//! A child process that speaks a text protocol, with a limit on every wait, so that a hang is a failure.

#![allow(dead_code, reason = "each test of the whole uses its own part")]

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for a line or for the end of a process.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A running program whose lines are read by a thread.
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    /// Microseconds before each line that is read.
    delay: Arc<AtomicU64>,
}

impl Process {
    /// Starts Emilia.
    pub(crate) fn emilia(arguments: &[&str]) -> Process {
        Process::start(env!("CARGO_BIN_EXE_emilia"), arguments)
    }

    /// Starts any program.
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
        let delay = Arc::<AtomicU64>::default();
        let reading = Arc::clone(&delay);
        thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
                let delay = reading.load(Ordering::Relaxed);
                if delay > 0 {
                    thread::sleep(Duration::from_micros(delay));
                }
            }
        });
        Process {
            input: child.stdin.take(),
            child,
            lines,
            delay,
        }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.try_send_bytes(bytes).expect("the program reads");
    }

    /// Writes bytes as they are, unless the program has stopped reading.
    pub(crate) fn try_send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes)?;
        input.flush()
    }

    /// Writes a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// From now on takes so long between two lines of the output.
    pub(crate) fn read_slowly(&self, delay: Duration) {
        self.delay
            .store(delay.as_micros() as u64, Ordering::Relaxed);
    }

    /// The memory that the process has in use, in KiB, where the system tells.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// Stops reading the output, as a client does that has gone.
    pub(crate) fn close_output(&mut self) {
        self.lines = channel().1;
    }

    /// The next line without its end, which must be ASCII; `None` at the end of the output.
    pub(crate) fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                assert!(bytes.is_ascii(), "{:?}", String::from_utf8_lossy(&bytes));
                let line = String::from_utf8(bytes).expect("ASCII");
                Some(line.strip_suffix('\n').expect("a whole line").to_owned())
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no line in {PATIENCE:?}"),
        }
    }

    /// The next line that begins with `start`; those before it are left out.
    pub(crate) fn line_starting(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            let line = line.unwrap_or_else(|| panic!("the output ended before '{start}'"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// An answer of GTP without its blank line.
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

    /// Sends a GTP command and waits for its answer, `= …` or `? …`.
    pub(crate) fn gtp(&mut self, command: &str) -> String {
        self.send(command);
        self.answer()
    }

    /// What a GTP command answers, which must be no refusal.
    pub(crate) fn ask(&mut self, command: &str) -> String {
        let answer = self.gtp(command);
        let text = answer.strip_prefix('=');
        let text = text.unwrap_or_else(|| panic!("{command}: {answer}"));
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    }

    /// Waits for the program to end.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends the input and expects the exit code 0; returns what was still written.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        self.close();
        let rest = std::iter::from_fn(|| self.line()).collect();
        assert!(self.wait().success());
        rest
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind; one that passed has waited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
