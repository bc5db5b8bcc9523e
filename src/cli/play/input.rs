//! What a person types, and Ctrl-C: both arrive while the engine thinks as well.
//!
//! | | at the prompt | while a search runs |
//! |---|---|---|
//! | lines | edited by [`Editor`], or read as they are | wait, not shown, for the next prompt |
//! | a key | goes to the editor | ends the search where [`Input::watch`] has `any_key` |
//! | Ctrl-D, hang-up | ends the game | ends the search at once, then the game |
//! | end of a pipe | ends the game | waits: a piped list of commands is answered whole |
//! | Ctrl-C | ends the game | the first ends the search, the second the game |
//!
//! One thread, the reader, reads stdin all the time, so none of these waits for another. It keeps
//! what is typed ahead, and presses it on the editor's [`Keyboard`] line by line. Lines typed
//! before Ctrl-D are obeyed before the game ends; their searches end at once. SIGHUP ends the
//! process. Where it is ignored (`nohup`), a terminal that has gone is the end of input.
//!
//! The terminal is in single keys without echo ([`QuietKeys`]) as long as there is a line editor,
//! and Ctrl-C and Ctrl-Z are keys, too: at the prompt the editor's. Without an editor, as with
//! `TERM=dumb`, keys are single only during a search, and these two are signals. On Windows the console keeps
//! what is typed for the editor, and only Ctrl-C ends a search.

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
use crate::search::Stop;
use crate::view::printable;
use crate::work::spawn_thread;

/// The longest line in bytes, which is also how much is read ahead.
const LONGEST_LINE: usize = 1 << 16;

/// How long keys after the end of a line wait for the editor to take the line, in milliseconds. In
/// a list of completions Enter ends no line.
#[cfg(unix)]
const PAUSE: u8 = 50;

/// Ctrl-C, Ctrl-D and Ctrl-Z as keys.
const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const CTRL_Z: u8 = 26;

/// What comes next.
#[derive(Debug)]
pub(super) enum Event {
    /// A line. Bytes that are no text make a line like any other, which is then no command.
    Line(String),
    /// The end of the input.
    End,
    /// The input cannot be read.
    Failed(io::Error),
    /// Ctrl-C, and nothing ran that it could have stopped.
    Interrupted,
}

/// Where commands come from.
#[derive(Debug)]
pub(super) struct Input {
    shared: Arc<Shared>,
    /// Whether somebody sits at the other end.
    pub(super) prompting: bool,
    /// The editor, and for as long the keys are quiet.
    editor: Option<(Editor, QuietKeys)>,
}

/// What the reader, the handler of Ctrl-C and the game share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stage: Stage,
    /// Whether the input is a terminal.
    is_terminal: bool,
    /// What was read and has not been asked for.
    typed: VecDeque<u8>,
    /// This many bytes at the front of `typed` were not echoed by the terminal.
    unseen: usize,
    /// The input has ended.
    ended: bool,
    /// Why it ended, if reading failed.
    error: Option<io::Error>,
    ctrl_c: CtrlC,
    /// The keyboard of the editor, if there is one.
    #[cfg(unix)]
    keyboard: Option<Keyboard>,
    /// When the end of a line was pressed on the keyboard: what follows is held back.
    #[cfg(unix)]
    held: Option<Instant>,
}

/// What the next Ctrl-C does besides ending the search that runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CtrlC {
    /// It ends the game.
    #[default]
    Leaves,
    /// Nothing.
    Spares,
    /// Nothing more: one has ended the game.
    Left,
}

/// What the input is for.
#[derive(Debug, Default)]
enum Stage {
    /// Nothing at the moment.
    #[default]
    Busy,
    /// The next line.
    Line,
    /// A search runs, which this ends; with `any_key` a key does.
    Search { stop: Stop, any_key: bool },
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let state = self.changed.wait(state);
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// The signal of Ctrl-C.
    fn interrupt(&self) {
        self.lock().interrupt();
        self.changed.notify_all();
    }
}

impl State {
    /// Ctrl-C.
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

    /// Whether Ctrl-C has ended the game.
    fn has_left(&self) -> bool {
        self.ctrl_c == CtrlC::Left
    }

    /// What the next Ctrl-C does, unless one has ended the game.
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

