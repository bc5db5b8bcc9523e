//! [`Learner`]: the net in training, with its rows of pattern configurations, its rows of
//! sub-patterns, and its dense layers.
//!
//! Each configuration of a pattern has a row of numbers that is added to the accumulator. A
//! sub-pattern consists of [`SUB_PATTERN_SQUARES`] consecutive squares of a pattern, with one row
//! for each filling of these squares. All configurations with the same filling share this row, so
//! that rare configurations learn from frequent ones. Sub-patterns exist only in training: export
//! adds their rows to the rows of the full configurations.

use std::num::NonZero;
use std::ops::Range;

use super::dense::{LearningBucket, Numbers};
use super::rows::Rows;
use super::vector::{RowVector, Step, add};
use crate::stream::LabelledBoard;
use emilia_core::board::Board;
use emilia_core::eval::ReducedIndex;
use emilia_core::eval::net::{
    BIASES, EXTRAS, INSTANCES, OUTPUT_BUCKETS, OUTPUT_DISCS, OWN_EXTRAS, PHASES, Parameters, WIDTH,
    bias, bucket, configurations, extras, phase, reduced_index,
};
use emilia_core::work::parallel_map;

/// Number of squares in a sub-pattern.
const SUB_PATTERN_SQUARES: usize = 5;

/// Maximum number of sub-patterns in a pattern.
const MAX_SUB_PATTERNS: usize = 3;

/// Threshold of the Huber loss in discs: larger errors are penalised linearly (Huber 1964).
const HUBER_DISCS: f32 = 10.0;

/// Number of discs for an output of 1.
const UNIT_DISCS: f32 = OUTPUT_DISCS as f32;

/// Bound of the random initial weights of sub-patterns, which are between ±this number.
const INITIAL_ROW: f32 = 0.02;

/// Initial value of every accumulator unit.
const INITIAL_UNIT: f32 = 0.25;

/// Number of positions per chunk. Gradients of the dense layers are summed within each chunk, then
/// over the chunks in order. The result therefore does not depend on the number of threads.
const CHUNK: usize = 64;

/// Rows of one pattern and of its sub-patterns.
#[derive(Clone, Debug)]
struct PatternRows {
    /// Reduced index of the pattern's first configuration. Symmetric configurations have the same
    /// reduced index.
    first: usize,
    /// Indices in [`Read::rows`] of the instances of this pattern on the board.
    lanes: Range<usize>,
    /// Rows of the full configurations, by phase (a range of numbers of empties) and then by
    /// configuration.
    full: Rows,
    sub: Rows,
    /// For each configuration, the indices in `sub` of its sub-pattern rows. Only the first `count`
    /// are used.
    sub_patterns: Vec<[u16; MAX_SUB_PATTERNS]>,
    /// Number of sub-patterns of this pattern.
    count: usize,
}

/// The net in training.
#[derive(Debug)]
pub(super) struct Learner {
    index: ReducedIndex,
    patterns: Vec<PatternRows>,
    extras: Rows,
    buckets: Vec<LearningBucket>,
    /// Output bias for each number of empties. Training does not change it: see
    /// [`Levelling`](crate::Levelling).
    biases: Vec<f32>,
}

/// Working data of one position in a batch: the rows that are added to its accumulator, the
/// accumulator, and the gradient of the loss by the accumulator.
#[derive(Clone, Copy, Debug)]
struct Read {
    rows: [u32; INSTANCES],
    phase: usize,
    extras: [usize; OWN_EXTRAS],
    accumulator: RowVector,
    gradient: RowVector,
}

/// Part of a batch that one thread processes.
#[derive(Clone, Debug)]
struct Chunk {
    read: Vec<Read>,
    /// Gradient of each output bucket. `None` if no position of this chunk uses the bucket.
    buckets: Vec<Option<Numbers>>,
    /// Sum of the weighted squared errors in squared discs, and sum of the weights.
    errors: [f64; 2],
}

