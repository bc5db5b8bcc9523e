//! Samples: labelled positions, unique up to symmetry, split into training and held-out ones.

use std::num::NonZero;

use super::block::{Block, Records};
use super::labelled::{MOST_EMPTIES, RootSampling};
use super::random::split_mix64;
use crate::board::Board;
use crate::eval::{Evaluator, STAGES, stage};
use crate::work;

/// A labelled position, merged from all its records. Takes 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The canonical board: the smallest of the eight symmetric images.
    pub board: Board,
    /// Mean label of the merged records for the side to move, in discs.
    pub label: f32,
    /// Number of merged records. A sample has the same weight in a fit regardless of this number.
    pub records: f32,
}

/// Kind of record that a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SampleKind {
    /// A position of a self-play game.
    Game,
    /// A leaf of a search of a root.
    Leaf,
    /// A position of a noisy continuation from a root.
    Branch,
}

impl SampleKind {
    /// All kinds of samples.
    pub const ALL: [SampleKind; 3] = [SampleKind::Game, SampleKind::Leaf, SampleKind::Branch];

    /// Returns the plural name in lower case: "games", "leaves" or "branches".
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

/// Maximum weight of a sample of a rare kind.
const MAX_SAMPLE_WEIGHT: f32 = 4.0;

/// Samples, grouped by number of empties and kind.
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
    /// Returns the samples of `kind` with `empties` empties.
    pub fn group(&self, empties: u32, kind: SampleKind) -> &[Sample] {
        self.groups
            .get(index(empties, kind))
            .map_or(&[], |group| group)
    }

    /// Yields empties, kind and samples of each group of stage `at`; nothing past the last stage.
    pub fn stage(&self, at: usize) -> impl Iterator<Item = (u32, SampleKind, &[Sample])> {
        (0..=MOST_EMPTIES as u32)
            .filter(move |&empties| stage(empties) == at && at < STAGES)
            .flat_map(|empties| {
                SampleKind::ALL.map(|kind| (empties, kind, self.group(empties, kind)))
            })
    }

    /// Returns the weight in a fit of each sample of `kind` with `empties` empties.
    ///
    /// All kinds get the same total weight, unless the maximum weight of a sample limits it.
    pub fn weight(&self, empties: u32, kind: SampleKind) -> f32 {
        balanced_weight(
            SampleKind::ALL.map(|kind| self.group(empties, kind).len() as f32),
            kind,
        )
    }

    /// Returns the total number of samples.
    pub fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Returns the number of samples of a kind.
    pub fn count(&self, kind: SampleKind) -> usize {
        let empties = 0..=MOST_EMPTIES as u32;
        empties.map(|empties| self.group(empties, kind).len()).sum()
    }

    /// Returns whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a position. Call [`merge_duplicates`](Self::merge_duplicates) after the last one.
    pub fn add(&mut self, board: &Board, kind: SampleKind, label: f32) {
        let Some(group) = self.groups.get_mut(index(board.empty_count(), kind)) else {
            return;
        };
        if group.len() == group.capacity() {
            // Grows by an eighth instead of doubling: the data may fill most of the memory.
            group.reserve_exact(group.len() / 8 + 64);
        }
        group.push(Sample {
            board: board.canonical(),
            label,
            records: 1.0,
        });
    }

