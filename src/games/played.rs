//! A played move with its evaluation and time: `F5/1.50/0.230` in GGF and NBoard, and
//! `+1.50/12 0.23s` in comments of PGN.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::times;
use emilia_core::board::Move;

/// A played move, with the mover's evaluation and time if recorded.
///
/// ```
/// use emilia_games::Played;
/// let played: Played = "F5//2.449".parse().unwrap();
/// assert_eq!(played.eval, None);
/// assert_eq!(played.time.unwrap().as_millis(), 2449);
/// assert_eq!(played.to_string(), "F5//2.449");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The move or pass.
    pub mv: Move,
    /// Final disc difference that the mover expected, in discs, from the mover's view.
    pub eval: Option<f64>,
    /// Time that the mover used for the move.
    pub time: Option<Duration>,
    /// Search depth in plies. Only PGN comments and match logs have it.
    pub depth: Option<u32>,
}

impl From<Move> for Played {
    fn from(mv: Move) -> Played {
        Played {
            mv,
            eval: None,
            time: None,
            depth: None,
        }
    }
}

impl FromStr for Played {
    type Err = String;

    /// Parses `move/eval/time`. An evaluation or time that is not a number is left out.
    fn from_str(text: &str) -> Result<Played, String> {
        let mut fields = text.split('/').map(str::trim);
        let mv: Result<Move, _> = fields.next().unwrap_or_default().parse();
        Ok(Played {
            eval: fields.next().and_then(discs),
            time: fields.next().and_then(|time| times::duration(time).ok()),
            ..mv.map_err(|error| error.to_string())?.into()
        })
    }
}

impl Played {
    /// Formats evaluation, depth and time as match programs do in comments, `+1.50/12 0.23s`.
    /// Values that are not recorded are left out.
    pub(super) fn comment(&self) -> String {
        let depth = self
            .depth
            .map_or(String::new(), |depth| format!("/{depth}"));
        let eval = self
            .eval
            .filter(|eval| eval.abs() <= MAX_DISCS)
            .map(|eval| {
                let eval = two_decimals(eval);
                let sign = if eval.starts_with('-') { "" } else { "+" };
                format!("{sign}{eval}{depth}")
            });
        let seconds = |time: Duration| (time.as_secs_f64() * 1e3).round() / 1e3;
        let time = self.time.map(|time| format!("{}s", seconds(time)));
        eval.into_iter().chain(time).collect::<Vec<_>>().join(" ")
    }

    /// Sets evaluation, depth and time from the start of a comment such as `+1.50/12 0.23s, good`,
    /// and returns the rest. Sets nothing and returns the whole comment unless its start is exactly
    /// what [`comment`](Self::comment) writes for these values.
    pub(super) fn take_comment<'c>(&mut self, comment: &'c str) -> &'c str {
        let (head, rest) = comment.split_once(", ").unwrap_or((comment, ""));
        let (search, time) = head.split_once(' ').unwrap_or((head, head));
        let (eval, depth) = search.split_once('/').unwrap_or((search, ""));
        let read = Played {
            eval: discs(eval),
            depth: depth.parse().ok(),
            time: time
                .strip_suffix('s')
                .and_then(|time| times::duration(time).ok()),
            ..self.mv.into()
        };
        if head.is_empty() || read.comment() != head {
            return comment;
        }
        *self = read;
        rest
    }
}

/// Maximum absolute evaluation that is read or written. It is larger than any disc count, because
/// some programs evaluate in other units.
const MAX_DISCS: f64 = 1e9;

/// Parses an evaluation in discs. Returns `None` if it is not a number, or if its absolute value
/// exceeds [`MAX_DISCS`].
pub(super) fn discs(text: &str) -> Option<f64> {
    let discs: f64 = text.parse().ok()?;
    (discs.abs() <= MAX_DISCS).then_some(discs)
}

/// Formats an evaluation with two decimals, never as `-0.00`.
pub(super) fn two_decimals(discs: f64) -> String {
    // Adding zero turns a negative zero into a positive one.
    let hundredths = (discs * 100.0).round() + 0.0;
    format!("{:.2}", hundredths / 100.0)
}

/// Formats `MOVE/eval/time`, with the move in capitals and `PA` for a pass.
///
/// An evaluation or time that is `None` is left out, and so is an evaluation that is NaN or larger
/// than 1e9.
impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mv {
            Move::Place(square) => f.write_str(&square.to_string().to_ascii_uppercase())?,
            Move::Pass => f.write_str("PA")?,
        }
        if self.eval.is_some() || self.time.is_some() {
            f.write_str("/")?;
        }
        if let Some(eval) = self.eval.filter(|eval| eval.abs() <= MAX_DISCS) {
            f.write_str(&two_decimals(eval))?;
        }
        match self.time {
            Some(time) => write!(f, "/{:.3}", time.as_secs_f64()),
            None => Ok(()),
        }
    }
}
