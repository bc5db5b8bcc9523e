//! Labelled positions distributed as in a search tree: a search also evaluates positions after bad moves, which games do
//! not contain.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;

use super::labelled::{LabelledPosition, RootSampling};
use super::origin::Origin;
use super::random::split_mix64;
use super::search_value::SearchValue;
use crate::board::{Board, Move};
use crate::search::{Engine, Goal, Limits, Silent};

/// Search depth, in plies, of the moves that lead to a root after the random opening plies.
const GAME_DEPTH: u32 = 4;

/// Roots taken from one game: to play one costs as much as to label the positions of a root with few empty squares.
const ROOTS_PER_GAME: u64 = 4;

/// Leaves kept of each search.
const LEAVES_PER_ROOT: usize = 16;

/// A noisy continuation begins at most this many plies before its first position is kept.
const LEAD_PLIES: u32 = 4;

/// One move in this many of a noisy continuation is random; the others are the best of a search of one ply.
const NOISE_PERIOD: u32 = 2;

/// How labelled positions are made from roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roots {
    /// The fewest and the most empty squares of the positions: uniform in this range.
    pub empties: (u32, u32),
    /// Depth of the searches whose leaves are kept, in plies.
    pub depth: u32,
    /// The same for all roots; `None` for leaves and noisy continuations in turn.
    pub sampling: Option<RootSampling>,
    /// Positions with at most this many empty squares are solved.
    pub exact: u32,
    /// The others are labelled by a search of so many plies, or one more: see [`depth_of_label`](Self::depth_of_label).
    pub label_depth: u32,
}

/// What is known of a root before its game is played.
#[derive(Clone, Copy, Debug)]
struct Root {
    number: u64,
    sampling: RootSampling,
    empties: u32,
}

impl Roots {
    /// The most empty squares that labelled positions can have: a root has 58 at most, and its search or continuation
    /// takes some of these.
    pub fn most_empties(depth: u32) -> u32 {
        58 - depth.max(LEAD_PLIES)
    }

    /// The numbers of the roots from `first` to before `end`, those of one game together.
    pub(super) fn by_game(first: u64, end: u64) -> impl Iterator<Item = Range<u64>> {
        let games = first / ROOTS_PER_GAME..end.div_ceil(ROOTS_PER_GAME);
        games.map(move |game| {
            let begin = game * ROOTS_PER_GAME;
            begin.max(first)..(begin + ROOTS_PER_GAME).min(end)
        })
    }

    /// The labelled positions of each of the roots with these `numbers`, which are of one game. Those of a root do not
    /// depend on which others are asked for.
    pub(super) fn positions(
        &self,
        engine: &mut Engine,
        origin: &Origin,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Vec<LabelledPosition>> {
        let game = numbers.start / ROOTS_PER_GAME;
        let mut random = Rng::with_seed(split_mix64(!origin.seed, game));
        let place = random.f64();
        let roots = (0..ROOTS_PER_GAME).map(|index| self.root(game, index, place));
        let roots: Vec<Root> = roots.collect();
        let last = roots.iter().map(|root| root.empties).min().unwrap_or(0);
        let boards = game_positions(engine, origin.random_plies, last, &mut random);
        let asked = roots.into_iter();
        let asked = asked.filter(move |root| numbers.contains(&root.number));
        asked.map(move |root| {
            let board = boards[(Board::START.empty_count() - root.empties) as usize];
            self.positions_of(engine, board, root.sampling, origin.random(root.number))
        })
    }

    /// The root of a game with this index. The roots of a game are spread evenly over the range of empty squares, from a
    /// random `place` of 0 to 1 on, so that no position of the game is a root twice where that can be.
    fn root(&self, game: u64, index: u64, place: f64) -> Root {
        let number = game * ROOTS_PER_GAME + index;
        let (fewest, most) = self.empties;
        let in_turn = if number.is_multiple_of(2) {
            RootSampling::Leaf
        } else {
            RootSampling::Branch
        };
        let sampling = self.sampling.unwrap_or(in_turn);
        let place = (place + index as f64 / ROOTS_PER_GAME as f64).fract();
        let one_of = |count: u32| (place * f64::from(count)) as u32;
        let empties = match sampling {
            RootSampling::Leaf => fewest + one_of(most - fewest + 1) + self.depth,
            RootSampling::Branch => most + one_of(LEAD_PLIES + 1),
        };
        Root {
            number,
            sampling,
            empties,
        }
    }

    /// The labelled positions of one root.
    fn positions_of(
        &self,
        engine: &mut Engine,
        root: Board,
        sampling: RootSampling,
        mut random: Rng,
    ) -> Vec<LabelledPosition> {
        engine.clear();
        let mut boards = match sampling {
            RootSampling::Leaf => self.leaves(engine, &root, random.u64(..)),
            RootSampling::Branch => self.continuation(engine, root, &mut random),
        };
        // Backwards: what the table has of the later positions helps with the earlier ones.
        boards.reverse();
        let labels = self.labels(engine, &boards);
        let labelled = |(board, label)| LabelledPosition {
            board,
            label,
            sampling,
        };
        boards.into_iter().zip(labels).map(labelled).collect()
    }

    /// The labels of the positions of one root, in an order in which each search learns from those before.
    pub(super) fn labels(&self, engine: &mut Engine, boards: &[Board]) -> Vec<SearchValue> {
        let label = |board: &Board| {
            let limits = if board.empty_count() <= self.exact {
                Limits::solve(Goal::Exact)
            } else {
                Limits::depth(self.depth_of_label(board.empty_count()))
            };
            SearchValue::of(&engine.search(board, &limits, &mut Silent))
        };
        boards.iter().map(label).collect()
    }

    /// The depth of the search that labels a position with this many empty squares: one ply more than asked for where
    /// otherwise an odd number of squares would be empty at its horizon. Evaluations are too low by two discs there for the
    /// side to move, which labels would say of every other number of empty squares.
    pub fn depth_of_label(&self, empties: u32) -> u32 {
        self.label_depth + (self.label_depth + empties) % 2
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

/// The positions of a game down to this many empty squares, one of each number: after random opening plies, and searched
/// moves after those. The side to move has a move in each.
fn game_positions(
    engine: &mut Engine,
    (fewest, most): (u8, u8),
    empties: u32,
    random: &mut Rng,
) -> Vec<Board> {
    loop {
        engine.clear();
        let random_plies = usize::from(random.u8(fewest..=most));
        let (mut board, mut boards) = (Board::START, Vec::new());
        while !board.is_over() {
            if !board.can_move() {
                board = board.pass();
            }
            boards.push(board);
            if board.empty_count() == empties {
                return boards;
            }
            let is_random = boards.len() <= random_plies;
            let depth = if is_random { 0 } else { GAME_DEPTH };
            board = played(engine, &board, depth, random);
        }
        // The game was over before: begin another.
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
