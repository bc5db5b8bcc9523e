//! Time manager: how much time a move may use, and when its search ends.
//! Its functions take durations from the caller and never read a clock.
//! The search measures these durations with an injected [`Clock`].

use std::time::Duration;

use super::limits::TimeControl;
use super::parameters::time::{
    FALL, FALLING, FREE_MOVES, MAX_SHARE, MIN_SAMPLE, MIN_SHARE, MIN_SHARES, NEXT_ITERATION_FACTOR,
    PROTOCOL_RESERVE, RESERVE_SHARE, SOLVE_BASE, SOLVE_PER_EMPTY, SOLVING_SHARE, STALL,
    STALL_SHARE, STRETCH, UNSTABLE,
};
use crate::board::Move;
use crate::eval::Value;

/// Longest time of a budget: 136 years. Sums and products of such times do not overflow.
const MAX_TIME: Duration = Duration::from_secs(u32::MAX as u64);

/// Time budget of one search, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Budget {
    /// Time after which the search should end.
    optimum: Duration,
    /// Time at which the search is aborted, even within an iteration.
    maximum: Duration,
    /// Time at which a search that has begun to solve is aborted, in place of `maximum`.
    solving: Duration,
    /// Whether unused time is lost, as with a fixed time per move.
    all_or_lost: bool,
}

impl Budget {
    /// Computes the budget for a move with `empties` empty squares on the board.
    /// Times above [`MAX_TIME`] are reduced to [`MAX_TIME`].
    fn new(control: TimeControl, empties: u32) -> Budget {
        match control {
            TimeControl::PerMove(time) => {
                let time = time.min(MAX_TIME);
                let usable = time.saturating_sub(PROTOCOL_RESERVE.min(time / RESERVE_SHARE));
                Budget {
                    optimum: usable,
                    maximum: usable,
                    solving: usable,
                    all_or_lost: true,
                }
            }
            // The clock has little time, and no more than the increment, which refills it after
            // each move. This is in effect a fixed time per move: time held back would be lost.
            TimeControl::Clock { left, increment }
                if left <= increment && left < STALL * STALL_SHARE =>
            {
                Budget::new(TimeControl::with_latency_allowance(left), empties)
            }
            TimeControl::Clock { left, increment } => {
                let [left, increment] = [left, increment].map(|time| time.min(MAX_TIME));
                let moves_to_go = (empties / 2).max(1);
                let shares = moves_to_go.saturating_sub(FREE_MOVES).max(MIN_SHARES);
                // The increment is added after the move, so this move can use only `left`, less the
                // reserves of this move and of later moves.
                let left = left.saturating_sub(STALL.min(left / STALL_SHARE));
                let usable = less_reserve(left, moves_to_go, increment);
                let at_most = |share: u32| (usable / share + increment).min(usable);
                let optimum = usable / shares + increment * 3 / 4;
                let maximum = (optimum * STRETCH).min(at_most(MAX_SHARE));
                Budget {
                    optimum: optimum.min(maximum),
                    maximum,
                    solving: at_most(SOLVING_SHARE).max(maximum),
                    all_or_lost: false,
                }
            }
        }
    }
}

/// Function that returns the time since some fixed moment.
///
/// Hosts without a system clock, such as WebAssembly, supply their own clock. Tests supply a fake
/// clock.
pub type Clock = fn() -> Duration;

/// Monotonic clock of the operating system.
#[cfg(not(target_family = "wasm"))]
pub fn system_clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed()
}

/// Placeholder for a clock on WebAssembly, which has none: always returns [`NO_CLOCK`].
#[cfg(target_family = "wasm")]
pub fn system_clock() -> Duration {
    NO_CLOCK
}

/// Value that a [`Clock`] returns if it does not run. A search without a time limit needs no clock.
pub const NO_CLOCK: Duration = Duration::MAX;

/// Measures the time since its start with an injected [`Clock`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    clock: Clock,
    start: Duration,
}

