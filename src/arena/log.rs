//! The log of a match: a line with the parameters, then a line for each game, nothing ever changed.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchGame;
use crate::board::excerpt_within;
use crate::files::{self, FileError};

/// What decides how the games of a match go. The number of games is not among it: a match can be made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The players after these, of a tournament.
    #[serde(default)]
    pub others: Vec<String>,
    /// How more than two players are paired.
    #[serde(default)]
    pub tournament: Option<String>,
    /// Where the openings come from.
    pub openings: String,
    /// Their order.
    pub seed: u64,
    /// The time for each side.
    pub clock: String,
    /// By how much a move may be late, in seconds.
    pub margin: f64,
    /// The depth that programs are told to search.
    pub depth: Option<u32>,
    /// The nodes that they are told to search.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// From how many empty squares on games are solved instead of played.
    pub adjudicate: Option<u32>,
    /// Whether programs are started anew for each game.
    pub fresh: bool,
    /// What tells the evaluations of the players from others of the same name.
    #[serde(default = "two_unknown")]
    pub fingerprints: Vec<Option<String>>,
}

/// The fingerprints of players of whom an older log says nothing.
fn two_unknown() -> Vec<Option<String>> {
    vec![None; 2]
}

/// The first line of a log.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    #[serde(rename = "match")]
    parameters: Parameters,
}

/// Why a log cannot be gone on with.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogError {
    /// It cannot be read or written.
    File(FileError),
    /// A line is not what belongs there.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        number: usize,
        /// What is wrong.
        what: String,
    },
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::File(error) => write!(f, "log {error}"),
            LogError::Line { path, number, what } => {
                // It quotes the line, which may be long, and a terminal obeys some letters.
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

/// No line of a log is longer, in bytes: a game has 60 moves.
const LONGEST_LINE: u64 = 1 << 20;

/// A log that is open for more games, to this process alone.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Whether it was not there before, and has no game.
    is_new: bool,
}

impl Log {
    /// Begins a log. One that has no games yet may be there.
    ///
    /// # Errors
    /// If the file is another, has games, or cannot be written.
    pub fn create(path: &Path, parameters: &Parameters) -> Result<Log, LogError> {
        Log::resume(path, parameters, |_| {
            Err("this log has games already: --resume plays the rest of them".to_owned())
        })
    }

    /// Goes on with a log, or begins it if it is not there. Tells of every game in it. A last line that was not written
    /// to its end is dropped. Logs of the same match, one after the other in one file, are a log.
    ///
    /// # Errors
    /// If the file cannot be read or written, its parameters are others, or a line is no game or not welcome.
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
                // Torn, unless it never was a line of a log.
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

    /// Takes back what opening it has made, as long as no game was added.
    pub fn discard(self) {
        if self.is_new {
            // One that stays does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Adds a game; it is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, record: &MatchGame) -> Result<(), LogError> {
        let line = json_line(record).map_err(|error| FileError::new(&self.path, error))?;
        self.is_new = false;
        Ok(files::append(&self.path, &mut self.file, &line)?)
    }
}

/// As a line of its own.
fn json_line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// What is wrong with a file that is no log.
const NO_PARAMETERS: &str = "expected the parameters of a match";

/// The game of a line, unless it is a line of parameters, which must be ours.
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

/// All parameters in which they differ, in a sentence.
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

    /// A file that goes when the test ends.
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
    fn games_are_found_again_wherever_the_last_line_was_torn() {
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
    fn other_logs_are_refused() {
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
    fn a_log_is_written_by_one_and_taken_back_while_it_is_new() {
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
    fn players_are_known_by_their_fingerprints() {
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
    fn a_log_cannot_speak_to_a_terminal() {
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
    fn lines_without_end_are_refused() {
        let scratch = Scratch::new("endless");
        drop(Log::create(&scratch.0, &parameters()).unwrap());
        let file = File::options().write(true).open(&scratch.0).unwrap();
        // A hole: it takes no room.
        file.set_len(1 << 34).unwrap();
        let error = scratch.games().unwrap_err();
        assert!(
            error.ends_with("line 2: it is too long for a game"),
            "{error}"
        );
    }
}
