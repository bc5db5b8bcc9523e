//! Log file of a match: one JSON line of parameters, then one JSON line for each finished game.
//! Lines are only appended, so an interrupted match resumes from its log.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchGame;
use crate::board::excerpt_within;
use crate::files::{self, FileError};

/// Parameters that determine the games of a match.
/// The number of games is not among them, so a match can be extended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Name of the first player.
    pub first: String,
    /// Name of the second player.
    pub second: String,
    /// Names of the third and further players of a tournament.
    #[serde(default)]
    pub others: Vec<String>,
    /// Pairing of the players in a tournament.
    #[serde(default)]
    pub tournament: Option<String>,
    /// Source of the openings.
    pub openings: String,
    /// Random seed of the openings and their order.
    pub seed: u64,
    /// Time control.
    pub clock: String,
    /// Tolerance above the time limit of a move, in seconds.
    pub margin: f64,
    /// Search depth for programs, in plies.
    pub depth: Option<u32>,
    /// Node limit for programs.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Number of empties from which games are solved and adjudicated.
    pub adjudicate: Option<u32>,
    /// Whether each game starts its programs anew.
    pub fresh: bool,
    /// Checksums of the players' evaluations. They distinguish evaluations of the same name.
    #[serde(default = "two_unknown")]
    pub fingerprints: Vec<Option<String>>,
}

/// Returns the default fingerprints, for logs written before the field existed.
fn two_unknown() -> Vec<Option<String>> {
    vec![None; 2]
}

/// First line of a log.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    #[serde(rename = "match")]
    parameters: Parameters,
}

/// Error of creating, resuming or writing a log.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read or written.
    File(FileError),
    /// A line is invalid or belongs to another match.
    Line {
        /// Path of the log.
        path: PathBuf,
        /// Line number, from 1.
        number: usize,
        /// Description of the error.
        what: String,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::File(error) => write!(f, "log {error}"),
            LogError::Line { path, number, what } => {
                // The text may quote a long line or one with control characters.
                let what = excerpt_within(what, 300);
                write!(f, "log '{}', line {number}: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LogError::File(error) => Some(error),
            LogError::Line { .. } => None,
        }
    }
}

impl From<FileError> for LogError {
    fn from(error: FileError) -> LogError {
        LogError::File(error)
    }
}

/// Maximum length of a line, in bytes. A game of 60 moves is far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// Log opened for appending, locked against other processes.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Whether this value created the file and no game has been added since.
    is_new: bool,
}

impl Log {
    /// Creates a log. An existing log of the same match is accepted if it has no games.
    ///
    /// # Errors
    /// If the file is not a log of this match, has games already, or cannot be written.
    pub fn create(path: &Path, parameters: &Parameters) -> Result<Log, LogError> {
        Log::resume(path, parameters, |_| {
            Err("this log has games already: --resume plays the rest of them".to_owned())
        })
    }

    /// Opens a log for appending, or creates it, and calls `welcome` with every game in it.
    /// A truncated last line is removed.
    /// Logs of the same match that are concatenated in one file count as one log.
    ///
    /// # Errors
    /// If the file cannot be read or written, or its parameters differ from `parameters`.
    /// Also fails if a line is not a game, or `welcome` rejects the game.
    pub fn resume(
        path: &Path,
        parameters: &Parameters,
        mut welcome: impl FnMut(MatchGame) -> Result<(), String>,
    ) -> Result<Log, LogError> {
        let fail = |error| FileError::new(path, error);
        let is_new = !path.exists();
        let mut file = files::open_to_append(path)?;
        let header = json_line(&Header {
            parameters: parameters.clone(),
        })
        .map_err(fail)?;
        let mut reader = BufReader::new(&mut file);
        let mut whole = 0;
        let mut line = Vec::new();
        for number in 1.. {
            let refuse = |what| LogError::Line {
                path: path.to_owned(),
                number,
                what,
            };
            line.clear();
            let mut limited = reader.by_ref().take(LONGEST_LINE);
            let length = limited.read_until(b'\n', &mut line).map_err(fail)?;
            if length as u64 == LONGEST_LINE {
                return Err(refuse("it is too long for a game".to_owned()));
            }
            if line.last() != Some(&b'\n') {
                // A truncated line is dropped, unless the file never was a log.
                if number == 1 && !header.starts_with(&line) {
                    return Err(refuse(NO_PARAMETERS.to_owned()));
                }
                break;
            }
            whole += length as u64;
            read_line(&line, number == 1, parameters)
                .and_then(|record| record.map_or(Ok(()), &mut welcome))
                .map_err(refuse)?;
        }
        file.set_len(whole).map_err(fail)?;
        file.seek(SeekFrom::Start(whole)).map_err(fail)?;
        if whole == 0 {
            file.write_all(&header).map_err(fail)?;
        }
        Ok(Log {
            path: path.to_owned(),
            file,
            is_new,
        })
    }

