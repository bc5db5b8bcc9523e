//! Root search: iterative deepening, aspiration windows and several best lines (MultiPV).
//! Each root move is searched by [`interior`](crate::search::interior).

use std::cmp::Reverse;

use crate::board::{Board, Move, Square, Symmetry};
use crate::eval::{SearchEvaluator, Value};
use crate::search::horizon::{End, Plies, TO_THE_END};
use crate::search::ordering::move_list::{LegalMove, MoveList, OrderingHints};
use crate::search::parameters::root::{
    ASPIRATION, ENDGAME_ASPIRATION, EXACT_LEAD, LEAST_SELECTIVITY, MAX_DEPTH_BEFORE_SOLVING,
    SOLVE_LEAD, SOLVE_STAGES, STAGED_EMPTIES, WIDENING,
};
use crate::search::searcher::{Node, Searcher};
use crate::search::window::Window;
use crate::search::{Depth, Goal, Limits, Line, Report, Selectivity, Techniques};

/// Root move with the best line found for it so far.
#[derive(Clone, Debug)]
struct RootMove {
    mv: LegalMove,
    line: Option<Line>,
    /// Symmetric moves, which lead to images of the same board.
    /// The symmetry maps `mv.child` to the board after that move.
    images: Vec<(Square, Symmetry)>,
}

impl RootMove {
    /// Returns the number of legal moves that this root move represents, itself included.
    fn moves(&self) -> usize {
        1 + self.images.len()
    }

    /// Returns the best line that begins with this move, and its image for each symmetric move.
    fn lines(&self) -> impl Iterator<Item = Line> {
        let images = move |line: &Line| {
            let image = |&(square, symmetry): &(Square, Symmetry)| {
                let reply = |mv: &Move| mv.square().map_or(*mv, |at| symmetry.square(at).into());
                let replies = line.pv.iter().skip(1).map(reply);
                let pv = std::iter::once(square.into()).chain(replies).collect();
                Line { pv, ..line.clone() }
            };
            let lines = [line.clone()].into_iter();
            lines
                .chain(self.images.iter().map(image))
                .collect::<Vec<_>>()
        };
        self.line.iter().flat_map(images)
    }
}

