//! Levelling: fits output biases of the net, so that search values agree on average with the final
//! scores of games that the net played against itself.
//!
//! A search of d plies in a position with e empties returns the value of a leaf with e − d empties,
//! negated if d is odd. This number of empties is called the horizon. A mean error of the
//! evaluation at a horizon appears as the same mean error in all searches to this horizon. This
//! error is measured as the mean difference between the search values of the moves in games and the
//! final scores of these games. The biases are set so that they cancel the error.

use super::report::ErrorStats;
use super::training_game::TrainingGame;
use emilia_core::eval::net::BIASES;

/// Maximum horizon, in empties, for which errors are measured.
///
/// Both players make mistakes until the end of the game. On average White profits from them, so the
/// final scores are shifted. At a larger horizon this shift exceeds the mean error of the
/// evaluation, as searches of 22 plies show (see `MEASUREMENTS.md`).
const MOST_EMPTIES: u32 = 30;

/// Kernel that smooths the mean errors: weights of the numbers of empties at a distance of 0, 2 and
/// 4. Odd distances have no weight, because even and odd numbers of empties have different errors.
const KERNEL: [f64; 3] = [3.0, 2.0, 1.0];

/// Differences between search values and final scores.
#[derive(Clone, Debug)]
pub struct Levelling {
    /// Search value minus final score for the side to move at the horizon. The index is the
    /// horizon.
    pub errors: [ErrorStats; BIASES],
}

impl Levelling {
    /// Measures the errors of the search values in `games`. Exact values are left out. A pass
    /// between a position and its horizon, which would change the side to move, is ignored.
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

    /// Returns the mean error in discs for each number of empties, smoothed by `KERNEL`. A number
    /// without data gets the mean error of the nearest number with data and the same parity.
    /// Without any data it is 0.
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
