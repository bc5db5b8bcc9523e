//! Append-only log of JSON lines: one object a line. A line is complete once its line feed is
//! written.
//!
//! A process that is killed leaves at most one incomplete line, at the end of the file.
//! Opening the log removes that line, so an interrupted command resumes from the complete lines.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{FileError, MIB, append, open_to_append};
use emilia_core::board::excerpt_within;

/// Length in bytes from which a line is refused, line feed included. No game record is nearly as
/// long.
const MAX_LINE: u64 = MIB;

/// Error for a file whose first line is not a header.
const OTHER_FILE: &str =
    "it is not a log of this command; give another name, or --force to begin again";

/// Log that is open for appending, and locked against other processes.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    file: File,
    /// Header with which the next line begins the log again. Until then the file is unchanged.
    begins_with: Option<Vec<u8>>,
}

impl JsonLines {
    /// Opens or creates a log whose first line is `header`, and calls `accept` with each other
    /// complete line. Logs with the same header that are concatenated in one file count as one log.
    ///
    /// A killed process may have left the beginning of a line at the end of the file. This
    /// incomplete line is removed. If the file has no complete line, its bytes must begin with the
    /// header or be the start of the header. Otherwise the file is not a log of this command: it
    /// stays unchanged, and opening it is an error.
    ///
    /// # Errors
    /// If the file cannot be read, written or locked, a line is too long, a header differs from
    /// `header`, or `accept` refuses a line.
    pub fn open<H: Serialize + DeserializeOwned>(
        path: &Path,
        header: &H,
        mut accept: impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<JsonLines, FileError> {
        let fail = |error| FileError::new(path, error);
        let own = serde_json::to_value(header).map_err(|error| fail(error.into()))?;
        let beginning = serde_json::to_vec(header).unwrap_or_default();
        let mut file = open_to_append(path)?;
        let mut has_header = false;
        let (complete, number, rest) = read_lines(path, &file, |line| {
            match serde_json::from_slice::<H>(line).and_then(serde_json::to_value) {
                Ok(found) if found == own => has_header = true,
                Ok(found) => return Err(other_log(&found, &own)),
                Err(_) if has_header => return accept(line),
                Err(_) => return Err(OTHER_FILE.to_owned()),
            }
            Ok(())
        })?;
        let is_own = number > 1 || beginning.starts_with(&rest) || rest.starts_with(&beginning);
        if !is_own {
            return Err(refused(path, number, OTHER_FILE));
        }
        file.set_len(complete).map_err(fail)?;
        file.seek(SeekFrom::Start(complete)).map_err(fail)?;
        let path = path.to_owned();
        let begins_with = None;
        let mut log = JsonLines {
            path,
            file,
            begins_with,
        };
        if !has_header {
            log.add(header)?;
        }
        Ok(log)
    }

    /// Opens or creates a log that [`add`](Self::add) begins again with the line `header`. The old
    /// content stays until then.
    ///
    /// # Errors
    /// If the file cannot be written or locked.
    pub fn begin_again(path: &Path, header: &impl Serialize) -> Result<JsonLines, FileError> {
        Ok(JsonLines {
            path: path.to_owned(),
            file: open_to_append(path)?,
            begins_with: Some(json_line(path, header)?),
        })
    }

    /// Appends a value as one line. Once `add` returns, the line survives a crash of this process.
    pub fn add(&mut self, value: &impl Serialize) -> Result<(), FileError> {
        let mut lines = json_line(&self.path, value)?;
        if let Some(header) = self.begins_with.take() {
            let emptied = self.file.set_len(0);
            emptied.map_err(|error| FileError::new(&self.path, error))?;
            lines = [header, lines].concat();
        }
        append(&self.path, &mut self.file, &lines)
    }

    /// Closes and removes the file.
    pub fn remove(self) {
        // A failure leaves the log, which is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns a value as a line of JSON. `path` is the file that an error names.
fn json_line(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, FileError> {
    let written = serde_json::to_vec(value);
    let mut line = written.map_err(|error| FileError::new(path, error.into()))?;
    line.push(b'\n');
    Ok(line)
}

/// Calls `accept` with each complete line of a file, its line feed included.
///
/// Returns the total number of bytes of these lines. The other two results are the line number,
/// from 1, and the bytes of the incomplete line after them. The bytes are empty if there is none.
///
/// # Errors
/// If the file cannot be read, a line is too long, or `accept` refuses a line.
fn read_lines(
    path: &Path,
    file: &File,
    mut accept: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<(u64, usize, Vec<u8>), FileError> {
    let mut reader = BufReader::new(file);
    let (mut complete, mut number, mut line) = (0, 1, Vec::new());
    loop {
        line.clear();
        let mut limited = reader.by_ref().take(MAX_LINE);
        let read = limited.read_until(b'\n', &mut line);
        let length = read.map_err(|error| FileError::new(path, error))? as u64;
        if length == MAX_LINE {
            return Err(refused(path, number, "longer than a game can be"));
        }
        if line.last() != Some(&b'\n') {
            return Ok((complete, number, line));
        }
        accept(&line).map_err(|what| refused(path, number, &what))?;
        complete += length;
        number += 1;
    }
}

/// Returns the error for the header of another log: its fields that differ from the header `own`.
fn other_log(found: &Value, own: &Value) -> String {
    let mut different = Vec::new();
    add_differences(&mut different, "", found, own);
    let different = different.join("; ");
    format!(
        "it is the log of other games (give another name, or --force to begin again): {different}"
    )
}

/// Adds a text to `out` for each field of `own`, at any depth of objects, that differs in `found`.
fn add_differences(out: &mut Vec<String>, name: &str, found: &Value, own: &Value) {
    match own.as_object() {
        Some(fields) => {
            for (name, own) in fields {
                add_differences(out, name, &found[name.as_str()], own);
            }
        }
        None if found != own => out.push(format!("{name} {found}, not {own}")),
        None => {}
    }
}

/// Returns an error with the text `what` about line `number`. The text may quote a long line with
/// control characters, so it is shortened and escaped.
fn refused(path: &Path, number: usize, what: &str) -> FileError {
    let what = excerpt_within(what, 300);
    FileError::refused(path, format!("line {number}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens a log whose lines are numbers below the header `true`. Also returns the numbers.
    fn open(path: &Path) -> Result<(JsonLines, Vec<u32>), String> {
        let mut numbers = Vec::new();
        let log = JsonLines::open(path, &true, |line| {
            let wrong = |error| format!("{error}: {}", String::from_utf8_lossy(line));
            numbers.push(serde_json::from_slice(line).map_err(wrong)?);
            Ok(())
        });
        Ok((log.map_err(|error| error.to_string())?, numbers))
    }

    #[test]
    fn opening_removes_only_an_incomplete_last_line() {
        let path = std::env::temp_dir().join(format!("emilia-lines-{}", std::process::id()));
        let whole = b"true\n12\ntrue\n345\n";
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let complete = whole[..length].split(|&byte| byte == b'\n').count() - 1;
            let (mut log, numbers) = open(&path).unwrap();
            assert_eq!(numbers, [12, 345][..complete / 2], "{length}");
            log.add(&7).unwrap();
            drop(log);
            assert_eq!(open(&path).unwrap().1, [&numbers[..], &[7]].concat());
        }
        let long = "9".repeat(1 << 20);
        for (text, expected) in [
            ("1", "line 1: it is not a log of this command"),
            ("1\n", "line 1: it is not a log of this command"),
            (
                "true\nx\u{1b}\n",
                r"line 2: expected value at line 1 column 1: x\u{1b}\n",
            ),
            (&long, "longer than a game can be"),
        ] {
            fs::write(&path, text).unwrap();
            let error = open(&path).unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(&path).unwrap();
    }
}
