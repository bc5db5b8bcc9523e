//! [`PackedGame`]: a game stored as one byte for each move. Collections and archives hold games in
//! this form.

use std::mem;
use std::sync::LazyLock;

use super::record::Notes;
use super::replay::Replay;
use super::{Game, Outcome, Played, Tags};
use emilia_core::board::{Color, Move, Position, Sentence, Square, Transcript};

/// A game without its positions. It takes 32 bytes, plus one byte for each move, plus the memory of
/// its tags and its notes (warnings, comments, variations and scores) if it has any. All its moves
/// are legal.
///
/// ```
/// use emilia_core::board::{Position, Transcript};
/// use emilia_games::{Game, PackedGame};
/// let game = Game::from(&Transcript::parse("f5d6c3", Position::START).unwrap());
/// assert_eq!(PackedGame::from(game.clone()).game(), game);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PackedGame {
    /// Index of the square of each move, or [`PASS`].
    moves: Box<[u8]>,
    /// `None` if no tag is set.
    tags: Option<Box<Tags>>,
    /// `None` if the game has the usual start position, no notes, and no evaluations and times.
    more: Option<Box<More>>,
}

/// Data of a game that few games have.
#[derive(Clone, Debug, Default, PartialEq)]
struct More {
    /// Start position, or `None` for the usual one.
    start: Option<Position>,
    notes: Notes,
    /// All moves with their evaluations, times and depths. Empty if no move has any of them.
    thoughts: Box<[Played]>,
}

const PASS: u8 = 64;

impl From<Game> for PackedGame {
    fn from(mut game: Game) -> PackedGame {
        let has_thoughts = game
            .moves()
            .iter()
            .any(|&played| played != played.mv.into());
        let tags = mem::take(&mut game.tags);
        let moves = game.moves().iter();
        let thoughts = moves.clone().filter(|_| has_thoughts);
        let more = More {
            start: unusual(game.start()),
            notes: game.notes().clone(),
            thoughts: thoughts.copied().collect(),
        };
        PackedGame::new(moves.map(|played| played.mv), tags, more)
    }
}

impl From<&Transcript> for PackedGame {
    fn from(transcript: &Transcript) -> PackedGame {
        let more = More {
            start: unusual(transcript.start),
            ..More::default()
        };
        PackedGame::new(transcript.moves.iter().copied(), Tags::default(), more)
    }
}

fn unusual(start: Position) -> Option<Position> {
    (start != Position::START).then_some(start)
}

impl PackedGame {
    fn new(moves: impl Iterator<Item = Move>, tags: Tags, more: More) -> PackedGame {
        let index = |mv: Move| mv.square().map_or(PASS, |square| square.index() as u8);
        PackedGame {
            moves: moves.map(index).collect(),
            tags: (tags != Tags::default()).then(|| Box::new(tags)),
            more: (more != More::default()).then(|| Box::new(more)),
        }
    }

    /// Creates a game from the usual start position. All of `moves` must be legal.
    pub(super) fn with_tags(moves: &[Move], tags: Tags, warning: Option<Sentence>) -> PackedGame {
        let mut more = More::default();
        more.notes.warnings.extend(warning);
        PackedGame::new(moves.iter().copied(), tags, more)
    }

    /// Packs a game read from a file, after [`Game::settle`] has corrected its date and result.
    pub(super) fn settled(mut game: Game) -> PackedGame {
        game.settle();
        game.into()
    }

    /// Unpacks the game, with its positions.
    pub fn game(&self) -> Game {
        let more = self.more.as_deref();
        let mut moves = more.map_or(Vec::new(), |more| more.thoughts.to_vec());
        if moves.is_empty() {
            let mv = |&index| Square::new(index).map_or(Move::Pass, Move::Place).into();
            moves = self.moves.iter().map(mv).collect();
        }
        let notes = more.map(|more| &more.notes);
        Game::of_legal(self.start(), moves, self.tags().clone(), notes)
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> Position {
        let start = self.more.as_ref().and_then(|more| more.start);
        start.unwrap_or(Position::START)
    }

    /// Returns whether the game has neither moves nor passes.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Yields the squares of the moves, without passes.
    pub fn squares(&self) -> impl Iterator<Item = Square> + Clone {
        self.moves.iter().filter_map(|&index| Square::new(index))
    }

    /// Returns the tags.
    pub fn tags(&self) -> &Tags {
        static NONE: LazyLock<Tags> = LazyLock::new(Tags::default);
        self.tags.as_deref().unwrap_or(&NONE)
    }

    /// Returns the name of the player of this colour.
    pub fn player(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.tags().black,
            Color::White => &self.tags().white,
        }
    }

    /// Returns the recorded outcome, or else the outcome of the final position if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let of_board = || {
            let mut replay = Replay::new(self.start());
            let is_legal = self.squares().all(|square| replay.play(square));
            (is_legal && replay.position.is_over())
                .then(|| Outcome::played(replay.position.final_score_for(Color::Black).into()))
        };
        self.tags().outcome.or_else(of_board)
    }

    /// Returns the warnings of the [`Game`], and whether a part of the game was not read.
    pub fn warnings(&self) -> (&[Sentence], bool) {
        self.more.as_ref().map_or((&[], false), |more| {
            (&*more.notes.warnings, more.notes.is_cut)
        })
    }
}
