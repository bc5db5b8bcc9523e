//! [`AnalysedGame`]: an analysed game as a JSON object. All reports are written from it.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::json::{Reach, names, rounded};
use crate::judgement::to_tenth;
use crate::{Analysis, Grade, Judgement, SideSummary};
use emilia_core::board::{Color, Move, printable};
use emilia_core::search::{Depth, Engine};
use emilia_games::Game;
use emilia_player::people::{Choice, Difficulty, Human, LEARNED_PLIES, SkillLikelihood};

/// Value of the field `kind` in the JSON output.
pub const ANALYSIS: &str = "analysis";

/// Analysed game. Scores are in discs for Black, rounded to one decimal. Losses are differences of
/// the rounded scores.
#[derive(Debug, Serialize, Deserialize)]
pub struct AnalysedGame {
    /// Number of the game in the input, from 1.
    pub game: usize,
    /// Limits, evaluation and selectivity of each search, as text.
    pub limits: String,
    /// Name of Black, empty if it is not recorded.
    pub black: String,
    /// Name of White, empty if it is not recorded.
    pub white: String,
    /// Event at which the game was played, empty if it is not recorded.
    pub event: String,
    /// Date of the game, empty if it is not recorded.
    pub date: String,
    /// Result in discs for Black, from the game record or from the final position.
    pub result: Option<f64>,
    /// Result if the record names only the winner, without a disc count: `White won`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    won: Option<String>,
    /// Name of the opening. `None` if the opening has no name.
    pub opening: Option<String>,
    /// Human level, such as `h7`, to which the fields `found`, `expected_loss` and `difficulty` of
    /// the moves refer.
    level: Option<String>,
    /// Start position.
    pub start: String,
    /// Moves of the game as a transcript.
    pub transcript: String,
    /// Whether the moves end before the game is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    /// Moves that placed a disc, each with its judgement.
    pub moves: Vec<JudgedMove>,
    /// Score before each move and after the last, in discs for Black.
    pub(super) scores: Vec<f64>,
    /// Number of the move that decided the game (see [`Analysis::turning_point`]), passes not
    /// counted, from 1.
    turning_point: Option<usize>,
    summary: [Summary; 2],
}

/// Move of an analysed game.
#[derive(Debug, Serialize, Deserialize)]
pub struct JudgedMove {
    /// Number of the move, passes not counted, from 1.
    pub number: usize,
    /// Number of empties before the move.
    pub empties: u32,
    /// Side that moved.
    pub side: Color,
    /// Move played.
    pub r#move: String,
    /// Score after the move, in discs for Black.
    pub(super) score: f64,
    /// Score after the best move, in discs for Black.
    best_score: f64,
    /// Best move.
    pub best: String,
    /// Loss against the best move, in discs.
    pub lost: f64,
    pub(super) grade: Grade,
    #[serde(flatten)]
    reach: Reach,
    exact: bool,
    /// Level of the book value. Present only if the scores are from the opening book.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<u8>,
    /// Whether this was the only legal move.
    pub forced: bool,
    /// PV of the best move, if it is better than the move played. Otherwise empty.
    pub(super) better: Vec<String>,
    /// Evaluation that the game record has for the move, in discs for the side that moved.
    eval: Option<f64>,
    /// Share of players of `level` who find a move within half a disc of the best, 0 to 1. `None`
    /// for a forced move.
    pub(super) found: Option<f64>,
    /// Expected loss of players of `level` in this position, in discs. `None` for a forced move.
    expected_loss: Option<f64>,
    /// Difficulty of the position in words. `None` for a forced move.
    difficulty: Option<String>,
    /// Whether the move loses less than half a disc and the best move is very hard to find.
    pub(super) brilliant: bool,
}

/// Statistics of the moves of one side, and its estimated playing strength.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    side: Color,
    #[serde(flatten)]
    moves: SideSummary,
    /// Estimated strength. `None` if none of the moves counts for the estimate.
    skill: Option<EstimatedSkill>,
}

/// Estimated playing strength on the scale of human levels: 7.5 is halfway from `h7` to `h8`.
#[derive(Debug, Serialize, Deserialize)]
struct EstimatedSkill {
    skill: f64,
    /// Ends of the 90 % confidence interval.
    interval: [f64; 2],
    /// Number of moves that the estimate is based on.
    moves: usize,
    /// Whether there are too few moves, or the interval is too wide, for a useful estimate.
    vague: bool,
    /// The estimate as text.
    text: String,
}

impl EstimatedSkill {
    fn of(likelihood: &SkillLikelihood) -> Option<EstimatedSkill> {
        let estimate = likelihood.estimate()?;
        Some(EstimatedSkill {
            skill: rounded(estimate.skill.number()),
            interval: estimate.interval.map(|skill| rounded(skill.number())),
            moves: estimate.moves,
            vague: estimate.is_vague(),
            text: estimate.to_string(),
        })
    }
}

