//! Reads outputs of shards that end with a mark, and checks that every shard is there once.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::mark::{self, Mark};
use crate::cli::{Failure, print_to_stderr};
use crate::files::{self, FileError, MIB};

/// Maximum size of a file in bytes.
const LARGEST: u64 = 256 * MIB;

/// Maximum number of missing shards listed in the message.
const MOST_NAMED: usize = 10;

/// Output of a shard.
pub(super) struct Part {
    path: PathBuf,
    mark: Mark,
    /// Lines before the mark.
    lines: Vec<String>,
}

/// Reads all shards of a job and sorts them. Equal copies of a shard are dropped.
///
/// # Errors
/// If a file is unreadable or of another job, two copies differ, or a shard is missing.
pub(super) fn complete(paths: &[PathBuf]) -> Result<Vec<Part>, Failure> {
    let mut parts = paths
        .iter()
        .map(|path| read(path))
        .collect::<Result<Vec<Part>, FileError>>()?;
    let Some(first) = parts.first() else {
        return Ok(parts);
    };
    for part in &parts {
        if part.mark.job != first.mark.job || part.mark.shard.of() != first.mark.shard.of() {
            let other = first.path.display();
            let why = format!(
                "it is shard {} of another job than '{other}', which is shard {}: \
                 the input, the options or the number of shards differ",
                part.mark.shard, first.mark.shard
            );
            return Err(FileError::refused(&part.path, why).into());
        }
    }
    parts.sort_by_key(|part| part.mark.shard);
    drop_repeated(&mut parts)?;
    check_none_is_missing(&parts)?;
    Ok(parts)
}

/// Returns the number of unreadable items of the whole input.
pub(super) fn unread(parts: &[Part]) -> usize {
    let unread = parts.iter().map(|part| part.mark.unread);
    unread.fold(0, usize::saturating_add)
}

/// Parses the lines of all parts with `read`.
///
/// # Errors
/// If a line cannot be parsed.
pub(super) fn lines<T>(
    parts: &[Part],
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, FileError> {
    let all = parts.iter().flat_map(|part| {
        let numbered = part.lines.iter().zip(1..);
        numbered.map(move |(line, number)| (part, line, number))
    });
    all.map(|(part, line, number)| {
        read(line)
            .map_err(|error| FileError::refused(&part.path, format!("line {number}: {error}")))
    })
    .collect()
}

/// Parses the JSON objects of all lines.
///
/// # Errors
/// If a line is no such object.
pub(super) fn objects<T: DeserializeOwned>(parts: &[Part]) -> Result<Vec<T>, FileError> {
    lines(parts, |line| {
        serde_json::from_str(line).map_err(|error| error.to_string())
    })
}

fn read(path: &Path) -> Result<Part, FileError> {
    let text = files::read_text(path, LARGEST)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mark = lines.pop().filter(|_| text.ends_with('\n'));
    let mark = mark.and_then(|line| {
        let object: Value = serde_json::from_str(&line).ok()?;
        (object["kind"] == mark::KIND).then(|| serde_json::from_value(object).ok())?
    });
    let mark = mark.ok_or_else(|| {
        let why = "the last line is no shard mark: the run was not finished, or not made with \
                   --json and --shard";
        FileError::refused(path, why)
    })?;
    Ok(Part {
        path: path.to_owned(),
        mark,
        lines,
    })
}

/// Drops equal copies of a shard.
///
/// # Errors
/// If two copies of a shard differ.
fn drop_repeated(parts: &mut Vec<Part>) -> Result<(), FileError> {
    let mut different = None;
    parts.dedup_by(|part, kept| {
        if part.mark.shard != kept.mark.shard {
            return false;
        }
        let without_times = |part: &Part| {
            let lines = part.lines.iter();
            lines.map(|line| without_times(line)).collect::<Vec<_>>()
        };
        let (shard, one, other) = (part.mark.shard, kept.path.display(), part.path.display());
        if without_times(part) == without_times(kept) {
            print_to_stderr(&format_args!(
                "emilia: '{one}' and '{other}' are both shard {shard}: it counts once"
            ));
        } else {
            let why = format!("it is shard {shard} like '{one}', and differs from it");
            different = Some(FileError::refused(&part.path, why));
        }
        true
    });
    different.map_or(Ok(()), Err)
}

/// Parses a JSON line and removes the fields that hold times.
pub(super) fn without_times(line: &str) -> Option<Value> {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !["seconds", "nps", "time"].contains(&name.as_str()));
                fields.values_mut().for_each(remove);
            }
            Value::Array(values) => values.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(line).ok()?;
    remove(&mut value);
    Some(value)
}

fn check_none_is_missing(parts: &[Part]) -> Result<(), Failure> {
    let Some(last) = parts.last() else {
        return Ok(());
    };
    let of = last.mark.shard.of();
    let count = of - parts.len();
    if count == 0 {
        return Ok(());
    }
    let mut present = parts.iter().map(|part| part.mark.shard.part()).peekable();
    let missing = (1..=of).filter(|&part| present.next_if_eq(&part).is_none());
    let mut names: Vec<String> = missing
        .take(MOST_NAMED)
        .map(|part| format!("{part}/{of}"))
        .collect();
    if count > names.len() {
        names.push(format!("{} more", count - names.len()));
    }
    let what = if count == 1 { "shard" } else { "shards" };
    Err(Failure::Input(format!(
        "missing: {what} {}",
        names.join(", ")
    )))
}
