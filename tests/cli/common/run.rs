//! Runs the binary once, from arguments and input to output and exit code.

use std::io::Write;
use std::process::{Command, Stdio};

/// Exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Asserts exit code 0 without a message on stderr.
    #[track_caller]
    pub(crate) fn assert_done(&self) {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
    }

    /// Asserts exit code 2, an empty stdout, and a message that contains `reason`.
    #[track_caller]
    pub(crate) fn assert_refused(&self, reason: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        self.assert_reports(reason);
    }

    /// Asserts that stdout contains `text`.
    #[track_caller]
    pub(crate) fn assert_shows(&self, text: &str) {
        assert!(self.stdout.contains(text), "no {text:?} in {self:?}");
    }

    /// Asserts that stderr contains `text`.
    #[track_caller]
    pub(crate) fn assert_reports(&self, text: &str) {
        assert!(self.stderr.contains(text), "no {text:?} in {self:?}");
    }
}

/// Runs `emilia` with these arguments and with `input` from a pipe.
pub(crate) fn emilia(arguments: &[&str], input: &[u8]) -> Run {
    // Output has the width used for a pipe, whatever the terminal of the tests.
    run(command(arguments).env_remove("COLUMNS"), input)
}

/// Runs `emilia` with the words of `line`, separated by spaces, and without input.
pub(crate) fn emilia_line(line: &str) -> Run {
    emilia(&line.split(' ').collect::<Vec<_>>(), b"")
}

/// Runs `emilia` without input, with output for a terminal of `columns` columns.
pub(crate) fn emilia_at_width(arguments: &[&str], columns: usize) -> Run {
    run(command(arguments).env("COLUMNS", columns.to_string()), b"")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
    command.args(arguments);
    command
}

/// Runs a command with `input` from a pipe.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    // The binary may close the pipe before the end of the input, which is not a failure.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

/// Returns the cells of a table of cases: a case for each line, cells separated by ` | `.
pub(crate) fn cases<const CELLS: usize>(table: &str) -> impl Iterator<Item = [&str; CELLS]> {
    let rows = table.trim().lines();
    rows.map(|row| {
        let cells: Vec<&str> = row.trim().split(" | ").collect();
        cells.try_into().expect("a row has all cells")
    })
}
