//! Games that the engine plays against itself. Each begins with moves drawn by lot, so that no two are the same and
//! every kind of position is seen; after them both sides play as well as they can. Stands on `record`, `shard` and `search`.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::Shard;
use super::record::{Block, GameRecord, Origin};
use crate::board::{Color, Move, Position, Square};
use crate::search::{Engine, Limits, Settings, Silent};

/// Games in a block: what a run that is killed loses at most.
const GAMES_PER_BLOCK: u64 = 256;

/// A run of games.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// How each move is searched. The thread number does not matter: every game begins with an empty table.
    pub settings: Settings,
    /// How far each move is searched.
    pub limits: Limits,
    /// Where the games of the run come from.
    pub origin: Origin,
    /// Games of the whole run, all parts together.
    pub games: u64,
    /// The part that is played here.
    pub shard: Shard,
    /// Games at the same time.
    pub threads: NonZero<usize>,
}

/// What was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions that can be learnt from.
    pub positions: u64,
}

impl Tally {
    /// Adds the games of a block.
    pub fn add(&mut self, block: &Block) {
        self.games += block.games.len() as u64;
        for game in &block.games {
            self.positions += game.moves().skip(game.random_plies()).count() as u64;
        }
    }
}

impl SelfPlay {
    /// The numbers of the first game and of the one after the last, for each block of this part.
    pub fn blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..self.games.div_ceil(GAMES_PER_BLOCK))
            .filter(|&block| self.shard.covers(block as usize))
            .map(|block| {
                let first = block * GAMES_PER_BLOCK;
                (first, (first + GAMES_PER_BLOCK).min(self.games))
            })
    }

    /// How many games this part has.
    pub fn len(&self) -> u64 {
        self.blocks().map(|(first, end)| end - first).sum()
    }

    /// Whether this part has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plays the blocks of this part but for the first `done`, and hands each to `keep` as it is complete, in order.
    /// `played` hears after every game.
    ///
    /// # Errors
    /// What `keep` returns.
    pub fn play<E>(
        &self,
        done: usize,
        played: &(dyn Fn() + Sync),
        mut keep: impl FnMut(Block) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut engines: Vec<Engine> = (0..self.threads.get())
            .map(|_| Engine::new(self.settings.clone()))
            .collect();
        for (first, end) in self.blocks().skip(done) {
            let games = self.play_block(&mut engines, first, end, played);
            keep(Block {
                origin: self.origin,
                first,
                games,
            })?;
        }
        Ok(())
    }

    /// Plays the games `first` to `end` on as many threads as there are engines.
    fn play_block(
        &self,
        engines: &mut [Engine],
        first: u64,
        end: u64,
        played: &(dyn Fn() + Sync),
    ) -> Vec<GameRecord> {
        let next = AtomicU64::new(first);
        let games = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for engine in engines {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= end {
                            break;
                        }
                        let game = self.play_game(engine, number);
                        if let Ok(mut games) = games.lock() {
                            games.push((number, game));
                        }
                        played();
                    }
                });
            }
        });
        let mut games = games.into_inner().unwrap_or_default();
        games.sort_unstable_by_key(|&(number, _)| number);
        games.into_iter().map(|(_, game)| game).collect()
    }

    /// The game with this number. It depends on nothing but the number and the settings of the run.
    fn play_game(&self, engine: &mut Engine, number: u64) -> GameRecord {
        let mut random = fastrand::Rng::with_seed(game_seed(self.origin.seed, number));
        let (fewest, most) = self.origin.random_plies;
        let random_plies = usize::from(random.u8(fewest..=most));
        engine.clear();
        let mut position = Position::START;
        let mut moves: Vec<Square> = Vec::with_capacity(60);
        let mut line: std::vec::IntoIter<Move> = Vec::new().into_iter();
        while !position.is_over() {
            // The end of the game comes in one line once it is solved.
            let mv = if let Some(mv) = line.next() {
                mv
            } else if position.must_pass() {
                Move::Pass
            } else if moves.len() < random_plies {
                random.choice(position.moves()).unwrap_or(Move::Pass)
            } else {
                line = self.search(engine, &position).into_iter();
                line.next().unwrap_or(Move::Pass)
            };
            moves.extend(mv.square());
            position = match position.play(mv) {
                Ok(next) => next,
                Err(_) => break,
            };
        }
        let random_plies = random_plies.min(moves.len());
        let score = position.final_score_for(Color::Black);
        GameRecord::new(&moves, random_plies, score, &self.origin)
    }

    /// The moves that a search of `position` settles: the whole rest of the game if it is solved, otherwise one.
    fn search(&self, engine: &mut Engine, position: &Position) -> Vec<Move> {
        let mut moves = engine.search(&position.board, &self.limits, &mut Silent).pv;
        let solved = self
            .limits
            .exact
            .is_some_and(|exact| position.board.empty_count() <= exact);
        if !solved {
            moves.truncate(1);
        }
        moves
    }
}

/// The seed of one game: neighbours have nothing in common (the mixing step of `SplitMix64`, Steele et al. 2014).
pub(super) fn game_seed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
