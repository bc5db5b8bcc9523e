//! A game as its moves: `f5d6c3…`.

use std::fmt;

use crate::board::{IllegalMove, Move, Position};

/// A game from a first position: its moves, all legal, passes written out.
///
/// ```
/// use emilia::board::{Position, Transcript};
/// let game = Transcript::parse("F5 d6 C3", Position::START).unwrap();
/// assert_eq!(game.to_string(), "f5d6c3");
/// assert_eq!(game.positions().count(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The position before the first move.
    pub start: Position,
    /// The moves, forced passes included.
    pub moves: Vec<Move>,
}

/// Why a text is no transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranscriptError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// Which move of the game, counted from 1, passes left out of the count.
    pub number: usize,
    /// The text there.
    pub found: String,
    /// The rule it breaks, if it is a move at all.
    pub illegal: Option<IllegalMove>,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, move {}: ", self.column, self.number)?;
        match self.illegal {
            Some(illegal) => illegal.fmt(f),
            None => write!(f, "'{}' is no move (expected a1..h8 or pass)", self.found),
        }
    }
}

impl std::error::Error for TranscriptError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let illegal = self.illegal.as_ref()?;
        Some(illegal)
    }
}

impl Transcript {
    /// The game that has only its first position yet.
    pub const fn new(start: Position) -> Transcript {
        Transcript {
            start,
            moves: Vec::new(),
        }
    }

    /// Reads moves in any case, with or without white space between them; passes may be written or left out.
    ///
    /// # Errors
    /// At the first move that cannot be read or is illegal.
    pub fn parse(text: &str, start: Position) -> Result<Transcript, TranscriptError> {
        let characters: Vec<char> = text.chars().collect();
        let mut transcript = Transcript::new(start);
        let mut position = start;
        let mut number = 1;
        let mut at = 0;
        while at < characters.len() {
            if characters[at].is_whitespace() {
                at += 1;
                continue;
            }
            let rest = &characters[at..];
            let length = if starts_with_pass_word(rest) {
                4
            } else {
                2.min(rest.len())
            };
            let found: String = rest[..length].iter().collect();
            let fail = |illegal| TranscriptError {
                column: at + 1,
                number,
                found: found.clone(),
                illegal,
            };
            let mv: Move = found.parse().map_err(|_| fail(None))?;
            if mv != Move::Pass && position.must_pass() {
                transcript.moves.push(Move::Pass);
                position = position
                    .play(Move::Pass)
                    .map_err(|illegal| fail(Some(illegal)))?;
            }
            position = position.play(mv).map_err(|illegal| fail(Some(illegal)))?;
            transcript.moves.push(mv);
            number += usize::from(mv != Move::Pass);
            at += length;
        }
        Ok(transcript)
    }

    /// The positions of the game, the first one included.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start;
        let later = self.moves.iter().map(move |&mv| {
            // The moves were checked when they came in.
            position = position.play(mv).unwrap_or(position);
            position
        });
        std::iter::once(self.start).chain(later)
    }

    /// The position after the last move.
    pub fn end(&self) -> Position {
        self.positions().last().unwrap_or(self.start)
    }
}

/// Whether the word `pass` comes first; the two-letter forms of a pass need no look ahead.
fn starts_with_pass_word(rest: &[char]) -> bool {
    rest.len() >= 4
        && rest[..4]
            .iter()
            .collect::<String>()
            .eq_ignore_ascii_case("pass")
}

/// The squares in lower case, passes left out: the form that every reader accepts.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves
            .iter()
            .filter_map(|mv| mv.square())
            .try_for_each(|square| write!(f, "{square}"))
    }
}
