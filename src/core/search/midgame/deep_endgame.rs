//! Endgame search with 14 empties and more, and of every PV node of the endgame.
//! Nodes use the transposition table, ProbCut and move ordering by the evaluation.
//! Null windows with fewer empties go to `SmallSolver`.

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Move, Score, Square, WIPE_OUT};
use crate::eval::{SearchEvaluator, Value};
use crate::search::Techniques;
use crate::search::endgame::weights::deep;
use crate::search::endgame::{EndgameMove, NO_SCORE};
use crate::search::ordering::move_list::MOVE_CAPACITY;
use crate::search::parallel::team::{Fork, Task};
use crate::search::pruning::selectivity::TO_THE_END;
use crate::search::searcher::{Node, Searcher};
use crate::search::table::transposition::Draft;
use crate::search::window::Window;

/// Largest number of empties for `SmallSolver`, in null windows.
/// `SmallSolver` returns no PV, so PV nodes are searched here.
const SMALL_EMPTIES: u32 = 13;

/// Least empties for move ordering by a search of 0, 1, 2 and 3 plies.
/// A search of 0 plies is the static value.
const EVALUATED_EMPTIES: [u32; 4] = [14, 18, 21, 24];

/// Least depth, in plies, of a table entry whose moves are tried first.
///
/// Shallower entries come from the searches for move ordering, whose moves mislead the solver.
/// Measured: see Constants in `MEASUREMENTS.md`.
const TABLE_MOVES_DEPTH: u32 = 6;

