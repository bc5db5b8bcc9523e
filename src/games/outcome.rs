//! [`Outcome`]: the recorded result of a game, in the forms of all formats.
//!
//! | result | GGF, headers | SGF | PGN |
//! |---|---|---|---|
//! | 12 discs for Black | `+12` | `B+12` | `38-26` |
//! | White resigned | `+64:r` | `B+R` | `64-0` |
//! | White lost on time | `+64:t` | `B+T` | `64-0` |
//! | White left | `+64:l` | `B+F` | `64-0` |
//! | agreed score | `+12:s` | `B+12` | `38-26` |
//! | Black won, nothing else is known | `?` (GGF), `1-0` (headers) | `B+` | `1-0` |
//!
//! PGN has the discs of Black and White, and the reason for the end of the game in its tag
//! `Termination`. The result `1-0` means that only the winner is known.

use std::fmt;

use super::played::discs;
use emilia_core::board::Color;

/// Margin in discs of a win whose discs were not counted, as after a resignation.
const WIPE_OUT: f64 = 64.0;

/// Recorded outcome of a game. The moves may stop before the game is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Black's score in discs, from -64 to 64. Fractions come from komi.
    /// It is 64 or -64 if the record has the winner only.
    pub margin: f64,
    /// Reason for the end of the game.
    pub ending: Ending,
}

/// Reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Neither side could move.
    Played,
    /// The loser resigned.
    Resigned,
    /// The loser ran out of time.
    TimedOut,
    /// The loser left the game.
    Left,
    /// The players agreed on the score.
    Agreed,
    /// The reason is unknown: the record has the winner only.
    Unknown,
}

/// For each reason: the end of a GGF result, the SGF text after `B+`, and the PGN tag
/// `Termination`.
const NAMES: [(Ending, &str, &str, &str); 4] = [
    (Ending::Resigned, ":r", "R", "resignation"),
    (Ending::TimedOut, ":t", "T", "time forfeit"),
    (Ending::Left, ":l", "F", "abandoned"),
    (Ending::Agreed, ":s", "", "adjudication"),
];

impl Outcome {
    /// Outcome of a game that ended because neither side could move.
    pub(super) fn played(margin: f64) -> Outcome {
        let ending = Ending::Played;
        Outcome { margin, ending }
    }

    /// Outcome of a game with a winner, whose discs were not counted.
    fn won_by(winner: Color, ending: Ending) -> Outcome {
        let margin = of_mover(WIPE_OUT, winner);
        Outcome { margin, ending }
    }

    /// Returns whether only the winner is known, because the discs were not counted.
    pub fn is_winner_only(self) -> bool {
        self.margin.abs() == WIPE_OUT && !matches!(self.ending, Ending::Played | Ending::Agreed)
    }

    /// Returns Black's score in discs, or `None` if the discs were not counted.
    pub fn discs(self) -> Option<f64> {
        (!self.is_winner_only()).then_some(self.margin)
    }

