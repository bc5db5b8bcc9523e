//! Analysed game as a JSON object, from which all reports are written.

use std::cmp::Ordering;
use std::fmt;

use emilia_games::match_log::ColorName;
use serde::{Deserialize, Serialize};

use crate::json::{Reach, names, rounded};
use crate::judgement::to_tenth;
use crate::{Analysis, Grade, Judgement, SideSummary};
use emilia_core::board::{Color, Move, printable};
use emilia_core::search::{Depth, Engine};
use emilia_games::Game;
use emilia_player::people::{Choice, Difficulty, Human, LEARNED_PLIES, SkillLikelihood};

/// Kind of an analysed game in the JSON schema.
pub const ANALYSIS: &str = "analysis";

/// Analysed game. Scores are in discs for Black, to one decimal, and losses are their differences.
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
    /// Result in discs for Black, as recorded or as played.
    pub result: Option<f64>,
    /// Result of a game whose discs were not counted: `White won`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    won: Option<String>,
    /// Name of the opening.
    pub opening: Option<String>,
    /// Human level that `found`, `expected_loss` and `difficulty` of the moves are for.
    level: Option<String>,
    /// Start position.
    pub start: String,
    /// Moves of the game.
    pub transcript: String,
    /// Whether the moves end before the game is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    /// Moves that placed a disc, each with its judgement.
    pub moves: Vec<JudgedMove>,
    /// Score before each move and after the last, in discs for Black.
    pub(super) scores: Vec<f64>,
    /// Number of the last move that changed the winner.
    turning_point: Option<usize>,
    summary: [Summary; 2],
}

/// Move of a game with its judgement.
#[derive(Debug, Serialize, Deserialize)]
pub struct JudgedMove {
    /// Number of the move, passes not counted, from 1.
    pub number: usize,
    /// Number of empties before the move.
    pub empties: u32,
    /// Side that moved.
    #[serde(with = "ColorName")]
    pub side: Color,
    /// Move played.
    pub r#move: String,
    /// Score after the move under best play, in discs for Black.
    pub(super) score: f64,
    /// Score of the best move under best play, in discs for Black.
    best_score: f64,
    /// Best move.
    pub best: String,
    /// Loss against the best move, in discs.
    pub lost: f64,
    pub(super) grade: Grade,
    #[serde(flatten)]
    reach: Reach,
    exact: bool,
    /// Level of the book values, if the scores are from the opening book.
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<u8>,
    /// Whether this was the only legal move.
    pub forced: bool,
    /// Better line of play, empty if there is none.
    pub(super) better: Vec<String>,
    /// Evaluation that the player recorded with the move, in discs for the player's side.
    eval: Option<f64>,
    /// Share of players of the level that find a move as good as the best, 0 to 1.
    pub(super) found: Option<f64>,
    /// Expected loss of players of the level, in discs.
    expected_loss: Option<f64>,
    /// Difficulty in words.
    difficulty: Option<String>,
    /// Whether the move loses nothing and is very hard to find.
    pub(super) brilliant: bool,
}

/// Moves of a side, and its estimated skill.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    #[serde(with = "ColorName")]
    side: Color,
    #[serde(flatten)]
    moves: SideSummary,
    /// Estimated skill of the player. `None` without moves that count.
    skill: Option<EstimatedSkill>,
}

/// Estimated skill of a player: 7.5 is halfway from `h7` to `h8`.
#[derive(Debug, Serialize, Deserialize)]
struct EstimatedSkill {
    skill: f64,
    /// Ends of the 90 % interval.
    interval: [f64; 2],
    /// Number of moves that count.
    moves: usize,
    /// Whether the moves are too few or the interval is too wide for a useful estimate.
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
    /// Creates the object of a game whose number is counted from 1.
    ///
    /// `limits` describes the limits of each search. The difficulties are for people of this level,
    /// by [`Judgement::known_losses`] and, for the other moves, by searches of `engine`, a
    /// [`small_engine`](emilia_player::people::small_engine). Forced moves, moves of the book and
    /// the first [`LEARNED_PLIES`] plies do not count for the skill of the players.
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

    /// Returns the recorded name of a side's player, which may be empty.
    pub(super) fn name(&self, side: Color) -> &String {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Formats the names of both players, the result, and whether the game ends early.
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

    /// Returns the last move that changed the winner.
    pub(super) fn turn(&self) -> Option<&JudgedMove> {
        let turn = self.turning_point?;
        self.moves.iter().find(|judged| judged.number == turn)
    }

    /// Returns the statistics of a side's moves.
    pub(super) fn summary(&self, side: Color) -> &SideSummary {
        &self.summary[side as usize].moves
    }

    /// Returns the level of play that fits the moves of a side best, as text.
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

    /// Formats the search depth as [`Depth`] does.
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
