//! Levelling: output biases of the net, fitted to the final scores of self-play games of the net.
//!
//! A search of d plies from e empties returns the value of a leaf with e − d empties (the horizon),
//! negated if d is odd. If the evaluation has a mean error at a horizon, searches to this horizon
//! have the same mean error for the side to move there. The mean difference between the search
//! values of the moves of games and the final scores measures this error. The biases remove it.

use super::report::ErrorStats;
use super::training_game::TrainingGame;
use emilia_core::eval::net::BIASES;

/// Largest number of empties at the horizon for which errors are measured.
///
/// The mistakes of both players until the end of the game do not cancel out: White profits from
/// them. Above this number of empties, these mistakes shift the final scores by more than the mean
/// error of the evaluation, as searches of 22 plies show (see `MEASUREMENTS.md`).
const MOST_EMPTIES: u32 = 30;

/// In the smoothed mean error, the weights of the numbers of empties at a distance of 0, 2 and 4.
/// Numbers of the other parity have another bias, and are left out.
const KERNEL: [f64; 3] = [3.0, 2.0, 1.0];

/// Errors of search values against final scores.
#[derive(Clone, Debug)]
pub struct Levelling {
    /// Errors for the side to move at the horizon, by number of empties there.
    pub errors: [ErrorStats; BIASES],
}

impl Levelling {
    /// Measures the errors of the search values of the moves of `games`.
    /// Exact values are left out. Passes between a position and the horizon are neglected.
    pub fn of(games: &[TrainingGame]) -> Levelling {
        let mut errors = [ErrorStats::default(); BIASES];
        for game in games {
            let depth = u32::from(game.depth);
            let sign = if depth.is_multiple_of(2) { 1.0 } else { -1.0 };
            for ply in game.plies().unwrap_or_default() {
                let empties = ply.board.empty_count().checked_sub(depth);
                let horizon = empties.filter(|&horizon| horizon <= MOST_EMPTIES);
                let search = ply.search.filter(|search| !search.is_exact);
                if let (Some(horizon), Some(search)) = (horizon, search) {
                    let error = search.value.discs() - f64::from(ply.score);
                    errors[horizon as usize].add(sign * error);
                }
            }
        }
        Levelling { errors }
    }

    /// Returns the mean error at each number of empties, smoothed over numbers of the same parity.
    /// A number without data gets the mean error of the nearest number of the same parity with
    /// data, or 0.
    pub fn mean_errors(&self) -> [f64; BIASES] {
        let smoothed: [Option<f64>; BIASES] = std::array::from_fn(|empties| {
            let (mut sum, mut weight) = (0.0, 0.0);
            for (at, errors) in self.errors.iter().enumerate().skip(empties % 2).step_by(2) {
                let kernel = KERNEL.get(at.abs_diff(empties) / 2).copied();
                let share = kernel.unwrap_or(0.0) * errors.count;
                (sum, weight) = (sum + share * errors.mean(), weight + share);
            }
            (weight > 0.0).then(|| sum / weight)
        });
        std::array::from_fn(|empties| {
            let same = (empties % 2..BIASES).step_by(2);
            let known = same.filter(|&at| smoothed[at].is_some());
            let nearest = known.min_by_key(|at| at.abs_diff(empties));
            nearest.and_then(|at| smoothed[at]).unwrap_or(0.0)
        })
    }
}