    /// Parses a result in any form of the table at the top of this file. Returns `None` if the text
    /// is not a result, and `Some(None)` if the result is unknown: `?`, `*`, `Void`, or a score
    /// beyond 64 discs.
    #[expect(
        clippy::option_option,
        reason = "the one is an error, the other an unknown outcome"
    )]
    pub(super) fn parse(text: &str) -> Option<Option<Outcome>> {
        let text = text.trim();
        let word = text.to_ascii_lowercase();
        if text.is_empty() || text.starts_with(['?', '*']) || word == "void" || word == "unknown" {
            return Some(None);
        }
        let outcome = match &*word {
            "draw" | "jigo" | "1/2-1/2" => Outcome::played(0.0),
            "1-0" => Outcome::won_by(Color::Black, Ending::Unknown),
            "0-1" => Outcome::won_by(Color::White, Ending::Unknown),
            _ => {
                let won = won(&word).or_else(|| scored(&word));
                won.or_else(|| counted(&word).map(Outcome::played))?
            }
        };
        Some(Some(outcome).filter(|outcome| outcome.margin.abs() <= WIPE_OUT))
    }

    /// Returns the row of [`NAMES`] for `ending`, or `None` if `NAMES` lacks it.
    fn names(self) -> Option<&'static (Ending, &'static str, &'static str, &'static str)> {
        NAMES.iter().find(|name| name.0 == self.ending)
    }

    /// Sets `ending` from the PGN tag `Termination`. Returns whether the text is in [`NAMES`].
    pub(super) fn set_termination(&mut self, text: &str) -> bool {
        let name = NAMES.iter().find(|name| text.eq_ignore_ascii_case(name.3));
        name.inspect(|name| self.ending = name.0).is_some()
    }

    /// Formats the outcome as in GGF. If only the winner is known, without a reason for the end,
    /// the text is `?`, because GGF cannot express this.
    pub(super) fn ggf(self) -> String {
        if self.ending == Ending::Unknown {
            return "?".to_owned();
        }
        let reason = self.names().map_or("", |names| names.1);
        format!("{:+.2}{reason}", self.margin)
    }

    /// Formats the outcome for a header line: as in PGN if the reason for the end is unknown,
    /// otherwise as in GGF.
    pub(super) fn header(self) -> String {
        match self.ending {
            Ending::Unknown => self.pgn().0,
            _ => self.ggf(),
        }
    }

    /// Formats the outcome as in SGF.
    pub(super) fn sgf(self) -> String {
        let winner = if self.margin > 0.0 { 'B' } else { 'W' };
        if self.is_winner_only() {
            return format!("{winner}+{}", self.names().map_or("", |names| names.2));
        }
        match self.margin {
            0.0 => "Draw".to_owned(),
            margin => format!("{winner}+{}", margin.abs()),
        }
    }

    /// Returns the PGN result of a game with a winner: `1-0` for Black, who moves first, or `0-1`
    /// for White.
    pub fn winner(self) -> &'static str {
        if self.margin > 0.0 { "1-0" } else { "0-1" }
    }

    /// Formats the outcome as the tags `Result` and `Termination` of PGN.
    pub(super) fn pgn(self) -> (String, Option<&'static str>) {
        let margin = (self.margin * 100.0).round() / 100.0;
        let discs = |margin: f64| ((WIPE_OUT + margin) * 500.0).round() / 1000.0;
        let result = if self.ending == Ending::Unknown && self.is_winner_only() {
            self.winner().to_owned()
        } else {
            format!("{}-{}", discs(margin), discs(-margin))
        };
        (result, self.names().map(|names| names.3))
    }
}

/// Formats Black's score in discs, or the winner if the discs were not counted.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_winner_only() {
            true if self.margin > 0.0 => f.write_str("Black won"),
            true => f.write_str("White won"),
            false => write!(f, "{:+}", self.margin),
        }
    }
}

/// Parses `b+12`, `b+r`, `white+time` and the like.
fn won(word: &str) -> Option<Outcome> {
    let (winner, score) = word.split_once('+')?;
    let winner = match winner {
        "b" | "black" => Color::Black,
        "w" | "white" => Color::White,
        _ => return None,
    };
    let ending = match score {
        "" | "?" => Ending::Unknown,
        "r" | "resign" => Ending::Resigned,
        "t" | "time" => Ending::TimedOut,
        "f" | "forfeit" => Ending::Left,
        _ => {
            let margin = of_mover(discs(score)?, winner);
            return Some(Outcome::played(margin));
        }
    };
    Some(Outcome::won_by(winner, ending))
}

/// Parses Black's score in discs, such as `-12`. A letter after `:` gives the reason for the end of
/// the game: `+64:r` means that White resigned. The letters are in [`NAMES`].
fn scored(word: &str) -> Option<Outcome> {
    let (margin, reason) = word.split_at(word.find(':').unwrap_or(word.len()));
    let margin = discs(margin)?;
    let ending = match reason {
        "" | ":" => Ending::Played,
        _ => NAMES.iter().find(|name| name.1 == reason)?.0,
    };
    Some(Outcome { margin, ending })
}

/// Parses the discs of both sides, `37-27`, and returns Black's score.
fn counted(word: &str) -> Option<f64> {
    let (black, white) = word.split_once('-')?;
    let (black, white) = (discs(black.trim())?, discs(white.trim())?);
    let is_count = black >= 0.0 && white >= 0.0 && black + white <= WIPE_OUT;
    is_count.then(|| ((black - white) * 100.0).round() / 100.0)
}

/// Converts a value between Black's view and the view of `mover`, in either direction: negates it
/// if `mover` is White.
pub(super) fn of_mover(value: f64, mover: Color) -> f64 {
    match mover {
        Color::Black => value,
        Color::White => -value,
    }
}
