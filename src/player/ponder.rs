//! Thinking on the opponent's time: about the position after the reply that is expected, so that the answer to it is
//! half found when it comes.

use crate::board::Position;
use crate::search::{Engine, Limits, Line, Search};

/// What there is to think about while the opponent thinks. When this is dropped, the thinking ends.
#[derive(Debug, Default)]
pub(super) struct Ponder(Option<Plan>);

#[derive(Debug)]
struct Plan {
    /// The positions before and after our move: while the game stands at one of them, the opponent's reply is to come.
    waits_at: [Position; 2],
    /// What to think about: the position after the expected reply, or before it where none is known.
    ponders_on: Position,
    search: Option<Search>,
}

impl Ponder {
    /// In `position` the first move of `line` was chosen; its second is the reply that is expected.
    pub(super) fn expect(position: Position, line: &Line) -> Ponder {
        let mut moves = line.pv.iter();
        let mut next = |position: Position| {
            let next = moves.next().and_then(|&mv| position.play(mv).ok());
            next.filter(|position| !position.is_over())
        };
        Ponder(next(position).map(|after| Plan {
            waits_at: [position, after],
            ponders_on: next(after).unwrap_or(after),
            search: None,
        }))
    }

    /// The game stands at `position`: begins to think if a reply is to come, goes on if it is the expected one, and ends
    /// where neither is so. `limits` in time are not the opponent's.
    pub(super) fn go_on(&mut self, engine: &Engine, position: &Position, limits: &Limits) {
        let Some(plan) = &mut self.0 else {
            return;
        };
        if plan.waits_at.contains(position) {
            let limits = Limits {
                time: None,
                ..limits.clone().at_level()
            };
            if plan.search.is_none() {
                plan.search = Some(engine.start(&plan.ponders_on.board, 1, &limits));
            }
        } else if plan.ponders_on != *position {
            self.0 = None;
        }
    }

    /// The search of `position`, if that was pondered on.
    pub(super) fn hit(&mut self, position: &Position) -> Option<Search> {
        let plan = self.0.take()?;
        plan.search.filter(|_| plan.ponders_on == *position)
    }

    /// Whether something is thought about.
    #[cfg(test)]
    pub(super) fn is_searching(&self) -> bool {
        self.0.as_ref().is_some_and(|plan| plan.search.is_some())
    }
}
