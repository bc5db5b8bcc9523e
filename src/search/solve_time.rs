//! The estimate of the time that a solve takes, made before it is begun. Pure: it is told the time and never asks for it.

use std::time::Duration;

/// Solving takes 10^(`BASE` + `PER_EMPTY` × empties) nodes, give or take [`SAFETY`]. Fitted by least squares to the exact
/// solves, from an empty table, of 310 positions from tournament games of 2019 with 12, 14, … 22 empty squares.
const BASE: f64 = -0.32;

/// See [`BASE`]: each empty square more makes it 2.2 times the nodes.
const PER_EMPTY: f64 = 0.347;

/// What is added to the exponent to be on the safe side: nine in ten of those positions took fewer nodes than that, 2.9
/// times the middle.
const SAFETY: f64 = 0.46;

/// The solver visits at least this many times the nodes per second that the iterations before it do, which evaluate
/// positions: measured 44 and 5.3 million, and the less is hoped for the better.
const SOLVER_SPEED: f64 = 6.0;

/// Fewer nodes than this say nothing of the speed.
const LEAST_SAMPLE: u64 = 1000;

/// The time that solving `empties` empty squares takes at most, nine times in ten, where a search has visited `nodes`
/// positions in `elapsed`, most of which were evaluated. `None` if that is too short to judge by.
///
/// ```
/// use emilia::search::solve_time_estimate;
/// let second = std::time::Duration::from_secs(1);
/// assert!(solve_time_estimate(20, 5_000_000, second).unwrap() < second);
/// ```
pub fn solve_time_estimate(empties: u32, nodes: u64, elapsed: Duration) -> Option<Duration> {
    if nodes < LEAST_SAMPLE {
        return None;
    }
    let to_visit = 10f64.powf(BASE + PER_EMPTY * f64::from(empties) + SAFETY);
    let seconds = to_visit / SOLVER_SPEED * elapsed.as_secs_f64() / nodes as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn tournament_positions_on_the_machine_of_the_measurement() {
        // The slowest of 40 positions with 20 empties took 0.5 s there, the slowest of 30 with 22 took 2 s.
        let seconds = |empties| {
            solve_time_estimate(empties, 5_300_000, SECOND)
                .unwrap()
                .as_secs_f64()
        };
        assert!((0.2..0.6).contains(&seconds(20)), "{}", seconds(20));
        assert!((1.0..2.5).contains(&seconds(22)), "{}", seconds(22));
        assert!(seconds(14) < 0.01);
    }

    #[test]
    fn it_grows_with_the_empties_and_shrinks_with_the_speed() {
        for empties in 0..60 {
            let time = |empties, nodes| solve_time_estimate(empties, nodes, SECOND).unwrap();
            assert!(time(empties, 1_000_000) <= time(empties + 1, 1_000_000));
            assert!(time(empties, 2_000_000) <= time(empties, 1_000_000));
        }
    }

    #[test]
    fn too_little_says_nothing() {
        assert_eq!(solve_time_estimate(10, 0, Duration::ZERO), None);
        assert_eq!(solve_time_estimate(10, LEAST_SAMPLE - 1, SECOND), None);
        assert_eq!(
            solve_time_estimate(60, LEAST_SAMPLE, Duration::ZERO),
            Some(Duration::ZERO)
        );
        assert_eq!(solve_time_estimate(60, LEAST_SAMPLE, Duration::MAX), None);
    }
}
