//! Transposition table: bounds and best moves of positions already searched.
//! All threads share it without locks. See [`Slot`] for why torn entries are never used.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::board::{Board, Square};
use crate::eval::Value;
use crate::search::Selectivity;
use crate::search::horizon::TO_THE_END;
use crate::search::table::memory::{OutOfMemory, Zeroable, allocate_zeroed};
use crate::search::window::Window;
use crate::work::prefetch;

/// Draft of a result: its depth in plies and the confidence of its forward pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Draft {
    /// Depth in plies, or [`TO_THE_END`] for the end of the game, which covers every depth.
    pub depth: u32,
    pub(crate) selectivity: Selectivity,
}

impl Draft {
    /// Greatest possible draft: solved at full width.
    const GREATEST: Draft = Draft {
        depth: TO_THE_END,
        selectivity: Selectivity::P100,
    };

    /// Returns whether a result of this draft can be used where `wanted` is required.
    #[inline]
    fn covers(self, wanted: Draft) -> bool {
        self.depth >= wanted.depth && self.selectivity >= wanted.selectivity
    }
}

/// Bounds and best moves of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableEntry {
    /// Lower bound of the true value at `draft`, in 1/32 disc. `upper` is the upper bound.
    lower: i16,
    upper: i16,
    draft: Draft,
    /// Generation of the last write, or 0 for a slot never written.
    generation: u8,
    /// Best move of the last search that had one, then the best move before it.
    pub(crate) moves: [Option<Square>; 2],
}

impl TableEntry {
    /// Returns the lower bound of the value, or `Value::MIN` if the draft does not cover `wanted`.
    #[inline]
    pub(crate) fn lower(&self, wanted: Draft) -> Value {
        if self.draft.covers(wanted) {
            Value::from_units(self.lower.into())
        } else {
            Value::MIN
        }
    }

    /// Returns the upper bound of the value, or `Value::MAX` if the draft does not cover `wanted`.
    #[inline]
    pub(crate) fn upper(&self, wanted: Draft) -> Value {
        if self.draft.covers(wanted) {
            Value::from_units(self.upper.into())
        } else {
            Value::MAX
        }
    }

    /// Returns the value of a cut-off in `window` at the draft `wanted`, if the bounds allow one.
    #[inline]
    pub(crate) fn cut(&self, wanted: Draft, window: Window) -> Option<Value> {
        let (lower, upper) = (self.lower(wanted), self.upper(wanted));
        if lower >= window.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= window.alpha).then_some(upper)
        }
    }

    /// Returns [`moves`](Self::moves) if the entry's depth is at least `depth`.
    /// If the last search found no best move, the moves are those of an earlier search.
    #[inline]
    pub(crate) fn moves_of_depth(&self, depth: u32) -> [Option<Square>; 2] {
        if self.draft.depth >= depth {
            self.moves
        } else {
            [None; 2]
        }
    }

    /// Narrows the bounds by those of an older entry of the same board and draft.
    /// If old and new bounds contradict, as after selective searches, the new ones are kept.
    #[inline]
    fn close_in(&mut self, old: &TableEntry) {
        let (lower, upper) = (self.lower.max(old.lower), self.upper.min(old.upper));
        if lower <= upper {
            (self.lower, self.upper) = (lower, upper);
        }
    }

    /// Packs the entry into 64 bits.
    #[inline]
    const fn pack(self) -> u64 {
        const fn square(mv: Option<Square>) -> u64 {
            match mv {
                Some(square) => square.index() as u64,
                None => NO_SQUARE,
            }
        }
        self.lower as u16 as u64
            | (self.upper as u16 as u64) << 16
            | (self.generation as u64) << 32
            | (self.draft.depth as u64) << 40
            | (self.draft.selectivity as u64) << 47
            | square(self.moves[0]) << 50
            | square(self.moves[1]) << 57
    }

    /// Unpacks an entry from the format of [`pack`](Self::pack).
    #[inline]
    fn unpack(data: u64) -> TableEntry {
        let square = |bits: u64| Square::new((bits & 0x7F) as u8);
        TableEntry {
            lower: data as i16,
            upper: (data >> 16) as i16,
            generation: (data >> 32) as u8,
            draft: Draft {
                depth: (data >> 40 & 0x7F) as u32,
                selectivity: Selectivity::from_low_bits(data >> 47),
            },
            moves: [square(data >> 50), square(data >> 57)],
        }
    }
}

