//! The midgame: principal variation search with a transposition table (Reinefeld 1983), fail-soft.

use super::Techniques;
use super::ordering::{MoveList, OrderingHints};
use super::searcher::{Node, Searcher};
use super::table::Draft;
use super::team::{Fork, Task};
use super::window::Window;
use crate::board::{Bitboard, Move, Square};
use crate::eval::{SearchEvaluator, Value};

/// From this depth on, a position is looked up in the table and stored.
pub(super) const TABLE_DEPTH: u32 = 2;

/// From this depth on, counting the opponent's replies costs less than it saves.
const FASTEST_FIRST_DEPTH: u32 = 2;

/// From this depth on, the table is asked about every move before any is tried: a reply already known to be bad enough
/// for the opponent is a cut-off (enhanced transposition cut-off, Plaat et al. 1996).
const ETC_DEPTH: u32 = 5;

/// From this depth on, the moves are put in order by their static values. From 2 on saves 12% of the nodes of depth 22 with a
/// selectivity of 73% and 7% of the time, but in games it gains nothing (−4 ± 16 Elo at 20,000 nodes a move, 500 pairs). Values
/// of searches of one ply or more save no further nodes.
const EVALUATED_DEPTH: u32 = 4;

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// The value of a position at `depth` plies for the side to move: fail-soft, that is at most the true value if it is
    /// at least `beta`, at least the true value if it is at most `alpha`, and the true value in between. Where moves may be
    /// pruned, that holds with the confidence of the selectivity.
    ///
    /// A pass costs no depth. Where the end of the game is within `depth`, the value is the exact score. In an open
    /// window the line is left in `pv` at the node's ply.
    pub(super) fn midgame(&mut self, node: Node<E::State>, depth: u32, window: Window) -> Value {
        if depth >= node.board.empty_count() {
            return self.solve_value(node, window);
        }
        let is_pv = window.is_open();
        if is_pv {
            self.own.pv.clear(node.ply);
        }
        let squares = node.board.legal_moves();
        if squares.is_empty() && node.board.pass().can_move() {
            return self.midgame_pass(node, depth, window);
        }
        self.visit();
        if self.stopped {
            return Value::ZERO;
        }
        if squares.is_empty() {
            return Value::from_score(node.board.final_score());
        }
        if depth == 0 {
            return self.static_value(node, squares);
        }
        self.midgame_moves(node, squares, depth, window)
    }

    /// [`midgame`](Self::midgame) of a side that must pass.
    fn midgame_pass(&mut self, node: Node<E::State>, depth: u32, window: Window) -> Value {
        let passed = self.shared.evaluator.passed(node.state);
        let value = -self.midgame(node.child(&node.board.pass(), &passed), depth, -window);
        if window.is_open() {
            self.own.pv.extend(node.ply, Move::Pass);
        }
        value
    }

    /// [`midgame`](Self::midgame) at a depth of 1 and more, where `squares` are the legal moves: forward pruning, the table,
    /// and the moves in order.
    fn midgame_moves(
        &mut self,
        node: Node<E::State>,
        squares: Bitboard,
        depth: u32,
        window: Window,
    ) -> Value {
        let is_pv = window.is_open();
        if !is_pv && let Some(value) = self.static_cut(node, squares, depth, window.beta) {
            return value;
        }
        let use_table = depth >= TABLE_DEPTH && self.uses(Techniques::TABLE);
        let draft = Draft {
            depth,
            selectivity: self.pruning.selectivity,
        };
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.shared.table.probe(node.board) {
            // In an open window the line matters as well, and the table does not have it.
            if !is_pv && let Some(value) = entry.cut(draft, window) {
                return value;
            }
            table_moves = entry.moves();
        }
        if !is_pv && let Some(value) = self.probcut(node, squares, depth, window.beta) {
            return value;
        }

        let hints = OrderingHints {
            techniques: self.shared.techniques,
            cut_moves: &self.own.cut_moves,
            ply: node.ply,
            table_moves,
            count_replies: depth >= FASTEST_FIRST_DEPTH,
        };
        let mut moves = MoveList::new(node.board, squares, &hints);
        if use_table
            && !is_pv
            && depth >= ETC_DEPTH
            && self.uses(Techniques::ETC)
            && let Some(value) = self.known_cut(&moves, draft.of_child(), window.beta)
        {
            return value;
        }
        if depth >= EVALUATED_DEPTH && self.uses(Techniques::EVALUATED_ORDER) {
            self.evaluate_moves(node, &mut moves);
        }
        let (value, best) = self.best_of(node, &mut moves, depth, window);
        if use_table && !self.stopped {
            self.shared
                .table
                .store(node.board, draft, window, value, best);
        }
        value
    }

    /// A value of at least `beta` that the table knows one of the moves to have.
    fn known_cut(&self, moves: &MoveList, below: Draft, beta: Value) -> Option<Value> {
        moves
            .rest()
            .iter()
            .filter_map(|mv| self.shared.table.probe(&mv.child))
            .map(|entry| -entry.upper(below))
            .find(|&value| value >= beta)
    }

    /// The static value of the node, whose legal moves are `squares`.
    #[inline]
    pub(super) fn static_value(&mut self, node: Node<E::State>, squares: Bitboard) -> Value {
        let evaluator = self.shared.evaluator;
        node.value.unwrap_or_else(|| {
            let evaluate = || evaluator.value(node.board, squares, node.state);
            self.own.values.value(node.board, evaluate)
        })
    }

    /// Scores the moves by their static values.
    fn evaluate_moves(&mut self, node: Node<E::State>, moves: &mut MoveList) {
        let evaluator = self.shared.evaluator;
        for mv in moves.not_from_table() {
            let evaluate = || {
                let state = evaluator.after(node.state, node.board, &mv.child);
                evaluator.value(&mv.child, mv.replies, &state)
            };
            let value = self.own.values.value(&mv.child, evaluate);
            mv.set_value(value);
        }
    }

    /// The largest value among the `moves` of a position, and the move that has it; `None` if none got above `alpha`.
    fn best_of(
        &mut self,
        node: Node<E::State>,
        moves: &mut MoveList,
        depth: u32,
        window: Window,
    ) -> (Value, Option<Square>) {
        let mut best = (Value::NEG_INFINITY, None);
        while let Some(mv) = moves.next() {
            let first = best.0 == Value::NEG_INFINITY;
            if !first && self.splits_depth(depth, moves.len() + 1) {
                let moves = std::iter::once(mv).chain(moves);
                best = self.split(Fork {
                    board: *node.board,
                    ply: node.ply,
                    task: Task::Midgame(depth, *node.state),
                    window,
                    is_pv: window.is_open(),
                    pruning: self.pruning,
                    best,
                    moves: moves.map(|mv| (mv.square, mv.child)).collect(),
                });
                if let (value, Some(square)) = best
                    && value >= window.beta
                    && !self.stopped
                {
                    // Which of the others came before, the split does not tell.
                    let cut_moves = &mut self.own.cut_moves;
                    cut_moves.record(node.ply, depth, square, std::iter::empty());
                }
                break;
            }
            if depth > TABLE_DEPTH {
                self.shared.table.prefetch(&mv.child);
            }
            let state = self
                .shared
                .evaluator
                .after(node.state, node.board, &mv.child);
            let child = Node {
                value: mv.value,
                ..node.child(&mv.child, &state)
            };
            let value = self.value_of_move(child, depth, window.above(best.0), first);
            if self.stopped {
                break;
            }
            if value > best.0 {
                best.0 = value;
                if value > window.alpha {
                    best.1 = Some(mv.square);
                    if window.is_open() {
                        self.own.pv.extend(node.ply, Move::Place(mv.square));
                    }
                }
                if value >= window.beta {
                    let cut_moves = &mut self.own.cut_moves;
                    cut_moves.record(node.ply, depth, mv.square, moves.before_last());
                    break;
                }
            }
        }
        best
    }

    /// The value of the move that leads to `child` from a position searched at `depth`, in the window of that position. Moves
    /// after the `first` are expected to be no better and only have to prove it.
    pub(super) fn value_of_move(
        &mut self,
        child: Node<E::State>,
        depth: u32,
        window: Window,
        first: bool,
    ) -> Value {
        if !first && window.is_open() && self.uses(Techniques::NULL_WINDOW) {
            let value = -self.midgame(child, depth - 1, -Window::null_above(window.alpha));
            if value <= window.alpha || value >= window.beta || self.stopped {
                return value;
            }
        }
        -self.midgame(child, depth - 1, -window)
    }
}