impl Learner {
    /// Creates a net with random initial weights.
    pub(super) fn new(random: &mut fastrand::Rng) -> Learner {
        let index = reduced_index();
        let patterns = pattern_rows(&index, random);
        let mut extras = vec![[0.0; WIDTH]; EXTRAS];
        // Each position adds `OWN_EXTRAS` of these rows, so together they add `INITIAL_UNIT`.
        extras
            .as_flattened_mut()
            .fill(INITIAL_UNIT / OWN_EXTRAS as f32);
        let buckets = (0..OUTPUT_BUCKETS).map(|_| LearningBucket::new(Numbers::random(random)));
        Learner {
            index,
            patterns,
            extras: Rows::new(extras),
            buckets: buckets.collect(),
            biases: vec![0.0; BIASES],
        }
    }

    /// Creates a net from exported parameters. The sub-patterns start at zero.
    pub(super) fn from_parameters(parameters: &Parameters) -> Learner {
        let mut learner = Learner::new(&mut fastrand::Rng::with_seed(0));
        let (rows, _) = parameters.rows.as_chunks::<WIDTH>();
        let phases = rows.chunks_exact(learner.index.count());
        for (phase, rows) in phases.enumerate() {
            for pattern in &mut learner.patterns {
                let of_pattern = pattern.of_phase(phase);
                let end = pattern.first + of_pattern.len();
                pattern.full.weights[of_pattern].copy_from_slice(&rows[pattern.first..end]);
            }
        }
        for pattern in &mut learner.patterns {
            pattern.sub.weights.as_flattened_mut().fill(0.0);
        }
        let (extras, _) = parameters.extras.as_chunks::<WIDTH>();
        learner.extras.weights.copy_from_slice(extras);
        for (learning, bucket) in learner.buckets.iter_mut().zip(&parameters.buckets) {
            learning.numbers = Numbers::of_bucket(bucket);
        }
        learner.biases.clone_from(&parameters.biases);
        learner
    }

    /// Exports the parameters. The rows of sub-patterns are added to the rows of configurations.
    pub(super) fn parameters(&self) -> Parameters {
        let buckets = self.buckets.iter().map(|bucket| bucket.numbers.bucket());
        let phases = (0..PHASES).flat_map(|phase| {
            let patterns = self.patterns.iter();
            patterns.flat_map(move |pattern| pattern.of_phase(phase).map(move |row| (pattern, row)))
        });
        let rows = phases.flat_map(|(pattern, row)| {
            let mut sum = [0.0; WIDTH];
            pattern.add_row(row, &mut sum);
            sum
        });
        Parameters {
            rows: rows.collect(),
            extras: self.extras.weights.as_flattened().to_vec(),
            buckets: buckets.collect(),
            biases: self.biases.clone(),
        }
    }

    /// Evaluates `board` for the side to move, in discs.
    pub(super) fn value(&self, board: &Board) -> f32 {
        let mut read = [self.read(board)];
        self.accumulate(&mut read);
        let accumulator = read[0].accumulator;
        let empties = board.empty_count();
        let bucket = &self.buckets[bucket(empties)].numbers;
        let output = bucket.forward(&accumulator).output + self.biases[bias(empties)];
        (output * UNIT_DISCS).clamp(-64.0, 64.0)
    }

    /// Takes one gradient step on a batch. `rows` and `dense` are the settings of the step for the
    /// rows and for the dense layers.
    ///
    /// Returns the sum of the weighted squared errors before the step, in squared discs, and the
    /// sum of the weights of the positions.
    pub(super) fn learn(
        &mut self,
        batch: &[LabelledBoard],
        rows: Step,
        dense: Step,
        threads: NonZero<usize>,
    ) -> [f64; 2] {
        let mut workers = vec![(); threads.get()];
        let chunk = |(): &mut (), boards| Some(Chunk::of(self, boards, batch.len()));
        let boards = batch.chunks(CHUNK);
        let mapped = parallel_map("batch", &mut workers, boards, &|_| (), chunk);
        let chunks = mapped.unwrap_or_default();
        let learn = |(): &mut (), pattern: &mut PatternRows| {
            pattern.learn(&chunks, rows);
            Some(())
        };
        parallel_map("rows", &mut workers, &mut self.patterns, &|_| (), learn);
        for read in chunks.iter().flat_map(|chunk| &chunk.read) {
            for extra in read.extras {
                self.extras.add_gradient(extra, &read.gradient);
            }
        }
        self.extras.step(rows);
        for (at, bucket) in self.buckets.iter_mut().enumerate() {
            let mut gradients = chunks.iter().filter_map(|chunk| chunk.buckets[at].as_ref());
            if let Some(first) = gradients.next() {
                let mut sum = first.clone();
                gradients.for_each(|gradient| sum.add(gradient));
                bucket.step(&sum, dense);
            }
        }
        chunks.iter().fold([0.0; 2], |sum, chunk| {
            [sum[0] + chunk.errors[0], sum[1] + chunk.errors[1]]
        })
    }

