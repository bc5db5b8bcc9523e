//! Thinking on the opponent's time: about the position after the reply that is expected, so that the answer to it is
//! half found when it comes. Whatever the client says ends it at once; nothing is ever told of it. Stands on `search`.

use super::reader::Inbox;
use crate::board::{Board, Position};
use crate::search::{Engine, Limits, Line, Silent};

/// What there is to think about while the opponent thinks.
#[derive(Clone, Debug, Default)]
pub(super) struct Ponder(Option<Plan>);

#[derive(Clone, Debug)]
struct Plan {
    /// The positions before and after our move: while the game stands at one of them, the opponent's reply is to come.
    places: [Position; 2],
    /// What to think about.
    board: Board,
}

impl Ponder {
    /// In `position` the first move of `line` was chosen; its second is the reply that is expected.
    pub(super) fn expect(&mut self, position: Position, line: &Line) {
        let mut moves = line.pv.iter();
        let mut next = |position: Position| {
            let next = moves.next().and_then(|&mv| position.play(mv).ok());
            next.filter(|position| !position.is_over())
        };
        self.0 = next(position).map(|after| Plan {
            places: [position, after],
            board: next(after).unwrap_or(after).board,
        });
    }

    /// Thinks until the client says something, if the game stands at `position`, where a reply is to come. `limits` in
    /// time are not the opponent's.
    pub(super) fn think(
        &mut self,
        position: Position,
        engine: &mut Engine,
        inbox: &Inbox,
        limits: &Limits,
    ) {
        let Some(plan) = self.0.take_if(|plan| plan.places.contains(&position)) else {
            self.0 = None;
            return;
        };
        let limits = Limits {
            time: None,
            ..limits.clone().at_level()
        };
        let is_complete = inbox.while_idle(|| {
            engine.search(&plan.board, &limits, &mut Silent);
        });
        // What the client said may have been no move: then there is more time to think.
        self.0 = (!is_complete).then_some(plan);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Square};
    use crate::search::Settings;

    fn played(squares: &[Square]) -> Position {
        let mut position = Position::START;
        for &square in squares {
            position = position.play(Move::Place(square)).unwrap();
        }
        position
    }

    /// A line of the opening with these moves.
    fn line(engine: &mut Engine, squares: &[Square]) -> Line {
        let line = engine.search(&Position::START.board, &Limits::depth(1), &mut Silent);
        Line {
            pv: squares.iter().copied().map(Move::Place).collect(),
            ..line
        }
    }

    fn engine() -> Engine {
        Engine::new(Settings {
            hash_mib: 4,
            ..Settings::default()
        })
    }

    #[test]
    fn a_reply_that_was_expected_finds_its_answer_sooner() {
        let limits = Limits::depth(8);
        let moves = [Square::F5, Square::D6];
        let board = played(&moves).board;
        let fresh = engine().search(&board, &limits, &mut Silent);

        let mut engine = engine();
        let (reader, _client) = std::io::pipe().unwrap();
        let inbox = Inbox::open(
            std::io::BufReader::new(reader),
            engine.stop_handle(),
            |_| false,
            None,
        );
        let mut ponder = Ponder::default();
        ponder.expect(Position::START, &line(&mut engine, &moves));
        ponder.think(played(&moves[..1]), &mut engine, &inbox, &limits);
        assert!(ponder.0.is_none(), "it is complete");
        inbox.arm(&limits);
        let hit = engine.search(&board, &limits, &mut Silent);
        assert!(2 * hit.nodes < fresh.nodes, "{} {}", hit.nodes, fresh.nodes);
        assert_eq!(hit.value, fresh.value);
    }

    #[test]
    fn the_plan_holds_as_long_as_the_reply_is_to_come() {
        let mut engine = engine();
        let (reader, mut client) = std::io::pipe().unwrap();
        std::io::Write::write_all(&mut client, b"a line that waits\n").unwrap();
        let inbox = Inbox::open(
            std::io::BufReader::new(reader),
            engine.stop_handle(),
            |_| true,
            None,
        );
        while !inbox.interrupted() {
            std::thread::yield_now();
        }
        let moves = [Square::F5, Square::D6];
        let mut ponder = Ponder::default();
        let line = line(&mut engine, &moves);
        for (at, holds) in [(0, true), (1, true), (2, false), (1, false)] {
            if at == 0 {
                ponder.expect(Position::START, &line);
            }
            ponder.think(
                played(&moves[..at]),
                &mut engine,
                &inbox,
                &Limits::default(),
            );
            assert_eq!(ponder.0.is_some(), holds, "{at}");
        }
    }
}
