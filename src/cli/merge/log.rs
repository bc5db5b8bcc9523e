//! Merges logs of numbered games: indexes all files first, then copies the games in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::parts::without_times;
use crate::cli::{Failure, Verdict, print_to_stderr};
use crate::files::{FileError, MIB};
use crate::train::{BadBlock, BlockReader};

/// Maximum length of a line of a log, in bytes.
const LONGEST_LINE: u64 = MIB;

/// Maximum number of gaps listed in the message.
const MOST_NAMED: usize = 5;

/// Command that wrote the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogKind {
    Analyze,
    Match,
    Selfplay,
}

impl LogKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            LogKind::Analyze => "analysed games",
            LogKind::Match => "games of a match",
            LogKind::Selfplay => "training games",
        }
    }

    /// Returns the number of the first game of a complete log.
    fn first(self) -> u64 {
        match self {
            LogKind::Analyze => 1,
            LogKind::Match | LogKind::Selfplay => 0,
        }
    }
}

/// Line or block of a log: its place in the files and the numbers of its games.
#[derive(Clone, Copy, Debug)]
struct Entry {
    first: u64,
    span: u64,
    file: usize,
    at: u64,
    length: u64,
}

/// Index of all files.
#[derive(Debug, Default)]
struct Index {
    entries: Vec<Entry>,
    /// Parameters that all files must share, and the first file.
    common: Option<(String, PathBuf)>,
    /// Header line before the games, if there is one.
    header: Vec<u8>,
}

/// Writes the games of all files in the order of their numbers, each once.
pub(super) fn merge(
    kind: LogKind,
    paths: &[PathBuf],
    out: &mut dyn Write,
) -> Result<Verdict, Failure> {
    if kind == LogKind::Selfplay && io::stdout().is_terminal() {
        return Err(Failure::Input(
            "training games are binary: redirect stdout to a file".to_owned(),
        ));
    }
    let mut index = Index::default();
    for (file, path) in paths.iter().enumerate() {
        match kind {
            LogKind::Selfplay => index.add_blocks(file, path)?,
            LogKind::Analyze | LogKind::Match => index.add_lines(file, path)?,
        }
    }
    let entries = &mut index.entries;
    entries.sort_by_key(|entry| (entry.first, entry.file, entry.at));
    let mut source = Source::new(paths);
    let repeated = drop_repeated(entries, &mut source)?;
    if repeated > 0 {
        print_to_stderr(&format_args!(
            "emilia: {repeated} lines or blocks are duplicates: they count once"
        ));
    }
    let gaps = gaps(kind.first(), entries, paths)?;
    out.write_all(&index.header)?;
    for entry in entries {
        out.write_all(&source.read(entry)?)?;
    }
    if gaps.is_empty() {
        return Ok(Verdict::Yes);
    }
    out.flush()?;
    let more = if gaps.len() > MOST_NAMED { ", …" } else { "" };
    let named = &gaps[..gaps.len().min(MOST_NAMED)];
    print_to_stderr(&format_args!(
        "emilia: missing: games {}{more}",
        named.join(", ")
    ));
    Ok(Verdict::No)
}

impl Index {
    fn add_blocks(&mut self, file: usize, path: &Path) -> Result<(), FileError> {
        let opened = File::open(path).map_err(|error| FileError::new(path, error))?;
        let mut reader = BlockReader::new(BufReader::new(opened));
        let mut at = 0;
        while let Some(block) = reader.next() {
            let block = block.map_err(|error| match error {
                BadBlock::Truncated => FileError::refused(path, NOT_WHOLE),
                error => FileError::refused(path, format!("at byte {at}: {error}")),
            })?;
            self.agree(format!("{:?}", block.origin), path)?;
            let length = reader.offset() - at;
            self.entries.push(Entry {
                first: block.first,
                span: block.span,
                file,
                at,
                length,
            });
            at += length;
        }
        Ok(())
    }

