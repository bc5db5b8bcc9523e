//! A node of the search: fail-soft principal variation search (Reinefeld 1983). The functions are
//! in the order in which a node calls them. Root, PV and null-window nodes of midgame and endgame
//! share this code: see [`Kind`] and [`Phase`]. Steps are numbered as in the tour in
//! [`search`](crate::search).

use super::endgame::EndgameSolver;
use super::node::Node;
use super::ordering::{MoveList, OrderingHints};
use super::parameters::node::{ETC_DEPTH, FAR_BELOW, FEW_MOVES, SMALL_EMPTIES, TABLE_DEPTH};
use super::pruning::{move_count_limit, reduction};
use super::searcher::Searcher;
use super::table::{Draft, Probe};
use super::window::{Endgame, Kind, Midgame, Null, Phase, Pv, Window};
use crate::board::{Move, Square};
use crate::eval::{SearchEvaluator, Value};

/// Best value of the moves searched so far, fail-soft.
/// The move is `None` if no value exceeds the `alpha` of the node.
pub(super) type Best = (Value, Option<Square>);

/// Result of the first search of a move.
pub(super) struct Scouted {
    /// Value of the move for the side that makes it, fail-soft.
    pub(super) value: Value,
    /// Whether a null-window search returned a `value` inside the open window of the node. The
    /// value is then only a lower bound, and the move must be searched again in the open window.
    pub(super) is_inside: bool,
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Returns the value of a position for the side to move at `depth` plies, fail-soft.
    ///
    /// The window of `node` is (alpha, beta). A result of at least beta is a lower bound of the
    /// true value. A result of at most alpha is an upper bound. A result in between is the true
    /// value. With forward pruning this holds only with the confidence of the selectivity.
    ///
    /// A pass does not reduce the depth. If the game ends within `depth` plies, the value is the
    /// exact score. After a search in an open window, row `node.ply` of `self.own.pv` holds the PV.
    /// The result is meaningless once `self.stopped` is set.
    pub(super) fn search(&mut self, node: &Node<&E::State>) -> Value {
        if node.is_endgame() {
            self.search_in::<Endgame>(&node.as_endgame())
        } else {
            self.search_in::<Midgame>(node)
        }
    }

    /// Returns the value of `node`, which has phase `P` (midgame or endgame). The contract is that
    /// of [`search`](Self::search).
    pub(super) fn search_in<P: Phase>(&mut self, node: &Node<&E::State>) -> Value {
        if node.window.is_open(P::STEP) {
            self.search_as::<Pv, P>(node)
        } else {
            self.search_as::<Null, P>(node)
        }
    }

    /// Returns the value of `node`, which has phase `P` and kind `K` (PV or null window). The
    /// contract is that of [`search`](Self::search).
    fn search_as<K: Kind, P: Phase>(&mut self, node: &Node<&E::State>) -> Value {
        // Step 6: leaves and passes.
        if K::IS_PV {
            self.own.pv.clear(node.ply);
        } else if P::IS_END && node.depth <= SMALL_EMPTIES {
            return self.solve_small(node);
        }
        if node.moves.is_empty() {
            return self.search_pass::<K, P>(node);
        }
        self.visit();
        if self.stopped {
            Value::ZERO
        } else if node.depth > 0 {
            self.search_placements::<K, P>(node)
        } else if self.pruning.is_selective()
            && node.moves.count() <= FEW_MOVES
            && node.board.empty_count() > 1
        {
            // Extension: the static value of a leaf with few moves is the least reliable. With one
            // empty square, a depth of 1 would belong to the other phase.
            self.search_placements::<K, P>(&Node { depth: 1, ..*node })
        } else {
            self.static_value(node)
        }
    }

    /// Returns the value of `node`, at which the side to move has no legal move: the value after a
    /// pass, or the final score if the opponent has no legal move either.
    fn search_pass<K: Kind, P: Phase>(&mut self, node: &Node<&E::State>) -> Value {
        let board = node.board.pass();
        let moves = board.legal_moves();
        if moves.is_empty() {
            self.visit();
            return Value::from_score(node.board.final_score());
        }
        let value = -self.search_as::<K, P>(&Node {
            board,
            state: &self.shared.evaluator.passed(node.state),
            ply: node.ply + 1,
            window: -node.window,
            moves,
            ..*node
        });
        if K::IS_PV {
            self.own.pv.extend(node.ply, Move::Pass);
        }
        value
    }

