//! Clocks as the game server shows them.

use std::time::Duration;

use emilia_games::TimeLimit;

/// Longest time of a clock: 1000 hours, so that clock arithmetic cannot overflow.
const LONGEST: Duration = Duration::from_secs(3_600_000);

/// Parses a clock: `main/increment/grace`. Each field is a time `[-][d.][hh:]mm:ss`, where `d` is a
/// number of days. A comma and numbers of moves (`n:m`) may follow the time and are ignored. A
/// negative time becomes zero. An empty or missing field has the default of the server: main time
/// 15:00, no increment, grace 2:00.
///
/// ```
/// let limit = emilia_protocol::ggs::parse_clock("04:58,0:0//02:00,0:0").unwrap();
/// assert_eq!((limit.main.as_secs(), limit.grace.as_secs()), (298, 120));
/// ```
pub fn parse_clock(text: &str) -> Option<TimeLimit> {
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

/// Parses `[-][d.][hh:]mm:ss`.
fn shown(text: &str) -> Option<Duration> {
    const DAY: Duration = Duration::from_secs(86_400);
    let time = text.trim_start_matches('-');
    let (days, time) = match time.split_once('.') {
        Some((days, time)) if time.contains(':') => (days.parse().ok()?, time),
        _ => (0_u32, time),
    };
    let limit: TimeLimit = time.parse().ok()?;
    let shown = DAY.saturating_mul(days).saturating_add(limit.main);
    let is_negative = text.starts_with('-');
    Some(if is_negative {
        Duration::ZERO
    } else {
        shown.min(LONGEST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_the_server_counts_them() {
        for (text, seconds) in [
            ("", Some([900, 0, 120])),
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
            let times = parse_clock(text).map(|limit| [limit.main, limit.increment, limit.grace]);
            let expected = seconds.map(|times| times.map(Duration::from_secs));
            assert_eq!(times, expected, "{text}");
        }
    }
}
