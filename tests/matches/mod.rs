//! What tests of `emilia match` share: a folder, the command, the log, and the processes that may be left.

#![allow(dead_code, reason = "each test of the whole uses its own part")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const EMILIA: &str = env!("CARGO_BIN_EXE_emilia");

/// The longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A folder that goes when the test ends. Its name marks every process that the test has started.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("emilia-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The command `emilia match` with these arguments, separated by spaces.
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

    /// What a match that succeeds prints.
    pub(crate) fn play(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{arguments}: {errors}");
        text(&output.stdout)
    }

    /// The lines of a log.
    pub(crate) fn log(&self, name: &str) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Waits until no process is left that the test has started.
    pub(crate) fn expect_nobody_left(&self) {
        let start = Instant::now();
        let mut left = self.processes();
        while !left.is_empty() {
            assert!(start.elapsed() < PATIENCE, "left: {left:?}");
            thread::sleep(Duration::from_millis(10));
            left = self.processes();
        }
    }

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

/// The numbers of the games of a log, which must each be there once.
pub(crate) fn numbers(log: &[serde_json::Value]) -> BTreeSet<u64> {
    let numbers = log.iter().filter_map(|line| line["game"].as_u64());
    let mut seen = BTreeSet::new();
    numbers.for_each(|game| assert!(seen.insert(game), "game {game} twice"));
    seen
}

/// A file with a command for the shell, so that it can stand in an argument without spaces.
pub(crate) fn script(scratch: &Scratch, name: &str, command: &str) -> String {
    let path = scratch.path(name);
    fs::write(&path, format!("{command}\n")).unwrap();
    // The name of a temporary folder has no blanks.
    format!("sh {path}")
}
