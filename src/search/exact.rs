//! The exact search: to the end of the game, in whole discs. Stands on `searcher` and `ordering`.

use super::Techniques;
use super::ordering::{Hints, MoveList, odd_quadrants};
use super::searcher::Searcher;
use super::table::SOLVED;
use crate::board::{Board, Move, Score};
use crate::eval::Value;

/// From this many empty squares on, a position is looked up in the table and stored.
const TABLE_EMPTIES: u32 = 7;

/// From this many empty squares on, counting the opponent's replies costs less than it saves.
const FASTEST_FIRST_EMPTIES: u32 = 6;

impl Searcher<'_> {
    /// [`exact`](Self::exact) for a window in values: the narrowest window of whole discs around it.
    pub(super) fn exact_value(
        &mut self,
        board: &Board,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let lower = alpha.units().div_euclid(Value::PER_DISC);
        let upper = (beta.units() + Value::PER_DISC - 1).div_euclid(Value::PER_DISC);
        Value::from_score(self.exact(board, lower, upper, ply))
    }

    /// The final score of `board` under best play, for the side to move, fail-soft in the window (`alpha`, `beta`). In
    /// an open window the line to the end of the game is left in `pv` at `ply`.
    pub(super) fn exact(&mut self, board: &Board, alpha: Score, beta: Score, ply: usize) -> Score {
        self.visit();
        if self.stopped {
            return 0;
        }
        let is_pv = beta - alpha > 1;
        if is_pv {
            self.pv.clear(ply);
        }

        let squares = board.legal_moves();
        if squares.is_empty() {
            let passed = board.pass();
            if !passed.can_move() {
                return board.final_score();
            }
            let score = -self.exact(&passed, -beta, -alpha, ply + 1);
            if is_pv {
                self.pv.extend(ply, Move::Pass);
            }
            return score;
        }

        let empties = board.empty_count();
        let window = (Value::from_score(alpha), Value::from_score(beta));
        let use_table = empties >= TABLE_EMPTIES && self.techniques.contains(Techniques::TABLE);
        let mut table_moves = [None; 2];
        if use_table && let Some(entry) = self.table.probe(board) {
            if !is_pv {
                let (lower, upper) = (entry.lower(SOLVED), entry.upper(SOLVED));
                if lower >= window.1 || lower == upper {
                    return lower.round_to_score();
                }
                if upper <= window.0 {
                    return upper.round_to_score();
                }
            }
            table_moves = entry.moves();
        }

        let hints = Hints {
            techniques: self.techniques,
            cut_moves: &self.cut_moves,
            ply,
            table_moves,
            count_replies: empties >= FASTEST_FIRST_EMPTIES,
            odd_regions: odd_quadrants(board.empties()),
        };
        let mut best = (-Score::MAX, None);
        for mv in MoveList::new(board, squares, &hints) {
            let floor = alpha.max(best.0);
            let first = best.0 == -Score::MAX;
            let score = self.score_of_move(&mv.child, floor, beta, ply, first);
            if self.stopped {
                return 0;
            }
            if score > best.0 {
                best.0 = score;
                if score > alpha {
                    best.1 = Some(mv.square);
                    if is_pv {
                        self.pv.extend(ply, Move::Place(mv.square));
                    }
                }
                if score >= beta {
                    self.cut_moves.record(ply, empties, mv.square);
                    break;
                }
            }
        }
        if use_table {
            self.table
                .store(board, SOLVED, window, Value::from_score(best.0), best.1);
        }
        best.0
    }
    /// The score of the move to `child`; moves after the first only have to prove that they are no better.
    pub(super) fn score_of_move(
        &mut self,
        child: &Board,
        alpha: Score,
        beta: Score,
        ply: usize,
        first: bool,
    ) -> Score {
        if !first && beta - alpha > 1 && self.techniques.contains(Techniques::NULL_WINDOW) {
            let score = -self.exact(child, -alpha - 1, -alpha, ply + 1);
            if score <= alpha || score >= beta || self.stopped {
                return score;
            }
        }
        -self.exact(child, -beta, -alpha, ply + 1)
    }
}
