//! The work cut into parts, and threads that share them.

use std::num::NonZero;

use super::count::Counter;
use super::{Convention, PartsDone};
use crate::board::Board;
use crate::work::{self, Shard};

/// A part of the work: the positions `depth` plies after `board`, so many times.
#[derive(Clone, Copy, Debug)]
struct Task {
    board: Board,
    depth: u32,
    times: u64,
}

/// Parts are cut until there are so many, for threads to end together and a progress bar to move smoothly…
const ENOUGH_TASKS: usize = 1000;

/// … and so many for each shard, for shards to take about the same time, …
const TASKS_PER_SHARD: usize = 200;

/// … but, where there are many shards, no more than memory has room for, …
const MOST_TASKS: usize = 200_000;

/// … but not smaller than so many plies, where fetching them would cost more than doing them.
const SMALLEST_DEPTH: u32 = 5;

/// The number of positions `depth` plies after `board` in this shard of the tasks, counted by `threads` threads.
pub(super) fn count(
    counter: &dyn Counter,
    threads: NonZero<usize>,
    shard: Shard,
    board: &Board,
    depth: u32,
    progress: &PartsDone<'_>,
) -> u64 {
    let whole = Task {
        board: *board,
        depth,
        times: 1,
    };
    let tasks = cut(counter, whole, shard.of());
    let tasks: Vec<&Task> = (tasks.iter().enumerate())
        .filter(|&(index, _)| shard.covers(index))
        .map(|(_, task)| task)
        .collect();
    let mut workers = vec![(); threads.get().min(tasks.len())];
    let done = |count| progress(count, tasks.len());
    let counts = work::map("perft", &mut workers, &tasks, &done, |(), task| {
        Some(task.times * counter.count(&task.board, task.depth))
    });
    counts.unwrap_or_default().into_iter().sum()
}

/// The parts of `whole`, ply by ply: enough for so many shards.
fn cut(counter: &dyn Counter, whole: Task, shards: usize) -> Vec<Task> {
    let enough = shards
        .saturating_mul(TASKS_PER_SHARD)
        .clamp(ENOUGH_TASKS, MOST_TASKS);
    let mut tasks = vec![whole];
    let mut plies = 0;
    while tasks.len() < enough && plies + SMALLEST_DEPTH < whole.depth {
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