    /// Takes what was read; nothing is the end of the input.
    fn take(&mut self, read: &[u8]) {
        if read.is_empty() {
            self.end();
            return;
        }
        if !self.is_terminal {
            self.typed.extend(read);
            return;
        }
        // A Ctrl-D from before the terminal was switched to single keys has become a zero.
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

    /// Does what Ctrl-C, Ctrl-D and Ctrl-Z ask for that were typed ahead of a line.
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

    /// The input ends here. At a terminal nobody is left to wait for a search, nor to end a line.
    fn end(&mut self) {
        self.ended = true;
        if self.is_terminal {
            self.typed.truncate(self.whole_lines());
            self.stop_search();
            #[cfg(unix)]
            if matches!(self.stage, Stage::Line) {
                // Reading from it ends, too.
                self.keyboard = None;
            }
        }
    }

    /// How many bytes the lines have that are complete.
    fn whole_lines(&self) -> usize {
        let end = self.typed.iter().rposition(|&byte| is_line_end(byte));
        end.map_or(0, |at| at + 1)
    }

    /// How many bytes the next line has, if it is complete.
    fn line_length(&self) -> Option<usize> {
        let end = self.typed.iter().position(|&byte| is_line_end(byte));
        end.map(|at| at + 1)
    }

    /// Takes these bytes off what was typed.
    fn drain(&mut self, length: usize) -> Vec<u8> {
        self.unseen = self.unseen.saturating_sub(length);
        self.typed.drain(..length).collect()
    }

    /// The next line, if it or the end is there.
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

    /// Presses what was typed on the editor's keyboard, one line while one is asked for.
    #[cfg(unix)]
    fn press(&mut self) {
        const HOLD: Duration = Duration::from_millis(PAUSE as u64);
        if self.keyboard.is_none() || !matches!(self.stage, Stage::Line) {
            return;
        }
        if self.held.is_some_and(|since| since.elapsed() < HOLD) {
            return;
        }
        // Ctrl-D may end the line, too.
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

/// Suspends the processes that the terminal runs, as the signal of Ctrl-Z does.
fn suspend() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        // Where it cannot be sent, the program goes on.
        let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
    }
}

/// Both line ends are keys: Enter, and what a pipe or a pasted text has.
fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether these bytes are one key: a character, or the sequence of a function key. More is text.
fn is_one_key(bytes: &[u8]) -> bool {
    let is_sequence = bytes.first() == Some(&b'\x1b');
    is_sequence || std::str::from_utf8(bytes).map_or(bytes.len(), |text| text.chars().count()) <= 1
}

impl Input {
    /// Reads stdin from now on, and listens for Ctrl-C.
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

    /// Opens the editor.
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

    /// Waits for what comes next, at a terminal with this prompt. Tab completes the `words`.
    pub(super) fn next(
        &mut self,
        prompt: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Event> {
        // Before the prompt is shown: whoever sees it may press the keys at once.
        self.spare_no_more();
        out.flush()?;
        match &mut self.editor {
            Some((editor, _)) => Ok(edited(&self.shared, editor, prompt, words)),
            None => self.plain(prompt, out),
        }
    }

    /// The next line as the terminal or the pipe gives it.
    fn plain(&self, prompt: &str, out: &mut dyn Write) -> io::Result<Event> {
        let mut state = self.shared.lock();
        state.stage = Stage::Line;
        if self.prompting && !state.has_left() {
            // What was typed without echo is shown now.
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
        // The reader may have waited for room.
        self.shared.changed.notify_all();
        drop(state);
        if self.prompting && matches!(event, Event::End | Event::Interrupted) {
            writeln!(out)?;
        }
        Ok(event)
    }

    /// Whether lines are edited.
    pub(super) fn edits(&self) -> bool {
        self.editor.is_some()
    }

    /// Until the next prompt the first Ctrl-C only ends the search that runs.
    pub(super) fn spare(&self) {
        self.shared.lock().set_ctrl_c(CtrlC::Spares);
    }

    /// From now on Ctrl-C ends the game.
    pub(super) fn spare_no_more(&self) {
        self.shared.lock().set_ctrl_c(CtrlC::Leaves);
    }

    /// Whether the game is to end: after Ctrl-C, or after the end of a terminal when every line
    /// that was typed before it is done.
    pub(super) fn is_left(&self) -> bool {
        let state = self.shared.lock();
        state.has_left() || (state.is_terminal && state.ended && state.typed.is_empty())
    }

    /// Whether Ctrl-C has asked for the end.
    pub(super) fn is_interrupted(&self) -> bool {
        self.shared.lock().has_left()
    }

    /// Whether a key can be waited for: stdin is a terminal, and no command is typed ahead.
    pub(super) fn awaits_keys(&self) -> bool {
        self.prompting && self.shared.lock().line_length().is_none()
    }

    /// Until the result is dropped, Ctrl-C and the end of a terminal set `stop`, and with `any_key`
    /// a key does.
    pub(super) fn watch(&self, stop: Stop, any_key: bool) -> Watch<'_> {
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

/// The next line from the editor.
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
    // The reader may have waited for room.
    shared.changed.notify_all();
    let edited = editor.read(prompt, words);
    let mut state = shared.lock();
    state.stage = Stage::Busy;
    // The reader may have waited for room.
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

/// The time of a search.
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

/// Reads all the time until the input ends, or nobody is left to ask for it.
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
            // A terminal is read only when it has something: a read goes by the settings of its start.
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
                // A terminal that has gone is one that nobody types on.
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

/// Waits until there is something to read, and returns true; `briefly` not for long.
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
        // Anything else shows when it is read.
        Err(error) => error != Errno::EINTR,
    }
}
