//! Times in game records: `[[h:]m:]s`, and time limits as `main/increment/grace`.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use emilia_core::board::excerpt;

/// Time limit of each side for a whole game.
///
/// ```
/// use emilia_games::TimeLimit;
/// let limit: TimeLimit = "15:00//2:00".parse().unwrap();
/// assert_eq!(limit.main.as_secs(), 900);
/// assert_eq!(limit.to_string(), "15:00//2:00");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimit {
    /// Main time for all moves together.
    pub main: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Extra time, granted once after the main time has run out, at a penalty.
    pub grace: Duration,
}

impl TimeLimit {
    /// Returns whether main time or increment is nonzero. In records of games without a clock, both
    /// are zero.
    pub fn is_limit(&self) -> bool {
        !self.main.is_zero() || !self.increment.is_zero()
    }
}

/// Returns the date of today, such as `2026-11-27`, in UTC.
pub fn today() -> String {
    let mut today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    today.truncate("2026-11-27".len());
    today
}

/// Returns the error of a text that is not a time.
fn no_time(text: &str) -> String {
    format!("'{}' is no time (expected [[h:]m:]s)", excerpt(text))
}

/// Longest time that is read, in seconds: 1000 hours. The limit keeps clock arithmetic from
/// overflowing.
const LONGEST: f64 = 3_600_000.0;

/// Parses `[[h:]m:]s`. Seconds may have decimals.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let fail = || no_time(text);
    let mut seconds = 0.0;
    for (index, field) in text.trim().split(':').enumerate() {
        // `f64::parse` also accepts infinities and exponents, which are not times.
        let is_plain = |byte| matches!(byte, b'0'..=b'9' | b'.');
        let is_time = index < 3 && field.bytes().all(is_plain);
        let number: f64 = field.parse().ok().filter(|_| is_time).ok_or_else(fail)?;
        seconds = seconds * 60.0 + number;
    }
    let time = Duration::try_from_secs_f64(seconds).ok();
    time.filter(|_| seconds <= LONGEST).ok_or_else(fail)
}

impl FromStr for TimeLimit {
    type Err = String;

    /// Parses up to three times separated by `/`. Empty and missing times are zero. Numbers of
    /// moves after a time, such as `,0:0` in records of GGS, are ignored.
    fn from_str(text: &str) -> Result<TimeLimit, String> {
        let is_count = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b':'));
        let mut fields = text.split('/').map(|field| match field.split_once(',') {
            Some((time, moves)) if is_count(moves) => time,
            _ => field,
        });
        let mut time = || match fields.next().map(str::trim) {
            None | Some("") => Ok(Duration::ZERO),
            Some(field) => duration(field),
        };
        let limit = TimeLimit {
            main: time()?,
            increment: time()?,
            grace: time()?,
        };
        fields.next().map_or(Ok(limit), |_| Err(no_time(text)))
    }
}

/// Formats `main/increment/grace`, each as `m:ss`. Zero times are left empty.
impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = |time: Duration| match (time.as_secs(), time.subsec_millis()) {
            (0, 0) => String::new(),
            (seconds, 0) => format!("{}:{:02}", seconds / 60, seconds % 60),
            (seconds, millis) => format!("{}:{:02}.{millis:03}", seconds / 60, seconds % 60),
        };
        let [main, increment, grace] = [self.main, self.increment, self.grace].map(field);
        write!(f, "{main}/{increment}/{grace}")
    }
}
