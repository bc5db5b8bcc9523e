//! Child process with line-based input and output and a time limit on every wait.
//!
//! Separate threads write the child's input and read its output.
//! A child that floods, stalls, or reads nothing therefore never blocks the caller.
//! The child leads a new process group, which is killed together with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::guard::{Guard, in_own_group};
use super::{PlayerError, Result, quote};
use emilia_core::board::excerpt_within;
use emilia_core::work::StopFlag;
use parking_lot::Mutex;

/// Maximum length of a line in bytes, far above any valid response.
const MAX_LINE: u64 = 1 << 16;

/// Maximum number of output lines that wait to be read. Further output blocks the child.
const WAITING_LINES: usize = 64;

/// Interval, during a wait, between checks whether the match is interrupted or the child has closed
/// its input.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum wait for a child to exit after its farewell command or after the end of its output.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// Maximum wait for the end of stderr after the child has exited. Its descendants may keep stderr
/// open for longer.
const STDERR_GRACE: Duration = Duration::from_millis(100);

/// Settings common to all child processes of a match.
#[derive(Clone, Debug)]
pub(crate) struct ProcessContext {
    /// Flag that ends every wait.
    pub(crate) interrupt: StopFlag,
    /// Maximum wait for a response that no clock limits.
    pub(crate) patience: Duration,
}

/// Running child process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Kills the child if this process dies.
    guard: Option<Guard>,
    /// Queue of lines to write to the child. `None` once the child is asked to exit.
    input: Option<Sender<String>>,
    /// Thread that writes the queue. It ends early if the child closes its input.
    writer: Option<JoinHandle<()>>,
    /// Output lines of the child. `None` stands for an overlong line, after which reading stops.
    lines: Receiver<Option<String>>,
    /// First and last line of the child's stderr.
    stderr_lines: Arc<Mutex<Vec<String>>>,
    /// Channel without messages. It disconnects when the child's stderr ends.
    stderr_ended: Receiver<()>,
    context: ProcessContext,
}

