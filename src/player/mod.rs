//! Which move to play: the only move, the level, the clock, and pondering, around one engine. Every front end asks here.

mod allowance;
mod ponder;
#[cfg(test)]
mod tests;

use crate::board::{Board, Position};
use crate::search::{Engine, Limits, Line, OutOfMemory, Report, Search, Settings, TimeControl};

pub use allowance::{DEFAULT_TIME, bounded, within};
use ponder::Ponder;

/// An engine that plays.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    ponder: Ponder,
}

impl Player {
    /// A player with this engine.
    pub fn new(engine: Engine) -> Player {
        Player {
            engine,
            ponder: Ponder::default(),
        }
    }

    /// The settings of its engine.
    pub fn settings(&self) -> &Settings {
        self.engine.settings()
    }

    /// Changes the settings of its engine.
    ///
    /// # Errors
    /// If there is no memory for a table of the new size: then the old settings stay in force.
    pub fn configure(&mut self, settings: Settings) -> Result<(), OutOfMemory> {
        self.engine().configure(settings)
    }

    /// Forgets everything learnt.
    pub fn clear(&mut self) {
        self.engine().clear();
    }

    /// The engine, for what is no choice of a move. It ponders no more.
    pub fn engine(&mut self) -> &mut Engine {
        self.ponder = Ponder::default();
        &mut self.engine
    }

    /// The line whose first move is to be played in `position`, found within these limits and the clock. Waits for it.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: Option<TimeControl>,
        report: &mut dyn Report,
    ) -> Line {
        let limits = limits_of(position, limits, clock);
        self.engine().search(&position.board, &limits, report)
    }

    /// The same without waiting. If this position was pondered on, that search goes on with the limits of this one.
    pub fn start(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: Option<TimeControl>,
    ) -> Search {
        let limits = limits_of(position, limits, clock);
        match self.ponder.hit(position) {
            Some(search) => {
                search.ponder_hit(limits);
                search
            }
            None => self.engine().start(&position.board, 1, &limits),
        }
    }

    /// In `position` the first move of `line` was chosen; its second is the reply that is expected, which can be pondered on.
    pub fn expect(&mut self, position: &Position, line: &Line) {
        self.ponder = Ponder::expect(*position, line);
    }

    /// Ponders while the game stands at `position` and the opponent's reply is to come, or the expected one has come. Returns at
    /// once.
    pub fn ponder(&mut self, position: &Position, limits: &Limits) {
        self.ponder.go_on(&self.engine, position, limits);
    }
}

/// The limits for the next move: where the time is limited, the only move is played after the first iteration.
fn limits_of(position: &Position, limits: &Limits, clock: Option<TimeControl>) -> Limits {
    let limits = within(clock, limits);
    if limits.time.is_some() && is_forced(&position.board) {
        return Limits {
            goal: limits.goal,
            ..Limits::depth(1)
        };
    }
    limits
}

fn is_forced(board: &Board) -> bool {
    board.legal_moves().count() <= 1
}
