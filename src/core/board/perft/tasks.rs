//! Splits a perft count into tasks and shares them among threads and shards.

use std::num::NonZero;

use super::count::Counter;
use super::{Convention, ProgressFn};
use crate::board::Board;
use crate::work::{self, Shard};

/// A part of the work: the count `depth` plies after `board`, multiplied by `times`.
#[derive(Clone, Copy, Debug)]
struct Task {
    board: Board,
    depth: u32,
    times: u64,
}

/// Minimum number of tasks, so that threads finish together and progress is smooth.
const ENOUGH_TASKS: usize = 1000;

/// Minimum number of tasks per shard, so that all shards take about the same time.
const TASKS_PER_SHARD: usize = 200;

/// Limit for [`TASKS_PER_SHARD`] times the number of shards, to bound memory.
const MAX_TASKS: usize = 200_000;

/// Tasks of at most this depth in plies are not split: scheduling would cost more than counting.
const MIN_TASK_DEPTH: u32 = 5;

/// Counts the tasks of `shard` with `threads` threads and returns their sum.
pub(super) fn count(
    counter: &dyn Counter,
    threads: NonZero<usize>,
    shard: Shard,
    board: &Board,
    depth: u32,
    progress: &ProgressFn<'_>,
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
    progress(0, tasks.len());
    let done = |count| progress(count, tasks.len());
    let counts = work::parallel_map("perft", &mut workers, &tasks, &done, |(), task| {
        Some(task.times * counter.count(&task.board, task.depth))
    });
    counts.unwrap_or_default().into_iter().sum()
}

/// Splits `whole` ply by ply until there are enough tasks for `shards` shards.
fn cut(counter: &dyn Counter, whole: Task, shards: usize) -> Vec<Task> {
    let enough = shards
        .saturating_mul(TASKS_PER_SHARD)
        .clamp(ENOUGH_TASKS, MAX_TASKS);
    let mut tasks = vec![whole];
    let mut plies = 0;
    while tasks.len() < enough && plies + MIN_TASK_DEPTH < whole.depth {
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

/// The tasks one ply after `task`. A finished game gives `task` itself.
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

/// Makes the boards canonical and merges equal tasks, adding up their `times`.
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
