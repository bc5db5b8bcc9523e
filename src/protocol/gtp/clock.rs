//! Game clocks of GTP, from `time_settings` and `time_left`.
//! The caller measures elapsed times.
//!
//! Clients disagree about the arguments, so each argument is read in the way that leaves less time:
//!
//! | `time_settings main byo stones` | read as |
//! |---|---|
//! | `600 0 0` | 600 s for the game |
//! | `60 1 0` | 60 s plus 1 s after each move (unlimited in the standard) |
//! | `0 1 0` | 1 s for each move, unused time is kept (unlimited in the standard) |
//! | `60 10 5` | 60 s, then 10 s for every 5 moves |
//! | `0 0 0` | unlimited |

use std::time::Duration;

use emilia_core::board::Color;
use emilia_core::search::TimeControl;

/// Time for a number of moves (`stones`): the rest of a main time, or one overtime (byo-yomi)
/// period.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Period {
    time: Duration,
    /// Number of moves that share the time. 0 means all remaining moves.
    stones: u32,
}

impl Period {
    /// Returns the time for the next move, less the latency reserve. `stones` must not be 0.
    fn share(self) -> TimeControl {
        TimeControl::with_latency_allowance(self.time / self.stones)
    }
}

/// Clocks of both sides of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct GameClock {
    /// Time of each side at the start of the game. `None` means unlimited.
    initial: Option<Period>,
    increment: Duration,
    /// Period that follows the main time, repeatedly.
    overtime: Option<Period>,
    sides: [Option<Period>; 2],
    /// Number of moves on the board at the last search of each side.
    seen: [usize; 2],
    /// Whether `clear_board` came after the last search or `time_left`.
    cleared: bool,
}

impl GameClock {
    /// Applies `time_settings`.
    pub(super) fn set(&mut self, main: Duration, byo: Duration, stones: u32) {
        *self = GameClock::default();
        let [main, byo] = [(main, 0), (byo, stones)].map(|(time, stones)| Period { time, stones });
        // Without main time, a side begins with an overtime period or with one increment.
        let mut periods = [main, byo].into_iter();
        self.initial = periods.find(|period| !period.time.is_zero());
        if stones == 0 {
            self.increment = byo.time;
        } else if !byo.time.is_zero() {
            self.overtime = Some(byo);
        }
        self.sides = [self.initial; 2];
    }

    /// Applies `time_left`.
    pub(super) fn correct(&mut self, color: Color, time: Duration, stones: u32) {
        self.sides[color as usize] = Some(Period { time, stones });
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
        let side = self.sides[color as usize]?;
        let overtime = self.overtime;
        // If the main time is below one move's share of the overtime, the move gets this share: the
        // overtime begins when the main time runs out.
        let is_short = |next: &Period| side.time < next.time / next.stones;
        Some(match overtime.filter(is_short) {
            _ if side.stones > 0 => side.share(),
            Some(next) => next.share(),
            None => TimeControl::Clock {
                left: side.time,
                increment: self.increment,
            },
        })
    }

    /// Subtracts the time of a move of `color`.
    pub(super) fn spent(&mut self, color: Color, time: Duration) {
        let Some(side) = &mut self.sides[color as usize] else {
            return;
        };
        let late = time.saturating_sub(side.time);
        side.time = side.time.saturating_sub(time) + self.increment;
        let Some(overtime) = self.overtime else {
            return;
        };
        if side.stones == 0 && !late.is_zero() {
            *side = Period {
                time: overtime.time.saturating_sub(late),
                ..overtime
            };
        }
        if side.stones > 0 {
            side.stones -= 1;
            if side.stones == 0 {
                *side = overtime;
            }
        }
    }
}
