//! Players of a game: the sides of people, and the strength of the engine, which is a level, one of
//! five words for levels, or full strength.
//! The question before a game and the parser of its answer are here too.

use std::fmt;
use std::str::FromStr;

use emilia_core::board::{Color, excerpt};
use emilia_core::search::Limits;
use emilia_player::{Level, PlaySettings};

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

/// [`WORDS`] as the end of a sentence.
const LIST_OF_WORDS: &str = "beginner, casual, club, strong or best";

/// Levels of the first four [`WORDS`]. The last word means full strength.
const LEVELS: [&str; 4] = ["h2", "h5", "h8", "h11"];

/// Names of the colours in an answer.
const SIDES: [(&str, Humans); 2] = [("black", Humans::Black), ("white", Humans::White)];

/// Answer to [`QUESTION`] that Enter accepts.
const USUAL: &str = "casual black";

/// Question before a game if no option sets level or side.
pub(super) const QUESTION: &str = "\
Who plays? Choose how strong Emilia is: 1 beginner, 2 casual, 3 club, 4 strong or 5 best; and your \
colour: black, who begins, or white.";

/// Returns the prompt of the answer to [`QUESTION`].
pub(super) fn prompt() -> String {
    format!("Enter for {USUAL}: ")
}

/// Level of play, or `None` for full strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Strength(pub Option<Level>);

impl Strength {
    /// Returns the strength of [`WORDS`]`[index]`.
    fn of_word(index: usize) -> Strength {
        let level = LEVELS.get(index).and_then(|level| level.parse().ok());
        Strength(level)
    }

    /// Sets depth and play settings to this strength.
    pub(crate) fn apply(self, limits: &mut Limits, play_settings: &mut PlaySettings) {
        (limits.depth, play_settings.human) = (None, None);
        if let Some(level) = self.0 {
            level.apply(limits, play_settings);
        }
    }
}

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

/// Parses a word, the beginning of one, `h1` to `h14`, or 1 to 60.
impl FromStr for Strength {
    type Err = String;

    fn from_str(text: &str) -> Result<Strength, String> {
        let text = text.to_ascii_lowercase();
        if let Ok(level) = text.parse() {
            return Ok(Strength(Some(level)));
        }
        match beginning_with(&text, &WORDS)[..] {
            [index] => Ok(Strength::of_word(index)),
            _ => Err(format!("expected {LIST_OF_WORDS}, or {}", Level::RANGE)),
        }
    }
}

/// Parses the answer to [`QUESTION`]: a strength, a colour, both in any order, or nothing.
/// Missing parts are taken from [`USUAL`].
pub(super) fn answer(text: &str) -> Result<(Strength, Humans), String> {
    let (mut strength, mut humans) = (None, None);
    let text = text.to_ascii_lowercase();
    let is_gap = |letter: char| letter.is_whitespace() || letter == ',';
    // The default words come last, because only the first strength and colour count.
    for word in text.split(is_gap).chain(USUAL.split(' ')) {
        if word.is_empty() {
            continue;
        }
        let colors = SIDES.map(|(name, _)| name);
        let all = [&WORDS[..], &colors[..]].concat();
        let number = word.parse::<usize>().ok();
        let number = number.filter(|number| (1..=WORDS.len()).contains(number));
        let found = match (number, &beginning_with(word, &all)[..]) {
            (Some(number), _) => number - 1,
            (None, &[index]) => index,
            (None, _) => {
                // Human levels are accepted too. Numbers select from the list of the question.
                let level = word.parse().ok();
                if let Some(level @ Level::Human(_)) = level {
                    strength.get_or_insert(Strength(Some(level)));
                    continue;
                }
                return Err(format!(
                    "'{}' is no answer: expected 1 to 5, {LIST_OF_WORDS}, with black or white, \
                     such as club white.",
                    excerpt(word)
                ));
            }
        };
        match found.checked_sub(WORDS.len()) {
            Some(side) => _ = humans.get_or_insert(SIDES[side].1),
            None => _ = strength.get_or_insert(Strength::of_word(found)),
        }
    }
    Ok((strength.unwrap_or_default(), humans.unwrap_or_default()))
}

/// Returns the indices of the words that begin with `start`.
fn beginning_with(start: &str, words: &[&str]) -> Vec<usize> {
    let places = words.iter().enumerate();
    places
        .filter(|(_, word)| !start.is_empty() && word.starts_with(start))
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Humans, Strength, answer};

    #[test]
    fn answers_accept_words_their_beginnings_and_numbers() {
        let level = |text: &str| Strength(text.parse().ok());
        for (text, strength, humans) in [
            ("", level("h5"), Humans::Black),
            ("beginner", level("h2"), Humans::Black),
            ("3", level("h8"), Humans::Black),
            ("STR, w", level("h11"), Humans::White),
            ("white 5", level(""), Humans::White),
            ("bes bl", level(""), Humans::Black),
            ("h3 white", level("h3"), Humans::White),
            ("w", level("h5"), Humans::White),
        ] {
            assert_eq!(answer(text), Ok((strength, humans)), "{text}");
        }
        for text in ["0", "6", "b", "c", "yes", "f5", "level 3", "h15"] {
            assert!(answer(text).is_err(), "{text}");
        }
    }

    #[test]
    fn strength_names_parse_words_and_levels() {
        for (text, name) in [
            ("casual", "level h5: a weak club player"),
            ("H1", "level h1: a beginner"),
            ("be", ""),
            ("best", "full strength"),
            ("12", "level 12: at least an average club player"),
            ("61", ""),
        ] {
            let strength = text.parse::<Strength>();
            assert_eq!(strength.map_or(String::new(), |own| own.to_string()), name);
        }
    }
}
