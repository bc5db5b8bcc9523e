//! Samples: labelled positions, each once up to symmetry, split into training and held-out ones.

use std::num::NonZero;

use super::block::{Block, Records};
use super::labelled::{MOST_EMPTIES, RootSampling};
use super::random::split_mix64;
use crate::board::Board;
use crate::eval::{Evaluator, STAGES, stage};
use crate::work;

/// A position with its label: 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The least of the position's eight symmetric images.
    pub board: Board,
    /// The mean label of its records for the side to move, in discs.
    pub label: f32,
    /// How many records have this position. It is one equation in a fit, however many these are.
    pub records: f32,
}

/// What kind of record a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SampleKind {
    /// A position of a self-play game.
    Game,
    /// A leaf of a search.
    Leaf,
    /// A position of a noisy continuation.
    Branch,
}

impl SampleKind {
    /// All kinds.
    pub const ALL: [SampleKind; 3] = [SampleKind::Game, SampleKind::Leaf, SampleKind::Branch];

    /// The plural, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            SampleKind::Game => "games",
            SampleKind::Leaf => "leaves",
            SampleKind::Branch => "branches",
        }
    }
}

impl From<RootSampling> for SampleKind {
    fn from(sampling: RootSampling) -> SampleKind {
        match sampling {
            RootSampling::Leaf => SampleKind::Leaf,
            RootSampling::Branch => SampleKind::Branch,
        }
    }
}

/// The largest weight of a sample of a rare kind.
const MAX_SAMPLE_WEIGHT: f32 = 4.0;

/// Samples by number of empty squares and kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    groups: Vec<Vec<Sample>>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples {
            groups: vec![Vec::new(); (MOST_EMPTIES + 1) * SampleKind::ALL.len()],
        }
    }
}

impl Samples {
    /// The samples of a kind with this many empty squares.
    pub fn group(&self, empties: u32, kind: SampleKind) -> &[Sample] {
        self.groups
            .get(index(empties, kind))
            .map_or(&[], |group| group)
    }

    /// The samples of a stage by number of empty squares and kind; none beyond the last stage.
    pub fn stage(&self, at: usize) -> impl Iterator<Item = (u32, SampleKind, &[Sample])> {
        (0..=MOST_EMPTIES as u32)
            .filter(move |&empties| stage(empties) == at && at < STAGES)
            .flat_map(|empties| {
                SampleKind::ALL.map(|kind| (empties, kind, self.group(empties, kind)))
            })
    }

