//! Input of typed lines and of Ctrl-C, both also during searches.
//!
//! | | at the prompt | while a search runs |
//! |---|---|---|
//! | lines | edited by [`Editor`], or read unedited | wait for the next prompt |
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
//! Without an editor, as with `TERM=dumb`, the terminal delivers whole lines, and Ctrl-C and Ctrl-Z
//! are signals. On Windows the console keeps text typed ahead, and only Ctrl-C ends a search.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use super::editor::Keyboard;
use super::editor::{self, Edited, Editor};
use super::keys::QuietKeys;
use crate::search::StopFlag;
use crate::work::spawn_thread;

/// Maximum length of a line in bytes, and number of bytes read ahead.
const MAX_LINE: usize = 1 << 16;

/// Time that keys after a line end wait for the editor to take the line.
/// In a list of completions Enter does not end the line, so the editor may never take it.
#[cfg(unix)]
const PAUSE: Duration = Duration::from_millis(50);

/// Byte values of the keys Ctrl-C, Ctrl-D and Ctrl-Z.
const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const CTRL_Z: u8 = 26;

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
    shared: Arc<InputMonitor>,
    /// Whether stdin is a terminal, so that prompts are shown.
    pub(super) prompting: bool,
    /// Line editor, if supported, and the guard of single-key mode.
    editor: Option<(Editor, QuietKeys)>,
}

/// Shared state: used by the reader thread, the Ctrl-C handler and the game.
#[derive(Debug, Default)]
struct InputMonitor {
    state: Mutex<InputState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct InputState {
    stage: Stage,
    /// Whether stdin is a terminal.
    is_terminal: bool,
    /// Bytes read and not consumed yet.
    typed: VecDeque<u8>,
    /// Whether the input has ended.
    ended: bool,
    /// Error that ended the input, if any.
    error: Option<io::Error>,
    ctrl_c: CtrlC,
    /// Keyboard of the editor, if there is one.
    #[cfg(unix)]
    keyboard: Option<Keyboard>,
    /// Whether the editor has not taken the line end that was written to the keyboard last.
    #[cfg(unix)]
    holds_line: bool,
}

/// Effect of the next Ctrl-C, besides ending the running search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CtrlC {
    /// It ends the game.
    #[default]
    EndsGame,
    /// It has no other effect.
    Ignored,
    /// An earlier Ctrl-C has ended the game already.
    HasEnded,
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

impl InputMonitor {
    fn lock(&self) -> MutexGuard<'_, InputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as `condition` holds.
    fn wait_while(&self, condition: impl Fn(&InputState) -> bool) -> MutexGuard<'_, InputState> {
        let state = self
            .changed
            .wait_while(self.lock(), |state| condition(state));
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles the Ctrl-C signal and wakes waiting threads.
    fn interrupt(&self) {
        self.lock().interrupt();
        self.changed.notify_all();
    }

    /// Sets the stage and wakes the reader, which may be waiting for it or for room in `typed`.
    fn set_stage(&self, next: Stage) -> MutexGuard<'_, InputState> {
        let mut state = self.lock();
        state.stage = next;
        #[cfg(unix)]
        {
            state.holds_line = false;
        }
        self.changed.notify_all();
        state
    }
}

impl InputState {
    /// Handles Ctrl-C: ends the search, and the game unless this one is ignored.
    fn interrupt(&mut self) {
        self.ctrl_c = match self.ctrl_c {
            CtrlC::Ignored => CtrlC::EndsGame,
            CtrlC::EndsGame | CtrlC::HasEnded => CtrlC::HasEnded,
        };
        #[cfg(unix)]
        if let (Stage::Line, Some(keyboard)) = (&self.stage, &mut self.keyboard) {
            keyboard.press(&[CTRL_C]);
        }
        self.stop_search();
    }

    /// Returns whether Ctrl-C has ended the game.
    fn is_interrupted(&self) -> bool {
        self.ctrl_c == CtrlC::HasEnded
    }

    /// Returns whether the input of a terminal has ended.
    fn is_closed(&self) -> bool {
        self.is_terminal && self.ended
    }

    fn stop_search(&mut self) {
        if let Stage::Search { stop, any_key } = &mut self.stage {
            stop.set();
            *any_key = false;
        }
    }

    /// Processes bytes read from stdin.
    fn take(&mut self, read: &[u8]) {
        match self.stage {
            Stage::Search { any_key: true, .. } if !matches!(read, [CTRL_C | CTRL_D | CTRL_Z]) => {
                self.stop_search();
                if !is_one_key(read) {
                    self.typed.extend(read);
                }
            }
            _ => self.typed.extend(read),
        }
        if !matches!(self.stage, Stage::Line) {
            self.obey_keys();
        }
    }

