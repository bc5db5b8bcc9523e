//! Matches: players, openings, the referee, the log and the statistics.
//!
//! A [`Match`] plays each opening of a [`Schedule`] twice with colours swapped.
//! A [`Tournament`] holds the results of each pairing.
//! A player at fault loses that game and is started again. The match continues.
//! Each finished game is a [`MatchGame`], one line of a [`MatchLog`].
//! Reading order: `players`, `referee`, `runner`, `statistics`.

mod clock;
mod game_queue;
mod log;
mod openings;
mod players;
mod record;
mod referee;
mod runner;
mod standing;
pub mod statistics;
mod tournament;

pub use clock::{Clock, MARGIN, NotAClock};
pub use log::{MatchLog, MatchParameters};
pub use openings::{NoOpenings, Openings, Schedule};
pub use players::{Defaults, Fault, PlayerSpec, SpecError};
pub use record::{MatchGame, MoveRecord, Reason};
pub use runner::{GameEvent, Match, MatchError};
pub use standing::{Effort, Standing};
pub use tournament::{Pairing, Tournament};
