//! Iterative deepening, with aspiration windows and several lines (MultiPV). A [`Line`] is a root
//! move with its value, depth and PV. An iteration searches the [`Root`] node in one or more
//! windows, by [`interior`](crate::search::interior).

use std::cmp::Reverse;
use std::ops::Range;

use super::limits::{Goal, Limits};
use super::node::Node;
use super::ordering::{MoveList, OrderingHints};
use super::parameters::root::{
    ASPIRATION, ENDGAME_ASPIRATION, EXACT_LEAD, LEAST_SELECTIVITY, MAX_DEPTH_BEFORE_SOLVING,
    SOLVE_LEAD, SOLVE_STAGES, STAGED_EMPTIES, SURE_STAGE_EMPTIES, WIDENING,
};
use super::report::{Depth, Line, Report};
use super::root_moves::{RootMove, merge_images};
use super::searcher::Searcher;
use super::selectivity::Selectivity;
use super::window::{Endgame, Midgame, Root, Window};
use crate::board::{Board, Move, Square};
use crate::eval::{SearchEvaluator, Value};

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Searches `board` by iterative deepening and returns the `count` best lines, best first.
    /// `selectivity` is the selectivity of the first iteration. Later iterations may prune less.
    ///
    /// Returns at least one line.
    /// Several lines (MultiPV) all come from the same completed iteration.
    pub(super) fn deepen(
        &mut self,
        board: &Board,
        count: usize,
        selectivity: Selectivity,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        if !board.can_move() {
            return vec![self.deepen_after_pass(board, selectivity, report)];
        }
        self.nodes += 1;
        let count = self.set_root_moves(board, count);
        let mut lines = Vec::new();
        let mut iteration = Some(Iteration {
            plies: 1,
            selectivity,
        });
        while let Some(current) = iteration {
            self.pruning.selectivity = current.selectivity;
            self.pruning.is_sure_stage =
                current.plies >= board.empty_count() && board.empty_count() >= SURE_STAGE_EMPTIES;
            let done = self.search_iteration(board, count, current.plies);
            if !self.stopped {
                lines = self.root[..done].iter().flat_map(RootMove::lines).collect();
                lines.truncate(count);
                self.note_iteration(lines.first());
                for (index, line) in lines.iter().enumerate() {
                    report.progress(index + 1, &self.counted(line));
                }
            } else if count == 1 {
                // Takes the best move so far of the interrupted iteration: this iteration searches
                // deeper than the previous one.
                lines = self.root[0].line.iter().cloned().collect();
            }
            self.make_interruptible();
            iteration = self.next_iteration(current, board.empty_count());
        }
        lines.iter().map(|line| self.counted(line)).collect()
    }

    /// Sets the root moves to `first_moves` of the limits, or to all legal moves, in the order of
    /// their ordering scores. If several lines are requested, symmetric moves are merged. Returns
    /// `count`, but at least 1 and at most the number of root moves before merging.
    fn set_root_moves(&mut self, board: &Board, count: usize) -> usize {
        let legal = board.legal_moves();
        let wanted = self.limits.first_moves.map(|squares| squares & legal);
        let squares = wanted.filter(|squares| !squares.is_empty());
        let hints = OrderingHints {
            history: &self.own.history,
            ply: 0,
            table_moves: [None; 2],
        };
        let mut moves = MoveList::default();
        moves.add::<Midgame>(board, squares.unwrap_or(legal), &hints);
        let count = count.clamp(1, moves.len());
        let moves = moves.map(RootMove::new);
        self.root = if count > 1 {
            merge_images(moves)
        } else {
            moves.collect()
        };
        count
    }

    /// Runs one iteration at `plies`: searches for the best root move, then for the best of the
    /// others, and so on, until `count` legal moves have a line. A root move counts for itself and
    /// for each symmetric move merged into it.
    ///
    /// Puts the best root moves at the front of `self.root`, the best first, and returns their
    /// number.
    fn search_iteration(&mut self, board: &Board, count: usize, plies: u32) -> usize {
        let legal: usize = self.root.iter().map(RootMove::moves).sum();
        let (mut done, mut found) = (0, 0);
        while found < count {
            // If every move is requested, each move gets its own search. A search for the best of
            // the remaining moves would only add nodes.
            let all = self.root.len();
            let end = if count == legal { done + 1 } else { all };
            self.aspiration_search(board, done..end, plies);
            if self.stopped {
                self.mark_unsolved(done, plies);
                break;
            }
            found += self.root[done].moves();
            done += 1;
        }
        self.root[..done]
            .sort_by_key(|candidate| Reverse(candidate.line.as_ref().map(|line| line.value)));
        done
    }

    /// Returns the iteration after `current`, or `None` if `current` was the last iteration or too
    /// little time is left.
    fn next_iteration(&mut self, current: Iteration, empties: u32) -> Option<Iteration> {
        let has_time = self.has_time_to_solve(empties);
        let next = current.next(empties, &self.limits, has_time);
        if has_time && next.is_some_and(|next| next.plies == empties) {
            // `has_time` already compares the time left with the estimated time of the solve, so
            // `allows_next_iteration` is not called.
            self.begin_solving();
            return next;
        }
        next.filter(|_| self.allows_next_iteration())
    }

    /// Returns `line` with the nodes and the time of the search so far.
    fn counted(&self, line: &Line) -> Line {
        Line {
            nodes: self.nodes,
            elapsed: self.elapsed(),
            ..line.clone()
        }
    }

    /// Returns the best line on a `board` without a legal move: a pass followed by the opponent's
    /// best line, or an empty line when the game is over.
    fn deepen_after_pass(
        &mut self,
        board: &Board,
        selectivity: Selectivity,
        report: &mut dyn Report,
    ) -> Line {
        fn before_pass(mut line: Line) -> Line {
            line.pv.insert(0, Move::Pass);
            line.value = -line.value;
            line
        }

        let passed = board.pass();
        if passed.can_move() {
            let mut after_pass = |multi_pv: usize, line: &Line| {
                report.progress(multi_pv, &before_pass(line.clone()));
            };
            let mut lines = self.deepen(&passed, 1, selectivity, &mut after_pass);
            return before_pass(lines.swap_remove(0));
        }
        self.nodes += 1;
        let value = Value::from_score(board.final_score());
        self.line(self.shared.goal.depth(), value, Vec::new())
    }

    /// Finds the best of the root moves in `range` at `plies`, and puts this root move with its
    /// line at the front of `range`.
    /// Aspiration: searches in a narrow window around the value of the last iteration, and widens
    /// the window until the value is inside.
    fn aspiration_search(&mut self, board: &Board, range: Range<usize>, plies: u32) {
        let is_solve = plies >= board.empty_count();
        if self.shared.goal == Goal::Wld && is_solve {
            return self.solve_wld(board, range);
        }
        // The window is clamped to the values just outside the range of scores. The score of a
        // wipe-out, an end of the range, is then inside the window.
        let within = |value: Value| value.clamp(Value::NEG_INFINITY, Value::INFINITY);
        let mut width = if is_solve {
            ENDGAME_ASPIRATION
        } else {
            ASPIRATION
        };
        let expected = self.root[range.start].line.as_ref().map(|line| line.value);
        let around = |value| Window::new(within(value - width), within(value + width));
        let mut window = expected.map_or(Window::FULL, around);
        loop {
            let value = self.search_root(board, range.clone(), plies, window);
            if self.stopped || (window.alpha < value && value < window.beta) {
                return;
            }
            width = Value::from_units(width.units() * WIDENING);
            if value <= window.alpha {
                window.alpha = within(value - width);
            } else {
                window.beta = within(value + width);
            }
        }
    }

    /// Searches the root moves in `range` for win, draw or loss only. Puts the best of them with
    /// its line at the front of `range`.
    fn solve_wld(&mut self, board: &Board, range: Range<usize>) {
        let empties = board.empty_count();
        let disc = Value::from_score(1);
        let front = range.start;
        let value = self.search_root(board, range, empties, Window::new(-disc, disc));
        if value <= -disc && !self.stopped {
            // All moves lose. The line is the best move of the previous iteration, which is still
            // at the front of `range`.
            let pv = vec![Move::Place(self.root[front].mv.square)];
            self.root[front].line = Some(self.root_line(board, pv, value, empties));
        }
    }

    /// Searches the root moves in `range` at `plies` and returns the best value, fail-soft.
    /// Puts the best root move with its line at the front of `range`.
    fn search_root(
        &mut self,
        board: &Board,
        range: Range<usize>,
        plies: u32,
        window: Window,
    ) -> Value {
        let node = Node {
            board: *board,
            state: &self.shared.evaluator.state(board),
            ply: 0,
            depth: plies,
            window,
            moves: board.legal_moves(),
        };
        self.root_front = range.start;
        let mut moves = MoveList::in_order(self.root[range].iter().map(|candidate| candidate.mv));
        let (value, _) = if node.is_endgame() {
            self.search_moves::<Root, Endgame>(&node.as_endgame(), &mut moves)
        } else {
            self.search_moves::<Root, Midgame>(&node, &mut moves)
        };
        value
    }

    /// Records the move on `square` as the best root move found so far by the current root search.
    /// Puts the move, with its line, in front of the other root moves of this search.
    pub(super) fn move_to_front(&mut self, root: &Node<&E::State>, square: Square, value: Value) {
        let front = self.root_front;
        let mut moves = self.root[front..].iter();
        let Some(index) = moves.position(|candidate| candidate.mv.square == square) else {
            return;
        };
        self.root[front..=front + index].rotate_right(1);
        // After a fail-high, `self.own.pv` does not hold the replies to this move.
        let pv = if value < root.window.beta {
            self.own.pv.line(0).to_vec()
        } else {
            vec![Move::Place(square)]
        };
        self.root[front].line = Some(self.root_line(&root.board, pv, value, root.depth));
    }

    fn root_line(&self, board: &Board, mut pv: Vec<Move>, value: Value, plies: u32) -> Line {
        self.lengthen(board, &mut pv, plies);
        let is_solved =
            plies >= board.empty_count() && self.pruning.selectivity == Selectivity::P100;
        let depth = if is_solved {
            self.shared.goal.depth()
        } else {
            Depth::Plies(plies, self.pruning.selectivity)
        };
        self.line(depth, value, pv)
    }

    /// Returns a line with the nodes and the time of the search so far.
    /// At [`Depth::Wld`] the value of the line is the sign of `value`, in discs.
    fn line(&self, depth: Depth, value: Value, pv: Vec<Move>) -> Line {
        let value = if depth == Depth::Wld {
            Value::from_score(value.units().signum())
        } else {
            value
        };
        Line {
            value,
            depth,
            pv,
            nodes: self.nodes,
            elapsed: self.elapsed(),
        }
    }

    /// Extends `pv` with best moves from the transposition table until `pv` has `plies` moves,
    /// passes not counted. Ends earlier at a position without a best move in the table.
    fn lengthen(&self, board: &Board, pv: &mut Vec<Move>, plies: u32) {
        let mut board = pv.iter().fold(*board, |board, &mv| board.play_or_pass(mv));
        let mut missing =
            (plies as usize).saturating_sub(pv.iter().filter(|&&mv| mv != Move::Pass).count());
        while missing > 0 && !board.is_over() {
            let squares = board.legal_moves();
            let mut mv = Move::Pass;
            if !squares.is_empty() {
                let entry = self.shared.table.probe(&board).entry();
                let best = entry.and_then(|entry| entry.moves[0]);
                let Some(square) = best.filter(|&square| squares.contains(square)) else {
                    return;
                };
                missing -= 1;
                mv = Move::Place(square);
            }
            board = board.play_or_pass(mv);
            pv.push(mv);
        }
    }

    /// Marks the lines of the root moves from index `front` on as not solved.
    /// The search of these root moves was interrupted, so a move not searched yet may be better.
    fn mark_unsolved(&mut self, front: usize, plies: u32) {
        let selectivity = self.pruning.selectivity.min(Selectivity::P99);
        let lines = self.root[front..].iter_mut().flat_map(|mv| &mut mv.line);
        for line in lines.filter(|line| line.depth.is_solved()) {
            line.depth = Depth::Plies(plies, selectivity);
        }
    }
}

