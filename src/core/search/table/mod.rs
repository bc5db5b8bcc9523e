//! Transposition table: bounds and best moves of positions already searched. An entry is the data
//! about one position, a slot the memory of one entry, and a bucket a group of slots. All threads
//! share the table without locks. [`Slot`] explains why torn entries are never used.

#![allow(unsafe_code, reason = "marks slots that may be zeroed")]

pub(super) mod memory;
pub(super) mod value_cache;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use self::memory::{OutOfMemory, Zeroable, allocate_zeroed};
use super::ordering::LegalMove;
use super::selectivity::Selectivity;
use super::window::{Phase, Window};
use crate::board::{Board, Square};
use crate::eval::Value;
use crate::work::prefetch;

/// Draft of a result: its depth in plies and the confidence of its forward pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Draft {
    /// Depth in plies, with [`TO_THE_END`](Self::TO_THE_END) added in a search to the end.
    depth: u32,
    selectivity: Selectivity,
}

impl Draft {
    /// Added to the depth of a search to the end of the game, whose result can be used for a search
    /// of any depth.
    const TO_THE_END: u32 = 64;

    /// Returns the draft of a search of `depth` plies.
    #[inline]
    pub(crate) fn new<P: Phase>(depth: u32, selectivity: Selectivity) -> Draft {
        let depth = depth + u32::from(P::IS_END) * Draft::TO_THE_END;
        Draft { depth, selectivity }
    }

    /// Returns whether a result of this draft can be used where `wanted` is required.
    #[inline]
    fn covers(self, wanted: Draft) -> bool {
        self.depth >= wanted.depth && self.selectivity >= wanted.selectivity
    }
}

/// Bounds and best moves of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableEntry {
    /// Lower bound of the value at `draft`, in 1/32 disc. The field `upper` is the upper bound.
    lower: i16,
    upper: i16,
    draft: Draft,
    /// Number of the search (generation) that last wrote the slot, or 0 for a slot never written.
    generation: u8,
    /// Best move of the last search that found one, then an earlier best move.
    pub(crate) moves: [Option<Square>; 2],
}

impl TableEntry {
    /// Returns the lower and the upper bound of the value at the draft `wanted`.
    /// If the draft of the entry does not cover `wanted`, the bounds are the whole range of values.
    #[inline]
    pub(crate) fn bounds(&self, wanted: Draft) -> [Value; 2] {
        if !self.draft.covers(wanted) {
            return [Value::MIN, Value::MAX];
        }
        [self.lower, self.upper].map(|units| Value::from_units(units.into()))
    }

    /// Returns the value of a cut-off in `window` at the draft `wanted`, if the bounds allow one.
    #[inline]
    pub(crate) fn cut(&self, wanted: Draft, window: Window) -> Option<Value> {
        let [lower, upper] = self.bounds(wanted);
        if lower >= window.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= window.alpha).then_some(upper)
        }
    }

    /// Returns [`moves`](Self::moves) if the entry's depth is at least `depth`.
    /// If the last search found no best move, the moves come from an earlier search.
    #[inline]
    pub(crate) fn moves_of_depth(&self, depth: u32) -> [Option<Square>; 2] {
        self.moves
            .map(|mv| mv.filter(|_| self.draft.depth >= depth))
    }

    /// Narrows the bounds by the bounds of an older entry of the same board and draft.
    /// Selective searches can give bounds that contradict each other. The new bounds are then kept.
    #[inline]
    fn narrow(&mut self, old: &TableEntry) {
        let (lower, upper) = (self.lower.max(old.lower), self.upper.min(old.upper));
        if lower <= upper {
            (self.lower, self.upper) = (lower, upper);
        }
    }

    /// Packs the entry into 64 bits.
    #[inline]
    fn pack(self) -> u64 {
        let square = |mv: Option<Square>| mv.map_or(NO_SQUARE, |square| square.index() as u64);
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.generation) << 32
            | u64::from(self.draft.depth) << 40
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
/// **Why no torn entry is ever used.** The three words of a slot are read and written one at a
/// time. A reader may therefore see words of different writes, and two writers may leave a mixture.
/// Each word is atomic, so there is no data race. The words are tied together as in Hyatt and Mann,
/// "A lock-less transposition table implementation for parallel search chess engines", 2002:
/// `player` holds the player's discs, combined by exclusive or with a number derived from `data`.
/// `opponent` holds the opponent's discs, combined by exclusive or with a number from `data` and
/// the player's discs.
///
/// A mixture passes for an entry of the probed board only if one of these numbers is equal for the
/// contents of two different writes.
/// Both numbers are products with an odd constant, which is a one-to-one mapping.
/// Contents that differ slightly therefore give numbers that differ as if at random.
/// A false match happens once in about 2⁶⁴ mixtures.
/// The table orders no other memory accesses, so relaxed ordering is enough.
///
/// A slot that was never written has all bytes zero.
/// It looks like the slot of a board without discs, which is never probed. It is replaced first.
#[derive(Debug, Default)]
struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    /// Packed [`TableEntry`].
    data: AtomicU64,
}

