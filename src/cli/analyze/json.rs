//! The analysis of a game as one JSON object on a line.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{Analysis, Judgement, SideSummary};
use crate::board::{Color, Move};
use crate::eval::Value;
use crate::game::Game;

/// The version of the schema: it changes when a field changes its meaning or goes.
const VERSION: u32 = 1;

/// Scores are in discs for Black.
#[derive(Serialize)]
pub(super) struct Object<'a> {
    emilia_analysis: u32,
    game: usize,
    black: &'a str,
    white: &'a str,
    event: &'a str,
    date: &'a str,
    /// The result as recorded or played.
    result: Option<f64>,
    opening: Option<&'static str>,
    start: String,
    transcript: String,
    moves: Vec<JudgedMove>,
    /// Black's score before each of the moves, and after the last.
    scores: Vec<f64>,
    /// The number of the move that decided the game.
    turning_point: Option<usize>,
    summary: [Summary; 2],
}

#[derive(Serialize)]
struct JudgedMove {
    number: usize,
    side: String,
    r#move: String,
    /// Under best play after it.
    score: f64,
    /// Under best play before it.
    best_score: f64,
    best: String,
    lost: f64,
    grade: String,
    depth: String,
    exact: bool,
    forced: bool,
    /// A better line, if there is one.
    better: Vec<String>,
    /// What the player expected, for the player's side.
    eval: Option<f64>,
}

#[derive(Serialize)]
struct Summary {
    side: String,
    choices: usize,
    best: usize,
    lost: f64,
    mean_loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// Writes the object and the end of the line.
pub(super) fn write(
    number: usize,
    game: &Game,
    analysis: &Analysis,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &object(number, game, analysis))?;
    writeln!(out)
}

/// The object.
pub(super) fn object<'a>(number: usize, game: &'a Game, analysis: &Analysis) -> Object<'a> {
    let tags = &game.tags;
    let recorded = tags.outcome.map(|outcome| outcome.margin);
    Object {
        emilia_analysis: VERSION,
        game: number,
        black: &tags.black,
        white: &tags.white,
        event: &tags.event,
        date: &tags.date,
        result: recorded.or_else(|| game.score().map(f64::from)),
        opening: game.opening().map(|opening| opening.name),
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
        let better = better.map_or(&[][..], |better| &better.line);
        JudgedMove {
            number: judgement.number,
            side: judgement.position.mover.to_string(),
            r#move: judgement.played.to_string(),
            score: judgement.score_for_black().discs(),
            best_score: judgement.best_for_black().discs(),
            best: judgement.best_move().to_string(),
            lost: judgement.loss(),
            grade: judgement.grade().to_string(),
            depth: judgement.best().depth.to_string(),
            exact: judgement.is_exact(),
            forced: judgement.is_forced(),
            better: better.iter().map(Move::to_string).collect(),
            eval: judgement.eval,
        }
    }
}

impl Summary {
    fn of(color: Color, summary: &SideSummary) -> Summary {
        let [inaccuracies, mistakes, blunders] = summary.bad();
        Summary {
            side: color.to_string(),
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