/// Depth and selectivity of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Iteration {
    plies: u32,
    selectivity: Selectivity,
}

impl Iteration {
    /// Returns the next iteration, or `None` if this was the last iteration. `has_time` means that
    /// the remaining time is estimated to be enough for a solve.
    fn next(self, empties: u32, limits: &Limits, has_time: bool) -> Option<Iteration> {
        let exact = limits.solve_from_empties;
        let is_asked = exact.is_some_and(|exact| empties <= exact);
        let reaches_full_width = is_asked || has_time;
        let mut solves = stages(empties, reaches_full_width).map(|selectivity| Iteration {
            plies: empties,
            selectivity,
        });
        if self.plies >= empties {
            return solves.find(|solve| solve.selectivity > self.selectivity);
        }
        let last = limits.depth.or(is_asked.then_some(empties));
        if last.is_some_and(|last| self.plies >= last) {
            return solves.next().filter(|_| is_asked);
        }
        let plies = self.plies + self.step(last);
        let deepest = match limits.depth {
            Some(_) if !is_asked => empties.saturating_sub(1),
            None if !reaches_full_width => empties.saturating_sub(EXACT_LEAD),
            _ => MAX_DEPTH_BEFORE_SOLVING.min(empties.saturating_sub(SOLVE_LEAD)),
        };
        if plies > deepest {
            return solves.next();
        }
        Some(Iteration {
            plies,
            selectivity: self.selectivity.max(least_selectivity(plies)),
        })
    }

