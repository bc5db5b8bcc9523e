//! Matches: players, openings, the referee, the log and the statistics.
//!
//! A [`Match`] plays each opening of a [`Schedule`] twice with colours swapped.
//! A [`Tournament`] holds the results of each pairing.
//! A player at fault loses that game and is started again. The match continues.
//! Each finished game is a [`MatchGame`], one line of a [`MatchLog`].
//! Reading order: `players`, `referee`, `runner`, `statistics`, `report`.

mod clock;
mod log;
mod openings;
mod players;
mod referee;
#[cfg(feature = "cli")]
pub mod report;
mod runner;
mod standing;
pub mod statistics;
#[cfg(test)]
mod tests;
mod tournament;

use std::fmt;

pub use crate::game::match_log::{EndReason, MatchGame, MoveRecord};
pub use crate::protocol::Fault;
pub use clock::{MARGIN, clock_text, parse_clock};
pub use log::{MatchLog, MatchParameters};
pub use openings::{Openings, Schedule};
pub use players::{PlayerDefaults, PlayerSpec};
pub use runner::{GameEvent, Match};
pub use standing::{PlayerTotals, Standing};
pub use tournament::{Pairing, Tournament};

/// Why a match cannot be set up or played: one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchError(String);

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MatchError {}
