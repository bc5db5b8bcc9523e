//! Training data made by the engine itself: games against itself, and solved positions as searches meet them. Each game
//! and each root begins with random moves, so that no two are the same and every kind of position is seen.
//!

use super::block::{Block, Origin, Records};
use super::game_record::{GameRecord, SearchValue};
use super::roots::Roots;
use crate::board::{Color, Move, Position, Square};
use crate::search::{Engine, Limits, Silent, Stop};
use crate::work::{self, Shard};

/// Games in a block: what a run that is killed loses at most.
const GAMES_PER_BLOCK: u64 = 256;

/// Roots in a block, whose positions take about as long.
const ROOTS_PER_BLOCK: u64 = 64;

/// What a run makes.
#[derive(Clone, Debug)]
pub enum Product {
    /// Games, each move searched within these limits.
    Games(Limits),
    /// Solved positions from roots.
    Positions(Roots),
}

/// A run of games or roots.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// What is made.
    pub product: Product,
    /// What decides the records of the run.
    pub origin: Origin,
    /// Games or roots of the whole run, all shards together.
    pub span: u64,
    /// The shard that is made here.
    pub shard: Shard,
    /// Ends the run: the block that is not complete is given up.
    pub stop: Stop,
}

/// What was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Games or roots.
    pub span: u64,
    /// Positions that can be learnt from.
    pub positions: u64,
}

impl Made {
    /// Adds what a block holds.
    pub fn add(&mut self, block: &Block) {
        self.span += block.span;
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
    /// The numbers of the first game or root and of the one after the last, for each block of this shard.
    fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        let per_block = match self.product {
            Product::Games(_) => GAMES_PER_BLOCK,
            Product::Positions(_) => ROOTS_PER_BLOCK,
        };
        (0..self.span.div_ceil(per_block))
            .filter(|&block| self.shard.covers(block as usize))
            .map(move |block| {
                let first = block * per_block;
                (first, (first + per_block).min(self.span))
            })
    }

    /// How many games or roots this shard has.
    pub fn len(&self) -> u64 {
        self.blocks().map(|(first, end)| end - first).sum()
    }

    /// Whether this shard has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is left to make after blocks that cover these numbers; `None` if they are not the first ones of this run. The
    /// last block may be shorter than it would be now: the run was shorter then.
    pub fn left_after(
        &self,
        done: impl IntoIterator<Item = (u64, u64)>,
    ) -> Option<Vec<(u64, u64)>> {
        let mut left = self.blocks().peekable();
        for (first, span) in done {
            let next = left.peek_mut()?;
            if first != next.0 || first + span > next.1 {
                return None;
            }
            next.0 = first + span;
            if next.0 == next.1 {
                left.next();
            }
        }
        Some(left.collect())
    }

    /// Makes the blocks that are `left` with these engines, as many games or roots at a time, and hands each block to `keep`
    /// as it is complete, in order. `one_done` hears after every game or root.
    ///
    /// # Errors
    /// What `keep` returns.
    pub fn make<E>(
        &self,
        engines: &mut [Engine],
        left: &[(u64, u64)],
        one_done: &(dyn Fn() + Sync),
        mut keep: impl FnMut(Block) -> Result<(), E>,
    ) -> Result<(), E> {
        for &(first, end) in left {
            let records = match &self.product {
                Product::Games(limits) => {
                    let game = |engine: &mut Engine, number| self.game(limits, engine, number);
                    let games = self.each(engines, (first, end), &game, one_done);
                    games.map(Records::Games)
                }
                Product::Positions(roots) => {
                    let positions = |engine: &mut Engine, number| {
                        let mut random = self.random(number);
                        roots.positions(engine, self.origin.random_plies, number, &mut random)
                    };
                    let positions = self.each(engines, (first, end), &positions, one_done);
                    positions.map(|positions| Records::Positions(positions.concat()))
                }
            };
            let Some(records) = records else { break };
            keep(Block {
                origin: self.origin,
                first,
                span: end - first,
                records,
            })?;
        }
        Ok(())
    }

    /// What `make` makes of each number, in order, on as many threads as there are engines; `None` if the run is stopped.
    fn each<T: Send>(
        &self,
        engines: &mut [Engine],
        (first, end): (u64, u64),
        make: &(impl Fn(&mut Engine, u64) -> T + Sync),
        one_done: &(dyn Fn() + Sync),
    ) -> Option<Vec<T>> {
        work::map(
            "game",
            engines,
            first..end,
            &|_| one_done(),
            |engine, number| (!self.stop.is_set()).then(|| make(engine, number)),
        )
    }

    /// The random numbers of one game or root.
    fn random(&self, number: u64) -> fastrand::Rng {
        fastrand::Rng::with_seed(mixed(self.origin.seed, number))
    }

    /// The game with this number. It depends on nothing but the number and the settings of the run.
    fn game(&self, limits: &Limits, engine: &mut Engine, number: u64) -> GameRecord {
        let mut random = self.random(number);
        let (fewest, most) = self.origin.random_plies;
        let random_plies = usize::from(random.u8(fewest..=most));
        engine.clear();
        let mut position = Position::START;
        let mut moves: Vec<(Square, Option<SearchValue>)> = Vec::with_capacity(60);
        let mut found = Found::default();
        while !position.is_over() {
            let mv = if position.must_pass() {
                found.next();
                Move::Pass
            } else if moves.len() < random_plies {
                random.choice(position.moves()).unwrap_or(Move::Pass)
            } else {
                // The end of the game comes in one line once it is solved.
                found.next().unwrap_or_else(|| {
                    found = Found::search(engine, &position, limits);
                    found.next().unwrap_or(Move::Pass)
                })
            };
            if let Some(square) = mv.square() {
                moves.push((square, found.value.filter(|_| moves.len() >= random_plies)));
            }
            position = match position.play(mv) {
                Ok(next) => next,
                Err(_) => break,
            };
        }
        let random_plies = random_plies.min(moves.len());
        let score = position.final_score_for(Color::Black);
        GameRecord::new(&moves, random_plies, score, &self.origin)
    }
}

/// What a search found that settles one move, or the rest of the game.
#[derive(Debug, Default)]
struct Found {
    line: std::vec::IntoIter<Move>,
    /// Black's value.
    value: Option<SearchValue>,
}

impl Found {
    /// The moves that a search of `position` settles: the whole rest of the game if it is solved, otherwise one.
    fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Found {
        let mut line = engine.search(&position.board, limits, &mut Silent);
        let is_due = limits
            .exact
            .is_some_and(|exact| position.board.empty_count() <= exact);
        if !is_due {
            line.pv.truncate(1);
        }
        let value = match position.mover {
            Color::Black => line.value,
            Color::White => -line.value,
        };
        Found {
            line: line.pv.into_iter(),
            value: Some(SearchValue {
                value,
                is_exact: line.depth.is_solved(),
            }),
        }
    }

    fn next(&mut self) -> Option<Move> {
        self.line.next()
    }
}

/// A random seed for one of many: neighbours have nothing in common (the mixing step of `SplitMix64`, Steele et al. 2014).
pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
