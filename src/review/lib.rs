//! Analysis of a game: the score of each move played, and of the best alternative to it.
//!
//! Positions are searched from the last to the first, with one transposition table.
//! Exact scores of the endgame are thus already in the table when earlier positions are searched.
//! The score of a move is the score of the position after it, found earlier in the analysis.
//! The score of a position is the score of its best move, or of the move played if none is better.
//! Scores of neighbouring positions therefore differ only where a move lost discs, or where the
//! game leaves the opening book: moves of the book have book values.
//!
//! Reading order: [`analyze`] here, `judgement` grades a move, and `summary` sums up a side.
//! [`report::AnalysedGame`] is the result as one JSON object, from which [`report`] writes tables,
//! charts and pages. [`practice`] makes exercises from costly positions. `eval_test` and `solution`
//! measure searches on known scores.

#[cfg(not(target_family = "wasm"))]
pub mod eval_test;
mod hinted;
pub mod json;
mod judgement;
pub mod practice;
pub mod report;
pub mod solution;
mod summary;
#[cfg(test)]
mod tests;

pub use hinted::{HintedPosition, PlayedMove, ShownMove, lines_of};
pub use judgement::{Grade, Judgement};
pub use summary::SideSummary;

use std::time::Duration;

use emilia_book::Book;
use emilia_core::board::{Move, Position};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Engine, Limits, Line, TimeControl};
use emilia_games::Game;

/// Result of an analysis: the judgement of every move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Judgements of the moves that placed a disc, in the order of the game.
    pub moves: Vec<Judgement>,
    /// Score of the position after the last move, for its side to move.
    pub last: Scored,
    /// Whether the game is over after the last move.
    pub is_finished: bool,
    /// Whether all moves are judged. Otherwise an interruption left out the first moves.
    pub is_complete: bool,
}

/// Score and search depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Score in discs for the side to move.
    pub value: Value,
    /// Depth and selectivity of the search.
    pub depth: Depth,
}

/// Default depth of the analysis of a game, in plies, at the level of [`Limits::at_level`].
/// `MEASUREMENTS.md` has errors and times of other depths.
pub const ANALYSIS_DEPTH: u32 = 16;

/// Share of the limits of a move for the search of its best alternative. The search of the position
/// after the alternative has the rest.
const SHARE_OF_ALTERNATIVE: f64 = 0.6;

/// Runs the searches of an analysis and receives its results.
pub trait Analyst {
    /// Returns the best `count` lines of a position, best first. `None` ends the analysis.
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>>;

    /// Receives the score of a position, for its side to move. The calls begin with the last
    /// position and end with the first.
    ///
    /// `moves_made` is the number of moves before the position, passes included.
    fn scored(&mut self, moves_made: usize, position: &Position, score: Scored);
}

/// Progress of an analysis.
#[derive(Clone, Copy, Debug)]
pub enum AnalysisEvent<'a> {
    /// Best line of a completed iteration of the running search.
    Iteration(&'a Line),
    /// The position after `moves_made` moves, passes included, is scored.
    Scored {
        /// Number of moves before the position.
        moves_made: usize,
    },
}

/// Analyst that searches in the calling thread and passes its progress to `watch`.
/// The engine's interrupt ends the analysis.
#[derive(Debug)]
pub struct Watched<'a, F> {
    /// Engine of the searches. Clear the engine before the analysis, so that earlier searches do
    /// not change the result.
    pub engine: &'a mut Engine,
    /// Receiver of the progress.
    pub watch: F,
}

impl<F: FnMut(AnalysisEvent)> Analyst for Watched<'_, F> {
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>> {
        let mut report = |multi_pv: usize, line: &Line| {
            if multi_pv == 1 {
                (self.watch)(AnalysisEvent::Iteration(line));
            }
        };
        let lines = (self.engine).multi_pv(&position.board, count, limits, &mut report);
        (!self.engine.interrupt().is_set()).then_some(lines)
    }

    fn scored(&mut self, moves_made: usize, _: &Position, _: Scored) {
        (self.watch)(AnalysisEvent::Scored { moves_made });
    }
}

