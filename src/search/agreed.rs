//! What lines that stand side by side agree on. Two lines may lead to one position; searched twice with forward pruning and
//! with what the table has learnt in between, it might be worth more in one line than in the other. Stands on `board` and
//! `eval`.

use std::collections::HashMap;

use crate::board::{Board, Move};
use crate::eval::Value;

/// The positions on the lines that one iteration has found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreed(HashMap<Board, Position>);

/// What a line says of a position on it.
#[derive(Clone, Debug)]
struct Position {
    /// How deep it was searched, as the table counts it.
    depth: u32,
    value: Value,
    /// The rest of the line.
    line: Vec<Move>,
}

impl Agreed {
    /// `board`, searched `depth` plies deep, has this value, reached by `line`.
    pub(super) fn add(&mut self, board: Board, depth: u32, value: Value, line: &[Move]) {
        let line = line.to_vec();
        // The first line that came here was searched without knowing better.
        self.0
            .entry(board)
            .or_insert(Position { depth, value, line });
    }

    /// The value of `board`, searched `depth` plies deep, and the line from there, if a line leads there.
    pub(super) fn get(&self, board: &Board, depth: u32) -> Option<(Value, &[Move])> {
        self.0
            .get(board)
            .filter(|position| position.depth == depth)
            .map(|position| (position.value, position.line.as_slice()))
    }
}