    /// Returns the number of plies from this iteration to the next. `last` is the depth of the last
    /// iteration, if it is known.
    ///
    /// After the first iteration, only depths with the parity of `last` are searched. Iterations at
    /// the other depths save no nodes: see Forward pruning in `MEASUREMENTS.md`.
    fn step(self, last: Option<u32>) -> u32 {
        match last {
            Some(last) if (last - self.plies).is_multiple_of(2) => 2,
            _ => 1,
        }
    }
}

/// Returns the level with the most forward pruning that [`LEAST_SELECTIVITY`] allows in an
/// iteration of `plies` plies.
fn least_selectivity(plies: u32) -> Selectivity {
    let levels = LEAST_SELECTIVITY.iter().filter(|(from, _)| plies >= *from);
    let level = levels.filter_map(|&(_, percent)| Selectivity::of_percent(percent));
    level.max().unwrap_or_default()
}

/// Returns the stages of a solve: the selectivities of the successive searches to the end of the
/// game.
///
/// - Below [`STAGED_EMPTIES`] empties, the only stage is 100 %.
/// - With `reaches_full_width`, the solve is sure to reach 100 %. The stages are [`SOLVE_STAGES`].
///   From [`SURE_STAGE_EMPTIES`] empties on, 99 % is a stage too.
/// - Otherwise every level is a stage, because the solve may end after any stage.
fn stages(empties: u32, reaches_full_width: bool) -> impl Iterator<Item = Selectivity> {
    let is_stage = move |level: &Selectivity| match (empties < STAGED_EMPTIES, reaches_full_width) {
        (true, _) => *level == Selectivity::P100,
        (false, true) if *level == Selectivity::P99 => empties >= SURE_STAGE_EMPTIES,
        (false, true) => SOLVE_STAGES.contains(&level.percent()),
        (false, false) => true,
    };
    Selectivity::ALL.into_iter().filter(is_stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solve_begins_near_the_end_on_request_or_with_enough_time() {
        let timed = Limits::time(std::time::Duration::from_secs(1));
        let asked = Limits::solve(Goal::Exact);
        let next = |plies, limits: &Limits, has_time| {
            let iteration = Iteration {
                plies,
                selectivity: Selectivity::P87,
            };
            let next = iteration.next(26, limits, has_time);
            next.map(|next| (next.plies, next.selectivity))
        };
        let midgame = |plies| Some((plies, Selectivity::P87));
        let first_stage = Some((26, Selectivity::P73));
        // With 26 empties, a requested solve begins after depth 16, which is
        // `MAX_DEPTH_BEFORE_SOLVING`, and so does a solve for which the time is enough. Without
        // both, the depths continue up to 26 − `EXACT_LEAD`.
        assert_eq!(next(15, &asked, false), midgame(16));
        assert_eq!(next(16, &timed, false), Some((17, Selectivity::P95)));
        assert_eq!(next(16, &timed, true), first_stage);
        assert_eq!(next(16, &asked, false), first_stage);
        assert_eq!(next(5, &timed, true), midgame(6));
        assert_eq!(next(26 - EXACT_LEAD, &timed, false), first_stage);
        // A depth limit ends the search even if time is left for a solve.
        let limits = Limits {
            depth: Some(14),
            ..timed
        };
        assert_eq!(next(13, &limits, true), midgame(14));
        assert_eq!(next(14, &limits, true), None);
    }

    #[test]
    fn iterations_have_the_parity_of_the_last_one_if_it_is_known() {
        let depths = |limits: &Limits| {
            let first = Iteration {
                plies: 1,
                selectivity: Selectivity::P73,
            };
            let after = |iteration: &Iteration| iteration.next(25, limits, false);
            let all = std::iter::successors(Some(first), after);
            all.map(|iteration| iteration.plies).collect::<Vec<_>>()
        };
        assert_eq!(depths(&Limits::depth(8)), [1, 2, 4, 6, 8]);
        assert_eq!(depths(&Limits::depth(7)), [1, 3, 5, 7]);
        let asked = Limits::solve(Goal::Exact);
        assert_eq!(depths(&asked), [1, 3, 5, 7, 9, 11, 13, 15, 25, 25, 25]);
        assert_eq!(depths(&Limits::nodes(9))[..5], [1, 2, 3, 4, 5]);
    }
}
