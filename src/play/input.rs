//! Input of a game: typed lines and Ctrl-C.
//!
//! At a terminal with cursor control `rustyline` edits the line, with history and
//! Ctrl-R. Elsewhere lines are read without editing. During a search the terminal keeps typed
//! characters for the next prompt.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rustyline::Editor;
use rustyline::config::{ColorMode, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;

use crate::cli::Failure;
use emilia_core::search::StopFlag;

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Terminals without cursor control, on which `rustyline` does not edit.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Source of typed commands.
pub(super) struct Input {
    /// Whether stdin is a terminal, so that prompts are shown.
    pub(super) prompting: bool,
    /// Editor of lines. Its history is kept in memory only.
    editor: Option<Editor<(), MemHistory>>,
    ctrl_c: Arc<CtrlC>,
}

/// State shared with the handler of Ctrl-C.
#[derive(Debug, Default)]
struct CtrlC {
    /// Stop flag of the last search since the last prompt. `None` if there was no search, or after
    /// Ctrl-C has set the flag.
    search: Mutex<Option<StopFlag>>,
    /// Whether Ctrl-C has ended the game.
    is_over: AtomicBool,
}

impl Input {
    /// Prepares to read stdin, and handles Ctrl-C.
    ///
    /// # Errors
    /// If the editor or the handler of Ctrl-C cannot be set up.
    pub(super) fn open() -> io::Result<Input> {
        let prompting = io::stdin().is_terminal();
        let term = std::env::var("TERM").unwrap_or_default();
        let edits = prompting && !PLAIN_TERMINALS.contains(&term.as_str());
        let ctrl_c = Arc::new(CtrlC::default());
        let shared = ctrl_c.clone();
        ctrlc::set_handler(move || match shared.search.lock().take() {
            Some(stop) => stop.set(),
            None if edits => shared.is_over.store(true, Ordering::SeqCst),
            // Without an editor, the reading of a line cannot be interrupted, so the process exits.
            // 130 is the exit code of shells after Ctrl-C.
            None => std::process::exit(130),
        })
        .map_err(io::Error::other)?;
        let editor = edits.then(editor).transpose().map_err(io::Error::other)?;
        Ok(Input {
            prompting,
            editor,
            ctrl_c,
        })
    }

    /// Returns the next line, or `None` at the end of the input or at Ctrl-C.
    /// `prompt` is shown only at a terminal.
    /// Invalid UTF-8 is replaced. The resulting line is not a valid command.
    pub(super) fn next(
        &mut self,
        prompt: &str,
        out: &mut dyn Write,
    ) -> Result<Option<String>, Failure> {
        *self.ctrl_c.search.lock() = None;
        if self.should_exit() {
            return Ok(None);
        }
        let Some(editor) = &mut self.editor else {
            if self.prompting {
                write!(out, "{prompt}")?;
            }
            out.flush()?;
            return plain_line().map_err(|error| Failure::Input(format!("stdin: {error}")));
        };
        out.flush()?;
        Ok(match editor.readline(prompt) {
            Ok(line) => Some(line),
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                self.ctrl_c.is_over.store(true, Ordering::SeqCst);
                None
            }
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Some(char::REPLACEMENT_CHARACTER.to_string())
            }
            // Ctrl-D on an empty line, or the terminal was closed.
            Err(_) => None,
        })
    }

    /// Makes Ctrl-C set `stop` until the next prompt.
    pub(super) fn watch(&self, stop: StopFlag) {
        *self.ctrl_c.search.lock() = Some(stop);
    }

    /// Ends the game if Ctrl-C has stopped the last search.
    pub(super) fn end_if_stopped(&self) {
        let is_stopped = self.ctrl_c.search.lock().is_none();
        self.ctrl_c.is_over.fetch_or(is_stopped, Ordering::SeqCst);
    }

    /// Returns whether Ctrl-C has ended the game.
    pub(super) fn should_exit(&self) -> bool {
        self.ctrl_c.is_over.load(Ordering::SeqCst)
    }
}

fn editor() -> rustyline::Result<Editor<(), MemHistory>> {
    let config = Config::builder()
        .auto_add_history(true)
        .color_mode(ColorMode::Disabled)
        .bracketed_paste(false)
        .build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history)
}

/// Reads a line of stdin without an editor. Returns `None` at the end of stdin.
fn plain_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut limited = io::stdin().lock().take(MAX_LINE);
    let length = limited.read_until(b'\n', &mut line)? as u64;
    if length == MAX_LINE {
        let sentence = format!("a line of {MAX_LINE} bytes and more");
        return Err(io::Error::new(io::ErrorKind::InvalidData, sentence));
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