/// Merges moves that lead to symmetric boards into the first of them.
fn merge_images(moves: Vec<RootMove>) -> Vec<RootMove> {
    let mut merged: Vec<RootMove> = Vec::with_capacity(moves.len());
    for next in moves {
        let found = merged.iter_mut().find_map(|earlier| {
            let image_of = |symmetry: &Symmetry| symmetry.board(&earlier.mv.child) == next.mv.child;
            Symmetry::all()
                .find(image_of)
                .map(|symmetry| (earlier, symmetry))
        });
        match found {
            Some((earlier, symmetry)) => earlier.images.push((next.mv.square, symmetry)),
            None => merged.push(next),
        }
    }
    merged
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Searches `board` by iterative deepening and returns the `count` best lines, best first.
    ///
    /// Returns at least one line.
    /// With several lines (MultiPV), all come from the same completed iteration.
    pub(crate) fn search_root(
        &mut self,
        board: &Board,
        count: usize,
        selectivity: Selectivity,
        report: &mut dyn Report,
    ) -> Vec<Line> {
        if !board.can_move() {
            return vec![self.search_root_pass(board, selectivity, report)];
        }
        self.nodes += 1;
        let mut moves = self.root_moves(board);
        let all = count >= moves.len();
        let count = count.clamp(1, moves.len());
        if count > 1 {
            moves = merge_images(moves);
        }
        let mut lines = Vec::new();
        let mut iteration = Some(Iteration {
            plies: 1,
            selectivity,
        });
        while let Some(current) = iteration {
            self.pruning.selectivity = current.selectivity;
            let ranked = self.search_iteration(board, &mut moves, count, all, current.plies);
            if !self.stopped {
                lines = ranked.iter().flat_map(RootMove::lines).collect();
                lines.truncate(count);
                self.note_iteration(lines.first());
                for (index, line) in lines.iter().enumerate() {
                    report.progress(index + 1, &self.counted(line));
                }
            } else if count == 1 {
                // A single line is taken from the interrupted iteration: it was searched deeper.
                lines = moves[0].line.iter().cloned().collect();
            }
            self.make_interruptible();
            iteration = self.next_iteration(current, board.empty_count());
        }
        lines.iter().map(|line| self.counted(line)).collect()
    }

    /// Returns the root moves in static order: `first_moves` of the limits, or all legal moves.
    fn root_moves(&self, board: &Board) -> Vec<RootMove> {
        let legal = board.legal_moves();
        let wanted = self.limits.first_moves.map(|squares| squares & legal);
        let squares = wanted.filter(|squares| !squares.is_empty());
        let hints = OrderingHints {
            techniques: self.shared.techniques,
            cut_moves: &self.own.cut_moves,
            ply: 0,
            table_moves: [None; 2],
        };
        let mut moves = MoveList::default();
        moves.add::<Plies>(board, squares.unwrap_or(legal), &hints);
        moves
            .map(|mv| RootMove {
                mv,
                line: None,
                images: Vec::new(),
            })
            .collect()
    }

    /// Runs one iteration: finds the best moves at `plies`, at least `count` with their images.
    ///
    /// Returns these moves with their lines, best first, from the front of `moves`.
    /// `all` means that every legal move is requested.
    fn search_iteration<'m>(
        &mut self,
        board: &Board,
        moves: &'m mut [RootMove],
        count: usize,
        all: bool,
        plies: u32,
    ) -> &'m [RootMove] {
        let (mut done, mut found) = (0, 0);
        while found < count {
            // If every move is requested, each gets its own search.
            // Searching for the best of the rest first would only add nodes.
            let end = if all { done + 1 } else { moves.len() };
            self.search_best(board, &mut moves[done..end], plies);
            if self.stopped {
                self.mark_unsolved(&mut moves[done..], plies);
                break;
            }
            found += moves[done].moves();
            done += 1;
        }
        let ranked = &mut moves[..done];
        ranked.sort_by_key(|candidate| Reverse(candidate.line.as_ref().map(|line| line.value)));
        ranked
    }

    /// Returns the iteration after `current`, or `None` if it was the last or time is short.
    fn next_iteration(&mut self, current: Iteration, empties: u32) -> Option<Iteration> {
        let has_time = self.has_time_to_solve(empties);
        let next = current.next(empties, &self.limits, has_time);
        if has_time && next.is_some_and(|next| next.plies == empties) {
            // The estimate covers a solve, so the check for an ordinary iteration is skipped.
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

    /// Returns the best line of a side without a legal move: a pass followed by the opponent's best
    /// line, or an empty line when the game is over.
    fn search_root_pass(
        &mut self,
        board: &Board,
        selectivity: Selectivity,
        report: &mut dyn Report,
    ) -> Line {
        struct AfterPass<'a>(&'a mut dyn Report);
        impl Report for AfterPass<'_> {
            fn progress(&mut self, multi_pv: usize, line: &Line) {
                self.0.progress(multi_pv, &before_pass(line.clone()));
            }
        }
        fn before_pass(mut line: Line) -> Line {
            line.pv.insert(0, Move::Pass);
            line.value = -line.value;
            line
        }

        let passed = board.pass();
        if passed.can_move() {
            let mut lines = self.search_root(&passed, 1, selectivity, &mut AfterPass(report));
            return before_pass(lines.swap_remove(0));
        }
        self.nodes += 1;
        let value = Value::from_score(board.final_score());
        self.line(self.shared.goal.depth(), value, Vec::new())
    }

    /// Finds the best of `moves` at `plies` and moves it to the front with its line.
    /// Aspiration: widens the window until the value is inside.
    fn search_best(&mut self, board: &Board, moves: &mut [RootMove], plies: u32) {
        if self.shared.goal == Goal::Wld && plies >= board.empty_count() {
            return self.decide(board, moves);
        }
        // A wipe-out, at the end of the value range, must lie inside the open window.
        let alpha = |value| {
            if value > Value::MIN {
                value
            } else {
                Value::NEG_INFINITY
            }
        };
        let beta = |value| {
            if value < Value::MAX {
                value
            } else {
                Value::INFINITY
            }
        };
        let expected = moves[0].line.as_ref().map(|line| line.value);
        let mut window = Window::FULL;
        let aspiration = if plies >= board.empty_count() {
            ENDGAME_ASPIRATION
        } else {
            ASPIRATION
        };
        if let Some(expected) = expected.filter(|_| self.uses(Techniques::ASPIRATION)) {
            window = Window::new(alpha(expected - aspiration), beta(expected + aspiration));
        }
        let mut width = aspiration.units();
        loop {
            let value = self.best_root_move(board, moves, plies, window);
            width *= WIDENING;
            let wider = Value::from_units(width);
            if self.stopped {
                return;
            } else if value <= window.alpha {
                window.alpha = alpha(value - wider);
            } else if value >= window.beta {
                window.beta = beta(value + wider);
            } else {
                return;
            }
        }
    }

    /// Searches for win, draw or loss only, and moves the best move to the front with its line.
    fn decide(&mut self, board: &Board, moves: &mut [RootMove]) {
        let empties = board.empty_count();
        let disc = Value::from_score(1);
        let value = self.best_root_move(board, moves, empties, Window::new(-disc, disc));
        if value <= -disc && !self.stopped {
            // All moves lose. The front still holds the best move of the previous iteration.
            let pv = vec![Move::Place(moves[0].mv.square)];
            moves[0].line = Some(self.root_line(board, pv, value, empties));
        }
    }

    /// Searches all `moves` in one window and returns the best value, fail-soft.
    /// Moves the best move to the front with its line.
    /// With several threads, the first move is searched by one, and the others are split among all.
    fn best_root_move(
        &mut self,
        board: &Board,
        moves: &mut [RootMove],
        plies: u32,
        window: Window,
    ) -> Value {
        let is_end = plies >= board.empty_count();
        let evaluator = self.shared.evaluator;
        let node = Node {
            board,
            state: &evaluator.state(board),
            ply: 0,
            depth: if is_end { TO_THE_END } else { plies },
            window: if is_end { window.in_discs() } else { window },
            moves: board.legal_moves(),
        };
        let Window { alpha, beta } = node.window;
        let mut best = Value::NEG_INFINITY;
        for index in 0..moves.len() {
            if index > 0 && self.splits(&node, moves.len() - index) {
                let front = (best > alpha).then(|| moves[0].mv.square);
                let rest = moves[index..].iter().map(|next| next.mv);
                let (value, square) = self.split(&node, (best, front), rest);
                let found = moves
                    .iter()
                    .position(|candidate| Some(candidate.mv.square) == square);
                if let Some(index) = found.filter(|_| square != front) {
                    self.move_to_front(board, &mut moves[..=index], value, beta, plies);
                }
                return value;
            }
            let child = &moves[index].mv.child;
            let state = evaluator.after(node.state, board, child);
            let child = Node {
                window: -node.window.above(best),
                ..node.child(&moves[index].mv, &state)
            };
            let value = if is_end {
                self.value_of_move::<End>(&child, index)
            } else {
                self.value_of_move::<Plies>(&child, index)
            };
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    self.move_to_front(board, &mut moves[..=index], value, beta, plies);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Moves the last of `moves`, the new best move, to the front with its line.
    fn move_to_front(
        &mut self,
        board: &Board,
        moves: &mut [RootMove],
        value: Value,
        beta: Value,
        plies: u32,
    ) {
        moves.rotate_right(1);
        // After a fail-high `pv` does not hold the replies to this move.
        let reply = if value < beta {
            self.own.pv.line(1)
        } else {
            &[]
        };
        let pv = [&[Move::Place(moves[0].mv.square)], reply].concat();
        moves[0].line = Some(self.root_line(board, pv, value, plies));
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
    /// At [`Depth::Wld`] its value is the sign of `value`.
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

    /// Extends `pv` to `plies` moves with table moves, as far as the table has any.
    fn lengthen(&self, board: &Board, pv: &mut Vec<Move>, plies: u32) {
        let mut board = pv.iter().fold(*board, |board, &mv| board.make(mv));
        let mut missing =
            (plies as usize).saturating_sub(pv.iter().filter(|&&mv| mv != Move::Pass).count());
        while missing > 0 && !board.is_over() {
            let squares = board.legal_moves();
            let mv = if squares.is_empty() {
                Move::Pass
            } else {
                let table_move = self
                    .shared
                    .table
                    .probe(&board)
                    .and_then(|entry| entry.moves[0]);
                let Some(square) = table_move.filter(|&square| squares.contains(square)) else {
                    return;
                };
                missing -= 1;
                Move::Place(square)
            };
            board = board.make(mv);
            pv.push(mv);
        }
    }

    /// Marks the lines of an interrupted search as not solved: an unsearched move may be better.
    fn mark_unsolved(&self, moves: &mut [RootMove], plies: u32) {
        let lines = moves
            .iter_mut()
            .filter_map(|candidate| candidate.line.as_mut());
        for line in lines.filter(|line| line.depth.is_solved()) {
            line.depth = Depth::Plies(plies, self.pruning.selectivity.min(Selectivity::P99));
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
    /// Returns the next iteration, or `None` if this was the last one.
    /// `has_time` means that the remaining time is estimated to be enough for a solve.
    fn next(self, empties: u32, limits: &Limits, has_time: bool) -> Option<Iteration> {
        let solve_now = limits
            .solve_from_empties
            .is_some_and(|exact| empties <= exact);
        let stages = stages(empties, solve_now || has_time);
        let solve_at = |selectivity| Iteration {
            plies: empties,
            selectivity,
        };
        if self.plies >= empties {
            let surer = stages.iter().find(|&&stage| stage > self.selectivity);
            return surer.copied().map(solve_at);
        }
        let solve = solve_at(stages[0]);
        if limits.depth.is_some_and(|depth| self.plies >= depth) {
            return solve_now.then_some(solve);
        }
        // Where the last iteration is known, only those of its parity lead to it. The others save
        // nothing (measured: see Forward pruning in `MEASUREMENTS.md`).
        let last = limits.depth.or(solve_now.then_some(empties));
        let two =
            last.is_some_and(|last| last > self.plies && (last - self.plies).is_multiple_of(2));
        let next = self.plies + if two { 2 } else { 1 };
        let near_the_end = limits.depth.is_none() && next + EXACT_LEAD > empties;
        let solve_soon = solve_now || has_time && limits.depth.is_none();
        let deep_enough =
            solve_soon && (next + SOLVE_LEAD > empties || next > MAX_DEPTH_BEFORE_SOLVING);
        Some(if near_the_end || deep_enough || next == empties {
            solve
        } else {
            let level = |&(from, level): &(u32, _)| (next >= from).then_some(level);
            let floor = LEAST_SELECTIVITY.iter().filter_map(level).max();
            Iteration {
                plies: next,
                selectivity: self.selectivity.max(floor.unwrap_or_default()),
            }
        })
    }
}

/// Returns the selectivities of the successive searches to the end of the game.
/// The stages are few if the last is sure to be reached. Else each may give the answer.
fn stages(empties: u32, is_sure: bool) -> &'static [Selectivity] {
    match (empties < STAGED_EMPTIES, is_sure) {
        (true, _) => &[Selectivity::P100],
        (false, true) => &SOLVE_STAGES,
        (false, false) => &Selectivity::ALL,
    }
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
        // With 26 empties a requested solve begins after 16 plies. Otherwise depth 17 follows.
        assert_eq!(next(15, &asked, false), midgame(16));
        assert_eq!(next(16, &timed, false), Some((17, Selectivity::P95)));
        assert_eq!(next(16, &timed, true), first_stage);
        assert_eq!(next(16, &asked, false), first_stage);
        assert_eq!(next(5, &timed, true), midgame(6));
        assert_eq!(next(26 - EXACT_LEAD, &timed, false), first_stage);
        // A depth limit holds whatever the time left.
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
