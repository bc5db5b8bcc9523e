//! Positions to learn from: each once, up to symmetry, with what became of it. Stands on `record`.

use super::record::Block;
use super::selfplay::game_seed;
use crate::board::Board;
use crate::eval::{Evaluator, STAGES, stage};

/// A position, and how the games through it ended. It counts once, however many these are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The least of the position's eight images.
    pub board: Board,
    /// The mean final score for the side to move, in discs.
    pub score: f32,
    /// How many games went through it.
    pub games: f32,
}

/// Positions by stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Sorted by stage, then by board.
    all: Vec<Sample>,
    /// Where each stage begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Samples {
    /// Puts the same positions together.
    pub fn new(mut all: Vec<Sample>) -> Samples {
        let key = |sample: &Sample| (stage(sample.board.empty_count()), sample.board);
        all.sort_by_key(key);
        all.dedup_by(|later, first| {
            let same = later.board == first.board;
            if same {
                let games = first.games + later.games;
                first.score = (first.score * first.games + later.score * later.games) / games;
                first.games = games;
            }
            same
        });
        Samples::sorted(all)
    }

    fn sorted(all: Vec<Sample>) -> Samples {
        let starts = (0..=STAGES)
            .map(|at| all.partition_point(|sample| stage(sample.board.empty_count()) < at))
            .collect();
        Samples { all, starts }
    }

    /// The positions of a stage; none beyond the last.
    pub fn stage(&self, stage: usize) -> &[Sample] {
        match self.starts.get(stage..stage + 2) {
            Some(ends) => &self.all[ends[0]..ends[1]],
            None => &[],
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether this position is one of them.
    fn contains(&self, board: &Board) -> bool {
        self.stage(stage(board.empty_count()))
            .binary_search_by_key(board, |sample| sample.board)
            .is_ok()
    }
}

/// Positions to learn from and positions to be examined on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// To learn from.
    pub training: Samples,
    /// To be examined on: from other games, and none of them among the first.
    pub held_out: Samples,
    /// Records that are no games; they are left out.
    pub bad: usize,
}

/// One game in this many is held out.
const HELD_OUT: u64 = 20;

impl Split {
    /// The positions of these games, some of the games drawn by lot to be held out.
    pub fn of_games<'a>(blocks: impl IntoIterator<Item = &'a Block>, seed: u64) -> Split {
        let (mut training, mut held_out, mut bad) = (Vec::new(), Vec::new(), 0);
        let games = blocks.into_iter().flat_map(|block| &block.games);
        for (number, game) in games.enumerate() {
            let held = game_seed(seed, number as u64).is_multiple_of(HELD_OUT);
            let side = if held { &mut held_out } else { &mut training };
            match game.positions() {
                Some(positions) => side.extend(positions.iter().map(|(board, score)| Sample {
                    board: board.canonical(),
                    score: *score as f32,
                    games: 1.0,
                })),
                None => bad += 1,
            }
        }
        let training = Samples::new(training);
        let mut held_out = Samples::new(held_out).all;
        held_out.retain(|sample| !training.contains(&sample.board));
        Split {
            training,
            held_out: Samples::sorted(held_out),
            bad,
        }
    }
}

/// How far predictions are from what became of the positions, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Error {
    /// Positions.
    pub count: f64,
    sum: f64,
    squares: f64,
}

impl Error {
    /// The error of a prediction for each sample.
    pub fn of(samples: &[Sample], predict: impl Fn(&Sample) -> f64) -> Error {
        let mut error = Error::default();
        for sample in samples {
            error.add(predict(sample) - f64::from(sample.score));
        }
        error
    }

    /// The error of an evaluation.
    pub fn of_evaluator(samples: &[Sample], evaluator: &dyn Evaluator) -> Error {
        Error::of(samples, |sample| evaluator.evaluate(&sample.board).discs())
    }

    /// The one prediction with the least squared error for all samples.
    pub fn best_guess(samples: &[Sample]) -> f64 {
        let scores = samples.iter().map(|sample| f64::from(sample.score));
        scores.sum::<f64>() / samples.len().max(1) as f64
    }

    /// Counts the error of one position.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.sum += error.abs();
        self.squares += error * error;
    }

    /// This and the other together.
    #[must_use]
    pub fn and(self, other: Error) -> Error {
        Error {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// The numbers it is made of, for a file.
    pub(super) fn parts(&self) -> [f64; 3] {
        [self.count, self.sum, self.squares]
    }

    /// The error made of these numbers.
    pub(super) fn from_parts([count, sum, squares]: [f64; 3]) -> Error {
        Error {
            count,
            sum,
            squares,
        }
    }

    /// The mean absolute error.
    pub fn mae(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// The root of the mean squared error.
    pub fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
