//! The games that are still to be played, and the boards at which they are. Stands on nothing.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hands out games, and takes back those that could not be played for want of something.
#[derive(Debug)]
pub(super) struct Desk(Mutex<State>);

#[derive(Debug)]
struct State {
    waiting: VecDeque<usize>,
    boards: usize,
    /// What the last board lacked that closed for want of something.
    lacks: Option<String>,
}

impl Desk {
    /// These games, and no board yet.
    pub(super) fn new(games: &[usize]) -> Desk {
        Desk(Mutex::new(State {
            waiting: games.iter().copied().collect(),
            boards: 0,
            lacks: None,
        }))
    }

    /// A board begins to play.
    pub(super) fn open_board(&self) {
        self.state().boards += 1;
    }

    /// The next game for a board; it closes when there is none.
    pub(super) fn take(&self) -> Option<usize> {
        let mut state = self.state();
        let game = state.waiting.pop_front();
        state.boards -= usize::from(game.is_none());
        game
    }

    /// A game that a board could not play for want of something is played later. If others go on, the board closes, as
    /// there will be more for each of them; tells whether it does.
    pub(super) fn give_back(&self, game: usize, what: &str) -> bool {
        let mut state = self.state();
        state.waiting.push_front(game);
        let closes = state.boards > 1;
        if closes {
            state.close(what);
        }
        closes
    }

    /// A board closes for want of something.
    pub(super) fn close_board(&self, what: &str) {
        self.state().close(what);
    }

    /// What boards lacked that closed for want of something.
    pub(super) fn lacks(&self) -> Option<String> {
        self.state().lacks.clone()
    }

    /// Whether every game has been handed out for good.
    pub(super) fn is_empty(&self) -> bool {
        self.state().waiting.is_empty()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn close(&mut self, what: &str) {
        self.boards -= 1;
        self.lacks = Some(what.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_given_back_are_played_by_those_who_go_on() {
        let desk = Desk::new(&[4, 5]);
        desk.open_board();
        desk.open_board();
        assert_eq!((desk.take(), desk.take()), (Some(4), Some(5)));
        assert!(desk.give_back(4, "files"));
        // The last board tries again.
        assert!(!desk.give_back(5, "files"));
        assert_eq!((desk.take(), desk.take()), (Some(5), Some(4)));
        assert_eq!(desk.take(), None);
        assert!(desk.is_empty());
        assert_eq!(desk.lacks().as_deref(), Some("files"));
    }
}
