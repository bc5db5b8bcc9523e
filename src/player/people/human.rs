//! Human levels `h0` to `h14`, and [`Skill`], the continuous scale on which they lie.

use std::fmt;
use std::str::FromStr;

use emilia_core::search::Limits;

/// Human level, `h0` to `h14`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Human {
    /// Index into [`LEVELS`]: the number of the level.
    index: usize,
}

/// Human levels, the weakest first: a description, and the temperature as a multiple of the
/// temperature of the average player in the fitted games. From `h2` on, each level scores 60 to 75
/// % of the points against the level before it. `h0` is fitted to score 50 % against a player that
/// always flips the most discs. In lost discs, h10 is near the average club player, h13 near strong
/// club players and h14 near the best of a club: see `MEASUREMENTS.md` in the folder of the player.
const LEVELS: [(&str, f64); 15] = [
    ("a player of a first game", 30_000.0),
    ("a beginner", 45.0),
    ("a player after a few games", 14.5),
    ("an occasional player", 5.9),
    ("a regular player", 3.5),
    ("a weak club player", 2.45),
    ("between weak and average", 1.92),
    ("between weak and average", 1.52),
    ("between weak and average", 1.2),
    ("between weak and average", 0.95),
    ("an average club player", 0.75),
    ("between average and strong", 0.59),
    ("between average and strong", 0.45),
    ("a strong club player", 0.33),
    ("the best of a club", 0.22),
];

impl Human {
    /// All human levels, weakest first.
    pub const ALL: [Human; LEVELS.len()] = {
        let mut all = [Human { index: 0 }; LEVELS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index].index = index;
            index += 1;
        }
        all
    };

    /// The average club player.
    pub const AVERAGE: Human = Human::ALL[10];

    /// Returns a description of people who play at this level.
    pub const fn help(self) -> &'static str {
        LEVELS[self.index].0
    }

    /// Depth in plies of the search before a move is chosen.
    pub const DEPTH: u32 = 6;

    /// Largest number of empties at which the moves are solved, so that their values are exact.
    pub const EXACT: u32 = 12;

    /// Number of plies of the opening book that players of this level know: 0 for h0 and h1, then
    /// one more with each level.
    pub fn book_plies(self) -> u32 {
        self.index.saturating_sub(1) as u32
    }

    /// Returns the limits of the search before a move is chosen.
    pub fn limits() -> Limits {
        Limits::depth(Human::DEPTH).with_solve_from_empties(Human::EXACT)
    }
}

/// Formats as `h0`, the weakest, to `h14`.
impl fmt::Display for Human {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("h{}", self.index))
    }
}

/// Words that name a level, each with the level.
const WORDS: [(&str, &str); 7] = [
    ("beginner", "h1"),
    ("occasional", "h3"),
    ("regular", "h4"),
    ("weak", "h5"),
    ("average", "h10"),
    ("strong", "h13"),
    ("best", "h14"),
];

impl FromStr for Human {
    type Err = &'static str;

    /// Parses a name from `h0` to `h14`, or one of the [`WORDS`].
    fn from_str(text: &str) -> Result<Human, &'static str> {
        let word = WORDS.iter().find(|(word, _)| *word == text);
        let name = word.map_or(text, |(_, name)| name);
        let mut all = Human::ALL.into_iter();
        all.find(|human| human.to_string() == name)
            .ok_or("expected a human level, h0 to h14")
    }
}

/// Strength of play as a real number: 7 is `h7`, 7.5 is halfway from `h7` to `h8`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Skill(f64);

impl Skill {
    /// Lower end of the scale, `h0`.
    pub const MIN: Skill = Skill(0.0);
    /// Upper end of the scale: two levels above `h14`.
    pub const MAX: Skill = Skill((LEVELS.len() + 1) as f64);

    /// Returns the skill `number`, or the nearest end of the scale.
    pub fn new(number: f64) -> Skill {
        Skill(number.clamp(Skill::MIN.0, Skill::MAX.0))
    }

    /// Returns whether the skill is shown as a level, at most `h14.4`. A higher skill is shown as
    /// `above h14`.
    pub(super) fn is_of_a_level(self) -> bool {
        self.shown() < LEVELS.len() as f64 - 0.5
    }

    /// Returns the number as it is shown, with one decimal.
    fn shown(self) -> f64 {
        (10.0 * self.0).round() / 10.0
    }

    /// Returns the skill as a number: 7 for `h7`.
    pub const fn number(self) -> f64 {
        self.0
    }

    /// Returns the temperature of the model as a multiple of the temperature of the average player
    /// in the fitted games.
    ///
    /// Between two levels, the logarithm of the temperature is interpolated. Above the last level,
    /// it is extrapolated from the last two levels.
    pub fn factor(self) -> f64 {
        let index = self.0.floor().clamp(0.0, (LEVELS.len() - 2) as f64);
        let [low, high] = [0, 1].map(|next| LEVELS[index as usize + next].1.ln());
        (low + (self.0 - index) * (high - low)).exp()
    }
}

impl From<Human> for Skill {
    fn from(human: Human) -> Skill {
        Skill(human.index as f64)
    }
}

/// Formats as `h7.3`, and as `above h14` beyond the levels.
impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_of_a_level() {
            f.pad(&format!("h{:.1}", self.shown()))
        } else {
            f.pad(&format!("above h{}", LEVELS.len() - 1))
        }
    }
}
