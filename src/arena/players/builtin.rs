//! Our own engine, in this process. Stands on `search`.

use std::time::Instant;

use super::{Fault, Player, Thought, Trouble};
use crate::arena::{Clock, Interrupt};
use crate::board::Color;
use crate::game::{Game, Played};
use crate::search::{Depth, Engine, Limits, Settings, Silent, TimeControl};

/// An engine with its limits. It forgets everything from one game to the next.
#[derive(Debug)]
pub(super) struct Builtin {
    engine: Engine,
    limits: Limits,
    interrupt: Interrupt,
}

impl Builtin {
    pub(super) fn new(settings: Settings, limits: Limits, interrupt: &Interrupt) -> Builtin {
        let engine = Engine::new(settings);
        interrupt.watch(engine.stop_handle());
        Builtin {
            engine,
            limits,
            interrupt: interrupt.clone(),
        }
    }
}

/// The time of a player that has its own and the clock of the match.
fn within(own: Option<TimeControl>, clock: Option<TimeControl>) -> Option<TimeControl> {
    match (own, clock) {
        (Some(TimeControl::PerMove(own)), Some(TimeControl::PerMove(time))) => {
            Some(TimeControl::PerMove(own.min(time)))
        }
        (own, clock) => clock.or(own),
    }
}

impl Player for Builtin {
    fn begin(&mut self, _game: &Game, _clock: Clock) -> Result<(), Trouble> {
        self.engine.clear();
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