    /// Sorts the samples and merges those of equal positions into one with their mean label.
    pub fn merge_duplicates(&mut self, threads: NonZero<usize>) {
        work::parallel_for_each(threads, &mut self.groups, |group| {
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

    /// Removes the positions that also occur among `others`, in any kind.
    fn remove_duplicates_of(&mut self, others: &Samples, threads: NonZero<usize>) {
        let is_in_others = |board: &Board| {
            SampleKind::ALL.into_iter().any(|kind| {
                let group = others.group(board.empty_count(), kind);
                group
                    .binary_search_by_key(board, |sample| sample.board)
                    .is_ok()
            })
        };
        work::parallel_for_each(threads, &mut self.groups, |group| {
            group.retain(|sample| !is_in_others(&sample.board));
        });
    }
}

/// Returns the weight of each sample of `kind`, given the number of samples of each kind.
///
/// All kinds get the same total weight, unless the maximum weight of a sample limits it.
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
    /// Samples used in the fit.
    pub training: Samples,
    /// Samples of other games and roots. None of their positions is a training sample.
    pub held_out: Samples,
    /// Number of skipped records that are not legal games.
    pub bad: usize,
}

/// One game in `HELD_OUT` is held out, and one block of labelled positions in `HELD_OUT`.
const HELD_OUT: u64 = 20;

/// Builds a [`Split`] from blocks, one at a time, so that files need not fit in memory.
#[derive(Debug)]
pub struct Splitter {
    seed: u64,
    lambda: f32,
    split: Split,
    /// Number of games added so far.
    games: u64,
    /// Number of blocks of labelled positions added so far.
    blocks: u64,
}

impl Splitter {
    /// Creates a splitter. `seed` selects what is held out; `lambda` is λ of the TD(λ) labels.
    pub fn new(seed: u64, lambda: f32) -> Splitter {
        Splitter {
            seed,
            lambda,
            split: Split::default(),
            games: 0,
            blocks: 0,
        }
    }

    /// Returns the number of games added so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the positions of a block to the training or the held-out samples.
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

    /// Merges duplicates and returns the samples of all blocks.
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

/// Returns the part of the split, training or held out, of record or block `number`.
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
    /// Number of predictions.
    pub count: f64,
    signed: f64,
    absolute: f64,
    squares: f64,
}

impl ErrorStats {
    /// Measures the errors of `predict` on `samples`.
    pub fn of(samples: &[Sample], predict: impl Fn(&Sample) -> f64) -> ErrorStats {
        let mut errors = ErrorStats::default();
        for sample in samples {
            errors.add(predict(sample) - f64::from(sample.label));
        }
        errors
    }

    /// Measures the errors of `predict` on several groups of samples together.
    pub fn all<'a>(
        groups: impl IntoIterator<Item = (u32, SampleKind, &'a [Sample])>,
        predict: impl Fn(&Board) -> f64,
    ) -> ErrorStats {
        let errors = groups
            .into_iter()
            .map(|(_, _, samples)| ErrorStats::of(samples, |sample| predict(&sample.board)));
        errors.fold(ErrorStats::default(), ErrorStats::and)
    }

    /// Measures the errors of an evaluation on `samples`.
    pub fn of_evaluator(samples: &[Sample], evaluator: &dyn Evaluator) -> ErrorStats {
        ErrorStats::of(samples, |sample| evaluator.evaluate(&sample.board).discs())
    }

    /// Adds the error of one prediction, in discs.
    pub(super) fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.signed += error;
        self.absolute += error.abs();
        self.squares += error * error;
    }

    /// Merges the statistics of two sets of predictions.
    #[must_use]
    pub fn and(self, other: ErrorStats) -> ErrorStats {
        ErrorStats {
            count: self.count + other.count,
            signed: self.signed + other.signed,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    /// Returns count, sum, sum of absolute values, and sum of squares, to be stored in a file.
    pub(super) fn sums(&self) -> [f64; 4] {
        [self.count, self.signed, self.absolute, self.squares]
    }

    /// Restores the statistics from the result of [`sums`](Self::sums).
    pub(super) fn from_sums([count, signed, absolute, squares]: [f64; 4]) -> ErrorStats {
        ErrorStats {
            count,
            signed,
            absolute,
            squares,
        }
    }

    /// Returns the mean error in discs. Positive if predictions are too high.
    pub fn mean(&self) -> f64 {
        self.signed / self.count.max(1.0)
    }

    /// Returns the mean absolute error in discs.
    pub fn mae(&self) -> f64 {
        self.absolute / self.count.max(1.0)
    }

    /// Returns the root mean square error in discs.
    pub fn rmse(&self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }
}
