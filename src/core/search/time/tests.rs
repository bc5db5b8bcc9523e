//! Tests of the time manager, for single moves and for whole games, on a fake clock.

use super::*;
use crate::board::Square;

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn clock(left: Duration, increment: Duration) -> TimeControl {
    TimeControl::Clock { left, increment }
}

/// Returns a time manager with a minute left and 40 empties, after iterations with these best moves
/// and values in discs.
fn pace_after(iterations: &[(Square, i32)]) -> TimeManager {
    let mut manager = TimeManager::new(clock(millis(60_000), Duration::ZERO), 40);
    for &(square, score) in iterations {
        manager.iteration(Move::Place(square), Value::from_score(score));
    }
    manager
}

#[test]
fn a_fixed_time_is_used_up_except_the_reserve() {
    let mut manager = TimeManager::new(TimeControl::PerMove(millis(1000)), 30);
    assert_eq!(manager.maximum(), millis(990));
    for _ in 0..20 {
        manager.iteration(Move::Place(Square::F5), Value::ZERO);
    }
    assert!(manager.allows_next_iteration(millis(900)));
    assert!(!manager.allows_next_iteration(millis(990)));
    manager.begin_solving();
    assert_eq!(manager.maximum(), millis(990));
    let short = TimeManager::new(TimeControl::PerMove(millis(100)), 30);
    assert_eq!(short.maximum(), millis(98));
}

#[test]
fn a_quarter_of_a_measured_time_is_held_back_for_latency_but_at_most_100_ms() {
    for (time, used) in [(20, 14), (100, 73), (400, 294), (1000, 890), (5000, 4890)] {
        let control = TimeControl::with_latency_allowance(millis(time));
        let used_up = TimeManager::new(control, 30).maximum();
        assert_eq!(used_up.as_millis(), used, "{time} ms");
    }
}

#[test]
fn a_clock_refilled_by_its_increment_equals_a_fixed_time() {
    for time in [20, 50, 299] {
        let [clock, per_move] = [
            clock(millis(time), millis(time)),
            TimeControl::with_latency_allowance(millis(time)),
        ];
        assert_eq!(TimeManager::new(clock, 40), TimeManager::new(per_move, 40));
    }
    // The first clock is not refilled, because the increment is less than the time left. The second
    // has enough time to hold some back. Both keep unused time.
    for (left, increment) in [(50, 49), (300, 300)] {
        let manager = TimeManager::new(clock(millis(left), millis(increment)), 40);
        assert!(!manager.budget.all_or_lost);
    }
}

#[test]
fn instability_and_falling_values_extend_the_optimum() {
    let [c4, f5] = [Square::C4, Square::F5];
    let usual = pace_after(&[(f5, 2); 3]);
    let unstable = pace_after(&[(f5, 2), (f5, 2), (c4, 2)]);
    let falling = pace_after(&[(f5, 2), (f5, 2), (f5, -1)]);
    let both = pace_after(&[(f5, 2), (f5, 2), (c4, -1)]);
    let moments = [&usual, &unstable, &both].map(TimeManager::scaled_optimum);
    assert!(moments.is_sorted_by(|a, b| a < b), "{moments:?}");
    assert!(falling.scaled_optimum() > usual.scaled_optimum());
    assert_eq!(
        usual.scaled_optimum(),
        pace_after(&[(f5, 2), (f5, 3)]).scaled_optimum()
    );
    for manager in [&usual, &unstable, &both] {
        assert!(manager.scaled_optimum() <= manager.maximum());
        let last = manager.scaled_optimum() / NEXT_ITERATION_FACTOR;
        assert!(manager.allows_next_iteration(last.saturating_sub(millis(1))));
        assert!(!manager.allows_next_iteration(last + millis(1)));
    }
}

#[test]
fn a_solve_may_take_longer_than_an_iteration() {
    let mut manager = TimeManager::new(clock(millis(10_000), Duration::ZERO), 22);
    let maximum = manager.maximum();
    assert!(manager.allows_solving(Duration::ZERO, maximum + millis(500)));
    assert!(!manager.allows_solving(Duration::ZERO, millis(5000)));
    assert!(!manager.allows_solving(millis(4000), millis(1000)));
    manager.begin_solving();
    assert!(manager.maximum() > maximum && manager.maximum() <= millis(5000));
}

#[test]
fn an_empty_clock_gives_a_budget_of_zero() {
    let manager = TimeManager::new(clock(Duration::ZERO, Duration::ZERO), 40);
    assert_eq!(manager.maximum(), Duration::ZERO);
    assert!(!manager.allows_next_iteration(Duration::ZERO));
    let manager = TimeManager::new(clock(Duration::ZERO, Duration::ZERO), 0);
    assert!(!manager.allows_next_iteration(Duration::ZERO));
    assert!(manager.allows_solving(Duration::ZERO, Duration::ZERO));
}

#[test]
fn no_time_is_too_long() {
    let longest = Duration::MAX;
    for control in [
        TimeControl::PerMove(longest),
        clock(longest, Duration::ZERO),
        clock(millis(1000), longest),
        clock(longest, longest),
    ] {
        for empties in [0, 1, 60] {
            let manager = TimeManager::new(control, empties);
            assert!(manager.maximum() > millis(500), "{control:?}");
            assert!(manager.allows_next_iteration(millis(100)));
        }
    }
}

/// Returns the time left after a game whose moves take the time that `think` returns, plus `delay`.
/// Returns `None` if the time runs out.
fn left_after_game(
    main: Duration,
    increment: Duration,
    delay: Duration,
    mut think: impl FnMut(TimeManager, u32) -> Duration,
) -> Option<Duration> {
    let mut left = main;
    for own_move in 0..30 {
        let empties = 60 - 2 * own_move;
        let spent = think(TimeManager::new(clock(left, increment), empties), empties);
        left = left.checked_sub(spent + delay)? + increment;
    }
    Some(left)
}

/// All pairs of a main time and an increment that the tests use.
fn clocks() -> impl Iterator<Item = (Duration, Duration)> {
    let mains = [500, 1000, 2000, 10_000, 60_000, 600_000, 3_600_000].map(millis);
    let increments = [0, 10, 100, 1000, 10_000].map(millis);
    mains
        .into_iter()
        .flat_map(move |main| increments.map(|increment| (main, increment)))
}

#[test]
fn no_game_is_lost_on_time_with_the_maximum_for_every_move() {
    for (main, increment) in clocks() {
        for solving in [false, true] {
            let left = left_after_game(main, increment, millis(8), |mut manager, _| {
                assert!(manager.budget.optimum <= manager.budget.maximum);
                assert!(manager.budget.maximum <= manager.budget.solving);
                if solving {
                    manager.begin_solving();
                }
                manager.maximum()
            });
            assert!(left.is_some(), "{main:?} + {increment:?}");
        }
    }
}

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
