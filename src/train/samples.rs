//! Positions to learn from: each once, up to symmetry, with its label. Stands on `block`.

use std::num::NonZero;

use super::block::{Block, Records};
use super::selfplay::mixed;
use super::solved::Source;
use crate::board::Board;
use crate::eval::{Evaluator, STAGES, stage};
use crate::work;

/// A position with its label: 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The least of the position's eight images.
    pub board: Board,
    /// The mean label for the side to move, in discs.
    pub label: f32,
    /// How many records it is the mean of. It counts once in a fit, however many these are.
    pub records: f32,
}

/// What kind of data a position is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Met in a game.
    Game,
    /// Evaluated by a search at its horizon.
    Leaf,
    /// Met in a noisy continuation of a game.
    Branch,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Game, Kind::Leaf, Kind::Branch];

    /// The plural, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Game => "games",
            Kind::Leaf => "leaves",
            Kind::Branch => "branches",
        }
    }
}

impl From<Source> for Kind {
    fn from(source: Source) -> Kind {
        match source {
            Source::Leaf => Kind::Leaf,
            Source::Branch => Kind::Branch,
        }
    }
}

/// Most empty squares of a position.
const MOST_EMPTIES: usize = 60;

/// The most that a position of a rare kind counts in a fit.
const MOST_WEIGHT: f32 = 4.0;

/// Positions by number of empty squares and kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    groups: Vec<Vec<Sample>>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples {
            groups: vec![Vec::new(); (MOST_EMPTIES + 1) * Kind::ALL.len()],
        }
    }
}

impl Samples {
    /// The positions with so many empty squares of a kind.
    pub fn group(&self, empties: u32, kind: Kind) -> &[Sample] {
        self.groups
            .get(index(empties, kind))
            .map_or(&[], |group| group)
    }

    /// The positions of a stage by number of empty squares and kind; none beyond the last.
    pub fn stage(&self, at: usize) -> impl Iterator<Item = (u32, Kind, &[Sample])> {
        (0..=MOST_EMPTIES as u32)
            .filter(move |&empties| stage(empties) == at && at < STAGES)
            .flat_map(|empties| Kind::ALL.map(|kind| (empties, kind, self.group(empties, kind))))
    }