    /// Solves a null-window node with few empties by `EndgameSolver`.
    fn solve_small(&mut self, node: &Node<&E::State>) -> Value {
        let mut solver = EndgameSolver {
            small: &mut self.own.small_table,
            shared: self.shared.table,
            nodes: 0,
        };
        let ordering = self.shared.evaluator.ordering();
        let alpha = node.window.alpha.round_to_score();
        let score = solver.solve(node.board, node.moves, ordering, alpha);
        let visited = solver.nodes;
        self.add_nodes(visited);
        Value::from_score(score)
    }

    #[inline]
    pub(super) fn static_value(&mut self, node: &Node<&E::State>) -> Value {
        self.evaluate(&node.board, node.moves, || node.state)
    }

    /// Returns the value of `node`, which has legal moves and a depth of at least 1. The contract
    /// is that of [`search`](Self::search).
    fn search_placements<K: Kind, P: Phase>(&mut self, node: &Node<&E::State>) -> Value {
        let Node { depth, window, .. } = *node;
        // Step 7: forward pruning, the table and ETC may end the node.
        if !P::IS_END
            && !K::IS_PV
            && let Some(value) = self.static_cut(node)
        {
            return value;
        }
        let draft = Draft::new::<P>(depth, self.pruning.selectivity);
        let uses_table = P::IS_END || depth >= TABLE_DEPTH;
        let probe = uses_table.then(|| self.shared.table.probe(&node.board));
        let entry = probe.as_ref().and_then(Probe::entry);
        // A PV node also needs the moves of its PV, which the table does not hold.
        if !K::IS_PV
            && let Some(value) = entry.and_then(|entry| entry.cut(draft, window))
        {
            return value;
        }
        let table_moves_from = P::ORDER.table_moves_from;
        let table_moves = entry.map_or([None; 2], |entry| entry.moves_of_depth(table_moves_from));
        if !K::IS_PV
            && let Some(value) = self.probcut(node)
        {
            return value;
        }

        let mut moves = MoveList::default();
        let hints = OrderingHints {
            history: &self.own.history,
            ply: node.ply,
            table_moves,
        };
        moves.add::<P>(&node.board, node.moves, &hints);
        if P::IS_END
            && let Some(square) = moves.wipe_out()
        {
            // No other move needs to be searched: a wipe-out is the best possible score.
            if K::IS_PV {
                self.own.pv.clear(node.ply + 1);
                self.own.pv.extend(node.ply, Move::Place(square));
            }
            return Value::MAX;
        }
        if uses_table && !K::IS_PV && depth >= ETC_DEPTH {
            let wanted = Draft::new::<P>(depth - 1, self.pruning.selectivity);
            let table = self.shared.table;
            for mv in moves.as_slice() {
                table.prefetch(&mv.child);
            }
            if let Some(value) = table.etc_cut(moves.as_slice(), wanted, window.beta) {
                return value;
            }
        }

        // Step 8: the values of the children complete the order, and the last moves may be left
        // out.
        self.evaluate_moves::<P>(node, &mut moves);
        if !P::IS_END && !K::IS_PV && self.pruning.is_selective() {
            moves.limit(move_count_limit(depth));
        }

        // Steps 9 and 10: search the moves, and store the best value.
        let (value, best) = self.search_moves::<K, P>(node, &mut moves);
        if let Some(probe) = probe
            && !self.stopped
        {
            probe.store(draft, window, value, best);
        }
        value
    }

