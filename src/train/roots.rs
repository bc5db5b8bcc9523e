//! Solved positions distributed as in a search tree: a search also evaluates positions after bad moves, which games do not
//! contain.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;

use super::random::split_mix64;
use super::solved::{RootSampling, SolvedPosition};
use crate::board::{Board, Move};
use crate::search::{Engine, Limits, Silent};

/// Search depth, in plies, of the moves that lead to a root after the random opening plies.
const GAME_DEPTH: u32 = 4;

/// Leaves kept of each search.
const LEAVES_PER_ROOT: usize = 16;

/// A noisy continuation begins at most this many plies before its first position is kept.
const LEAD_PLIES: u32 = 4;

/// One move in this many of a noisy continuation is random; the others are the best of a search of one ply.
const NOISE_PERIOD: u32 = 2;

/// How solved positions are made from roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roots {
    /// The fewest and the most empty squares of the solved positions: uniform in this range.
    pub empties: (u32, u32),
    /// Depth of the searches whose leaves are kept, in plies.
    pub depth: u32,
    /// The same for all roots; `None` for leaves and noisy continuations in turn.
    pub sampling: Option<RootSampling>,
}

impl Roots {
    /// The most empty squares that solved positions can have: a root has 58 at most, and its search or continuation takes
    /// some of these.
    pub fn most_empties(depth: u32) -> u32 {
        58 - depth.max(LEAD_PLIES)
    }

    /// The solved positions of the root with this number.
    pub(super) fn positions(
        &self,
        engine: &mut Engine,
        random_plies: (u8, u8),
        number: u64,
        random: &mut Rng,
    ) -> Vec<SolvedPosition> {
        let (fewest, most) = self.empties;
        let in_turn = if number.is_multiple_of(2) {
            RootSampling::Leaf
        } else {
            RootSampling::Branch
        };
        let sampling = self.sampling.unwrap_or(in_turn);
        let root_empties = match sampling {
            RootSampling::Leaf => random.u32(fewest..=most) + self.depth,
            RootSampling::Branch => most + random.u32(0..=LEAD_PLIES),
        };
        engine.clear();
        let root = game_position(engine, random_plies, root_empties, random);
        let mut boards = match sampling {
            RootSampling::Leaf => self.leaves(engine, &root, random.u64(..)),
            RootSampling::Branch => self.continuation(engine, root, random),
        };
        // Backwards: what the table has of the later positions helps with the earlier ones.
        boards.reverse();
        let scores = engine.solve_all(&boards);
        let solved = |(board, score)| SolvedPosition {
            board,
            score,
            sampling,
        };
        boards.into_iter().zip(scores).map(solved).collect()
    }

    /// Random leaves of a search of `root`: those with the smallest hashes, so that the number of threads makes no
    /// difference.
    fn leaves(&self, engine: &mut Engine, root: &Board, seed: u64) -> Vec<Board> {
        let horizon = root.empty_count() - self.depth;
        let kept = Mutex::new(BTreeMap::new());
        engine.search_observed(root, &Limits::depth(self.depth), &|board: &Board| {
            if board.empty_count() == horizon {
                let hash = split_mix64(split_mix64(seed, board.player.0), board.opponent.0);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(hash, *board);
                if kept.len() > LEAVES_PER_ROOT {
                    kept.pop_last();
                }
            }
        });
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.into_values().collect()
    }

    /// The positions within the range of empty squares of a noisy continuation from `root` on.
    fn continuation(&self, engine: &mut Engine, root: Board, random: &mut Rng) -> Vec<Board> {
        let (fewest, most) = self.empties;
        let (mut board, mut boards) = (root, Vec::new());
        while board.empty_count() >= fewest {
            if !board.can_move() {
                board = board.pass();
                if !board.can_move() {
                    break;
                }
            }
            if board.empty_count() <= most {
                boards.push(board);
            }
            let is_random = random.u32(..NOISE_PERIOD) == 0;
            let depth = u32::from(!is_random);
            board = played(engine, &board, depth, random);
        }
        boards
    }
}

/// A position of a game with this many empty squares: after random opening plies, and searched moves after those.
fn game_position(
    engine: &mut Engine,
    (fewest, most): (u8, u8),
    empties: u32,
    random: &mut Rng,
) -> Board {
    loop {
        let random_plies = u32::from(random.u8(fewest..=most));
        let mut board = Board::START;
        while board.empty_count() > empties && !board.is_over() {
            if !board.can_move() {
                board = board.pass();
            }
            let is_random = 60 - board.empty_count() < random_plies;
            board = played(
                engine,
                &board,
                if is_random { 0 } else { GAME_DEPTH },
                random,
            );
        }
        if !board.can_move() {
            board = board.pass();
        }
        // The game was over before: begin another.
        if board.can_move() {
            return board;
        }
    }
}

/// The position after the best move of a search of this depth in plies; after a random move at depth 0.
fn played(engine: &mut Engine, board: &Board, depth: u32, random: &mut Rng) -> Board {
    let mv = if depth == 0 {
        let square = random.choice(board.legal_moves().squares());
        square.map(Move::Place)
    } else {
        let line = engine.search(board, &Limits::depth(depth), &mut Silent);
        line.best_move()
    };
    board.make(mv.unwrap_or(Move::Pass))
}