    /// Handles Ctrl-C, Ctrl-D and Ctrl-Z among the bytes typed ahead at a terminal.
    fn obey_keys(&mut self) {
        if !self.is_terminal {
            return;
        }
        for key in std::mem::take(&mut self.typed) {
            match key {
                CTRL_C => self.interrupt(),
                // A Ctrl-D typed before single-key mode arrives as a zero byte.
                CTRL_D | 0 => return self.end(None),
                CTRL_Z => suspend(),
                key => self.typed.push_back(key),
            }
        }
    }

    /// Marks the end of the input. At a terminal, drops an incomplete line and ends the search.
    fn end(&mut self, error: Option<io::Error>) {
        self.ended = true;
        if !self.is_terminal {
            self.error = error;
            return;
        }
        // A closed terminal is an end of input, not an error.
        let end = self.typed.iter().rposition(|&byte| is_line_end(byte));
        self.typed.truncate(end.map_or(0, |at| at + 1));
        self.stop_search();
        #[cfg(unix)]
        if matches!(self.stage, Stage::Line) {
            // Closing the keyboard ends the editor's read.
            self.keyboard = None;
        }
    }

    /// Returns the length in bytes of the next line, if complete.
    fn line_length(&self) -> Option<usize> {
        let end = self.typed.iter().position(|&byte| is_line_end(byte));
        end.map(|at| at + 1)
    }

    /// Returns the next event for unedited input, or `None` if more bytes are needed.
    fn line(&mut self) -> Option<Event> {
        if self.is_interrupted() {
            return Some(Event::End);
        }
        let length = match self.line_length() {
            Some(length) => length,
            None if self.typed.len() >= MAX_LINE => {
                let sentence = format!("a line of {MAX_LINE} bytes and more");
                let error = io::Error::new(io::ErrorKind::InvalidData, sentence);
                return Some(Event::Failed(error));
            }
            None if !self.ended => return None,
            None if !self.typed.is_empty() => self.typed.len(),
            None => return Some(self.error.take().map_or(Event::End, Event::Failed)),
        };
        let line: Vec<u8> = self.typed.drain(..length).collect();
        Some(Event::Line(String::from_utf8_lossy(&line).into_owned()))
    }

    /// Returns whether the editor waits for the typed bytes.
    #[cfg(unix)]
    fn awaits_bytes(&self) -> bool {
        self.keyboard.is_some() && matches!(self.stage, Stage::Line) && !self.typed.is_empty()
    }