    /// The weight in a fit of each sample of a kind with this many empty squares: all kinds have the same total there, as
    /// far as the largest weight allows.
    pub fn weight(&self, empties: u32, kind: SampleKind) -> f32 {
        balanced_weight(
            SampleKind::ALL.map(|kind| self.group(empties, kind).len() as f32),
            kind,
        )
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: SampleKind) -> usize {
        let empties = 0..=MOST_EMPTIES as u32;
        empties.map(|empties| self.group(empties, kind).len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a position; call [`merge_duplicates`](Self::merge_duplicates) after the last.
    pub fn add(&mut self, board: &Board, kind: SampleKind, label: f32) {
        let Some(group) = self.groups.get_mut(index(board.empty_count(), kind)) else {
            return;
        };
        if group.len() == group.capacity() {
            // Grow by an eighth instead of doubling: the data may fill most of the memory.
            group.reserve_exact(group.len() / 8 + 64);
        }
        group.push(Sample {
            board: board.canonical(),
            label,
            records: 1.0,
        });
    }

    /// Sorts the samples and replaces those of one position by one with their mean label.
    pub fn merge_duplicates(&mut self, threads: NonZero<usize>) {
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

    /// Removes the positions that are also among `others`, of whatever kind.
    fn remove_duplicates_of(&mut self, others: &Samples, threads: NonZero<usize>) {
        let known = |board: &Board| {
            SampleKind::ALL.into_iter().any(|kind| {
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

/// The weight of each sample of a kind where there are so many of each kind: all kinds have the same total, as far as the
/// largest weight allows.
pub(super) fn balanced_weight(sizes: [f32; SampleKind::ALL.len()], kind: SampleKind) -> f32 {
    let kinds = sizes.iter().filter(|&&size| size > 0.0).count() as f32;
    let own = sizes[kind as usize];
    (sizes.iter().sum::<f32>() / (kinds * own).max(1.0)).min(MAX_SAMPLE_WEIGHT)
}

fn index(empties: u32, kind: SampleKind) -> usize {
    empties as usize * SampleKind::ALL.len() + kind as usize
}

/// Training samples, and held-out samples that measure the error on unseen positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// The samples that are fitted.
    pub training: Samples,
    /// From other games and roots, and no position that is among the training samples.
    pub held_out: Samples,
    /// Records that are no legal games; they are skipped.
    pub bad: usize,
}

/// One game, and one block of labelled positions, in this many is held out.
const HELD_OUT: u64 = 20;

/// Builds a [`Split`] from blocks, one at a time, so that files need not fit in memory.
#[derive(Debug)]
pub struct Splitter {
    seed: u64,
    lambda: f32,
    split: Split,
    /// Games so far.
    games: u64,
    /// Blocks of labelled positions so far.
    blocks: u64,
}

impl Splitter {
    /// The random seed decides what is held out; `lambda` is the λ of the TD(λ) labels of games.
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

    /// Adds the positions of a block.
    pub fn add(&mut self, block: &Block) {
        match &block.records {
            Records::Games(games) => {
                for game in games {
                    let samples = part(&mut self.split, self.seed, self.games);
                    self.games += 1;
                    match game.labelled(self.lambda) {
                        Some(labelled) => {
                            for (board, label) in &labelled {
                                samples.add(board, SampleKind::Game, *label);
                            }
                        }
                        None => self.split.bad += 1,
                    }
                }
            }
            Records::Positions(positions) => {
                let samples = part(&mut self.split, !self.seed, self.blocks);
                self.blocks += 1;
                for one in positions {
                    let label = one.label.value.discs() as f32;
                    samples.add(&one.board, one.sampling.into(), label);
                }
            }
        }
    }

    /// The samples of all blocks.
    pub fn finish(mut self, threads: NonZero<usize>) -> Split {
        self.split.training.merge_duplicates(threads);
        self.split.held_out.merge_duplicates(threads);
        let Split {
            training, held_out, ..
        } = &mut self.split;
        held_out.remove_duplicates_of(training, threads);
        self.split
    }
}

/// The part of the split, training or held out, that the record or block with this number belongs to.
fn part(split: &mut Split, seed: u64, number: u64) -> &mut Samples {
    if split_mix64(seed, number).is_multiple_of(HELD_OUT) {
        &mut split.held_out
    } else {
        &mut split.training
    }
}

/// Statistics of prediction errors (prediction minus label), in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorStats {
    /// How many predictions there are.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl ErrorStats {
    /// The errors of `predict` on these samples.
    pub fn of(samples: &[Sample], predict: impl Fn(&Sample) -> f64) -> ErrorStats {
        let mut errors = ErrorStats::default();
        for sample in samples {
            errors.add(predict(sample) - f64::from(sample.label));
        }
        errors
    }

    /// The errors of `predict` on several groups of samples.
    pub fn all<'a>(
        groups: impl IntoIterator<Item = (u32, SampleKind, &'a [Sample])>,
        predict: impl Fn(&Board) -> f64,
    ) -> ErrorStats {
        let errors = groups
            .into_iter()
            .map(|(_, _, samples)| ErrorStats::of(samples, |sample| predict(&sample.board)));
        errors.fold(ErrorStats::default(), ErrorStats::and)
    }

    /// The errors of an evaluation.
    pub fn of_evaluator(samples: &[Sample], evaluator: &dyn Evaluator) -> ErrorStats {
        ErrorStats::of(samples, |sample| evaluator.evaluate(&sample.board).discs())
    }

    /// Adds the error of one prediction.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// The statistics of both sets of predictions together.
    #[must_use]
    pub fn and(self, other: ErrorStats) -> ErrorStats {
        ErrorStats {
            count: self.count + other.count,
            signed: self.signed + other.signed,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    /// Count, sum, sum of absolute values and sum of squares, for a file.
    pub(super) fn sums(&self) -> [f64; 4] {
        [self.count, self.signed, self.absolute, self.squares]
    }

    /// The reverse of [`sums`](Self::sums).
    pub(super) fn from_sums([count, signed, absolute, squares]: [f64; 4]) -> ErrorStats {
        ErrorStats {
            count,
            signed,
            absolute,
            squares,
        }
    }

    /// The mean error: above 0 if predictions are too high.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// The mean absolute error.
    pub fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// The root mean square error.
    pub fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
