//! [`Game`]: the record of a game, with its positions, tags and clocks.

use std::time::Duration;

use super::{Played, TimeLimit};
use emilia_core::board::{Color, IllegalMove, Move, Position, Score, Square, Transcript};

/// A game: the start position and the moves played, each checked for legality.
///
/// ```
/// use emilia_core::board::{Color, Move, Square};
/// use emilia_games::Game;
/// let mut game = Game::default();
/// game.play(Move::Place(Square::F5)).unwrap();
/// assert_eq!(game.position().mover, Color::White);
/// assert!(game.play(Move::Place(Square::A1)).is_err());
/// assert_eq!(game.undo().unwrap().mv, Move::Place(Square::F5));
/// assert!(game.moves().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Players, event, date, time limit, and recorded outcome.
    pub tags: Tags,
    moves: Vec<Played>,
    /// The start position and the position after each move.
    positions: Vec<Position>,
}

/// Tags of a game record. A tag that is not recorded is empty or `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tags {
    /// Name of the player of the black discs.
    pub black: String,
    /// Name of the player of the white discs.
    pub white: String,
    /// Site or tournament.
    pub event: String,
    /// Date, as written in the record.
    pub date: String,
    /// Time limit of each side.
    pub time: Option<TimeLimit>,
    /// Recorded outcome of the game.
    pub outcome: Option<Outcome>,
}

/// Recorded outcome of a game. The moves may stop before the game is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Black's score in discs. Fractions come from komi.
    pub margin: f64,
    /// Reason for the end of the game.
    pub ending: Ending,
}

impl Outcome {
    /// Outcome of a game that ended because neither side could move.
    pub(super) fn played(margin: f64) -> Outcome {
        let ending = Ending::Played;
        Outcome { margin, ending }
    }
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
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::START)
    }
}

impl From<&Transcript> for Game {
    fn from(transcript: &Transcript) -> Game {
        Game {
            tags: Tags::default(),
            moves: transcript.moves.iter().copied().map(Played::from).collect(),
            positions: transcript.positions().collect(),
        }
    }
}

impl Game {
    /// Creates a game without moves that begins at `start`.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Tags::default(),
            moves: Vec::new(),
            positions: vec![start],
        }
    }

    /// Removes all moves and sets the start position. The tags stay.
    pub fn restart(&mut self, start: Position) {
        self.moves.clear();
        self.positions = vec![start];
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> Position {
        self.positions[0]
    }

    /// Returns the position after the last move.
    pub fn position(&self) -> Position {
        self.positions[self.moves.len()]
    }

    /// Returns the start position and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the moves, passes included.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Yields the squares of the moves, without passes.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().filter_map(|played| played.mv.square())
    }

    /// Returns the number of moves without passes.
    pub fn placed(&self) -> usize {
        self.squares().count()
    }

    /// Returns the start position and the moves, without evaluations, times and tags.
    pub fn transcript(&self) -> Transcript {
        Transcript {
            start: self.start(),
            moves: self.moves.iter().map(|played| played.mv).collect(),
        }
    }

    /// Returns whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// Returns Black's final score in discs, or `None` if the game is not over.
    pub fn score(&self) -> Option<Score> {
        let position = self.position();
        (position.is_over()).then(|| position.final_score_for(Color::Black))
    }

    /// Black's score in discs: recorded, or of the final position.
    pub(super) fn margin(&self) -> Option<f64> {
        let recorded = self.tags.outcome.map(|outcome| outcome.margin);
        recorded.or_else(|| self.score().map(f64::from))
    }

    /// Plays a move or pass of the side to move.
    ///
    /// # Errors
    /// If the move is illegal. The game stays unchanged then.
    pub fn play(&mut self, played: impl Into<Played>) -> Result<(), IllegalMove> {
        let played = played.into();
        let position = self.position().play(played.mv)?;
        self.moves.push(played);
        self.positions.push(position);
        Ok(())
    }

    /// Plays a move of `color`, preceded by the opponent's forced pass if that was omitted.
    ///
    /// # Errors
    /// If it is not the turn of `color`, or the move is illegal. The game stays unchanged then.
    pub fn play_as(&mut self, color: Color, played: impl Into<Played>) -> Result<(), IllegalMove> {
        let played = played.into();
        let passed = self.hand_over_to(color);
        let result = if self.position().mover == color {
            self.play(played)
        } else {
            Err(IllegalMove {
                mv: played.mv,
                mover: color,
                legal: None,
            })
        };
        if result.is_err() && passed {
            self.undo();
        }
        result
    }

    /// Plays the opponent's pass if `color` moves only after it. Returns whether a pass was played.
    pub fn hand_over_to(&mut self, color: Color) -> bool {
        let position = self.position();
        position.mover != color && position.must_pass() && self.play(Move::Pass).is_ok()
    }

    /// Sets the evaluation of the last move. Does nothing before the first move.
    pub(super) fn set_last_eval(&mut self, eval: Option<f64>) {
        if let Some(played) = self.moves.last_mut() {
            played.eval = eval;
        }
    }

    /// Undoes the last move and returns it, or `None` before the first move.
    pub fn undo(&mut self) -> Option<Played> {
        let played = self.moves.pop()?;
        self.positions.pop();
        Some(played)
    }

    /// Undoes moves until `count` are left, passes included.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
        self.positions.truncate(count + 1);
    }

    /// Returns the time that `color` has left, or `None` if the game has no clock.
    ///
    /// This is the main time plus the increments of the moves played, less the time used.
    /// Grace time is ignored.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        let limit = self.tags.time.filter(TimeLimit::is_limit)?;
        let (mut earned, mut used) = (limit.main, Duration::ZERO);
        for (played, position) in self.moves.iter().zip(&self.positions) {
            if position.mover == color {
                earned = earned.saturating_add(limit.increment);
                used = used.saturating_add(played.time.unwrap_or_default());
            }
        }
        Some(earned.saturating_sub(used))
    }
}
