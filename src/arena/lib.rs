//! Matches: players, openings, the referee, the log and the statistics.
//!
//! A [`Match`] plays each opening of a [`Schedule`] twice with colours swapped. These two games are
//! a pair. A pairing is two players that meet. A [`Tournament`] determines the pairings of three or
//! more players. A [`Standing`] holds the results of each pairing. A player at fault (illegal move,
//! time-out, crash) loses that game and is restarted. The match continues. Each finished game is a
//! [`MatchGame`], one line of a [`MatchLog`]. Reading order: `players`, `referee`, `runner`,
//! `statistics`, `report`.

mod adjudication;
mod clock;
mod log;
mod openings;
mod players;
mod referee;
pub mod report;
mod runner;
mod spsa;
mod standing;
pub mod statistics;
#[cfg(test)]
mod tests;
mod tournament;

pub use adjudication::Adjudication;
pub use clock::{Clock, MARGIN, clock_text, parse_clock};
pub use emilia_games::match_log::{EndReason, MatchGame, MoveRecord};
pub use log::{MatchLog, MatchParameters, PgnFile};
pub use openings::{Openings, Schedule, parse_plies, parse_score};
pub use players::{PlayerSpec, with_protocol};
pub use runner::Match;
pub use spsa::{Spsa, TunedOption, with_values};
pub use standing::{PlayerTotals, Standing};
pub use tournament::{Pairing, Tournament};
