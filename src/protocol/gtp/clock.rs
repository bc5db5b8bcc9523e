//! Game clocks of GTP, from `time_settings` and `time_left`.
//! The caller measures elapsed times.
//!
//! Clients disagree about the arguments, so each is read in the way that leaves less time:
//!
//! | `time_settings main byo stones` | read as |
//! |---|---|
//! | `600 0 0` | 600 s for the game |
//! | `60 1 0` | 60 s plus 1 s after each move (unlimited in the standard) |
//! | `0 1 0` | 1 s for each move, unused time is kept (unlimited in the standard) |
//! | `60 10 5` | 60 s, then 10 s for every 5 moves |
//! | `0 0 0` | unlimited |

use std::time::Duration;

use crate::board::Color;
use crate::search::TimeControl;

/// Remaining time of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Remaining {
    /// Time left.
    left: Duration,
    /// Number of moves that share it. 0 means all remaining moves.
    stones: u32,
}

/// Overtime (byo-yomi) after the main time: `time` for every `stones` moves, repeatedly.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Overtime {
    time: Duration,
    stones: u32,
}

/// Clocks of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct GameClock {
    /// Time of each side at the start of the game. `None` means unlimited.
    initial: Option<Remaining>,
    increment: Duration,
    overtime: Option<Overtime>,
    sides: [Option<Remaining>; 2],
    /// Number of moves on the board at the last search of each side.
    seen: [usize; 2],
    /// Whether `clear_board` came after the last search or `time_left`.
    cleared: bool,
}

impl GameClock {
    /// Applies `time_settings`.
    pub(super) fn set(&mut self, main: Duration, byo: Duration, stones: u32) {
        *self = GameClock::default();
        self.initial = match (main.is_zero(), byo.is_zero()) {
            (true, true) => None,
            // Without main time, overtime or increment apply from the first move.
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

    /// Applies `time_left`.
    pub(super) fn correct(&mut self, color: Color, left: Duration, stones: u32) {
        self.sides[color as usize] = Some(Remaining { left, stones });
        self.cleared = false;
    }

    /// Records `clear_board`. The clocks restart only if the next search is at an earlier move.
    /// Graphical clients also clear the board just to show an earlier position.
    pub(super) fn board_cleared(&mut self) {
        self.cleared = true;
    }

    /// Returns the time for the next move of `color`, with `moves` moves on the board so far.
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
            // If the main time runs out during this move, overtime begins.
            Some(overtime) if left < overtime.time / overtime.stones => {
                Some(share(overtime.time, overtime.stones))
            }
            _ => Some(TimeControl::Clock {
                left,
                increment: self.increment,
            }),
        }
    }

    /// Subtracts the time of a move of `color`.
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

/// Returns an equal share of `left` for one of `stones` moves, less the latency reserve.
fn share(left: Duration, stones: u32) -> TimeControl {
    TimeControl::with_latency_allowance(left / stones.max(1))
}