/// Moves of a position with their ordering costs. Lower costs are tried first.
type EndgameMoveList = ArrayVec<(i32, EndgameMove), MOVE_CAPACITY>;

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Solves a position in a window of [`Value`]s, widened to whole discs.
    pub(crate) fn solve_value(&mut self, node: Node<E::State>, window: Window) -> Value {
        Value::from_score(self.solve(node, window.in_discs()))
    }

    /// Returns the final score of the node under best play for the side to move, fail-soft.
    ///
    /// In an open window, row `ply` of `pv` then holds the best line to the end of the game.
    /// The result is meaningless once `stopped` is set.
    pub(crate) fn solve(&mut self, node: Node<E::State>, window: Window<Score>) -> Score {
        self.solve_moves(node, node.legal_moves(), window)
    }

    /// Same as [`solve`](Self::solve), given the legal `moves` of the node.
    fn solve_moves(
        &mut self,
        node: Node<E::State>,
        moves: Bitboard,
        window: Window<Score>,
    ) -> Score {
        let is_pv = window.is_open();
        if !is_pv && node.board.empty_count() <= SMALL_EMPTIES {
            return self.solve_small(node.board, moves, window);
        }
        if is_pv {
            self.own.pv.clear(node.ply);
        }
        if moves.is_empty() {
            return self.solve_pass(node, window);
        }
        self.visit();
        if self.stopped {
            return 0;
        }
        self.solve_node(node, moves, window)
    }

    /// Same as [`solve`](Self::solve), for a side without a legal move.
    fn solve_pass(&mut self, node: Node<E::State>, window: Window<Score>) -> Score {
        let passed = node.board.pass();
        let replies = passed.legal_moves();
        if replies.is_empty() {
            self.visit();
            return node.board.final_score();
        }
        let state = self.shared.evaluator.passed(node.state);
        let score = -self.solve_moves(node.child(&passed, &state), replies, -window);
        if window.is_open() {
            self.own.pv.extend(node.ply, Move::Pass);
        }
        score
    }

    /// Solves a null-window node with few empties by `SmallSolver`.
    fn solve_small(&mut self, board: &Board, moves: Bitboard, window: Window<Score>) -> Score {
        let solver = &mut self.own.small_solver;
        let before = solver.nodes;
        let ordering = self.shared.evaluator.ordering();
        let score = solver.solve(*board, moves, ordering, window.alpha);
        let visited = solver.nodes - before;
        self.add_nodes(visited);
        score
    }

    /// Solves a node with at least one legal move.
    /// Probes the table, tries ProbCut and ETC, and then searches the moves in order.
    fn solve_node(
        &mut self,
        node: Node<E::State>,
        moves: Bitboard,
        window: Window<Score>,
    ) -> Score {
        let is_pv = window.is_open();
        let draft = Draft {
            depth: TO_THE_END,
            selectivity: self.pruning.selectivity,
        };
        let in_units = window.in_units();
        let use_table = self.uses(Techniques::TABLE);
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.shared.table.probe(node.board) {
            if !is_pv && let Some(value) = entry.cut(draft, in_units) {
                return value.round_to_score();
            }
            table_moves = entry.moves_of_depth(TABLE_MOVES_DEPTH);
        }
        if !is_pv && let Some(value) = self.probcut(node, moves, TO_THE_END, in_units.beta) {
            return if value >= in_units.beta {
                window.beta
            } else {
                window.alpha
            };
        }

        let mut candidates: EndgameMoveList = moves
            .squares()
            .map(|square| {
                let candidate = EndgameMove::new(node.board, square);
                if use_table {
                    self.shared.table.prefetch(&candidate.child);
                }
                (0, candidate)
            })
            .collect();
        if let Some((_, last)) = candidates.iter().find(|(_, mv)| mv.child.player.is_empty()) {
            // A wipe-out is the best possible score, so no move needs to be searched.
            self.own
                .pv
                .replace(node.ply, vec![Move::Place(last.square)]);
            return WIPE_OUT;
        }
        if !is_pv
            && use_table
            && self.uses(Techniques::ETC)
            && let Some(score) = self.endgame_etc_cut(node.board, &candidates, draft, window)
        {
            return score;
        }
        self.order(node, &mut candidates, table_moves);
        let (best, best_square) = self.best_candidate(node, &mut candidates, window);
        if use_table && !self.stopped {
            let value = Value::from_score(best);
            self.shared
                .table
                .store(node.board, draft, in_units, value, best_square);
        }
        best
    }

    /// Searches the candidates in order and returns the best score with its move.
    /// The move is `None` if no score exceeded `alpha`.
    fn best_candidate(
        &mut self,
        node: Node<E::State>,
        candidates: &mut EndgameMoveList,
        window: Window<Score>,
    ) -> (Score, Option<Square>) {
        let empties = node.board.empty_count();
        let (mut best, mut best_square) = (NO_SCORE, None);
        for tried in 0..candidates.len() {
            if tried > 0 && self.splits_empties(empties, candidates.len() - tried) {
                let found = self.split(Fork {
                    board: *node.board,
                    ply: node.ply,
                    task: Task::Endgame(*node.state),
                    window: window.in_units(),
                    is_pv: window.is_open(),
                    pruning: self.pruning,
                    best: (Value::from_score(best), best_square),
                    moves: remaining(&mut candidates[tried..]),
                });
                return (found.0.round_to_score(), found.1);
            }
            let (_, candidate) = take_cheapest(&mut candidates[tried..]);
            let score = self.score_of(node, &candidate, window.above(best), tried == 0);
            if self.stopped {
                return (0, None);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_square = Some(candidate.square);
                    if window.is_open() {
                        self.own.pv.extend(node.ply, Move::Place(candidate.square));
                    }
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// Searches one move (PVS) and returns its score for the side to move at `node`.
    /// In an open window, every move after the `first` is searched in a null window to begin with.
    fn score_of(
        &mut self,
        node: Node<E::State>,
        candidate: &EndgameMove,
        window: Window<Score>,
        first: bool,
    ) -> Score {
        let EndgameMove { child, replies, .. } = candidate;
        let state = self.shared.evaluator.after(node.state, node.board, child);
        let child = node.child(child, &state);
        if !first && window.is_open() && self.uses(Techniques::NULL_WINDOW) {
            let score = -self.solve_moves(child, *replies, -Window::null_above(window.alpha));
            if score <= window.alpha || score >= window.beta || self.stopped {
                return score;
            }
        }
        -self.solve_moves(child, *replies, -window)
    }

    /// Enhanced transposition cut-off (Plaat et al. 1996): probes a table for every child.
    /// Children with at most [`SMALL_EMPTIES`] empties are stored in the small table, all others in
    /// the transposition table. Returns the first lower bound of a move that exceeds `alpha`.
    fn endgame_etc_cut(
        &mut self,
        board: &Board,
        candidates: &EndgameMoveList,
        draft: Draft,
        window: Window<Score>,
    ) -> Option<Score> {
        if board.empty_count() == SMALL_EMPTIES + 1 {
            let candidates = candidates.iter().map(|(_, candidate)| candidate);
            return self.own.small_solver.etc_cut(candidates, window.alpha);
        }
        let beta = window.in_units().beta;
        candidates
            .iter()
            .filter_map(|(_, candidate)| self.shared.table.probe(&candidate.child))
            .map(|entry| -entry.upper(draft))
            .find(|&lower| lower >= beta)
            .map(Value::round_to_score)
    }

    /// Sets the ordering cost of each candidate. Table moves cost least.
    fn order(
        &mut self,
        node: Node<E::State>,
        candidates: &mut EndgameMoveList,
        table_moves: [Option<Square>; 2],
    ) {
        let empties = node.board.empty_count();
        let depth = EVALUATED_EMPTIES
            .iter()
            .rposition(|&least| empties >= least);
        for (cost, candidate) in candidates {
            let square = Some(candidate.square);
            if let Some(index) = table_moves.iter().position(|&mv| mv == square) {
                *cost = i32::MIN + index as i32;
                continue;
            }
            *cost = candidate.mobility_points(deep::REPLY, deep::CORNER_REPLY);
            if let Some(depth) = depth {
                let value = self.value_for_ordering(node, candidate, depth as u32);
                *cost += deep::DISC * value.units() / Value::PER_DISC;
            }
        }
    }

    /// Returns the value of a candidate for the opponent, from a search of `depth` plies.
    fn value_for_ordering(
        &mut self,
        node: Node<E::State>,
        candidate: &EndgameMove,
        depth: u32,
    ) -> Value {
        let EndgameMove { child, replies, .. } = candidate;
        let evaluator = self.shared.evaluator;
        let state = || evaluator.after(node.state, node.board, child);
        if depth == 0 {
            self.evaluate(child, *replies, state)
        } else {
            let state = state();
            self.midgame(node.child(child, &state), depth, Window::FULL)
        }
    }
}

/// Moves the candidate with the least cost to the front. Ties go to the earlier one.
fn take_cheapest(candidates: &mut [(i32, EndgameMove)]) -> (i32, EndgameMove) {
    let mut cheapest = 0;
    for index in 1..candidates.len() {
        if candidates[index].0 < candidates[cheapest].0 {
            cheapest = index;
        }
    }
    candidates.swap(0, cheapest);
    candidates[0]
}

/// Returns the moves of the candidates with the resulting boards, lowest cost first.
fn remaining(candidates: &mut [(i32, EndgameMove)]) -> Vec<(Square, Board)> {
    candidates.sort_by_key(|&(cost, _)| cost);
    let moves = candidates.iter().map(|(_, mv)| (mv.square, mv.child));
    moves.collect()
}
