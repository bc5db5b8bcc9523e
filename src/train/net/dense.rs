//! The dense layers of the net in training: forward pass, backward pass and optimiser (Adam). They
//! map the accumulator to the value.

use super::vector::{BETA_2, RowVector, Step, dot};
use emilia_core::eval::net::{HIDDEN, MAX_LINEAR, OutputBucket, WIDTH};

/// Number of parameters in an output bucket, in this order: hidden weights, hidden biases, output
/// weights, skip weights, output bias.
const LEN: usize = HIDDEN * WIDTH + 2 * HIDDEN + WIDTH + 1;

/// Index of the first hidden bias among the parameters.
const HIDDEN_BIAS: usize = HIDDEN * WIDTH;

/// Index of the first output weight. An output weight connects a hidden unit to the output.
const OUTPUT: usize = HIDDEN_BIAS + HIDDEN;

/// Index of the first skip weight. A skip weight connects an accumulator unit directly to the
/// output.
const SKIP: usize = OUTPUT + HIDDEN;

/// Index of the output bias.
const BIAS: usize = SKIP + WIDTH;

/// Decay factor per step of the running mean of the gradient in Adam.
const BETA_1: f32 = 0.9;

/// Parameters of one output bucket, or their gradient.
#[derive(Clone, Debug)]
pub(super) struct Numbers(pub(super) Box<[f32; LEN]>);

impl Numbers {
    pub(super) fn zero() -> Numbers {
        Numbers(Box::new([0.0; LEN]))
    }

    /// Returns small random weights. The biases are zero.
    pub(super) fn random(random: &mut fastrand::Rng) -> Numbers {
        let mut numbers = Numbers::zero();
        let scale = 1.0 / (WIDTH as f32).sqrt();
        for weight in &mut numbers.0[..HIDDEN_BIAS] {
            *weight = scale * (2.0 * random.f32() - 1.0);
        }
        for weight in &mut numbers.0[OUTPUT..BIAS] {
            *weight = 0.5 * scale * (2.0 * random.f32() - 1.0);
        }
        numbers
    }

    /// Converts the parameters to an output bucket of the net.
    pub(super) fn bucket(&self) -> OutputBucket {
        OutputBucket {
            hidden: self.0[..HIDDEN_BIAS].to_vec(),
            hidden_bias: self.0[HIDDEN_BIAS..OUTPUT].to_vec(),
            output: self.0[OUTPUT..SKIP].to_vec(),
            skip: self.0[SKIP..BIAS].to_vec(),
            bias: self.0[BIAS],
        }
    }

    /// Converts an output bucket to parameters, the inverse of [`bucket`](Self::bucket).
    pub(super) fn of_bucket(bucket: &OutputBucket) -> Numbers {
        let mut numbers = Numbers::zero();
        let parts = [
            &bucket.hidden,
            &bucket.hidden_bias,
            &bucket.output,
            &bucket.skip,
        ];
        let all = parts.into_iter().flatten().chain([&bucket.bias]);
        for (number, of_bucket) in numbers.0.iter_mut().zip(all) {
            *number = *of_bucket;
        }
        numbers
    }

    /// Forward pass: computes the output for an accumulator. An output of 1 means `OUTPUT_DISCS`
    /// discs.
    pub(super) fn forward(&self, accumulator: &RowVector) -> Forward {
        let [mut inputs, mut skipped] = [[0.0; WIDTH]; 2];
        for unit in 0..WIDTH {
            inputs[unit] = accumulator[unit].clamp(0.0, 1.0);
            skipped[unit] = accumulator[unit].clamp(-MAX_LINEAR, MAX_LINEAR);
        }
        let numbers = &self.0;
        let mut hidden = [0.0; HIDDEN];
        let mut output = numbers[BIAS] + dot(&numbers[SKIP..BIAS], &skipped);
        let (rows, _) = numbers[..HIDDEN_BIAS].as_chunks::<WIDTH>();
        for (at, row) in rows.iter().enumerate() {
            hidden[at] = numbers[HIDDEN_BIAS + at] + dot(row, &inputs);
            let active = hidden[at].clamp(0.0, 1.0);
            output += numbers[OUTPUT + at] * active * active;
        }
        Forward {
            inputs,
            skipped,
            hidden,
            output,
        }
    }