impl Stopwatch {
    pub(crate) fn start(clock: Clock) -> Stopwatch {
        Stopwatch {
            clock,
            start: clock(),
        }
    }

    /// Returns whether the clock runs, so that a search can keep a time limit.
    pub(crate) fn runs(&self) -> bool {
        self.start != NO_CLOCK
    }

    pub(crate) fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.start)
    }
}

/// Decides when a search ends, from its budget and the results of its iterations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeManager {
    budget: Budget,
    /// Best move of the last iteration.
    best: Option<Move>,
    /// Values of the last two iterations, the last one first.
    values: [Option<Value>; 2],
    /// Whether the last iteration changed the best move.
    unstable: bool,
    /// Whether the value has dropped by at least [`FALL`] over the last two iterations.
    falling: bool,
    /// Whether the current iteration solves the position.
    solving: bool,
}

impl TimeManager {
    /// Creates the time manager of a move with `empties` empty squares on the board.
    pub(crate) fn new(control: TimeControl, empties: u32) -> TimeManager {
        TimeManager {
            budget: Budget::new(control, empties),
            best: None,
            values: [None; 2],
            unstable: true,
            falling: false,
            solving: false,
        }
    }

    /// Records a completed iteration with its best move and value.
    pub(crate) fn iteration(&mut self, mv: Move, value: Value) {
        self.unstable = self.best.replace(mv) != Some(mv);
        let [last, before] = self.values;
        self.values = [Some(value), last];
        self.falling = before.is_some_and(|before| before - value >= FALL);
    }

    /// Returns the time after which the search is aborted, even within an iteration.
    pub(crate) fn maximum(&self) -> Duration {
        if self.solving {
            self.budget.solving
        } else {
            self.budget.maximum
        }
    }

    /// Returns whether a solve estimated at `time` fits into the time left after `elapsed`.
    pub(crate) fn allows_solving(&self, elapsed: Duration, time: Duration) -> bool {
        time <= self.budget.solving.saturating_sub(elapsed)
    }

    /// Switches to the larger time limit of a solve.
    /// Call this once [`allows_solving`](Self::allows_solving) has returned `true`.
    pub(crate) fn begin_solving(&mut self) {
        self.solving = true;
    }

    /// Returns whether to begin another iteration after `elapsed`.
    ///
    /// A fixed time per move is used up, because unused time is lost.
    /// On a clock, an iteration that is unlikely to end before the optimum is not begun.
    pub(crate) fn allows_next_iteration(&self, elapsed: Duration) -> bool {
        if self.budget.all_or_lost {
            elapsed < self.budget.maximum
        } else {
            elapsed * NEXT_ITERATION_FACTOR < self.scaled_optimum()
        }
    }

    /// Returns the optimum. A new best move or a falling value makes it later.
    fn scaled_optimum(&self) -> Duration {
        let stability = if self.unstable { UNSTABLE } else { 100 };
        let trend = if self.falling { FALLING } else { 100 };
        (self.budget.optimum * stability / 100 * trend / 100).min(self.budget.maximum)
    }
}

/// Returns the part of `time` that `moves` moves may use: `time` less the reserve of each move, but
/// at least `1 / MIN_SHARE` of an equal share. The reserve of the first move counts in full. The
/// reserve of a later move counts only as far as it exceeds the increment.
fn less_reserve(time: Duration, moves: u32, increment: Duration) -> Duration {
    let later = PROTOCOL_RESERVE.saturating_sub(increment) * (moves - 1);
    time.saturating_sub(PROTOCOL_RESERVE + later)
        .max(time / (MIN_SHARE * moves))
}

/// Returns an estimate of the time to solve a position with `empties` empties. In tournament games,
/// 99 of 100 solves take at most this time.
///
/// `nodes` / `elapsed` is the speed of a midgame search on the same machine.
/// Returns `None` if there are too few nodes to estimate the speed, or if the estimate is too long
/// for a [`Duration`].
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
mod tests;
