//! [`Setup`]: all values of the engine options, from which a player is created.

use std::path::Path;

use emilia_core::board::excerpt;
use emilia_core::search::{Engine, Limits, OutOfMemory, Settings};

use super::{PlaySettings, Player};
use crate::options::{self, EVAL, WEIGHTS};

/// Settings of a player and limits of its searches.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Engine settings: threads, hash size, evaluator, selectivity.
    pub settings: Settings,
    /// Path of the evaluator's weights file. `None` for the embedded weights.
    pub weights: Option<String>,
    /// Limits of each search.
    pub limits: Limits,
    /// Settings for the choice of moves: human level, random seed, pondering, book.
    pub play_settings: PlaySettings,
}

impl Setup {
    /// Returns the default setup with these engine settings.
    pub fn of(settings: Settings) -> Setup {
        Setup {
            settings,
            weights: None,
            limits: Limits::default(),
            play_settings: PlaySettings::default(),
        }
    }

    /// Creates a player with this setup.
    ///
    /// # Errors
    /// If the transposition table does not fit in memory.
    pub fn player(&self) -> Result<Player, OutOfMemory> {
        let engine = Engine::try_new(self.settings.clone())?;
        Ok(Player::new(engine).with_play_settings(self.play_settings.clone()))
    }

    /// Sets option `name` to `value`, in this setup and in the player.
    ///
    /// # Errors
    /// If the option does not exist, the value is invalid, or memory is insufficient.
    /// The error is one sentence, and all settings stay as they were.
    pub fn set(&mut self, player: &mut Player, name: &str, value: &str) -> Result<(), String> {
        let found = options::find(name);
        let option = found.map_err(|error| format!("'{}': {error}", excerpt(name)))?;
        // Without this return, selecting the current evaluation again would drop a weights file.
        if name == EVAL.name && value == self.settings.evaluator.name() {
            return Ok(());
        }
        if name == WEIGHTS.name {
            // A pipe or a device could block the session forever.
            emilia_files::check_plain(Path::new(value)).map_err(|error| error.to_string())?;
        }
        let mut new = self.clone();
        option.set(&mut new, value)?;
        self.replace(new, player)
    }

    /// Replaces this setup, and applies the new one to `player`. On an error, setup and player stay
    /// unchanged. If the play settings change, random choices restart from the seed.
    pub fn replace(&mut self, new: Setup, player: &mut Player) -> Result<(), String> {
        let configured = player.configure(new.settings.clone());
        configured.map_err(|error| error.to_string())?;
        if new.play_settings != self.play_settings {
            player.set_play_settings(new.play_settings.clone());
        }
        *self = new;
        Ok(())
    }
}
