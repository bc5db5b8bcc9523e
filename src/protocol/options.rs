//! Engine options that a client sets by name during a session, in any protocol.
//! The options are those of [`emilia_player::options`].

use std::path::Path;

use super::{Setup, shown};
use emilia_core::search::OutOfMemory;
use emilia_player::Player;
use emilia_player::options::{self, AnyOption, EVAL, Target, WEIGHTS};

impl Setup {
    /// Sets option `name` to `value`, in this setup and in the player. `none` removes a limit.
    ///
    /// Fails if the option does not exist, the value is invalid, or memory is insufficient.
    /// The error is one sentence, and all settings stay as they were.
    pub fn set(&mut self, player: &mut Player, name: &str, value: &str) -> Result<(), String> {
        let option = options::by_name(name)
            .ok_or_else(|| format!("cannot set '{}', only {}", shown(name), names()))?;
        // Selecting the current evaluation again keeps its custom weights.
        if name == EVAL.name && value == self.settings.evaluator.name() {
            return Ok(());
        }
        if name == WEIGHTS.name {
            // A pipe or a device could block the session forever.
            emilia_files::check_plain(Path::new(value)).map_err(|error| error.to_string())?;
        }
        let mut new = self.clone();
        let mut target = Target {
            settings: &mut new.settings,
            limits: &mut new.limits,
            play_settings: &mut new.play_settings,
        };
        let unset = options::unset(name);
        match unset {
            Some(unset) if value == "none" => unset(target.limits),
            _ => option.set_text(&mut target, value).map_err(|error| {
                let or_none = unset.map_or("", |_| ", or none");
                format!("{error}{or_none}")
            })?,
        }
        self.replace(new, player).map_err(|error| error.to_string())
    }

    /// Replaces this setup, and applies the new one to the player. On an error both stay.
    /// A change of the play settings restarts random choices.
    pub(crate) fn replace(&mut self, new: Setup, player: &mut Player) -> Result<(), OutOfMemory> {
        player.configure(new.settings.clone())?;
        if new.play_settings != self.play_settings {
            player.set_play_settings(new.play_settings.clone());
        }
        *self = new;
        Ok(())
    }
}

/// Lists the names of all options, separated by commas and a final "or".
fn names() -> String {
    let [others @ .., last] = &options::ALL.map(AnyOption::name);
    format!("{} or {last}", others.join(", "))
}
