//! Analysed game as a JSON object.

use emilia_games::match_log::ColorName;
use serde::{Deserialize, Serialize};

use crate::json::rounded;
use crate::{Analysis, BookExit, Grade, Judgement, PeopleAnalysis, is_brilliant};
use emilia_core::board::{Color, Move};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Selectivity};
use emilia_games::Game;
use emilia_player::people::{SKILLS, SkillLikelihood};

/// Analysed game. Scores are in discs for Black.
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
    /// Name of the opening.
    pub opening: Option<String>,
    /// Where the game leaves the opening book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<BookExit>,
    /// Human level that `found`, `expected_loss` and `difficulty` of the moves are for.
    #[serde(default)]
    level: Option<String>,
    /// Start position.
    pub start: String,
    /// Moves of the game.
    pub transcript: String,
    /// Moves that placed a disc, each with its judgement.
    pub moves: Vec<JudgedMove>,
    /// Score before each move and after the last, in discs for Black.
    scores: Vec<f64>,
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
    score: f64,
    /// Score of the best move under best play, in discs for Black.
    best_score: f64,
    /// Best move.
    pub best: String,
    /// Loss against the best move, in discs.
    pub lost: f64,
    grade: String,
    /// Search depth in plies.
    depth: u32,
    /// Confidence of forward pruning in percent, 100 for full width.
    selectivity: u32,
    exact: bool,
    /// Level of the opening book, if the scores are its values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    book: Option<u8>,
    /// Whether this was the only legal move.
    pub forced: bool,
    /// Better line of play, empty if there is none.
    better: Vec<String>,
    /// Evaluation that the player recorded with the move, in discs for the player's side.
    eval: Option<f64>,
    /// Share of players of the level that find a move as good as the best, 0 to 1.
    #[serde(default)]
    found: Option<f64>,
    /// Expected loss of players of the level, in discs.
    #[serde(default)]
    expected_loss: Option<f64>,
    /// Difficulty in words.
    #[serde(default)]
    difficulty: Option<String>,
    /// Whether the move loses nothing and is very hard to find.
    #[serde(default)]
    brilliant: bool,
}

/// Statistics of one side's moves, without forced moves.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    #[serde(with = "ColorName")]
    side: Color,
    choices: usize,
    best: usize,
    lost: f64,
    mean_loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    /// Estimated skill of the player. `None` without moves that count.
    #[serde(default)]
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
    /// Whether the interval is too wide for a useful estimate.
    vague: bool,
    /// The estimate as text.
    text: String,
    /// Log-likelihood of the moves at skill 0, 1, and so on.
    likelihood: [f64; SKILLS],
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
            likelihood: likelihood.logarithms.map(rounded),
        })
    }
}

impl AnalysedGame {
    /// Creates the object of a game whose number is counted from 1.
    /// `limits` describes the limits of each search.
    pub fn new(number: usize, game: &Game, limits: &str, analysis: &Analysis) -> AnalysedGame {
        let tags = &game.tags;
        let recorded = tags.outcome.map(|outcome| outcome.margin);
        AnalysedGame {
            game: number,
            limits: limits.to_owned(),
            black: tags.black.clone(),
            white: tags.white.clone(),
            event: tags.event.clone(),
            date: tags.date.clone(),
            result: recorded.or_else(|| game.score().map(f64::from)),
            opening: game.opening().map(|opening| opening.name.to_owned()),
            book: None,
            level: None,
            start: game.start().to_string(),
            transcript: game.transcript().to_string(),
            moves: analysis.moves.iter().map(JudgedMove::from).collect(),
            scores: analysis.scores_for_black().map(Value::discs).collect(),
            turning_point: analysis.turning_point().map(|turn| turn.number),
            summary: [Color::Black, Color::White].map(|side| Summary::new(side, analysis)),
        }
    }

