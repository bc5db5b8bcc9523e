//! The time manager: how much time a move may take, and when it has had enough. Pure: it is told the time and never asks for
//! it. The time itself comes from a [`Clock`].

use std::time::Duration;

use crate::board::Move;
use crate::eval::Value;

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

/// The share of a move that is kept back where its time is measured beyond a pipe, at most.
const LATENCY: Duration = Duration::from_millis(100);

/// Kept back for each move, wherever it is measured.
const PROTOCOL_RESERVE: Duration = Duration::from_millis(10);

impl TimeControl {
    /// A fixed time for a move that somebody else measures, less what the way there and back may take. What is kept back of
    /// every move is part of that.
    pub fn measured_elsewhere(time: Duration) -> TimeControl {
        let latency = LATENCY.min(time / 4);
        TimeControl::PerMove(time.saturating_sub(latency.saturating_sub(PROTOCOL_RESERVE)))
    }
}

/// Where the reserve would leave less, the search still gets one part in this many of an even share of the time.
const SMALLEST_SHARE: u32 = 4;

/// A move may take this many times its even share of the clock, if the search asks for it.
const STRETCH: u32 = 3;

/// No single move takes more than one part in this many of the time left,
const LARGEST_SHARE: u32 = 3;

/// or one in this many if it solves the game with it: the moves after that cost next to nothing.
const SOLVING_SHARE: u32 = 2;

/// That last part of the game begins about here: this many of a side's own moves need no share of the clock.
const FREE_MOVES: u32 = 6;

/// However few moves need a share, one part in this many of the clock is enough for one.
const FEWEST_SHARES: u32 = 3;

/// Kept back from the clock, as the machine may be busy with other things just when the move should be sent.
const STALL: Duration = Duration::from_millis(150);

/// Of a clock that has less than this many times [`STALL`], one part in so many is kept back.
const STALL_SHARE: u32 = 2;

/// When the next iteration would pass the optimum: each costs about this many times the one before.
const NEXT_ITERATION_FACTOR: u32 = 2;

/// Percent of the optimum for a best move that the last iteration has brought up.
const UNSTABLE: u32 = 140;

/// Percent of the optimum for a best move that has stayed so for [`SETTLED_AFTER`] iterations.
const SETTLED: u32 = 75;

/// See [`SETTLED`].
const SETTLED_AFTER: u32 = 5;

/// Percent of that in turn for a value that is [`FALL`] below the one of two iterations before.
const FALLING: u32 = 130;

/// See [`FALLING`]. Values of odd and even depths differ by a fraction of a disc without meaning anything.
const FALL: Value = Value::from_score(1);

/// The time for one search.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Budget {
    /// The search should end about here,
    optimum: Duration,
    /// it is ended here, wherever it is,
    maximum: Duration,
    /// or here if it is about to solve the position.
    solving: Duration,
    /// Whether what is not used is lost.
    all_or_lost: bool,
}

