//! What a client may set by name during a session: the options of the engine.

use std::path::Path;

use super::{Setup, shown};
use crate::eval::AnyWeights;
use crate::files::{self, FileError, MIB};
use crate::options::{self, AnyOption, EVAL, Target, WEIGHTS};
use crate::player::{Player, Style};

/// The bytes of the largest file that can be weights; those of the binary take a tenth of it.
const LARGEST_WEIGHTS: u64 = 64 * MIB;

impl Setup {
    /// [Sets](set) `name` to `value`, here and in the player.
    ///
    /// # Errors
    /// If there is no such name, the value does not suit it, or there is no memory for it; one sentence. Then all is as before.
    pub(crate) fn set(
        &mut self,
        player: &mut Player,
        name: &str,
        value: &str,
    ) -> Result<(), String> {
        let before = self.style;
        if set(self, name, value)?
            && let Err(error) = player.configure(self.settings.clone())
        {
            self.settings = player.settings().clone();
            return Err(error.to_string());
        }
        self.restyle(player, before);
        Ok(())
    }

    /// Takes over the level of another setup, here and in the player.
    pub(crate) fn set_level_of(&mut self, other: &Setup, player: &mut Player) {
        let before = self.style;
        self.limits.depth = other.limits.depth;
        self.style.human = other.style.human;
        self.restyle(player, before);
    }

    /// Takes over the weights of another setup, here and in the player. If those are for another evaluation, the present one
    /// gets its own back.
    ///
    /// # Errors
    /// If there is no memory; one sentence. Then all is as before.
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

    /// The player gets the style, if it is another than `before`: its draws begin anew.
    fn restyle(&self, player: &mut Player, before: Style) {
        if self.style != before {
            player.set_style(self.style);
        }
    }
}

/// Sets `name` to `value`; `none` takes a limit away. Tells whether the engine has to be configured anew.
///
/// # Errors
/// If there is no such name, or the value does not suit it; one sentence.
fn set(setup: &mut Setup, name: &str, value: &str) -> Result<bool, String> {
    let option = options::by_name(name)
        .ok_or_else(|| format!("cannot set '{}', only {}", shown(name), names()))?;
    // The present evaluation may have weights of its own: it stays.
    if name == EVAL.name && value == setup.settings.evaluator.name() {
        return Ok(false);
    }
    let mut target = Target {
        settings: &mut setup.settings,
        limits: &mut setup.limits,
        style: &mut setup.style,
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

/// The names of all options, as a sentence lists them.
fn names() -> String {
    let [others @ .., last] = &options::ALL.map(AnyOption::name);
    format!("{} or {last}", others.join(", "))
}

/// The weights of a file. To open a pipe or a device could block the session for ever.
fn weights(name: &str) -> Result<AnyWeights, String> {
    let path = Path::new(name);
    let weights = files::read_plain(path, LARGEST_WEIGHTS).and_then(|bytes| {
        AnyWeights::from_bytes(&bytes).map_err(|bad| FileError::refused(path, bad.to_string()))
    });
    weights.map_err(|error| error.to_string())
}
