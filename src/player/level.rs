//! Levels: one number for how strong to play.

use std::fmt;
use std::str::FromStr;

use super::Style;
use super::human::Human;
use crate::search::{Limits, level_exact};

/// How strong to play.
///
/// ```
/// use emilia::player::Level;
/// let level: Level = "16".parse().unwrap();
/// assert_eq!(level.to_string(), "16");
/// assert!("h5".parse::<Level>().is_ok());
/// assert!("0".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// As strong as a search of so many plies in the midgame.
    Engine(u32),
    /// As strong as people are.
    Human(Human),
}

impl Level {
    /// The highest level.
    pub const HIGHEST: u32 = 60;

    /// What values there are, for help and errors.
    pub const RANGE: &'static str = "a level from 1 to 60, or h1 to h14 for those of people";

    /// Plays at this level from now on. With a depth goes the exact depth of the level, where none is set; a human level has
    /// limits of its own for its moves, and none for hints.
    pub fn apply(self, limits: &mut Limits, style: &mut Style) {
        (limits.depth, style.human) = match self {
            Level::Engine(depth) => (Some(depth), None),
            Level::Human(human) => (None, Some(human)),
        };
    }

    /// The depth of a search of this level in the midgame, in plies.
    pub fn depth(self) -> u32 {
        match self {
            Level::Engine(depth) => depth,
            Level::Human(_) => Human::DEPTH,
        }
    }

    /// The human level that is nearest in strength, as measured; `None` above the highest one.
    ///
    /// ```
    /// use emilia::player::Level;
    /// assert_eq!(Level::Engine(1).as_human().unwrap().to_string(), "h9");
    /// assert_eq!(Level::Engine(5).as_human(), None);
    /// ```
    pub fn as_human(self) -> Option<Human> {
        match self {
            Level::Engine(depth) => {
                let index = usize::try_from(depth).ok()?.checked_sub(1)?;
                let human = *Level::AS_HUMAN.get(index)?;
                Human::ALL.get(human - 1).copied()
            }
            Level::Human(human) => Some(human),
        }
    }

    /// The numbers of the human levels that levels 1, 2, … are like: `README.md` beside this file
    /// has the measurement.
    const AS_HUMAN: [usize; 4] = [9, 11, 12, 14];

    /// From how many empty squares on its searches are exact.
    pub fn exact(self) -> u32 {
        match self {
            Level::Engine(depth) => level_exact(depth),
            Level::Human(_) => Human::EXACT,
        }
    }
}

/// `16` or `h5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Engine(depth) => f.pad(&depth.to_string()),
            Level::Human(human) => f.pad(&human.to_string()),
        }
    }
}

/// The text is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLevel;

impl fmt::Display for NoLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", Level::RANGE)
    }
}

impl std::error::Error for NoLevel {}

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        if let Some(human) = Human::ALL.into_iter().find(|one| one.to_string() == text) {
            return Ok(Level::Human(human));
        }
        let depth = text.parse().ok();
        depth
            .filter(|depth| (1..=Level::HIGHEST).contains(depth))
            .map(Level::Engine)
            .ok_or(NoLevel)
    }
}
