//! Types of matches, clocks, and the rules by which requests are accepted.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use emilia_core::board::excerpt;
use emilia_games::TimeLimit;
use emilia_player::options::MAX_TIME;

/// Numbers of discs that a random start can have on 8x8 squares.
const RANDOM_DISCS: RangeInclusive<u32> = 4..=48;

/// Number of moves of one side in a game, for the time that a clock allows.
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

    /// Returns whether the number of discs at the start is known.
    pub fn is_single(&self) -> bool {
        self.discs.start() == self.discs.end()
    }
}

impl FromStr for MatchType {
    type Err = String;

    /// Parses `8`, `s8`, or `s8rN`. `s8r` is a random start with any number of discs.
    /// The colour of the asker, `b` or `w`, is ignored.
    fn from_str(text: &str) -> Result<MatchType, String> {
        let fail = || {
            let text = excerpt(text);
            format!("'{text}': expected 8, s8, s8r, or s8rN with N from 4 to 48, as in s8r20")
        };
        let lower = text.to_ascii_lowercase();
        let size = lower.trim_start_matches('s');
        let synchro = lower.len() - size.len() == 1;
        let options = size.strip_prefix('8').ok_or_else(fail)?;
        let options = options.trim_matches(['b', 'w']);
        let count = options
            .strip_prefix('r')
            .and_then(|count| count.parse().ok());
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
    /// Types of matches.
    pub types: Vec<MatchType>,
    /// Lowest and highest rating of opponents.
    pub rating: [f64; 2],
    /// Least and most time of a side: main time and the increments of 30 moves.
    pub clock: [Duration; 2],
    /// Whether matches must be rated, or must not be.
    pub rated: Option<bool>,
}

impl Rules {
    /// Returns why a request is declined, or `None` if it is accepted. Its parts are type, rating
    /// of the asker, flag, and the clocks of the sides, one if they are equal.
    pub(super) fn refusal(
        &self,
        [kind, rating, flag]: [&str; 3],
        clocks: &[&str],
    ) -> Option<&'static str> {
        let Ok(kind) = kind.parse() else {
            return Some("Emilia does not play this type");
        };
        let ([low, high], [least, most]) = (self.rating, self.clock);
        let is_accepted = |limit: TimeLimit| {
            let time = limit.main.saturating_add(limit.increment * MOVES);
            (least..=most).contains(&time)
        };
        if !self.types.iter().any(|accepted| accepted.covers(&kind)) {
            Some("its type is not accepted")
        } else if !rating
            .parse()
            .is_ok_and(|rating| (low..=high).contains(&rating))
        {
            Some("the rating is not accepted")
        } else if !clocks
            .iter()
            .all(|text| clock(text).is_some_and(is_accepted))
        {
            Some("the clock is not accepted")
        } else if self.rated.is_some_and(|rated| rated != (flag != "U")) {
            Some("only rated, or only unrated matches are accepted")
        } else {
            None
        }
    }
}

/// Parses a clock as the server does: an empty field keeps its default, 15:00//2:00. A number of
/// moves after a time is ignored.
pub(super) fn clock(text: &str) -> Option<TimeLimit> {
    let mut fields = text.split('/');
    let mut time = |default| match fields.next().and_then(|field| field.split(',').next()) {
        None | Some("") => Some(Duration::from_secs(default)),
        Some(field) => time_left(field),
    };
    let [main, increment, grace] = [time(900)?, time(0)?, time(120)?];
    Some(TimeLimit {
        main,
        increment,
        grace,
    })
}

/// Parses the time left on a clock: `[-][d.][hh:]mm:ss`. A negative time is zero.
fn time_left(text: &str) -> Option<Duration> {
    /// Seconds of a day.
    const DAY: Duration = Duration::from_secs(86_400);
    let positive = text.trim_start_matches('-');
    let (days, time) = match positive.split_once('.') {
        Some((days, time)) if time.contains(':') => (days.parse::<u32>().ok()?, time),
        _ => (0, positive),
    };
    let time: TimeLimit = time.parse().ok().filter(|_| !time.contains('/'))?;
    let left = (time.main + DAY * days).min(MAX_TIME);
    Some(if positive == text {
        left
    } else {
        Duration::ZERO
    })
}
