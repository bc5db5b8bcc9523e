//! `AnalysisLog`: the file of `analyze --out`, one JSON line for each analysed game.

use std::path::Path;

use emilia_files::{FileError, JsonLines};

use super::AnalysedGame;
use crate::json;

/// Kind of an analysed game in the JSON schema.
pub const ANALYSIS: &str = "analysis";

/// File of `--out`: one JSON line for each analysed game.
#[derive(Debug)]
pub struct AnalysisLog(JsonLines);

impl AnalysisLog {
    /// Opens or creates the file and calls `accept` for each game that it holds.
    /// An incomplete last line is dropped. Logs of the same analysis may be joined by `cat`.
    ///
    /// # Errors
    /// If the file cannot be read or written, a line is not an analysis, or `accept` refuses a game.
    pub fn open(
        path: &Path,
        mut accept: impl FnMut(AnalysedGame) -> Result<(), String>,
    ) -> Result<AnalysisLog, FileError> {
        let log = JsonLines::open(path, json::beginning(ANALYSIS).as_bytes(), |line| {
            let game = json::check_schema(line)
                .and_then(|()| serde_json::from_slice(line).map_err(|error| error.to_string()));
            accept(game.map_err(|error| format!("expected the analysis of a game: {error}"))?)
        });
        log.map(AnalysisLog)
    }

    /// Appends a game. The line has been passed to the operating system when this returns.
    pub fn add(&mut self, game: &AnalysedGame) -> Result<(), FileError> {
        self.0.add(&json::tagged(ANALYSIS, game))
    }
}
