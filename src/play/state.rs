//! State of a game between people and the engine: moves, take back, sides, strength, result.
//! It has no input and no output, so that any front end can drive it.

use super::players::{Humans, Strength};
use emilia_core::board::{Color, Move, Position, Transcript};
use emilia_core::search::Limits;
use emilia_games::{Ending, Game, Outcome, Played};
use emilia_player::PlaySettings;
use emilia_view::moves;

/// Game in progress with its players.
#[derive(Debug)]
pub(crate) struct GameState {
    pub game: Game,
    /// Moves taken back, the next one to redo last.
    undone: Vec<Played>,
    /// Whether a person has resigned.
    resigned: bool,
    /// Sides of people.
    pub humans: Humans,
    pub(super) strength: Strength,
    /// Limits of each search of the engine.
    pub limits: Limits,
    /// Play settings of the engine.
    pub play_settings: PlaySettings,
}

impl GameState {
    /// Creates the state of `game`. `limits` and `play_settings` are those of `strength`, if
    /// it is a level.
    pub(crate) fn new(
        game: Game,
        humans: Humans,
        strength: Strength,
        limits: Limits,
        play_settings: PlaySettings,
    ) -> GameState {
        GameState {
            game,
            undone: Vec::new(),
            resigned: false,
            humans,
            strength,
            limits,
            play_settings,
        }
    }

    /// Returns the position on the board.
    pub(crate) fn position(&self) -> Position {
        self.game.position()
    }

    /// Returns the last move that placed a disc.
    pub(crate) fn last_move(&self) -> Option<Move> {
        let mut moves = self.game.moves().iter().rev().map(|played| played.mv);
        moves.find(|&mv| mv != Move::Pass)
    }

    /// Returns the number of discs placed, including those of moves taken back.
    pub(crate) fn placed_in_all(&self) -> usize {
        let undone = self.undone.iter().filter(|played| played.mv != Move::Pass);
        self.game.placed() + undone.count()
    }

    /// Returns whether the game has ended, on the board or by resignation.
    pub(crate) fn is_over(&self) -> bool {
        self.position().is_over() || self.resigned
    }

    /// Returns whether the engine moves next.
    pub(crate) fn is_turn_of_engine(&self) -> bool {
        let position = self.position();
        !position.is_over() && !self.humans.play(position.mover)
    }

