//! Helpers for end-to-end tests of `emilia match`: temporary folder, command, log, child processes.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use super::run::{Run, run};
use super::wait_until;

pub(crate) const EMILIA: &str = env!("CARGO_BIN_EXE_emilia");

/// A temporary folder, removed on drop.
///
/// The environment variable `EMILIA_TEST` holds its path and marks every process the test started.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let mut folder = tempfile::Builder::new();
        Scratch(folder.prefix(&format!("emilia-{name}-")).tempdir().unwrap())
    }

    /// Path of the folder.
    pub(crate) fn folder(&self) -> &str {
        self.0.path().to_str().expect("an ASCII path")
    }

    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder())
    }

    /// Runs `emilia` in this folder with the words of `line`, without input.
    pub(crate) fn emilia(&self, line: &str) -> Run {
        let mut command = Command::new(EMILIA);
        command.args(line.split(' ')).current_dir(self.folder());
        run(command.env_remove("COLUMNS"), b"")
    }

    /// Returns the command `emilia match` with the space-separated `arguments`, run in this folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(EMILIA);
        command
            .arg("match")
            .args(arguments.split(' '))
            .current_dir(self.folder())
            .env("EMILIA_TEST", self.folder())
            .stdin(Stdio::null());
        command
    }

    /// Runs a match with the space-separated `arguments` and the words `more`.
    pub(crate) fn run(&self, arguments: &str, more: &[&str]) -> Run {
        run(self.command(arguments).args(more), b"")
    }

    /// Runs a match, asserts that it succeeds and returns its stdout.
    pub(crate) fn play_with(&self, arguments: &str, more: &[&str]) -> String {
        let run = self.run(arguments, more);
        assert_eq!(run.code, Some(0), "{arguments} {more:?}: {run:?}");
        run.stdout
    }

    /// Runs a match with these arguments alone, and returns its stdout.
    pub(crate) fn play(&self, arguments: &str) -> String {
        self.play_with(arguments, &[])
    }

    /// Returns the complete lines of the log file `name` as JSON; none if there is no such file.
    pub(crate) fn log(&self, name: &str) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Waits until every process the test started has ended. Panics after [`PATIENCE`].
    pub(crate) fn expect_nobody_left(&self) {
        wait_until(|| self.processes().is_empty());
    }

    /// Returns the command lines of the running processes that the test started.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("EMILIA_TEST={}\0", self.folder());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter(|entry| {
                let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
                String::from_utf8_lossy(&environment).contains(&mark)
            })
            .map(|entry| {
                let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&command).replace('\0', " ")
            })
            .collect()
    }
}

/// Returns the game numbers in a log and asserts that each occurs once.
pub(crate) fn numbers(log: &[serde_json::Value]) -> BTreeSet<u64> {
    let numbers = log.iter().filter_map(|line| line["game"].as_u64());
    let mut seen = BTreeSet::new();
    numbers.for_each(|game| assert!(seen.insert(game), "game {game} occurs twice"));
    seen
}

/// Writes the shell command `command` to a file and returns `sh PATH`, which runs it.
///
/// Player options are quoted once, so a command with quotes of its own goes into a file.
pub(crate) fn script(scratch: &Scratch, name: &str, command: &str) -> String {
    let path = scratch.path(name);
    fs::write(&path, format!("{command}\n")).unwrap();
    // Paths of temporary folders contain no spaces, so no quotes are needed.
    format!("sh {path}")
}
