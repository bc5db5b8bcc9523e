//! [`Exercise`]: a position with its best move and a mistake, and where it comes from.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::{Analysis, Grade, Judgement};
use emilia_core::board::{Board, Move, Position, Square};
use emilia_core::search::{Engine, Limits, Silent};
use emilia_games::Game;
use emilia_player::people::{Human, PeopleView};

/// Smallest loss of an exercise in discs: that of an inaccuracy.
pub const MIN_LOSS: f64 = Grade::Inaccuracy.least_loss();

/// Differences of two scores, in discs.
pub(super) const LOSSES: RangeInclusive<f64> = -128.0..=128.0;

/// Score of a decided position, in discs: nobody loses such a lead.
const DECIDED: f64 = 32.0;

/// Position of a game in which discs were lost, or in which people lose discs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(usize, u8, u8, f64)", into = "(usize, u8, u8, f64)")]
pub struct Mistake {
    /// Number of moves before the position, passes included.
    pub index: usize,
    /// Move that lost discs, or the losing move that people choose most.
    pub mistake: Square,
    /// Best move.
    pub best: Square,
    /// Loss of the mistake, or expected loss of people, in discs.
    pub lost: f64,
}

impl From<(usize, u8, u8, f64)> for Mistake {
    fn from((index, mistake, best, lost): (usize, u8, u8, f64)) -> Mistake {
        let [mistake, best] = [mistake, best].map(|square| Square::from_low_bits(square.into()));
        Mistake {
            index,
            mistake,
            best,
            lost,
        }
    }
}

impl From<Mistake> for (usize, u8, u8, f64) {
    fn from(own: Mistake) -> (usize, u8, u8, f64) {
        let [mistake, best] = [own.mistake, own.best].map(|square| square.index() as u8);
        (own.index, mistake, best, own.lost)
    }
}

/// Returns the moves of both sides that lost [`MIN_LOSS`] or more.
///
/// The analysis has the score of a move from the moves after it, which may see deeper than a search
/// of the position. A move is a mistake if a search of the position after it agrees.
pub fn mistakes(engine: &mut Engine, analysis: &Analysis, limits: &Limits) -> Vec<Mistake> {
    let mut mistake = |judgement: &Judgement| {
        let child = judgement.position.board.play(judgement.played);
        let reply = engine.search(&child, limits, &mut Silent);
        let agreed = (judgement.best().value + reply.value).discs();
        let lost = judgement.loss().min(agreed);
        (lost >= MIN_LOSS).then_some(Mistake {
            index: judgement.index,
            mistake: judgement.played,
            best: judgement.best_move().square()?,
            lost,
        })
    };
    let lost = |judgement: &&Judgement| judgement.loss() >= MIN_LOSS;
    let moves = analysis.moves.iter();
    moves.filter(lost).filter_map(&mut mistake).collect()
}

/// Returns the positions in which players of a level are expected to lose [`MIN_LOSS`] or more, by
/// the model of [`emilia_player::people`]. The best moves are those of the analysis. Positions with a score
/// of `DECIDED` or more are left out, because people lose most there, and nothing by it. `engine`
/// is a [`small_engine`](emilia_player::people::small_engine).
pub fn likely_mistakes(engine: &mut Engine, analysis: &Analysis, level: Human) -> Vec<Mistake> {
    let mut mistake = |judgement: &Judgement| {
        let (position, best) = (&judgement.position, judgement.best_move());
        let view = PeopleView::of(engine, position, Some(best), level);
        let mut shares = view.shares.iter();
        let &(likely, _) = shares.find(|&&(mv, _)| mv != best)?;
        let lost = view.difficulty.loss;
        (lost >= MIN_LOSS).then_some(Mistake {
            index: judgement.index,
            mistake: likely.square()?,
            best: best.square()?,
            lost,
        })
    };
    let moves = analysis.moves.iter();
    let is_open = |one: &Judgement| one.best().value.discs().abs() < DECIDED;
    let choices = moves.filter(|judgement| !judgement.is_forced() && is_open(judgement));
    choices.filter_map(&mut mistake).collect()
}

/// Position to find the best move of.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The position.
    pub position: Position,
    /// Move that loses discs: see [`Mistake`].
    pub mistake: Square,
    /// Best move by the analysis of the game.
    pub best: Square,
    /// Loss in discs: see [`Mistake`].
    pub lost: f64,
    /// The game and the number of the move, as text.
    pub source: String,
}

impl Exercise {
    /// Creates the exercise of a mistake in a game. `None` if the game has no such position, or the
    /// moves are illegal there.
    pub fn of(game: &Game, mistake: &Mistake) -> Option<Exercise> {
        let tags = &game.tags;
        let before = game.moves().get(..mistake.index)?.iter();
        let placed = before.filter(|played| played.mv.square().is_some()).count();
        let players = [&tags.black, &tags.white].map(String::as_str);
        let [black, white] = players.map(|name| if name.is_empty() { "?" } else { name });
        let date = if tags.date.is_empty() { "" } else { ", " };
        let exercise = Exercise {
            position: *game.positions().get(mistake.index)?,
            mistake: mistake.mistake,
            best: mistake.best,
            lost: mistake.lost,
            source: format!("{black} - {white}{date}{}, move {}", tags.date, placed + 1),
        };
        exercise.is_valid().then_some(exercise)
    }

    /// Returns whether both moves are legal and the loss is one of a game.
    pub(super) fn is_valid(&self) -> bool {
        let legal = self.position.board.legal_moves();
        let are_legal = legal.contains(self.best) && legal.contains(self.mistake);
        are_legal && LOSSES.contains(&self.lost)
    }

    /// Returns what makes two exercises the same: the discs, whatever the colours and the symmetry.
    pub fn key(&self) -> Board {
        self.position.board.canonical()
    }

    /// Returns the position after the best move, and after the mistake.
    pub(super) fn children(&self) -> [Board; 2] {
        [self.best, self.mistake].map(|square| self.position.board.make(Move::Place(square)))
    }
}