// SAFETY: a word of 0 is an `AtomicU64`. `Slot::default` has all bytes zero.
unsafe impl Zeroable for Slot {}

/// Checks whether a transposition table of `mib` MiB can be allocated now.
pub fn check_hash(mib: usize) -> Result<(), OutOfMemory> {
    TranspositionTable::new(mib).map(drop)
}

/// Odd multipliers with irregular bits: the fractional parts of the square roots of 5 and 7.
const MASKS: [u64; 2] = [0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1];

impl Slot {
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

/// Number of slots of a bucket.
const WAYS: usize = 4;

/// Group of slots. The hash of a board selects the bucket, and any slot of the bucket may hold the
/// board.
type Bucket = [Slot; WAYS];

/// Transposition table of [`Bucket`]s.
///
/// Any number of threads may read and write it at the same time.
/// Each entry holds the whole board, so a hit is never for another board.
/// A full bucket replaces an entry of an earlier search first, then the entry of least draft.
/// A new entry replaces an old one of the same board, unless this search stored the old one at a
/// greater draft.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    /// Slots of the buckets. The slots before [`first`](Self::first) are unused, so that the
    /// buckets are aligned.
    slots: Vec<Slot>,
    /// Index of the first slot of the first bucket.
    first: usize,
    generation: u8,
    /// One flag for each region of [`TranspositionTable::REGION`] buckets: whether a bucket of the
    /// region was written since the last `clear`.
    written: Vec<AtomicBool>,
    /// Number of buckets at the front of the table whose memory pages the system has provided.
    resident: usize,
}

impl TranspositionTable {
    /// Alignment of buckets in bytes. With it, a bucket of 96 bytes spans two cache lines, never
    /// three.
    const ALIGNMENT: usize = 32;

    /// Number of buckets that are cleared together.
    const REGION: usize = 8;

    /// Number of buckets that are made resident by one write: the buckets in a page of 4 KiB.
    const PAGE: usize = 4096 / size_of::<Bucket>();

    /// Number of pages made resident between two checks of the clock and the stop flags.
    const PAGES_AT_ONCE: usize = 64;

    /// Creates an empty table of at most `mib` MiB, with at least one bucket.
    pub(crate) fn new(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        let bytes = mib.saturating_mul(1 << 20);
        let count = (bytes / size_of::<Bucket>()).max(1);
        // Allocates slots for the alignment of the buckets too. An allocator that is asked for the
        // alignment would write every zero itself, instead of using zeroed pages of the system.
        let slots: Vec<Slot> = allocate_zeroed(count * WAYS + WAYS - 1, mib)?;
        let is_aligned = |slot: &Slot| (&raw const *slot).addr().is_multiple_of(Self::ALIGNMENT);
        let first = slots.iter().take(WAYS).position(is_aligned);
        let written = allocate_zeroed(count.div_ceil(TranspositionTable::REGION), mib)?;
        Ok(TranspositionTable {
            first: first.unwrap_or_default(),
            slots,
            generation: 1,
            written,
            resident: 0,
        })
    }

    /// Writes to every page of a new table once, so that a search on the clock does not wait for
    /// the system to provide the pages. `TABLE_SHARE` states what this gains. Stops when `has_time`
    /// returns `false`. The next call continues at the same page.
    pub(crate) fn make_resident(&mut self, has_time: impl Fn() -> bool) {
        let buckets = self.slots[self.first..].as_chunks::<WAYS>().0;
        let pages = buckets[self.resident..].iter().step_by(Self::PAGE);
        for (index, bucket) in pages.enumerate() {
            if index.is_multiple_of(Self::PAGES_AT_ONCE) && !has_time() {
                return;
            }
            let word = &bucket[0].data;
            word.store(word.load(Relaxed), Relaxed);
            self.resident += Self::PAGE;
        }
        self.resident = buckets.len();
    }

    /// Empties the table. Only regions that were written are cleared, so that clearing is cheap
    /// after a short search.
    pub(crate) fn clear(&mut self) {
        let slots = &mut self.slots[self.first..];
        let regions = slots.chunks_mut(TranspositionTable::REGION * WAYS);
        for (region, written) in regions.zip(&mut self.written) {
            if std::mem::take(written.get_mut()) {
                region.fill_with(Slot::default);
            }
        }
        self.generation = 1;
    }

