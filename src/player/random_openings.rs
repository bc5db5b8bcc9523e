//! Random openings of a given length, with scores in a given range.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;

use emilia_core::board::{Color, Position, Transcript};
use emilia_core::search::{Engine, Limits, OutOfMemory, Settings, Silent};

/// The generator stops after this number of draws in a row without a new opening whose score is
/// accepted.
const MAX_REPEATS: usize = 1000;

/// Size in MiB of the transposition table of the search for scores. It is small because it is
/// cleared for each search.
const SCORE_HASH_MIB: usize = 1;

/// Parameters of random openings. Each move is drawn uniformly from the legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomOpenings {
    /// Range of the number of plies, which is drawn for each opening.
    pub plies: RangeInclusive<u32>,
    /// Accepted scores in discs for Black, from a search to depth [`SCORE_DEPTH`]. `None` accepts
    /// every opening.
    pub score: Option<RangeInclusive<i32>>,
    /// First moves of every opening, before the random moves. May be empty.
    pub beginning: Transcript,
}

/// Formats as `random:8`, or `random:8-20,score=-2..2`.
impl fmt::Display for RandomOpenings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = [self.plies.start(), self.plies.end()];
        write!(f, "random:{least}")?;
        if least < most {
            write!(f, "-{most}")?;
        }
        match &self.score {
            Some(score) => write!(f, ",score={}..{}", score.start(), score.end()),
            None => Ok(()),
        }
    }
}

/// Depth in plies of the search that gives the score of a random opening.
pub const SCORE_DEPTH: u32 = 14;

/// A first search to this depth in plies skips an opening whose score is further than this number
/// of discs outside the range of scores.
const FIRST_LOOK: (u32, f64) = (4, 6.0);

impl RandomOpenings {
    /// Creates the parameters of openings of `plies` plies from the start position, with any score.
    pub fn new(plies: RangeInclusive<u32>) -> RandomOpenings {
        RandomOpenings {
            plies,
            score: None,
            beginning: Transcript::new(Position::START),
        }
    }

    /// Creates the engine with which [`draw`](Self::draw) computes scores, or `None` if the
    /// openings have no range of scores.
    pub fn scorer(&self, settings: Settings) -> Result<Option<Engine>, OutOfMemory> {
        let small = settings.with_threads(1).with_hash_mib(SCORE_HASH_MIB);
        let scorer = self.score.as_ref().map(|_| Engine::try_new(small));
        scorer.transpose()
    }

    /// Draws openings. No two of them lead to the same position or to symmetric images of it, and
    /// none of them ends the game. If there is a range of scores, each opening comes with its
    /// score. Ends after [`MAX_REPEATS`] draws in a row without a new opening, or when `scorer` is
    /// interrupted.
    pub fn draw<'a>(
        &'a self,
        random: &'a mut fastrand::Rng,
        scorer: &'a mut Option<Engine>,
    ) -> impl Iterator<Item = (Transcript, Option<f64>)> + 'a {
        let mut seen = HashSet::new();
        let mut next = move || {
            let game = self.game(random);
            let position = game.end();
            if position.is_over() || !seen.insert(position.board.canonical()) {
                return None;
            }
            let (Some(range), Some(engine)) = (&self.score, &mut *scorer) else {
                return Some((game, None));
            };
            let score = score_within(engine, &position, range)?;
            (!engine.interrupt().is_set()).then_some((game, Some(score)))
        };
        std::iter::from_fn(move || (0..MAX_REPEATS).find_map(|_| next()))
    }

    /// Draws one opening. It is shorter than the drawn length if the game ends before.
    fn game(&self, random: &mut fastrand::Rng) -> Transcript {
        let mut game = self.beginning.clone();
        let mut position = game.end();
        let (least, most) = (*self.plies.start(), *self.plies.end());
        // If the number of plies is fixed, no random number is used for it. A seed thus gives the
        // same openings as in earlier versions.
        let plies = if least < most {
            random.u32(least..=most)
        } else {
            least
        };
        for _ in game.moves.len()..plies as usize {
            let Some(mv) = random.choice(position.moves()) else {
                break;
            };
            position = position.play(mv).unwrap_or(position);
            game.moves.push(mv);
        }
        game
    }
}

/// Returns the score of a position for Black, in discs, if it lies in `range`. The transposition
/// table is cleared first, so that earlier searches do not affect the score.
fn score_within(
    engine: &mut Engine,
    position: &Position,
    range: &RangeInclusive<i32>,
) -> Option<f64> {
    let (first_depth, margin) = FIRST_LOOK;
    let [least, most] = [range.start(), range.end()].map(|&end| f64::from(end));
    let mut score = |depth, margin| {
        engine.clear();
        let line = engine.search(position, &Limits::depth(depth), &mut Silent);
        let score = match position.mover {
            Color::Black => line.value.discs(),
            Color::White => -line.value.discs(),
        };
        (least - margin..=most + margin)
            .contains(&score)
            .then_some(score)
    };
    score(first_depth, margin)?;
    score(SCORE_DEPTH, 0.0)
}
