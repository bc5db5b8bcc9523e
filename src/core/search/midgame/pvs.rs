//! Midgame: fail-soft principal variation search (Reinefeld 1983) with a transposition table.
//! Builds on move ordering, forward pruning and the static evaluation.
//! Where the depth reaches the end of the game, [`deep_endgame`](super::deep_endgame) takes over.

use crate::board::{Bitboard, Move, Square};
use crate::eval::{SearchEvaluator, Value};
use crate::search::Techniques;
use crate::search::ordering::move_list::{MoveList, OrderingHints};
use crate::search::parallel::team::{Fork, Task};
use crate::search::pruning::late_moves::{most_moves, reduction};
use crate::search::searcher::{Node, Searcher};
use crate::search::table::transposition::Draft;
use crate::search::window::Window;

/// Least depth, in plies, at which the transposition table is probed and written.
pub(crate) const TABLE_DEPTH: u32 = 2;

/// Least depth, in plies, for the enhanced transposition cut-off (Plaat et al. 1996).
const ETC_DEPTH: u32 = 5;

/// Least depth, in plies, at which moves are ordered by their static values.
/// Measured: see Constants in `MEASUREMENTS.md`.
const EVALUATED_DEPTH: u32 = 4;

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Returns the value of a position for the side to move at `depth` plies, fail-soft.
    ///
    /// A result of at least `beta` is a lower bound of the true value.
    /// A result of at most `alpha` is an upper bound, and a result in between is the true value.
    /// With forward pruning this holds only with the confidence of the selectivity.
    ///
    /// A pass does not reduce the depth.
    /// If the game ends within `depth` plies, the value is the exact score.
    /// In an open window, row `ply` of `pv` then holds the best line.
    pub(crate) fn midgame(&mut self, node: Node<E::State>, depth: u32, window: Window) -> Value {
        if depth >= node.board.empty_count() {
            return self.solve_value(node, window);
        }
        let is_pv = window.is_open();
        if is_pv {
            self.own.pv.clear(node.ply);
        }
        let squares = node.legal_moves();
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

    /// Same as [`midgame`](Self::midgame), for a side that must pass.
    fn midgame_pass(&mut self, node: Node<E::State>, depth: u32, window: Window) -> Value {
        let passed = self.shared.evaluator.passed(node.state);
        let value = -self.midgame(node.child(&node.board.pass(), &passed), depth, -window);
        if window.is_open() {
            self.own.pv.extend(node.ply, Move::Pass);
        }
        value
    }

    /// Same as [`midgame`](Self::midgame), at depth 1 and more with legal moves `squares`.
    /// Tries forward pruning, the table and ETC, then searches the moves in order.
    /// Move-count pruning may leave out the last of them.
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
            // A PV node also needs its best line, which the table does not hold.
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
        };
        let mut moves = MoveList::default();
        moves.add(node.board, squares, &hints);
        if use_table
            && !is_pv
            && depth >= ETC_DEPTH
            && self.uses(Techniques::ETC)
            && let Some(value) = self.etc_cut(&moves, draft.of_child(), window.beta)
        {
            return value;
        }
        if depth >= EVALUATED_DEPTH && self.uses(Techniques::EVALUATED_ORDER) {
            self.evaluate_moves(node, &mut moves);
        }
        if !is_pv {
            moves.limit(most_moves(depth, self.pruning.selectivity));
        }
        let (value, best) = self.best_of(node, &mut moves, depth, window);
        if use_table && !self.stopped {
            self.shared
                .table
                .store(node.board, draft, window, value, best);
        }
        value
    }

    /// Enhanced transposition cut-off (Plaat et al. 1996): probes the table for every child.
    /// Returns the first lower bound of a move that is at least `beta`.
    /// `below` is the draft that a child's entry must cover.
    fn etc_cut(&self, moves: &MoveList, below: Draft, beta: Value) -> Option<Value> {
        let table = self.shared.table;
        // The probes wait for memory together, not one after another.
        for mv in moves.as_slice() {
            table.prefetch(&mv.child);
        }
        moves
            .as_slice()
            .iter()
            .filter_map(|mv| table.probe(&mv.child))
            .map(|entry| -entry.upper(below))
            .find(|&value| value >= beta)
    }

    /// Returns the static value of the node, whose legal moves are `squares`.
    /// The value comes from the node or from this thread's cache if one of them holds it.
    #[inline]
    pub(crate) fn static_value(&mut self, node: Node<E::State>, squares: Bitboard) -> Value {
        let evaluate = || self.evaluate(node.board, squares, || node.state);
        node.value.unwrap_or_else(evaluate)
    }

    /// Adds the static value of each child to the ordering score of its move.
    fn evaluate_moves(&mut self, node: Node<E::State>, moves: &mut MoveList) {
        let evaluator = self.shared.evaluator;
        moves.set_values(|mv| {
            let state = || evaluator.after(node.state, node.board, &mv.child);
            self.evaluate(&mv.child, mv.replies, state)
        });
    }

    /// Searches `moves` in order and returns the largest value with its move.
    /// The move is `None` if no value exceeded `alpha`.
    fn best_of(
        &mut self,
        node: Node<E::State>,
        moves: &mut MoveList,
        depth: u32,
        window: Window,
    ) -> (Value, Option<Square>) {
        let mut best = (Value::NEG_INFINITY, None);
        let mut tried = 0;
        while let Some(index) = moves.take_best() {
            let mv = &moves.as_slice()[index];
            if tried > 0 && self.splits_depth(depth, moves.len() + 1) {
                let moves = std::iter::once(*mv).chain(moves);
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
                    // A split does not record which moves were tried before the cut-off.
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
                moves: Some(mv.replies),
                value: mv.value,
                ..node.child(&mv.child, &state)
            };
            let value = self.value_of_move(child, depth, window.above(best.0), tried);
            tried += 1;
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

    /// Searches the move that leads to `child` (PVS) and returns its value for the parent.
    ///
    /// `depth` and `window` are those of the parent.
    /// `tried` is the number of moves searched before this one.
    /// In an open window, every move after the first is searched in a null window to begin with.
    /// In a null window, a late move is searched to less depth to begin with.
    pub(crate) fn value_of_move(
        &mut self,
        child: Node<E::State>,
        depth: u32,
        window: Window,
        tried: usize,
    ) -> Value {
        if !window.is_open() {
            let less = reduction(depth, tried, self.pruning.selectivity);
            if less > 0 {
                let value = -self.midgame(child, depth - 1 - less, -window);
                if value <= window.alpha || self.stopped {
                    return value;
                }
            }
        } else if tried > 0 && self.uses(Techniques::NULL_WINDOW) {
            let value = -self.midgame(child, depth - 1, -Window::null_above(window.alpha));
            if value <= window.alpha || value >= window.beta || self.stopped {
                return value;
            }
        }
        -self.midgame(child, depth - 1, -window)
    }
}
