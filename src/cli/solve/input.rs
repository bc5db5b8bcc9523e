//! What is to be solved: files, stdin, and positions among the arguments.

use std::io::{self, Read};
use std::path::Path;
use std::{fmt, fs};

use crate::board::{Labelled, LabelledReader};
use crate::train::Shard;

/// A position to solve, or a line that is none.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its number among all that was given, from 1; the same in every shard.
    pub(super) number: usize,
    /// The position, or one sentence: where, and what is wrong.
    pub(super) read: Result<Labelled, String>,
}

/// Collects entries and numbers them.
#[derive(Debug)]
struct Collector {
    shard: Shard,
    count: usize,
    entries: Vec<Entry>,
}

/// Reads everything, and keeps what belongs to `shard`. An argument is `-` for stdin, a file that exists, or a position.
pub(super) fn read(arguments: &[String], shard: Shard) -> Vec<Entry> {
    let mut collector = Collector {
        shard,
        count: 0,
        entries: Vec::new(),
    };
    for argument in join_sides(arguments) {
        if argument == "-" {
            let mut bytes = Vec::new();
            let result = io::stdin().read_to_end(&mut bytes).map(|_| bytes);
            collector.add_lines("stdin", result);
        } else if Path::new(&argument).exists() {
            collector.add_lines(&argument, fs::read(&argument));
        } else {
            collector.add_argument(&argument);
        }
    }
    collector.entries
}

/// The arguments, where a side to move that stands alone belongs to the position before it.
fn join_sides(arguments: &[String]) -> Vec<String> {
    const SIDES: [&str; 8] = ["x", "o", "*", "0", "b", "w", "black", "white"];
    let mut joined: Vec<String> = Vec::new();
    for argument in arguments {
        let is_side = SIDES.contains(&argument.to_ascii_lowercase().as_str());
        match joined.last_mut() {
            Some(position) if is_side => *position = format!("{position} {argument}"),
            _ => joined.push(argument.clone()),
        }
    }
    joined
}

impl Collector {
    fn add_lines(&mut self, name: &str, content: io::Result<Vec<u8>>) {
        let bytes = match content {
            Ok(bytes) => bytes,
            Err(error) => return self.add(Err(format!("{name}: {error}"))),
        };
        let mut reader = LabelledReader::default();
        for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            let read = reader.read(line).transpose();
            if let Some(read) = read {
                let at = |error: &dyn fmt::Display| format!("{name}, line {}: {error}", index + 1);
                self.add(read.map_err(|error| at(&error)));
            }
        }
    }

    fn add_argument(&mut self, argument: &str) {
        let refuse = |reason: String| {
            Err(format!(
                "'{argument}' is neither a file nor a position{reason}"
            ))
        };
        self.add(match LabelledReader::default().read(argument) {
            Ok(Some(labelled)) => Ok(labelled),
            Ok(None) => refuse(String::new()),
            Err(error) => refuse(format!(": {error}")),
        });
    }

    fn add(&mut self, read: Result<Labelled, String>) {
        if self.shard.covers(self.count) {
            let number = self.count + 1;
            self.entries.push(Entry { number, read });
        }
        self.count += 1;
    }
}
