//! The line editor at the prompt: history, Ctrl-R, completion. It is `rustyline`.
//!
//! `rustyline` reads from stdin whatever has been typed, and loses what follows the end of a line.
//! On Unix stdin is therefore a pseudo-terminal of its own, into which [`Keyboard`] puts one line
//! at a time. The history lives as long as the program: moves of another game are no use, and a
//! file of them would be one more thing to explain.

use std::fs;
use std::io;
use std::path::MAIN_SEPARATOR;

use rustyline::completion::Completer;
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::commands;

/// Terminals that cannot place the cursor, which `rustyline` does not edit on either.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Whether lines can be edited on the terminal that stdin and stdout are.
pub(super) fn is_supported() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !PLAIN_TERMINALS.contains(&term.as_str())
}

/// How the reading of a line ended.
#[derive(Debug)]
pub(super) enum Edited {
    /// A line was entered.
    Line(String),
    /// Ctrl-D on an empty line, or the terminal is gone.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// Reads lines at a prompt.
#[derive(Debug)]
pub(super) struct Editor(rustyline::Editor<Words, MemHistory>);

impl Editor {
    /// An editor on stdin and stdout.
    pub(super) fn new() -> Result<Editor, ReadlineError> {
        #[cfg(unix)]
        interrupts::keep()?;
        let config = Config::builder()
            .color_mode(ColorMode::Disabled)
            .completion_type(CompletionType::List)
            .bracketed_paste(false)
            .history_ignore_dups(true)?
            .build();
        let history = MemHistory::with_config(&config);
        rustyline::Editor::with_history(config, history).map(Editor)
    }

    /// The next line; `words` are those that Tab completes at its beginning.
    pub(super) fn read(&mut self, prompt: &str, words: Vec<String>) -> Edited {
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(prompt) {
            Ok(line) => {
                if !line.trim().is_empty() {
                    // A history without the line works as well.
                    let _ = self.0.add_history_entry(line.as_str());
                }
                Edited::Line(line)
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Edited::Interrupted,
            // Bytes that are no text make a line, which is then no command.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Edited::Line(char::REPLACEMENT_CHARACTER.to_string())
            }
            Err(_) => Edited::End,
        }
    }
}

/// Completes the words of a line: commands and moves first, then what the command takes.
#[derive(Debug)]
struct Words(Vec<String>);

impl Helper for Words {}
impl Highlighter for Words {}
impl Hinter for Words {
    type Hint = String;

    /// Hints at nothing. It is called each time before the line is drawn, when the editor has taken
    /// SIGINT.
    fn hint(&self, _: &str, _: usize, _: &Context<'_>) -> Option<String> {
        #[cfg(unix)]
        interrupts::take_back();
        None
    }
}
impl Validator for Words {}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> Result<(usize, Vec<String>), ReadlineError> {
        let typed = &line[..pos];
        let Some((word, rest)) = typed.split_once(' ') else {
            return Ok((0, beginning_with(typed, self.0.iter().cloned())));
        };
        let start = pos - rest.len();
        let candidates = if commands::takes_a_file(word) {
            files(rest)
        } else {
            let words = commands::arguments(word);
            beginning_with(rest, words.iter().map(|&word| word.to_owned()))
        };
        Ok((start, candidates))
    }
}

/// Those of the words that begin like this, whatever the case.
fn beginning_with(start: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let start = start.to_ascii_lowercase();
    words.filter(|word| word.starts_with(&start)).collect()
}

/// The files whose path begins like this, sorted; folders end with a separator.
fn files(start: &str) -> Vec<String> {
    let name = start.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let (folder, name) = start.split_at(name);
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let path = |entry: fs::DirEntry| {
        let own = entry.file_name().into_string().ok()?;
        // Hidden files are for those who ask for them.
        if !own.starts_with(name) || (name.is_empty() && own.starts_with('.')) {
            return None;
        }
        let mut path = format!("{folder}{own}");
        if entry.path().is_dir() {
            path.push(MAIN_SEPARATOR);
        }
        Some(path)
    };
    let mut paths: Vec<String> = entries.filter_map(|entry| path(entry.ok()?)).collect();
    paths.sort();
    paths
}

/// The handler of SIGINT: `rustyline` puts another in its place while it reads a line, and loses a
/// signal that comes before it waits for a key.
#[cfg(unix)]
mod interrupts {
    use std::sync::OnceLock;

    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    /// The handler of this program.
    static OWN: OnceLock<SigAction> = OnceLock::new();

    /// Keeps the handler that is in force.
    ///
    /// # Errors
    /// If the system does not give it.
    pub(super) fn keep() -> nix::Result<()> {
        let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
        // SAFETY: to ignore a signal runs no code.
        let own = unsafe { sigaction(Signal::SIGINT, &ignore) }?;
        OWN.get_or_init(|| own);
        take_back();
        Ok(())
    }

    /// Puts it in force again.
    pub(super) fn take_back() {
        if let Some(own) = OWN.get() {
            // SAFETY: the handler was in force before. Without success the editor handles the signal.
            let _ = unsafe { sigaction(Signal::SIGINT, own) };
        }
    }
}

#[cfg(unix)]
pub(super) use keyboard::Keyboard;

#[cfg(unix)]
mod keyboard {
    use std::fs::File;
    use std::io::{self, Write};

    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::pty::openpty;
    use nix::sys::termios::{LocalFlags, tcgetattr};
    use nix::unistd::dup2_stdin;

    /// The other end of the pseudo-terminal that the editor reads from.
    #[derive(Debug)]
    pub(in crate::cli::play) struct Keyboard(File);

    impl Keyboard {
        /// Puts a pseudo-terminal in the place of stdin, which must be a terminal with single keys.
        ///
        /// # Errors
        /// If the system has none left.
        pub(in crate::cli::play) fn in_place_of_stdin() -> io::Result<Keyboard> {
            let mut settings = tcgetattr(io::stdin())?;
            // The keys of signals are for the editor.
            settings.local_flags.remove(LocalFlags::ISIG);
            let pair = openpty(None, &settings)?;
            dup2_stdin(&pair.slave)?;
            fcntl(&pair.master, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
            Ok(Keyboard(File::from(pair.master)))
        }

        /// Presses the first of these keys, as many as there is room for, and returns their number.
        pub(in crate::cli::play) fn press(&mut self, keys: &[u8]) -> usize {
            self.0.write(keys).unwrap_or(0)
        }
    }
}
