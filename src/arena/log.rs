//! Log file of a match: one JSON line of parameters, then one JSON line for each finished game.
//! An interrupted match resumes from its log. The file follows the rules of [`JsonLines`].

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::MatchGame;
use emilia_files::{FileError, JsonLines};

/// Parameters that determine the games of a match.
/// The number of games is not among them, so a match can be extended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchParameters {
    /// Name of the first player.
    pub first: String,
    /// Name of the second player.
    pub second: String,
    /// Names of the third and further players of a tournament.
    pub others: Vec<String>,
    /// Pairing of the players in a tournament.
    pub tournament: Option<String>,
    /// Source of the openings.
    pub openings: String,
    /// Random seed of the openings and their order.
    pub seed: u64,
    /// Time control of the match, as [`clock_text`](crate::clock_text) writes it.
    pub clock: String,
    /// Tolerance above the time limit of a move, in seconds.
    pub margin: f64,
    /// Search depth for programs, in plies.
    pub depth: Option<u32>,
    /// Node limit for programs.
    pub nodes: Option<u64>,
    /// Checksums of the players' evaluations. They distinguish evaluations of the same name.
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
    /// Whether this value created the file and no game has been added since.
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
        let beginning = serde_json::to_vec(&header).unwrap_or_default();
        let mut has_header = false;
        let opened = JsonLines::open(path, &beginning, |line| {
            let record = read_line(line, !has_header, parameters)?;
            has_header = true;
            record.map_or(Ok(()), &mut accept)
        });
        let mut lines = opened?;
        if !has_header {
            lines.add(&header)?;
        }
        Ok(MatchLog { lines, is_new })
    }

    /// Removes the file if this value created it and no game has been added.
    pub fn discard(self) {
        if self.is_new {
            self.lines.remove();
        }
    }

    /// Appends a game. Once this returns, the line survives a crash of this process.
    pub fn add(&mut self, record: &MatchGame) -> Result<(), FileError> {
        self.is_new = false;
        self.lines.add(record)
    }
}

/// Parses a line as a game. Returns `None` for a line of parameters equal to `parameters`.
fn read_line(
    line: &[u8],
    is_first: bool,
    parameters: &MatchParameters,
) -> Result<Option<MatchGame>, String> {
    match serde_json::from_slice(line) {
        Ok(LogHeader { parameters: found }) if found == *parameters => Ok(None),
        Ok(LogHeader { parameters: found }) => Err(difference(&found, parameters)),
        Err(_) if is_first => Err("expected the parameters of a match".to_owned()),
        Err(_) => serde_json::from_slice(line)
            .map(Some)
            .map_err(|error| format!("expected a game of a match: {error}")),
    }
}

/// Lists all fields in which the parameters differ, in one sentence.
fn difference(found: &MatchParameters, wanted: &MatchParameters) -> String {
    let value = |parameters| serde_json::to_value(parameters).unwrap_or_default();
    let (found, wanted) = (value(found), value(wanted));
    let fields = wanted.as_object().into_iter().flatten();
    let sentences = fields
        .filter(|(name, wanted)| found[name.as_str()] != **wanted)
        .map(|(name, wanted)| format!("{name} {}, not {wanted}", found[name.as_str()]));
    let different: Vec<String> = sentences.collect();
    format!("it is the log of another match: {}", different.join("; "))
}
