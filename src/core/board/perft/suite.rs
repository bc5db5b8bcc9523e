//! Perft suites: text files of positions with their expected counts.

use std::str::FromStr;

use super::{Convention, MAX_DEPTH};
use crate::board::{Position, excerpt};

/// One expected count: a line `perft DEPTH NODES` with the last `convention`, `id` and `position`
/// before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name of the position, from the last `id` line.
    pub id: String,
    /// The convention for passes and finished games.
    pub convention: Convention,
    /// The position where the count starts.
    pub position: Position,
    /// Depth in plies.
    pub depth: u32,
    /// The expected count.
    pub nodes: u64,
}

/// Reads a suite, where each line is a keyword and its value.
/// The values of `convention`, `id` and `position` hold until the keyword occurs again.
/// A new `id` clears the position. Blank lines and lines that start with `#` are ignored.
///
/// ```
/// let cases = emilia_core::board::perft::parse_suite(
///     "# Counted by hand.
///      convention A
///      id start
///      position ---------------------------OX------XO--------------------------- X
///      perft 1 4
///      perft 2 12",
/// )?;
/// assert_eq!((cases[1].depth, cases[1].nodes), (2, 12));
/// # Ok::<(), String>(())
/// ```
///
/// An error names the line, the problem and what was expected. Errors are an unknown keyword, an
/// unreadable value, and a `perft` line without a convention, an id and a position before it.
pub fn parse_suite(text: &str) -> Result<Vec<Case>, String> {
    let mut suite = Suite::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            suite
                .read(line)
                .map_err(|problem| format!("line {}: {problem}", index + 1))?;
        }
    }
    Ok(suite.cases)
}

/// Parser state: the last `convention`, `id` and `position`, and the cases read.
#[derive(Default)]
struct Suite {
    convention: Option<Convention>,
    id: Option<String>,
    position: Option<Position>,
    cases: Vec<Case>,
}

impl Suite {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "convention" => {
                self.convention = Some(
                    rest.parse()
                        .map_err(|error| format!("convention: {error}"))?,
                );
            }
            "id" if rest.is_empty() => return Err("'id' without a name".to_owned()),
            "id" => {
                self.id = Some(rest.to_owned());
                // A position belongs to one id only.
                self.position = None;
            }
            "position" => {
                self.position = Some(rest.parse().map_err(|error| format!("position: {error}"))?);
            }
            "perft" => {
                let case = self.case(rest)?;
                self.cases.push(case);
            }
            _ => {
                let word = excerpt(word);
                return Err(format!(
                    "'{word}' is unknown (expected convention, id, position or perft)"
                ));
            }
        }
        Ok(())
    }

    fn case(&self, numbers: &str) -> Result<Case, String> {
        let convention = self
            .convention
            .ok_or("perft before any convention (expected a line like 'convention A')")?;
        let id = self
            .id
            .clone()
            .ok_or("perft before any id (expected a line like 'id start')")?;
        let position = self.position.ok_or(
            "perft before the position of this id (expected a line 'position BOARD SIDE')",
        )?;
        let (depth, nodes) = two_numbers(numbers).ok_or_else(|| {
            let numbers = excerpt(numbers);
            format!(
                "'perft {numbers}' (expected a depth of 0 to {MAX_DEPTH} and a count, \
                 like 'perft 6 8200')"
            )
        })?;
        Ok(Case {
            id,
            convention,
            position,
            depth,
            nodes,
        })
    }
}

/// Reads a depth and a count separated by white space.
fn two_numbers(text: &str) -> Option<(u32, u64)> {
    fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
        word?.parse().ok()
    }
    let mut words = text.split_whitespace();
    let depth = number(words.next()).filter(|&depth| depth <= MAX_DEPTH)?;
    let nodes = number(words.next())?;
    words.next().is_none().then_some((depth, nodes))
}
