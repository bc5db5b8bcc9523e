//! Engine options that a client sets by name during a session, in any protocol.
//! This module builds on the option table of the `options` module.

use std::path::Path;

use super::{Setup, shown};
use crate::eval::AnyWeights;
use crate::files::{self, FileError, MIB};
use crate::player::options::{self, AnyOption, EVAL, Target, WEIGHTS};
use crate::player::{PlaySettings, Player};

/// Maximum size of a weight file in bytes, about ten times that of the embedded weights.
const MAX_WEIGHTS: u64 = 64 * MIB;

impl Setup {
    /// [Sets](set) option `name` to `value`, in this setup and in the player.
    ///
    /// # Errors
    /// If the option does not exist, the value is invalid, or memory is insufficient.
    /// The error is one sentence, and all settings stay as they were.
    pub(crate) fn set(
        &mut self,
        player: &mut Player,
        name: &str,
        value: &str,
    ) -> Result<(), String> {
        let before = self.play_settings.clone();
        if set(self, name, value)?
            && let Err(error) = player.configure(self.settings.clone())
        {
            self.settings = player.settings().clone();
            return Err(error.to_string());
        }
        self.apply_play_settings(player, &before);
        Ok(())
    }

    /// Copies the level of another setup, and applies it to the player.
    pub(crate) fn set_level_of(&mut self, other: &Setup, player: &mut Player) {
        let before = self.play_settings.clone();
        self.limits.depth = other.limits.depth;
        self.play_settings.human = other.play_settings.human;
        self.apply_play_settings(player, &before);
    }

    /// Copies the weights of another setup, and applies them to the player.
    /// If they belong to another evaluation, the current one gets its default weights instead.
    ///
    /// # Errors
    /// If memory is insufficient. The error is one sentence, and all settings stay as they were.
    pub(crate) fn set_weights_of(
        &mut self,
        other: &Setup,
        player: &mut Player,
    ) -> Result<(), String> {
        let mut settings = self.settings.clone();
        let present = settings.evaluator.name();
        if other.settings.evaluator.name() == present {
            settings.evaluator = other.settings.evaluator.clone();
        } else if let Ok(eval) = EVAL.parse(present) {
            settings.evaluator = eval.evaluator();
        }
        let done = player.configure(settings.clone());
        done.map_err(|error| error.to_string())?;
        self.settings = settings;
        Ok(())
    }

    /// Applies the play settings to the player if they differ from `before`.
    /// This restarts random choices.
    fn apply_play_settings(&self, player: &mut Player, before: &PlaySettings) {
        if self.play_settings != *before {
            player.set_play_settings(self.play_settings.clone());
        }
    }
}

/// Sets option `name` to `value`, where `none` removes a limit.
/// Returns whether the engine must be reconfigured.
///
/// # Errors
/// If the option does not exist or the value is invalid. The text is one sentence.
fn set(setup: &mut Setup, name: &str, value: &str) -> Result<bool, String> {
    let option = options::by_name(name)
        .ok_or_else(|| format!("cannot set '{}', only {}", shown(name), names()))?;
    // Selecting the current evaluation again keeps its custom weights.
    if name == EVAL.name && value == setup.settings.evaluator.name() {
        return Ok(false);
    }
    let mut target = Target {
        settings: &mut setup.settings,
        limits: &mut setup.limits,
        play_settings: &mut setup.play_settings,
    };
    match option.unset() {
        Some(unset) if value == "none" => unset(target.limits),
        Some(_) => option
            .set_text(&mut target, value)
            .map_err(|error| format!("{error}, or none"))?,
        None if name == WEIGHTS.name => WEIGHTS.set(&mut target, weights(value)?),
        None => option
            .set_text(&mut target, value)
            .map_err(|error| error.to_string())?,
    }
    Ok(option.unset().is_none())
}

/// Lists the names of all options, separated by commas and a final "or".
fn names() -> String {
    let [others @ .., last] = &options::ALL.map(AnyOption::name);
    format!("{} or {last}", others.join(", "))
}

/// Reads a weight file. Rejects pipes and devices, which could block the session forever.
fn weights(name: &str) -> Result<AnyWeights, String> {
    let path = Path::new(name);
    let weights = files::read_plain(path, MAX_WEIGHTS).and_then(|bytes| {
        AnyWeights::from_bytes(&bytes).map_err(|bad| FileError::refused(path, bad.to_string()))
    });
    weights.map_err(|error| error.to_string())
}
