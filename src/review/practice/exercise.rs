//! [`Exercise`]: a position with its best move and a mistake, where it comes from, and how it was
//! answered. The same type goes from the analysis of a game to the file and to the page.

use std::fmt::Display;
use std::ops::RangeInclusive;

use rs_fsrs::Card;
use serde::{Serialize, Serializer};

use super::{Answer, THEMES};
use crate::judgement::{DECIDED, loss};
use crate::{Analysis, Grade, Judgement};
use emilia_core::board::{Board, Color, Move, Position, Square, printable};
use emilia_core::search::{Engine, Limits, Silent};
use emilia_games::Game;
use emilia_player::people::{Human, PeopleView};

/// Smallest loss of an exercise in discs: that of an inaccuracy.
pub const MIN_LOSS: f64 = Grade::Inaccuracy.least_loss();

/// Differences of two scores, in discs.
pub(super) const LOSSES: RangeInclusive<f64> = -128.0..=128.0;

/// Position to find the best move of, with its answers. Serialised as the page needs it.
#[derive(Clone, Debug, Serialize)]
pub struct Exercise {
    /// Number of the exercise in the file. 0 before it is stored.
    pub id: i64,
    /// The position.
    #[serde(serialize_with = "as_text")]
    pub position: Position,
    /// The game and the number of the move, as text.
    pub source: String,
    /// Names of its themes, in the order of [`THEMES`].
    pub themes: Vec<&'static str>,
    /// Move that lost discs, or the losing move that people choose most.
    #[serde(serialize_with = "as_text")]
    pub mistake: Square,
    /// Best move by the analysis of the game.
    #[serde(serialize_with = "as_text")]
    pub best: Square,
    /// Loss of the mistake, or expected loss of people, in discs.
    #[serde(skip)]
    pub lost: f64,
    /// Answers that the user gave to this exercise, oldest first.
    #[serde(skip)]
    pub answers: Vec<Answer>,
    /// State of the schedule after the answers.
    #[serde(skip)]
    pub(super) card: Card,
}

fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

impl Exercise {
    /// Creates an exercise without answers.
    ///
    /// # Errors
    /// If one of the moves is illegal, or the loss is not one of a game.
    pub(super) fn new(
        position: Position,
        mistake: Square,
        best: Square,
        lost: f64,
        source: String,
    ) -> Result<Exercise, &'static str> {
        let legal = position.board.legal_moves();
        let are_legal = legal.contains(best) && legal.contains(mistake);
        let mut exercise = Exercise {
            id: 0,
            position,
            source,
            themes: Vec::new(),
            mistake,
            best,
            lost,
            answers: Vec::new(),
            card: Card::default(),
        };
        if !are_legal || !LOSSES.contains(&lost) {
            return Err("expected two legal moves and a loss in discs");
        }
        let themes = THEMES.iter().filter(|theme| theme.holds_for(&exercise));
        exercise.themes = themes.map(|theme| theme.name).collect();
        Ok(exercise)
    }

    /// Creates the exercise of the position that `index` moves of the game precede, passes
    /// included. `None` if the game has no such position, or a move is illegal there.
    pub fn of(
        game: &Game,
        index: usize,
        mistake: Square,
        best: Square,
        lost: f64,
    ) -> Option<Exercise> {
        let tags = &game.tags;
        let before = game.moves().get(..index)?.iter();
        let placed = before.filter(|played| played.mv.square().is_some()).count();
        let players = [&tags.black, &tags.white].map(String::as_str);
        let [black, white] = players.map(|name| if name.is_empty() { "?" } else { name });
        let date = if tags.date.is_empty() { "" } else { ", " };
        let source = format!("{black} - {white}{date}{}, move {}", tags.date, placed + 1);
        let position = *game.positions().get(index)?;
        Exercise::new(position, mistake, best, lost, source).ok()
    }

    /// Returns the name of the player to move in this position of `game`.
    pub fn player<'a>(&self, game: &'a Game) -> &'a str {
        match self.position.mover {
            Color::Black => &game.tags.black,
            Color::White => &game.tags.white,
        }
    }

    /// Returns what makes two exercises the same: the discs, whatever the colours and the symmetry.
    pub fn key(&self) -> Board {
        self.position.board.canonical()
    }

    /// Returns the position after the best move, and after the mistake.
    pub(super) fn children(&self) -> [Board; 2] {
        [self.best, self.mistake].map(|square| self.position.board.make(Move::Place(square)))
    }

    /// Formats as an OBF line with the best move. The source is a comment line before it.
    pub fn obf(&self) -> String {
        let (source, themes) = (printable(&self.source), self.themes.join(", "));
        let (best, position) = (self.best, self.position);
        format!("% {source}: best {best}, {themes}\n{position};\n")
    }
}

/// Mistake in a game, as the file stores it: the number of moves before the position, passes
/// included, the squares of the mistake and of the best move (a1 is 0), and the loss in discs.
pub(super) type Mistake = (usize, u8, u8, f64);

fn mistake(judgement: &Judgement, mistake: Square, lost: f64) -> Option<Mistake> {
    let best = judgement.best_move().square()?;
    let is_costly = lost >= MIN_LOSS;
    is_costly.then_some((
        judgement.index,
        mistake.index() as u8,
        best.index() as u8,
        lost,
    ))
}

/// Returns the moves of both sides that lost [`MIN_LOSS`] or more.
///
/// The analysis takes the score of a move from the search of later positions, which can be deeper
/// than that of the best alternative. A loss therefore counts only if a search of the position
/// after the move, with the limits of the analysis, confirms it. The smaller loss is taken.
pub(super) fn mistakes(engine: &mut Engine, analysis: &Analysis, limits: &Limits) -> Vec<Mistake> {
    let lost = |judgement: &&Judgement| judgement.loss() >= MIN_LOSS;
    let found = analysis.moves.iter().filter(lost).filter_map(|judgement| {
        let child = judgement.position.board.play(judgement.played);
        let reply = engine.search(&child, limits, &mut Silent);
        let confirmed = loss(judgement.best.value.discs(), (-reply.value).discs());
        mistake(judgement, judgement.played, judgement.loss().min(confirmed))
    });
    found.collect()
}

/// Returns the positions in which players of a level are expected to lose [`MIN_LOSS`] or more, by
/// the model of [`emilia_player::people`]. The best moves are those of the analysis.
///
/// Decided positions are left out, because people lose most there, and nothing by it. `engine` is
/// a [`small_engine`](emilia_player::people::small_engine).
pub(super) fn likely_mistakes(
    engine: &mut Engine,
    analysis: &Analysis,
    level: Human,
) -> Vec<Mistake> {
    let is_open = |one: &&Judgement| !one.is_forced() && one.best.value.discs().abs() < DECIDED;
    let found = analysis
        .moves
        .iter()
        .filter(is_open)
        .filter_map(|judgement| {
            let (best, known) = (judgement.best_move(), judgement.known_losses());
            let view = PeopleView::of(engine, &judgement.position, &known, level);
            let &(likely, _) = view.shares.iter().find(|&&(mv, _)| mv != best)?;
            mistake(judgement, likely.square()?, view.difficulty.loss)
        });
    found.collect()
}