    /// Backward pass: adds the gradient of the loss by the parameters to `gradient`, and returns
    /// the gradient by the accumulator. `slope` is the gradient of the loss by the output.
    pub(super) fn backward(
        &self,
        accumulator: &RowVector,
        forward: &Forward,
        slope: f32,
        gradient: &mut Numbers,
    ) -> RowVector {
        let (numbers, sums) = (&self.0, &mut gradient.0);
        let mut of_inputs = [0.0; WIDTH];
        sums[BIAS] += slope;
        for at in 0..HIDDEN {
            let active = forward.hidden[at].clamp(0.0, 1.0);
            sums[OUTPUT + at] += slope * active * active;
            let inside = forward.hidden[at] > 0.0 && forward.hidden[at] < 1.0;
            if !inside {
                continue;
            }
            let of_hidden = slope * numbers[OUTPUT + at] * 2.0 * active;
            sums[HIDDEN_BIAS + at] += of_hidden;
            let row = &numbers[at * WIDTH..][..WIDTH];
            let sums = &mut sums[at * WIDTH..][..WIDTH];
            for unit in 0..WIDTH {
                of_inputs[unit] += of_hidden * row[unit];
                sums[unit] += of_hidden * forward.inputs[unit];
            }
        }
        let mut of_accumulator = [0.0; WIDTH];
        for unit in 0..WIDTH {
            sums[SKIP + unit] += slope * forward.skipped[unit];
            let value = accumulator[unit];
            if value > 0.0 && value < 1.0 {
                of_accumulator[unit] = of_inputs[unit];
            }
            if value.abs() < MAX_LINEAR {
                of_accumulator[unit] += slope * numbers[SKIP + unit];
            }
        }
        of_accumulator
    }

    pub(super) fn add(&mut self, other: &Numbers) {
        for (sum, other) in self.0.iter_mut().zip(other.0.iter()) {
            *sum += other;
        }
    }
}

/// Activations of one position, for the backward pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forward {
    inputs: RowVector,
    skipped: RowVector,
    /// Hidden units before the activation function.
    hidden: [f32; HIDDEN],
    pub output: f32,
}

/// Output bucket in training. The state of Adam is `first` and `second`, the running means of the
/// gradient and of its square, and `steps`, the number of steps.
#[derive(Clone, Debug)]
pub(super) struct LearningBucket {
    pub(super) numbers: Numbers,
    first: Numbers,
    second: Numbers,
    steps: f32,
}

impl LearningBucket {
    pub(super) fn new(numbers: Numbers) -> LearningBucket {
        LearningBucket {
            numbers,
            first: Numbers::zero(),
            second: Numbers::zero(),
            steps: 0.0,
        }
    }

    /// Takes one step of Adam, with bias correction of the moments.
    pub(super) fn step(&mut self, gradient: &Numbers, step: Step) {
        self.steps += 1.0;
        let first_scale = 1.0 / (1.0 - BETA_1.powf(self.steps));
        let second_scale = 1.0 / (1.0 - BETA_2.powf(self.steps));
        for at in 0..LEN {
            let slope = gradient.0[at];
            let (first, second) = (&mut self.first.0[at], &mut self.second.0[at]);
            *first += (1.0 - BETA_1) * (slope - *first);
            *second += (1.0 - BETA_2) * (slope * slope - *second);
            let change = *first * first_scale / ((*second * second_scale).sqrt() + step.epsilon);
            self.numbers.0[at] -= step.learning_rate * change;
        }
    }

    /// Yields the parameters, their moments and the number of steps, for a checkpoint.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let parts = [&mut self.numbers, &mut self.first, &mut self.second];
        let numbers = parts.into_iter().flat_map(|part| part.0.iter_mut());
        numbers.chain([&mut self.steps])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_equals_finite_differences() {
        const SMALL: f32 = 1e-3;
        let mut random = fastrand::Rng::with_seed(1);
        let mut numbers = Numbers::random(&mut random);
        numbers.0[HIDDEN_BIAS..OUTPUT].fill_with(|| random.f32());
        // Units strictly between 0 and 1 avoid the kinks of the activation function, where the
        // gradient is undefined.
        let accumulator: RowVector = std::array::from_fn(|_| 0.1 + 0.8 * random.f32());
        let forward = numbers.forward(&accumulator);
        let mut gradient = Numbers::zero();
        let of_accumulator = numbers.backward(&accumulator, &forward, 1.0, &mut gradient);
        let check = |slope: f32, more: f32| {
            let difference = (more - forward.output) / SMALL;
            assert!((difference - slope).abs() < 0.02, "{slope}: {difference}");
        };
        for at in 0..LEN {
            let mut more = numbers.clone();
            more.0[at] += SMALL;
            check(gradient.0[at], more.forward(&accumulator).output);
        }
        for unit in 0..WIDTH {
            let mut more = accumulator;
            more[unit] += SMALL;
            check(of_accumulator[unit], numbers.forward(&more).output);
        }
    }
}
