//! Counting with a hash table: positions seen before, up to symmetry, are not counted again. Bounded memory, shared by
//! the threads without locks.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::Convention;
use super::count::{Counter, Walk};
use crate::board::{Board, Square};
use crate::work::prefetch;

/// Counts over fewer plies than this are not kept: making them again is faster than finding them. From the start, depth
/// 13, keeping two plies as well takes half as long again and six times the memory.
const LEAST_DEPTH: u32 = 3;

/// Bulk counting with a table. Boards in it are canonical, so one entry serves eight images.
pub(super) struct Hashed {
    bulk: Walk<false>,
    table: CountTable,
}

impl Hashed {
    /// A counter with this table, which must be empty: counts of one convention mean nothing in another.
    pub(super) fn new(convention: Convention, table: CountTable) -> Hashed {
        Hashed {
            bulk: Walk { convention },
            table,
        }
    }

    /// [`count`](Counter::count) for a canonical board and a depth of at least [`LEAST_DEPTH`].
    fn count_canonical(&self, board: &Board, depth: u32) -> u64 {
        if let Some(count) = self.table.get(board, depth) {
            return count;
        }
        let moves = board.legal_moves();
        let count = if moves.is_empty() {
            self.without_moves(board, depth)
        } else if depth == LEAST_DEPTH {
            self.bulk.count(board, depth)
        } else {
            // All entries are asked for before the first is used, so that their ways from memory overlap.
            let mut children = [Board::START; Square::COUNT];
            for (slot, square) in children.iter_mut().zip(moves.squares()) {
                *slot = board.play(square).canonical();
                self.table.prefetch(slot);
            }
            children[..moves.count() as usize]
                .iter()
                .map(|child| self.count_canonical(child, depth - 1))
                .sum()
        };
        self.table.put(board, depth, count);
        count
    }
}

impl Counter for Hashed {
    fn convention(&self) -> Convention {
        self.bulk.convention
    }

    fn up_to_symmetry(&self) -> bool {
        true
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth < LEAST_DEPTH {
            self.bulk.count(board, depth)
        } else {
            self.count_canonical(&board.canonical(), depth)
        }
    }
}

/// Counts by board and depth. Each entry holds its whole board, so what is found is never another board's.
pub(super) struct CountTable {
    buckets: Box<[Bucket]>,
}

/// One cache line. The first entry keeps the greater depth, the second what came last.
#[derive(Default)]
#[repr(align(64))]
struct Bucket {
    entries: [CountEntry; 2],
}

/// A board and its count, guarded by a sequence number: a reader that saw the same even number before and after has
/// read one writer's words, and a writer that finds it odd leaves the entry alone.
#[derive(Default)]
struct CountEntry {
    player: AtomicU64,
    opponent: AtomicU64,
    count: AtomicU64,
    /// Depth in the low [`DEPTH_BITS`], the sequence number above. An empty entry has depth 0.
    state: AtomicU64,
}

const DEPTH_BITS: u32 = 8;
const BUSY: u64 = 1 << DEPTH_BITS;
const DEPTH_MASK: u64 = BUSY - 1;

impl CountTable {
    /// An empty table of `mib` MiB.
    pub(super) fn new(mib: usize) -> CountTable {
        let buckets = (mib << 20) / size_of::<Bucket>();
        CountTable {
            buckets: (0..buckets.max(1)).map(|_| Bucket::default()).collect(),
        }
    }

    /// The count kept for `board` at `depth`.
    fn get(&self, board: &Board, depth: u32) -> Option<u64> {
        let bucket = self.bucket(board);
        bucket
            .entries
            .iter()
            .find_map(|entry| entry.get(board, depth))
    }

    /// Keeps a count; it replaces a shallower one or the latest.
    fn put(&self, board: &Board, depth: u32, count: u64) {
        let [deepest, latest] = &self.bucket(board).entries;
        if u64::from(depth) >= deepest.depth() {
            deepest.put(board, depth, count);
        } else {
            latest.put(board, depth, count);
        }
    }

    /// Starts to bring the bucket of `board` from memory.
    fn prefetch(&self, board: &Board) {
        prefetch(self.bucket(board));
    }

    fn bucket(&self, board: &Board) -> &Bucket {
        let index = (u128::from(board.hash()) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

impl CountEntry {
    fn depth(&self) -> u64 {
        self.state.load(Ordering::Relaxed) & DEPTH_MASK
    }

    fn get(&self, board: &Board, depth: u32) -> Option<u64> {
        let state = self.state.load(Ordering::Acquire);
        let player = self.player.load(Ordering::Relaxed);
        let opponent = self.opponent.load(Ordering::Relaxed);
        let count = self.count.load(Ordering::Relaxed);
        // The words are read before the state is looked at again.
        fence(Ordering::Acquire);
        let whole = state & BUSY == 0 && state == self.state.load(Ordering::Relaxed);
        let asked = player == board.player.0
            && opponent == board.opponent.0
            && state & DEPTH_MASK == u64::from(depth);
        (whole && asked).then_some(count)
    }

    /// Writes the entry, unless another thread is writing it.
    fn put(&self, board: &Board, depth: u32, count: u64) {
        let state = self.state.load(Ordering::Relaxed);
        let busy = state | BUSY;
        let taken = state & BUSY == 0
            && self
                .state
                .compare_exchange(state, busy, Ordering::Acquire, Ordering::Relaxed)
                .is_ok();
        if taken {
            // No word is written before the state says busy.
            fence(Ordering::Release);
            self.player.store(board.player.0, Ordering::Relaxed);
            self.opponent.store(board.opponent.0, Ordering::Relaxed);
            self.count.store(count, Ordering::Relaxed);
            let next = (busy & !DEPTH_MASK).wrapping_add(BUSY) | u64::from(depth);
            self.state.store(next, Ordering::Release);
        }
    }
}