    /// Removes the file if this value created it and no game has been added.
    pub fn discard(self) {
        if self.is_new {
            // A failure leaves a log without games, which is harmless.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Appends a game. Once this returns, the line survives a crash of this process.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, record: &MatchGame) -> Result<(), LogError> {
        let line = json_line(record).map_err(|error| FileError::new(&self.path, error))?;
        self.is_new = false;
        Ok(files::append(&self.path, &mut self.file, &line)?)
    }
}

/// Serialises a value as one line of JSON, with a line feed.
fn json_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Error for a file that does not begin with match parameters.
const NO_PARAMETERS: &str = "expected the parameters of a match";

/// Parses a line as a game. Returns `None` for a line of parameters equal to `parameters`.
fn read_line(
    line: &[u8],
    is_first: bool,
    parameters: &Parameters,
) -> Result<Option<MatchGame>, String> {
    match serde_json::from_slice(line) {
        Ok(Header { parameters: found }) if found == *parameters => Ok(None),
        Ok(Header { parameters: found }) => Err(difference(&found, parameters)),
        Err(_) if is_first => Err(NO_PARAMETERS.to_owned()),
        Err(_) => serde_json::from_slice(line)
            .map(Some)
            .map_err(|error| format!("expected a game of a match: {error}")),
    }
}

/// Lists all fields in which the parameters differ, in one sentence.
fn difference(found: &Parameters, wanted: &Parameters) -> String {
    let value = |parameters| serde_json::to_value(parameters).unwrap_or_default();
    let (found, wanted) = (value(found), value(wanted));
    let fields = wanted.as_object().into_iter().flatten();
    let different = fields
        .filter(|(name, wanted)| found[name.as_str()] != **wanted)
        .map(|(name, wanted)| format!("{name} {}, not {wanted}", found[name.as_str()]));
    let different: Vec<String> = different.collect();
    format!("it is the log of another match: {}", different.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Reason;
    use crate::board::Color;

    fn parameters() -> Parameters {
        Parameters {
            first: "a".to_owned(),
            second: "b".to_owned(),
            others: Vec::new(),
            tournament: None,
            openings: "random:8".to_owned(),
            seed: 1,
            clock: "no clock".to_owned(),
            margin: 0.05,
            depth: None,
            nodes: None,
            adjudicate: None,
            fresh: false,
            fingerprints: vec![None, None],
        }
    }

    fn record(game: usize) -> MatchGame {
        MatchGame {
            game,
            black: "a".to_owned(),
            white: "b".to_owned(),
            first: Color::Black,
            opening: String::new(),
            moves: "f5".to_owned(),
            score: 0,
            reason: Reason::Played,
            thoughts: Vec::new(),
        }
    }

    /// Temporary file, removed when dropped.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let name = format!("emilia-log-{}-{name}", std::process::id());
            Scratch(std::env::temp_dir().join(name))
        }

        fn games(&self) -> Result<Vec<usize>, String> {
            let mut games = Vec::new();
            let welcome = |record: MatchGame| {
                games.push(record.game);
                Ok(())
            };
            Log::resume(&self.0, &parameters(), welcome).map_err(|error| error.to_string())?;
            Ok(games)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn resuming_drops_only_a_truncated_last_line() {
        let scratch = Scratch::new("torn");
        let mut log = Log::create(&scratch.0, &parameters()).unwrap();
        log.add(&record(0)).unwrap();
        let one = scratch.0.metadata().unwrap().len();
        log.add(&record(1)).unwrap();
        let two = scratch.0.metadata().unwrap().len();
        drop(log);
        let whole = std::fs::read(&scratch.0).unwrap();
        assert_eq!(scratch.games().unwrap(), [0, 1]);
        for length in [0, 1, one - 1, one, one + 1, two - 2, two - 1, two] {
            std::fs::write(&scratch.0, &whole[..length as usize]).unwrap();
            let expected = usize::from(length >= one) + usize::from(length >= two);
            assert_eq!(scratch.games().unwrap().len(), expected, "{length}");
            let mut log = Log::resume(&scratch.0, &parameters(), |_| Ok(())).unwrap();
            log.add(&record(7)).unwrap();
            drop(log);
            assert_eq!(scratch.games().unwrap().len(), expected + 1);
        }
        let twice = [&whole[..], &whole[..]].concat();
        std::fs::write(&scratch.0, twice).unwrap();
        assert_eq!(scratch.games().unwrap(), [0, 1, 0, 1]);
    }

    #[test]
    fn logs_of_other_matches_are_rejected() {
        let scratch = Scratch::new("other");
        let other = Parameters {
            seed: 2,
            ..parameters()
        };
        drop(Log::create(&scratch.0, &other).unwrap());
        Log::create(&scratch.0, &other)
            .unwrap()
            .add(&record(0))
            .unwrap();
        let error = Log::create(&scratch.0, &other).unwrap_err().to_string();
        assert!(
            error.ends_with("line 2: this log has games already: --resume plays the rest of them")
        );
        let error = scratch.games().unwrap_err();
        assert!(
            error.ends_with("line 1: it is the log of another match: seed 2, not 1"),
            "{error}"
        );
        std::fs::remove_file(&scratch.0).unwrap();
        let other = Parameters {
            nodes: Some(100),
            ..parameters()
        };
        drop(Log::create(&scratch.0, &other).unwrap());
        let error = scratch.games().unwrap_err();
        assert!(
            error.ends_with("it is the log of another match: nodes 100, not null"),
            "{error}"
        );
        for text in ["something else\n", "something else", "\n"] {
            std::fs::write(&scratch.0, text).unwrap();
            let error = scratch.games().unwrap_err();
            assert!(error.ends_with("line 1: expected the parameters of a match"));
            assert_eq!(std::fs::read_to_string(&scratch.0).unwrap(), text);
        }
    }

    #[test]
    fn a_log_is_locked_and_discarding_removes_only_a_new_one() {
        let scratch = Scratch::new("one");
        let log = Log::create(&scratch.0, &parameters()).unwrap();
        let error = scratch.games().unwrap_err();
        assert!(
            error.contains("another program is writing to it"),
            "{error}"
        );
        log.discard();
        assert!(!scratch.0.exists());

        Log::create(&scratch.0, &parameters())
            .unwrap()
            .add(&record(3))
            .unwrap();
        let resume = || Log::resume(&scratch.0, &parameters(), |_| Ok(())).unwrap();
        resume().discard();
        assert_eq!(scratch.games().unwrap(), [3]);
    }

    #[test]
    fn different_fingerprints_are_rejected() {
        let scratch = Scratch::new("fingerprints");
        let other = Parameters {
            fingerprints: vec![None, Some("0".to_owned())],
            ..parameters()
        };
        drop(Log::create(&scratch.0, &other).unwrap());
        let error = scratch.games().unwrap_err();
        assert!(
            error.ends_with("another match: fingerprints [null,\"0\"], not [null,null]"),
            "{error}"
        );
    }

    #[test]
    fn errors_escape_control_characters() {
        let scratch = Scratch::new("control");
        drop(Log::create(&scratch.0, &parameters()).unwrap());
        let header = std::fs::read_to_string(&scratch.0).unwrap();
        std::fs::write(&scratch.0, header + "{\"\\u001b[2J\":1}\n").unwrap();
        let error = scratch.games().unwrap_err();
        assert!(
            error.contains(r"unknown field `\u{1b}[2J`") && !error.contains('\u{1b}'),
            "{error}"
        );
    }

    #[test]
    fn overlong_lines_are_rejected() {
        let scratch = Scratch::new("endless");
        drop(Log::create(&scratch.0, &parameters()).unwrap());
        let file = File::options().write(true).open(&scratch.0).unwrap();
        // A sparse file takes no disk space.
        file.set_len(1 << 34).unwrap();
        let error = scratch.games().unwrap_err();
        assert!(
            error.ends_with("line 2: it is too long for a game"),
            "{error}"
        );
    }
}
