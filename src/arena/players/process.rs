//! A child process that is read and written line by line, with a limit on every wait.
//!
//! Threads read what it says and write its input, so that a child that floods, stalls, or reads nothing holds up nobody.
//! The child leads a process group of its own, which ends with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::guard::{Guard, in_own_group};
use super::{Fault, Trouble};
use crate::work::Stop;

/// The longest line in bytes; no answer comes near it.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that wait to be heard; a child that says more waits too.
const WAITING_LINES: usize = 64;

/// No answer has more lines,
pub(super) const MOST_LINES: usize = 10_000;

/// or more bytes.
pub(super) const MOST_BYTES: usize = 1 << 20;

/// Between two looks at what may have happened meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// How long a child may take to end when it is asked to, or when its output has ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long its stderr is listened to when it has ended: something that it has left behind may keep that open.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// What child processes share.
#[derive(Clone, Debug)]
pub(in crate::arena) struct ProcessContext {
    /// Ends what this process cannot end any more.
    pub(in crate::arena) guard: Guard,
    /// Where their stderr goes; nowhere without.
    pub(in crate::arena) stderr: Option<Arc<File>>,
    /// Ends every wait.
    pub(in crate::arena) interrupt: Stop,
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
    /// The last line of its stderr.
    told: Arc<Mutex<Option<String>>>,
    /// Hangs up when the stderr has ended.
    told_all: Receiver<()>,
    context: ProcessContext,
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
    pub(super) fn start(command: &str, context: &ProcessContext) -> Result<Process, Trouble> {
        let mut shell = shell(command);
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut shell);
        // It is the shell that looks for the program: what fails here is this process.
        let mut child = shell
            .spawn()
            .map_err(|error| Trouble::lacks("cannot start a process", &error))?;
        context.guard.add(child.id());

        let (input, messages) = channel();
        let (sender, lines) = sync_channel(WAITING_LINES);
        let (telling, told_all) = channel();
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on it ends with this value.
        let process = Process {
            child,
            input: Some(input),
            deaf: Arc::default(),
            lines,
            told: Arc::default(),
            told_all,
            context: context.clone(),
        };
        if let Some(stdin) = stdin {
            let deaf = Arc::clone(&process.deaf);
            in_thread(move || write_all(stdin, &messages, &deaf))?;
        }
        if let Some(stdout) = stdout {
            in_thread(move || read_all(stdout, &sender))?;
        }
        if let Some(stderr) = stderr {
            let (file, told) = (context.stderr.clone(), Arc::clone(&process.told));
            in_thread(move || {
                forward(stderr, file.as_deref(), &told);
                drop(telling);
            })?;
        }
        Ok(process)
    }

    /// Sends a line; does not wait until it is read. One that cannot be sent is missed when its answer is.
    pub(super) fn send(&self, line: &str) {
        log::debug!("{} <- {line}", self.child.id());
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a line that `wanted` wants, without the space round it; the others tell people how the search gets on.
    pub(super) fn answer<T>(
        &self,
        deadline: Instant,
        allowed: Duration,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        let mut last = None;
        while let Some(line) = self.line(deadline)? {
            let line = line.trim();
            if let Some(found) = wanted(line) {
                return Ok(found);
            }
            if !line.is_empty() {
                last = Some(line.to_owned());
            }
        }
        Err(Fault::Silent(allowed, last).into())
    }

    /// The same for what no clock bounds.
    pub(super) fn answer_in_patience<T>(
        &self,
        wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        self.answer(self.patience(), self.context.patience, wanted)
    }

    /// The moment when patience ends.
    pub(super) fn patience(&self) -> Instant {
        Instant::now() + self.context.patience
    }

    /// The next line of the child that comes before `deadline`; `None` if there is none. One that talks all the time has
    /// none after it either.
    pub(super) fn line(&self, deadline: Instant) -> Result<Option<String>, Trouble> {
        loop {
            if self.context.interrupt.is_set() {
                return Err(Trouble::Interrupted);
            }
            let now = Instant::now();
            // What was said in time is heard, even if this thread comes a moment late.
            if now > deadline + LOOK {
                return Ok(None);
            }
            let left = deadline.saturating_duration_since(now);
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(None) => return Err(Fault::LongLine.into()),
                Ok(Some(line)) => {
                    log::debug!("{} -> {line}", self.child.id());
                    return Ok(Some(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.end().into()),
                Err(RecvTimeoutError::Timeout) if self.deaf.load(Ordering::Relaxed) => {
                    return Err(Fault::Deaf.into());
                }
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the child ended, whose output has.
    fn end(&self) -> Fault {
        let deadline = Instant::now() + FAREWELL;
        let mut status = None;
        while status.is_none() && Instant::now() < deadline {
            status = exit_status(&self.child);
            if status.is_none() {
                thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = self.told_all.recv_timeout(LAST_WORDS);
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        Fault::Ended {
            status,
            told: told.clone(),
        }
    }

    /// Asks the child to end in its own words, and gives it a moment to do so.
    pub(super) fn leave(mut self, farewell: &str) {
        self.send(farewell);
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.lines.recv_timeout(left).is_err() {
                return;
            }
        }
    }
}

/// Ends the child and whatever it has started that stayed in its group.
impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&mut self.child);
        self.context.guard.remove(self.child.id());
        if let Err(error) = self.child.wait() {
            log::warn!("child {}: {error}", self.child.id());
        }
        // Its last words are on their way to the file.
        let _ = self.told_all.recv_timeout(LAST_WORDS);
    }
}

/// Kills the group that `child` leads, and `child`, which may have joined another. It has not been waited for, so the
/// number is still its own.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        let group = nix::unistd::Pid::from_raw(child.id() as i32);
        // There is no such group if it has left it.
        let _ = killpg(group, Signal::SIGKILL);
    }
    if let Err(error) = child.kill() {
        log::warn!("child {}: {error}", child.id());
    }
}

/// How `child` ended, if it has; it is still to be waited for, so that its number stays its own.
#[cfg(unix)]
fn exit_status(child: &Child) -> Option<ExitStatus> {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use std::os::unix::process::ExitStatusExt;
    let id = Id::Pid(nix::unistd::Pid::from_raw(child.id() as i32));
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(id, flags) {
        // As `wait` packs them.
        Ok(WaitStatus::Exited(_, code)) => Some(ExitStatus::from_raw(code << 8)),
        Ok(WaitStatus::Signaled(_, signal, _)) => Some(ExitStatus::from_raw(signal as i32)),
        _ => None,
    }
}

#[cfg(not(unix))]
fn exit_status(_child: &Child) -> Option<ExitStatus> {
    None
}

/// Runs `work` beside everything else, until it ends by itself.
fn in_thread(work: impl FnOnce() + Send + 'static) -> Result<(), Trouble> {
    match thread::Builder::new().spawn(work) {
        Ok(_) => Ok(()),
        Err(error) => Err(Trouble::lacks("cannot start a thread", &error)),
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

/// Passes the stderr of a child on to a file, and keeps its last line.
fn forward(stderr: ChildStderr, mut file: Option<&File>, told: &Mutex<Option<String>>) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = stderr
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        let Ok(1..) = read else { return };
        if let Some(mut open) = file
            && let Err(error) = open.write_all(&line)
        {
            log::warn!("the stderr of programs cannot be written: {error}");
            file = None;
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() {
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
    }
}
