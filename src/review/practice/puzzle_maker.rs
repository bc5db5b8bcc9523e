//! [`PuzzleMaker`]: selects positions with one best move as puzzles. The puzzles are spread evenly
//! over difficulties and numbers of empties.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::Puzzle;
use crate::judgement::DECIDED;
use emilia_core::board::{Board, Move, Position, Square};
use emilia_core::search::{Engine, Goal, Limits, Line, OutOfMemory, Silent};
use emilia_player::people::{Human, PeopleView, small_engine};

/// Minimum lead of the best move over the second best, in discs.
pub const MIN_LEAD: f64 = 3.0;

/// Minimum lead in discs if only the best move wins. Such a move needs less than [`MIN_LEAD`].
const MIN_WINNING_LEAD: f64 = 2.0;

/// Minimum lead in discs in the shallow searches, which reject most positions quickly.
const FIRST_LEAD: f64 = 1.5;

/// Allowed numbers of empties in a puzzle.
const EMPTIES: RangeInclusive<u32> = 8..=52;

/// Maximum number of empties at which the scores of a puzzle are exact.
pub(super) const EXACT: u32 = 22;

/// Search depths, in plies, for puzzles with more than [`EXACT`] empties. The last [`STABLE`] of
/// these searches must agree on the best move, and in each of them this move must lead by at least
/// [`MIN_LEAD`] or be proved to be the only move that wins.
const DEPTHS: [u32; 7] = [10, 14, 18, 22, 23, 24, 25];
const STABLE: usize = 4;

/// Minimum number of legal moves in a puzzle.
const MIN_MOVES: u32 = 4;

/// Puzzles are classified by empties and by difficulty. `BANDS` is the number of classes by
/// empties. `TENTHS` is the number of classes by difficulty: from one to nine tenths of the players
/// find the best move.
const BANDS: usize = 5;
const TENTHS: usize = 9;

/// Selects puzzles from positions. Each call of [`puzzle`](Self::puzzle) examines one position.
#[derive(Debug)]
pub struct PuzzleMaker {
    engine: Engine,
    /// Engine for the model of human players.
    small: Engine,
    /// Canonical boards of the positions examined so far.
    seen: HashSet<Board>,
    /// Number of puzzles by class of empties and by class of difficulty.
    counts: [[usize; TENTHS]; BANDS],
    /// Maximum number of puzzles in each class.
    most: usize,
}

impl PuzzleMaker {
    /// Creates a maker for `count` puzzles in total. `made` are the puzzles that exist already, and
    /// `engine` runs the searches.
    pub fn new(engine: Engine, made: &[Puzzle], count: usize) -> Result<PuzzleMaker, OutOfMemory> {
        let mut maker = PuzzleMaker {
            engine,
            small: small_engine()?,
            seen: HashSet::new(),
            counts: [[0; TENTHS]; BANDS],
            most: count.div_ceil(BANDS * TENTHS),
        };
        for puzzle in made {
            maker.seen.insert(puzzle.board.canonical());
            *maker.count(&puzzle.board, f64::from(puzzle.found) / 100.0) += 1;
        }
        Ok(maker)
    }

    /// Returns the puzzle of `position`. `None` if the position is not suitable, was examined
    /// before, or belongs to a class that has enough puzzles. Also `None` if the engine is
    /// interrupted.
    pub fn puzzle(&mut self, position: &Position) -> Option<Puzzle> {
        let board = position.board;
        let is_open = EMPTIES.contains(&board.empty_count())
            && board.legal_moves().count() >= MIN_MOVES
            && self.seen.insert(board.canonical());
        if !is_open {
            return None;
        }
        let first = PeopleView::of(&mut self.small, position, &[], Human::AVERAGE);
        if self.is_full(&board, &first) {
            return None;
        }
        let (best, lead) = self.lead(&board)?;
        let moves = first.shares.iter().map(|&(mv, _)| mv);
        let others = moves.filter(|&mv| mv != Move::Place(best));
        let known: Vec<(Move, f64)> = [(Move::Place(best), 0.0)]
            .into_iter()
            .chain(others.map(|mv| (mv, lead)))
            .collect();
        let view = PeopleView::of(&mut self.small, position, &known, Human::AVERAGE);
        if self.is_full(&board, &view) || self.engine.interrupt().is_set() {
            return None;
        }
        *self.count(&board, view.difficulty.found) += 1;
        Some(Puzzle {
            board,
            best,
            mistake: known.get(1)?.0.square()?,
            found: (100.0 * view.difficulty.found).round() as u8,
            lead: (2.0 * lead).round() as u8,
        })
    }

    fn is_full(&mut self, board: &Board, view: &PeopleView) -> bool {
        let most = self.most;
        *self.count(board, view.difficulty.found) >= most
    }

    /// Returns the counter of the class for the empties of `board` and for the share `found` of
    /// players who find the best move.
    fn count(&mut self, board: &Board, found: f64) -> &mut usize {
        let empties = board.empty_count() - EMPTIES.start();
        let bands = EMPTIES.end() - EMPTIES.start() + 1;
        let band = empties as usize * BANDS / bands as usize;
        let tenth = (10.0 * found).round().clamp(1.0, TENTHS as f64) as usize;
        &mut self.counts[band][tenth - 1]
    }

    /// Returns the best move and its lead in discs. `None` if the lead is too small, or if the
    /// searches disagree on the best move.
    fn lead(&mut self, board: &Board) -> Option<(Square, f64)> {
        self.engine.clear();
        if board.empty_count() <= EXACT {
            self.lead_to(board, &Limits::depth(DEPTHS[0]), FIRST_LEAD)?;
            return self.lead_to(board, &Limits::solve(Goal::Exact), MIN_LEAD);
        }
        let mut found = None;
        for (number, depth) in DEPTHS.into_iter().enumerate() {
            let is_first = number < DEPTHS.len() - STABLE;
            let least = if is_first { FIRST_LEAD } else { MIN_LEAD };
            let now = self.lead_to(board, &Limits::depth(depth), least)?;
            if found.is_some_and(|(best, _)| best != now.0) && number > DEPTHS.len() - STABLE {
                return None;
            }
            found = Some(now);
        }
        found
    }

    /// Returns the best move of one search and its lead in discs. `None` if the lead is below
    /// `least`, the position is decided, or the engine is interrupted. A lead of
    /// [`MIN_WINNING_LEAD`] is enough if the search proves that only the best move wins.
    fn lead_to(&mut self, board: &Board, limits: &Limits, least: f64) -> Option<(Square, f64)> {
        let lines = self.engine.multi_pv(board, 2, limits, &mut Silent);
        let [best, second] = &lines[..] else {
            return None;
        };
        let [value, other] = [best, second].map(|line: &Line| line.value.discs());
        let lead = value - other;
        let is_solved = best.depth.is_solved() && second.depth.is_solved();
        let is_only_win = is_solved && value > 0.0 && other <= 0.0 && lead >= MIN_WINNING_LEAD;
        let is_enough = (lead >= least || is_only_win) && value.abs() < DECIDED;
        let square = best.best_move()?.square()?;
        (is_enough && !self.engine.interrupt().is_set()).then_some((square, lead))
    }
}
