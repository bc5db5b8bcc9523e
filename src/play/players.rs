//! Players of a game: the sides of people, and the strength of the engine, which is a level, one of
//! five words for levels, or full strength.

use std::fmt;
use std::str::FromStr;

use emilia_core::board::Color;
use emilia_player::Level;

/// Sides that people play. The engine plays the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Humans {
    /// You play black, who begins
    #[default]
    Black,
    /// You play white
    White,
    /// You play both sides, the engine gives hints
    Both,
    /// The engine plays against itself
    None,
}

impl Humans {
    /// Names of all variants.
    pub(crate) const NAMES: [&str; 4] = ["black", "white", "both", "none"];

    /// Returns the name, one of [`NAMES`](Self::NAMES).
    pub(crate) fn name(self) -> &'static str {
        Humans::NAMES[self as usize]
    }

    /// Returns whether a person plays `color`.
    pub(crate) fn play(self, color: Color) -> bool {
        match self {
            Humans::Black => color == Color::Black,
            Humans::White => color == Color::White,
            Humans::Both => true,
            Humans::None => false,
        }
    }
}

/// Words for strengths, the weakest first.
pub(super) const WORDS: [&str; 5] = ["beginner", "casual", "club", "strong", "best"];

/// Level of play, or `None` for full strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strength(pub Option<Level>);

/// Formats the strength, such as `level h5: a weak club player`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("full strength"),
            Some(Level::Human(human)) => write!(f, "level {human}: {}", human.help()),
            Some(Level::Engine(depth)) => {
                write!(f, "level {depth}: at least an average club player")
            }
        }
    }
}

/// Parses one of [`WORDS`], `h1` to `h14`, or 1 to 60.
impl FromStr for Strength {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Strength, String> {
        let text = text.to_ascii_lowercase();
        let level = match text.as_str() {
            "beginner" => "h2",
            "casual" => "h5",
            "club" => "h8",
            "strong" => "h11",
            "best" => return Ok(Strength(None)),
            level => level,
        };
        let level = level.parse().map_err(|_| {
            let range = Level::RANGE;
            format!("beginner, casual, club, strong or best, or {range}")
        })?;
        Ok(Strength(Some(level)))
    }
}