const NO_SQUARE: u64 = 64;

/// Storage of one entry, 24 bytes, shared by all threads without a lock.
///
/// **Why no torn entry is ever used.** Three words are read and written one at a time.
/// A reader may therefore see words of different writes, and two writers may leave a mixture.
/// Each word is atomic and whole by itself, so there is no data race.
/// The words are tied together as in Hyatt and Mann, "A lock-less transposition table
/// implementation for parallel search chess engines", 2002:
/// `player` holds the player's discs, combined by exclusive or with a number derived from `data`.
/// `opponent` holds the opponent's discs, combined by exclusive or with a number from `data` and
/// the player's discs.
///
/// A mixture passes for an entry of the probed board only if one of these numbers matches:
/// it would have to be equal for the contents of two different writes.
/// Both numbers are products with an odd constant, which is a one-to-one mapping.
/// Contents that differ slightly thus give numbers that differ as if at random.
/// A false match happens once in about 2⁶⁴ mixtures.
/// The table orders no other memory accesses, so relaxed ordering is enough.
#[derive(Debug)]
struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    /// Packed [`TableEntry`].
    data: AtomicU64,
}

// SAFETY: a word of 0 is an `AtomicU64`. `Slot::vacant` has all bytes zero.
unsafe impl Zeroable for [Slot; TranspositionTable::WAYS] {}

/// Checks whether a transposition table of `mib` MiB can be allocated now.
pub fn check_hash(mib: usize) -> Result<(), OutOfMemory> {
    TranspositionTable::new(mib).map(drop)
}

/// Odd multipliers without structure: the fractional parts of the square roots of 5 and 7.
const MASKS: [u64; 2] = [0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1];

impl Slot {
    /// Returns a slot never written, of which all bytes are zero.
    /// It belongs to a board without discs, which is never probed. Its entry is replaced first.
    #[inline]
    fn vacant() -> Slot {
        Slot {
            player: AtomicU64::new(0),
            opponent: AtomicU64::new(0),
            data: AtomicU64::new(0),
        }
    }

    /// Returns the words for the player's and the opponent's discs of `board`, tied to `data`.
    #[inline]
    fn words(board: &Board, data: u64) -> [u64; 2] {
        let (player, opponent) = (board.player.0, board.opponent.0);
        [
            player ^ data.wrapping_mul(MASKS[0]),
            opponent ^ (data ^ player.rotate_left(32)).wrapping_mul(MASKS[1]),
        ]
    }

    /// Returns the entry if this slot holds `board`.
    #[inline]
    fn load_for(&self, board: &Board) -> Option<TableEntry> {
        let data = self.data.load(Relaxed);
        let words = [self.player.load(Relaxed), self.opponent.load(Relaxed)];
        (words == Slot::words(board, data)).then(|| TableEntry::unpack(data))
    }

    /// Returns the entry without checking its board.
    #[inline]
    fn load(&self) -> TableEntry {
        TableEntry::unpack(self.data.load(Relaxed))
    }

    #[inline]
    fn save(&self, board: &Board, entry: TableEntry) {
        let data = entry.pack();
        let words = Slot::words(board, data);
        self.data.store(data, Relaxed);
        self.player.store(words[0], Relaxed);
        self.opponent.store(words[1], Relaxed);
    }
}

/// Transposition table with buckets of [`TranspositionTable::WAYS`] entries.
///
/// Any number of threads may read and write it at the same time.
/// Each entry holds the whole board, so a hit is never for another board.
/// In a full bucket, entries of earlier searches are replaced first, then those of least draft.
/// A new entry replaces an old one of the same board, unless this search stored the old one at a
/// greater draft.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Vec<[Slot; TranspositionTable::WAYS]>,
    generation: u8,
    /// Whether a bucket of each region of [`TranspositionTable::REGION`] was written since `clear`.
    written: Vec<AtomicBool>,
    /// Number of regions, from the first, of which the system has provided all pages.
    resident: usize,
}

impl TranspositionTable {
    const WAYS: usize = 4;

    /// Number of buckets that are cleared together.
    const REGION: usize = 8;

    /// Number of regions made resident between two looks at the clock: 192 KiB.
    const REGIONS_AT_ONCE: usize = 256;

