//! A move as it was played, with what the player thought of it and how long: `F5/1.50/0.230`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::times;
use crate::board::{Move, NotAMove, excerpt};

/// A move with the mover's evaluation and time, where they are known.
///
/// ```
/// use emilia::game::Played;
/// let played: Played = "F5//2.449".parse().unwrap();
/// assert_eq!(played.eval, None);
/// assert_eq!(played.time.unwrap().as_millis(), 2449);
/// assert_eq!(played.to_string(), "F5//2.449");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The final disc difference that the mover expected, in discs.
    pub eval: Option<f64>,
    /// The time taken.
    pub time: Option<Duration>,
}

impl From<Move> for Played {
    fn from(mv: Move) -> Played {
        Played {
            mv,
            eval: None,
            time: None,
        }
    }
}

/// The text is no move with evaluation and time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPlayed {
    /// Its move.
    Move(NotAMove),
    /// Its evaluation.
    Eval(String),
    /// Its time.
    Time(times::NotATime),
}

impl fmt::Display for NotPlayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotPlayed::Move(error) => error.fmt(f),
            NotPlayed::Eval(found) => {
                let found = excerpt(found);
                write!(f, "'{found}' is no evaluation (expected discs, like -1.34)")
            }
            NotPlayed::Time(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotPlayed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NotPlayed::Move(error) => Some(error),
            NotPlayed::Time(error) => Some(error),
            NotPlayed::Eval(_) => None,
        }
    }
}

impl FromStr for Played {
    type Err = NotPlayed;

    /// `move/eval/time`; the last two may be empty or missing.
    fn from_str(text: &str) -> Result<Played, NotPlayed> {
        let mut fields = text.splitn(3, '/').map(str::trim);
        let mut field = || fields.next().unwrap_or_default();
        let mv = field().parse().map_err(NotPlayed::Move)?;
        let eval = match field() {
            "" => None,
            text => Some(discs(text).ok_or_else(|| NotPlayed::Eval(text.to_owned()))?),
        };
        let time = match field() {
            "" => None,
            text => Some(times::duration(text).map_err(NotPlayed::Time)?),
        };
        Ok(Played { mv, eval, time })
    }
}

/// Far more discs than there are, as other programs may count otherwise; far fewer than numbers can be.
const MOST_DISCS: f64 = 1e9;

/// A number of discs.
pub(super) fn discs(text: &str) -> Option<f64> {
    let discs: f64 = text.parse().ok()?;
    (discs.abs() <= MOST_DISCS).then_some(discs)
}

/// Discs as records write them, never `-0.00`.
pub(super) fn two_decimals(discs: f64) -> String {
    // Adding zero turns a negative zero into the plain one.
    let hundredths = (discs * 100.0).round() + 0.0;
    format!("{:.2}", hundredths / 100.0)
}

/// The move in capitals (`PA` for a pass), then evaluation and time as far as they are known; an evaluation that is no
/// number of discs is not.
impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv {
            Move::Place(square) => f.write_str(&square.to_string().to_ascii_uppercase())?,
            Move::Pass => f.write_str("PA")?,
        }
        if self.eval.is_some() || self.time.is_some() {
            f.write_str("/")?;
        }
        if let Some(eval) = self.eval.filter(|eval| eval.abs() <= MOST_DISCS) {
            f.write_str(&two_decimals(eval))?;
        }
        match self.time {
            Some(time) => write!(f, "/{:.3}", time.as_secs_f64()),
            None => Ok(()),
        }
    }
}