    /// Returns the rows that `board` adds to its accumulator. The accumulator and the gradient are
    /// zero.
    fn read(&self, board: &Board) -> Read {
        Read {
            rows: configurations(&self.index, board),
            phase: phase(board.empty_count()),
            extras: extras(board, board.legal_moves()),
            accumulator: [0.0; WIDTH],
            gradient: [0.0; WIDTH],
        }
    }

    /// Computes the accumulator of each position. All positions add the rows of one pattern before
    /// those of the next, so that rows used by several positions stay in the cache.
    fn accumulate(&self, read: &mut [Read]) {
        for one in &mut *read {
            let mut sum = [0.0; WIDTH];
            for extra in one.extras {
                add(&mut sum, &self.extras.weights[extra]);
            }
            one.accumulator = sum;
        }
        for pattern in &self.patterns {
            for one in &mut *read {
                for &row in &one.rows[pattern.lanes.clone()] {
                    pattern.add_row(pattern.row(one.phase, row), &mut one.accumulator);
                }
            }
        }
    }

    /// Yields all parameters and the optimiser state, for a checkpoint.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let patterns = self.patterns.iter_mut();
        let rows = patterns.flat_map(|pattern| pattern.full.numbers().chain(pattern.sub.numbers()));
        let buckets = self.buckets.iter_mut().flat_map(LearningBucket::numbers);
        rows.chain(self.extras.numbers()).chain(buckets)
    }
}

impl Chunk {
    /// Runs the forward and the backward pass of the chunk `boards`. `batch` is the number of
    /// positions in the whole batch, over which the loss is averaged.
    fn of(learner: &Learner, boards: &[LabelledBoard], batch: usize) -> Chunk {
        let mut chunk = Chunk {
            read: boards.iter().map(|one| learner.read(&one.board)).collect(),
            buckets: vec![None; OUTPUT_BUCKETS],
            errors: [0.0; 2],
        };
        learner.accumulate(&mut chunk.read);
        for (labelled, read) in boards.iter().zip(&mut chunk.read) {
            let empties = labelled.board.empty_count();
            let at = bucket(empties);
            let numbers = &learner.buckets[at].numbers;
            let forward = numbers.forward(&read.accumulator);
            let output = forward.output + learner.biases[bias(empties)];
            let error = output - labelled.label / UNIT_DISCS;
            let discs = f64::from(error * UNIT_DISCS);
            chunk.errors[0] += f64::from(labelled.weight) * discs * discs;
            chunk.errors[1] += f64::from(labelled.weight);
            let most = HUBER_DISCS / UNIT_DISCS;
            let slope = labelled.weight * error.clamp(-most, most) / batch as f32;
            let gradient = chunk.buckets[at].get_or_insert_with(Numbers::zero);
            read.gradient = numbers.backward(&read.accumulator, &forward, slope, gradient);
        }
        chunk
    }
}

impl PatternRows {
    /// Returns the indices in `full` of the rows for a phase.
    fn of_phase(&self, phase: usize) -> Range<usize> {
        let configurations = self.sub_patterns.len();
        phase * configurations..(phase + 1) * configurations
    }