    /// Returns the object with the place where the game leaves the opening book.
    #[must_use]
    pub fn with_book(self, book: Option<BookExit>) -> AnalysedGame {
        AnalysedGame { book, ..self }
    }

    /// Returns the object with the view of the model of people.
    #[must_use]
    pub fn with_people(mut self, people: &PeopleAnalysis, analysis: &Analysis) -> AnalysedGame {
        self.level = Some(people.level.to_string());
        let moves = self.moves.iter_mut();
        for (judged, (judgement, difficulty)) in moves.zip(people.with_judgements(analysis)) {
            judged.found = difficulty.map(|one| rounded(one.found));
            judged.expected_loss = difficulty.map(|one| rounded(one.loss));
            judged.difficulty = difficulty.map(|one| one.grade().to_string());
            judged.brilliant = is_brilliant(judgement, difficulty);
        }
        for (summary, likelihood) in self.summary.iter_mut().zip(&people.likelihoods) {
            summary.skill = EstimatedSkill::of(likelihood);
        }
        self
    }

    /// Returns the likelihood of the moves of a side by skill, without moves if it is not recorded.
    pub fn likelihood(&self, side: Color) -> SkillLikelihood {
        let skill = self.summary[side as usize].skill.as_ref();
        skill.map_or_else(SkillLikelihood::default, |skill| SkillLikelihood {
            moves: skill.moves,
            logarithms: skill.likelihood,
        })
    }

    /// Returns the recorded name of a side's player, which may be empty.
    pub fn name(&self, side: Color) -> &String {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Returns whether this is the analysis of `game`: its start position and its moves.
    pub fn is_of(&self, game: &Game) -> bool {
        self.transcript == game.transcript().to_string() && self.start == game.start().to_string()
    }

    /// Returns the mean discs lost by a move of `side`.
    pub fn mean_loss(&self, side: Color) -> f64 {
        self.summary[side as usize].mean_loss
    }

    /// Returns the inaccuracy, mistake or blunder of a side that lost most.
    pub fn worst(&self, side: Color) -> Option<&JudgedMove> {
        let moves = self.moves.iter();
        moves
            .filter(|judged| judged.side == side && Grade::of(judged.lost) != Grade::Good)
            .max_by(|one, other| one.lost.total_cmp(&other.lost))
    }
}

impl From<&Judgement> for JudgedMove {
    fn from(judgement: &Judgement) -> JudgedMove {
        let empties = judgement.position.board.empty_count();
        let best = judgement.best();
        let better = judgement.better.iter().flat_map(|better| &better.line);
        let selectivity = match best.depth {
            Depth::Plies(_, selectivity) => selectivity,
            Depth::Book(_) | Depth::Wld | Depth::Exact => Selectivity::P100,
        };
        JudgedMove {
            number: judgement.number,
            empties,
            side: judgement.position.mover,
            r#move: judgement.played.to_string(),
            score: judgement.score_for_black().discs(),
            best_score: judgement.best_for_black().discs(),
            best: judgement.best_move().to_string(),
            lost: judgement.loss(),
            grade: judgement.grade().to_string(),
            depth: best.depth.plies(empties),
            selectivity: selectivity.percent(),
            exact: judgement.is_exact(),
            book: match best.depth {
                Depth::Book(level) => Some(level),
                _ => None,
            },
            forced: judgement.is_forced(),
            better: better.map(Move::to_string).collect(),
            eval: judgement.eval,
            found: None,
            expected_loss: None,
            difficulty: None,
            brilliant: false,
        }
    }
}

impl Summary {
    fn new(side: Color, analysis: &Analysis) -> Summary {
        let summary = analysis.summary(side);
        let [inaccuracies, mistakes, blunders] = summary.bad();
        Summary {
            side,
            choices: summary.choices,
            best: summary.best,
            lost: summary.lost,
            mean_loss: summary.mean_loss(),
            inaccuracies,
            mistakes,
            blunders,
            skill: None,
        }
    }
}