impl Process {
    /// Starts a shell command as a child with pipes, and its guard.
    pub(super) fn start(command: &str, context: &ProcessContext) -> Result<Process> {
        let (program, flag) = if cfg!(windows) {
            ("cmd", "/C")
        } else {
            ("/bin/sh", "-c")
        };
        let mut shell = Command::new(program);
        shell
            .args([flag, command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut shell);
        // Only the start of the shell can fail here, which is not the player's fault.
        let refused =
            |error| PlayerError::OutOfResources(format!("cannot start a process: {error}"));
        let mut child = shell.spawn().map_err(refused)?;
        let guard = Guard::start(child.id());
        let (input, messages) = channel();
        let (sender, lines) = sync_channel(WAITING_LINES);
        let (stderr_open, stderr_ended) = channel();
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on, dropping this value kills the child.
        let mut process = Process {
            child,
            guard: None,
            input: Some(input),
            writer: None,
            lines,
            stderr_lines: Arc::default(),
            stderr_ended,
            context: context.clone(),
        };
        process.guard = guard.map_err(refused)?;
        if let Some(stdin) = stdin {
            process.writer = Some(in_thread(move || write_all(stdin, &messages))?);
        }
        if let Some(stdout) = stdout {
            in_thread(move || read_all(stdout, &sender))?;
        }
        if let Some(stderr) = stderr {
            let lines = Arc::clone(&process.stderr_lines);
            in_thread(move || {
                keep_ends(stderr, &lines);
                drop(stderr_open);
            })?;
        }
        Ok(process)
    }

    /// Queues a line for the child without waiting. A line that cannot be written shows later as a
    /// missing response.
    pub(super) fn send(&self, line: &str) {
        log::debug!("{} <- {line}", self.child.id());
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a line for which `accept` returns a result, and returns this result. Skips other
    /// lines. Lines are trimmed.
    pub(super) fn answer<T>(
        &self,
        deadline: Instant,
        mut accept: impl FnMut(&str) -> Option<T>,
    ) -> Result<T> {
        let allowed = deadline.saturating_duration_since(Instant::now());
        let mut last = None;
        while let Some(line) = self.line(deadline)? {
            let line = line.trim();
            if let Some(found) = accept(line) {
                return Ok(found);
            }
            if !line.is_empty() {
                last = Some(line.to_owned());
            }
        }
        let said = last.map(|line| format!(" (it said '{}')", quote(&line)));
        let (seconds, said) = (allowed.as_secs_f64(), said.unwrap_or_default());
        Err(PlayerError::Fault(format!(
            "no answer in {seconds:.2} s{said}"
        )))
    }

    /// Returns the deadline of a wait that starts now and lasts [`ProcessContext::patience`].
    pub(super) fn patience(&self) -> Instant {
        Instant::now() + self.context.patience
    }

    /// Waits for the next output line. Returns `None` if no line arrives before `deadline`.
    /// The deadline also holds for a child that writes without pause.
    fn line(&self, deadline: Instant) -> Result<Option<String>> {
        loop {
            if self.context.interrupt.is_set() {
                return Err(PlayerError::Interrupted);
            }
            let now = Instant::now();
            // Grace period: lines that arrived in time count even if this thread wakes up late.
            if now > deadline + POLL_INTERVAL {
                return Ok(None);
            }
            let left = deadline.saturating_duration_since(now);
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(None) => {
                    return Err(PlayerError::Fault("sent a line without end".to_owned()));
                }
                Ok(Some(line)) => {
                    log::debug!("{} -> {line}", self.child.id());
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
                Err(RecvTimeoutError::Timeout)
                    if self.writer.as_ref().is_some_and(JoinHandle::is_finished) =>
                {
                    return Err(PlayerError::Fault("closed its input".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if left <= POLL_INTERVAL => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns the fault of a child whose output ended, with its exit status and stderr lines.
    fn end(&self) -> PlayerError {
        let deadline = Instant::now() + EXIT_GRACE;
        let mut status = exit_status(&self.child);
        while status.is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
            status = exit_status(&self.child);
        }
        let _ = self.stderr_ended.recv_timeout(STDERR_GRACE);
        ended(status, &self.stderr_lines.lock())
    }

    /// Sends the command `farewell`, closes the input, and waits up to [`EXIT_GRACE`] for the end
    /// of the child's output. Then `drop` kills the child if it still runs.
    pub(super) fn leave(mut self, farewell: &str) {
        self.send(farewell);
        self.input = None;
        let deadline = Instant::now() + EXIT_GRACE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.lines.recv_timeout(left).is_err() {
                return;
            }
        }
    }
}

/// Kills the child and all processes in its group.
impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&mut self.child);
        self.guard = None;
        if let Err(error) = self.child.wait() {
            log::warn!("child {}: {error}", self.child.id());
        }
    }
}

/// Returns the fault of a program whose output ended. `lines` are the first and the last line
/// of its stderr. A shell reports a failed start of the program by exit code 126 or 127.
fn ended(status: Option<ExitStatus>, lines: &[String]) -> PlayerError {
    /// Maximum length of a quoted line, in characters.
    const MAX_QUOTE: usize = 120;
    let separated = lines.iter().zip([": ", " … "]);
    let quoted: String = separated
        .flat_map(|(line, before)| [before.to_owned(), excerpt_within(line, MAX_QUOTE)])
        .collect();
    let Some(status) = status else {
        return PlayerError::Fault(format!("closed its output{quoted}"));
    };
    let status = match status.code() {
        Some(code @ 126) => format!("exit status {code}: not executable"),
        Some(code @ 127) => format!("exit status {code}: command not found"),
        Some(code) => format!("exit status {code}"),
        // Killed by a signal: "signal: 9 (SIGKILL)".
        None => status.to_string(),
    };
    PlayerError::Fault(format!("the program ended ({status}){quoted}"))
}

/// Kills the process group that `child` leads, and `child` itself if it changed its group.
/// Call this before reaping the child: afterwards its PID may be reused.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        let group = nix::unistd::Pid::from_raw(child.id() as i32);
        // Fails if the group no longer exists.
        let _ = killpg(group, Signal::SIGKILL);
    }
    if let Err(error) = child.kill() {
        log::warn!("child {}: {error}", child.id());
    }
}

/// Returns the exit status of an exited child without reaping it, so that its PID stays reserved.
#[cfg(unix)]
fn exit_status(child: &Child) -> Option<ExitStatus> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use std::os::unix::process::ExitStatusExt;
    let id = Id::Pid(nix::unistd::Pid::from_raw(child.id() as i32));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(id, flags) {
        // `from_raw` reads the status word of `wait`, which holds the exit code in its second byte.
        Ok(WaitStatus::Exited(_, code)) => Some(ExitStatus::from_raw(code << 8)),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(ExitStatus::from_raw(signal as i32)),
        _ => None,
    }
}

#[cfg(not(unix))]
fn exit_status(_child: &Child) -> Option<ExitStatus> {
    None
}

/// Runs `work` in a detached thread.
fn in_thread(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    let started = thread::Builder::new().spawn(work);
    started.map_err(|error| PlayerError::OutOfResources(format!("cannot start a thread: {error}")))
}

/// Writes lines until the queue is closed, or the child closes its input.
fn write_all(mut stdin: ChildStdin, messages: &Receiver<String>) {
    let mut lines = messages.iter();
    while lines
        .next()
        .is_some_and(|line| stdin.write_all(line.as_bytes()).is_ok())
    {}
}

/// Calls `take` with each line, until `take` returns `false` or the output ends. A read error ends
/// the output. A line longer than [`MAX_LINE`] is passed in pieces.
fn each_line(output: impl Read, mut take: impl FnMut(&[u8]) -> bool) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(1..) = output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)
        && take(&line)
    {
        line.clear();
    }
}

fn read_all(stdout: ChildStdout, sender: &SyncSender<Option<String>>) {
    each_line(stdout, |line| {
        let endless = line.len() as u64 == MAX_LINE && !line.ends_with(b"\n");
        let text = (!endless).then(|| String::from_utf8_lossy(line).trim_end().to_owned());
        sender.send(text).is_ok() && !endless
    });
}

/// Reads the stderr of a child, and keeps its first and its last nonempty line in `ends`.
fn keep_ends(stderr: ChildStderr, ends: &Mutex<Vec<String>>) {
    each_line(stderr, |line| {
        let text = String::from_utf8_lossy(line).trim().to_owned();
        if !text.is_empty() {
            let mut ends = ends.lock();
            ends.truncate(1);
            ends.push(text);
        }
        true
    });
}
