//! How much time a move may take. Pure: it is told the time and never asks for it. Stands on nothing.

use std::time::Duration;

/// The time a side has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeControl {
    /// The same time for each move; none is carried over.
    PerMove(Duration),
    /// What is left for the rest of the game, and what each move adds.
    Clock {
        /// Time left.
        left: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// Kept back for each move on the way between the search and the other end of the pipe.
const PROTOCOL_RESERVE: Duration = Duration::from_millis(10);

/// Where the reserve would leave less, the search still gets one part in this many of an even share of the time.
const SMALLEST_SHARE: u32 = 4;

/// A move may take this many times its even share of the clock, if the search asks for it.
const STRETCH: u32 = 3;

/// No single move takes more than one part in this many of the time left.
const LARGEST_SHARE: u32 = 4;

/// Moves of the last part of the game are solved and cost next to nothing: this many of a side's own moves need no
/// share of the clock.
const FREE_MOVES: u32 = 6;

/// When the next iteration would pass the optimum: each costs about this many times the one before.
const NEXT_ITERATION_FACTOR: u32 = 2;

/// The time for one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Budget {
    /// A good moment to answer.
    pub(super) optimum: Duration,
    /// The search is ended here, wherever it is.
    pub(super) maximum: Duration,
}

impl Budget {
    /// The budget for a position with `empties` empty squares.
    pub(super) fn new(control: TimeControl, empties: u32) -> Budget {
        match control {
            TimeControl::PerMove(time) => {
                let usable = less_reserve(time, 1, Duration::ZERO);
                Budget {
                    optimum: usable,
                    maximum: usable,
                }
            }
            TimeControl::Clock { left, increment } => {
                let moves_to_go = (empties / 2).max(1);
                let shares = moves_to_go.saturating_sub(FREE_MOVES).max(2);
                // The increment comes after the move, so `left` is all there is for this one, and the moves to come
                // need their way through the pipe as well.
                let usable = less_reserve(left, moves_to_go, increment);
                let optimum = usable / shares + increment * 3 / 4;
                let maximum = (optimum * STRETCH)
                    .min(usable / LARGEST_SHARE + increment)
                    .min(usable);
                Budget {
                    optimum: optimum.min(maximum),
                    maximum,
                }
            }
        }
    }

    /// Whether to begin another iteration after `elapsed`. A fixed time per move is used up, as none is carried over;
    /// on a clock, an iteration that would probably not end by the optimum is not begun.
    pub(super) fn allows_next_iteration(&self, elapsed: Duration) -> bool {
        if self.optimum == self.maximum {
            elapsed < self.maximum
        } else {
            elapsed * NEXT_ITERATION_FACTOR < self.optimum
        }
    }
}

/// What thinking may use up of `time` that is for this many moves: the reserve of the first is kept back, and of the
/// others what the increment does not pay.
fn less_reserve(time: Duration, moves: u32, increment: Duration) -> Duration {
    let later = PROTOCOL_RESERVE.saturating_sub(increment) * (moves - 1);
    time.saturating_sub(PROTOCOL_RESERVE + later)
        .max(time / (SMALLEST_SHARE * moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_per_move_is_used_but_for_the_reserve() {
        let budget = Budget::new(TimeControl::PerMove(millis(1000)), 30);
        assert_eq!(budget.maximum, millis(990));
        assert!(budget.allows_next_iteration(millis(900)));
        assert!(!budget.allows_next_iteration(millis(990)));
        assert_eq!(
            Budget::new(TimeControl::PerMove(millis(8)), 30).maximum,
            millis(2)
        );
    }

    /// A fake clock: every move takes its maximum and some delay on the way.
    fn time_left_after_game(
        main: Duration,
        increment: Duration,
        delay: Duration,
    ) -> Option<Duration> {
        let mut left = main;
        for own_move in 0..30 {
            let budget = Budget::new(TimeControl::Clock { left, increment }, 60 - 2 * own_move);
            assert!(budget.optimum <= budget.maximum);
            left = left.checked_sub(budget.maximum + delay)? + increment;
        }
        Some(left)
    }

    #[test]
    fn no_game_is_lost_on_time_even_at_the_maximum_of_every_move() {
        for main in [1, 2, 10, 60, 600, 3600].map(Duration::from_secs) {
            for increment in [0, 10, 100, 1000, 10_000].map(millis) {
                assert!(
                    time_left_after_game(main, increment, millis(8)).is_some(),
                    "{main:?} + {increment:?}"
                );
            }
        }
    }

    #[test]
    fn most_of_the_clock_is_used_when_moves_take_their_optimum() {
        let mut left = Duration::from_secs(600);
        for own_move in 0..30 {
            let control = TimeControl::Clock {
                left,
                increment: Duration::ZERO,
            };
            left -= Budget::new(control, 60 - 2 * own_move).optimum;
        }
        assert!(left < Duration::from_secs(60), "{left:?}");
    }

    #[test]
    fn nothing_left_is_not_a_panic() {
        let control = TimeControl::Clock {
            left: Duration::ZERO,
            increment: Duration::ZERO,
        };
        assert_eq!(Budget::new(control, 40).maximum, Duration::ZERO);
        assert!(!Budget::new(control, 0).allows_next_iteration(Duration::ZERO));
    }
}
