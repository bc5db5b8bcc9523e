//! `Compact`: a small read-only book, looked up without unpacking. The library embeds one.
//!
//! All numbers are little-endian. After the magic bytes (8) follow the level of all values (1), the
//! first entry of each bucket and the number of entries (4 each), and the entries. An entry has 7
//! bytes: hash (4), value and value of the leaf in 1/8 disc (1 each), and leaf (1). The first bits
//! of the hash of a board number its bucket, and the next 32 are stored, in order. Boards are not:
//! all positions are found by playing the moves of the book from the start of the game. A board
//! that is not in a book of 100,000 positions is mistaken for one that is with a probability of
//! 3e-9.

use super::entry::{Entry, Leaf};
use emilia_core::board::{Board, Square};
use emilia_core::eval::Value;

/// The first bytes. The last of them is the format version.
pub(super) const MAGIC: &[u8] = b"EmiliaB2";

/// Bits of the hash that number a bucket.
const BUCKET_BITS: u32 = 13;

pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// Bytes before the first bucket.
const BEFORE_BUCKETS: usize = MAGIC.len() + 1;

/// Bytes before the entries.
pub(super) const HEADER: usize = BEFORE_BUCKETS + 4 * (BUCKETS + 1);

/// Bytes of an entry.
pub(super) const ENTRY: usize = 7;

/// Units of values per disc.
pub(super) const PER_DISC: i32 = 8;

/// A compact book in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compact<'a>(pub(super) &'a [u8]);

impl Compact<'_> {
    /// The book that the library embeds. A test checks that it is whole.
    /// `README.md` in this folder has the commands that made it.
    pub(super) const EMBEDDED: Compact<'static> = Compact(include_bytes!("default.packed"));

    /// The level of all values.
    fn level(self) -> u8 {
        self.0.get(MAGIC.len()).copied().unwrap_or_default()
    }

    /// The first entry of a bucket.
    pub(crate) fn start(self, bucket: usize) -> usize {
        let at = BEFORE_BUCKETS + 4 * bucket;
        let bytes = self.0[at..].first_chunk();
        bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// Looks up the smallest of the symmetric images of a board.
    pub(super) fn get(self, board: &Board) -> Option<Entry> {
        let (bucket, key) = hash(board);
        let entries = self.0.get(HEADER + ENTRY * self.start(bucket)..)?;
        let count = self.start(bucket + 1) - self.start(bucket);
        let (entries, _) = entries.as_chunks::<ENTRY>();
        let found = entries
            .get(..count)?
            .iter()
            .find(|entry| entry.starts_with(&key.to_le_bytes()))?;
        let [_, _, _, _, value, leaf_value, leaf] = *found;
        let level = self.level();
        let value_of =
            |byte: u8| Value::from_units(i32::from(byte as i8) * (Value::PER_DISC / PER_DISC));
        let square = Square::new(leaf).filter(|square| board.legal_moves().contains(*square));
        let leaf = square.map(|square| Leaf::new(square, value_of(leaf_value), level));
        Some(Entry {
            leaf,
            ..Entry::new(value_of(value), level)
        })
    }
}

/// The bucket of a board, and the bits of its hash that are stored.
///
/// Part of the file format: the multipliers are the odd 64-bit numbers of `SplitMix64` (Steele,
/// Lea and Flood 2014).
pub(super) fn hash(board: &Board) -> (usize, u32) {
    let Board { player, opponent } = board;
    let mut hash = player.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ opponent.0.rotate_left(29);
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^= hash >> 31;
    let bucket = hash >> (64 - BUCKET_BITS);
    let key = hash << BUCKET_BITS >> 32;
    (bucket as usize, key as u32)
}
