//! Choice of the move to play: from the opening book, by a search, or as a human level draws it.
//! Also handles time limits and pondering.
//!
//! # How a move is chosen
//!
//! A search line ([`Line`]) is one move of a search result, with its value, depth and PV. Every
//! front end calls [`Player::choose`], which blocks, or its two halves [`Player::start`] and
//! [`Player::pick`]. Between the two halves, the front end can stop the search.
//!
//! 1. Book: [`opening::draw`] draws one of the book's moves that lose at most
//!    [`PlaySettings::book_error`]. Such a move needs no search and no time. A human level uses
//!    only the first [`Human::book_plies`] plies of the book.
//! 2. Limits: [`Player::limits_of`] completes the limits that [`Level::apply`] and the other
//!    options have set. A forced move under a time limit is searched to depth 1, or solved. A human
//!    level searches all moves with [`Human::limits`].
//! 3. Search: [`Engine::start`] starts it, unless pondering already searches this position
//!    (`ponder`). The engine allots the time of the move: see [`emilia_core::search`].
//! 4. Move: [`Player::pick`] takes the best search line. At a human level [`Player::draw`] draws a
//!    move with a probability proportional to
//!    `exp(searched / (factor · temperature) + weight · factor^−γ · at_once)`. `searched` is the
//!    move's value by search, and `at_once` is its static value. The factor depends on the level
//!    ([`Skill::factor`]). Temperature and weight depend on the stage of the game, a range of ten
//!    numbers of empties ([`Model::FITTED`]). γ is [`Model::GAMMA`]. As an example, level h5 uses
//!    four plies of the book and has the factor 2.45.
//!
//! [`people`] models how people choose moves. [`RandomOpenings`] draws openings of games.
//! [`options`] is the table of engine options, which change a [`Setup`].

mod level;
mod opening;
pub mod options;
pub mod people;
mod ponder;
mod random_openings;
mod setup;
#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use fastrand::Rng;

use crate::people::{Choice, Human, Model, Skill};
use emilia_book::{Book, BookMove};
use emilia_core::board::{Board, Position};
use emilia_core::eval::Value;
use emilia_core::search::{
    Depth, Engine, Limits, Line, OutOfMemory, Report, SearchHandle, Settings, TimeControl,
};

pub use level::Level;
use ponder::Ponder;
pub use random_openings::{RandomOpenings, SCORE_DEPTH};
pub use setup::Setup;

/// Settings for the choice of moves, in addition to the settings of the engine: human level,
/// pondering and opening book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// Human level to imitate. `None` plays the best move found.
    pub human: Option<Human>,
    /// Random seed of the draws among book moves, and among the moves of a human level.
    pub seed: u64,
    /// Whether to ponder: to search on the opponent's time. Human levels do not ponder.
    pub ponder: bool,
    /// Opening book to play from.
    pub book: Book,
    /// Maximum number of discs that a move of the book may lose against the book's best move.
    pub book_error: Value,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            human: None,
            seed: 1,
            ponder: false,
            book: Book::Off,
            book_error: opening::DEFAULT_ERROR,
        }
    }
}

/// Largest number of empties at which a forced move is solved, so that its score is exact. The
/// solve then takes little time.
const FORCED_EXACT: u32 = 12;

/// Default time per move if neither depth nor nodes nor time is limited.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Returns `limits`, completed for the choice of a move: [`Limits::at_level`] adds the number of
/// empties to solve from, and [`DEFAULT_TIME`] is set if nothing bounds the search.
pub fn limits_for_move(limits: &Limits) -> Limits {
    let mut bounded = limits.clone().at_level();
    if !limits.is_bounded() {
        bounded.time = Some(TimeControl::PerMove(DEFAULT_TIME));
    }
    bounded
}

/// An engine together with the settings of play.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    ponder: Ponder,
    play_settings: PlaySettings,
    /// Random numbers for the draws among book moves, and among the moves of a human level.
    rng: Rng,
}

impl Player {
    /// Creates a player from an engine, with the default play settings.
    pub fn new(engine: Engine) -> Player {
        let play_settings = PlaySettings::default();
        Player {
            engine,
            ponder: Ponder::default(),
            rng: Rng::with_seed(play_settings.seed),
            play_settings,
        }
    }

    /// Returns the player with these play settings.
    #[must_use]
    pub fn with_play_settings(mut self, play_settings: PlaySettings) -> Player {
        self.set_play_settings(play_settings);
        self
    }

    /// Sets the play settings, and restarts the random numbers from their seed.
    pub fn set_play_settings(&mut self, play_settings: PlaySettings) {
        self.rng = Rng::with_seed(play_settings.seed);
        self.play_settings = play_settings;
    }

    /// Returns the settings of the engine.
    pub fn settings(&self) -> &Settings {
        self.engine.settings()
    }

