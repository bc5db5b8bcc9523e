//! Parser of the UCI command `go` and its conversion to a time control.

#[cfg(test)]
mod tests;

use std::str::FromStr;
use std::time::Duration;

use super::flipello;
use emilia_core::board::{Color, Move};
use emilia_core::search::TimeControl;
use emilia_player::options::{MAX_DEPTH, MAX_TIME};

/// Arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Go {
    /// Remaining times: `wtime` for Black, who moves first, and `btime` for White. `None` if the
    /// argument is missing.
    left: [Option<Duration>; 2],
    /// Increments per move: `winc` for Black and `binc` for White.
    increment: [Duration; 2],
    /// Number of moves for which the remaining time must last: `movestogo`. `None` means all
    /// remaining moves of the game.
    share: Option<u32>,
    /// Fixed time for this move: `movetime`.
    move_time: Option<Duration>,
    /// Depth limit in plies: `depth`.
    pub(super) depth: Option<u32>,
    /// Node limit: `nodes`.
    pub(super) nodes: Option<u64>,
    /// Event that the search waits for before it may end.
    pub(super) until: Until,
    /// Depth of a perft, which replaces the search: `perft`.
    pub(super) perft: Option<u32>,
    /// Root moves to search, not checked for legality: `searchmoves`.
    pub(super) first_moves: Option<Vec<Move>>,
}

/// Event that a search waits for before it may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Until {
    /// The search ends at its limits, or at `stop`.
    #[default]
    Limits,
    /// Argument `ponder`: only the client ends the search before `ponderhit`. After `ponderhit` the
    /// search also ends at its limits.
    PonderHit,
    /// Argument `infinite`: only the client ends the search.
    Stop,
}

/// Maximum depth of `go perft`. From the start of a game, this depth takes seconds, and nothing
/// interrupts the count.
const MAX_PERFT: u32 = 12;

/// Argument names of `go`. A word of this list is never read as the value of another argument.
const WORDS: &str = "wtime btime winc binc movestogo movetime depth nodes mate infinite ponder \
                     searchmoves perft";

fn is_value(word: &&str) -> bool {
    WORDS.split(' ').all(|name| name != *word)
}

impl Go {
    /// Parses the arguments. Returns one error sentence for each invalid argument. Valid arguments
    /// still apply: the client expects a move in any case.
    pub(super) fn parse(text: &str) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut refused = Vec::new();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let done = match word {
                "infinite" => {
                    go.until = Until::Stop;
                    Ok(())
                }
                "ponder" => {
                    go.until = go.until.max(Until::PonderHit);
                    Ok(())
                }
                "searchmoves" => {
                    let names = std::iter::from_fn(|| words.next_if(is_value));
                    go.set_first_moves(names)
                }
                _ if !is_value(&word) => go.set(word, words.next_if(is_value).unwrap_or_default()),
                _ => Err(format!("go: unknown '{word}'")),
            };
            refused.extend(done.err());
        }
        (go, refused)
    }

    /// Adds the moves called `names` to the root moves to search. Invalid names are left out, and
    /// the last of them gives the error.
    fn set_first_moves<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
        let moves = self.first_moves.insert(Vec::new());
        let mut done = Ok(());
        for name in names {
            match flipello::read_move(name) {
                Some(mv) => moves.push(mv),
                None => done = Err(format!("searchmoves '{name}': expected moves like P@e3")),
            }
        }
        done
    }

    /// Sets the argument `word` to the number `value`.
    fn set(&mut self, word: &str, value: &str) -> Result<(), String> {
        let [black, white] = [Color::Black, Color::White].map(|color| color as usize);
        match word {
            "wtime" => self.left[black] = Some(milliseconds(word, value)?),
            "btime" => self.left[white] = Some(milliseconds(word, value)?),
            "winc" => self.increment[black] = milliseconds(word, value)?,
            "binc" => self.increment[white] = milliseconds(word, value)?,
            "movestogo" => self.share = Some(number(word, value)?).filter(|&count| count > 0),
            "movetime" => self.move_time = Some(milliseconds(word, value)?),
            "depth" => self.depth = Some(number::<u32>(word, value)?.clamp(1, MAX_DEPTH)),
            "perft" => match value.parse() {
                Ok(depth @ 1..=MAX_PERFT) => self.perft = Some(depth),
                _ => {
                    return Err(format!(
                        "go perft '{value}': expected 1 to {MAX_PERFT}; 'emilia perft' counts deeper"
                    ));
                }
            },
            "nodes" => self.nodes = Some(number::<u64>(word, value)?.max(1)),
            _ => return Err("go mate: there is no mate in Othello".to_owned()),
        }
        Ok(())
    }

    /// Returns the time control for a move of `mover`, `None` if unlimited.
    ///
    /// `overhead` is the time that a move takes outside the engine.
    pub(super) fn time(&self, mover: Color, overhead: Duration) -> Option<TimeControl> {
        if let Some(time) = self.move_time {
            return Some(TimeControl::with_latency_allowance(
                time.saturating_sub(overhead),
            ));
        }
        let left = self.left[mover as usize]?.saturating_sub(overhead);
        let increment = self.increment[mover as usize];
        Some(match self.share {
            Some(count) => TimeControl::with_latency_allowance(left / count + increment),
            None => TimeControl::Clock { left, increment },
        })
    }
}

/// Parses the number after the argument `word`.
fn number<T: FromStr>(word: &str, value: &str) -> Result<T, String> {
    let number = value.parse().ok();
    number.ok_or_else(|| format!("go {word} '{value}': expected a number"))
}

/// Parses the milliseconds after the argument `word`. Negative times become 0.
fn milliseconds(word: &str, value: &str) -> Result<Duration, String> {
    let time: i64 = number(word, value)?;
    let time = Duration::from_millis(time.max(0).unsigned_abs());
    Ok(time.min(MAX_TIME))
}
