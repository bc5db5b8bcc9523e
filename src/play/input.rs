//! Typed lines, Ctrl-C, and Enter during a search.
//!
//! At a terminal with cursor control [`Editor`] reads a line. Everywhere else a thread reads whole
//! lines, so that Ctrl-C ends the game while the prompt waits. During a search the terminal keeps
//! what is typed for the next prompt.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use parking_lot::Mutex;

use super::editor::{self, Editor};
use emilia_core::search::StopFlag;
use emilia_core::work::spawn_thread;

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Longest time until Enter ends a search.
const ENTER_WAIT: Duration = Duration::from_millis(50);

/// Next event of the input.
#[derive(Debug)]
pub(super) enum Event {
    /// A line. Invalid UTF-8 is replaced, which gives no valid command.
    Line(String),
    /// The end of the input, or Ctrl-C.
    End,
    /// Reading the input failed.
    Failed(io::Error),
}

/// Source of typed commands.
#[derive(Debug)]
pub(super) struct Input {
    /// Whether stdin is a terminal, so that prompts are shown.
    pub(super) prompting: bool,
    lines: Lines,
    ctrl_c: Arc<CtrlC>,
}

#[derive(Debug)]
enum Lines {
    Edited(Box<Editor>),
    /// Lines of the reader thread, and the ends of the game that Ctrl-C sends.
    Plain(Receiver<Event>),
}

/// State that the handler of Ctrl-C and the reader thread change.
#[derive(Debug, Default)]
struct CtrlC {
    /// Stops the running search.
    search: Mutex<StopFlag>,
    /// Whether the next line of the reader thread stops the search too.
    by_line: AtomicBool,
    /// How many more Ctrl-C end only the search. Negative: the game is over.
    spared: AtomicI32,
}

impl CtrlC {
    fn is_over(&self) -> bool {
        self.spared.load(Ordering::SeqCst) < 0
    }

    /// Sets how many Ctrl-C end only the search, unless the game is over.
    fn spare(&self, count: i32) {
        let set = |old: i32| (old >= 0).then_some(count);
        // The game stays over.
        let _ = (self.spared).fetch_update(Ordering::SeqCst, Ordering::SeqCst, set);
    }
}

impl Input {
    /// Starts to read stdin and to handle Ctrl-C.
    ///
    /// # Errors
    /// If the editor, the reader thread or the handler of Ctrl-C cannot be started.
    pub(super) fn open() -> io::Result<Input> {
        let prompting = io::stdin().is_terminal();
        let ctrl_c = Arc::new(CtrlC::default());
        let (sender, receiver) = channel();
        let (handle, ends) = (ctrl_c.clone(), sender.clone());
        ctrlc::set_handler(move || {
            handle.search.lock().set();
            if handle.spared.fetch_sub(1, Ordering::SeqCst) <= 0 {
                // Without a reader nobody waits for the event.
                let _ = ends.send(Event::End);
            }
        })
        .map_err(io::Error::other)?;
        let lines = if prompting && io::stdout().is_terminal() && editor::is_supported() {
            Lines::Edited(Box::new(Editor::new().map_err(io::Error::other)?))
        } else {
            let shared = ctrl_c.clone();
            spawn_thread("reader", move || send_lines(&sender, &shared))?;
            Lines::Plain(receiver)
        };
        Ok(Input {
            prompting,
            lines,
            ctrl_c,
        })
    }

    /// Waits for the next event. At a terminal, shows `prompt`, and Tab completes the `words`.
    pub(super) fn next(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Event> {
        self.end_on_ctrl_c();
        if self.should_exit() {
            return Ok(Event::End);
        }
        out.flush()?;
        let event = match &mut self.lines {
            Lines::Edited(editor) => editor.read(prompt, words).unwrap_or_else(|| {
                self.ctrl_c.spared.store(-1, Ordering::SeqCst);
                Event::End
            }),
            Lines::Plain(lines) => {
                if self.prompting {
                    write!(out, "{prompt}")?;
                    out.flush()?;
                }
                let event = lines.recv().unwrap_or(Event::End);
                if self.prompting && matches!(event, Event::End) {
                    writeln!(out)?;
                }
                event
            }
        };
        Ok(event)
    }

    /// Returns whether there is a line editor.
    pub(super) fn edits(&self) -> bool {
        matches!(self.lines, Lines::Edited(_))
    }

    /// Lets the first Ctrl-C before the next prompt end only the running search.
    pub(super) fn ignore_first_ctrl_c(&self) {
        self.ctrl_c.spare(1);
    }

    /// Lets the next Ctrl-C end the game.
    pub(super) fn end_on_ctrl_c(&self) {
        self.ctrl_c.spare(0);
    }

    /// Returns whether Ctrl-C has ended the game.
    pub(super) fn should_exit(&self) -> bool {
        self.ctrl_c.is_over()
    }

    /// Lets Ctrl-C set `stop`, and with `enter` also Enter, until the result is dropped.
    pub(super) fn watch(&self, stop: StopFlag, enter: bool) -> Option<EnterWatch> {
        *self.ctrl_c.search.lock() = stop.clone();
        if self.should_exit() {
            stop.set();
        }
        self.ctrl_c.by_line.store(enter, Ordering::SeqCst);
        (enter && self.edits()).then(|| EnterWatch::new(stop))
    }
}

/// Reader thread: sends the lines of stdin until its end.
fn send_lines(events: &Sender<Event>, ctrl_c: &CtrlC) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = (&mut stdin).take(MAX_LINE).read_until(b'\n', &mut line);
        let event = match read {
            Ok(0) => Event::End,
            Ok(_) if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') => {
                let sentence = format!("a line of {MAX_LINE} bytes and more");
                Event::Failed(io::Error::new(io::ErrorKind::InvalidData, sentence))
            }
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
            // A terminal that was closed is an end of input.
            Err(_) if io::stdin().is_terminal() => Event::End,
            Err(error) => Event::Failed(error),
        };
        if ctrl_c.by_line.swap(false, Ordering::SeqCst) {
            ctrl_c.search.lock().set();
        }
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Sets a stop flag when Enter is pressed at the terminal, or its input ends, until dropped.
/// What was typed stays for the next prompt.
#[derive(Debug)]
pub(crate) struct EnterWatch(Arc<AtomicBool>);

impl EnterWatch {
    /// Starts to wait. If that fails, Ctrl-C still ends the search.
    pub(crate) fn new(stop: StopFlag) -> EnterWatch {
        let is_done = Arc::new(AtomicBool::new(false));
        let done = is_done.clone();
        let waiting = spawn_thread("enter", move || {
            while !done.load(Ordering::Relaxed) {
                if can_read_stdin(ENTER_WAIT) {
                    stop.set();
                    return;
                }
            }
        });
        if let Err(error) = waiting {
            log::warn!("{error}");
        }
        EnterWatch(is_done)
    }
}

impl Drop for EnterWatch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits at most `time` for a line of the terminal. Returns whether there is one, or an end.
#[cfg(unix)]
fn can_read_stdin(time: Duration) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let stdin = io::stdin();
    let mut descriptors = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
    poll(&mut descriptors, timeout).is_ok_and(|count| count > 0)
}

/// Consoles cannot be asked: only Ctrl-C ends a search.
#[cfg(not(unix))]
fn can_read_stdin(time: Duration) -> bool {
    std::thread::sleep(time);
    false
}
