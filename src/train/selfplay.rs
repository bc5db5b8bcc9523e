//! Self-play: a run that makes games, or labelled positions distributed as in search trees.
//!
//! Each game, also a game that leads to roots, begins with random opening plies.
//! A run is split into numbered blocks, so that it can be resumed and sharded.

use std::collections::VecDeque;

use super::block::{Block, Records};
use super::labelled::SearchValue;
use super::origin::Origin;
use super::roots::roots_by_game;
use super::training_game::TrainingGame;
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{Engine, Silent};
use emilia_core::work::{self, Shard};

/// Games per block. A run that is killed loses at most the games of one block.
const GAMES_PER_BLOCK: u64 = 256;

/// Roots per block. A block of roots takes about as long as a block of games.
const ROOTS_PER_BLOCK: u64 = 64;

/// A run that makes games or labelled positions.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The settings that determine the records.
    pub origin: Origin,
    /// Number of games or roots of the whole run, all shards together.
    pub item_count: u64,
    /// The shard of the run that this process makes.
    pub shard: Shard,
}

impl SelfPlay {
    /// Yields the blocks of this shard as half-open ranges of game or root numbers.
    fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        let per_block = if self.origin.is_positions() {
            ROOTS_PER_BLOCK
        } else {
            GAMES_PER_BLOCK
        };
        (0..self.item_count.div_ceil(per_block))
            .filter(|&block| self.shard.covers(block as usize))
            .map(move |block| {
                let first = block * per_block;
                (first, (first + per_block).min(self.item_count))
            })
    }

    /// Returns the number of games or roots of this shard.
    pub fn shard_items(&self) -> u64 {
        self.blocks().map(|(first, end)| end - first).sum()
    }

    /// Returns the remaining blocks of this shard, as half-open ranges of game or root numbers.
    ///
    /// `done` yields the first number and the number of items of each finished block.
    /// A block of `done` may be incomplete if an earlier run was shorter: its other items remain.
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
            let records = if self.origin.is_positions() {
                let of_game = |engine: &mut Engine, numbers| {
                    let of_roots = self.origin.positions(engine, numbers);
                    Some(of_roots.inspect(|_| on_record()).flatten().collect())
                };
                let games = roots_by_game(first, end);
                let positions: Option<Vec<Vec<_>>> =
                    work::parallel_map("root", engines, games, &|_| (), of_game);
                Records::Positions(positions.unwrap_or_default().concat())
            } else {
                let game = |engine: &mut Engine, number| Some(self.game(engine, number));
                let done = |_| on_record();
                let games = work::parallel_map("game", engines, first..end, &done, game);
                Records::Games(games.unwrap_or_default())
            };
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
    fn game(&self, engine: &mut Engine, number: u64) -> TrainingGame {
        let mut random = self.origin.random(number);
        let (fewest, most) = self.origin.random_plies;
        let random_plies = usize::from(random.u8(fewest..=most));
        engine.clear();
        let mut position = Position::START;
        let mut moves = Vec::with_capacity(60);
        // The moves left of the last search's line, and the value of that search for Black.
        let (mut line, mut value) = (VecDeque::new(), None);
        while !position.is_over() {
            let mv = if position.must_pass() {
                line.pop_front();
                Move::Pass
            } else if moves.len() < random_plies {
                random.choice(position.moves()).unwrap_or(Move::Pass)
            } else {
                if line.is_empty() {
                    let found = self.search(engine, &position);
                    (line, value) = (found.0, Some(found.1));
                }
                line.pop_front().unwrap_or(Move::Pass)
            };
            if let Some(square) = mv.square() {
                moves.push((square, value));
            }
            position = match position.play(mv) {
                Ok(next) => next,
                Err(_) => break,
            };
        }
        let played_at_random = random_plies.min(moves.len());
        let score = position.final_score_for(Color::Black);
        TrainingGame::new(&moves, played_at_random, score, &self.origin)
    }

    /// Returns the moves to play, and the search value for Black. The moves are the best move, or
    /// the whole PV if the position is solved: the rest of the game.
    fn search(&self, engine: &mut Engine, position: &Position) -> (VecDeque<Move>, SearchValue) {
        let mut line = engine.search(&position.board, &self.origin.limits(), &mut Silent);
        if position.board.empty_count() > self.origin.exact.into() {
            line.pv.truncate(1);
        }
        let value = SearchValue::of(&line).seen_by(position.mover);
        (line.pv.into(), value)
    }
}