/// Analyses the game with `limits` for each move. A move of `book` is judged by book values,
/// without a search.
/// If the analyst ends the analysis, the result holds the moves judged so far, and is `None` if
/// there are none.
pub fn analyze(
    analyst: &mut impl Analyst,
    game: &Game,
    book: &Book,
    limits: &Limits,
) -> Option<Analysis> {
    let mut judge = Judge {
        analyst,
        book,
        first: share(limits, SHARE_OF_ALTERNATIVE),
        second: share(limits, 1.0 - SHARE_OF_ALTERNATIVE),
    };
    let positions = game.positions();
    let all = game.placed();
    let last = judge.score(&game.position())?;
    (judge.analyst).scored(game.moves().len(), &game.position(), last);
    let (mut after, mut is_complete) = (last, true);
    let mut moves = Vec::with_capacity(all);
    for (index, played) in game.moves().iter().enumerate().rev() {
        let position = positions[index];
        // The score for the side that has moved or passed.
        let score = Scored {
            value: -after.value,
            ..after
        };
        after = match played.mv {
            Move::Pass => score,
            Move::Place(square) => {
                let in_book = judge.in_book(&position, played.mv);
                let judged = in_book.or_else(|| judge.better(&position, played.mv, score));
                let Some((score, best, better, alternative)) = judged else {
                    is_complete = false;
                    break;
                };
                moves.push(Judgement {
                    index,
                    number: all - moves.len(),
                    position,
                    played: square,
                    eval: played.eval,
                    score,
                    best,
                    better,
                    alternative,
                });
                best
            }
        };
        judge.analyst.scored(index, &position, after);
    }
    moves.reverse();
    (is_complete || !moves.is_empty()).then(|| Analysis {
        moves,
        last,
        is_finished: game.is_over(),
        is_complete,
    })
}

/// Score of the move played, score of the best move, the better line if there is one, and the best
/// other move with its loss.
type Judged = (Scored, Scored, Vec<Move>, Option<(Move, f64)>);

/// Analyst with the limits of its two searches for each move.
struct Judge<'a, A> {
    analyst: &'a mut A,
    book: &'a Book,
    first: Limits,
    second: Limits,
}

impl<A: Analyst> Judge<'_, A> {
    fn score(&mut self, position: &Position) -> Option<Scored> {
        let lines = self.analyst.search(position, 1, &self.first)?;
        let line = lines.first()?;
        Some(Scored {
            value: line.value,
            depth: line.depth,
        })
    }

    /// Returns the values of the book for `played` and for its best move. `None` if the book does
    /// not have `played`.
    fn in_book(&self, position: &Position, played: Move) -> Option<Judged> {
        let known = self.book.moves_if_readable(&position.board);
        let own = known.iter().find(|own| own.mv == played)?;
        let score = Scored {
            value: own.value,
            depth: Depth::Book(own.level),
        };
        let Some(other) = known.iter().find(|other| other.mv != played) else {
            return Some((score, score, Vec::new(), None));
        };
        let line = self.book.line(&position.board, other.mv);
        Some(judged(score, other.value, Depth::Book(other.level), line))
    }

    /// Searches the alternatives to `played`, whose score is `score`, and judges `played` against
    /// the best of them. Returns `None` if the analyst ends the analysis.
    fn better(&mut self, position: &Position, played: Move, score: Scored) -> Option<Judged> {
        // Moves that lead to symmetric positions count as one move.
        let child = |mv: Move| position.board.play_or_pass(mv).canonical();
        let (moves, reached) = (position.moves(), child(played));
        let same = moves.iter().filter(|&&mv| child(mv) == reached).count();
        let lines = self.analyst.search(position, same + 1, &self.first)?;
        let others = |line: &Line| line.best_move().is_some_and(|mv| child(mv) != reached);
        let Some(other) = lines.into_iter().find(others) else {
            // There is no alternative.
            return Some((score, score, Vec::new(), None));
        };
        // The score of the move played comes from searches of the positions after it. The score of
        // the alternative therefore comes from a search of the position after it, too.
        let (mut depth, mut value, mut line) = (other.depth, other.value, other.pv);
        if !depth.is_solved() {
            let mv = *line.first()?;
            let lines = (self.analyst).search(&position.play(mv).ok()?, 1, &self.second)?;
            let reply = lines.into_iter().next()?;
            (depth, value) = (reply.depth, -reply.value);
            line = std::iter::once(mv).chain(reply.pv).collect();
        }
        Some(judged(score, value, depth, line))
    }
}

/// Judges the move played against the best other move, given by its value, depth and line.
fn judged(score: Scored, value: Value, depth: Depth, line: Vec<Move>) -> Judged {
    let is_better = value > score.value;
    let best = Scored {
        value: value.max(score.value),
        depth: depth.min(score.depth),
    };
    let lost = judgement::loss(best.value.discs(), value.discs());
    let alternative = line.first().map(|&mv| (mv, lost));
    let better = if is_better { line } else { Vec::new() };
    (score, best, better, alternative)
}

/// Returns `limits` with nodes and time per move multiplied by `share`.
fn share(limits: &Limits, share: f64) -> Limits {
    let of_time = |time: Duration| time.mul_f64(share);
    Limits {
        nodes: limits.nodes.map(|nodes| (nodes as f64 * share) as u64),
        time: limits.time.map(|time| match time {
            TimeControl::PerMove(time) => TimeControl::PerMove(of_time(time)),
            clock @ TimeControl::Clock { .. } => clock,
        }),
        ..limits.clone()
    }
}

impl Analysis {
    /// Returns the scores for Black before each of the moves, and after the last.
    pub fn scores_for_black(&self) -> impl Iterator<Item = Value> {
        let before = self.moves.iter().map(Judgement::best_for_black);
        let last = self.moves.last().map(Judgement::score_for_black);
        before.chain(last)
    }
}
