//! The deep part of the endgame: above [`MidSolver`](super::MidSolver)'s reach, with the large table. Stands on `searcher` and `mid`.

use arrayvec::ArrayVec;

use super::parity::OddQuadrants;
use super::{NONE, stable_bound, take_cheapest};
use crate::board::{Bitboard, Board, Move, Score, Square};
use crate::eval::{Incremental, Value};
use crate::search::Techniques;
use crate::search::midgame::Node;
use crate::search::ordering::MOST_MOVES;
use crate::search::parallel::{Fork, Task};
use crate::search::searcher::Searcher;
use crate::search::selectivity::SOLVED;
use crate::search::table::Reach;

/// Up to this many empty squares [`MidSolver`](super::MidSolver) takes over, unless the line is wanted.
const MID_EMPTIES: u32 = 13;

/// From so many empty squares on, the moves are evaluated to put them in order: statically, or by a search of one, two
/// or three plies.
const EVALUATED_EMPTIES: [u32; 4] = [14, 18, 21, 24];

/// The moves that the table remembers come first if they are from a search that looked so many plies ahead. Those of the shallow
/// searches that put moves in order know nothing of how much is left to prove: with them, FFO #50, 51, 52 and 56
/// take 22% more nodes and #40-49 2% more; with a limit of 9 plies #40-49 take 6% more.
const TABLE_MOVES_DEPTH: u32 = 6;

/// What puts a move early: the fewer points, the earlier.
mod points {
    /// For each reply it leaves the opponent; a corner among them counts twice.
    pub(super) const REPLY: i32 = 15;
    /// For each disc that the evaluation gives the opponent after it.
    pub(super) const DISC: i32 = 6;
    /// Taken off for a move into a quadrant with an odd number of empty squares.
    pub(super) const ODD_QUADRANT: i32 = 8;
}

