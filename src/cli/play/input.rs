//! Input of typed lines and of Ctrl-C, both also during searches.
//!
//! | | at the prompt | while a search runs |
//! |---|---|---|
//! | lines | edited by [`Editor`], or read unedited | wait, not shown, for the next prompt |
//! | a key | goes to the editor | ends the search if [`Input::watch`] has `any_key` |
//! | Ctrl-D, hang-up | ends the game | ends the search at once, then the game |
//! | end of a pipe | ends the game | waits: every piped command is executed |
//! | Ctrl-C | ends the game | the first ends the search, the second the game |
//!
//! A single thread, the reader, reads stdin all the time, so input never waits for a search.
//! It keeps text typed ahead and writes it to the editor's [`Keyboard`] line by line.
//! Lines typed before Ctrl-D are executed before the game ends. Their searches end at once.
//! SIGHUP ends the process. If it is ignored (`nohup`), a closed terminal is the end of input.
//!
//! While there is a line editor, the terminal is in single-key mode ([`QuietKeys`]).
//! Ctrl-C and Ctrl-Z are then keys too, and at the prompt the editor handles them.
//! Without an editor, as with `TERM=dumb`, single-key mode is on during searches only.
//! Ctrl-C and Ctrl-Z are then signals.
//! On Windows the console keeps text typed ahead, and only Ctrl-C ends a search.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::editor::Keyboard;
use super::editor::{self, Edited, Editor};
use crate::cli::terminal::QuietKeys;
use crate::cli::{Failure, on_interrupt};
use crate::search::StopFlag;
use crate::view::printable;
use crate::work::spawn_thread;

/// Maximum length of a line in bytes, and number of bytes read ahead.
const LONGEST_LINE: usize = 1 << 16;

/// Time in milliseconds that keys after a line end wait for the editor to take the line.
/// In a list of completions Enter does not end the line, so the editor may never take it.
#[cfg(unix)]
const PAUSE: u8 = 50;

/// Byte values of the keys Ctrl-C, Ctrl-D and Ctrl-Z.
const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const CTRL_Z: u8 = 26;

/// Next event of the input.
#[derive(Debug)]
pub(super) enum Event {
    /// A line. Invalid UTF-8 is replaced, which gives no valid command.
    Line(String),
    /// The end of the input.
    End,
    /// Reading the input failed.
    Failed(io::Error),
    /// Ctrl-C ended the game.
    Interrupted,
}

/// Source of typed commands.
#[derive(Debug)]
pub(super) struct Input {
    shared: Arc<Shared>,
    /// Whether stdin is a terminal, so that prompts are shown.
    pub(super) prompting: bool,
    /// Line editor, if supported, and the guard of single-key mode.
    editor: Option<(Editor, QuietKeys)>,
}

/// State shared by the reader thread, the Ctrl-C handler and the game.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stage: Stage,
    /// Whether stdin is a terminal.
    is_terminal: bool,
    /// Bytes read and not consumed yet.
    typed: VecDeque<u8>,
    /// Number of bytes at the front of `typed` that the terminal did not echo.
    unseen: usize,
    /// Whether the input has ended.
    ended: bool,
    /// Error that ended the input, if any.
    error: Option<io::Error>,
    ctrl_c: CtrlC,
    /// Keyboard of the editor, if there is one.
    #[cfg(unix)]
    keyboard: Option<Keyboard>,
    /// Time when a line end was written to the keyboard. Later keys are held back.
    #[cfg(unix)]
    held: Option<Instant>,
}

/// Effect of the next Ctrl-C, besides ending the running search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CtrlC {
    /// It ends the game.
    #[default]
    Leaves,
    /// It has no other effect.
    Spares,
    /// An earlier Ctrl-C has ended the game already.
    Left,
}

/// Purpose of the bytes read now.
#[derive(Debug, Default)]
enum Stage {
    /// None: neither a line nor a search is waiting.
    #[default]
    Busy,
    /// The next line of commands.
    Line,
    /// A running search, ended by `stop`. With `any_key` any key ends it.
    Search { stop: StopFlag, any_key: bool },
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let state = self.changed.wait(state);
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles the Ctrl-C signal and wakes waiting threads.
    fn interrupt(&self) {
        self.lock().interrupt();
        self.changed.notify_all();
    }
}

impl State {
    /// Handles Ctrl-C: ends the search, and the game unless this one is spared.
    fn interrupt(&mut self) {
        if self.ctrl_c == CtrlC::Spares {
            self.ctrl_c = CtrlC::Leaves;
        } else {
            self.ctrl_c = CtrlC::Left;
            #[cfg(unix)]
            if let (Stage::Line, Some(keyboard)) = (&self.stage, &mut self.keyboard) {
                keyboard.press(&[CTRL_C]);
            }
        }
        self.stop_search();
    }

