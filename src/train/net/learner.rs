//! The net while it learns: rows for the configurations of each pattern, rows for their sub-patterns, and the dense stacks.
//!
//! Sub-patterns exist only here: a window of a few squares of a pattern has rows of its own, shared by all configurations
//! that agree in it, so that a configuration that is seldom seen is not a stranger. Afterwards they are added up into the rows
//! of the full configurations.

use std::num::NonZero;
use std::ops::Range;

use super::dense::{LearningStack, Numbers};
use super::rows::Rows;
use super::step::Step;
use super::stream::LabelledBoard;
use super::vector::{Row, add};
use crate::board::Board;
use crate::eval::net::{
    EXTRAS, OUTPUT_DISCS, PHASES, Parameters, STACKS, WIDTH, extras, phase, stack,
};
use crate::eval::{Features, Full, ReducedIndex};
use crate::work;

/// Squares of a sub-pattern.
const WINDOW: usize = 5;

/// Sub-patterns of a pattern, at most.
const WINDOWS: usize = 3;

/// Errors of more discs than this count as the line through them does (Huber 1964).
const HUBER_DISCS: f32 = 10.0;

/// What an output of 1 stands for, in discs.
const UNIT_DISCS: f32 = OUTPUT_DISCS as f32;

/// Random weights of sub-patterns at the beginning, at most.
const INITIAL_ROW: f32 = 0.02;

/// What all units of the accumulator begin with.
const INITIAL_UNIT: f32 = 0.25;

/// Positions of a chunk, whose gradient of the dense part is one sum: so the result does not depend on the number of threads.
const CHUNK: usize = 64;

/// Most lanes that hold a pattern index.
const LANES: usize = Full::INSTANCES;

/// The rows of one pattern.
#[derive(Clone, Debug)]
struct PatternRows {
    /// The reduced index of its first configuration.
    first: usize,
    /// Its instances.
    lanes: Range<usize>,
    /// By phase and configuration.
    full: Rows,
    sub: Rows,
    /// The rows of the sub-patterns of each configuration.
    windows: Vec<[u16; WINDOWS]>,
    /// How many of these there are.
    count: usize,
}

/// A net that learns.
#[derive(Debug)]
pub(super) struct Learner {
    index: ReducedIndex<Full>,
    patterns: Vec<PatternRows>,
    extras: Rows,
    stacks: Vec<LearningStack>,
    chunks: Vec<Chunk>,
}

/// A position of a batch: the rows that it reads, their sum, and the gradient of this.
#[derive(Clone, Copy, Debug)]
struct Read {
    rows: [u32; LANES],
    phase: usize,
    extras: [usize; 3],
    accumulator: Row,
    gradient: Row,
}

/// Some positions of a batch.
#[derive(Clone, Debug, Default)]
struct Chunk {
    boards: Range<usize>,
    read: Vec<Read>,
    /// The gradient of each stack that has a position here.
    stacks: Vec<Option<Numbers>>,
    /// The sum of the weighted squared errors, in discs, and of the weights.
    errors: [f64; 2],
}

impl Learner {
    /// A net that knows nothing.
    pub(super) fn new(random: &mut fastrand::Rng) -> Learner {
        let index = ReducedIndex::<Full>::new();
        let patterns = pattern_rows(&index, random);
        let mut extras = vec![[0.0; WIDTH]; EXTRAS];
        // Each position reads three of these.
        extras.as_flattened_mut().fill(INITIAL_UNIT / 3.0);
        let stacks = (0..STACKS).map(|_| LearningStack::new(Numbers::random(random)));
        Learner {
            index,
            patterns,
            extras: Rows::new(extras),
            stacks: stacks.collect(),
            chunks: Vec::new(),
        }
    }

    /// A net that knows what another has learnt. Its sub-patterns begin with nothing.
    pub(super) fn from_parameters(parameters: &Parameters) -> Learner {
        let mut learner = Learner::new(&mut fastrand::Rng::with_seed(0));
        let (rows, _) = parameters.rows.as_chunks::<WIDTH>();
        let phases = rows.chunks_exact(learner.index.configurations());
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
        for (learning, stack) in learner.stacks.iter_mut().zip(&parameters.stacks) {
            learning.numbers = Numbers::of_stack(stack);
        }
        learner
    }

