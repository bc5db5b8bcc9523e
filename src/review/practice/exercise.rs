//! [`Exercise`]: a position with its best move and a mistake, its source, and the user's answers.
//! The fields are the same in the database, in exported JSON lines and in messages to the web page.

use std::ops::RangeInclusive;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{Answer, THEMES};
use crate::judgement::{DECIDED, loss};
use crate::{Analysis, Grade, Judgement};
use emilia_core::board::{Board, Color, Move, Position, Square};
use emilia_core::search::{Engine, Limits, Silent};
use emilia_games::Game;
use emilia_player::people::{Human, PeopleView};

/// Minimum loss of a mistake that becomes an exercise, in discs.
pub const MIN_LOSS: f64 = Grade::Inaccuracy.least_loss();

/// Valid losses in discs. Two scores from −64 to 64 differ by at most 128. The range excludes only
/// impossible numbers, so it includes negative losses.
const LOSSES: RangeInclusive<f64> = -128.0..=128.0;

/// Position in which the user looks for the best move, with the user's answers so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exercise {
    /// Position to solve. Symmetric positions are the same exercise.
    pub position: Position,
    /// Source of the position as text: players, date and move number of the game. Empty for an
    /// embedded puzzle.
    pub source: String,
    /// Names of the themes that fit, in the order of [`THEMES`]. They are not read from a file but
    /// computed.
    #[serde(skip_deserializing)]
    pub themes: Vec<&'static str>,
    /// Wrong move: the move played in the game, or the most frequent choice of people other than
    /// `best`.
    pub mistake: Square,
    /// Best move, from the analysis of the game or from the puzzle.
    pub best: Square,
    /// Loss in discs: of `mistake` if it was played, or the expected loss of human players if
    /// `mistake` is only likely. In an embedded puzzle: the lead of `best` over the second best
    /// move.
    pub lost: f64,
    /// Answers of the user, oldest first.
    pub answers: Vec<Answer>,
    /// Time from which the exercise is asked again. `None` before the first answer.
    #[serde(skip)]
    pub(super) due: Option<SystemTime>,
}

impl Exercise {
    /// Validates an exercise that was read or created, and computes its themes and due time.
    ///
    /// # Errors
    /// If a move of the exercise is illegal, or a loss or a time is out of range.
    pub(super) fn checked(mut self) -> Result<Exercise, &'static str> {
        let legal = self.position.board.legal_moves();
        if !legal.contains(self.best) || !legal.contains(self.mistake) {
            return Err("expected two legal moves");
        }
        let mut losses = self.answers.iter().map(|answer| answer.lost);
        if !LOSSES.contains(&self.lost) || !losses.all(|lost| LOSSES.contains(&lost)) {
            return Err("expected a loss in discs");
        }
        if !self.answers.iter().all(Answer::has_time) {
            return Err("expected a time");
        }
        let themes = THEMES.iter().filter(|theme| theme.holds_for(&self));
        self.themes = themes.map(|theme| theme.name).collect();
        self.reschedule();
        Ok(self)
    }

    /// Creates an exercise from the position of `game` after `index` moves, passes included.
    /// Returns `None` if the game has fewer moves, or if `mistake` or `best` is illegal there.
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
        let names = [&tags.black, &tags.white].map(|name| if name.is_empty() { "?" } else { name });
        let mut known = vec![names.join(" - "), tags.date.clone()];
        known.retain(|text| !["? - ?", ""].contains(&text.as_str()));
        known.push(format!("move {}", placed + 1));
        let source = known.join(", ");
        let position = *game.positions().get(index)?;
        let exercise = Exercise {
            position,
            source,
            themes: Vec::new(),
            mistake,
            best,
            lost,
            answers: Vec::new(),
            due: None,
        };
        exercise.checked().ok()
    }

    /// Returns the name of the player to move. `game` is the game that the exercise is from.
    pub fn player<'a>(&self, game: &'a Game) -> &'a str {
        match self.position.mover {
            Color::Black => &game.tags.black,
            Color::White => &game.tags.white,
        }
    }

    /// Returns the board that identifies the exercise. Symmetric positions, and positions with the
    /// colours exchanged, have the same key.
    pub fn key(&self) -> Board {
        self.position.board.canonical()
    }

    /// Returns the board after the best move, and the board after the mistake.
    pub(super) fn children(&self) -> [Board; 2] {
        [self.best, self.mistake]
            .map(|square| self.position.board.play_or_pass(Move::Place(square)))
    }
}

/// Creates an exercise from a judged move of `game`. `mistake` is the wrong move and `lost` its
/// loss in discs. `None` if `lost` is below [`MIN_LOSS`].
fn mistake(game: &Game, judgement: &Judgement, mistake: Square, lost: f64) -> Option<Exercise> {
    let best = judgement.best_move().square()?;
    let of = || Exercise::of(game, judgement.index, mistake, best, lost);
    (lost >= MIN_LOSS).then(of).flatten()
}

/// Returns an exercise for each move of either side that lost at least [`MIN_LOSS`].
///
/// The analysis takes the score of a move from later positions, which may be searched deeper than
/// the best alternative. The loss may come from that difference of depth. The position after the
/// move is therefore searched again with `limits`. The exercise gets the smaller one of both
/// losses, if it is still at least [`MIN_LOSS`].
pub(super) fn mistakes(
    engine: &mut Engine,
    game: &Game,
    analysis: &Analysis,
    limits: &Limits,
) -> Vec<Exercise> {
    let lost = |judgement: &&Judgement| judgement.loss() >= MIN_LOSS;
    let found = analysis.moves.iter().filter(lost).filter_map(|judgement| {
        let child = judgement.position.board.play(judgement.played);
        let reply = engine.search(&child, limits, &mut Silent);
        let confirmed = loss(judgement.best.value.discs(), (-reply.value).discs());
        let lost = judgement.loss().min(confirmed);
        mistake(game, judgement, judgement.played, lost)
    });
    found.collect()
}

/// Returns an exercise for each position in which players of `level` have an expected loss of at
/// least [`MIN_LOSS`], by the model in [`emilia_player::people`]. The best moves are from
/// `analysis`.
///
/// Decided positions are left out: players lose many discs there, but the result stays the same.
/// `engine` is a [`small_engine`](emilia_player::people::small_engine).
pub(super) fn likely_mistakes(
    engine: &mut Engine,
    game: &Game,
    analysis: &Analysis,
    level: Human,
) -> Vec<Exercise> {
    let is_open = |one: &&Judgement| !one.is_forced() && one.best.value.discs().abs() < DECIDED;
    let open = analysis.moves.iter().filter(is_open);
    let found = open.filter_map(|judgement| {
        let (best, known) = (judgement.best_move(), judgement.known_losses());
        let view = PeopleView::of(engine, &judgement.position, &known, level);
        let &(likely, _) = view.shares.iter().find(|&&(mv, _)| mv != best)?;
        mistake(game, judgement, likely.square()?, view.difficulty.loss)
    });
    found.collect()
}
