//! Samples labelled positions that are distributed as in a search tree. The label of a position is
//! the value that a search returned for it.
//!
//! A search also evaluates positions after bad moves, and these do not occur in self-play games.
//! The positions are therefore sampled below roots. A root is a position of a game that is played
//! with shallow searches. The sampled positions are leaves of a search of the root, or positions of
//! a noisy continuation: the game played on from the root with many random moves.

use std::collections::BTreeMap;
use std::ops::Range;

use fastrand::Rng;
use parking_lot::Mutex;

use super::labelled::{LabelledPosition, RootSampling, SearchValue};
use super::origin::{Origin, split_mix64};
use emilia_core::board::{Board, Move};
use emilia_core::search::{Engine, Goal, Limits, Silent};

/// Search depth in plies for the moves that lead to a root. The random opening plies come before
/// these moves.
const GAME_DEPTH: u32 = 4;

/// Number of roots in one game. With only one, half of the time would go into games: playing a game
/// takes about as long as labelling one root in the endgame.
const ROOTS_PER_GAME: u64 = 4;

/// Maximum number of leaves sampled from the search of a root.
const LEAVES_PER_ROOT: usize = 16;

/// Maximum number of plies in a noisy continuation before its first sampled position.
const LEAD_PLIES: u32 = 4;

/// In a noisy continuation, one of `NOISE_PERIOD` moves is random on average. The other moves are
/// from a search of 1 ply.
const NOISE_PERIOD: u32 = 2;

/// Parameters of a root. They are chosen before the game is played.
#[derive(Clone, Copy, Debug)]
struct Root {
    number: u64,
    sampling: RootSampling,
    empties: u32,
}

/// Returns the maximum number of empties in labelled positions if the leaves of searches of `depth`
/// plies are sampled.
///
/// A root has at most 58 empties. A search of the root fills `depth` of them, and a continuation
/// fills up to `LEAD_PLIES` before its first sampled position.
pub fn most_empties(depth: u32) -> u32 {
    58 - depth.max(LEAD_PLIES)
}

/// Splits the root numbers `first..end` into one range per game.
pub(super) fn roots_by_game(first: u64, end: u64) -> impl Iterator<Item = Range<u64>> {
    let games = first / ROOTS_PER_GAME..end.div_ceil(ROOTS_PER_GAME);
    games.map(move |game| {
        let begin = game * ROOTS_PER_GAME;
        begin.max(first)..(begin + ROOTS_PER_GAME).min(end)
    })
}

impl Origin {
    /// Yields the labelled positions of each root in `numbers`, which must belong to one game.
    ///
    /// The positions of a root do not depend on which other roots are in `numbers`.
    pub(super) fn positions(
        &self,
        engine: &mut Engine,
        numbers: Range<u64>,
    ) -> impl Iterator<Item = Vec<LabelledPosition>> {
        let game = numbers.start / ROOTS_PER_GAME;
        let mut random = Rng::with_seed(split_mix64(!self.seed, game));
        let place = random.f64();
        let chosen = (0..ROOTS_PER_GAME).map(|index| self.root(game, index, place));
        let roots: Vec<Root> = chosen.collect();
        let last = roots.iter().map(|root| root.empties).min().unwrap_or(0);
        let boards = game_positions(engine, self.random_plies, last, &mut random);
        let wanted = roots
            .into_iter()
            .filter(move |root| numbers.contains(&root.number));
        wanted.map(move |root| {
            let board = boards[(Board::START.empty_count() - root.empties) as usize];
            self.positions_of(engine, board, root)
        })
    }

    /// Chooses the parameters of root number `index` in a game.
    ///
    /// The roots of a game are spread evenly over the range of empties. `place`, a random number
    /// from 0 to 1, is the position of root 0 in this range, as a fraction of its width. If the
    /// range is small, several roots may be the same position.
    fn root(&self, game: u64, index: u64, place: f64) -> Root {
        let number = game * ROOTS_PER_GAME + index;
        let (fewest, most) = (u32::from(self.empties.0), u32::from(self.empties.1));
        let in_turn = if number.is_multiple_of(2) {
            RootSampling::Leaf
        } else {
            RootSampling::Branch
        };
        let sampling = self.sampling.unwrap_or(in_turn);
        let place = (place + index as f64 / ROOTS_PER_GAME as f64).fract();
        let one_of = |count: u32| (place * f64::from(count)) as u32;
        let empties = match sampling {
            RootSampling::Leaf => fewest + one_of(most - fewest + 1) + u32::from(self.depth),
            RootSampling::Branch => most + one_of(LEAD_PLIES + 1),
        };
        Root {
            number,
            sampling,
            empties,
        }
    }

