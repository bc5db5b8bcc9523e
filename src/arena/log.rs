//! Log file of a match: one JSON line of parameters, then one JSON line for each finished game.
//! An interrupted match resumes from its log. [`JsonLines`] reads and appends the lines.
//! [`PgnFile`] holds the same games in PGN.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchGame;
use emilia_files::{FileError, JsonLines, append, open_to_append};

/// Parameters that determine the games of a match.
/// The number of games is not among them, so a match can be extended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchParameters {
    /// Specification of the first player.
    pub first: String,
    /// Specification of the second player.
    pub second: String,
    /// Specifications of the third and further players of a tournament.
    pub others: Vec<String>,
    /// Tournament format, such as `round-robin`. `None` for a match of two players.
    pub tournament: Option<String>,
    /// Source of the openings, as formatted by [`Openings`](crate::Openings).
    pub openings: String,
    /// Random seed of the openings and their order.
    pub seed: u64,
    /// Time control of the match, as formatted by [`clock_text`](crate::clock_text).
    pub clock: String,
    /// Tolerance above the time limit of a move, in seconds.
    pub margin: f64,
    /// Search depth sent to external programs, in plies.
    pub depth: Option<u32>,
    /// Node limit sent to external programs.
    pub nodes: Option<u64>,
    /// Adjudication rule, as formatted by [`Adjudication`](crate::Adjudication).
    pub adjudicate: Option<String>,
    /// Checksum of the evaluation weights of each player, `None` for a program. Checksums
    /// distinguish weights of the same file name.
    pub fingerprints: Vec<Option<String>>,
}

/// First line of a log.
#[derive(Debug, Serialize, Deserialize)]
struct LogHeader {
    #[serde(rename = "match")]
    parameters: MatchParameters,
}

/// Log of a match, opened for appending.
#[derive(Debug)]
pub struct MatchLog {
    lines: JsonLines,
    /// Whether opening the log created the file and no game has been added since.
    is_new: bool,
}

impl MatchLog {
    /// Opens a log for appending, or creates it, and calls `accept` with every game in it.
    /// Logs of the same match that are concatenated in one file count as one log.
    ///
    /// # Errors
    /// If the file cannot be read or written, or its parameters differ from `parameters`.
    /// Also fails if a line is not a game, or `accept` rejects the game.
    pub fn open(
        path: &Path,
        parameters: &MatchParameters,
        mut accept: impl FnMut(MatchGame) -> Result<(), String>,
    ) -> Result<MatchLog, FileError> {
        let is_new = !path.exists();
        let header = LogHeader {
            parameters: parameters.clone(),
        };
        let lines = JsonLines::open(path, &header, |line| {
            let game = serde_json::from_slice(line);
            accept(game.map_err(|error| format!("expected a game of a match: {error}"))?)
        })?;
        Ok(MatchLog { lines, is_new })
    }

    /// Opens or creates a log that the first game begins again. The old games stay until then.
    pub fn begin_again(path: &Path, parameters: &MatchParameters) -> Result<MatchLog, FileError> {
        let is_new = !path.exists();
        let header = LogHeader {
            parameters: parameters.clone(),
        };
        let lines = JsonLines::begin_again(path, &header)?;
        Ok(MatchLog { lines, is_new })
    }

    /// Removes the file if opening the log created it and no game has been added.
    pub fn discard(self) {
        if self.is_new {
            self.lines.remove();
        }
    }

    /// Appends a game. After the function returns, the line survives a crash of this process.
    pub fn add(&mut self, record: &MatchGame) -> Result<(), FileError> {
        self.is_new = false;
        self.lines.add(record)
    }
}

/// PGN file of a match, opened for appending.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    file: File,
    /// Whether the file contains no game.
    is_new: bool,
    /// Whether the next game replaces the games in the file.
    begins_again: bool,
}

impl PgnFile {
    /// Opens or creates the PGN file of a match. `logged` holds the games in the log of the match.
    /// Appends the games of `logged` that the file lacks. Completes a game that a killed process
    /// wrote only in part.
    ///
    /// # Errors
    /// If the file cannot be read or written. Also fails if the text of the file is not the
    /// beginning of the PGN text of `logged`.
    pub fn open(path: &Path, logged: &[MatchGame]) -> Result<PgnFile, FileError> {
        let mut file = open_to_append(path)?;
        let mut held = Vec::new();
        let read = file.read_to_end(&mut held);
        read.map_err(|error| FileError::new(path, error))?;
        let games: Result<String, FileError> = logged.iter().map(|game| pgn(path, game)).collect();
        let games = games?;
        let missing = games.as_bytes().strip_prefix(&*held).ok_or_else(|| {
            let what = match logged {
                [] => "it has games already",
                _ => "it has other games than the log of this match",
            };
            let why = format!("{what}; give another name, or --force to begin again");
            FileError::refused(path, why)
        })?;
        append(path, &mut file, missing)?;
        Ok(PgnFile {
            path: path.to_owned(),
            file,
            is_new: games.is_empty(),
            begins_again: false,
        })
    }

    /// Opens or creates a PGN file that the first game begins again. The old games stay until then.
    pub fn begin_again(path: &Path) -> Result<PgnFile, FileError> {
        let is_new = !path.exists();
        Ok(PgnFile {
            path: path.to_owned(),
            file: open_to_append(path)?,
            is_new,
            begins_again: true,
        })
    }

    /// Appends a game. `emilia convert` writes the same text for the game's line in the log.
    pub fn add(&mut self, record: &MatchGame) -> Result<(), FileError> {
        self.is_new = false;
        let game = pgn(&self.path, record)?;
        if std::mem::take(&mut self.begins_again) {
            let emptied = self.file.set_len(0);
            emptied.map_err(|error| FileError::new(&self.path, error))?;
        }
        append(&self.path, &mut self.file, game.as_bytes())
    }

    /// Removes the file if it contains no game.
    pub fn discard(self) {
        if self.is_new {
            // A failure leaves an empty file, which is harmless.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Formats a game as PGN. `path` is the file that an error names.
fn pgn(path: &Path, record: &MatchGame) -> Result<String, FileError> {
    let game = record.to_game();
    let game = game.map_err(|error| FileError::refused(path, error.to_string()))?;
    Ok(game.to_pgn())
}
