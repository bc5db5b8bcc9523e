//! Splits a perft count into tasks, and shares the tasks among threads and shards. A task is the
//! count below a position that lies some plies after the first position.

use super::count::Bulk;
use super::{Convention, Perft, ProgressFn};
use crate::board::Board;
use crate::work;

/// A task: the count `depth` plies after `board`.
#[derive(Clone, Copy, Debug)]
struct Task {
    board: Board,
    depth: u32,
}

/// Minimum number of tasks, so that all threads finish at about the same time and progress is
/// smooth.
const ENOUGH_TASKS: usize = 1000;

/// Minimum number of tasks per shard, so that all shards take about the same time.
const TASKS_PER_SHARD: usize = 200;

/// Splitting stops at this number of tasks, however many shards there are. The limit bounds the
/// memory of the task list.
const MAX_TASKS: usize = 200_000;

/// Tasks of at most this depth in plies are not split: scheduling would cost more than counting.
const MIN_TASK_DEPTH: u32 = 5;

/// Counts the positions of the tasks in `perft.shard` with `perft.threads` threads. Returns the
/// sum.
pub(super) fn count(perft: &Perft, board: &Board, depth: u32, progress: &ProgressFn<'_>) -> u64 {
    let (convention, shard) = (perft.convention, perft.shard);
    let whole = Task {
        board: *board,
        depth,
    };
    let tasks = cut(convention, whole, shard.of());
    let tasks: Vec<&Task> = (tasks.iter().enumerate())
        .filter(|&(index, _)| shard.covers(index))
        .map(|(_, task)| task)
        .collect();
    let mut workers = vec![(); perft.threads.get().min(tasks.len())];
    progress(0, tasks.len());
    let done = |count| progress(count, tasks.len());
    let counts = work::parallel_map("perft", &mut workers, &tasks, &done, |(), task| {
        Some(Bulk(convention).count(&task.board, task.depth))
    });
    counts.unwrap_or_default().into_iter().sum()
}

/// Splits `whole` ply by ply until there are enough tasks for `shards` shards.
fn cut(convention: Convention, whole: Task, shards: usize) -> Vec<Task> {
    let enough = shards
        .saturating_mul(TASKS_PER_SHARD)
        .clamp(ENOUGH_TASKS, MAX_TASKS);
    let mut tasks = vec![whole];
    let mut plies = 0;
    while tasks.len() < enough && plies + MIN_TASK_DEPTH < whole.depth {
        let next = tasks
            .into_iter()
            .flat_map(|task| children(convention, task));
        tasks = next.collect();
        plies += 1;
    }
    tasks
}

/// The tasks one ply after `task`. A finished game gives `task` itself.
fn children(convention: Convention, task: Task) -> Vec<Task> {
    let Task { board, depth } = task;
    let moves = board.legal_moves();
    if !moves.is_empty() {
        let child = |square| Task {
            board: board.play(square),
            depth: depth - 1,
        };
        moves.squares().map(child).collect()
    } else if board.pass().can_move() {
        vec![Task {
            board: board.pass(),
            depth: convention.after_pass(depth),
        }]
    } else {
        vec![task]
    }
}