    /// Completes the ordering scores of `moves` by the values of the children: see
    /// [`MoveList::add_values`]. The value of a child comes from a search of `n` plies, 0 to 3:
    /// `P::ORDER.evaluated_from[n]` is the least depth of `node` for this search. At a shallow node
    /// and at a probable all node, nothing is added.
    fn evaluate_moves<P: Phase>(&mut self, node: &Node<&E::State>, moves: &mut MoveList) {
        let mut from = P::ORDER.evaluated_from.iter();
        let Some(plies) = from.rposition(|&from| node.depth >= from) else {
            return;
        };
        if P::IS_END
            && !node.window.is_open(P::STEP)
            && self.static_value(node) + FAR_BELOW < node.window.alpha
        {
            // Probably an all node: every move fails low, so the order of the moves does not
            // matter.
            return;
        }
        let evaluator = self.shared.evaluator;
        moves.add_values(P::ORDER.disc, P::ORDER.evaluated_within, |mv| {
            let state = || evaluator.after(node.state, &node.board, &mv.child);
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

    /// Searches `moves` in order and returns the best value with its move.
    pub(super) fn search_moves<K: Kind, P: Phase>(
        &mut self,
        node: &Node<&E::State>,
        moves: &mut MoveList,
    ) -> Best {
        let window = node.window;
        let evaluator = self.shared.evaluator;
        let mut best = (Value::NEG_INFINITY, None);
        let mut tried = 0;
        while let Some(index) = moves.take_best() {
            let mv = &moves.as_slice()[index];
            if moves.len() > 0 && self.can_split::<P>(node, tried) {
                let rest = std::iter::once(*mv).chain(moves);
                let (value, square) = self.split::<P>(node, best, tried, rest);
                if let Some(square) = square.filter(|_| square != best.1) {
                    // A split does not record which moves were tried before a cut-off.
                    self.found_best::<K, P>(node, square, value, std::iter::empty());
                }
                return (value, square);
            }
            if node.depth > TABLE_DEPTH {
                self.shared.table.prefetch(&mv.child);
            }
            let state = evaluator.after(node.state, &node.board, &mv.child);
            let above = window.above(best.0);
            let child = Node {
                window: -above,
                ..node.child(mv, &state)
            };
            let scouted = self.scout::<K, P>(&child, tried);
            let value = if scouted.is_inside {
                -self.search_in::<P>(&child)
            } else {
                scouted.value
            };
            tried += 1;
            if self.stopped {
                break;
            }
            if value > best.0 {
                best.0 = value;
                if value > window.alpha {
                    best.1 = Some(mv.square);
                    if K::IS_PV {
                        self.own.pv.extend(node.ply, Move::Place(mv.square));
                    }
                    self.found_best::<K, P>(node, mv.square, value, moves.before_last());
                }
                if value >= window.beta {
                    break;
                }
            }
        }
        best
    }

    /// Searches the move that leads to `child` for the first time (PVS).
    ///
    /// `tried` is the number of moves searched before this move.
    /// In an open window, every move after the first is searched in a null window.
    /// In a null window of a midgame search with forward pruning, a late move is first searched to
    /// less depth. The move is searched to full depth only if its value then exceeds `alpha`.
    pub(super) fn scout<K: Kind, P: Phase>(
        &mut self,
        child: &Node<&E::State>,
        tried: usize,
    ) -> Scouted {
        let Window { alpha, beta } = -child.window;
        let done = |value| Scouted {
            value,
            is_inside: false,
        };
        if K::IS_PV && child.window.is_open(P::STEP) {
            if tried == 0 {
                return done(-self.search_as::<Pv, P>(child));
            }
            let window = -Window::null_above(alpha, P::STEP);
            let value = -self.search_as::<Null, P>(&Node { window, ..*child });
            let is_inside = value > alpha && value < beta && !self.stopped;
            return Scouted { value, is_inside };
        }
        let less = reduction(child.depth + 1, tried);
        if !P::IS_END && less > 0 && self.pruning.is_selective() {
            let depth = child.depth - less;
            let value = -self.search_as::<Null, P>(&Node { depth, ..*child });
            if value <= alpha || self.stopped {
                return done(value);
            }
        }
        done(-self.search_as::<Null, P>(child))
    }

    /// Records a new best move of `node`. `tried` are the moves searched before it. At the root,
    /// puts the move at the front of the root moves. Elsewhere, a cut-off updates the killer moves
    /// and the history. The endgame does not update them, because it orders its moves without them.
    fn found_best<K: Kind, P: Phase>(
        &mut self,
        node: &Node<&E::State>,
        square: Square,
        value: Value,
        tried: impl Iterator<Item = Square>,
    ) {
        if K::IS_ROOT {
            self.move_to_front(node, square, value);
        } else if !P::IS_END && value >= node.window.beta && !self.stopped {
            let history = &mut self.own.history;
            history.update(node.ply, node.depth, square, tried);
        }
    }
}
