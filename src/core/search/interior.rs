//! Interior node: fail-soft principal variation search (Reinefeld 1983) in node order.
//! Searches to a depth and to the end of the game share it: see [`Horizon`].
//! The steps are those of the tour in [`search`](crate::search).

use crate::board::{Move, Square};
use crate::eval::{SearchEvaluator, Value};
use crate::search::Techniques;
use crate::search::horizon::{End, Horizon, Plies, TO_THE_END, below};
use crate::search::ordering::move_list::{MoveList, OrderingHints};
use crate::search::parameters::node::{ETC_DEPTH, SMALL_EMPTIES, TABLE_DEPTH};
use crate::search::pruning::late_moves::{most_moves, reduction};
use crate::search::searcher::{Node, Searcher};
use crate::search::table::transposition::Draft;
use crate::search::window::Window;

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
    /// The result is meaningless once `stopped` is set.
    pub(crate) fn search(&mut self, node: &Node<E::State>) -> Value {
        if node.depth < node.board.empty_count() {
            return self.search_to::<Plies>(node);
        }
        self.search_to::<End>(&Node {
            depth: TO_THE_END,
            window: node.window.in_discs(),
            ..*node
        })
    }

    /// Same as [`search`](Self::search), given the horizon. All nodes below have the same one.
    fn search_to<H: Horizon>(&mut self, node: &Node<E::State>) -> Value {
        // Step 6: leaves and passes.
        if node.window.is_open(H::STEP) {
            self.own.pv.clear(node.ply);
        } else if H::IS_END && node.board.empty_count() <= SMALL_EMPTIES {
            return self.solve_small(node);
        }
        if node.moves.is_empty() {
            return self.search_pass::<H>(node);
        }
        self.visit();
        if self.stopped {
            Value::ZERO
        } else if node.depth == 0 {
            self.static_value(node)
        } else {
            self.search_moves::<H>(node)
        }
    }

    /// Same as [`search`](Self::search), for a side without a legal move.
    fn search_pass<H: Horizon>(&mut self, node: &Node<E::State>) -> Value {
        let board = node.board.pass();
        let moves = board.legal_moves();
        if moves.is_empty() {
            self.visit();
            return Value::from_score(node.board.final_score());
        }
        let value = -self.search_to::<H>(&Node {
            board: &board,
            state: &self.shared.evaluator.passed(node.state),
            ply: node.ply + 1,
            window: -node.window,
            moves,
            ..*node
        });
        if node.window.is_open(H::STEP) {
            self.own.pv.extend(node.ply, Move::Pass);
        }
        value
    }

    /// Solves a null-window node with few empties by `SmallSolver`.
    fn solve_small(&mut self, node: &Node<E::State>) -> Value {
        let solver = &mut self.own.small_solver;
        let before = solver.nodes;
        let ordering = self.shared.evaluator.ordering();
        let alpha = node.window.alpha.round_to_score();
        let score = solver.solve(*node.board, node.moves, ordering, alpha);
        let visited = solver.nodes - before;
        self.add_nodes(visited);
        Value::from_score(score)
    }

    /// Returns the static value of the node.
    #[inline]
    pub(crate) fn static_value(&mut self, node: &Node<E::State>) -> Value {
        self.evaluate(node.board, node.moves, || node.state)
    }

    /// Same as [`search`](Self::search), at depth 1 and more with legal moves.
    fn search_moves<H: Horizon>(&mut self, node: &Node<E::State>) -> Value {
        let Node { depth, window, .. } = *node;
        let is_pv = window.is_open(H::STEP);
        // Step 7: forward pruning, the table and ETC may end the node.
        if !H::IS_END
            && !is_pv
            && let Some(value) = self.static_cut(node)
        {
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
            table_moves = entry.moves_of_depth(H::ORDER.table_moves_from);
        }
        if !is_pv && let Some(value) = self.probcut(node) {
            return value;
        }

        let mut moves = MoveList::default();
        let hints = OrderingHints {
            techniques: self.shared.techniques,
            cut_moves: &self.own.cut_moves,
            ply: node.ply,
            table_moves,
        };
        moves.add::<H>(node.board, node.moves, &hints);
        if H::IS_END
            && let Some(square) = moves.wipe_out()
        {
            // No other move needs to be searched: a wipe-out is the best possible score.
            if is_pv {
                self.own.pv.clear(node.ply + 1);
                self.own.pv.extend(node.ply, Move::Place(square));
            }
            return Value::MAX;
        }
        if use_table
            && !is_pv
            && depth >= ETC_DEPTH
            && self.uses(Techniques::ETC)
            && let Some(value) = self.etc_cut::<H>(node, &moves, draft)
        {
            return value;
        }

        // Step 8: the values of the moves complete their order, and the last ones may be left out.
        self.evaluate_moves::<H>(node, &mut moves);
        if !H::IS_END && !is_pv && self.prunes(Techniques::LATE_MOVE_PRUNING) {
            moves.limit(most_moves(depth));
        }

        // Steps 9 and 10: search the moves, and store the best value.
        let (value, best) = self.best_of::<H>(node, &mut moves);
        if use_table && !self.stopped {
            self.shared
                .table
                .store(node.board, draft, window, value, best);
        }
        value
    }

    /// Enhanced transposition cut-off (Plaat et al. 1996): probes the table for every child.
    /// Returns the first lower bound of a move that is at least `beta`.
    fn etc_cut<H: Horizon>(
        &mut self,
        node: &Node<E::State>,
        moves: &MoveList,
        draft: Draft,
    ) -> Option<Value> {
        let moves = moves.as_slice();
        if H::IS_END && node.board.empty_count() == SMALL_EMPTIES + 1 {
            let alpha = node.window.alpha.round_to_score();
            let score = self.own.small_solver.etc_cut(moves, alpha);
            return score.map(Value::from_score);
        }
        let depth = below(draft.depth);
        let wanted = Draft { depth, ..draft };
        let table = self.shared.table;
        // The probes wait for memory together, not one after another.
        for mv in moves {
            table.prefetch(&mv.child);
        }
        moves
            .iter()
            .filter_map(|mv| table.probe(&mv.child))
            .map(|entry| -entry.upper(wanted))
            .find(|&value| value >= node.window.beta)
    }

    /// Adds the value of each child, by a search of few plies, to the ordering score of its move.
    fn evaluate_moves<H: Horizon>(&mut self, node: &Node<E::State>, moves: &mut MoveList) {
        let size = node.depth.min(node.board.empty_count());
        let from = H::ORDER.evaluated_from;
        let plies = from.iter().rposition(|&from| size >= from);
        let Some(plies) = plies.filter(|_| self.uses(Techniques::EVALUATED_ORDER)) else {
            return;
        };
        let evaluator = self.shared.evaluator;
        moves.add_values(H::ORDER.disc, |mv| {
            let state = || evaluator.after(node.state, node.board, &mv.child);
            if plies == 0 {
                return self.evaluate(&mv.child, mv.replies, state);
            }
            self.search(&Node {
                depth: plies as u32,
                window: Window::FULL,
                ..node.child(mv, &state())
            })
        });
    }

    /// Searches `moves` in order and returns the largest value with its move.
    /// The move is `None` if no value exceeded `alpha`.
    fn best_of<H: Horizon>(
        &mut self,
        node: &Node<E::State>,
        moves: &mut MoveList,
    ) -> (Value, Option<Square>) {
        let Node { depth, window, .. } = *node;
        let mut best = (Value::NEG_INFINITY, None);
        let mut tried = 0;
        while let Some(index) = moves.take_best() {
            let mv = &moves.as_slice()[index];
            if tried > 0 && self.splits(node, moves.len() + 1) {
                let left = std::iter::once(*mv).chain(moves);
                best = self.split(node, best, left);
                if let (value, Some(square)) = best
                    && value >= window.beta
                    && !self.stopped
                {
                    // A split does not record which moves were tried before the cut-off.
                    self.note_cut::<H>(node, square, std::iter::empty());
                }
                break;
            }
            if depth > TABLE_DEPTH {
                self.shared.table.prefetch(&mv.child);
            }
            let evaluator = self.shared.evaluator;
            let state = evaluator.after(node.state, node.board, &mv.child);
            let child = Node {
                window: -window.above(best.0),
                ..node.child(mv, &state)
            };
            let value = self.value_of_move::<H>(&child, tried);
            tried += 1;
            if self.stopped {
                break;
            }
            if value > best.0 {
                best.0 = value;
                if value > window.alpha {
                    best.1 = Some(mv.square);
                    if window.is_open(H::STEP) {
                        self.own.pv.extend(node.ply, Move::Place(mv.square));
                    }
                }
                if value >= window.beta {
                    self.note_cut::<H>(node, mv.square, moves.before_last());
                    break;
                }
            }
        }
        best
    }

    /// Searches the move that leads to `child` (PVS) and returns its value for the parent.
    ///
    /// `tried` is the number of moves searched before this one.
    /// In an open window, every move after the first is searched in a null window to begin with.
    /// In a null window, a late move is searched to less depth to begin with.
    pub(crate) fn value_of_move<H: Horizon>(
        &mut self,
        child: &Node<E::State>,
        tried: usize,
    ) -> Value {
        let Window { alpha, beta } = -child.window;
        if !child.window.is_open(H::STEP) {
            let less = reduction(child.depth + 1, tried);
            if !H::IS_END && less > 0 && self.prunes(Techniques::LATE_MOVE_REDUCTIONS) {
                let depth = child.depth - less;
                let value = -self.search_to::<H>(&Node { depth, ..*child });
                if value <= alpha || self.stopped {
                    return value;
                }
            }
        } else if tried > 0 && self.uses(Techniques::NULL_WINDOW) {
            let window = -Window::null_above(alpha, H::STEP);
            let value = -self.search_to::<H>(&Node { window, ..*child });
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
        }
        -self.search_to::<H>(child)
    }

    /// Records a cut-off by `square` after the moves `tried`, for killer moves and history.
    /// Nothing is recorded in a solve, whose moves are ordered without both.
    fn note_cut<H: Horizon>(
        &mut self,
        node: &Node<E::State>,
        square: Square,
        tried: impl Iterator<Item = Square>,
    ) {
        if !H::IS_END {
            let cut_moves = &mut self.own.cut_moves;
            cut_moves.record(node.ply, node.depth, square, tried);
        }
    }
}
