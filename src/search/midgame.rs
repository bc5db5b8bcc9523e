//! The search of the middle game: principal variation search with a table (Reinefeld 1983), fail-soft. Stands on
//! `searcher`, `ordering`, `probcut`, `endgame`.

use super::Techniques;
use super::ordering::{Hints, MoveList};
use super::parallel::{Fork, Task};
use super::searcher::Searcher;
use super::table::Reach;
use crate::board::{Bitboard, Board, Move, Square};
use crate::eval::{Incremental, Value};

/// From this depth on, a position is looked up in the table and stored.
pub(super) const TABLE_DEPTH: u32 = 2;

/// From this depth on, counting the opponent's replies costs less than it saves.
const FASTEST_FIRST_DEPTH: u32 = 2;

/// From this depth on, the table is asked about every move before any is tried: a reply already known to be bad enough
/// for the opponent is a cut-off (enhanced transposition cut-off, Plaat et al. 1996).
const ETC_DEPTH: u32 = 5;

/// From this depth on, the moves are put in order by their static values. Values of searches of one ply or more save no
/// further nodes.
const EVALUATED_DEPTH: u32 = 3;

/// A position to search: the board and the evaluation's state of it.
pub(super) type Node<'a, S> = (&'a Board, &'a S);

impl<E: Incremental> Searcher<'_, E> {
    /// The value of a position at `depth` plies for the side to move: fail-soft, that is at most the true value if it is
    /// at least `beta`, at least the true value if it is at most `alpha`, and the true value in between. Where moves may be
    /// pruned, that holds as surely as `selectivity` says.
    ///
    /// A pass costs no depth. Where the end of the game is within `depth`, the value is the exact score. In an open
    /// window the line is left in `pv` at `ply`.
    pub(super) fn midgame(
        &mut self,
        node: Node<E::State>,
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let board = node.0;
        if depth >= board.empty_count() {
            return self.solve_value(node, alpha, beta, ply);
        }
        self.midgame_moves(node, board.legal_moves(), depth, alpha, beta, ply)
    }

    /// [`midgame`](Self::midgame) where the legal moves, `squares`, are known and the end of the game is not within `depth`.
    fn midgame_moves(
        &mut self,
        (board, state): Node<E::State>,
        squares: Bitboard,
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let is_pv = is_open(alpha, beta);
        if is_pv {
            self.pv.clear(ply);
        }
        if squares.is_empty() && board.pass().can_move() {
            let passed = self.evaluator.passed(state);
            let value = -self.midgame((&board.pass(), &passed), depth, -beta, -alpha, ply + 1);
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

        if is_pv && let Some(value) = self.agreed_value(board, depth, ply) {
            return value;
        }
        let use_table = depth >= TABLE_DEPTH && self.techniques.contains(Techniques::TABLE);
        let reach = Reach {
            depth,
            selectivity: self.pruning.selectivity,
        };
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.table.probe(board) {
            // In an open window the line matters as well, and the table does not have it.
            if !is_pv && let Some(value) = entry.cut(reach, (alpha, beta)) {
                return value;
            }
            table_moves = entry.moves();
        }
        if !is_pv && let Some(value) = self.probcut((board, state), squares, depth, beta, ply) {
            return value;
        }

        let hints = Hints {
            techniques: self.techniques,
            cut_moves: &self.cut_moves,
            ply,
            table_moves,
            count_replies: depth >= FASTEST_FIRST_DEPTH,
        };
        let mut moves = MoveList::new(board, squares, &hints);
        if use_table && !is_pv && depth >= ETC_DEPTH && self.techniques.contains(Techniques::ETC) {
            let below = Reach {
                depth: depth - 1,
                ..reach
            };
            if let Some(value) = self.known_cut(&moves, below, beta) {
                return value;
            }
        }
        if depth >= EVALUATED_DEPTH && self.techniques.contains(Techniques::EVALUATED_ORDER) {
            self.evaluate_moves((board, state), &mut moves);
        }
        let (value, best) = self.best_of((board, state), moves, depth, alpha, beta, ply);
        if use_table && !self.stopped {
            self.table.store(board, reach, (alpha, beta), value, best);
        }
        value
    }

    /// A value of at least `beta` that the table knows one of the moves to have.
    fn known_cut(&self, moves: &MoveList, below: Reach, beta: Value) -> Option<Value> {
        moves
            .rest()
            .iter()
            .filter_map(|mv| self.table.probe(&mv.child))
            .map(|entry| -entry.upper(below))
            .find(|&value| value >= beta)
    }

    /// Scores the moves by what they are worth statically.
    fn evaluate_moves(&self, (board, state): Node<E::State>, moves: &mut MoveList) {
        for mv in moves.not_from_table() {
            let state = self.evaluator.after(state, board, &mv.child);
            mv.add_value(-self.evaluator.value(&mv.child, mv.replies, &state));
        }
    }

    /// The largest value among the `moves` of a position, and the move that has it; `None` if none got above `alpha`.
    fn best_of(
        &mut self,
        (board, state): Node<E::State>,
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
                    pruning: self.pruning,
                    agreed: self.agreed.clone(),
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
        child: Node<E::State>,
        depth: u32,
        alpha: Value,
        beta: Value,
        ply: usize,
        first: bool,
    ) -> Value {
        if !first && is_open(alpha, beta) && self.techniques.contains(Techniques::NULL_WINDOW) {
            let above = alpha + Value::UNIT;
            let value = -self.midgame(child, depth - 1, -above, -alpha, ply + 1);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        -self.midgame(child, depth - 1, -beta, -alpha, ply + 1)
    }
}

/// Whether there are values between `alpha` and `beta`.
#[inline]
pub(super) fn is_open(alpha: Value, beta: Value) -> bool {
    beta - alpha > Value::UNIT
}