    /// Returns whether Ctrl-C has ended the game.
    fn has_left(&self) -> bool {
        self.ctrl_c == CtrlC::Left
    }

    /// Sets the effect of the next Ctrl-C, unless one has ended the game.
    fn set_ctrl_c(&mut self, next: CtrlC) {
        if !self.has_left() {
            self.ctrl_c = next;
        }
    }

    fn stop_search(&mut self) {
        if let Stage::Search { stop, any_key } = &mut self.stage {
            stop.set();
            *any_key = false;
        }
    }

    /// Processes bytes read from stdin. No bytes mean the end of the input.
    fn take(&mut self, read: &[u8]) {
        if read.is_empty() {
            self.end();
            return;
        }
        if !self.is_terminal {
            self.typed.extend(read);
            return;
        }
        // A Ctrl-D typed before single-key mode arrives as a zero byte.
        let keys = read.iter().map(|&key| if key == 0 { CTRL_D } else { key });
        match self.stage {
            Stage::Line => {
                self.typed.extend(keys);
                #[cfg(unix)]
                self.press();
            }
            Stage::Search { any_key: true, .. } if !matches!(read, [CTRL_C | CTRL_D | CTRL_Z]) => {
                self.stop_search();
                if !is_one_key(read) {
                    self.typed.extend(keys);
                }
            }
            Stage::Busy | Stage::Search { .. } => self.typed.extend(keys),
        }
        if !matches!(self.stage, Stage::Line) {
            self.unseen = self.typed.len();
            self.obey_keys();
        }
    }

    /// Handles Ctrl-C, Ctrl-D and Ctrl-Z among the bytes typed ahead.
    fn obey_keys(&mut self) {
        if !self.is_terminal {
            return;
        }
        for key in std::mem::take(&mut self.typed) {
            match key {
                CTRL_C => self.interrupt(),
                CTRL_D => return self.end(),
                CTRL_Z => suspend(),
                key => self.typed.push_back(key),
            }
        }
    }

    /// Marks the end of the input. At a terminal, drops an incomplete line and ends the search.
    fn end(&mut self) {
        self.ended = true;
        if self.is_terminal {
            self.typed.truncate(self.whole_lines());
            self.stop_search();
            #[cfg(unix)]
            if matches!(self.stage, Stage::Line) {
                // Closing the keyboard ends the editor's read.
                self.keyboard = None;
            }
        }
    }

    /// Returns the number of bytes up to the last line end.
    fn whole_lines(&self) -> usize {
        let end = self.typed.iter().rposition(|&byte| is_line_end(byte));
        end.map_or(0, |at| at + 1)
    }

    /// Returns the length in bytes of the next line, if complete.
    fn line_length(&self) -> Option<usize> {
        let end = self.typed.iter().position(|&byte| is_line_end(byte));
        end.map(|at| at + 1)
    }

    /// Removes and returns the first `length` bytes of `typed`.
    fn drain(&mut self, length: usize) -> Vec<u8> {
        self.unseen = self.unseen.saturating_sub(length);
        self.typed.drain(..length).collect()
    }

    /// Returns the next event for unedited input, or `None` if more bytes are needed.
    fn line(&mut self) -> Option<Event> {
        if self.has_left() {
            return Some(Event::Interrupted);
        }
        let length = match self.line_length() {
            Some(length) => length,
            None if self.typed.len() >= LONGEST_LINE => {
                let sentence = format!("a line of {LONGEST_LINE} bytes and more");
                let error = io::Error::new(io::ErrorKind::InvalidData, sentence);
                return Some(Event::Failed(error));
            }
            None if !self.ended => return None,
            None if !self.typed.is_empty() => self.typed.len(),
            None => return Some(self.error.take().map_or(Event::End, Event::Failed)),
        };
        let line = self.drain(length);
        Some(Event::Line(String::from_utf8_lossy(&line).into_owned()))
    }

