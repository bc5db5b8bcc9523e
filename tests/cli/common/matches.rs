//! Helpers for end-to-end tests of `emilia match`: temporary folder, command, log, child processes.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const EMILIA: &str = env!("CARGO_BIN_EXE_emilia");

/// Longest wait for a log line or for the end of a process before a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A temporary folder, removed on drop.
///
/// The environment variable `EMILIA_TEST` holds its path and marks every process the test started.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (id, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(format!("emilia-{name}-{id}-{number}"));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Returns the command `emilia match` with the space-separated `arguments`, run in this folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(EMILIA);
        command
            .arg("match")
            .args(arguments.split(' '))
            .current_dir(&self.0)
            .env("EMILIA_TEST", &self.0)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a match, asserts that it succeeds and returns its stdout.
    pub(crate) fn play(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{arguments}: {errors}");
        text(&output.stdout)
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
        let start = Instant::now();
        let mut left = self.processes();
        while !left.is_empty() {
            assert!(start.elapsed() < PATIENCE, "still running: {left:?}");
            thread::sleep(Duration::from_millis(10));
            left = self.processes();
        }
    }

    /// Returns the command lines of the running processes that the test started.
    pub(crate) fn processes(&self) -> Vec<String> {
        let mark = format!("EMILIA_TEST={}\0", self.0.display());
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

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
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
