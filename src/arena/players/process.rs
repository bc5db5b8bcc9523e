//! A child process that is read and written line by line, with a limit on every wait. Stands on `guard`.
//!
//! A thread reads its output and another writes its input, so that a child that floods, stalls, or reads nothing holds
//! up nobody. The child leads a process group of its own, which ends with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Fault, Guard, Trouble};
use crate::arena::Interrupt;

/// The longest line in bytes; no answer comes near it.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that wait to be heard; a child that says more waits too.
const WAITING_LINES: usize = 1024;

/// Between two looks at what may have happened meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// How long a child may take to end when it is asked to.
const FAREWELL: Duration = Duration::from_millis(500);

/// What child processes share.
#[derive(Clone, Debug)]
pub(in crate::arena) struct Surroundings {
    /// Ends what this process cannot end any more.
    pub(in crate::arena) guard: Guard,
    /// Where their stderr goes; nowhere without.
    pub(in crate::arena) stderr: Option<Arc<File>>,
    /// Ends every wait.
    pub(in crate::arena) interrupt: Interrupt,
    /// The longest wait for an answer that no clock bounds.
    pub(in crate::arena) patience: Duration,
    /// Whether each game has a process of its own.
    pub(in crate::arena) fresh: bool,
}

/// A running child.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Lines on the way to the child; closed when it is to end.
    input: Option<Sender<String>>,
    /// Whether the child has closed its input.
    deaf: Arc<AtomicBool>,
    /// What the child said; nothing in place of a line without end, after which no more is read.
    lines: Receiver<Option<String>>,
    surroundings: Surroundings,
}

/// Makes what `command` starts the leader of a process group of its own; signals from the terminal do not reach it.
pub(super) fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// The command as the shell understands it.
fn shell(command: &str) -> Command {
    let (program, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("/bin/sh", "-c")
    };
    let mut shell = Command::new(program);
    shell.args([flag, command]);
    shell
}

impl Process {
    /// Starts a command of the shell.
    pub(super) fn start(command: &str, surroundings: &Surroundings) -> Result<Process, Fault> {
        let fail = |error: std::io::Error| Fault::CannotStart(error.to_string());
        let stderr = match &surroundings.stderr {
            Some(file) => Stdio::from(file.try_clone().map_err(fail)?),
            None => Stdio::null(),
        };
        let mut shell = shell(command);
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr);
        in_own_group(&mut shell);
        let mut child = shell.spawn().map_err(fail)?;
        surroundings.guard.add(child.id());

        let (input, messages) = channel();
        let (sender, lines) = sync_channel(WAITING_LINES);
        let deaf = Arc::<AtomicBool>::default();
        if let Some(stdin) = child.stdin.take() {
            let deaf = Arc::clone(&deaf);
            thread::spawn(move || write_all(stdin, &messages, &deaf));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read_all(stdout, &sender));
        }
        Ok(Process {
            child,
            input: Some(input),
            deaf,
            lines,
            surroundings: surroundings.clone(),
        })
    }

    /// Sends a line; does not wait until it is read. One that cannot be sent is missed when its answer is.
    pub(super) fn send(&self, line: &str) {
        log::debug!("{} <- {line}", self.child.id());
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The moment when patience ends.
    pub(super) fn patience(&self) -> Instant {
        Instant::now() + self.surroundings.patience
    }

    /// The next line of the child that comes before `deadline`; `None` if there is none.
    pub(super) fn line(&self, deadline: Instant) -> Result<Option<String>, Trouble> {
        loop {
            if self.surroundings.interrupt.is_set() {
                return Err(Trouble::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(None) => return Err(Fault::LongLine.into()),
                Ok(Some(line)) => {
                    log::debug!("{} -> {line}", self.child.id());
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Ended.into()),
                Err(RecvTimeoutError::Timeout) if self.deaf.load(Ordering::Relaxed) => {
                    return Err(Fault::Deaf.into());
                }
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Asks the child to end in its own words, and gives it a moment to do so.
    pub(super) fn leave(mut self, farewell: &str) {
        self.send(farewell);
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        let left = || deadline.saturating_duration_since(Instant::now());
        while self.lines.recv_timeout(left()).is_ok() {}
    }
}

/// Ends the child and whatever it has started that stayed in its group.
impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&mut self.child);
        self.surroundings.guard.remove(self.child.id());
        if let Err(error) = self.child.wait() {
            log::warn!("child {}: {error}", self.child.id());
        }
    }
}

/// Kills the group that `child` leads. The child has not been waited for, so the number is still its own.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    let result = {
        use nix::sys::signal::{Signal, killpg};
        let group = nix::unistd::Pid::from_raw(child.id() as i32);
        killpg(group, Signal::SIGKILL)
    };
    #[cfg(not(unix))]
    let result = child.kill();
    if let Err(error) = result {
        log::warn!("child {}: {error}", child.id());
    }
}

fn write_all(mut stdin: ChildStdin, messages: &Receiver<String>, deaf: &AtomicBool) {
    for line in messages {
        if stdin.write_all(line.as_bytes()).is_err() {
            deaf.store(true, Ordering::Relaxed);
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, sender: &SyncSender<Option<String>>) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = stdout
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        // An output that cannot be read has ended.
        let Ok(1..) = read else { return };
        let endless = line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n");
        let text = (!endless).then(|| String::from_utf8_lossy(&line).trim_end().to_owned());
        if sender.send(text).is_err() || endless {
            return;
        }
    }
}
