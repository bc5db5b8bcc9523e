//! Types of matches, and the rules by which requests are accepted.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use super::parse_clock;
use emilia_core::board::excerpt;
use emilia_games::TimeLimit;

/// Numbers of discs that a random start can have on 8x8 squares.
const RANDOM_DISCS: RangeInclusive<u32> = 4..=48;

/// Number of increments counted in the total time of a clock: one for each move of a side.
const MOVES: u32 = 30;

/// Type of a match that Emilia plays: 8x8 squares, most discs win, no komi.
///
/// ```
/// use emilia_protocol::ggs::MatchType;
/// let random: MatchType = "s8r".parse().unwrap();
/// assert!(random.covers(&"s8r20".parse().unwrap()));
/// assert!(!random.covers(&"s8".parse().unwrap()));
/// assert!("10".parse::<MatchType>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchType {
    /// Whether two games are played at a time, from the same start with colours swapped.
    synchro: bool,
    /// Numbers of discs of a random start. 0 is the usual start.
    discs: RangeInclusive<u32>,
}

impl MatchType {
    /// Returns whether every match of type `other` is one of this type.
    pub fn covers(&self, other: &MatchType) -> bool {
        let [least, most] = [other.discs.start(), other.discs.end()];
        self.synchro == other.synchro && self.discs.contains(least) && self.discs.contains(most)
    }
}

impl FromStr for MatchType {
    type Err = String;

    /// Parses `8`, `s8`, or `s8rN`. `s8r` is a random start with any number of discs.
    /// The colour of the asker, `b` or `w`, is ignored.
    fn from_str(text: &str) -> Result<MatchType, String> {
        let expected = "expected 8, 8b, 8w, s8, s8r, or s8rN with N from 4 to 48";
        let fail = || format!("'{}': {expected}", excerpt(text));
        let lower = text.to_ascii_lowercase();
        let size = lower.trim_start_matches('s');
        let synchro = lower.len() - size.len() == 1;
        let suffix = size.strip_prefix('8').ok_or_else(fail)?;
        let options = suffix.trim_matches(['b', 'w']);
        let number = options.strip_prefix('r').map(str::parse);
        let count = number.and_then(Result::ok);
        let discs = match count.filter(|count| RANDOM_DISCS.contains(count)) {
            None if options.is_empty() => 0..=0,
            // Without synchro the server has a random start only with komi.
            None if options == "r" && synchro => RANDOM_DISCS,
            Some(count) if synchro => count..=count,
            _ => return Err(fail()),
        };
        Ok(MatchType { synchro, discs })
    }
}

/// Rules by which requests are accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Types of matches that are accepted.
    pub types: Vec<MatchType>,
    /// Lowest and highest rating of opponents.
    pub rating: [f64; 2],
    /// Least and most time of a side: main time and the increments of 30 moves.
    pub clock: [Duration; 2],
    /// Whether matches must be rated or unrated. `None` accepts both.
    pub rated: Option<bool>,
}

impl Rules {
    /// Returns why a request is declined, or `None` if it is accepted. `words` are type, rating of
    /// the asker, and flag. `clocks` has the clock of each side, one if they are equal.
    pub(super) fn refusal(&self, words: [&str; 3], clocks: &[&str]) -> Option<&'static str> {
        let [kind, rating, flag] = words;
        let Ok(kind) = kind.parse() else {
            return Some("Emilia does not play this type");
        };
        let ([low, high], [least, most]) = (self.rating, self.clock);
        let is_accepted = |text: &&str| {
            let time = |limit: TimeLimit| limit.main.saturating_add(limit.increment * MOVES);
            parse_clock(text).is_some_and(|limit| (least..=most).contains(&time(limit)))
        };
        let is_covered = self.types.iter().any(|accepted| accepted.covers(&kind));
        let rating = rating.parse().unwrap_or(f64::NAN);
        let is_right = self.rated.is_none_or(|rated| rated == (flag != "U"));
        let rated = ["it is rated", "it is unrated"][usize::from(flag == "U")];
        let rules = [
            (is_covered, "its type is not accepted"),
            ((low..=high).contains(&rating), "the rating is not accepted"),
            (clocks.iter().all(is_accepted), "the clock is not accepted"),
            (is_right, rated),
        ];
        rules.iter().find(|(holds, _)| !holds).map(|(_, why)| *why)
    }
}