    /// Samples and labels the positions of one root.
    fn positions_of(&self, engine: &mut Engine, board: Board, root: Root) -> Vec<LabelledPosition> {
        let (sampling, mut random) = (root.sampling, self.random(root.number));
        engine.clear();
        let mut boards = match sampling {
            RootSampling::Leaf => self.leaves(engine, &board, random.u64(..)),
            RootSampling::Branch => self.continuation(engine, board, &mut random),
        };
        // Later positions are searched first. Their entries in the transposition table speed up the
        // searches of earlier positions.
        boards.reverse();
        let labels = self.labels(engine, &boards);
        let labelled = |(board, label)| LabelledPosition {
            board,
            label,
            sampling,
        };
        boards.into_iter().zip(labels).map(labelled).collect()
    }

    /// Computes the label of each position of one root by a search. The searches share the
    /// transposition table.
    pub(super) fn labels(&self, engine: &mut Engine, boards: &[Board]) -> Vec<SearchValue> {
        let label = |board: &Board| {
            let limits = if board.empty_count() <= self.exact.into() {
                Limits::solve(Goal::Exact)
            } else {
                Limits::depth(self.depth_of_label(board.empty_count()))
            };
            SearchValue::of(&engine.search(board, &limits, &mut Silent))
        };
        boards.iter().map(label).collect()
    }

    /// Returns the search depth in plies for the label of a position with `empties` empties.
    ///
    /// The depth is `label_depth`, or one more if the leaves would have an odd number of empties.
    /// Static values at odd numbers of empties are about two discs too low for the side to move.
    /// With a fixed depth, the labels at every other number of empties would have this error.
    fn depth_of_label(&self, empties: u32) -> u32 {
        let depth = u32::from(self.label_depth);
        depth + (depth + empties) % 2
    }

    /// Returns random leaves of a search of `root`.
    ///
    /// These are the leaves with the smallest hashes, so that they do not depend on the number of
    /// threads.
    fn leaves(&self, engine: &mut Engine, root: &Board, seed: u64) -> Vec<Board> {
        let depth = u32::from(self.depth);
        let horizon = root.empty_count() - depth;
        let kept = Mutex::new(BTreeMap::new());
        engine.search_observed(root, &Limits::depth(depth), &|board: &Board| {
            if board.empty_count() == horizon {
                let hash = split_mix64(split_mix64(seed, board.player.0), board.opponent.0);
                let mut leaves = kept.lock();
                leaves.insert(hash, *board);
                if leaves.len() > LEAVES_PER_ROOT {
                    leaves.pop_last();
                }
            }
        });
        kept.into_inner().into_values().collect()
    }

    /// Plays a noisy continuation from `root`. Returns its positions whose number of empties is in
    /// the range of the run.
    fn continuation(&self, engine: &mut Engine, root: Board, random: &mut Rng) -> Vec<Board> {
        let (fewest, most) = (u32::from(self.empties.0), u32::from(self.empties.1));
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

/// Plays a game until a position has `empties` empties. Returns its positions, one for each number
/// of empties, in each of which the side to move has a legal move.
///
/// The first plies are random. Their number is drawn from the range `(fewest, most)`. Later moves
/// are searched.
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
        // The game ended before it had `empties` empties. The loop plays another game.
    }
}

/// Returns the position after the best move of a search of `depth` plies. At depth 0, after a
/// random move.
fn played(engine: &mut Engine, board: &Board, depth: u32, random: &mut Rng) -> Board {
    let mv = if depth == 0 {
        let square = random.choice(board.legal_moves().squares());
        square.map(Move::Place)
    } else {
        let line = engine.search(board, &Limits::depth(depth), &mut Silent);
        line.best_move()
    };
    board.play_or_pass(mv.unwrap_or(Move::Pass))
}