    /// Writes typed bytes to the editor's keyboard, at most one line at a time.
    #[cfg(unix)]
    fn press(&mut self) {
        // Ctrl-D may end the line too.
        let ends = |&key: &u8| is_line_end(key) || key == CTRL_D;
        let end = self.typed.iter().position(ends);
        let length = end.map_or(self.typed.len(), |at| at + 1);
        let keys = &self.typed.make_contiguous()[..length];
        let pressed = self.keyboard.as_mut();
        let pressed = pressed.map_or(0, |keyboard| keyboard.press(keys));
        self.holds_line = end.is_some() || pressed < length;
        self.typed.drain(..pressed);
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
    pub(super) fn open() -> io::Result<Input> {
        let prompting = io::stdin().is_terminal();
        let shared = Arc::new(InputMonitor::default());
        shared.lock().is_terminal = prompting;
        let handle = shared.clone();
        ctrlc::set_handler(move || handle.interrupt()).map_err(io::Error::other)?;
        #[cfg(unix)]
        let source = {
            use std::os::fd::AsFd;
            std::fs::File::from(io::stdin().as_fd().try_clone_to_owned()?)
        };
        #[cfg(not(unix))]
        let source = io::stdin();
        let edits = prompting && io::stdout().is_terminal() && editor::is_supported();
        let editor = if edits {
            let quiet = QuietKeys::new(false);
            #[cfg(unix)]
            {
                shared.lock().keyboard = Some(Keyboard::in_place_of_stdin()?);
            }
            let editor = Editor::new().map_err(io::Error::other)?;
            Some((editor, quiet))
        } else {
            None
        };
        if cfg!(unix) || !edits {
            let reader = shared.clone();
            spawn_thread("reader", move || read(source, &reader))?;
        }
        Ok(Input {
            shared,
            prompting,
            editor,
        })
    }

    /// Waits for the next event. At a terminal, shows `prompt`, and Tab completes the `words`.
    pub(super) fn next(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Event> {
        // This must precede the prompt, because keys may be pressed as soon as it is shown.
        self.end_on_ctrl_c();
        out.flush()?;
        match &mut self.editor {
            Some((editor, _)) => Ok(edited(&self.shared, editor, prompt, words)),
            None => self.plain(prompt, out),
        }
    }

    /// Waits for the next unedited line.
    fn plain(&self, prompt: &str, out: &mut dyn Write) -> io::Result<Event> {
        if self.prompting {
            write!(out, "{prompt}")?;
            out.flush()?;
        }
        let mut state = self.shared.set_stage(Stage::Line);
        let event = loop {
            if let Some(event) = state.line() {
                break event;
            }
            let waited = self.shared.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        drop(self.shared.set_stage(Stage::Busy));
        if self.prompting && matches!(event, Event::End) {
            writeln!(out)?;
        }
        Ok(event)
    }

    /// Returns whether there is a line editor.
    pub(super) fn edits(&self) -> bool {
        self.editor.is_some()
    }

    /// Lets the first Ctrl-C before the next prompt end only the running search.
    pub(super) fn ignore_first_ctrl_c(&self) {
        self.set_ctrl_c(CtrlC::Ignored);
    }

    /// Lets the next Ctrl-C end the game.
    pub(super) fn end_on_ctrl_c(&self) {
        self.set_ctrl_c(CtrlC::EndsGame);
    }

    /// Sets the effect of the next Ctrl-C, unless one has ended the game.
    fn set_ctrl_c(&self, next: CtrlC) {
        let mut state = self.shared.lock();
        if !state.is_interrupted() {
            state.ctrl_c = next;
        }
    }

    /// Returns whether the game is to end: after Ctrl-C, or at the end of a terminal's input.
    /// Lines typed before the end of the input are executed first.
    pub(super) fn should_exit(&self) -> bool {
        let state = self.shared.lock();
        state.is_interrupted() || (state.is_closed() && state.typed.is_empty())
    }

    /// Returns whether Ctrl-C has ended the game.
    pub(super) fn is_interrupted(&self) -> bool {
        self.shared.lock().is_interrupted()
    }

    /// Returns whether to wait for a key: stdin is a terminal without a complete line typed ahead.
    pub(super) fn awaits_keys(&self) -> bool {
        self.prompting && self.shared.lock().line_length().is_none()
    }

    /// Lets Ctrl-C and the end of a terminal's input set `stop` until the result is dropped.
    /// With `any_key`, any key does too.
    pub(super) fn watch(&self, stop: StopFlag, any_key: bool) -> Watch<'_> {
        let mut state = self.shared.set_stage(Stage::Search { stop, any_key });
        if state.is_interrupted() || state.is_closed() {
            state.stop_search();
        }
        state.obey_keys();
        Watch(&self.shared)
    }
}

/// Waits for the next line from the editor.
fn edited(shared: &InputMonitor, editor: &mut Editor, prompt: &str, words: Vec<String>) -> Event {
    let state = shared.set_stage(Stage::Line);
    if state.is_interrupted() || (state.ended && state.line_length().is_none()) {
        return Event::End;
    }
    #[cfg(unix)]
    let mut state = state;
    #[cfg(unix)]
    state.press();
    drop(state);
    let edited = editor.read(prompt, words);
    let mut state = shared.set_stage(Stage::Busy);
    match edited {
        Edited::Line(line) => Event::Line(line),
        Edited::End => Event::End,
        Edited::Interrupted => {
            state.ctrl_c = CtrlC::HasEnded;
            Event::End
        }
    }
}

/// Guard of a running search: input ends the search until this is dropped.
#[derive(Debug)]
pub(super) struct Watch<'a>(&'a InputMonitor);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        drop(self.0.set_stage(Stage::Busy));
    }
}

/// Reader thread: reads stdin until the input ends.
fn read(mut source: impl Read, shared: &InputMonitor) {
    let mut bytes = [0; 4096];
    loop {
        drop(shared.wait_while(|state| state.typed.len() >= MAX_LINE));
        let read = source.read(&mut bytes);
        let mut state = shared.lock();
        match read {
            Ok(0) => state.end(None),
            Ok(count) => state.take(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => state.end(Some(error)),
        }
        shared.changed.notify_all();
        if state.ended {
            return;
        }
        #[cfg(unix)]
        feed(shared, state);
    }
}

/// Writes the bytes that the editor awaits to its keyboard.
/// After a line end, the others wait until the editor has taken the line, or for [`PAUSE`].
#[cfg(unix)]
fn feed(shared: &InputMonitor, mut state: MutexGuard<'_, InputState>) {
    while state.awaits_bytes() {
        if state.holds_line {
            // A single Ctrl-D waits until the editor has taken the line, however late.
            if state.typed == [CTRL_D] {
                return;
            }
            let changed = &shared.changed;
            let waited = changed.wait_timeout_while(state, PAUSE, |state| state.holds_line);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.awaits_bytes() {
            state.press();
        }
    }
}
