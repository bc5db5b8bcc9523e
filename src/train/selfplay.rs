//! Self-play: a run that makes games, or labelled positions distributed as in search trees.
//!
//! Each game and each root begins with random opening plies.
//! A run is split into numbered blocks, so that it can be resumed and sharded.

use super::block::{Block, Records};
use super::origin::Origin;
use super::roots::Roots;
use super::search_value::SearchValue;
use super::training_game::TrainingGame;
use emilia_core::board::{Color, Move, Position, Square};
use emilia_core::search::{Engine, Limits, Silent, StopFlag};
use emilia_core::work::{self, Shard};

/// Games per block. A killed run loses at most one block.
const GAMES_PER_BLOCK: u64 = 256;

/// Roots per block. Making them takes about as long as making the games of a block.
const ROOTS_PER_BLOCK: u64 = 64;

/// What a run makes, with the settings for it.
#[derive(Clone, Debug)]
pub enum RunKind {
    /// Games. Each move is searched within these limits.
    Games(Limits),
    /// Labelled positions, sampled from roots.
    Positions(Roots),
}

/// A run that makes games or labelled positions.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// What the run makes.
    pub product: RunKind,
    /// The settings that determine the records.
    pub origin: Origin,
    /// Number of games or roots of the whole run, all shards together.
    pub item_count: u64,
    /// The shard of the run that this process makes.
    pub shard: Shard,
    /// Stop flag of the run. The incomplete block is discarded.
    pub stop: StopFlag,
}

/// Totals of the records that a run has made so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTotals {
    /// Number of games or roots.
    pub item_count: u64,
    /// Number of labelled positions.
    pub positions: u64,
}

impl RunTotals {
    /// Adds the records of a block to the totals.
    pub fn add(&mut self, block: &Block) {
        self.item_count += block.item_count;
        self.positions += match &block.records {
            Records::Games(games) => games
                .iter()
                .map(|game| (game.moves().count() - game.random_plies()) as u64)
                .sum(),
            Records::Positions(positions) => positions.len() as u64,
        };
    }
}

impl SelfPlay {
    /// Yields the blocks of this shard as half-open ranges of game or root numbers.
    fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        let per_block = match self.product {
            RunKind::Games(_) => GAMES_PER_BLOCK,
            RunKind::Positions(_) => ROOTS_PER_BLOCK,
        };
        (0..self.item_count.div_ceil(per_block))
            .filter(|&block| self.shard.covers(block as usize))
            .map(move |block| {
                let first = block * per_block;
                (first, (first + per_block).min(self.item_count))
            })
    }

    /// Returns the number of games or roots of this shard.
    pub fn len(&self) -> u64 {
        self.blocks().map(|(first, end)| end - first).sum()
    }

    /// Returns whether this shard is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the remaining blocks of this shard, as half-open ranges of game or root numbers.
    ///
    /// `done` yields the first number and the number of items of each finished block.
    /// The last block of `done` may be incomplete, if an earlier run was shorter.
    /// Returns `None` if `done` is not the beginning of this shard.
    pub fn remaining_blocks(
        &self,
        done: impl IntoIterator<Item = (u64, u64)>,
    ) -> Option<Vec<(u64, u64)>> {
        let mut left = self.blocks().peekable();
        for (first, item_count) in done {
            let next = left.peek_mut()?;
            if first != next.0 || first + item_count > next.1 {
                return None;
            }
            next.0 = first + item_count;
            if next.0 == next.1 {
                left.next();
            }
        }
        Some(left.collect())
    }

    /// Makes the blocks `left`, with one thread for each engine.
    ///
    /// Calls `on_block` with each block in order, and `on_record` after each game or root.
    ///
    /// # Errors
    /// Returns the first error of `on_block`.
    pub fn make<E>(
        &self,
        engines: &mut [Engine],
        left: &[(u64, u64)],
        on_record: &(dyn Fn() + Sync),
        mut on_block: impl FnMut(Block) -> Result<(), E>,
    ) -> Result<(), E> {
        for &(first, end) in left {
            let records = match &self.product {
                RunKind::Games(limits) => {
                    let game = |engine: &mut Engine, number| {
                        (!self.stop.is_set()).then(|| self.game(limits, engine, number))
                    };
                    let done = |_| on_record();
                    work::parallel_map("game", engines, first..end, &done, game).map(Records::Games)
                }
                RunKind::Positions(roots) => {
                    let positions = |engine: &mut Engine, numbers| {
                        let of_roots = roots.positions(engine, &self.origin, numbers);
                        let done = of_roots.inspect(|_| on_record());
                        let kept = done.map(|positions| (!self.stop.is_set()).then_some(positions));
                        kept.collect::<Option<Vec<_>>>()
                    };
                    let games = Roots::by_game(first, end);
                    let positions = work::parallel_map("root", engines, games, &|_| (), positions);
                    positions.map(|positions| Records::Positions(positions.concat().concat()))
                }
            };
            let Some(records) = records else { break };
            on_block(Block {
                origin: self.origin,
                first,
                item_count: end - first,
                records,
            })?;
        }
        Ok(())
    }

    /// Plays game `number`. The result depends only on the number and the origin of the run.
    fn game(&self, limits: &Limits, engine: &mut Engine, number: u64) -> TrainingGame {
        let mut random = self.origin.random(number);
        let (fewest, most) = self.origin.random_plies;
        let random_plies = usize::from(random.u8(fewest..=most));
        engine.clear();
        let mut position = Position::START;
        let mut moves: Vec<(Square, Option<SearchValue>)> = Vec::with_capacity(60);
        let mut searched = SearchedLine::default();
        while !position.is_over() {
            let mv = if position.must_pass() {
                searched.next();
                Move::Pass
            } else if moves.len() < random_plies {
                random.choice(position.moves()).unwrap_or(Move::Pass)
            } else {
                // Once the game is solved, the PV is the rest of it.
                searched.next().unwrap_or_else(|| {
                    searched = SearchedLine::search(engine, &position, limits);
                    searched.next().unwrap_or(Move::Pass)
                })
            };
            if let Some(square) = mv.square() {
                let value = searched.value.filter(|_| moves.len() >= random_plies);
                moves.push((square, value));
            }
            position = match position.play(mv) {
                Ok(next) => next,
                Err(_) => break,
            };
        }
        let random_plies = random_plies.min(moves.len());
        let score = position.final_score_for(Color::Black);
        TrainingGame::new(&moves, random_plies, score, &self.origin)
    }
}

/// The next moves chosen by a search: one move, or the rest of a solved game.
#[derive(Debug, Default)]
struct SearchedLine {
    moves: std::vec::IntoIter<Move>,
    /// Value of the search for Black.
    value: Option<SearchValue>,
}

impl SearchedLine {
    /// Searches `position`. Keeps the whole PV if the position is solved, else only its first move.
    fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> SearchedLine {
        let mut line = engine.search(&position.board, limits, &mut Silent);
        let solves = limits
            .solve_from_empties
            .is_some_and(|exact| position.board.empty_count() <= exact);
        if !solves {
            line.pv.truncate(1);
        }
        let value = SearchValue::of(&line);
        SearchedLine {
            moves: line.pv.into_iter(),
            value: Some(match position.mover {
                Color::Black => value,
                Color::White => -value,
            }),
        }
    }

    fn next(&mut self) -> Option<Move> {
        self.moves.next()
    }
}
