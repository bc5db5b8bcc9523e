//! Books as JSON lines: an object for each position. Games are left out.

use serde::{Deserialize, Serialize};

use super::Record;
use super::source::BookReader;
use crate::entry::{Counts, Entry, Leaf};
use emilia_core::board::{Board, Color, Move, Position};
use emilia_core::eval::Value;
use emilia_files::FileError;

/// Schema and kind of the objects, as in the JSON output of the commands.
const SCHEMA: u32 = 2;
const KIND: &str = "book_position";

/// A position of the book. Values and bounds are in discs, for the side to move.
#[derive(Serialize, Deserialize)]
struct PositionObject {
    schema: u32,
    kind: String,
    /// 64 squares and the side to move, which is black (X).
    position: String,
    value: f64,
    lower: i8,
    upper: i8,
    level: u8,
    leaf: Option<LeafObject>,
    /// Won, drawn and lost lines, and all lines.
    lines: [u32; 4],
}

#[derive(Serialize, Deserialize)]
struct LeafObject {
    #[serde(rename = "move")]
    mv: String,
    value: f64,
    level: u8,
}

pub(super) fn read(source: &mut BookReader) -> Result<(), FileError> {
    for line in source.bytes.split(|&byte| byte == b'\n') {
        source.number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let object: PositionObject = serde_json::from_slice(line)
            .map_err(|error| source.refused(format!("is no position of a book: {error}")))?;
        let (board, entry) = position(&object).map_err(|why| source.refused(why))?;
        source.accept(board, entry)?;
    }
    Ok(())
}

fn position(object: &PositionObject) -> Result<(Board, Entry), String> {
    if (object.schema, object.kind.as_str()) != (SCHEMA, KIND) {
        return Err(format!("is not of schema {SCHEMA} and kind {KIND}"));
    }
    let position: Result<Position, _> = object.position.parse();
    let board = position.map_err(|error| error.to_string())?.board;
    let mut entry = Entry::new(value(object.value)?, object.level);
    entry.bounds = (object.lower, object.upper);
    if let Some(LeafObject {
        mv,
        value: of_leaf,
        level,
    }) = &object.leaf
    {
        let Ok(Move::Place(square)) = mv.parse() else {
            return Err(format!("has a leaf that is no square: '{mv}'"));
        };
        entry.leaf = Some(Leaf::new(square, value(*of_leaf)?, *level));
    }
    let [won, drawn, lost, all] = object.lines;
    let results = Counts::of([won, drawn, lost]);
    entry.lines = Counts { all, ..results };
    Ok((board, entry))
}

fn value(discs: f64) -> Result<Value, String> {
    if (-64.0..=64.0).contains(&discs) {
        let units = (discs * f64::from(Value::PER_DISC)).round();
        Ok(Value::from_units(units as i32))
    } else {
        Err(format!("has a value of {discs} discs"))
    }
}

pub(super) fn line(record: &Record) -> String {
    let Record { board, entry, .. } = record;
    let leaf = entry.leaf.map(|leaf| LeafObject {
        mv: leaf.square.to_string(),
        value: leaf.value.discs(),
        level: leaf.level,
    });
    let position = Position {
        board: **board,
        mover: Color::Black,
    };
    let lines = entry.lines;
    let object = PositionObject {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        position: position.to_string(),
        value: entry.value.discs(),
        lower: entry.bounds.0,
        upper: entry.bounds.1,
        level: entry.level,
        leaf,
        lines: [lines.won, lines.drawn, lines.lost, lines.all],
    };
    let json = serde_json::to_string(&object).expect("numbers and text are JSON");
    json + "\n"
}
