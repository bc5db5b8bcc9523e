//! Transcripts: games written as their moves, such as `f5d6c3…`.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::board::{IllegalMove, Move, Position, excerpt};

/// A game: its start position and its moves. All moves are legal, and passes are included.
///
/// ```
/// use emilia_core::board::{Position, Transcript};
/// let game = Transcript::parse("F5 d6 C3", Position::START).unwrap();
/// assert_eq!(game.to_string(), "f5d6c3");
/// assert_eq!(game.positions().count(), 4);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Position before the first move.
    pub start: Position,
    /// Moves of the game, forced passes included.
    pub moves: Vec<Move>,
}

/// Error: a transcript has an illegal move, or a text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptError {
    /// Column of the move in characters, from 1.
    pub column: usize,
    /// Number of the move in the game, from 1. Passes are not counted.
    pub number: usize,
    /// The text at `column` that should be a move.
    pub found: String,
    /// Why the move is illegal, or `None` if `found` is not a move.
    pub illegal: Option<IllegalMove>,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}, move {}: ", self.column, self.number)?;
        if let Some(illegal) = self.illegal {
            return illegal.fmt(f);
        }
        let found = excerpt(&self.found);
        write!(f, "'{found}' is not a move (expected a1..h8 or pass)")
    }
}

impl std::error::Error for TranscriptError {}

impl Transcript {
    /// Creates a transcript without moves.
    pub const fn new(start: Position) -> Transcript {
        Transcript {
            start,
            moves: Vec::new(),
        }
    }

    /// Parses squares and passes in upper or lower case, optionally with white space or commas
    /// between.
    ///
    /// Passes may be written or left out.
    ///
    /// ```
    /// use emilia_core::board::{Position, Transcript};
    /// for text in ["f5 d6 c3", "F5,D6, C3"] {
    ///     let game = Transcript::parse(text, Position::START).unwrap();
    ///     assert_eq!(game.to_string(), "f5d6c3");
    /// }
    /// ```
    /// # Errors
    /// The error names the first move that is illegal, or the first text that is not a move.
    pub fn parse(text: &str, start: Position) -> Result<Transcript, TranscriptError> {
        let is_between = |letter: char| letter.is_whitespace() || letter == ',';
        let mut transcript = Transcript::new(start);
        let mut position = start;
        let mut number = 1;
        let text = text.trim_end_matches(is_between);
        let mut rest = text.trim_start_matches(is_between);
        while !rest.is_empty() {
            let (found, after) = split_move(rest);
            let fail = |illegal| TranscriptError {
                column: text[..text.len() - rest.len()].chars().count() + 1,
                number,
                found: found.to_owned(),
                illegal,
            };
            let mv: Move = found.parse().map_err(|_| fail(None))?;
            transcript
                .play_from(&mut position, mv)
                .map_err(|illegal| fail(Some(illegal)))?;
            number += usize::from(mv != Move::Pass);
            rest = after.trim_start_matches(is_between);
        }
        Ok(transcript)
    }

    /// Appends `mv` to the game. If the side to move must pass and `mv` is a square, appends the
    /// pass first.
    ///
    /// ```
    /// use emilia_core::{Square, Transcript};
    /// let mut game = Transcript::default();
    /// game.play(Square::F5)?;
    /// assert!(game.play(Square::A1).is_err());
    /// assert_eq!(game.to_string(), "f5");
    /// # Ok::<(), emilia_core::board::IllegalMove>(())
    /// ```
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<(), IllegalMove> {
        self.play_from(&mut self.end(), mv.into())
    }

    /// Appends `mv`, after a pass if necessary: see [`play`](Self::play). `position` is the
    /// position at the end of the game, before and after the call.
    fn play_from(&mut self, position: &mut Position, mv: Move) -> Result<(), IllegalMove> {
        let mut played = position.play(mv);
        if played.is_err() && mv != Move::Pass && position.must_pass() {
            played = position.play(Move::Pass)?.play(mv);
            if played.is_ok() {
                self.moves.push(Move::Pass);
            }
        }
        *position = played?;
        self.moves.push(mv);
        Ok(())
    }

    /// Iterates over the positions of the game, including the start position.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut position = self.start;
        let later = self.moves.iter().map(move |&mv| {
            // All moves are legal, so the fallback is never used.
            position = position.play(mv).unwrap_or(position);
            position
        });
        std::iter::once(self.start).chain(later)
    }

    /// Returns the position after the last move.
    pub fn end(&self) -> Position {
        self.positions().last().unwrap_or(self.start)
    }
}

/// Splits off the first move: the word `pass`, or two characters.
fn split_move(text: &str) -> (&str, &str) {
    match text.split_at_checked(4) {
        Some((word, after)) if word.eq_ignore_ascii_case("pass") => (word, after),
        _ => {
            let end = text.char_indices().nth(2);
            text.split_at(end.map_or(text.len(), |(at, _)| at))
        }
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transcript({self} from {})", self.start)
    }
}

/// Reads a game from the start position: see [`Transcript::parse`].
impl FromStr for Transcript {
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Transcript, TranscriptError> {
        Transcript::parse(text, Position::START)
    }
}

/// Writes the squares in lower case, without passes. All programs that read transcripts accept this
/// form.
impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in self.moves.iter().filter_map(|mv| mv.square()) {
            f.write_char(char::from(b'a' + square.file()))?;
            f.write_char(char::from(b'1' + square.rank()))?;
        }
        Ok(())
    }
}
