//! Players of a game: the sides of people, and the level of the engine.

use emilia_core::board::Color;
use emilia_player::Level;
use emilia_player::people::Human;

/// Sides that people play. The engine plays the other sides.
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
    /// Returns the value of the option `--human` that selects these sides.
    pub(crate) fn name(self) -> &'static str {
        ["black", "white", "both", "none"][self as usize]
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

/// Describes a level, such as `level h5: a weak club player`.
pub(super) fn describe(level: Option<Level>) -> String {
    match level {
        None => "full strength".to_owned(),
        Some(Level::Human(human)) => format!("level {human}: {}", human.help()),
        Some(Level::Engine(depth)) => {
            let [.., highest] = Human::ALL;
            let nearest = Level::nearest_human(depth);
            let (word, human) = nearest.map_or(("above", highest), |human| ("like", human));
            format!("level {depth}: {word} {human}, {}", human.help())
        }
    }
}
