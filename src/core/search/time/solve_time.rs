//! Estimate of the time that a solve takes, made before it begins.
//! The estimate depends only on its arguments. No clock is read.

use std::time::Duration;

use crate::search::parameters::time::{MIN_SAMPLE, SOLVE_BASE, SOLVE_PER_EMPTY};

/// Estimates a solve of `empties` empties: the time not exceeded in 98 of 100 cases.
///
/// The speed is that of a midgame search that has visited `nodes` nodes in `elapsed`.
/// Returns `None` if there are too few nodes to estimate the speed.
///
/// ```
/// use emilia_core::search::solve_time_estimate;
/// let second = std::time::Duration::from_secs(1);
/// assert!(solve_time_estimate(20, 5_000_000, second).unwrap() < second);
/// ```
pub fn solve_time_estimate(empties: u32, nodes: u64, elapsed: Duration) -> Option<Duration> {
    if nodes < MIN_SAMPLE {
        return None;
    }
    let as_many_as = 10f64.powf(SOLVE_BASE + SOLVE_PER_EMPTY * f64::from(empties));
    let seconds = as_many_as * elapsed.as_secs_f64() / nodes as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn estimates_grow_with_empties_and_shrink_with_speed() {
        for empties in 0..60 {
            let time = |empties, nodes| solve_time_estimate(empties, nodes, SECOND).unwrap();
            assert!(time(empties, 1_000_000) <= time(empties + 1, 1_000_000));
            assert!(time(empties, 2_000_000) <= time(empties, 1_000_000));
        }
    }

    #[test]
    fn too_few_nodes_or_too_long_a_time_give_no_estimate() {
        assert_eq!(solve_time_estimate(10, 0, Duration::ZERO), None);
        assert_eq!(solve_time_estimate(10, MIN_SAMPLE - 1, SECOND), None);
        assert_eq!(
            solve_time_estimate(60, MIN_SAMPLE, Duration::ZERO),
            Some(Duration::ZERO)
        );
        assert_eq!(solve_time_estimate(60, MIN_SAMPLE, Duration::MAX), None);
    }
}
