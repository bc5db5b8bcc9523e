//! JSON object of an analysed game, one object a line.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::analysis::json::{self, Reach};
use crate::analysis::{Analysis, Grade, Judgement, SideSummary};
use crate::board::Color;
use crate::eval::Value;
use crate::game::Game;

/// Analysed game. Scores are in discs for Black.
#[derive(Debug, Serialize, Deserialize)]
pub struct Object {
    /// Number of the game in the input, from 1.
    pub(super) game: usize,
    /// Limits, evaluation and selectivity of each search, as text.
    pub(super) limits: String,
    pub(super) black: String,
    pub(super) white: String,
    pub(super) event: String,
    pub(super) date: String,
    /// Result in discs for Black, as recorded or as played.
    pub(super) result: Option<f64>,
    pub(super) opening: Option<String>,
    pub(super) start: String,
    pub(super) transcript: String,
    pub(super) moves: Vec<JudgedMove>,
    /// Score before each move and after the last, in discs for Black.
    scores: Vec<f64>,
    /// Number of the last move that changed the winner.
    turning_point: Option<usize>,
    summary: [Summary; 2],
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JudgedMove {
    pub(super) number: usize,
    /// Number of empties before the move.
    pub(super) empties: u32,
    pub(super) side: Side,
    pub(super) r#move: String,
    /// Score after the move under best play, in discs for Black.
    score: f64,
    /// Score of the best move under best play, in discs for Black.
    best_score: f64,
    best: String,
    pub(super) lost: f64,
    grade: String,
    #[serde(flatten)]
    reach: Reach,
    exact: bool,
    pub(super) forced: bool,
    /// Better line of play, empty if there is none.
    better: Vec<String>,
    /// Evaluation that the player recorded with the move, in discs for the player's side.
    eval: Option<f64>,
}

/// Colour, by name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Black,
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    side: Side,
    choices: usize,
    best: usize,
    lost: f64,
    mean_loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

impl Side {
    /// Returns the other side.
    pub(super) fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    /// Returns `Black` or `White`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Side::Black => "Black",
            Side::White => "White",
        }
    }
}

impl JudgedMove {
    /// Returns whether the move is an inaccuracy, a mistake or a blunder.
    pub(super) fn is_bad(&self) -> bool {
        Grade::of(self.lost) != Grade::Good
    }
}

impl Object {
    /// Returns the recorded name of a side's player, which may be empty.
    pub(super) fn name(&self, side: Side) -> &String {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// Returns the mean discs lost by a move of Black and by a move of White.
    pub(super) fn mean_losses(&self) -> [f64; 2] {
        self.summary.each_ref().map(|summary| summary.mean_loss)
    }
}

/// Kind of these objects in the JSON schema.
const KIND: &str = "analysis";

/// Writes the object and a line end.
pub(super) fn write(object: &Object, out: &mut dyn Write) -> io::Result<()> {
    json::write(KIND, object, out)
}

/// Parses the object of a line.
///
/// # Errors
/// If the line is not such an object, or has another schema version.
pub(super) fn read(line: &[u8]) -> Result<Object, String> {
    json::check_schema(line)?;
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// Returns whether an incomplete line may be the beginning of such an object.
pub(super) fn may_begin(line: &[u8]) -> bool {
    let start = json::beginning(KIND);
    start.as_bytes().starts_with(line) || line.starts_with(start.as_bytes())
}

/// Creates the object of an analysed game, whose number is counted from 1.
pub(super) fn object(number: usize, game: &Game, limits: &str, analysis: &Analysis) -> Object {
    let tags = &game.tags;
    let recorded = tags.outcome.map(|outcome| outcome.margin);
    Object {
        game: number,
        limits: limits.to_owned(),
        black: tags.black.clone(),
        white: tags.white.clone(),
        event: tags.event.clone(),
        date: tags.date.clone(),
        result: recorded.or_else(|| game.score().map(f64::from)),
        opening: game.opening().map(|opening| opening.name.to_owned()),
        start: game.start().to_string(),
        transcript: game.transcript().to_string(),
        moves: analysis.moves.iter().map(JudgedMove::from).collect(),
        scores: analysis.scores_for_black().map(Value::discs).collect(),
        turning_point: analysis.turning_point().map(|turn| turn.number),
        summary: [Color::Black, Color::White]
            .map(|color| Summary::of(color, &analysis.summary(color))),
    }
}

impl From<&Judgement> for JudgedMove {
    fn from(judgement: &Judgement) -> JudgedMove {
        let better = judgement.better.as_ref();
        let empties = judgement.position.board.empty_count();
        let better = better.map_or(&[][..], |better| &better.line);
        JudgedMove {
            number: judgement.number,
            empties,
            side: judgement.position.mover.into(),
            r#move: judgement.played.to_string(),
            score: judgement.score_for_black().discs(),
            best_score: judgement.best_for_black().discs(),
            best: judgement.best_move().to_string(),
            lost: judgement.loss(),
            grade: judgement.grade().to_string(),
            reach: Reach::from_position(judgement.best().depth, empties),
            exact: judgement.is_exact(),
            forced: judgement.is_forced(),
            better: json::names(better),
            eval: judgement.eval,
        }
    }
}

impl Summary {
    fn of(color: Color, summary: &SideSummary) -> Summary {
        let [inaccuracies, mistakes, blunders] = summary.bad();
        Summary {
            side: color.into(),
            choices: summary.choices,
            best: summary.best,
            lost: summary.lost,
            mean_loss: summary.mean_loss(),
            inaccuracies,
            mistakes,
            blunders,
        }
    }
}