    /// Returns the position.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn unfinished(&self) -> Result<Position, String> {
        let position = self.position();
        if position.is_over() {
            return Err("The game is over; undo goes back, new begins again.".to_owned());
        }
        Ok(position)
    }

    /// Replaces the game by another one with the same players.
    pub(crate) fn replace_game(&mut self, game: Game) {
        self.game = game;
        self.undone.clear();
        self.resigned = false;
    }

    /// Sets the strength of the engine, with its limits and play settings.
    pub(crate) fn set_strength(&mut self, strength: Strength) {
        self.strength = strength;
        strength.apply(&mut self.limits, &mut self.play_settings);
    }

    /// Plays a move. Moves taken back can no longer be redone.
    ///
    /// # Errors
    /// If the game is over or the move is illegal.
    pub(crate) fn play(&mut self, played: impl Into<Played>) -> Result<(), String> {
        let (position, played) = (self.unfinished()?, played.into());
        self.game.play(played).map_err(|_| {
            let (mv, mover, legal) = (played.mv, position.mover, moves(&position.moves()));
            format!("{mv} is not legal for {mover}; legal moves: {legal}.")
        })?;
        self.undone.clear();
        self.reopen();
        Ok(())
    }

    /// Plays a forced pass, and returns the side that passes.
    pub(crate) fn pass_if_forced(&mut self) -> Option<Color> {
        let position = self.position();
        let passes = position.must_pass() && self.game.play(Move::Pass).is_ok();
        passes.then_some(position.mover)
    }

    /// Takes moves back to the last position in which a person has a choice.
    ///
    /// # Errors
    /// If there is no such position.
    pub(crate) fn undo(&mut self) -> Result<(), String> {
        let before = &self.game.positions()[..self.game.moves().len()];
        let choice = before.iter().rposition(|position| self.is_choice(position));
        self.take_back(choice.ok_or("There is nothing to take back.")?);
        Ok(())
    }

    /// Redoes moves up to the next position in which a person has a choice.
    ///
    /// # Errors
    /// If no move has been taken back.
    pub(crate) fn redo(&mut self) -> Result<(), String> {
        if !self.redo_one() {
            return Err("There is nothing to make again.".to_owned());
        }
        while !self.is_choice(&self.position()) && self.redo_one() {}
        Ok(())
    }

    /// Steps back by `back` discs placed, or forward if negative.
    ///
    /// # Errors
    /// If there is no move in this direction.
    pub(crate) fn step(&mut self, back: isize) -> Result<(), String> {
        let before = self.game.placed();
        let placed = before.saturating_add_signed(-back);
        while self.game.placed() > placed {
            self.take_back(self.game.moves().len() - 1);
        }
        while self.game.placed() < placed && self.redo_one() {}
        // A forced pass belongs to the move before it.
        while self.position().must_pass() && self.redo_one() {}
        match self.game.placed() == before {
            true if back > 0 => Err("This is the start of the game.".to_owned()),
            true => Err("This is the last move of the game.".to_owned()),
            false => Ok(()),
        }
    }

    /// Resigns for the person's side, or for the side to move if people play both sides or none.
    /// Returns the loser.
    ///
    /// # Errors
    /// If the game is over.
    pub(crate) fn resign(&mut self) -> Result<Color, String> {
        let position = self.unfinished()?;
        let loser = match self.humans {
            Humans::Black => Color::Black,
            Humans::White => Color::White,
            Humans::Both | Humans::None => position.mover,
        };
        // A resignation is recorded with a margin of 64 discs.
        let margin = if loser == Color::Black { -64.0 } else { 64.0 };
        self.game.tags.outcome = Some(Outcome {
            margin,
            ending: Ending::Resigned,
        });
        self.resigned = true;
        Ok(loser)
    }

    /// Returns a sentence about the strength of the engine and how to change it.
    pub(super) fn describe_strength(&self) -> String {
        let has_limits = self.limits.is_bounded() || self.limits.solve_from_empties.is_some();
        if self.strength.0.is_none() && has_limits {
            return "Emilia plays within the limits given; level changes that.".to_owned();
        }
        format!(
            "Emilia plays at {}. To change that: level (beginner to best, h1 to h14, or 1 to 60) \
             and side.",
            self.strength
        )
    }

    /// Returns the number of moves that `saved` shares with this game, passes not counted.
    pub(super) fn placed_in(&self, saved: &Transcript) -> usize {
        let pairs = self.game.moves().iter().zip(&saved.moves);
        let shared = pairs.take_while(|(played, saved)| played.mv == **saved);
        shared.filter(|(played, _)| played.mv != Move::Pass).count()
    }

    /// Returns whether a person chooses between moves in `position`.
    fn is_choice(&self, position: &Position) -> bool {
        self.humans.play(position.mover) && !position.must_pass() && !position.is_over()
    }

    /// Takes moves back until `length` moves are left, passes included.
    fn take_back(&mut self, length: usize) {
        while self.game.moves().len() > length {
            self.undone.extend(self.game.undo());
        }
        self.reopen();
    }

    /// Redoes one move. Returns whether there was one.
    fn redo_one(&mut self) -> bool {
        let next = self.undone.pop();
        next.is_some_and(|played| self.game.play(played).is_ok())
    }

    /// Clears the recorded result, which is invalid once the moves change.
    fn reopen(&mut self) {
        self.game.tags.outcome = None;
        self.resigned = false;
    }
}
