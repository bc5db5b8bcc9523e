//! What `--json` prints: an object on a line, all commands by one schema.

use std::io::{self, Write};

use serde::Serialize;

use crate::board::Move;
use crate::search::Line;

/// The version of the schema: it changes when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

/// What is said of the schema in the help of every command that has it.
pub(super) const ABOUT: &str = "\
With --json every line is an object with the fields 'schema' (1; another number where a field has changed its meaning)
and 'kind'. A position is 64 squares and the side to move, a score is in discs, and moves are a1 to h8 or pass.";

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

/// A move and the play that is expected after it.
#[derive(Serialize)]
pub(super) struct ScoredLine {
    r#move: Option<String>,
    /// For the side to move.
    score: f64,
    depth: String,
    exact: bool,
    line: Vec<String>,
}

impl From<&Line> for ScoredLine {
    fn from(line: &Line) -> ScoredLine {
        ScoredLine {
            r#move: line.best_move().map(|mv| mv.to_string()),
            score: line.value.discs(),
            depth: line.depth.to_string(),
            exact: line.depth.is_solved(),
            line: names(&line.pv),
        }
    }
}

/// The moves by their names.
pub(super) fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}
