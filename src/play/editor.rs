//! Line editor at the prompt, with history, Ctrl-R and completion, based on `rustyline`.
//!
//! The history is kept in memory only, because moves of other games are useless.

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
use super::input::Event;

/// Terminals without cursor control, on which `rustyline` does not edit.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Returns whether the terminal type supports line editing.
pub(super) fn is_supported() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    !PLAIN_TERMINALS.contains(&term.as_str())
}

/// Line editor on stdin and stdout.
#[derive(Debug)]
pub(super) struct Editor(rustyline::Editor<Words, MemHistory>);

impl Editor {
    /// Creates the editor.
    ///
    /// # Errors
    /// If the terminal or the signal handler cannot be set up.
    pub(super) fn new() -> Result<Editor, ReadlineError> {
        let config = Config::builder()
            .color_mode(ColorMode::Disabled)
            .completion_type(CompletionType::List)
            .bracketed_paste(false)
            .history_ignore_dups(true)?
            .build();
        let history = MemHistory::with_config(&config);
        rustyline::Editor::with_history(config, history).map(Editor)
    }

    /// Reads the next line, or returns `None` at Ctrl-C. Tab completes its first word from `words`.
    pub(super) fn read(&mut self, prompt: &str, words: Vec<String>) -> Option<Event> {
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(prompt) {
            Ok(line) => {
                if !line.trim().is_empty() {
                    // If the history rejects the line, editing still works.
                    let _ = self.0.add_history_entry(line.as_str());
                }
                Some(Event::Line(line))
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => None,
            // Invalid UTF-8 becomes a line that no command matches.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Some(Event::Line(char::REPLACEMENT_CHARACTER.to_string()))
            }
            // Ctrl-D on an empty line, or the terminal was closed.
            Err(_) => Some(Event::End),
        }
    }
}

/// Completer: commands and moves as the first word, then the arguments of the command.
#[derive(Debug)]
struct Words(Vec<String>);

impl Helper for Words {}
impl Highlighter for Words {}
impl Hinter for Words {
    type Hint = String;
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

/// Returns the words that begin with `start`, ignoring its case.
fn beginning_with(start: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let start = start.to_ascii_lowercase();
    words.filter(|word| word.starts_with(&start)).collect()
}

/// Returns the paths that begin with `start`, sorted. Folders end with a separator.
fn files(start: &str) -> Vec<String> {
    let name = start.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let (folder, name) = start.split_at(name);
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let path = |entry: fs::DirEntry| {
        let own = entry.file_name().into_string().ok()?;
        // Hidden files are offered only if the typed name begins with a dot.
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
