//! Parallel search: starts helper threads, splits nodes and searches the moves of a split point.
//! Connects [`Searcher`] with the [`Team`] of threads.

use std::sync::Arc;
use std::thread;

use crate::board::{Move, Square};
use crate::eval::{SearchEvaluator, Value};
use crate::search::Techniques;
use crate::search::horizon::{below, step};
use crate::search::ordering::move_list::LegalMove;
use crate::search::parallel::team::{Dismissal, Fork, Split, Team};
use crate::search::parallel::thread_state::ThreadState;
use crate::search::searcher::{Node, Searcher, Shared};
use crate::search::window::Window;
use crate::work::start_thread;

/// Runs `search` with a helper thread for each of `others`. The helpers end before this returns.
///
/// If the system cannot start a thread, the search goes on with fewer helpers.
pub(crate) fn with_helpers<'a, E: SearchEvaluator, T>(
    shared: &'a Shared<'a, E>,
    others: &'a mut [ThreadState],
    search: impl FnOnce() -> T,
) -> T {
    let Some(team) = &shared.team else {
        return search();
    };
    thread::scope(|scope| {
        let _dismissal = Dismissal(team);
        for own in others {
            let help = move || Searcher::helper(shared, own).help(team, None);
            if let Err(error) = start_thread(scope, "search", help) {
                log::warn!("{error}");
                break;
            }
        }
        search()
    })
}

impl<E: SearchEvaluator> Searcher<'_, E> {
    /// Returns whether to split at `node`, with `left` moves remaining.
    #[inline]
    pub(crate) fn splits(&self, node: &Node<E::State>, left: usize) -> bool {
        let team = self.shared.team.as_ref();
        team.is_some_and(|team| left > 1 && team.should_split(node.depth, node.board.empty_count()))
    }

    /// Searches the remaining `moves` of `node` together with idle threads.
    /// `best` is the best value so far, with its move if the value exceeds `alpha`.
    /// Returns the best value and move, as a search by one thread would.
    /// At a PV node the best line is left in `pv`.
    pub(crate) fn split(
        &mut self,
        node: &Node<E::State>,
        best: (Value, Option<Square>),
        moves: impl Iterator<Item = LegalMove>,
    ) -> (Value, Option<Square>) {
        let Some(team) = &self.shared.team else {
            return best;
        };
        let ply = node.ply;
        let fork = Fork {
            board: *node.board,
            state: *node.state,
            ply,
            depth: node.depth,
            window: node.window,
            is_pv: node.window.is_open(step(node.depth)),
            pruning: self.pruning,
            best,
            moves: moves.collect(),
        };
        let split = Arc::new(Split::new(fork, self.split.clone()));
        team.open(split.clone());
        self.work_on(&split);
        team.close(&split);
        self.help(team, Some(&split));
        self.update_stopped();
        let mut found = split.found();
        if let (Some(line), Some(square)) = (found.line.take(), found.best.1) {
            self.own.pv.replace(ply + 1, line);
            self.own.pv.extend(ply, Move::Place(square));
        }
        found.best
    }

    /// Searches moves at split points of other threads, until [`Team::join`] returns `None`.
    fn help(&mut self, team: &Team<E::State>, top: Option<&Arc<Split<E::State>>>) {
        while let Some(share) = team.join(top) {
            self.work_on(&share.split);
            self.count();
        }
    }

    /// Searches moves of `split` until none is left or this thread is stopped.
    fn work_on(&mut self, split: &Arc<Split<E::State>>) {
        let outer = self.split.replace(split.clone());
        let pruning = std::mem::replace(&mut self.pruning, split.fork.pruning);
        while !self.stopped
            && let Some(mv) = split.take()
        {
            let (value, alpha) = self.value_of_shared_move(split, &mv);
            if self.stopped {
                break;
            }
            split.record(
                mv.square,
                value,
                alpha,
                self.own.pv.line(split.fork.ply + 1),
            );
        }
        self.split = outer;
        self.pruning = pruning;
        self.update_stopped();
    }

    /// Searches the move `mv` of `split` in the current window of the split.
    /// Returns the move's value, and the `alpha` of the window that the value belongs to.
    fn value_of_shared_move(&mut self, split: &Split<E::State>, mv: &LegalMove) -> (Value, Value) {
        let fork = &split.fork;
        let beta = fork.window.beta;
        let step = step(fork.depth);
        loop {
            let alpha = split.alpha();
            let scouts = fork.is_pv && self.uses(Techniques::NULL_WINDOW);
            if scouts && beta - alpha > step {
                let value = self.value_between(fork, mv, Window::new(alpha, alpha + step));
                if value <= alpha || value >= beta || self.stopped {
                    return (value, alpha);
                }
                if !split.raise_alpha(value) {
                    // Another thread has raised `alpha` to at least this value meanwhile:
                    // search the move again above the new `alpha`.
                    continue;
                }
                let below = value - step;
                let value = self.value_between(fork, mv, Window::new(below, beta));
                if value > below || self.stopped {
                    return (value, below);
                }
                // Search instability: the table can make the two searches disagree.
            }
            return (
                self.value_between(fork, mv, Window::new(alpha, beta)),
                alpha,
            );
        }
    }

    /// Returns the value of the move `mv` of `fork`, searched in `window`.
    fn value_between(&mut self, fork: &Fork<E::State>, mv: &LegalMove, window: Window) -> Value {
        let evaluator = self.shared.evaluator;
        let state = evaluator.after(&fork.state, &fork.board, &mv.child);
        -self.search(&Node {
            board: &mv.child,
            state: &state,
            ply: fork.ply + 1,
            depth: below(fork.depth),
            window: -window,
            moves: mv.replies,
        })
    }

    /// Updates `stopped`: set if the search has ended or this thread's split is called off.
    fn update_stopped(&mut self) {
        let team = self.shared.team.as_ref();
        self.stopped = team.is_some_and(Team::has_ended) || self.is_called_off();
    }
}
