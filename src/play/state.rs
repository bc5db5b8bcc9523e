//! State of a game between people and the engine: moves, undo, sides, level, result.
//! The state has no input and no output.

use super::players::{Humans, describe};
use emilia_core::board::{Color, Position};
use emilia_core::search::Limits;
use emilia_games::{Ending, Game, Outcome, Played};
use emilia_player::options::Setting;
use emilia_player::{Level, PlaySettings};
use emilia_view::moves;

/// Name of a person in saved games.
pub(super) const HUMAN: &str = "human";

/// Beginning of Emilia's name in saved games. The version and the level follow.
pub(super) const EMILIA: &str = "Emilia ";

/// Game in progress with its players.
#[derive(Debug)]
pub(crate) struct GameState {
    pub(crate) game: Game,
    /// Sides that people play.
    pub(crate) humans: Humans,
    /// Level of the engine, or `None` for full strength.
    pub(crate) level: Option<Level>,
    /// Limits of each search of the engine.
    pub(crate) limits: Limits,
    /// Play settings of the engine.
    pub(crate) play_settings: PlaySettings,
    /// Options given on the command line.
    pub(crate) given: Vec<Setting>,
}

impl GameState {
    /// Returns whether the game has ended, on the board or by resignation.
    pub(super) fn is_over(&self) -> bool {
        let outcome = self.game.tags.outcome;
        self.game.is_over() || outcome.is_some_and(|outcome| outcome.ending == Ending::Resigned)
    }

    /// Returns whether the engine moves next. A game ended by resignation can be played on.
    pub(super) fn is_turn_of_engine(&self) -> bool {
        !self.is_over() && !self.humans.play(self.game.position().mover)
    }

    /// Returns the position, or an error if the game is over on the board.
    pub(super) fn unfinished(&self) -> Result<Position, String> {
        if self.is_over() {
            return Err("The game is over; undo goes back, new begins again.".to_owned());
        }
        Ok(self.game.position())
    }

    /// Sets the level of the engine, with its limits and play settings.
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        (self.limits.depth, self.play_settings.human) = (None, None);
        level.apply(&mut self.limits, &mut self.play_settings);
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the game is over or the move is illegal.
    pub(super) fn play(&mut self, played: impl Into<Played>) -> Result<(), String> {
        let (position, played) = (self.unfinished()?, played.into());
        self.game.play(played).map_err(|_| {
            let (mv, mover, legal) = (played.mv, position.mover, moves(&position.moves()));
            format!("{mv} is not legal for {mover}; legal moves: {legal}.")
        })?;
        // A recorded result is invalid once the moves change.
        self.game.tags.outcome = None;
        Ok(())
    }

    /// Undoes moves back to the last position in which a person has a choice.
    ///
    /// # Errors
    /// If there is no such position.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        let before = &self.game.positions()[..self.game.moves().len()];
        let is_choice = |position: &Position| {
            self.humans.play(position.mover) && !position.must_pass() && !position.is_over()
        };
        let choice = before.iter().rposition(is_choice);
        let length = choice.ok_or("There is nothing to take back.")?;
        while self.game.moves().len() > length {
            self.game.undo();
        }
        self.game.tags.outcome = None;
        Ok(())
    }

    /// Resigns for the side that a person plays, or for the side to move if people play both sides.
    /// Returns the loser.
    ///
    /// # Errors
    /// If the game is over.
    pub(super) fn resign(&mut self) -> Result<Color, String> {
        let mover = self.unfinished()?.mover;
        let loser = if self.humans.play(mover) {
            mover
        } else {
            !mover
        };
        self.game.tags.outcome = Some(Outcome {
            // A resignation is recorded with a margin of 64 discs.
            margin: if loser == Color::Black { -64.0 } else { 64.0 },
            ending: Ending::Resigned,
        });
        Ok(loser)
    }

    /// Returns a sentence about the level of the engine and how to change it.
    pub(super) fn describe_level(&self) -> String {
        let has_limits = self.limits.is_bounded() || self.limits.solve_from_empties.is_some();
        if self.level.is_none() && has_limits {
            return "Emilia plays within the limits given; level changes that.".to_owned();
        }
        format!(
            "Emilia plays at {}. To change that: level (h0 to h14, or 1 to 60) and side.",
            describe(self.level)
        )
    }
}