    /// Writes typed bytes to the editor's keyboard, at most one line at a time.
    #[cfg(unix)]
    fn press(&mut self) {
        const HOLD: Duration = Duration::from_millis(PAUSE as u64);
        if self.keyboard.is_none() || !matches!(self.stage, Stage::Line) {
            return;
        }
        // A single Ctrl-D behind a line waits until the editor has taken the line, however late.
        let is_end = self.typed.len() == 1 && self.typed.front() == Some(&CTRL_D);
        if self
            .held
            .is_some_and(|since| is_end || since.elapsed() < HOLD)
        {
            return;
        }
        // Ctrl-D may end the line too.
        let ends = |&key: &u8| is_line_end(key) || key == CTRL_D;
        let end = self.typed.iter().position(ends);
        let keys = self.drain(end.map_or(self.typed.len(), |at| at + 1));
        let keyboard = self.keyboard.as_mut();
        let pressed = keyboard.map_or(0, |keyboard| keyboard.press(&keys));
        for &key in keys[pressed..].iter().rev() {
            self.typed.push_front(key);
        }
        let is_whole = end.is_none() && pressed == keys.len();
        self.held = (!is_whole).then(Instant::now);
    }
}

/// Suspends the foreground process group, as Ctrl-Z does.
fn suspend() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        // If the signal cannot be sent, the program goes on.
        let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
    }
}

/// Returns whether a byte ends a line: Enter is `\r`, pipes and pasted text use `\n`.
fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns whether the bytes are one key: a character or an escape sequence.
fn is_one_key(bytes: &[u8]) -> bool {
    let is_sequence = bytes.first() == Some(&b'\x1b');
    is_sequence || std::str::from_utf8(bytes).map_or(bytes.len(), |text| text.chars().count()) <= 1
}

impl Input {
    /// Starts to read stdin and to handle Ctrl-C.
    ///
    /// # Errors
    /// If the editor, the reader thread or the handler of Ctrl-C cannot be started.
    pub(super) fn open() -> Result<Input, Failure> {
        let fail = |error: io::Error| Failure::Input(format!("stdin: {error}"));
        let prompting = io::stdin().is_terminal();
        let shared = Arc::new(Shared::default());
        shared.lock().is_terminal = prompting;
        let handle = shared.clone();
        on_interrupt(move || handle.interrupt())?;
        let edits = prompting && io::stdout().is_terminal() && editor::is_supported();
        let mut input = Input {
            shared,
            prompting,
            editor: None,
        };
        #[cfg(unix)]
        let source = {
            use std::os::fd::AsFd;
            let source = io::stdin().as_fd().try_clone_to_owned().map_err(fail)?;
            std::fs::File::from(source)
        };
        #[cfg(not(unix))]
        let source = io::stdin();
        if edits {
            input.edit().map_err(fail)?;
        }
        if cfg!(unix) || !edits {
            let reader = input.shared.clone();
            spawn_thread("reader", move || read(source, &reader))
                .map_err(|error| Failure::Input(error.to_string()))?;
        }
        Ok(input)
    }

    /// Opens the line editor and switches to single-key mode.
    fn edit(&mut self) -> io::Result<()> {
        let quiet = QuietKeys::new(false);
        #[cfg(unix)]
        {
            self.shared.lock().keyboard = Some(Keyboard::in_place_of_stdin()?);
        }
        let editor = Editor::new().map_err(io::Error::other)?;
        self.editor = Some((editor, quiet));
        Ok(())
    }

    /// Waits for the next event. At a terminal, shows `prompt`, and Tab completes the `words`.
    pub(super) fn next(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Event> {
        // This must precede the prompt, because keys may be pressed as soon as it is shown.
        self.spare_no_more();
        out.flush()?;
        match &mut self.editor {
            Some((editor, _)) => Ok(edited(&self.shared, editor, prompt, words)),
            None => self.plain(prompt, out),
        }
    }

    /// Waits for the next unedited line and shows text typed ahead.
    fn plain(&self, prompt: &str, out: &mut dyn Write) -> io::Result<Event> {
        let mut state = self.shared.lock();
        state.stage = Stage::Line;
        if self.prompting && !state.has_left() {
            // Bytes typed without echo are shown now.
            let unseen = state.unseen.min(state.line_length().unwrap_or(usize::MAX));
            let ahead: Vec<u8> = state.typed.iter().take(unseen).copied().collect();
            let ahead = String::from_utf8_lossy(&ahead);
            write!(
                out,
                "{prompt}{}",
                printable(ahead.trim_end_matches(['\r', '\n']))
            )?;
            if ahead.ends_with(['\r', '\n']) {
                writeln!(out)?;
            }
            out.flush()?;
        }
        let event = loop {
            match state.line() {
                Some(event) => break event,
                None => state = self.shared.wait(state),
            }
        };
        state.stage = Stage::Busy;
        // The reader may be waiting for room in `typed`.
        self.shared.changed.notify_all();
        drop(state);
        if self.prompting && matches!(event, Event::End | Event::Interrupted) {
            writeln!(out)?;
        }
        Ok(event)
    }

    /// Returns whether there is a line editor.
    pub(super) fn edits(&self) -> bool {
        self.editor.is_some()
    }

    /// Lets the first Ctrl-C before the next prompt end only the running search.
    pub(super) fn spare(&self) {
        self.shared.lock().set_ctrl_c(CtrlC::Spares);
    }

    /// Lets the next Ctrl-C end the game.
    pub(super) fn spare_no_more(&self) {
        self.shared.lock().set_ctrl_c(CtrlC::Leaves);
    }

    /// Returns whether the game is to end: after Ctrl-C, or at the end of a terminal's input.
    /// Lines typed before the end of the input are executed first.
    pub(super) fn is_left(&self) -> bool {
        let state = self.shared.lock();
        state.has_left() || (state.is_terminal && state.ended && state.typed.is_empty())
    }

    /// Returns whether Ctrl-C has ended the game.
    pub(super) fn is_interrupted(&self) -> bool {
        self.shared.lock().has_left()
    }

    /// Returns whether to wait for a key: stdin is a terminal without a complete line typed ahead.
    pub(super) fn awaits_keys(&self) -> bool {
        self.prompting && self.shared.lock().line_length().is_none()
    }

    /// Lets Ctrl-C and the end of a terminal's input set `stop` until the result is dropped.
    /// With `any_key`, any key does too.
    pub(super) fn watch(&self, stop: StopFlag, any_key: bool) -> Watch<'_> {
        let quiet = (self.prompting && self.editor.is_none()).then(|| QuietKeys::new(true));
        let mut state = self.shared.lock();
        if state.has_left() || (state.is_terminal && state.ended) {
            stop.set();
        }
        state.stage = Stage::Search { stop, any_key };
        state.obey_keys();
        Watch {
            shared: &self.shared,
            _quiet: quiet,
        }
    }
}

