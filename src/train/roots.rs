//! Positions as a search meets them, not as games do: a search evaluates what bad moves lead to, a game holds what good
//! moves lead to. Each is solved. Stands on `solved` and `search`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;

use super::selfplay::mixed;
use super::solved::{SolvedPosition, Source};
use crate::board::{Board, Move};
use crate::search::{Engine, Limits, Silent};

/// Plies of the searches that play the game up to a root.
const GAME_DEPTH: u32 = 4;

/// Leaves that are kept of a search.
const LEAVES_PER_ROOT: usize = 16;

/// A noisy continuation begins up to so many plies before its first position is kept.
const LEAD: u32 = 4;

/// One move in so many of a noisy continuation is random; the others are what a search of one ply likes best.
const RANDOM_MOVES: u32 = 2;

/// What is kept of the game positions called roots: leaves of a search, or a noisy continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roots {
    /// The fewest and the most empty squares of what is kept, each number as often as the others.
    pub empties: (u32, u32),
    /// Plies of the searches whose leaves are kept.
    pub depth: u32,
    /// What all roots give; `None` for leaves and continuations in turns.
    pub source: Option<Source>,
}

impl Roots {
    /// The most empty squares that positions of these roots can have in a game with one random move and one more.
    pub fn most_empties(depth: u32) -> u32 {
        58 - depth.max(LEAD)
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
            Source::Leaf
        } else {
            Source::Branch
        };
        let source = self.source.unwrap_or(in_turn);
        let root_empties = match source {
            Source::Leaf => random.u32(fewest..=most) + self.depth,
            Source::Branch => most + random.u32(0..=LEAD),
        };
        engine.clear();
        let root = game_position(engine, random_plies, root_empties, random);
        let mut boards = match source {
            Source::Leaf => self.leaves(engine, &root, random.u64(..)),
            Source::Branch => self.continuation(engine, root, random),
        };
        // From the end backwards: what is known of the later ones helps with the earlier.
        boards.reverse();
        let scores = engine.solve_all(&boards);
        let solved = |(board, score)| SolvedPosition {
            board,
            score,
            source,
        };
        boards.into_iter().zip(scores).map(solved).collect()
    }

    /// Some of the positions that a search of `root` evaluates at its horizon: those of the least hashes.
    fn leaves(&self, engine: &mut Engine, root: &Board, seed: u64) -> Vec<Board> {
        let horizon = root.empty_count() - self.depth;
        let kept = Mutex::new(BTreeMap::new());
        engine.search_heard(root, &Limits::depth(self.depth), &|board: &Board| {
            if board.empty_count() == horizon {
                let hash = mixed(mixed(seed, board.player.0), board.opponent.0);
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

    /// The positions with few enough empty squares of a game that goes on from here with many a bad move.
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
            let is_random = random.u32(..RANDOM_MOVES) == 0;
            let depth = u32::from(!is_random);
            board = played(engine, &board, depth, random);
        }
        boards
    }
}

/// A game position with so many empty squares: random plies, as many of them as there is room for, and searched ones.
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
        // Where the game is over early, another one is begun.
        if board.can_move() {
            return board;
        }
    }
}

/// The position after the best move that a search of so many plies finds; after any move without plies.
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