    /// Changes the settings of the engine.
    ///
    /// # Errors
    /// Returns an error if the new transposition table does not fit in memory. The old settings are
    /// then kept.
    pub fn configure(&mut self, settings: Settings) -> Result<(), OutOfMemory> {
        self.stop_pondering().configure(settings)
    }

    /// Clears the transposition table and all other results of earlier searches.
    pub fn clear(&mut self) {
        self.stop_pondering().clear();
    }

    /// Ends pondering, and returns the engine for searches other than the choice of a move.
    pub fn stop_pondering(&mut self) -> &mut Engine {
        self.ponder = Ponder::default();
        &mut self.engine
    }

    /// Returns the move to play as a search line: from the book, or by a search of `position`
    /// within `limits`. Blocks until the search has ended.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Line {
        if let Some(line) = self.draw_from_book(position, limits) {
            report.progress(1, &line);
            return line;
        }
        let (limits, count) = self.limits_of(position, limits);
        let lines = self
            .stop_pondering()
            .multi_pv(&position.board, count, &limits, report);
        self.pick(position, lines)
    }

    /// Starts the search of [`choose`](Self::choose) without blocking.
    ///
    /// Pass the search lines that the search returns to [`pick`](Self::pick). A search that
    /// pondered on this position continues with the new limits.
    pub fn start(&mut self, position: &Position, limits: &Limits) -> io::Result<SearchHandle> {
        if let Some(line) = self.draw_from_book(position, limits) {
            return Ok(SearchHandle::finished(vec![line]));
        }
        let (limits, count) = self.limits_of(position, limits);
        match self.ponder.hit(position) {
            Some(search) => {
                search.ponder_hit(limits);
                Ok(search)
            }
            None => self.stop_pondering().start(&position.board, count, &limits),
        }
    }

    /// Picks the move to play from the search lines `lines`: the best one, or the one that a human
    /// level draws.
    pub fn pick(&mut self, position: &Position, mut lines: Vec<Line>) -> Line {
        let is_from_book = matches!(lines[0].depth, Depth::Book(_));
        let index = match self.play_settings.human {
            Some(human) if !is_from_book => self.draw(human, position, &lines),
            _ => 0,
        };
        lines.swap_remove(index)
    }

    /// Draws one of the search lines `lines` with the probabilities of the model of people, and
    /// returns its index. `lines` has one search line for each legal move of `position`.
    fn draw(&mut self, human: Human, position: &Position, lines: &[Line]) -> usize {
        let evaluator = &self.engine.settings().evaluator;
        let choice = Choice::of_lines(&position.board, lines, evaluator);
        let factor = Skill::from(human).factor();
        let chance = self.rng.f64();
        let probabilities = Model::FITTED.probabilities(&choice, factor);
        let sums = probabilities.iter().scan(0.0, |sum, probability| {
            *sum += probability;
            Some(*sum)
        });
        sums.take_while(|&sum| sum <= chance)
            .count()
            .min(lines.len() - 1)
    }

    /// Returns the moves that the book has for a position, best first.
    pub fn book_moves(&self, board: &Board) -> Vec<BookMove> {
        self.play_settings.book.moves_if_readable(board)
    }

    fn draw_from_book(&mut self, position: &Position, limits: &Limits) -> Option<Line> {
        let settings = &self.play_settings;
        opening::draw(position, limits.first_moves, settings, &mut self.rng)
    }

    /// Sets the position to ponder on: the position after the first two moves of the PV of `line`,
    /// played from `position`. These two moves are the player's move and the expected reply.
    pub fn expect(&mut self, position: &Position, line: &Line) {
        self.ponder = Ponder::expect(*position, line);
    }

    /// Starts or continues pondering if it is enabled, and returns at once. `position` is the
    /// current position of the game: before the opponent's reply, or after the expected reply.
    pub fn ponder(&mut self, position: &Position, limits: &Limits) {
        if self.play_settings.ponder && self.play_settings.human.is_none() {
            self.ponder.go_on(&self.engine, position, limits);
        }
    }

    /// Returns the limits of the search for the next move, and the number of moves that it must
    /// report. A forced move under a time limit is solved if at most [`FORCED_EXACT`] squares are
    /// empty, and otherwise searched to depth 1.
    fn limits_of(&self, position: &Position, limits: &Limits) -> (Limits, usize) {
        let limits = limits_for_move(limits);
        if limits.time.is_some() && is_forced(&position.board) {
            let first = Limits {
                goal: limits.goal,
                ..Limits::depth(1).with_solve_from_empties(FORCED_EXACT)
            };
            return (first, 1);
        }
        if self.play_settings.human.is_none() {
            return (limits, 1);
        }
        let of_level = Human::limits();
        let limits = Limits {
            depth: of_level.depth,
            solve_from_empties: of_level.solve_from_empties,
            ..limits
        };
        (limits, usize::MAX)
    }
}

fn is_forced(board: &Board) -> bool {
    board.legal_moves().count() <= 1
}
