//! Self-play: a run that makes games, or labelled positions that are distributed as in search
//! trees.
//!
//! Labelled positions are sampled below roots, which are positions of games (see `roots`). Each
//! game begins with random opening plies. A run is divided into numbered blocks, so that it can be
//! interrupted and resumed, and so that several processes can share it.

use std::collections::VecDeque;

use super::block::{Block, Records};
use super::labelled::SearchValue;
use super::origin::Origin;
use super::roots::roots_by_game;
use super::training_game::TrainingGame;
use emilia_core::board::{Color, Move, Position};
use emilia_core::search::{Engine, Silent};
use emilia_core::work::{self, Shard};

/// Number of games per block. A run that is killed loses the games of at most one block.
const GAMES_PER_BLOCK: u64 = 256;

/// Number of roots per block. Such a block takes about as long as a block of games.
const ROOTS_PER_BLOCK: u64 = 64;

/// Run that makes games or labelled positions.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Settings that determine the records.
    pub origin: Origin,
    /// Number of games or roots in the whole run, over all shards.
    pub item_count: u64,
    /// Part of the run that this process makes.
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

    /// Returns the number of games or roots in this shard.
    pub fn shard_items(&self) -> u64 {
        self.blocks().map(|(first, end)| end - first).sum()
    }

    /// Returns the blocks of this shard that are not made yet, as half-open ranges of game or root
    /// numbers.
    ///
    /// `done` yields the blocks that are made already, as (first number, number of items). If an
    /// earlier run was shorter, its last block may be incomplete. The rest of this block is then
    /// returned. Returns `None` if `done` is not the start of this shard.
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

    /// Makes the blocks `left`. Each engine runs in its own thread.
    ///
    /// Calls `on_block` with each block in order, and `on_record` after each game or root.
    ///
    /// # Errors
    /// The first error of `on_block`. It ends the run.
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

    /// Plays the game with this number. The result depends only on `number` and `origin`.
    fn game(&self, engine: &mut Engine, number: u64) -> TrainingGame {
        let mut random = self.origin.random(number);
        let (fewest, most) = self.origin.random_plies;
        let random_plies = usize::from(random.u8(fewest..=most));
        engine.clear();
        let mut position = Position::START;
        let mut moves = Vec::with_capacity(60);
        // `line` has the moves that remain of the last search's PV. `value` is the value of that
        // search for Black.
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

    /// Searches a position. Returns the moves to play and the search value for Black. In a solved
    /// position the moves are the whole PV, to the end of the game. Otherwise there is only the
    /// best move.
    fn search(&self, engine: &mut Engine, position: &Position) -> (VecDeque<Move>, SearchValue) {
        let mut line = engine.search(&position.board, &self.origin.limits(), &mut Silent);
        if position.board.empty_count() > self.origin.exact.into() {
            line.pv.truncate(1);
        }
        let value = SearchValue::of(&line).seen_by(position.mover);
        (line.pv.into(), value)
    }
}
