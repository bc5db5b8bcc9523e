//! `Game`: the record of a game, its clocks, and how it stands.

use std::time::Duration;

use super::{Played, TimeLimit};
use crate::board::{Color, IllegalMove, Move, Position, Score, Transcript};

/// A game: the first position and the moves, each checked when it is played.
///
/// ```
/// use emilia::board::{Color, Move, Square};
/// use emilia::game::Game;
/// let mut game = Game::default();
/// game.play(Move::Place(Square::F5)).unwrap();
/// assert_eq!(game.position().mover, Color::White);
/// assert!(game.play(Move::Place(Square::A1)).is_err());
/// assert_eq!(game.undo().unwrap().mv, Move::Place(Square::F5));
/// assert!(game.moves().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Who played, where and when, under which limit, and what the record says of the end.
    pub tags: Tags,
    moves: Vec<Played>,
    /// The first position and the one after each move.
    positions: Vec<Position>,
}

/// What a record says of a game beside its moves; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tags {
    /// Who plays Black.
    pub black: String,
    /// Who plays White.
    pub white: String,
    /// The site or the tournament.
    pub event: String,
    /// The date as written.
    pub date: String,
    /// The time each side has.
    pub time: Option<TimeLimit>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

/// How a game ended, as its record says. The moves need not reach the end of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Black's discs less White's; fractions come from komi.
    pub margin: f64,
    /// Why it ended.
    pub ending: Ending,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was played out.
    Played,
    /// The loser resigned.
    Resigned,
    /// The loser's time was up.
    TimedOut,
    /// The loser left.
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
    /// The game that begins at `start` and has no move yet.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Tags::default(),
            moves: Vec::new(),
            positions: vec![start],
        }
    }

    /// Begins anew at `start`; the tags stay.
    pub fn restart(&mut self, start: Position) {
        self.moves.clear();
        self.positions = vec![start];
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.positions[0]
    }

    /// The position after the last move.
    pub fn position(&self) -> Position {
        self.positions[self.moves.len()]
    }

    /// The first position and the one after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves, passes included.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// How many discs were placed: the moves without the passes.
    pub fn placed(&self) -> usize {
        let squares = self.moves.iter().filter_map(|played| played.mv.square());
        squares.count()
    }

    /// The moves and nothing else.
    pub fn transcript(&self) -> Transcript {
        Transcript {
            start: self.start(),
            moves: self.moves.iter().map(|played| played.mv).collect(),
        }
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// Black's final score, once the game is over.
    pub fn score(&self) -> Option<Score> {
        let position = self.position();
        position
            .is_over()
            .then(|| position.final_score_for(Color::Black))
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// If it is illegal; the game stays as it was.
    pub fn play(&mut self, played: impl Into<Played>) -> Result<(), IllegalMove> {
        let played = played.into();
        let position = self.position().play(played.mv)?;
        self.moves.push(played);
        self.positions.push(position);
        Ok(())
    }

    /// Plays a move of `color`, and before it the pass of the other side where that is forced and was left out.
    ///
    /// # Errors
    /// If it is not the turn of `color`, or the move is illegal; the game stays as it was.
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

    /// Plays the pass of the other side if it is `color`'s turn only after it; tells whether it did.
    pub fn hand_over_to(&mut self, color: Color) -> bool {
        let position = self.position();
        position.mover != color && position.must_pass() && self.play(Move::Pass).is_ok()
    }

    /// Notes what the mover of the last move expected; before the first move there is nothing to note it of.
    pub(super) fn set_last_eval(&mut self, eval: Option<f64>) {
        if let Some(played) = self.moves.last_mut() {
            played.eval = eval;
        }
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Played> {
        let played = self.moves.pop()?;
        self.positions.pop();
        Some(played)
    }

    /// Takes moves back until `count` are left.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
        self.positions.truncate(count + 1);
    }

    /// The moves that `color` made, passes included.
    pub fn moves_of(&self, color: Color) -> impl Iterator<Item = &Played> {
        let movers = self.positions.iter().map(|position| position.mover);
        self.moves
            .iter()
            .zip(movers)
            .filter_map(move |(played, mover)| (mover == color).then_some(played))
    }

    /// The time `color` has left, if the game has a clock: the main time and the increments of the moves made, less
    /// the time they took. Grace is ignored.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        let limit = self.tags.time.filter(TimeLimit::is_limit)?;
        let (mut earned, mut used) = (limit.main, Duration::ZERO);
        for played in self.moves_of(color) {
            earned = earned.saturating_add(limit.increment);
            used = used.saturating_add(played.time.unwrap_or_default());
        }
        Some(earned.saturating_sub(used))
    }
}
