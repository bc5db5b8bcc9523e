//! The engine façade: settings in, lines out, no protocol inside.

use std::sync::Arc;
use std::time::Instant;

use super::{Depth, Limits, Line, Report, Stop};
use crate::board::{Board, Move};
use crate::eval::{Classic, Evaluator, Value};

/// What stays the same from search to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The static evaluation.
    pub evaluator: Arc<dyn Evaluator>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mib: 64,
            evaluator: Arc::new(Classic),
        }
    }
}

/// Searches positions and remembers what it learnt from one search to the next.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    stop: Stop,
}

impl Engine {
    /// An engine with an empty table.
    pub fn new(settings: Settings) -> Engine {
        Engine {
            settings,
            stop: Stop::default(),
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings; the table is emptied where that is necessary.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Forgets everything learnt, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {}

    /// The handle that ends a running search. The caller clears it before the next one.
    pub fn stop_handle(&self) -> Stop {
        self.stop.clone()
    }

    /// The best line for the side to move.
    ///
    /// A side that must pass gets a line that begins with the pass. When the game is over, the line is empty and the
    /// value is the final score. The search always completes its first iteration, so there is a move to make however
    /// early it is stopped.
    pub fn search(&mut self, board: &Board, limits: &Limits, report: &mut dyn Report) -> Line {
        self.hint(board, 1, limits, report).swap_remove(0)
    }

    /// The best `count` first moves, best first, each with its own line; at least one entry, fewer than `count` when
    /// there are fewer moves.
    pub fn hint(
        &mut self,
        board: &Board,
        count: usize,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        let start = Instant::now();
        let depth = limits.depth.unwrap_or(4).min(4);
        let mut nodes = 0;
        let line = |value, pv| Line {
            value,
            depth: Depth::Plies(depth),
            pv,
            nodes: 0,
            elapsed: start.elapsed(),
        };
        if board.is_over() {
            return vec![line(Value::from_score(board.final_score()), Vec::new())];
        }
        if !board.can_move() {
            return vec![line(
                -self.negamax(&board.pass(), depth, &mut nodes),
                vec![Move::Pass],
            )];
        }
        let mut lines: Vec<Line> = board
            .legal_moves()
            .squares()
            .map(|square| {
                let value = -self.negamax(&board.play(square), depth - 1, &mut nodes);
                line(value, vec![Move::Place(square)])
            })
            .collect();
        lines.sort_by_key(|line| -line.value);
        lines.truncate(count.max(1));
        for line in &lines {
            report.progress(line);
        }
        lines
    }

    fn negamax(&self, board: &Board, depth: u32, nodes: &mut u64) -> Value {
        *nodes += 1;
        if board.is_over() {
            return Value::from_score(board.final_score());
        }
        if depth == 0 || self.stop.is_set() {
            return self.settings.evaluator.evaluate(board);
        }
        if !board.can_move() {
            return -self.negamax(&board.pass(), depth, nodes);
        }
        let values = board
            .legal_moves()
            .squares()
            .map(|square| -self.negamax(&board.play(square), depth - 1, nodes));
        values.max().unwrap_or(Value::NEG_INFINITY)
    }
}