    /// What has been learnt, with the sub-patterns added up into the configurations.
    pub(super) fn parameters(&self) -> Parameters {
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
            stacks: self
                .stacks
                .iter()
                .map(|stack| stack.numbers.stack())
                .collect(),
        }
    }

    /// The value of a board for the side to move, in discs.
    pub(super) fn value(&self, board: &Board) -> f32 {
        let mut read = [self.read(board)];
        self.accumulate(&mut read);
        let accumulator = read[0].accumulator;
        let stack = &self.stacks[stack(board.empty_count())].numbers;
        (stack.forward(&accumulator).output * UNIT_DISCS).clamp(-64.0, 64.0)
    }

    /// Learns from a batch. Returns the sum of the weighted squared errors before, in discs, and of the weights.
    pub(super) fn learn(
        &mut self,
        batch: &[LabelledBoard],
        rows: Step,
        dense: Step,
        threads: NonZero<usize>,
    ) -> [f64; 2] {
        let mut chunks = std::mem::take(&mut self.chunks);
        chunks.resize_with(batch.len().div_ceil(CHUNK), Chunk::default);
        for (at, chunk) in chunks.iter_mut().enumerate() {
            chunk.boards = at * CHUNK..((at + 1) * CHUNK).min(batch.len());
        }
        work::for_each(threads, &mut chunks, |chunk| {
            chunk.read(self, &batch[chunk.boards.clone()], batch.len());
        });
        work::for_each(threads, &mut self.patterns, |pattern| {
            pattern.learn(&chunks, rows);
        });
        for read in chunks.iter().flat_map(|chunk| &chunk.read) {
            for extra in read.extras {
                self.extras.add_gradient(extra, &read.gradient);
            }
        }
        self.extras.step(rows);
        self.learn_stacks(&chunks, dense);
        let errors = chunks.iter().fold([0.0; 2], |sum, chunk| {
            [sum[0] + chunk.errors[0], sum[1] + chunk.errors[1]]
        });
        self.chunks = chunks;
        errors
    }

    fn learn_stacks(&mut self, chunks: &[Chunk], dense: Step) {
        for (at, stack) in self.stacks.iter_mut().enumerate() {
            let mut sum: Option<Numbers> = None;
            for gradient in chunks.iter().filter_map(|chunk| chunk.stacks[at].as_ref()) {
                match &mut sum {
                    Some(sum) => sum.add(gradient),
                    None => sum = Some(gradient.clone()),
                }
            }
            if let Some(gradient) = sum {
                stack.step(&gradient, dense);
            }
        }
    }

    /// Which rows a board reads.
    fn read(&self, board: &Board) -> Read {
        let row = self.index.row(board);
        Read {
            rows: std::array::from_fn(|lane| row[lane]),
            phase: phase(board.empty_count()),
            extras: extras(board, board.legal_moves()),
            accumulator: [0.0; WIDTH],
            gradient: [0.0; WIDTH],
        }
    }

    /// The sums of the rows that each position reads, pattern by pattern: so the rows that many positions read stay in the
    /// cache.
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

    /// All that changes, for a checkpoint.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let patterns = self.patterns.iter();
        let rows = patterns.flat_map(|pattern| pattern.full.numbers().chain(pattern.sub.numbers()));
        let stacks = self.stacks.iter().flat_map(LearningStack::numbers);
        rows.chain(self.extras.numbers()).chain(stacks)
    }

    /// Takes over [`numbers`](Self::numbers); `None` if there are too few.
    pub(super) fn restore(&mut self, numbers: &mut impl Iterator<Item = f32>) -> Option<()> {
        for pattern in &mut self.patterns {
            pattern.full.restore(numbers)?;
            pattern.sub.restore(numbers)?;
        }
        self.extras.restore(numbers)?;
        self.stacks
            .iter_mut()
            .try_for_each(|stack| stack.restore(numbers))
    }
}

