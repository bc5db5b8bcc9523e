//! Our own engine, in this process.

use std::time::Instant;

use super::{Fault, Player, Thought, Trouble};
use crate::arena::Clock;
use crate::board::Color;
use crate::game::{Game, Played};
use crate::search::{Depth, Engine, Limits, OutOfMemory, Settings, Silent, TimeControl};
use crate::work::Interrupt;

/// An engine with its limits. It forgets everything from one game to the next, unless it is to keep it.
#[derive(Debug)]
pub(super) struct Builtin {
    engine: Engine,
    limits: Limits,
    keep: bool,
    interrupt: Interrupt,
}

impl Builtin {
    pub(super) fn new(
        settings: Settings,
        limits: Limits,
        keep: bool,
        interrupt: &Interrupt,
    ) -> Result<Builtin, OutOfMemory> {
        let engine = Engine::try_new(settings)?;
        interrupt.watch(engine.stop_handle());
        Ok(Builtin {
            engine,
            limits: limits.at_level(),
            keep,
            interrupt: interrupt.clone(),
        })
    }
}

/// The time of a player that has its own and the clock of the match. It thinks for as long as a program of ours would
/// that is told of the same clock through a pipe, so that neither has an advantage.
fn within(own: Option<TimeControl>, clock: Option<TimeControl>) -> Option<TimeControl> {
    let clock = match clock {
        Some(TimeControl::PerMove(time)) => Some(TimeControl::measured_elsewhere(time)),
        clock => clock,
    };
    match (own, clock) {
        (Some(TimeControl::PerMove(own)), Some(TimeControl::PerMove(time))) => {
            Some(TimeControl::PerMove(own.min(time)))
        }
        (own, clock) => clock.or(own),
    }
}

impl Player for Builtin {
    fn begin(&mut self, _game: &Game, _clock: Clock) -> Result<(), Trouble> {
        if !self.keep {
            self.engine.clear();
        }
        Ok(())
    }

    fn hear(&mut self, _mover: Color, _played: &Played, _own: bool) -> Result<(), Trouble> {
        Ok(())
    }

    fn prepare(&mut self, _mover: Color, _time: Option<TimeControl>) -> Result<(), Trouble> {
        Ok(())
    }

    fn think(
        &mut self,
        game: &Game,
        time: Option<TimeControl>,
        _deadline: Instant,
    ) -> Result<Thought, Trouble> {
        let board = game.position().board;
        let limits = Limits {
            time: within(self.limits.time, time),
            ..self.limits.clone()
        };
        let line = self.engine.search(&board, &limits, &mut Silent);
        if self.interrupt.is_set() {
            return Err(Trouble::Interrupted);
        }
        let mv = line
            .best_move()
            .ok_or_else(|| Fault::Garbage("no move".to_owned()))?;
        Ok(Thought {
            mv,
            eval: Some(line.value.discs()),
            depth: Some(match line.depth {
                Depth::Plies(plies, _) => plies,
                Depth::Wld | Depth::Exact => board.empty_count(),
            }),
            nodes: Some(line.nodes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_is_read_as_at_the_other_end_of_a_pipe() {
        let milliseconds = |time| Some(TimeControl::PerMove(Duration::from_millis(time)));
        for (own, clock, expected) in [
            (None, None, None),
            (Some(80), None, Some(80)),
            (None, Some(100), Some(75)),
            (Some(80), Some(100), Some(75)),
            (Some(60), Some(100), Some(60)),
            (None, Some(1000), Some(900)),
        ] {
            let time = |time: Option<u64>| time.and_then(milliseconds);
            assert_eq!(within(time(own), time(clock)), time(expected));
        }
    }
}
