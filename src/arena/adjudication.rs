//! Adjudication: rules by which the referee ends a game before neither side can move.

use std::fmt;
use std::str::FromStr;

use super::MoveRecord;
use emilia_core::board::{Color, Position, Score, excerpt};
use emilia_core::search::{Depth, Engine, Goal, Limits, OutOfMemory, Settings, Silent};
use emilia_core::work::StopFlag;

/// Rule by which a game is adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// Both players report the same exact score, and a search finds it too.
    Solved,
    /// Both players expect a win of the same side by `score` discs or more for `plies` moves.
    Score {
        /// Least score in discs.
        score: u32,
        /// Number of successive moves of both sides. Passes are not counted.
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

/// Limit of the search that checks an exact score, in nodes. A search that ends at this limit
/// proves nothing, and the game goes on.
const MAX_NODES: u64 = 5_000_000;

/// Transposition table of this search, in MiB.
const TABLE_MIB: usize = 8;

/// What a player reported with a move.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    mover: Color,
    /// Expected score for Black, in discs.
    score: f64,
    /// Score for Black if the player solved the position.
    exact: Option<Score>,
}

/// Applies a rule to the moves of one game after another.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rule: Adjudication,
    engine: Engine,
    /// Opinions of the moves of this game since the last one without an evaluation.
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

    /// Forgets the moves of the last game.
    pub(super) fn begin(&mut self) {
        self.opinions.clear();
    }

    /// Adds the record of a move from `position`.
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

    /// Returns the score for Black of a game that stands at `position`, if the rule ends it.
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
                // The score of the winner by the more cautious player.
                let margins = |winner: f64| recent.iter().map(move |one| winner * one.score);
                let winner = [1.0, -1.0].into_iter().find(|&winner| {
                    is_of_both && margins(winner).all(|margin| margin >= f64::from(score))
                })?;
                let least = margins(winner).fold(64.0, f64::min);
                Some((winner * least).round() as Score)
            }
        }
    }

    /// Returns the exact score for Black, unless the search ends at its limit.
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
