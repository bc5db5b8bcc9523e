//! 14 empties and more, and every PV node of the endgame: with the transposition table, and the evaluation in the order of moves.

use arrayvec::ArrayVec;

use super::Techniques;
use super::endgame::weights::deep;
use super::endgame::{Candidate, NONE};
use super::ordering::MOST_MOVES;
use super::searcher::{Node, Searcher};
use super::selectivity::SOLVED;
use super::table::Draft;
use super::team::{Fork, Task};
use super::window::Window;
use crate::board::{Bitboard, Board, Move, Score, Square};
use crate::eval::{SearchEvaluator, Value};

/// Up to this many empty squares [`SmallSolver`](super::endgame::SmallSolver) takes over, unless the line is wanted.
const SMALL_EMPTIES: u32 = 13;

/// From so many empty squares on, the moves are evaluated to put them in order: statically, or by a search of one, two
/// or three plies.
const EVALUATED_EMPTIES: [u32; 4] = [14, 18, 21, 24];

/// The moves that the table remembers come first if they are from a search that looked so many plies ahead. Those of the shallow
/// searches that put moves in order know nothing of how much is left to prove: with them, FFO #50, 51, 52 and 56
/// take 22% more nodes and #40-49 2% more; with a limit of 9 plies #40-49 take 6% more.
const TABLE_MOVES_DEPTH: u32 = 6;

/// The moves of a position with their costs: the lower, the sooner they are tried.
type Candidates = ArrayVec<(i32, Candidate), MOST_MOVES>;

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// [`solve`](Self::solve) for a window in values: the narrowest window of whole discs around it.
    pub(super) fn solve_value(&mut self, node: Node<E::State>, window: Window) -> Value {
        Value::from_score(self.solve(node, window.in_discs()))
    }

    /// The final score of the node under best play, for the side to move, fail-soft. In an open window the line to the end
    /// of the game is left in `pv` at the node's ply.
    pub(super) fn solve(&mut self, node: Node<E::State>, window: Window<Score>) -> Score {
        self.solve_moves(node, node.board.legal_moves(), window)
    }

    /// [`solve`](Self::solve) where the legal `moves` are known.
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

    /// [`solve`](Self::solve) for a side that cannot move.
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

    /// Hands a position over to the solver for few empties.
    fn solve_small(&mut self, board: &Board, moves: Bitboard, window: Window<Score>) -> Score {
        let solver = &mut self.own.small_solver;
        let before = solver.nodes;
        let ordering = self.shared.evaluator.ordering();
        let score = solver.solve(*board, moves, ordering.as_ref(), window.alpha);
        let visited = solver.nodes - before;
        self.add_nodes(visited);
        score
    }

    /// The score of a node whose `moves` are not empty: the table and ProbCut, and the moves in order.
    fn solve_node(
        &mut self,
        node: Node<E::State>,
        moves: Bitboard,
        window: Window<Score>,
    ) -> Score {
        let is_pv = window.is_open();
        let draft = Draft {
            depth: SOLVED,
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
        if !is_pv && let Some(value) = self.probcut(node, moves, SOLVED, in_units.beta) {
            return if value >= in_units.beta {
                window.beta
            } else {
                window.alpha
            };
        }

        let mut candidates: Candidates = moves
            .squares()
            .map(|square| {
                let candidate = Candidate::new(node.board, square);
                if use_table {
                    self.shared.table.prefetch(&candidate.child);
                }
                (0, candidate)
            })
            .collect();
        if let Some((_, last)) = candidates.iter().find(|(_, mv)| mv.child.player.is_empty()) {
            // A wipe-out: nothing is better.
            self.own
                .pv
                .replace(node.ply, vec![Move::Place(last.square)]);
            return 64;
        }
        if !is_pv
            && use_table
            && self.uses(Techniques::ETC)
            && let Some(score) = self.known_endgame_cut(&candidates, draft, in_units.beta)
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

    /// The best score of the candidates, and the move that has it; `None` if none got above `alpha`.
    fn best_candidate(
        &mut self,
        node: Node<E::State>,
        candidates: &mut Candidates,
        window: Window<Score>,
    ) -> (Score, Option<Square>) {
        let empties = node.board.empty_count();
        let (mut best, mut best_square) = (NONE, None);
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

    /// The score of a move. Those after the `first` only have to be shown not better (principal variation search).
    fn score_of(
        &mut self,
        node: Node<E::State>,
        candidate: &Candidate,
        window: Window<Score>,
        first: bool,
    ) -> Score {
        let Candidate { child, replies, .. } = candidate;
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

    /// A score of at least `beta` that the table knows one of the moves to have (enhanced transposition cut-off, Plaat et al.
    /// 1996).
    fn known_endgame_cut(
        &self,
        candidates: &Candidates,
        draft: Draft,
        beta: Value,
    ) -> Option<Score> {
        candidates
            .iter()
            .filter_map(|(_, candidate)| self.shared.table.probe(&candidate.child))
            .map(|entry| -entry.upper(draft))
            .find(|&lower| lower >= beta)
            .map(Value::round_to_score)
    }

    /// Gives each candidate its cost: the moves of the table come first.
    fn order(
        &mut self,
        node: Node<E::State>,
        candidates: &mut Candidates,
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
            *cost = candidate.mobility_points(deep::REPLY.get(), deep::CORNER_REPLY.get());
            if let Some(depth) = depth {
                let value = self.value_for_ordering(node, candidate, depth as u32);
                *cost += deep::DISC.get() * value.units() / Value::PER_DISC;
            }
        }
    }

    /// The value of a candidate for the opponent by a search of `depth` plies.
    fn value_for_ordering(
        &mut self,
        node: Node<E::State>,
        candidate: &Candidate,
        depth: u32,
    ) -> Value {
        let Candidate { child, replies, .. } = candidate;
        let evaluator = self.shared.evaluator;
        let state = || evaluator.after(node.state, node.board, child);
        if depth == 0 {
            let evaluate = || evaluator.value(child, *replies, &state());
            self.own.values.value(child, evaluate)
        } else {
            let state = state();
            self.midgame(node.child(child, &state), depth, Window::FULL)
        }
    }
}

/// Moves the candidate of the least cost, the first of equals, to the front.
fn take_cheapest(candidates: &mut [(i32, Candidate)]) -> (i32, Candidate) {
    let mut cheapest = 0;
    for index in 1..candidates.len() {
        if candidates[index].0 < candidates[cheapest].0 {
            cheapest = index;
        }
    }
    candidates.swap(0, cheapest);
    candidates[0]
}

/// The moves of these candidates, the cheapest first, and the boards they lead to.
fn remaining(candidates: &mut [(i32, Candidate)]) -> Vec<(Square, Board)> {
    candidates.sort_by_key(|&(cost, _)| cost);
    let moves = candidates.iter().map(|(_, mv)| (mv.square, mv.child));
    moves.collect()
}
