//! Playing levels: one setting for the strength of a player.

use std::fmt;
use std::str::FromStr;

use super::PlaySettings;
use crate::people::Human;
use emilia_core::search::Limits;

/// Playing strength: an engine level or a human level.
///
/// ```
/// use emilia_player::Level;
/// let level: Level = "16".parse().unwrap();
/// assert_eq!(level.to_string(), "16");
/// assert!("h5".parse::<Level>().is_ok());
/// assert!("0".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Engine level: the search depth in the midgame, in plies.
    Engine(u32),
    /// Level that imitates human players.
    Human(Human),
}

impl Level {
    /// Highest engine level.
    pub const HIGHEST: u32 = 60;

    /// Valid values, for help and error messages.
    pub const RANGE: &'static str =
        "a level: h0 to h14 play as people do (h1 is also beginner), 1 to 60 as an engine";

    /// Sets this level in `limits` and `play_settings`.
    ///
    /// An engine level sets the depth limit, and turns a human level off. [`Limits::at_level`]
    /// later adds the number of empties to solve from. A human level removes the depth limit: its
    /// moves are drawn after a search with [`Human::limits`]. Limits of time and nodes stay.
    pub fn apply(self, limits: &mut Limits, play_settings: &mut PlaySettings) {
        (limits.depth, play_settings.human) = match self {
            Level::Engine(depth) => (Some(depth), None),
            Level::Human(human) => (None, Some(human)),
        };
    }

    /// Returns the human level nearest in measured strength to an engine level. Returns `None` if
    /// the engine level is above all human levels.
    ///
    /// ```
    /// use emilia_player::Level;
    /// assert_eq!(Level::nearest_human(1).unwrap().to_string(), "h10");
    /// assert_eq!(Level::nearest_human(5), None);
    /// ```
    pub fn nearest_human(level: u32) -> Option<Human> {
        let human = Level::AS_HUMAN.get((level as usize).checked_sub(1)?)?;
        Some(Human::ALL[*human])
    }

    /// For engine levels 1, 2, and so on, the number of the human level that is nearest in measured
    /// strength: see `MEASUREMENTS.md` in this folder.
    const AS_HUMAN: [usize; 4] = [10, 12, 12, 14];
}

/// Formats as `16` or `h5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Engine(depth) => f.pad(&depth.to_string()),
            Level::Human(human) => human.fmt(f),
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        if let Ok(human) = text.parse() {
            return Ok(Level::Human(human));
        }
        match text.parse() {
            Ok(depth @ 1..=Level::HIGHEST) => Ok(Level::Engine(depth)),
            _ => Err(format!("expected {}", Level::RANGE)),
        }
    }
}
