//! Adjudication: rules by which the referee ends a game early, before the board decides it.

use std::fmt;
use std::str::FromStr;

use super::MoveRecord;
use emilia_core::board::{Color, Position, Score, excerpt};
use emilia_core::search::{Depth, Engine, Goal, Limits, OutOfMemory, Settings, Silent};
use emilia_core::work::StopFlag;

/// Rule by which a game is adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// Both players report the same exact score, and a search by the referee confirms it.
    Solved,
    /// For `plies` moves in a row, both players report that the same side wins by `score` discs or
    /// more.
    Score {
        /// Minimum reported margin of the win, in discs.
        score: u32,
        /// Number of consecutive moves, of both sides together. Passes are not counted.
        plies: u32,
    },
}

/// Parses `solved` or `score=N,plies=K`.
impl FromStr for Adjudication {
    type Err = String;

    fn from_str(text: &str) -> Result<Adjudication, String> {
        let numbers = text.strip_prefix("score=").and_then(|rest| {
            let (score, plies) = rest.split_once(",plies=")?;
            Some((score.parse().ok()?, plies.parse().ok()?))
        });
        match (text, numbers) {
            ("solved", _) => Ok(Adjudication::Solved),
            (_, Some((score @ 1..=64, plies @ 2..=60))) => Ok(Adjudication::Score { score, plies }),
            _ => Err(format!(
                "'{}': expected solved, or score=N,plies=K with N from 1 to 64 and K from 2 to 60",
                excerpt(text)
            )),
        }
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Adjudication::Solved => f.write_str("solved"),
            Adjudication::Score { score, plies } => write!(f, "score={score},plies={plies}"),
        }
    }
}

/// Node limit of the search that confirms an exact score. A search that reaches this limit confirms
/// nothing, and the game continues.
const MAX_NODES: u64 = 5_000_000;

/// Size of the transposition table of the confirming search, in MiB.
const TABLE_MIB: usize = 8;

/// Evaluation that a player reported with a move.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    mover: Color,
    /// Expected score for Black, in discs.
    score: f64,
    /// Exact score for Black, if the player solved the position.
    exact: Option<Score>,
}

/// Adjudicator of a referee. It applies one rule to the games of a match, one game after another.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rule: Adjudication,
    engine: Engine,
    /// Evaluations of the latest moves of the current game. A move without evaluation clears them.
    opinions: Vec<Opinion>,
}

impl Adjudicator {
    pub(super) fn new(
        rule: Adjudication,
        interrupt: &StopFlag,
    ) -> Result<Adjudicator, OutOfMemory> {
        let mut engine = Engine::try_new(Settings::default().with_hash_mib(TABLE_MIB))?;
        engine.set_interrupt(interrupt.clone());
        Ok(Adjudicator {
            rule,
            engine,
            opinions: Vec::new(),
        })
    }

    /// Prepares for a new game: clears the opinions of the previous game.
    pub(super) fn begin(&mut self) {
        self.opinions.clear();
    }

    /// Adds the evaluation of a move from `position`. A move without evaluation clears all
    /// opinions.
    pub(super) fn add(&mut self, position: &Position, made: &MoveRecord) {
        let Some(eval) = made.eval else {
            self.opinions.clear();
            return;
        };
        let mover = position.mover;
        let score = if mover == Color::Black { eval } else { -eval };
        let is_exact = made.depth >= Some(position.board.empty_count());
        self.opinions.push(Opinion {
            mover,
            score,
            exact: is_exact.then_some(score.round() as Score),
        });
    }

    /// Returns the score for Black if the rule ends the game at `position`, or `None` if not.
    pub(super) fn score(&mut self, position: &Position) -> Option<Score> {
        match self.rule {
            Adjudication::Solved => {
                let (last, earlier) = self.opinions.split_last()?;
                let other = earlier
                    .iter()
                    .rfind(|earlier| earlier.mover != last.mover)?;
                let agreed = last.exact.filter(|_| last.exact == other.exact)?;
                self.solve(position).filter(|&score| score == agreed)
            }
            Adjudication::Score { score, plies } => {
                let first = self.opinions.len().checked_sub(plies as usize)?;
                let recent = &self.opinions[first..];
                let is_of_both = recent.iter().any(|one| one.mover != recent[0].mover);
                // Margin of each recent evaluation for `winner`: 1 is Black, -1 is White. The
                // adjudicated score is the smallest margin.
                let margins = |winner: f64| recent.iter().map(move |one| winner * one.score);
                let winner = [1.0, -1.0].into_iter().find(|&winner| {
                    is_of_both && margins(winner).all(|margin| margin >= f64::from(score))
                })?;
                let least = margins(winner).fold(64.0, f64::min);
                Some((winner * least).round() as Score)
            }
        }
    }

    /// Searches for the exact score for Black. Returns `None` if the search reaches [`MAX_NODES`].
    fn solve(&mut self, position: &Position) -> Option<Score> {
        let limits = Limits::solve(Goal::Exact).with_nodes(MAX_NODES);
        let line = self.engine.search(position, &limits, &mut Silent);
        let score = line.value.round_to_score();
        (line.depth == Depth::Exact).then_some(match position.mover {
            Color::Black => score,
            Color::White => -score,
        })
    }
}
