//! The search of the middle game: principal variation search with a table (Reinefeld 1983), fail-soft. Stands on
//! `searcher`, `ordering`, `endgame`.

use super::Selectivity;
use super::Techniques;
use super::ordering::{Hints, MoveList};
use super::parallel::{Fork, Task};
use super::searcher::Searcher;
use super::table::Reach;
use crate::board::{Board, Move, Square};
use crate::eval::{Incremental, Value};

/// From this depth on, a position is looked up in the table and stored.
const TABLE_DEPTH: u32 = 2;

/// From this depth on, counting the opponent's replies costs less than it saves.
const FASTEST_FIRST_DEPTH: u32 = 2;

impl<E: Incremental> Searcher<'_, E> {
    /// The value of `board`, whose evaluation state is `state`, at `depth` plies for the side to move: fail-soft, that is at most the true value if it is
    /// at least `beta`, at least the true value if it is at most `alpha`, and the true value in between.
    ///
    /// A pass costs no depth. Where the end of the game is within `depth`, the value is the exact score. In an open
    /// window the line is left in `pv` at `ply`.
    pub(super) fn midgame(
        &mut self,
        board: &Board,
        state: &E::State,
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        if depth >= board.empty_count() {
            return self.solve_value(board, alpha, beta, ply);
        }
        let is_pv = is_open(alpha, beta);
        if is_pv {
            self.pv.clear(ply);
        }
        let squares = board.legal_moves();
        if squares.is_empty() && board.pass().can_move() {
            let passed = self.evaluator.passed(state);
            let value = -self.midgame(&board.pass(), &passed, depth, -beta, -alpha, ply + 1);
            if is_pv {
                self.pv.extend(ply, Move::Pass);
            }
            return value;
        }
        self.visit();
        if self.stopped {
            return Value::ZERO;
        }
        if squares.is_empty() {
            return Value::from_score(board.final_score());
        }
        if depth == 0 {
            return self.evaluator.value(board, squares, state);
        }

        let use_table = depth >= TABLE_DEPTH && self.techniques.contains(Techniques::TABLE);
        let reach = Reach {
            depth,
            selectivity: Selectivity::P100,
        };
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.table.probe(board) {
            // In an open window the line matters as well, and the table does not have it.
            if !is_pv {
                let (lower, upper) = (entry.lower(reach), entry.upper(reach));
                if lower >= beta || lower == upper {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            table_moves = entry.moves();
        }

        let hints = Hints {
            techniques: self.techniques,
            cut_moves: &self.cut_moves,
            ply,
            table_moves,
            count_replies: depth >= FASTEST_FIRST_DEPTH,
        };
        let moves = MoveList::new(board, squares, &hints);
        let (value, best) = self.best_of((board, state), moves, depth, alpha, beta, ply);
        if use_table && !self.stopped {
            self.table.store(board, reach, (alpha, beta), value, best);
        }
        value
    }

    /// The largest value among the `moves` of a board with its state, and the move that has it; `None` if none got above `alpha`.
    fn best_of(
        &mut self,
        (board, state): (&Board, &E::State),
        mut moves: MoveList,
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> (Value, Option<Square>) {
        let mut best = (Value::NEG_INFINITY, None);
        while let Some(mv) = moves.next() {
            if best.0 > Value::NEG_INFINITY && self.splits_depth(depth, moves.len() + 1) {
                let moves = std::iter::once(mv).chain(moves);
                best = self.split(Fork {
                    board: *board,
                    ply,
                    task: Task::Midgame(depth, *state),
                    window: (alpha, beta),
                    is_pv: is_open(alpha, beta),
                    best,
                    moves: moves.map(|mv| (mv.square, mv.child)).collect(),
                });
                if let (value, Some(square)) = best
                    && value >= beta
                    && !self.stopped
                {
                    self.cut_moves.record(ply, depth, square);
                }
                break;
            }
            let state = self.evaluator.after(state, board, &mv.child);
            let floor = alpha.max(best.0);
            let first = best.0 == Value::NEG_INFINITY;
            let value = self.value_of_move((&mv.child, &state), depth, floor, beta, ply, first);
            if self.stopped {
                break;
            }
            if value > best.0 {
                best.0 = value;
                if value > alpha {
                    best.1 = Some(mv.square);
                    if is_open(alpha, beta) {
                        self.pv.extend(ply, Move::Place(mv.square));
                    }
                }
                if value >= beta {
                    self.cut_moves.record(ply, depth, mv.square);
                    break;
                }
            }
        }
        best
    }

    /// The value of the move that leads to `child`, `depth` plies above the leaves, in the window (`alpha`, `beta`). Moves after the first are
    /// expected to be no better and only have to prove it.
    pub(super) fn value_of_move(
        &mut self,
        (child, state): (&Board, &E::State),
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
        first: bool,
    ) -> Value {
        if !first && is_open(alpha, beta) && self.techniques.contains(Techniques::NULL_WINDOW) {
            let value = -self.midgame(
                child,
                state,
                depth - 1,
                -(alpha + Value::UNIT),
                -alpha,
                ply + 1,
            );
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        -self.midgame(child, state, depth - 1, -beta, -alpha, ply + 1)
    }
}

/// Whether there are values between `alpha` and `beta`.
#[inline]
pub(super) fn is_open(alpha: Value, beta: Value) -> bool {
    beta - alpha > Value::UNIT
}