impl Budget {
    /// The budget for a position with `empties` empty squares.
    fn new(control: TimeControl, empties: u32) -> Budget {
        match control {
            TimeControl::PerMove(time) => {
                let usable = less_reserve(time, 1, Duration::ZERO);
                Budget {
                    optimum: usable,
                    maximum: usable,
                    solving: usable,
                    all_or_lost: true,
                }
            }
            // A time for each move, as protocols tell it that have clocks alone: what is kept back would be lost.
            TimeControl::Clock { left, increment }
                if left <= increment && left < STALL * STALL_SHARE =>
            {
                Budget::new(TimeControl::measured_elsewhere(left), empties)
            }
            TimeControl::Clock { left, increment } => {
                let moves_to_go = (empties / 2).max(1);
                let shares = moves_to_go.saturating_sub(FREE_MOVES).max(FEWEST_SHARES);
                // The increment comes after the move, so `left` is all there is for this one, and the moves to come
                // need their way through the pipe as well.
                let left = left.saturating_sub(STALL.min(left / STALL_SHARE));
                let usable = less_reserve(left, moves_to_go, increment);
                let at_most = |share: u32| (usable / share + increment).min(usable);
                let optimum = usable / shares + increment * 3 / 4;
                let maximum = (optimum * STRETCH).min(at_most(LARGEST_SHARE));
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

/// What tells the time since some fixed moment. A host without clocks of its own, such as WebAssembly,
/// brings one; tests bring one that does what they say.
pub type Clock = fn() -> Duration;

/// The clock of the system, which never goes back.
#[cfg(not(target_family = "wasm"))]
pub fn system_clock() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed()
}

/// There is no clock here that could be asked: it stands still, and limits in time end no search, until the host brings one.
#[cfg(target_family = "wasm")]
pub fn system_clock() -> Duration {
    Duration::ZERO
}

/// The time since a moment, by a clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch {
    clock: Clock,
    start: Duration,
}

impl Stopwatch {
    /// Begins now.
    pub(super) fn start(clock: Clock) -> Stopwatch {
        Stopwatch {
            clock,
            start: clock(),
        }
    }

    /// The time since it began.
    pub(super) fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.start)
    }
}

/// Decides when a search ends, by its budget and by what each iteration found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TimeManager {
    budget: Budget,
    /// The best move of the last iteration.
    best: Option<Move>,
    /// The value of the last iteration, and of the one before it.
    values: [Option<Value>; 2],
    /// For how many iterations the best move has been the same.
    stable: u32,
    /// Whether the value of the last iteration is below that of the second to last: values of odd and of even depths
    /// differ.
    falling: bool,
    /// Whether the search has begun to solve.
    solving: bool,
}

impl TimeManager {
    /// The time manager for a position with `empties` empty squares.
    pub(super) fn new(control: TimeControl, empties: u32) -> TimeManager {
        TimeManager {
            budget: Budget::new(control, empties),
            best: None,
            values: [None; 2],
            stable: 0,
            falling: false,
            solving: false,
        }
    }

    /// An iteration is complete, and this is its best move.
    pub(super) fn iteration(&mut self, mv: Move, value: Value) {
        self.stable = if self.best.replace(mv) == Some(mv) {
            self.stable + 1
        } else {
            0
        };
        let [last, before] = self.values;
        self.values = [Some(value), last];
        self.falling = before.is_some_and(|before| before - value >= FALL);
    }

    /// The search is ended after this, wherever it is.
    pub(super) fn maximum(&self) -> Duration {
        if self.solving {
            self.budget.solving
        } else {
            self.budget.maximum
        }
    }

    /// Whether there is time left, after `elapsed`, for a solve that is expected to take `time`.
    pub(super) fn allows_solving(&self, elapsed: Duration, time: Duration) -> bool {
        time <= self.budget.solving.saturating_sub(elapsed)
    }

    /// The search begins to solve, for which [`allows_solving`](Self::allows_solving) has found the time.
    pub(super) fn begin_solving(&mut self) {
        self.solving = true;
    }

    /// Whether to begin another iteration after `elapsed`. A fixed time per move is used up, as none is carried over;
    /// on a clock, an iteration that would probably not end in good time is not begun.
    pub(super) fn allows_next_iteration(&self, elapsed: Duration) -> bool {
        if self.budget.all_or_lost {
            elapsed < self.budget.maximum
        } else {
            elapsed * NEXT_ITERATION_FACTOR < self.scaled_optimum()
        }
    }

    /// The optimum, moved to where time pays: later if the best move is new or the value is falling, sooner if the best
    /// move has long been the same.
    fn scaled_optimum(&self) -> Duration {
        let stability = match self.stable {
            0 => UNSTABLE,
            SETTLED_AFTER.. => SETTLED,
            _ => 100,
        };
        let trend = if self.falling { FALLING } else { 100 };
        (self.budget.optimum * stability / 100 * trend / 100).min(self.budget.maximum)
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
mod tests;