impl<E: Incremental> Searcher<'_, E> {
    /// [`solve`](Self::solve) for a window in values: the narrowest window of whole discs around it.
    pub(in crate::search) fn solve_value(
        &mut self,
        node: Node<E::State>,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let lower = alpha.units().div_euclid(Value::PER_DISC);
        let upper = (beta.units() + Value::PER_DISC - 1).div_euclid(Value::PER_DISC);
        Value::from_score(self.solve(node, lower, upper, ply))
    }

    /// The final score of `board` under best play, for the side to move, fail-soft in the window (`alpha`, `beta`). In
    /// an open window the line to the end of the game is left in `pv` at `ply`.
    pub(in crate::search) fn solve(
        &mut self,
        node: Node<E::State>,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.solve_moves(node, node.0.legal_moves(), alpha, beta, ply)
    }

    /// [`solve`](Self::solve) where the legal `moves` are known.
    fn solve_moves(
        &mut self,
        (board, state): Node<E::State>,
        moves: Bitboard,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let is_pv = beta - alpha > 1;
        if !is_pv && board.empty_count() <= MID_EMPTIES {
            return self.solve_mid(board, moves, alpha, beta);
        }
        if is_pv {
            self.pv.clear(ply);
        }
        if moves.is_empty() {
            let passed = board.pass();
            let replies = passed.legal_moves();
            if replies.is_empty() {
                self.visit();
                return board.final_score();
            }
            let state = self.evaluator.passed(state);
            let score = -self.solve_moves((&passed, &state), replies, -beta, -alpha, ply + 1);
            if is_pv {
                self.pv.extend(ply, Move::Pass);
            }
            return score;
        }
        self.visit();
        if self.stopped {
            return 0;
        }
        if is_pv && let Some(value) = self.agreed_value(board, SOLVED, ply) {
            return value.round_to_score();
        }
        self.play_best((board, state), moves, alpha, beta, ply)
    }

    /// Hands a position over to the solver for the middle of the endgame.
    fn solve_mid(&mut self, board: &Board, moves: Bitboard, alpha: Score, beta: Score) -> Score {
        let before = self.mid.nodes;
        let score = self
            .mid
            .solve(*board, moves, self.evaluator.light(), alpha, beta);
        self.add_nodes(self.mid.nodes - before);
        score
    }

    /// The best score of `moves`, which are not empty.
    fn play_best(
        &mut self,
        (board, state): Node<E::State>,
        moves: Bitboard,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let is_pv = beta - alpha > 1;
        let empties = board.empty_count();
        let window = (Value::from_score(alpha), Value::from_score(beta));
        if !is_pv
            && self.techniques.contains(Techniques::STABILITY)
            && let Some(upper) = stable_bound(board, empties, alpha)
        {
            return upper;
        }
        let reach = Reach {
            depth: SOLVED,
            selectivity: self.pruning.selectivity,
        };
        let use_table = self.techniques.contains(Techniques::TABLE);
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.table.probe(board) {
            if !is_pv && let Some(value) = entry.cut(reach, window) {
                return value.round_to_score();
            }
            table_moves = entry.moves_of_depth(TABLE_MOVES_DEPTH);
        }

        if !is_pv && let Some(value) = self.probcut((board, state), moves, SOLVED, window.1, ply) {
            return if value >= window.1 { beta } else { alpha };
        }

        let mut candidates: ArrayVec<_, MOST_MOVES> = moves
            .squares()
            .map(|square| Candidate::new(board, square))
            .collect();
        if let Some(last) = candidates.iter().find(|mv| mv.child.player.is_empty()) {
            self.pv.replace(ply, vec![Move::Place(last.square)]);
            return 64;
        }
        if !is_pv
            && use_table
            && self.techniques.contains(Techniques::ETC)
            && let Some(score) = self.known_endgame_cut(&candidates, reach, window.1)
        {
            return score;
        }
        self.rank((board, state), &mut candidates, table_moves, empties, ply);

        let (mut best, mut best_square) = (NONE, None);
        for tried in 0..candidates.len() {
            if tried > 0 && self.splits_empties(empties, candidates.len() - tried) {
                let best_so_far = (Value::from_score(best), best_square);
                let moves = remaining(&mut candidates[tried..]);
                let found = self.split(Fork {
                    board: *board,
                    ply,
                    task: Task::Endgame(*state),
                    window,
                    is_pv,
                    pruning: self.pruning,
                    agreed: self.agreed.clone(),
                    best: best_so_far,
                    moves,
                });
                (best, best_square) = (found.0.round_to_score(), found.1);
                if self.stopped {
                    return 0;
                }
                break;
            }
            let Candidate {
                square,
                child,
                replies,
                ..
            } = take_cheapest(&mut candidates[tried..], |candidate| candidate.cost);
            let state = self.evaluator.after(state, board, &child);
            let child = (&child, &state);
            let floor = alpha.max(best);
            // Principal variation search: the later moves only have to be shown not better.
            let scout = tried > 0 && is_pv && self.techniques.contains(Techniques::NULL_WINDOW);
            let ceiling = if scout { floor + 1 } else { beta };
            let mut score = -self.solve_moves(child, replies, -ceiling, -floor, ply + 1);
            if scout && floor < score && score < beta {
                score = -self.solve_moves(child, replies, -beta, -floor, ply + 1);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_square = Some(square);
                    if is_pv {
                        self.pv.extend(ply, Move::Place(square));
                    }
                }
                if score >= beta {
                    break;
                }
            }
        }
        if use_table {
            self.table
                .store(board, reach, window, Value::from_score(best), best_square);
        }
        best
    }

    /// A score of at least `beta` that the table knows one of the moves to have (enhanced transposition cut-off, Plaat et al.
    /// 1996).
    fn known_endgame_cut(
        &self,
        candidates: &[Candidate],
        reach: Reach,
        beta: Value,
    ) -> Option<Score> {
        candidates
            .iter()
            .filter_map(|candidate| self.table.probe(&candidate.child))
            .map(|entry| -entry.upper(reach))
            .find(|&lower| lower >= beta)
            .map(Value::round_to_score)
    }

    /// Gives each candidate its cost: the moves that the table remembers first.
    fn rank(
        &mut self,
        (board, state): Node<E::State>,
        candidates: &mut [Candidate],
        table_moves: [Option<Square>; 2],
        empties: u32,
        ply: usize,
    ) {
        let odd = if self.techniques.contains(Techniques::PARITY) {
            OddQuadrants::of(board.empties())
        } else {
            OddQuadrants::NONE
        };
        let depth = EVALUATED_EMPTIES
            .iter()
            .rposition(|&least| empties >= least);
        for candidate in candidates {
            if table_moves[0] == Some(candidate.square) {
                candidate.cost = i32::MIN;
                continue;
            }
            if table_moves[1] == Some(candidate.square) {
                candidate.cost = i32::MIN + 1;
                continue;
            }
            let mobility =
                candidate.replies.count() + (candidate.replies & Bitboard::CORNERS).count();
            candidate.cost = points::REPLY * mobility as i32
                - points::ODD_QUADRANT * i32::from(odd.contains(candidate.square));
            if let Some(depth) = depth {
                let (alpha, beta) = (Value::NEG_INFINITY, Value::INFINITY);
                let state = self.evaluator.after(state, board, &candidate.child);
                let child = (&candidate.child, &state);
                let value = if depth == 0 {
                    let moves = candidate.replies;
                    self.evaluator.value(&candidate.child, moves, &state)
                } else {
                    self.midgame(child, depth as u32, alpha, beta, ply + 1)
                };
                candidate.cost += points::DISC * value.units() / Value::PER_DISC;
            }
        }
    }
}

/// A move to try.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    square: Square,
    child: Board,
    replies: Bitboard,
    cost: i32,
}

impl Candidate {
    /// The legal move `square`, not yet ranked.
    fn new(board: &Board, square: Square) -> Candidate {
        let (child, replies) = board.advance(square);
        Candidate {
            square,
            child,
            replies,
            cost: 0,
        }
    }
}

/// The moves of these candidates, the cheapest first, and the boards they lead to.
fn remaining(candidates: &mut [Candidate]) -> Vec<(Square, Board)> {
    candidates.sort_by_key(|candidate| candidate.cost);
    candidates.iter().map(|mv| (mv.square, mv.child)).collect()
}
