//! The work cut into parts, and threads that share them.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::count::Counter;
use super::{Convention, Progress};
use crate::board::Board;
use crate::threads;

/// A part of the work: the positions `depth` plies after `board`, so many times.
#[derive(Clone, Copy, Debug)]
struct Task {
    board: Board,
    depth: u32,
    times: u64,
}

/// Parts are cut until there are so many, for threads to end together and a progress bar to move smoothly…
const ENOUGH_TASKS: usize = 1000;

/// … but not smaller than so many plies, where fetching them would cost more than doing them.
const SMALLEST_DEPTH: u32 = 5;

/// The number of positions `depth` plies after `board`, counted by `threads` threads.
pub(super) fn count(
    counter: &dyn Counter,
    threads: NonZero<usize>,
    board: &Board,
    depth: u32,
    progress: &Progress<'_>,
) -> u64 {
    let tasks = cut(
        counter,
        Task {
            board: *board,
            depth,
            times: 1,
        },
    );
    let (next, done, sum) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = counter.count(&task.board, task.depth);
            sum.fetch_add(task.times * count, Ordering::Relaxed);
            progress(1 + done.fetch_add(1, Ordering::Relaxed), tasks.len());
        }
    };
    thread::scope(|scope| {
        // This thread works too.
        for number in 1..threads.get().min(tasks.len()) {
            if let Err(error) = threads::start(scope, "perft", number - 1, work) {
                log::warn!("only {number} of {threads} threads can be started: {error}");
                break;
            }
        }
        work();
    });
    sum.into_inner()
}

/// The parts of `whole`, ply by ply.
fn cut(counter: &dyn Counter, whole: Task) -> Vec<Task> {
    let mut tasks = vec![whole];
    let mut plies = 0;
    while tasks.len() < ENOUGH_TASKS && plies + SMALLEST_DEPTH < whole.depth {
        tasks = tasks
            .iter()
            .flat_map(|&task| children(counter.convention(), task))
            .collect();
        if counter.up_to_symmetry() {
            tasks = merge_images(tasks);
        }
        plies += 1;
    }
    tasks
}

/// What there is one ply after `task`; a finished game stays what it is.
fn children(convention: Convention, task: Task) -> Vec<Task> {
    let Task { board, depth, .. } = task;
    let moves = board.legal_moves();
    if !moves.is_empty() {
        let child = |square| Task {
            board: board.play(square),
            depth: depth - 1,
            ..task
        };
        moves.squares().map(child).collect()
    } else if board.pass().can_move() {
        vec![Task {
            board: board.pass(),
            depth: convention.after_pass(depth),
            ..task
        }]
    } else {
        vec![task]
    }
}

/// One task for all images of a board.
fn merge_images(mut tasks: Vec<Task>) -> Vec<Task> {
    for task in &mut tasks {
        task.board = task.board.canonical();
    }
    tasks.sort_unstable_by_key(|task| (task.board, task.depth));
    tasks.dedup_by(|task, kept| {
        let same = (task.board, task.depth) == (kept.board, kept.depth);
        if same {
            kept.times += task.times;
        }
        same
    });
    tasks
}