    /// Returns the index in `full` of a configuration's row for a phase. `index` is the reduced
    /// index of the configuration.
    #[inline]
    fn row(&self, phase: usize, index: u32) -> usize {
        phase * self.sub_patterns.len() + index as usize - self.first
    }

    /// Returns the indices in `sub` of the rows that belong to row `row` of `full`.
    #[inline]
    fn sub_rows(&self, row: usize) -> &[u16] {
        &self.sub_patterns[row % self.sub_patterns.len()][..self.count]
    }

    /// Adds row `row` of `full` and its sub-pattern rows to `sum`.
    #[inline]
    fn add_row(&self, row: usize, sum: &mut RowVector) {
        add(sum, &self.full.weights[row]);
        for &window in self.sub_rows(row) {
            add(sum, &self.sub.weights[usize::from(window)]);
        }
    }

    /// Adds up the gradients of the batch and takes one optimiser step.
    fn learn(&mut self, chunks: &[Chunk], step: Step) {
        for read in chunks.iter().flat_map(|chunk| &chunk.read) {
            for &row in &read.rows[self.lanes.clone()] {
                let row = self.row(read.phase, row);
                self.full.add_gradient(row, &read.gradient);
            }
        }
        let (sub_patterns, sub) = (&self.sub_patterns, &mut self.sub);
        self.full.for_each_read(|row, gradient| {
            for &window in &sub_patterns[row % sub_patterns.len()][..self.count] {
                sub.add_gradient(usize::from(window), gradient);
            }
        });
        self.full.step(step);
        self.sub.step(step);
    }
}

/// Creates the rows of all patterns. Rows of configurations are zero, rows of sub-patterns are
/// random.
fn pattern_rows(index: &ReducedIndex, random: &mut fastrand::Rng) -> Vec<PatternRows> {
    let mut first = 0;
    let mut first_lane = 0;
    index
        .classes()
        .into_iter()
        .map(|pattern| {
            let starts = sub_pattern_starts(pattern.squares);
            let sub_patterns: Vec<[u16; MAX_SUB_PATTERNS]> = pattern
                .digits
                .iter()
                .map(|digits| {
                    let mut rows = [0; MAX_SUB_PATTERNS];
                    for (at, &start) in starts.iter().enumerate() {
                        let within = &digits[start..start + SUB_PATTERN_SQUARES];
                        let number = within
                            .iter()
                            .fold(0, |number, &digit| number * 3 + u16::from(digit));
                        rows[at] = at as u16 * SUB_PATTERN_ROWS as u16 + number;
                    }
                    rows
                })
                .collect();
            let mut sub = vec![[0.0; WIDTH]; starts.len() * SUB_PATTERN_ROWS];
            for weight in sub.as_flattened_mut() {
                *weight = INITIAL_ROW * (2.0 * random.f32() - 1.0);
            }
            let rows = PatternRows {
                first,
                lanes: first_lane..first_lane + pattern.instances,
                full: Rows::new(vec![[0.0; WIDTH]; PHASES * sub_patterns.len()]),
                sub: Rows::new(sub),
                count: starts.len(),
                sub_patterns,
            };
            first += rows.sub_patterns.len();
            first_lane += pattern.instances;
            rows
        })
        .collect()
}

/// Number of fillings of a sub-pattern: empty, own disc or opponent's disc on each square.
const SUB_PATTERN_ROWS: usize = 3_usize.pow(SUB_PATTERN_SQUARES as u32);

/// Returns the index of each sub-pattern's first square within the pattern, from 0. The
/// sub-patterns are spread evenly over the `squares` squares of the pattern. A pattern that is not
/// larger than a sub-pattern has none.
fn sub_pattern_starts(squares: usize) -> Vec<usize> {
    let last = squares.saturating_sub(SUB_PATTERN_SQUARES);
    let mut starts: Vec<usize> = (0..MAX_SUB_PATTERNS)
        .map(|at| at * last / (MAX_SUB_PATTERNS - 1))
        .collect();
    starts.dedup();
    if squares <= SUB_PATTERN_SQUARES {
        starts.clear();
    }
    starts
}
