//! What `--json` prints: an object on a line, all commands by one schema.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::board::Move;
use crate::search::{Depth, Line, Selectivity};

/// The version of the schema: it changes when a field changes its meaning or goes.
const SCHEMA: u32 = 2;

/// What is said of the schema in the help of every command that has it.
pub(super) const ABOUT: &str = "\
With --json every line is an object with the fields 'schema' (2; another number where a field has
changed its meaning) and 'kind'. A position is 64 squares and the side to move, a score is in discs,
and moves are a1 to h8 or pass. A depth is a number of plies, and selectivity the confidence of
forward pruning in percent, 100 for full width; in schema 1 both were one text like 16@73%.";

#[derive(Serialize)]
struct Object<'a, T> {
    schema: u32,
    kind: &'a str,
    #[serde(flatten)]
    fields: &'a T,
}

/// Writes an object of this kind and the end of the line.
pub(super) fn write(kind: &str, fields: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let schema = SCHEMA;
    let object = Object {
        schema,
        kind,
        fields,
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

/// What every object of this kind begins with.
pub(super) fn beginning(kind: &str) -> String {
    format!("{{\"schema\":{SCHEMA},\"kind\":\"{kind}\",")
}

/// Refuses a line of an older or a newer schema.
///
/// # Errors
/// One sentence that says what to do.
pub(super) fn check_schema(line: &[u8]) -> Result<(), String> {
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

/// How far a search looked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Reach {
    /// In plies; `None` to the end of the game from any of several positions.
    depth: Option<u32>,
    /// In percent.
    selectivity: u32,
}

impl Reach {
    /// From a position with so many empty squares.
    pub(super) fn from_position(depth: Depth, empties: u32) -> Reach {
        Reach {
            depth: Some(depth.plies(empties)),
            ..Reach::from(depth)
        }
    }
}

/// From any of several positions.
impl From<Depth> for Reach {
    fn from(depth: Depth) -> Reach {
        let (depth, selectivity) = match depth {
            Depth::Plies(plies, selectivity) => (Some(plies), selectivity),
            Depth::Wld | Depth::Exact => (None, Selectivity::P100),
        };
        Reach {
            depth,
            selectivity: selectivity.percent(),
        }
    }
}

/// From any of several positions.
impl TryFrom<Reach> for Depth {
    type Error = String;

    fn try_from(reach: Reach) -> Result<Depth, String> {
        let selectivity = reach.selectivity.to_string().parse()?;
        let plies = reach.depth.map(|plies| Depth::Plies(plies, selectivity));
        Ok(plies.unwrap_or(Depth::Exact))
    }
}

/// A move and the play that is expected after it.
#[derive(Serialize)]
pub(super) struct ScoredLine {
    r#move: Option<String>,
    /// For the side to move.
    score: f64,
    #[serde(flatten)]
    reach: Reach,
    exact: bool,
    line: Vec<String>,
}

impl ScoredLine {
    /// The line from a position with so many empty squares.
    pub(super) fn new(line: &Line, empties: u32) -> ScoredLine {
        ScoredLine {
            r#move: line.best_move().map(|mv| mv.to_string()),
            score: line.value.discs(),
            reach: Reach::from_position(line.depth, empties),
            exact: line.depth.is_solved(),
            line: names(&line.pv),
        }
    }
}

/// The moves by their names.
pub(super) fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}
