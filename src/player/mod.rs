//! Which move to play: the only move, the level, the clock, and pondering, around one engine. Every front end asks here.

mod allowance;
pub(crate) mod human;
mod level;
mod ponder;
#[cfg(test)]
mod tests;

use fastrand::Rng;

use crate::board::{Board, Position};
use crate::search::{Engine, Limits, Line, OutOfMemory, Report, Search, Settings, TimeControl};

pub use allowance::{DEFAULT_TIME, bounded, within};
pub use human::Human;
pub use level::{Level, NoLevel};
use ponder::Ponder;

/// What a player does besides searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The human level that it plays at; else the best move that it finds.
    pub human: Option<Human>,
    /// The seed of the draws of a human level.
    pub seed: u64,
    /// Whether it thinks on the opponent's time. Human levels do not.
    pub ponder: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            human: None,
            seed: 1,
            ponder: false,
        }
    }
}

/// An engine that plays.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    ponder: Ponder,
    style: Style,
    /// What human levels draw with.
    rng: Rng,
}

impl Player {
    /// A player with this engine and the usual style.
    pub fn new(engine: Engine) -> Player {
        let style = Style::default();
        Player {
            engine,
            ponder: Ponder::default(),
            style,
            rng: Rng::with_seed(style.seed),
        }
    }

    /// The same with this style.
    #[must_use]
    pub fn with_style(mut self, style: Style) -> Player {
        self.set_style(style);
        self
    }

    /// Changes the style. The draws of a human level begin anew.
    pub fn set_style(&mut self, style: Style) {
        self.rng = Rng::with_seed(style.seed);
        self.style = style;
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
        let (limits, count) = self.limits_of(position, limits, clock);
        let lines = (self.engine()).multi_pv(&position.board, count, &limits, report);
        self.pick(position, lines)
    }

    /// The same without waiting: [`pick`](Self::pick) chooses among the lines that are found. If this position was pondered on,
    /// that search goes on with the limits of this one.
    pub fn start(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: Option<TimeControl>,
    ) -> Search {
        let (limits, count) = self.limits_of(position, limits, clock);
        match self.ponder.hit(position) {
            Some(search) => {
                search.ponder_hit(limits);
                search
            }
            None => self.engine().start(&position.board, count, &limits),
        }
    }

    /// The line to play, of those that a search of `position` found: the best, or the one that a human level draws.
    pub fn pick(&mut self, position: &Position, mut lines: Vec<Line>) -> Line {
        let index = match self.style.human {
            Some(human) => human.draw(position, &lines, self.rng.f64()),
            None => 0,
        };
        lines.swap_remove(index)
    }

    /// In `position` the first move of `line` was chosen; its second is the reply that is expected, which can be pondered on.
    pub fn expect(&mut self, position: &Position, line: &Line) {
        self.ponder = Ponder::expect(*position, line);
    }

    /// Where that is its style, ponders while the game stands at `position` and the opponent's reply is to come, or the expected
    /// one has come. Returns at once.
    pub fn ponder(&mut self, position: &Position, limits: &Limits) {
        if self.style.ponder && self.style.human.is_none() {
            self.ponder.go_on(&self.engine, position, limits);
        }
    }

    /// The limits for the next move, and how many lines are searched for: where the time is limited, the only move is played
    /// after the first iteration.
    fn limits_of(
        &self,
        position: &Position,
        limits: &Limits,
        clock: Option<TimeControl>,
    ) -> (Limits, usize) {
        let limits = within(clock, limits);
        if limits.time.is_some() && is_forced(&position.board) {
            let first = Limits {
                goal: limits.goal,
                ..Limits::depth(1)
            };
            return (first, 1);
        }
        if self.style.human.is_none() {
            return (limits, 1);
        }
        let of_level = Human::limits();
        let limits = Limits {
            depth: of_level.depth,
            exact: of_level.exact,
            ..limits
        };
        (limits, usize::MAX)
    }
}

fn is_forced(board: &Board) -> bool {
    board.legal_moves().count() <= 1
}
