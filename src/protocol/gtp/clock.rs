//! The clocks of a GTP game, from `time_settings` and `time_left`. Pure: it is told how long moves took.
//!
//! Clients mean different things by the same words, so each setting is taken in the reading that leaves less time:
//!
//! | `time_settings main byo stones` | read as |
//! |---|---|
//! | `600 0 0` | 600 s for the game |
//! | `60 1 0` | 60 s and 1 s more after each move (no limit, in the standard) |
//! | `0 1 0` | 1 s for each move, what is left being kept (no limit, in the standard) |
//! | `60 10 5` | 60 s, then 10 s for every 5 moves |
//! | `0 0 0` | no limit |

use std::time::Duration;

use crate::board::Color;
use crate::search::TimeControl;

/// What a side has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Remaining {
    /// Time left.
    left: Duration,
    /// For this many moves; 0 is for all that come.
    stones: u32,
}

/// Time that begins when the main time is used up: `time` for every `stones` moves, again and again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Overtime {
    time: Duration,
    stones: u32,
}

/// Both clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct GameClock {
    /// What each side begins with; nothing without a limit.
    initial: Option<Remaining>,
    increment: Duration,
    overtime: Option<Overtime>,
    sides: [Option<Remaining>; 2],
    /// Moves on the board when each side last thought.
    seen: [usize; 2],
    /// Whether the board has been cleared since the client last spoke of time.
    cleared: bool,
}

impl GameClock {
    /// `time_settings`.
    pub(super) fn set(&mut self, main: Duration, byo: Duration, stones: u32) {
        *self = GameClock::default();
        self.initial = match (main.is_zero(), byo.is_zero()) {
            (true, true) => None,
            // Overtime from the first move, or the first increment.
            (true, false) => Some(Remaining { left: byo, stones }),
            (false, _) => Some(Remaining {
                left: main,
                stones: 0,
            }),
        };
        if stones == 0 {
            self.increment = byo;
        } else if !byo.is_zero() {
            self.overtime = Some(Overtime { time: byo, stones });
        }
        self.sides = [self.initial; 2];
    }

    /// `time_left`.
    pub(super) fn correct(&mut self, color: Color, left: Duration, stones: u32) {
        self.sides[color as usize] = Some(Remaining { left, stones });
        self.cleared = false;
    }

    /// `clear_board`. A graphical client clears the board to show an earlier position too, so the clocks start again
    /// only when the next move to be found comes earlier in the game than the last one.
    pub(super) fn board_cleared(&mut self) {
        self.cleared = true;
    }

    /// Time for the next move of `color`, with `moves` on the board; `None` if there is no limit.
    pub(super) fn start(&mut self, color: Color, moves: usize) -> Option<TimeControl> {
        if self.cleared && moves < self.seen[color as usize] {
            self.sides = [self.initial; 2];
            self.seen = [0; 2];
        }
        self.cleared = false;
        self.seen[color as usize] = moves;
        let Remaining { left, stones } = self.sides[color as usize]?;
        if stones > 0 {
            return Some(share(left, stones));
        }
        match self.overtime {
            // Should the main time run out in this move, the overtime pays for it.
            Some(overtime) if left < overtime.time / overtime.stones => {
                Some(share(overtime.time, overtime.stones))
            }
            _ => Some(TimeControl::Clock {
                left,
                increment: self.increment,
            }),
        }
    }

    /// `color` took this long for a move.
    pub(super) fn spent(&mut self, color: Color, time: Duration) {
        let Some(side) = &mut self.sides[color as usize] else {
            return;
        };
        let late = time.saturating_sub(side.left);
        side.left = side.left.saturating_sub(time) + self.increment;
        let Some(overtime) = self.overtime else {
            return;
        };
        let begins = side.stones == 0 && !late.is_zero();
        if begins {
            *side = Remaining {
                left: overtime.time.saturating_sub(late),
                stones: overtime.stones,
            };
        }
        if side.stones > 0 {
            side.stones -= 1;
            if side.stones == 0 {
                *side = Remaining {
                    left: overtime.time,
                    stones: overtime.stones,
                };
            }
        }
    }
}

/// An equal part of `left` for each of `stones` moves, less the latency.
fn share(left: Duration, stones: u32) -> TimeControl {
    TimeControl::measured_elsewhere(left / stones.max(1))
}