    /// How much a position with so many empty squares of a kind counts in a fit, so that all kinds there count alike.
    pub fn weight(&self, empties: u32, kind: Kind) -> f32 {
        let sizes = Kind::ALL.map(|kind| self.group(empties, kind).len() as f32);
        let kinds = sizes.iter().filter(|&&size| size > 0.0).count() as f32;
        let own = self.group(empties, kind).len() as f32;
        (sizes.iter().sum::<f32>() / (kinds * own).max(1.0)).min(MOST_WEIGHT)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        let empties = 0..=MOST_EMPTIES as u32;
        empties.map(|empties| self.group(empties, kind).len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a position; [`settle`](Self::settle) is to follow.
    pub fn add(&mut self, board: &Board, kind: Kind, label: f32) {
        let Some(group) = self.groups.get_mut(index(board.empty_count(), kind)) else {
            return;
        };
        if group.len() == group.capacity() {
            // By an eighth instead of twice: the data may fill most of the memory.
            group.reserve_exact(group.len() / 8 + 64);
        }
        group.push(Sample {
            board: board.canonical(),
            label,
            records: 1.0,
        });
    }

    /// Sorts the positions and puts the same ones together.
    pub fn settle(&mut self, threads: NonZero<usize>) {
        work::for_each(threads, &mut self.groups, |group| {
            group.sort_by_key(|sample| sample.board);
            group.dedup_by(|later, first| {
                let same = later.board == first.board;
                if same {
                    let records = first.records + later.records;
                    first.label =
                        (first.label * first.records + later.label * later.records) / records;
                    first.records = records;
                }
                same
            });
        });
    }

    /// Leaves out the positions that are also among the others, of whatever kind.
    fn retain_unknown_to(&mut self, others: &Samples, threads: NonZero<usize>) {
        let known = |board: &Board| {
            Kind::ALL.into_iter().any(|kind| {
                let group = others.group(board.empty_count(), kind);
                group
                    .binary_search_by_key(board, |sample| sample.board)
                    .is_ok()
            })
        };
        work::for_each(threads, &mut self.groups, |group| {
            group.retain(|sample| !known(&sample.board));
        });
    }
}

fn index(empties: u32, kind: Kind) -> usize {
    empties as usize * Kind::ALL.len() + kind as usize
}

/// Positions to learn from and positions to be examined on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// To learn from.
    pub training: Samples,
    /// Held out: from other games and roots, and none of them among the first.
    pub held_out: Samples,
    /// Records that are no games; they are left out.
    pub bad: usize,
}

/// One game, and one block of solved positions, in this many is held out.
const HELD_OUT: u64 = 20;

/// Takes positions from blocks, one after the other, so that files need not fit in memory.
#[derive(Debug)]
pub struct Splitter {
    seed: u64,
    lambda: f32,
    split: Split,
    /// Games so far.
    games: u64,
    /// Blocks of solved positions so far.
    blocks: u64,
}

impl Splitter {
    /// Some games, by this random seed, are held out; the positions of games get TD(λ) labels.
    pub fn new(seed: u64, lambda: f32) -> Splitter {
        Splitter {
            seed,
            lambda,
            split: Split::default(),
            games: 0,
            blocks: 0,
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Takes the positions of a block.
    pub fn add(&mut self, block: &Block) {
        match &block.records {
            Records::Games(games) => {
                for game in games {
                    let samples = side(&mut self.split, self.seed, self.games);
                    self.games += 1;
                    match game.labelled(self.lambda) {
                        Some(labelled) => labelled
                            .iter()
                            .for_each(|(board, label)| samples.add(board, Kind::Game, *label)),
                        None => self.split.bad += 1,
                    }
                }
            }
            Records::Positions(positions) => {
                let samples = side(&mut self.split, !self.seed, self.blocks);
                self.blocks += 1;
                for one in positions {
                    samples.add(&one.board, one.source.into(), one.score as f32);
                }
            }
        }
    }

    /// All that was taken.
    pub fn finish(mut self, threads: NonZero<usize>) -> Split {
        self.split.training.settle(threads);
        self.split.held_out.settle(threads);
        let Split {
            training, held_out, ..
        } = &mut self.split;
        held_out.retain_unknown_to(training, threads);
        self.split
    }
}

/// The samples that a record with this number belongs to.
fn side(split: &mut Split, seed: u64, number: u64) -> &mut Samples {
    if mixed(seed, number).is_multiple_of(HELD_OUT) {
        &mut split.held_out
    } else {
        &mut split.training
    }
}

/// How far predictions are from the labels, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Error {
    /// Positions.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl Error {
    /// The error of a prediction for each sample.
    pub fn of(samples: &[Sample], predict: impl Fn(&Sample) -> f64) -> Error {
        let mut error = Error::default();
        for sample in samples {
            error.add(predict(sample) - f64::from(sample.label));
        }
        error
    }

    /// The error on several groups of samples of a prediction for each board.
    pub fn all<'a>(
        groups: impl IntoIterator<Item = (u32, Kind, &'a [Sample])>,
        predict: impl Fn(&Board) -> f64,
    ) -> Error {
        let errors = groups
            .into_iter()
            .map(|(_, _, samples)| Error::of(samples, |sample| predict(&sample.board)));
        errors.fold(Error::default(), Error::and)
    }

    /// The error of an evaluation.
    pub fn of_evaluator(samples: &[Sample], evaluator: &dyn Evaluator) -> Error {
        Error::of(samples, |sample| evaluator.evaluate(&sample.board).discs())
    }

    /// Counts the error of one position.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// This and the other together.
    #[must_use]
    pub fn and(self, other: Error) -> Error {
        Error {
            count: self.count + other.count,
            signed: self.signed + other.signed,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    /// The numbers it is made of, for a file.
    pub(super) fn parts(&self) -> [f64; 4] {
        [self.count, self.signed, self.absolute, self.squares]
    }

    /// The error made of these numbers.
    pub(super) fn from_parts([count, signed, absolute, squares]: [f64; 4]) -> Error {
        Error {
            count,
            signed,
            absolute,
            squares,
        }
    }

    /// The mean error, above 0 where predictions are too high.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// The mean absolute error.
    pub fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// The root of the mean squared error.
    pub fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