    /// Begins the generation of the next search. Entries of earlier generations are replaced first.
    /// Generations run from 1 to 255 and then start again at 1.
    pub(crate) fn new_generation(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(1);
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        self.slots[self.first..].as_chunks().0
    }

    /// Returns the index of the board's bucket: the hash scaled to the number of buckets.
    #[inline]
    fn bucket(&self, board: &Board) -> usize {
        ((u128::from(board.hash()) * self.buckets().len() as u128) >> 64) as usize
    }

    /// Prefetches the bucket of `board`, which spans two cache lines.
    #[inline]
    pub(crate) fn prefetch(&self, board: &Board) {
        let bucket = &self.buckets()[self.bucket(board)];
        prefetch(&bucket[0]);
        prefetch(&bucket[WAYS - 1]);
    }

    /// Enhanced transposition cut-off (Plaat et al. 1996): probes the table for the child of every
    /// move. Returns the first lower bound of a move, at the draft `wanted`, that is at least
    /// `beta`.
    ///
    /// Call [`prefetch`](Self::prefetch) for the children first, so that the probes wait for memory
    /// together.
    pub(crate) fn etc_cut(&self, moves: &[LegalMove], wanted: Draft, beta: Value) -> Option<Value> {
        let entries = moves.iter().filter_map(|mv| self.probe(&mv.child).entry());
        let mut lower = entries.map(|entry| -entry.bounds(wanted)[1]);
        lower.find(|&value| value >= beta)
    }

    /// Looks up `board`. The result has the entry of the board, if there is one, and can store a
    /// new entry.
    #[inline]
    pub(crate) fn probe<'t>(&'t self, board: &Board) -> Probe<'t> {
        let index = self.bucket(board);
        let slots = self.buckets()[index].iter();
        let hit = slots
            .enumerate()
            .find_map(|(way, slot)| Some((way, slot.load_for(board)?)));
        Probe {
            table: self,
            board: *board,
            index,
            hit,
        }
    }
}

/// Result of a probe: the entry of the board, if the table holds one, and the bucket in which to
/// store a new entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe<'t> {
    table: &'t TranspositionTable,
    board: Board,
    /// Index of the board's bucket.
    index: usize,
    /// Slot of the bucket that holds the board, and its entry.
    hit: Option<(usize, TableEntry)>,
}

impl Probe<'_> {
    /// Returns the entry of the board, as it was when probed.
    #[inline]
    pub(crate) fn entry(&self) -> Option<TableEntry> {
        self.hit.map(|(_, entry)| entry)
    }

    /// Stores the fail-soft result of a search of the board at `draft` in `window`. `best` is the
    /// best move, or `None` if the search found none.
    pub(crate) fn store(&self, draft: Draft, window: Window, value: Value, best: Option<Square>) {
        let generation = self.table.generation;
        let Window { alpha, beta } = window;
        // Above `alpha` a fail-soft value is a lower bound, below `beta` an upper bound.
        let lower = if value > alpha { value } else { Value::MIN };
        let upper = if value < beta { value } else { Value::MAX };
        let mut new = TableEntry {
            lower: lower.units() as i16,
            upper: upper.units() as i16,
            draft,
            generation,
            moves: [best, None],
        };

        let (slot, old) = self.place(&self.table.buckets()[self.index]);
        if let Some(old) = old {
            if old.generation == generation && old.draft > draft {
                // Keep the result of greater draft from the same search.
                return;
            }
            if old.draft == draft {
                new.narrow(&old);
            }
            new.moves = match best {
                Some(best) if old.moves[0] != Some(best) => [Some(best), old.moves[0]],
                _ => old.moves,
            };
        }
        slot.save(&self.board, new);
        let written = &self.table.written[self.index / TranspositionTable::REGION];
        if !written.load(Relaxed) {
            written.store(true, Relaxed);
        }
    }

    /// Returns the slot to write: the slot that holds the board, with its present entry, or else
    /// the slot to replace. Looks at the slots again, because searches below this node may have
    /// written to the bucket since the probe.
    #[inline]
    fn place<'s>(&self, slots: &'s Bucket) -> (&'s Slot, Option<TableEntry>) {
        let held = |slot: &'s Slot| Some((slot, slot.load_for(&self.board)?));
        let known = self.hit.and_then(|(way, _)| held(&slots[way]));
        if let Some((slot, old)) = known.or_else(|| slots.iter().find_map(held)) {
            return (slot, Some(old));
        }
        // An entry of an earlier search is replaced first, then the entry of least draft.
        let priority = |slot: &&Slot| {
            let old = slot.load();
            (old.generation == self.table.generation, old.draft)
        };
        (slots.iter().min_by_key(priority).unwrap_or(&slots[0]), None)
    }
}
