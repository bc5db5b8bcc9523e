//! Analysis of a game: what each move was worth, and what would have been better.
//!
//! The last position comes first, and the table is kept, so that what is known of the end is known at the beginning. The score of a
//! move is the score of the position after it, as that was found before; the score of a position is that of its best move,
//! or of the one played if no other is better. So scores never jump but where discs were lost.

mod judgement;
mod summary;
#[cfg(test)]
mod tests;

pub use judgement::{Grade, Judgement};
pub use summary::SideSummary;

use std::time::Duration;

use crate::board::{Color, Move, Position};
use crate::eval::Value;
use crate::game::Game;
use crate::search::{Depth, Engine, Limits, Line, Silent, TimeControl};

/// A game with what each of its moves was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The moves that placed a disc, in the order of the game.
    pub moves: Vec<Judgement>,
    /// The score of the position after the last move, for its side to move.
    pub last: Scored,
    /// Whether the game is over after the last move.
    pub is_finished: bool,
}

/// A score and how far the search for it looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// In discs for the side to move.
    pub value: Value,
    /// How far it looked.
    pub depth: Depth,
}

/// The share of the limits of a move that goes into the search for its best alternative; the rest goes into the search after
/// that alternative.
const SHARE_OF_ALTERNATIVE: f64 = 0.6;

/// Who searches for an analysis, and hears how it goes.
pub trait Analyst {
    /// The best `count` lines of a position, best first; `None` ends the analysis.
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>>;

    /// After so many moves of the game, passes included, the side to move has this score. The last position comes first.
    fn scored(&mut self, moves_made: usize, position: &Position, score: Scored);

    /// Takes the judgement of a move. The last move of the game comes first.
    fn judged(&mut self, _judgement: &Judgement) {}
}

/// An engine by itself: whoever asks waits.
impl Analyst for &mut Engine {
    fn search(&mut self, position: &Position, count: usize, limits: &Limits) -> Option<Vec<Line>> {
        let lines = self.multi_pv(&position.board, count, limits, &mut Silent);
        (!self.interrupt().is_set()).then_some(lines)
    }

    fn scored(&mut self, _moves_made: usize, _position: &Position, _score: Scored) {}
}

/// Analyses the game, within these limits for each move. `None` if the analyst ends it.
///
/// An engine should forget what it knew before, so that the result does not depend on it.
pub fn analyze(analyst: &mut impl Analyst, game: &Game, limits: &Limits) -> Option<Analysis> {
    let mut judge = Judge {
        analyst,
        first: share(limits, SHARE_OF_ALTERNATIVE),
        second: share(limits, 1.0 - SHARE_OF_ALTERNATIVE),
    };
    let positions = game.positions();
    let all = game.placed();
    let last = judge.score(&game.position())?;
    (judge.analyst).scored(game.moves().len(), &game.position(), last);
    let mut after = last;
    let mut moves = Vec::with_capacity(all);
    for (index, played) in game.moves().iter().enumerate().rev() {
        let position = positions[index];
        // Seen by the side that has moved, or passed.
        let score = Scored {
            value: -after.value,
            ..after
        };
        after = match played.mv {
            Move::Pass => score,
            Move::Place(square) => {
                let (searched, better) = judge.better(&position, played.mv, score)?;
                let judgement = Judgement {
                    index,
                    number: all - moves.len(),
                    position,
                    played: square,
                    eval: played.eval,
                    score,
                    searched,
                    better,
                };
                let best = judgement.best();
                judge.analyst.judged(&judgement);
                moves.push(judgement);
                best
            }
        };
        judge.analyst.scored(index, &position, after);
    }
    moves.reverse();
    Some(Analysis {
        moves,
        last,
        is_finished: game.is_over(),
    })
}

/// A move that is better than the one played.
#[derive(Clone, Debug, PartialEq)]
pub struct Better {
    /// Its score in discs, for the side that plays it.
    pub value: Value,
    /// The best play of both sides, the move first.
    pub line: Vec<Move>,
}

/// Who searches, and within which limits.
struct Judge<'a, A> {
    analyst: &'a mut A,
    first: Limits,
    second: Limits,
}

impl<A: Analyst> Judge<'_, A> {
    /// The score of a position for its side to move.
    fn score(&mut self, position: &Position) -> Option<Scored> {
        let line = self
            .analyst
            .search(position, 1, &self.first)?
            .swap_remove(0);
        Some(Scored {
            value: line.value,
            depth: line.depth,
        })
    }

    /// How far the search of the other moves looked, and the best of them if it is better than `played`, of which this is the
    /// score.
    fn better(
        &mut self,
        position: &Position,
        played: Move,
        score: Scored,
    ) -> Option<(Depth, Option<Better>)> {
        // Moves that lead to an image of the same position are the same move.
        let child = |mv: Move| position.board.make(mv).canonical();
        let (moves, reached) = (position.moves(), child(played));
        let same = moves.iter().filter(|&&mv| child(mv) == reached).count();
        let lines = self.analyst.search(position, same + 1, &self.first)?;
        let others = |line: &Line| line.best_move().is_some_and(|mv| child(mv) != reached);
        let Some(other) = lines.into_iter().find(others) else {
            // There is no other.
            return Some((score.depth, None));
        };
        let (depth, better) = if other.depth.is_solved() {
            let value = other.value;
            let line = other.pv;
            (other.depth, Better { value, line })
        } else {
            self.after_its_move(position, &other)?
        };
        Some((
            depth,
            Some(better).filter(|better| better.value > score.value),
        ))
    }

    /// What a line is worth by a search after its first move: the move that was played was searched from there, too.
    fn after_its_move(&mut self, position: &Position, line: &Line) -> Option<(Depth, Better)> {
        let mv = line.best_move()?;
        let child = position.play(mv).ok()?;
        let reply = self.analyst.search(&child, 1, &self.second)?.swap_remove(0);
        let better = Better {
            value: -reply.value,
            line: std::iter::once(mv).chain(reply.pv).collect(),
        };
        Some((reply.depth, better))
    }
}

/// Limits of which time and nodes are this share.
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
    /// The scores for Black before each of the moves, and after the last.
    pub fn scores_for_black(&self) -> impl Iterator<Item = Value> {
        let before = self.moves.iter().map(Judgement::best_for_black);
        let last = self.moves.last().map(Judgement::score_for_black);
        before.chain(last)
    }

    /// The moves of one side.
    pub fn moves_of(&self, color: Color) -> impl Iterator<Item = &Judgement> {
        let own = move |judgement: &&Judgement| judgement.position.mover == color;
        self.moves.iter().filter(own)
    }
}
