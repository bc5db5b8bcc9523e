//! Reads the positions to solve from files, stdin and arguments.

use std::path::Path;
use std::{fmt, io};

use crate::board::{Labelled, LabelledReader};
use crate::cli::games;
use crate::cli::mark::JobSum;
use crate::files::{self, FileError, MIB};
use crate::game::wthor::WthorNames;
use crate::game::{Collection, Game, GameFormat};
use crate::work::Shard;

/// Maximum size in bytes of a file of positions, enough for millions of them.
const LARGEST: u64 = 256 * MIB;

/// Position to solve, or the error of an unreadable line.
#[derive(Debug)]
pub(super) struct InputPosition {
    /// Number in the whole input, from 1. It is the same in every shard.
    pub(super) number: usize,
    /// Position with its expected scores, or an error message with file and line.
    pub(super) read: Result<Labelled, String>,
}

/// Numbers all positions and keeps those of the shard.
#[derive(Debug)]
struct Collector<'a> {
    shard: Shard,
    job: &'a mut JobSum,
    count: usize,
    positions: Vec<InputPosition>,
}

/// Reads all arguments and returns the positions of `shard`.
/// All positions are added to the checksum `job`.
/// An argument is `-` for stdin, the name of an existing file, or a position.
///
/// # Errors
/// If the input is empty.
pub(super) fn read(
    arguments: &[String],
    shard: Shard,
    job: &mut JobSum,
) -> Result<Vec<InputPosition>, String> {
    let mut collector = Collector {
        shard,
        job,
        count: 0,
        positions: Vec::new(),
    };
    for argument in join_sides(arguments) {
        if argument == "-" {
            let bytes = files::read_stream(Path::new("stdin"), io::stdin().lock(), LARGEST);
            collector.add_lines("stdin", bytes);
        } else if Path::new(&argument).exists() {
            collector.add_lines(&argument, files::read(Path::new(&argument), LARGEST));
        } else {
            collector.add_argument(&argument);
        }
    }
    if collector.count == 0 {
        return Err(format!(
            "no positions in {} \
             (expected OBF lines, boards, transcripts, or a table with the column board)",
            arguments.join(", ")
        ));
    }
    Ok(collector.positions)
}

/// Joins a side to move, given as a separate argument, to the position before it.
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

/// Returns the last position of a game, without expected scores.
fn unlabelled(game: &Game) -> Labelled {
    Labelled {
        position: game.position(),
        best: None,
        moves: Vec::new(),
    }
}

impl Collector<'_> {
    fn add_lines(&mut self, name: &str, content: Result<Vec<u8>, FileError>) {
        let bytes = match content {
            Ok(bytes) => bytes,
            Err(error) => return self.add(Err(error.to_string())),
        };
        if let Ok(collection) = Collection::read(&bytes, &WthorNames::default())
            && collection.kind != GameFormat::Transcript
        {
            return self.add_games(name, collection);
        }
        if let Some((at, byte)) = files::first_binary(&bytes) {
            return self.add(Err(format!(
                "'{name}': this is no text: byte {at} is {byte:#04x} (expected a position a line)"
            )));
        }
        let mut reader = LabelledReader::default();
        for (index, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            let read = reader.read(line).transpose();
            if let Some(read) = read {
                let at = |error: &dyn fmt::Display| format!("{name}, line {}: {error}", index + 1);
                self.add(read.map_err(|error| at(&error)));
            }
        }
    }

    /// Adds the last position of each game.
    fn add_games(&mut self, name: &str, collection: Collection) {
        for game in collection.games {
            self.add(match game {
                Ok(game) => Ok(unlabelled(&game)),
                Err(error) => Err(format!("{name}: {error}")),
            });
        }
    }

    fn add_argument(&mut self, argument: &str) {
        let refuse = |reason: String| {
            Err(format!(
                "'{argument}': no such file, and no position{reason}"
            ))
        };
        if let Some(game) = games::numbered(argument) {
            let labelled = game.map(|game| unlabelled(&game));
            return self.add(labelled.map_err(|error| error.to_string()));
        }
        self.add(match LabelledReader::default().read(argument) {
            Ok(Some(labelled)) => Ok(labelled),
            Ok(None) => refuse(String::new()),
            Err(error) => refuse(format!(": {error}")),
        });
    }

    fn add(&mut self, read: Result<Labelled, String>) {
        // Error messages are left out of the checksum, because they contain file paths.
        self.job
            .add(&read.as_ref().map_or("-".to_owned(), Labelled::to_string));
        if self.shard.covers(self.count) {
            let number = self.count + 1;
            self.positions.push(InputPosition { number, read });
        }
        self.count += 1;
    }
}
