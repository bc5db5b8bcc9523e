//! Pondering: searches on the opponent's time. The search starts from the position after the
//! expected reply, which is the second move of the PV.

use emilia_core::board::Position;
use emilia_core::search::{Engine, Limits, Line, SearchHandle};

/// Pondering search with its positions, or `None` if there is nothing to ponder on. Dropping a
/// `Ponder` ends its search.
#[derive(Debug, Default)]
pub(super) struct Ponder(Option<Plan>);

#[derive(Debug)]
struct Plan {
    /// Positions before and after the engine's move. In both of them the opponent's reply is still
    /// to come.
    waits_at: [Position; 2],
    /// Position to search: the position after the expected reply, or before the reply if the PV has
    /// no reply.
    ponders_on: Position,
    search: Option<SearchHandle>,
}

impl Ponder {
    /// Plans to ponder on the expected reply, the second move in the PV of `line`. The first move
    /// of the PV is the engine's move in `position`.
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

    /// Updates pondering for the current `position` of the game.
    /// Starts a search while a reply is pending, and continues it after the expected reply.
    /// Ends the search in any other position.
    /// The time limit in `limits` is ignored, because pondering uses the opponent's time.
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
                // If no thread can be started, the engine does not ponder.
                plan.search = engine.start(&plan.ponders_on.board, 1, &limits).ok();
            }
        } else if plan.ponders_on != *position {
            self.0 = None;
        }
    }

    /// Takes the pondering search out of this `Ponder`. Returns it if it searches exactly
    /// `position`, and ends it otherwise.
    pub(super) fn hit(&mut self, position: &Position) -> Option<SearchHandle> {
        let plan = self.0.take()?;
        plan.search.filter(|_| plan.ponders_on == *position)
    }

    /// Returns whether a pondering search is running.
    #[cfg(test)]
    pub(super) fn is_searching(&self) -> bool {
        self.0.as_ref().is_some_and(|plan| plan.search.is_some())
    }
}