impl Chunk {
    /// What the boards read, and the gradients of their errors. The loss is the mean over the batch.
    fn read(&mut self, learner: &Learner, boards: &[LabelledBoard], batch: usize) {
        self.read.clear();
        self.stacks.clear();
        self.stacks.resize(STACKS, None);
        self.errors = [0.0; 2];
        let read = boards.iter().map(|labelled| learner.read(&labelled.board));
        self.read.extend(read);
        learner.accumulate(&mut self.read);
        for (labelled, read) in boards.iter().zip(&mut self.read) {
            let at = stack(labelled.board.empty_count());
            let numbers = &learner.stacks[at].numbers;
            let forward = numbers.forward(&read.accumulator);
            let error = forward.output - labelled.label / UNIT_DISCS;
            let discs = f64::from(error * UNIT_DISCS);
            self.errors[0] += f64::from(labelled.weight) * discs * discs;
            self.errors[1] += f64::from(labelled.weight);
            let most = HUBER_DISCS / UNIT_DISCS;
            let slope = labelled.weight * error.clamp(-most, most) / batch as f32;
            let gradient = self.stacks[at].get_or_insert_with(Numbers::zero);
            read.gradient = numbers.backward(&read.accumulator, &forward, slope, gradient);
        }
    }
}

impl PatternRows {
    /// The rows of this phase.
    fn of_phase(&self, phase: usize) -> Range<usize> {
        let configurations = self.windows.len();
        phase * configurations..(phase + 1) * configurations
    }

    /// The row of the configuration with this reduced index in this phase.
    #[inline]
    fn row(&self, phase: usize, index: u32) -> usize {
        phase * self.windows.len() + index as usize - self.first
    }

    /// The rows of the sub-patterns of a row.
    #[inline]
    fn sub_rows(&self, row: usize) -> &[u16] {
        &self.windows[row % self.windows.len()][..self.count]
    }

    /// Adds the row of a configuration and those of its sub-patterns.
    #[inline]
    fn add_row(&self, row: usize, sum: &mut Row) {
        add(sum, &self.full.weights[row]);
        for &window in self.sub_rows(row) {
            add(sum, &self.sub.weights[usize::from(window)]);
        }
    }

    /// Takes the step of a batch.
    fn learn(&mut self, chunks: &[Chunk], step: Step) {
        for read in chunks.iter().flat_map(|chunk| &chunk.read) {
            for &row in &read.rows[self.lanes.clone()] {
                let row = self.row(read.phase, row);
                self.full.add_gradient(row, &read.gradient);
            }
        }
        let (windows, sub) = (&self.windows, &mut self.sub);
        self.full.for_each_read(|row, gradient| {
            for &window in &windows[row % windows.len()][..self.count] {
                sub.add_gradient(usize::from(window), gradient);
            }
        });
        self.full.step(step);
        self.sub.step(step);
    }
}

/// The rows of all patterns: those of configurations are zero, those of sub-patterns random.
fn pattern_rows(index: &ReducedIndex<Full>, random: &mut fastrand::Rng) -> Vec<PatternRows> {
    let mut first = 0;
    let mut first_lane = 0;
    index
        .classes()
        .into_iter()
        .map(|pattern| {
            let starts = window_starts(pattern.squares);
            let windows: Vec<[u16; WINDOWS]> = pattern
                .digits
                .iter()
                .map(|digits| {
                    let mut rows = [0; WINDOWS];
                    for (at, &start) in starts.iter().enumerate() {
                        let within = &digits[start..start + WINDOW];
                        let number = within
                            .iter()
                            .fold(0, |number, &digit| number * 3 + u16::from(digit));
                        rows[at] = at as u16 * WINDOW_ROWS as u16 + number;
                    }
                    rows
                })
                .collect();
            let mut sub = vec![[0.0; WIDTH]; starts.len() * WINDOW_ROWS];
            for weight in sub.as_flattened_mut() {
                *weight = INITIAL_ROW * (2.0 * random.f32() - 1.0);
            }
            let rows = PatternRows {
                first,
                lanes: first_lane..first_lane + pattern.instances,
                full: Rows::new(vec![[0.0; WIDTH]; PHASES * windows.len()]),
                sub: Rows::new(sub),
                count: starts.len(),
                windows,
            };
            first += rows.windows.len();
            first_lane += pattern.instances;
            rows
        })
        .collect()
}

/// Configurations of a sub-pattern.
const WINDOW_ROWS: usize = 3_usize.pow(WINDOW as u32);

/// Where the sub-patterns of a pattern of so many squares begin: evenly spread from the first square to the last.
fn window_starts(squares: usize) -> Vec<usize> {
    let last = squares.saturating_sub(WINDOW);
    let mut starts: Vec<usize> = (0..WINDOWS).map(|at| at * last / (WINDOWS - 1)).collect();
    starts.dedup();
    if squares <= WINDOW {
        starts.clear();
    }
    starts
}
