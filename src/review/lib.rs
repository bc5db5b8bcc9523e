//! Game analysis: the score of each move played and of the best alternative.
//!
//! Positions are searched from the last to the first with one transposition table. When an earlier
//! position is searched, the table already has the exact scores of the endgame. The score of a move
//! is the negated score of the position after it. The score of a position is the score of its best
//! move, or of the move played if no other move is better. Scores of neighbouring positions
//! therefore differ only where a move lost discs, or where the game leaves the opening book,
//! because book moves have book values.
//!
//! Reading order: [`analyze`] in this file analyses a game. `judgement` grades one move. `summary`
//! adds up the moves of one side. [`report::AnalysedGame`] is the result as a JSON object, from
//! which [`report`] writes tables, charts and pages. [`practice`] turns costly positions into
//! exercises. `eval_test` and `solution` compare search results with the scores that an input file
//! gives.

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

/// Result of [`analyze`]: a judgement of every move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Judgements of the moves that placed a disc, in the order of the game.
    pub moves: Vec<Judgement>,
    /// Score of the position after the last move, for its side to move.
    pub last: Scored,
    /// Whether the game is over after the last move.
    pub is_finished: bool,
    /// Whether all moves are judged. `false`: the analysis was interrupted, and the moves at the
    /// start of the game are missing.
    pub is_complete: bool,
}

/// Score of a position or move, and the depth with which it was searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// Score for the side to move.
    pub value: Value,
    /// Depth and selectivity of the search.
    pub depth: Depth,
}

/// Default search depth of a game analysis, in plies. [`Limits::at_level`] extends the depth to a
/// full solve near the end of the game. `MEASUREMENTS.md` has errors and times of other depths.
pub const ANALYSIS_DEPTH: u32 = 16;

/// Share of the limits of one move for the first search, which finds the best alternative to the
/// move played. The second search, of the position after the alternative, gets the rest.
const SHARE_OF_ALTERNATIVE: f64 = 0.6;

/// Runs the searches of [`analyze`] and receives the scores.
pub trait Analyst {
    /// Returns the best `count` moves of a position, best first, each as a search line: value,
    /// depth and PV. `None` stops the analysis.
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>>;

    /// Receives the score of `position` for its side to move. [`analyze`] calls this for every
    /// position, from the last to the first.
    ///
    /// `moves_made` is the number of moves before `position`, passes included.
    fn scored(&mut self, moves_made: usize, position: &Position, score: Scored);
}

/// Progress of an analysis.
#[derive(Clone, Copy, Debug)]
pub enum AnalysisEvent<'a> {
    /// Best move of a completed iteration of the running search, with value, depth and PV.
    Iteration(&'a Line),
    /// A position has its score.
    Scored {
        /// Number of moves before the position, passes included.
        moves_made: usize,
    },
}

/// [`Analyst`] that searches in the calling thread and passes progress to `watch`. The interrupt
/// flag of the engine stops the analysis.
#[derive(Debug)]
pub struct Watched<'a, F> {
    /// Engine that searches. Clear its transposition table before the analysis, so that earlier
    /// searches do not influence the result.
    pub engine: &'a mut Engine,
    /// Called for every iteration of a search and for every score.
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

/// Analyses `game` with `limits` for each move. A move in `book` gets its book value and is not
/// searched.
///
/// If `analyst` stops the analysis, the result has the moves judged so far. `None` if the analyst
/// stops before a move is judged.
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
        // Score for the side that made the move: the score after the move, negated.
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

/// Score of the move played, score of the best move, PV of the best move if it is better than the
/// move played, and the best other move with its loss in discs.
type Judged = (Scored, Scored, Vec<Move>, Option<(Move, f64)>);

/// State of [`analyze`]: the limits `first` and `second` are for the two searches of each move.
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

    /// Judges `played` by the values in the opening book. `None` if the book does not have
    /// `played`.
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

    /// Searches the best alternative to `played`, and judges `played` against it. `score` is the
    /// score of `played`. Returns `None` if the analyst stops the analysis.
    fn better(&mut self, position: &Position, played: Move, score: Scored) -> Option<Judged> {
        // Moves to symmetric positions have the same value, so they are not alternatives to each
        // other.
        let child = |mv: Move| position.board.play_or_pass(mv).canonical();
        let (moves, reached) = (position.moves(), child(played));
        let same = moves.iter().filter(|&&mv| child(mv) == reached).count();
        let lines = self.analyst.search(position, same + 1, &self.first)?;
        let others = |line: &Line| line.best_move().is_some_and(|mv| child(mv) != reached);
        let Some(other) = lines.into_iter().find(others) else {
            // Every legal move leads to a position symmetric to the position after `played`.
            return Some((score, score, Vec::new(), None));
        };
        // The score of `played` comes from a search of the position after it. The score of the
        // alternative is searched the same way, so that the two scores are comparable.
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

/// Judges a move with score `score` against the best other move, whose value, depth and PV are
/// given.
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

/// Multiplies the node limit and the time per move by `share`.
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
    /// Returns the scores for Black before each judged move, and the score after the last one.
    pub fn scores_for_black(&self) -> impl Iterator<Item = Value> {
        let before = self.moves.iter().map(Judgement::best_for_black);
        let last = self.moves.last().map(Judgement::score_for_black);
        before.chain(last)
    }
}