/// Waits for the next line from the editor.
fn edited(shared: &Shared, editor: &mut Editor, prompt: &str, words: Vec<String>) -> Event {
    let mut state = shared.lock();
    if state.has_left() {
        return Event::Interrupted;
    }
    if state.ended && state.line_length().is_none() {
        return Event::End;
    }
    state.stage = Stage::Line;
    #[cfg(unix)]
    {
        state.held = None;
        state.press();
    }
    drop(state);
    // The reader may be waiting for room in `typed`.
    shared.changed.notify_all();
    let edited = editor.read(prompt, words);
    let mut state = shared.lock();
    state.stage = Stage::Busy;
    // The reader may be waiting for room in `typed`.
    shared.changed.notify_all();
    match edited {
        Edited::Line(line) => Event::Line(line),
        Edited::End => Event::End,
        Edited::Interrupted => {
            state.ctrl_c = CtrlC::Left;
            Event::Interrupted
        }
    }
}

/// Guard of a running search: input ends the search until this is dropped.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    shared: &'a Shared,
    _quiet: Option<QuietKeys>,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared.lock().stage = Stage::Busy;
    }
}

/// Reader thread: reads stdin until the input ends.
fn read(mut source: Source, shared: &Shared) {
    let mut bytes = [0; 4096];
    loop {
        let mut state = shared.lock();
        while state.typed.len() >= LONGEST_LINE {
            state = shared.wait(state);
        }
        #[cfg(unix)]
        {
            let waits = matches!(state.stage, Stage::Line) && !state.typed.is_empty();
            let holds = waits && state.held.is_some();
            drop(state);
            // A read uses the terminal settings of its start, so bytes must be ready before it.
            if !is_ready(&source, holds) {
                shared.lock().press();
                continue;
            }
        }
        #[cfg(not(unix))]
        drop(state);
        let read = source.read(&mut bytes);
        let mut state = shared.lock();
        match read {
            Ok(count) => state.take(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                // A closed terminal is an end of input, not an error.
                state.error = Some(error).filter(|_| !state.is_terminal);
                state.end();
            }
        }
        shared.changed.notify_all();
        if state.ended {
            return;
        }
    }
}

#[cfg(unix)]
type Source = std::fs::File;
#[cfg(not(unix))]
type Source = io::Stdin;

/// Waits until bytes are ready and returns true. With `briefly`, waits at most `PAUSE` ms.
#[cfg(unix)]
fn is_ready(source: &Source, briefly: bool) -> bool {
    use std::os::fd::AsFd;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let wait = if briefly {
        PollTimeout::from(PAUSE)
    } else {
        PollTimeout::NONE
    };
    let mut source = [PollFd::new(source.as_fd(), PollFlags::POLLIN)];
    match poll(&mut source, wait) {
        Ok(ready) => ready > 0,
        // Other errors are reported by the read.
        Err(error) => error != Errno::EINTR,
    }
}
