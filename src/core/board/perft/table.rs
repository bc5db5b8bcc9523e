//! Perft with a hash table: positions that occurred before, up to symmetry, are not counted again.
//! Memory is bounded, and threads share the table without locks.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::Convention;
use super::count::{Bulk, Counter};
use crate::board::{Board, Square};
use crate::work::prefetch;

/// Minimum depth in plies of a stored count. Shallower counts are faster to recompute than to find.
/// Measured: see `MEASUREMENTS.md` of the board.
const MIN_DEPTH: u32 = 3;

/// Bulk counting with a hash table. Its boards are canonical, so one entry serves eight images.
pub(super) struct Hashed {
    bulk: Bulk,
    table: CountTable,
}

impl Hashed {
    /// Makes a counter with an empty `table`. Counts of different conventions must not be mixed.
    pub(super) fn new(convention: Convention, table: CountTable) -> Hashed {
        Hashed {
            bulk: Bulk { convention },
            table,
        }
    }

    /// [`count`](Counter::count) for a canonical board and a depth of at least [`MIN_DEPTH`].
    fn count_canonical(&self, board: &Board, depth: u32) -> u64 {
        if let Some(count) = self.table.get(board, depth) {
            return count;
        }
        let moves = board.legal_moves();
        let count = if moves.is_empty() {
            self.without_moves(board, depth)
        } else if depth == MIN_DEPTH {
            self.bulk.count(board, depth)
        } else {
            // Prefetches all entries before reading the first, so that the memory accesses overlap.
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
        if depth < MIN_DEPTH {
            self.bulk.count(board, depth)
        } else {
            self.count_canonical(&board.canonical(), depth)
        }
    }
}

/// Hash table of counts, keyed by board and depth.
/// Each entry holds its whole board, so a hit never returns the count of another board.
pub(super) struct CountTable {
    buckets: Box<[Bucket]>,
}

/// Two entries in one cache line: the first prefers greater depth, the second is always replaced.
#[derive(Default)]
#[repr(align(64))]
struct Bucket {
    entries: [CountEntry; 2],
}

/// A board and its count, guarded by a sequence number (seqlock).
/// A reader accepts the words if the number is even and the same before and after the read.
/// A writer skips the entry if the number is odd.
#[derive(Default)]
struct CountEntry {
    player: AtomicU64,
    opponent: AtomicU64,
    count: AtomicU64,
    /// Depth in the low [`DEPTH_BITS`] bits, sequence number above. An empty entry has depth 0.
    state: AtomicU64,
}

const DEPTH_BITS: u32 = 8;
const BUSY: u64 = 1 << DEPTH_BITS;
const DEPTH_MASK: u64 = BUSY - 1;

impl CountTable {
    /// Makes an empty table of `mib` MiB, of at least one bucket.
    pub(super) fn new(mib: usize) -> CountTable {
        let buckets = (mib << 20) / size_of::<Bucket>();
        CountTable {
            buckets: (0..buckets.max(1)).map(|_| Bucket::default()).collect(),
        }
    }

    /// The stored count of `board` at `depth`, if there is one.
    fn get(&self, board: &Board, depth: u32) -> Option<u64> {
        let bucket = self.bucket(board);
        bucket
            .entries
            .iter()
            .find_map(|entry| entry.get(board, depth))
    }

    /// Stores a count. It replaces the first entry if that is not deeper, otherwise the second.
    fn put(&self, board: &Board, depth: u32, count: u64) {
        let [deepest, latest] = &self.bucket(board).entries;
        if u64::from(depth) >= deepest.depth() {
            deepest.put(board, depth, count);
        } else {
            latest.put(board, depth, count);
        }
    }

    /// Prefetches the bucket of `board`.
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
        // The fence orders the loads of the words before the second load of the state.
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
            // The fence orders the busy state before the stores of the words.
            fence(Ordering::Release);
            self.player.store(board.player.0, Ordering::Relaxed);
            self.opponent.store(board.opponent.0, Ordering::Relaxed);
            self.count.store(count, Ordering::Relaxed);
            let next = (busy & !DEPTH_MASK).wrapping_add(BUSY) | u64::from(depth);
            self.state.store(next, Ordering::Release);
        }
    }
}