impl AnalysedGame {
    /// Creates the object. `number` is the number of the game in the input, from 1. `limits`
    /// describes the limits of each search.
    ///
    /// The difficulty of a move is for human players of `level`. It is computed from
    /// [`Judgement::known_losses`] and, for the other moves, from searches of `engine`, a
    /// [`small_engine`](emilia_player::people::small_engine). Forced moves, the moves before the
    /// game leaves the book, and the first [`LEARNED_PLIES`] plies do not count for the estimated
    /// strength of the players.
    pub fn new(
        number: usize,
        game: &Game,
        limits: &str,
        analysis: &Analysis,
        (level, engine): (Human, &mut Engine),
    ) -> AnalysedGame {
        let is_of_book = |one: &&Judgement| matches!(one.best.depth, Depth::Book(_));
        let in_book = analysis.moves.iter().take_while(is_of_book).count();
        let learned = in_book.max(LEARNED_PLIES);
        let mut sides = [(SideSummary::default(), SkillLikelihood::default()); 2];
        let moves = analysis.moves.iter().map(|judgement| {
            if judgement.is_forced() {
                return JudgedMove::new(judgement, None);
            }
            let (summary, likelihood) = &mut sides[judgement.position.mover as usize];
            summary.add(judgement.loss());
            let choice = Choice::search(engine, &judgement.position.board);
            let played = choice.index_of(Move::Place(judgement.played));
            if let Some(played) = played.filter(|_| judgement.number > learned) {
                likelihood.add(&choice, played);
            }
            let difficulty = Difficulty::of(&choice, &judgement.known_losses(), level.into());
            JudgedMove::new(judgement, Some(difficulty))
        });
        let tags = &game.tags;
        AnalysedGame {
            game: number,
            limits: limits.to_owned(),
            black: tags.black.clone(),
            white: tags.white.clone(),
            event: tags.event.clone(),
            date: tags.date.clone(),
            result: game.margin(),
            won: (tags.outcome.filter(|outcome| outcome.is_winner_only()))
                .map(|outcome| outcome.to_string()),
            opening: game.opening().map(|opening| opening.name.to_owned()),
            level: Some(level.to_string()),
            start: game.start().to_string(),
            transcript: game.transcript().to_string(),
            unfinished: !game.is_over(),
            moves: moves.collect(),
            scores: (analysis.scores_for_black())
                .map(|value| to_tenth(value.discs()))
                .collect(),
            turning_point: analysis.turning_point().map(|turn| turn.number),
            summary: [Color::Black, Color::White].map(|side| {
                let (moves, likelihood) = &sides[side as usize];
                Summary {
                    side,
                    moves: *moves,
                    skill: EstimatedSkill::of(likelihood),
                }
            }),
        }
    }

    /// Returns the recorded name of the player of `side`. Empty if it is not recorded.
    pub(super) fn name(&self, side: Color) -> &String {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Formats the title: names of both players, result, and `ends early` if the game is not over.
    pub(super) fn title(&self) -> String {
        let [black, white] =
            [Color::Black, Color::White].map(|side| match self.name(side).as_str() {
                "" => side.to_string(),
                name => printable(name),
            });
        let outcome = self.outcome().map(|outcome| format!(", {outcome}"));
        let early = if self.unfinished { ", ends early" } else { "" };
        format!("{black} - {white}{}{early}", outcome.unwrap_or_default())
    }

    /// Formats the result: `White won by 28`.
    pub(super) fn outcome(&self) -> Option<String> {
        let Some(margin) = self.result else {
            return self.won.clone();
        };
        Some(match margin.total_cmp(&0.0) {
            Ordering::Greater => format!("Black won by {margin}"),
            Ordering::Equal => "Draw".to_owned(),
            Ordering::Less => format!("White won by {}", -margin),
        })
    }

    /// Returns the move that decided the game.
    pub(super) fn turn(&self) -> Option<&JudgedMove> {
        let turn = self.turning_point?;
        self.moves.iter().find(|judged| judged.number == turn)
    }

    pub(super) fn summary(&self, side: Color) -> &SideSummary {
        &self.summary[side as usize].moves
    }

    /// Describes the human level that fits the moves of `side` best.
    pub(super) fn level_of_play(&self, side: Color) -> &str {
        let skill = self.summary[side as usize].skill.as_ref();
        skill.map_or("no moves", |skill| &skill.text)
    }
}

impl JudgedMove {
    fn new(judgement: &Judgement, difficulty: Option<Difficulty>) -> JudgedMove {
        let empties = judgement.position.board.empty_count();
        let best = judgement.best;
        JudgedMove {
            number: judgement.number,
            empties,
            side: judgement.position.mover,
            r#move: judgement.played.to_string(),
            score: to_tenth(judgement.score_for_black().discs()),
            best_score: to_tenth(judgement.best_for_black().discs()),
            best: judgement.best_move().to_string(),
            lost: judgement.loss(),
            grade: judgement.grade(),
            reach: Reach::from_position(best.depth, empties),
            exact: judgement.is_exact(),
            book: match best.depth {
                Depth::Book(level) => Some(level),
                _ => None,
            },
            forced: judgement.is_forced(),
            better: names(&judgement.better),
            eval: judgement.eval,
            found: difficulty.map(|one| rounded(one.found)),
            expected_loss: difficulty.map(|one| rounded(one.loss)),
            difficulty: difficulty.map(|one| one.grade().to_string()),
            brilliant: difficulty.is_some_and(|one| judgement.is_brilliant(one)),
        }
    }

    pub(super) fn depth(&self) -> String {
        match self.book {
            Some(level) => Depth::Book(level).to_string(),
            None if self.exact => Depth::Exact.to_string(),
            None => self.reach.to_string(),
        }
    }
}

/// Formats the move with its number and the mark of its grade: `31. g2??`.
impl fmt::Display for JudgedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, mv, mark) = (self.number, &self.r#move, self.grade.mark());
        write!(f, "{number}. {mv}{mark}")
    }
}
