//! The transposition table: what is known of positions already searched.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use bitflags::bitflags;

use super::Selectivity;
use super::memory::{OutOfMemory, room_for};
use super::selectivity::SOLVED;
use super::window::Window;
use crate::board::{Bitboard, Board, Square};
use crate::eval::Value;
use crate::work::prefetch;

bitflags! {
    /// Which side of the true value a stored value is on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Bound: u8 {
        /// The true value is at least this.
        const LOWER = 1 << 0;
        /// The true value is at most this.
        const UPPER = 1 << 1;
        /// Both.
        const EXACT = Self::LOWER.bits() | Self::UPPER.bits();
    }
}

impl Bound {
    /// What a fail-soft result says of the true value, given the window it was searched with.
    #[inline]
    pub(super) fn of_result(value: Value, window: Window) -> Bound {
        if value >= window.beta {
            Bound::LOWER
        } else if value <= window.alpha {
            Bound::UPPER
        } else {
            Bound::EXACT
        }
    }
}

/// The draft of a result: how many plies the search looked ahead, and the confidence of its forward pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Draft {
    /// In plies; [`SOLVED`] for the end of the game, which is good for every depth.
    pub(super) depth: u32,
    pub(super) selectivity: Selectivity,
}

impl Draft {
    /// Less than any search.
    const NOTHING: Draft = Draft {
        depth: 0,
        selectivity: Selectivity::P73,
    };

    /// As much as any search.
    const GREATEST: Draft = Draft {
        depth: SOLVED,
        selectivity: Selectivity::P100,
    };

    /// The draft of a child.
    #[inline]
    pub(super) fn of_child(self) -> Draft {
        Draft {
            depth: self.depth - 1,
            ..self
        }
    }

    /// Whether a result of this draft will do where `wanted` is asked for.
    #[inline]
    fn covers(self, wanted: Draft) -> bool {
        self.depth >= wanted.depth && self.selectivity >= wanted.selectivity
    }
}

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The true value at `draft` is between these, in 1/32 disc.
    lower: i16,
    upper: i16,
    draft: Draft,
    /// The generation that wrote it last; 0 for a slot never written.
    generation: u8,
    /// The best move, and the best before it.
    moves: [Option<Square>; 2],
}

impl Entry {
    /// The true value is at least this, if the entry's draft covers what is `wanted`.
    #[inline]
    pub(super) fn lower(&self, wanted: Draft) -> Value {
        if self.draft.covers(wanted) {
            Value::from_units(self.lower.into())
        } else {
            Value::MIN
        }
    }

    /// The true value is at most this, if the entry's draft covers what is `wanted`.
    #[inline]
    pub(super) fn upper(&self, wanted: Draft) -> Value {
        if self.draft.covers(wanted) {
            Value::from_units(self.upper.into())
        } else {
            Value::MAX
        }
    }

