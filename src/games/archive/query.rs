//! [`Query`]: conditions on a game: player, event, year and result.

use std::ops::RangeInclusive;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::outcome::of_mover;
use crate::{Outcome, PackedGame};
use emilia_core::board::Color;

/// Conditions on a game. The game must satisfy all of them.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Words that the name of a player must contain.
    pub player: Option<Words>,
    /// Words that the name of the opponent of `player` must contain.
    pub against: Option<Words>,
    /// Words that the name of the event must contain.
    pub event: Option<Words>,
    /// Years in which the game may have been played.
    pub years: Option<Years>,
    /// Conditions on the result.
    pub results: Vec<ResultFilter>,
}

impl Query {
    /// Returns whether the game satisfies all conditions.
    pub fn matches(&self, game: &PackedGame) -> bool {
        if let Some(Years(years)) = &self.years
            && !year(&game.tags().date).is_some_and(|year| years.contains(&year))
        {
            return false;
        }
        let event = self.event.as_ref();
        if !event.is_none_or(|words| words.are_in(&game.tags().event)) {
            return false;
        }
        let is = |words: &Option<Words>, color| {
            let words = words.as_ref();
            words.is_none_or(|words| words.are_in(game.player(color)))
        };
        let outcome = (!self.results.is_empty()).then(|| game.outcome()).flatten();
        // Both colours are tried for the player of the query: `player` may match both names, while
        // the result fits only one of the two players.
        [Color::Black, Color::White].into_iter().any(|color| {
            let results = &mut self.results.iter();
            results.all(|result| result.holds(outcome, color))
                && is(&self.player, color)
                && is(&self.against, !color)
        })
    }
}

/// Words to find in a name. A word matches any part of the name. Case and accents are ignored.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Words(Vec<String>);

impl Words {
    /// Returns whether all words are parts of `name`.
    pub fn are_in(&self, name: &str) -> bool {
        let name = plain(name);
        self.0.iter().all(|word| name.contains(word.as_str()))
    }

    /// Returns the distance of the words from `name`, in millionths. Each word adds 1 minus its
    /// Jaro-Winkler similarity to the most similar word of `name`. The distance 0 means that each
    /// word equals a word of `name`.
    pub(super) fn distance(&self, name: &str) -> u32 {
        let name = plain(name);
        let likeness = |word: &String| {
            let own = name
                .split_whitespace()
                .map(|own| strsim::jaro_winkler(own, word));
            own.fold(0.0, f64::max)
        };
        let distances = self.0.iter().map(|word| 1e6 * (1.0 - likeness(word)));
        distances.sum::<f64>() as u32
    }
}

impl FromStr for Words {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Words, &'static str> {
        let text = plain(text);
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err("expected a name or a part of it");
        }
        Ok(Words(words))
    }
}

/// Returns the name in lower case without accents.
fn plain(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let letters = name.nfd().filter(|&letter| !is_combining_mark(letter));
    letters.flat_map(char::to_lowercase).collect()
}

/// One year or a range of years: `2019` or `2015-2019`.
#[derive(Clone, Debug)]
pub struct Years(RangeInclusive<u16>);

impl FromStr for Years {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Years, &'static str> {
        let years = range(text).ok_or("expected a year or two, as 2019 or 2015-2019")?;
        Ok(Years(years))
    }
}

/// Parses `LOW-HIGH` or a single number.
fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some(low..=high)
}

/// Returns the year of a date: the first four digits of the first run of four or eight digits.
pub fn year(date: &str) -> Option<u16> {
    let mut runs = date.split(|letter: char| !letter.is_ascii_digit());
    let run = runs.find(|run| matches!(run.len(), 4 | 8))?;
    run[..4].parse().ok()
}

/// Condition on the result of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultFilter {
    /// The side of this colour won.
    WonBy(Color),
    /// The game is a draw.
    Draw,
    /// The player that [`Query::player`] names won.
    Won,
    /// The player that [`Query::player`] names lost.
    Lost,
    /// The absolute score in discs is in this range.
    Margin(RangeInclusive<u16>),
}

impl ResultFilter {
    /// Returns whether the condition refers to the player of the query.
    pub fn is_of_player(&self) -> bool {
        matches!(self, ResultFilter::Won | ResultFilter::Lost)
    }

    /// Returns whether `outcome` satisfies the condition. `player` is the colour of the player of
    /// the query.
    fn holds(&self, outcome: Option<Outcome>, player: Color) -> bool {
        let Some(outcome) = outcome else {
            return false;
        };
        let margin = of_mover(outcome.margin, player);
        match self {
            ResultFilter::WonBy(color) => (margin > 0.0) == (*color == player) && margin != 0.0,
            ResultFilter::Draw => margin == 0.0,
            ResultFilter::Won => margin > 0.0,
            ResultFilter::Lost => margin < 0.0,
            ResultFilter::Margin(range) => {
                let range = f64::from(*range.start())..=f64::from(*range.end());
                outcome
                    .discs()
                    .is_some_and(|discs| range.contains(&discs.abs()))
            }
        }
    }
}

impl FromStr for ResultFilter {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ResultFilter, &'static str> {
        Ok(match text {
            "black" => ResultFilter::WonBy(Color::Black),
            "white" => ResultFilter::WonBy(Color::White),
            "draw" => ResultFilter::Draw,
            "won" => ResultFilter::Won,
            "lost" => ResultFilter::Lost,
            _ => ResultFilter::Margin(
                range(text).ok_or("expected black, white, draw, won, lost, or discs as 2-10")?,
            ),
        })
    }
}