    fn add_lines(&mut self, file: usize, path: &Path) -> Result<(), FileError> {
        let wrong = |error| FileError::new(path, error);
        let mut reader = BufReader::new(File::open(path).map_err(wrong)?);
        let mut at = 0;
        for number in 1.. {
            let mut line = Vec::new();
            let mut limited = reader.by_ref().take(LONGEST_LINE);
            let length = limited.read_until(b'\n', &mut line).map_err(wrong)? as u64;
            if length == 0 {
                break;
            }
            if line.last() != Some(&b'\n') {
                return Err(FileError::refused(path, NOT_WHOLE));
            }
            let refused = || FileError::refused(path, format!("line {number}: expected a game"));
            let text = str::from_utf8(&line).map_err(|_| refused())?;
            let object = without_times(text).ok_or_else(refused)?;
            if object["match"].is_object() {
                self.agree(object["match"].to_string(), path)?;
                if self.header.is_empty() {
                    self.header = line;
                }
            } else {
                let game = object["game"].as_u64().ok_or_else(refused)?;
                if let Value::String(limits) = &object["limits"] {
                    self.agree(limits.clone(), path)?;
                }
                self.entries.push(Entry {
                    first: game,
                    span: 1,
                    file,
                    at,
                    length,
                });
            }
            at += length;
        }
        Ok(())
    }

    /// Checks that a file has the same parameters as the files before it.
    ///
    /// # Errors
    /// If it belongs to another job.
    fn agree(&mut self, common: String, path: &Path) -> Result<(), FileError> {
        match &self.common {
            None => self.common = Some((common, path.to_owned())),
            Some((first, _)) if *first == common => {}
            Some((_, other)) => {
                let other = other.display();
                let why = format!("it is of another job than '{other}': the options differ");
                return Err(FileError::refused(path, why));
            }
        }
        Ok(())
    }
}

const NOT_WHOLE: &str = "truncated: run the command that wrote it again to complete it";

/// Returns the ranges of game numbers missing between the sorted `entries`.
///
/// # Errors
/// If two entries hold the same game.
fn gaps(first: u64, entries: &[Entry], paths: &[PathBuf]) -> Result<Vec<String>, FileError> {
    let (mut next, mut gaps) = (first, Vec::new());
    for entry in entries {
        if entry.first < next {
            let why = format!(
                "game {} is there twice, and not the same, here or in another file",
                entry.first
            );
            return Err(FileError::refused(&paths[entry.file], why));
        }
        match entry.first - next {
            0 => {}
            1 => gaps.push(next.to_string()),
            _ => gaps.push(format!("{next}-{}", entry.first - 1)),
        }
        next = entry.first.saturating_add(entry.span);
    }
    Ok(gaps)
}

/// Removes entries equal to another one except for times. Returns the number removed.
fn drop_repeated(entries: &mut Vec<Entry>, source: &mut Source<'_>) -> Result<usize, FileError> {
    let before = entries.len();
    let mut failure = None;
    let mut content = |entry: &Entry| -> Result<(Vec<u8>, Option<Value>), FileError> {
        let bytes = source.read(entry)?;
        let object = str::from_utf8(&bytes).ok().and_then(without_times);
        Ok(match object {
            // The bytes contain times, so objects are compared instead.
            Some(object) => (Vec::new(), Some(object)),
            None => (bytes, None),
        })
    };
    entries.dedup_by(|entry, kept| {
        (entry.first, entry.span) == (kept.first, kept.span)
            && match (content(entry), content(kept)) {
                (Ok(one), Ok(other)) => one == other,
                (Err(error), _) | (_, Err(error)) => {
                    failure = Some(error);
                    false
                }
            }
    });
    failure.map_or(Ok(before - entries.len()), Err)
}

/// Input files, at most one of them open, because there may be more than the system allows.
struct Source<'a> {
    paths: &'a [PathBuf],
    opened: Option<(usize, File)>,
}

impl<'a> Source<'a> {
    fn new(paths: &'a [PathBuf]) -> Source<'a> {
        Source {
            paths,
            opened: None,
        }
    }

    /// Reads the bytes of an entry.
    fn read(&mut self, entry: &Entry) -> Result<Vec<u8>, FileError> {
        let path = &self.paths[entry.file];
        let wrong = |error| FileError::new(path, error);
        let file = match self.opened.take() {
            Some((index, file)) if index == entry.file => file,
            _ => File::open(path).map_err(wrong)?,
        };
        let (_, file) = self.opened.insert((entry.file, file));
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(entry.at)).map_err(wrong)?;
        (file.take(entry.length).read_to_end(&mut bytes)).map_err(wrong)?;
        Ok(bytes)
    }
}
