//! The games that are still to be played, and how many workers play them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hands out games, and takes back those for which the system had not what they need. Unlike
/// [`work::map`](crate::work::map), it lets workers come and go.
#[derive(Debug)]
pub(super) struct GameQueue(Mutex<State>);

#[derive(Debug)]
struct State {
    waiting: VecDeque<usize>,
    workers: usize,
    /// What the last worker that gave up could not get.
    lacks: Option<String>,
}

impl GameQueue {
    /// These games, and no worker yet.
    pub(super) fn new(games: &[usize]) -> GameQueue {
        GameQueue(Mutex::new(State {
            waiting: games.iter().copied().collect(),
            workers: 0,
            lacks: None,
        }))
    }

    /// One more worker takes games.
    pub(super) fn add_worker(&self) {
        self.state().workers += 1;
    }

    /// The next game for a worker, which ends when there is none.
    pub(super) fn take(&self) -> Option<usize> {
        let mut state = self.state();
        let game = state.waiting.pop_front();
        state.workers -= usize::from(game.is_none());
        game
    }

    /// Takes back a game that lacks `what`, to be played later. If there are other workers, this one has to end, which
    /// leaves more for each of them; tells whether it does.
    pub(super) fn give_back(&self, game: usize, what: &str) -> bool {
        let mut state = self.state();
        state.waiting.push_front(game);
        let ends = state.workers > 1;
        if ends {
            state.give_up(what);
        }
        ends
    }

    /// A worker ends because `what` is lacking.
    pub(super) fn give_up(&self, what: &str) {
        self.state().give_up(what);
    }

    /// What a worker lacked that gave up, if one did.
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
    fn give_up(&mut self, what: &str) {
        self.workers -= 1;
        self.lacks = Some(what.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_given_back_are_played_by_the_workers_that_are_left() {
        let queue = GameQueue::new(&[4, 5]);
        queue.add_worker();
        queue.add_worker();
        assert_eq!((queue.take(), queue.take()), (Some(4), Some(5)));
        assert!(queue.give_back(4, "files"));
        // The last worker tries again.
        assert!(!queue.give_back(5, "files"));
        assert_eq!((queue.take(), queue.take()), (Some(5), Some(4)));
        assert_eq!(queue.take(), None);
        assert!(queue.is_empty());
        assert_eq!(queue.lacks().as_deref(), Some("files"));
    }
}
