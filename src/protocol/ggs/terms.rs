//! Terms of the matches that are accepted: their type and their clocks.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::parse_clock;

/// Numbers of discs that a random start can have on 8x8 squares.
const RANDOM_DISCS: RangeInclusive<u32> = 4..=48;

/// Accepted range of a side's total time: main time and increments.
const TIMES: RangeInclusive<Duration> = Duration::from_secs(60)..=Duration::from_secs(86_400);

/// Number of increments counted in the total time of a clock: one for each move of a side.
const MOVES: u32 = 30;

/// Returns whether Emilia plays matches of the type `kind`: 8x8 squares, most discs win, no komi.
/// `8` is one game. `s8` is two games at a time with colours swapped. `s8rN` is two such games from
/// a random start with N discs. The colour of the asker, `b` or `w`, may follow.
///
/// ```
/// use emilia_protocol::ggs::is_played;
/// assert!(is_played("8w") && is_played("s8r20"));
/// assert!(!is_played("8kr16") && !is_played("10"));
/// ```
pub fn is_played(kind: &str) -> bool {
    let lower = kind.to_ascii_lowercase();
    let game = lower.trim_end_matches(['b', 'w']);
    let discs = game.strip_prefix("s8r").map(str::parse);
    matches!(game, "8" | "s8") || matches!(discs, Some(Ok(discs)) if RANDOM_DISCS.contains(&discs))
}

/// Returns why a request for a match is declined, or `None` if the request is accepted. `clocks`
/// has one clock for each side, or one clock for both.
pub(super) fn refusal(kind: &str, clocks: &[&str]) -> Option<&'static str> {
    let is_accepted = |text: &&str| {
        parse_clock(text).is_some_and(|limit| {
            TIMES.contains(&limit.main.saturating_add(limit.increment * MOVES))
        })
    };
    if !is_played(kind) {
        Some("Emilia does not play this type")
    } else if clocks.iter().all(is_accepted) {
        None
    } else {
        Some("the clock is not accepted")
    }
}