    /// Creates an empty table of at most `mib` MiB, with at least one bucket.
    pub(crate) fn new(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        let bytes = mib.saturating_mul(1 << 20);
        let count = (bytes / size_of::<[Slot; TranspositionTable::WAYS]>()).max(1);
        let buckets = allocate_zeroed(count, mib)?;
        let written = allocate_zeroed(count.div_ceil(TranspositionTable::REGION), mib)?;
        Ok(TranspositionTable {
            buckets,
            generation: 1,
            written,
            resident: 0,
        })
    }

    fn vacant_bucket() -> [Slot; TranspositionTable::WAYS] {
        std::array::from_fn(|_| Slot::vacant())
    }

    /// Writes to every page once, so that a search on the clock does not wait for the system to
    /// provide them. In a new table only. Measured: see `TABLE_SHARE`.
    /// Stops where `has_time` returns `false`. The next call goes on from there.
    pub(crate) fn make_resident(&mut self, has_time: impl Fn() -> bool) {
        let regions = self.buckets.chunks_mut(TranspositionTable::REGION);
        for (region, written) in regions.zip(&mut self.written).skip(self.resident) {
            let looks = self
                .resident
                .is_multiple_of(TranspositionTable::REGIONS_AT_ONCE);
            if looks && !has_time() {
                return;
            }
            if !*written.get_mut() {
                region[0] = TranspositionTable::vacant_bucket();
            }
            self.resident += 1;
        }
    }

    /// Empties the table. Only regions that were written are cleared, so a short search is cheap.
    pub(crate) fn clear(&mut self) {
        let regions = self.buckets.chunks_mut(TranspositionTable::REGION);
        for (region, written) in regions.zip(&mut self.written) {
            if std::mem::take(written.get_mut()) {
                region.fill_with(TranspositionTable::vacant_bucket);
            }
        }
        self.generation = 1;
    }

    /// Begins the generation of the next search. Entries of earlier generations are replaced first.
    /// Generations run from 1 to 255 and then start again at 1.
    pub(crate) fn new_generation(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(1);
    }

    /// Returns the index of the board's bucket: the hash scaled to the number of buckets.
    #[inline]
    fn bucket(&self, board: &Board) -> usize {
        ((u128::from(board.hash()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Prefetches the bucket of `board`, which spans two cache lines.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board) {
        let bucket = &self.buckets[self.bucket(board)];
        prefetch(&bucket[0]);
        prefetch(&bucket[TranspositionTable::WAYS - 1]);
    }

    /// Returns the entry of `board`, if the table holds one.
    #[inline]
    pub(crate) fn probe(&self, board: &Board) -> Option<TableEntry> {
        self.buckets[self.bucket(board)]
            .iter()
            .find_map(|slot| slot.load_for(board))
    }

    /// Stores the fail-soft result of a search of `board` at `draft` in `window`.
    pub(crate) fn store(
        &self,
        board: &Board,
        draft: Draft,
        window: Window,
        value: Value,
        best: Option<Square>,
    ) {
        let index = self.bucket(board);
        let units = |value: Value| value.units() as i16;
        let mut new = TableEntry {
            // Above `alpha` a fail-soft value is a lower bound, below `beta` an upper bound.
            lower: units(if value > window.alpha {
                value
            } else {
                Value::MIN
            }),
            upper: units(if value < window.beta {
                value
            } else {
                Value::MAX
            }),
            draft,
            generation: self.generation,
            moves: [best, None],
        };

        let bucket = &self.buckets[index];
        // An entry of an earlier search is replaced first, and then the one of the least draft.
        let mut place = (&bucket[0], (true, Draft::GREATEST));
        for slot in bucket {
            if let Some(old) = slot.load_for(board) {
                if old.generation == self.generation && old.draft > draft {
                    // Keep the result of greater draft from the same search.
                    return;
                }
                if old.draft == draft {
                    new.close_in(&old);
                }
                new.moves = match best {
                    Some(best) if old.moves[0] != Some(best) => [Some(best), old.moves[0]],
                    _ => old.moves,
                };
                return slot.save(board, new);
            }
            let old = slot.load();
            let priority = (old.generation == self.generation, old.draft);
            if priority < place.1 {
                place = (slot, priority);
            }
        }
        place.0.save(board, new);
        let written = &self.written[index / TranspositionTable::REGION];
        if !written.load(Relaxed) {
            written.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
