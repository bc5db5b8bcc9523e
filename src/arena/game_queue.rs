//! Queue of unplayed games, shared by the worker threads of a match.
//! The queue also counts its workers: a worker can end early if the system lacks resources.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hands out games, and takes back those that failed for lack of a system resource.
/// Unlike [`work::parallel_map`](crate::work::parallel_map), it allows workers to start and end
/// at any time.
#[derive(Debug)]
pub(super) struct GameQueue(Mutex<State>);

#[derive(Debug)]
struct State {
    waiting: VecDeque<usize>,
    workers: usize,
    /// Missing resource reported by the last worker that gave up.
    lacks: Option<String>,
}

impl GameQueue {
    /// Returns a queue of `games` without workers.
    pub(super) fn new(games: &[usize]) -> GameQueue {
        GameQueue(Mutex::new(State {
            waiting: games.iter().copied().collect(),
            workers: 0,
            lacks: None,
        }))
    }

    /// Counts one more worker.
    pub(super) fn add_worker(&self) {
        self.state().workers += 1;
    }

    /// Returns the next game. `None` ends the calling worker and uncounts it.
    pub(super) fn take(&self) -> Option<usize> {
        let mut state = self.state();
        let game = state.waiting.pop_front();
        state.workers -= usize::from(game.is_none());
        game
    }

    /// Puts back a game that failed for lack of the resource `what`, to be played next.
    /// Returns whether the calling worker has to end, which is so while there are others.
    /// With fewer workers, each of the others has more resources.
    pub(super) fn give_back(&self, game: usize, what: &str) -> bool {
        let mut state = self.state();
        state.waiting.push_front(game);
        let ends = state.workers > 1;
        if ends {
            state.give_up(what);
        }
        ends
    }

    /// Uncounts a worker that ends for lack of the resource `what`.
    pub(super) fn give_up(&self, what: &str) {
        self.state().give_up(what);
    }

    /// Returns the missing resource reported by the last worker that gave up, if any.
    pub(super) fn lacks(&self) -> Option<String> {
        self.state().lacks.clone()
    }

    /// Returns whether no game is waiting.
    pub(super) fn is_empty(&self) -> bool {
        self.state().waiting.is_empty()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No operation panics halfway, so a poisoned lock still protects a valid state.
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
    fn returned_games_are_handed_out_again() {
        let queue = GameQueue::new(&[4, 5]);
        queue.add_worker();
        queue.add_worker();
        assert_eq!((queue.take(), queue.take()), (Some(4), Some(5)));
        assert!(queue.give_back(4, "files"));
        // The last worker does not end, but tries the game again.
        assert!(!queue.give_back(5, "files"));
        assert_eq!((queue.take(), queue.take()), (Some(5), Some(4)));
        assert_eq!(queue.take(), None);
        assert!(queue.is_empty());
        assert_eq!(queue.lacks().as_deref(), Some("files"));
    }
}
