//! JSON output of all commands: one object per line. Every object has the fields `schema` (the
//! schema version) and `kind`.

use std::fmt::{self, Display};
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use emilia_core::board::Move;
use emilia_core::search::{Depth, Line, Selectivity};

/// Schema version. Increase it when a field is removed or changes its meaning.
const SCHEMA: u32 = 2;

#[derive(Serialize)]
struct Object<'a, T> {
    schema: u32,
    kind: &'a str,
    #[serde(flatten)]
    fields: &'a T,
}

/// Adds the schema version and `kind` to the fields of a JSON object.
pub fn tagged<'a, T: Serialize>(kind: &'a str, fields: &'a T) -> impl Serialize + use<'a, T> {
    Object {
        schema: SCHEMA,
        kind,
        fields,
    }
}

/// Writes a JSON object with its schema version and `kind` as one line.
pub fn write(kind: &str, fields: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &tagged(kind, fields))?;
    writeln!(out)
}

/// Checks that a JSON line has the current schema version.
///
/// # Errors
/// If the line has another version, has no version, or is not a JSON object.
pub fn check_schema(line: &[u8]) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Head {
        schema: u32,
    }
    match serde_json::from_slice(line) {
        Ok(Head { schema: SCHEMA }) => Ok(()),
        Ok(Head { schema }) => Err(format!(
            "schema {schema}, expected {SCHEMA}: another version of emilia wrote this; make it \
             again with this version, in a new file"
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Depth and selectivity of a search, as fields of a JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// Depth in plies, or the level of a book value. `None` if the score is exact and the number of
    /// empties is unknown or varies.
    pub depth: Option<u32>,
    /// Confidence level of forward pruning in percent. 100 is a full-width search.
    pub selectivity: u32,
}

impl Reach {
    /// Converts the depth of a search from a position with `empties` empties.
    /// The depth of a solved position is its number of plies to the end.
    pub fn from_position(depth: Depth, empties: u32) -> Reach {
        Reach {
            depth: Some(depth.plies(empties)),
            ..Reach::from(depth)
        }
    }
}

/// Converts the depth of a search whose number of empties is unknown. A solved position has the
/// depth `None`.
impl From<Depth> for Reach {
    fn from(depth: Depth) -> Reach {
        let (depth, selectivity) = match depth {
            Depth::Plies(plies, selectivity) => (Some(plies), selectivity),
            Depth::Book(level) => (Some(level.into()), Selectivity::P100),
            Depth::Wld | Depth::Exact => (None, Selectivity::P100),
        };
        Reach {
            depth,
            selectivity: selectivity.percent(),
        }
    }
}

/// Formats as [`Depth`] does: `8`, `18@87%`, or `100%` if the depth is `None`. Unlike [`Depth`],
/// does not mark book values and WLD results.
impl Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.depth, self.selectivity) {
            (Some(plies), 100) => write!(f, "{plies}"),
            (Some(plies), percent) => write!(f, "{plies}@{percent}%"),
            (None, _) => f.write_str("100%"),
        }
    }
}

/// Result of a search as a JSON object: the best move, its score and its PV.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScoredLine {
    /// The best move. `None` if the game is over.
    pub r#move: Option<String>,
    /// Score in discs for the side to move.
    pub score: f64,
    /// Depth and selectivity of the search.
    #[serde(flatten)]
    pub reach: Reach,
    /// Whether the score is exact.
    pub exact: bool,
    /// The PV, which begins with the best move.
    pub line: Vec<String>,
}

impl ScoredLine {
    /// Converts one search result for a position with `empties` empties.
    pub fn new(line: &Line, empties: u32) -> ScoredLine {
        ScoredLine {
            r#move: line.best_move().map(|mv| mv.to_string()),
            score: line.value.discs(),
            reach: Reach::from_position(line.depth, empties),
            exact: line.depth.is_solved(),
            line: names(&line.pv),
        }
    }

    /// Converts all search results for a position with `empties` empties.
    pub fn of_all(lines: &[Line], empties: u32) -> Vec<ScoredLine> {
        let scored = lines.iter().map(|line| ScoredLine::new(line, empties));
        scored.collect()
    }
}

/// Returns the names of moves, such as `f5`.
pub fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// Rounds to three decimals, because further digits of an estimate are not significant.
pub fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
