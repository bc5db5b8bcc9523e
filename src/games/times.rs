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
    /// Returns whether main time or increment is nonzero. Records without a clock write zero.
    pub fn is_limit(&self) -> bool {
        !self.main.is_zero() || !self.increment.is_zero()
    }

    /// Parses a clock as the game server shows it: `[-][d.][hh:]mm:ss,n:m/increment/grace`.
    /// An empty field has the server's default, 15:00//2:00. A negative time becomes zero, and
    /// numbers of moves after a time are ignored.
    ///
    /// ```
    /// use emilia_games::TimeLimit;
    /// let limit = TimeLimit::of_server("04:58,0:0//02:00,0:0").unwrap();
    /// assert_eq!((limit.main.as_secs(), limit.grace.as_secs()), (298, 120));
    /// ```
    pub fn of_server(text: &str) -> Option<TimeLimit> {
        let mut fields = text.split('/').map(|field| field.split(',').next());
        let mut time = |default| match fields.next().flatten() {
            None | Some("") => Some(Duration::from_secs(default)),
            Some(field) => shown(field),
        };
        Some(TimeLimit {
            main: time(900)?,
            increment: time(0)?,
            grace: time(120)?,
        })
    }
}

/// Returns the date of today, such as `2026-11-27`, in UTC.
pub fn today() -> String {
    let mut today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    today.truncate("2026-11-27".len());
    today
}

/// Returns the error of a text that is no time.
fn no_time(text: &str) -> String {
    format!("'{}' is no time (expected [[h:]m:]s)", excerpt(text))
}

/// Maximum time of a record in seconds: 1000 hours, so that clock arithmetic cannot overflow.
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

/// Parses a time of the game server, `[-][d.][hh:]mm:ss`. A negative one becomes zero.
fn shown(text: &str) -> Option<Duration> {
    /// Seconds of a day.
    const DAY: f64 = 86_400.0;
    let time = text.trim_start_matches('-');
    let (days, time) = match time.split_once('.') {
        Some((days, time)) if time.contains(':') => (days.parse().ok()?, time),
        _ => (0_u32, time),
    };
    let seconds = duration(time).ok()?.as_secs_f64() + DAY * f64::from(days);
    let seconds = if text.starts_with('-') { 0.0 } else { seconds };
    Some(Duration::from_secs_f64(seconds.min(LONGEST)))
}

impl FromStr for TimeLimit {
    type Err = String;

    /// Parses up to three times separated by `/`. Empty and missing times are zero.
    fn from_str(text: &str) -> Result<TimeLimit, String> {
        let mut fields = text.split('/');
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_the_server_counts_them() {
        for (text, seconds) in [
            ("", Some([900, 0, 120])),
            ("05:00", Some([300, 0, 120])),
            ("05:00//02:00", Some([300, 0, 120])),
            ("5:00/0/0", Some([300, 0, 0])),
            ("1:00:00,0:0/00:10,0:0/00:30,1:1", Some([3600, 10, 30])),
            ("1.00:00:00,0:0//", Some([86_400, 0, 120])),
            ("-00:05,0:0//02:00,0:0", Some([0, 0, 120])),
            ("5.00//", Some([5, 0, 120])),
            ("4294967295.00:00//", Some([3_600_000, 0, 120])),
            ("99999999999.00:00//", None),
            ("x//", None),
        ] {
            let read = TimeLimit::of_server(text);
            let read = read.map(|limit| [limit.main, limit.increment, limit.grace]);
            let expected = seconds.map(|times| times.map(Duration::from_secs));
            assert_eq!(read, expected, "{text}");
        }
    }
}