    /// What a search of the draft `wanted` in this window may return at once.
    #[inline]
    pub(super) fn cut(&self, wanted: Draft, window: Window) -> Option<Value> {
        let (lower, upper) = (self.lower(wanted), self.upper(wanted));
        if lower >= window.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= window.alpha).then_some(upper)
        }
    }

    /// The two moves remembered, the better one first.
    #[inline]
    pub(super) fn moves(&self) -> [Option<Square>; 2] {
        self.moves
    }

    /// [`moves`](Self::moves), if the last search that came here looked at least `depth` plies ahead. Where it found no best move
    /// they are those of the searches before it.
    #[inline]
    pub(super) fn moves_of_depth(&self, depth: u32) -> [Option<Square>; 2] {
        if self.draft.depth >= depth {
            self.moves
        } else {
            [None; 2]
        }
    }

    /// Takes over the bounds of another entry of the same board and draft. Where both contradict each other, as selective
    /// searches may, the newer ones stand.
    #[inline]
    fn close_in(&mut self, old: &Entry) {
        let (lower, upper) = (self.lower.max(old.lower), self.upper.min(old.upper));
        if lower <= upper {
            (self.lower, self.upper) = (lower, upper);
        }
    }

    /// The entry in 64 bits.
    #[inline]
    const fn pack(self) -> u64 {
        const fn square(mv: Option<Square>) -> u64 {
            match mv {
                Some(square) => square.index() as u64,
                None => NO_MOVE,
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

    /// What [`pack`](Self::pack) packed.
    #[inline]
    fn unpack(data: u64) -> Entry {
        let square = |bits: u64| Square::new((bits & 0x7F) as u8);
        Entry {
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

const NO_MOVE: u64 = 64;

/// The place of one entry, 24 bytes, shared by all threads without a lock.
///
/// **Why no torn entry is ever taken for a whole one.** Three words are read and written one by one, so a reader may get
/// words of different writes, and two writers may leave a mixture behind. Each word by itself is whole, as it is atomic:
/// there is no data race. But the words are tied together (after Hyatt and Mann, "A lock-less transposition table
/// implementation for parallel search chess engines", 2002): the player's half of the board is kept exclusive-ored with
/// a number made of `data`, the opponent's half with a number made of `data` and of the player's half. A mixture is taken for an
/// entry of the board that is asked for only if the first number, or the second, comes out the same for what two writes
/// put in; both are made by multiplying with an odd constant, which is one to one, so what differs by a little before it
/// differs as if by chance after it, and equals the one value that would do once in about 2⁶⁴ mixtures.
/// No other memory is ordered by the table, so relaxed order is enough.
#[derive(Debug)]
struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    /// A packed [`Entry`].
    data: AtomicU64,
}

/// Odd constants without structure: the fractional parts of the roots of 5 and 7.
const MASKS: [u64; 2] = [0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1];

impl Slot {
    /// The slot of a board without discs, which nobody asks for. It is not all zeros, so that the memory is there before
    /// the first search and not page by page as it is needed.
    #[inline]
    fn vacant() -> Slot {
        const NOTHING: Entry = Entry {
            lower: 0,
            upper: 0,
            draft: Draft::NOTHING,
            generation: 0,
            moves: [None; 2],
        };
        const DATA: u64 = NOTHING.pack();
        let empty = Board {
            player: Bitboard::EMPTY,
            opponent: Bitboard::EMPTY,
        };
        let [player, opponent] = Slot::words(&empty, DATA).map(AtomicU64::new);
        Slot {
            player,
            opponent,
            data: AtomicU64::new(DATA),
        }
    }

    /// The words that stand for a board with these `data`.
    #[inline]
    fn words(board: &Board, data: u64) -> [u64; 2] {
        let (player, opponent) = (board.player.0, board.opponent.0);
        [
            player ^ data.wrapping_mul(MASKS[0]),
            opponent ^ (data ^ player.rotate_left(32)).wrapping_mul(MASKS[1]),
        ]
    }

    /// The entry of `board`, if this is the place of that.
    #[inline]
    fn load_for(&self, board: &Board) -> Option<Entry> {
        let data = self.data.load(Relaxed);
        let words = [self.player.load(Relaxed), self.opponent.load(Relaxed)];
        (words == Slot::words(board, data)).then(|| Entry::unpack(data))
    }

    /// The entry, whatever its board.
    #[inline]
    fn load(&self) -> Entry {
        Entry::unpack(self.data.load(Relaxed))
    }

    #[inline]
    fn save(&self, board: &Board, entry: Entry) {
        let data = entry.pack();
        let words = Slot::words(board, data);
        self.data.store(data, Relaxed);
        self.player.store(words[0], Relaxed);
        self.opponent.store(words[1], Relaxed);
    }
}

/// A fixed number of entries in buckets of [`TranspositionTable::WAYS`], which any number of threads may read and write.
///
/// Each entry holds the whole board, so a hit is never false. In a full bucket, entries of earlier searches go first,
/// then the shallowest.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    buckets: Vec<[Slot; TranspositionTable::WAYS]>,
    generation: u8,
    /// For each [`TranspositionTable::REGION`] buckets: whether any was written to since the table was empty.
    written: Vec<AtomicBool>,
}

impl TranspositionTable {
    const WAYS: usize = 4;

    /// Buckets that are cleared together.
    const REGION: usize = 8;

    /// A table of at most `mib` MiB, and at least one bucket.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn new(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        let bytes = mib.saturating_mul(1 << 20);
        let count = (bytes / size_of::<[Slot; TranspositionTable::WAYS]>()).max(1);
        let mut buckets = room_for(count, mib)?;
        let mut written = room_for(count.div_ceil(TranspositionTable::REGION), mib)?;
        written.resize_with(
            count.div_ceil(TranspositionTable::REGION),
            AtomicBool::default,
        );
        buckets.resize_with(count, || {
            [(); TranspositionTable::WAYS].map(|()| Slot::vacant())
        });
        Ok(TranspositionTable {
            buckets,
            generation: 1,
            written,
        })
    }

    /// Forgets everything. After a short search this takes no longer than the search, nearly however large the table.
    pub(super) fn clear(&mut self) {
        let regions = self.buckets.chunks_mut(TranspositionTable::REGION);
        for (region, written) in regions.zip(&mut self.written) {
            if std::mem::take(written.get_mut()) {
                region.fill_with(|| [(); TranspositionTable::WAYS].map(|()| Slot::vacant()));
            }
        }
        self.generation = 1;
    }

    /// Begins a new generation, that of the next search: entries of earlier ones are replaced first. Generations run 1..=255
    /// and around.
    pub(super) fn new_generation(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(1);
    }

    /// The number of a board's bucket: the key scaled down to the number of buckets.
    #[inline]
    fn bucket(&self, board: &Board) -> usize {
        ((u128::from(board.hash()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Starts to bring what is known of `board` from memory: a bucket lies in two cache lines.
    #[inline]
    pub(super) fn prefetch(&self, board: &Board) {
        let bucket = &self.buckets[self.bucket(board)];
        prefetch(&bucket[0]);
        prefetch(&bucket[TranspositionTable::WAYS - 1]);
    }

    /// What is known of `board`.
    #[inline]
    pub(super) fn probe(&self, board: &Board) -> Option<Entry> {
        self.buckets[self.bucket(board)]
            .iter()
            .find_map(|slot| slot.load_for(board))
    }

    /// Stores that a search of this `draft` in this window returned `value`, fail-soft, with `best` as its best move.
    pub(super) fn store(
        &self,
        board: &Board,
        draft: Draft,
        window: Window,
        value: Value,
        best: Option<Square>,
    ) {
        let index = self.bucket(board);
        let bound = Bound::of_result(value, window);
        let units = value.units() as i16;
        let extreme = |bit, limit: Value| {
            if bound.contains(bit) {
                units
            } else {
                limit.units() as i16
            }
        };
        let mut new = Entry {
            lower: extreme(Bound::LOWER, Value::MIN),
            upper: extreme(Bound::UPPER, Value::MAX),
            draft,
            generation: self.generation,
            moves: [best, None],
        };

        let bucket = &self.buckets[index];
        let mut place = (&bucket[0], (true, Draft::GREATEST));
        for slot in bucket {
            if let Some(old) = slot.load_for(board) {
                if old.generation == self.generation && old.draft > draft {
                    // A deeper result of this very search knows more.
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
