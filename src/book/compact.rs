//! `Compact`: a small read-only book that is searched without unpacking it. The library embeds such
//! a book.
//!
//! All numbers are little-endian. The file consists of magic bytes (8 bytes), one level for all
//! values (1), the index of the first entry of each bucket (4 each), the number of entries (4), and
//! the entries (7 each). A level is a search depth in plies. An entry has bits of the board's hash
//! (4), the value of the position and the value of its leaf in 1/8 disc (1 each), and the square of
//! the leaf (1). The leaf is the best move that leads out of the book.
//!
//! The first 13 bits of the hash select the bucket, and the next 32 bits are stored in the entry. A
//! bucket is a range of entries. The entries of a bucket are sorted by these bits. Boards are not
//! stored: [`Compact::positions`] finds them by playing the moves of the book from the start of the
//! game.
//!
//! Different boards can have equal bits. In a book of 100,000 positions, looking up a board that is
//! not in the book gives an entry with a probability of 3e-9.

use std::collections::HashSet;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

use super::children;
use super::entry::{Entry, Leaf, SOLVED};
use emilia_core::board::{Board, Square};
use emilia_core::eval::Value;

/// The first bytes of a compact book. The last of these bytes is the format version.
pub(super) const MAGIC: &[u8] = b"EmiliaB2";

/// Number of bits of the hash that select the bucket.
const BUCKET_BITS: u32 = 13;

const BUCKETS: usize = 1 << BUCKET_BITS;

/// Number of bytes before the list of buckets.
const BEFORE_BUCKETS: usize = MAGIC.len() + 1;

/// Number of bytes before the entries.
const HEADER: usize = BEFORE_BUCKETS + 4 * (BUCKETS + 1);

/// Size of an entry in bytes.
const ENTRY: usize = 7;

/// Values are stored in steps of 1/8 disc.
const STEPS_PER_DISC: i32 = 8;

/// Byte in place of the leaf's square if the leaf is unknown. The embedded book also has the byte
/// 64, for positions that have no leaf because every move leads to a position of the book.
const NO_LEAF: u8 = 65;

/// A compact book in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compact<'a>(pub(super) &'a [u8]);

impl<'a> Compact<'a> {
    /// The book that the library embeds. A test checks that it is not damaged. `README.md` in this
    /// folder lists the commands that made the file.
    #[cfg(not(target_family = "wasm"))]
    pub(super) const EMBEDDED: Compact<'static> = Compact(include_bytes!("default.packed"));

    /// Returns the book in `bytes`, or `None` if the bytes are damaged.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Compact<'a>> {
        let book = Compact(bytes);
        let is_whole = bytes.starts_with(MAGIC)
            && bytes.len() >= HEADER
            && bytes.len() == HEADER + ENTRY * book.start(BUCKETS)
            && (0..BUCKETS).all(|bucket| book.start(bucket) <= book.start(bucket + 1));
        is_whole.then_some(book)
    }

    /// Returns the book given to [`embed`], or `None` before that call.
    #[cfg(target_family = "wasm")]
    pub(super) fn embedded() -> Option<Compact<'static>> {
        EMBEDDED.get().map(|bytes| Compact(bytes))
    }

    #[cfg(test)]
    pub(super) fn len(self) -> usize {
        self.start(BUCKETS)
    }

    /// Returns all positions that the moves of the book reach from the start of the game.
    pub(super) fn positions(self) -> Vec<(Board, Entry)> {
        let start = Board::START.canonical();
        let mut found = Vec::new();
        let mut seen = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(board) = open.pop() {
            let Some(entry) = self.get(&board) else {
                continue;
            };
            found.push((board, entry));
            open.extend(
                children(&board).filter_map(|(_, child)| seen.insert(child).then_some(child)),
            );
        }
        found
    }

    /// Returns the index of the first entry of a bucket.
    fn start(self, bucket: usize) -> usize {
        let at = BEFORE_BUCKETS + 4 * bucket;
        let bytes = self.0[at..].first_chunk();
        bytes.map_or(0, |&bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// Looks up `board`, which must be the smallest of its symmetric images. Returns `None` if the
    /// book lacks it.
    pub(super) fn get(self, board: &Board) -> Option<Entry> {
        let (bucket, key) = hash(board);
        let entries = self.0.get(HEADER + ENTRY * self.start(bucket)..)?;
        let count = self.start(bucket + 1) - self.start(bucket);
        let (entries, _) = entries.as_chunks::<ENTRY>();
        let mut of_bucket = entries.get(..count)?.iter();
        let found = of_bucket.find(|entry| entry.starts_with(&key.to_le_bytes()))?;
        let [_, _, _, _, value, leaf_value, leaf] = *found;
        let level = self.0[MAGIC.len()];
        let value_of = |byte: u8| {
            Value::from_units(i32::from(byte as i8) * (Value::PER_DISC / STEPS_PER_DISC))
        };
        let square = Square::new(leaf).filter(|square| board.legal_moves().contains(*square));
        let leaf = square.map(|square| Leaf::new(square, value_of(leaf_value), level));
        Some(Entry {
            leaf,
            ..Entry::new(value_of(value), level)
        })
    }
}

/// The book given to [`embed`]. It is not part of the WebAssembly module, because a larger module
/// would delay the first move.
#[cfg(target_family = "wasm")]
static EMBEDDED: OnceLock<Vec<u8>> = OnceLock::new();

/// Sets the book of [`Book::Embedded`](crate::Book::Embedded) to the bytes of `default.packed`.
/// Returns `false` if the bytes are damaged, or if the book has been set before.
#[cfg(target_family = "wasm")]
pub fn embed(bytes: Vec<u8>) -> bool {
    Compact::new(&bytes).is_some() && EMBEDDED.set(bytes).is_ok()
}

/// Encodes positions as a compact book. The boards must be the smallest of their symmetric images.
/// The lowest level of the positions becomes the level of all values. Values are clamped to the
/// range of a byte, −16 to 15⅞ discs.
pub(super) fn encode(positions: &[(Board, Entry)]) -> Vec<u8> {
    let byte = |value: Value| {
        let step = Value::PER_DISC / STEPS_PER_DISC;
        let units = value.units() + value.units().signum() * step / 2;
        (units / step).clamp(i8::MIN.into(), i8::MAX.into()) as i8 as u8
    };
    let mut lowest = SOLVED;
    let mut entries: Vec<(usize, u32, [u8; 3])> = positions
        .iter()
        .map(|(board, entry)| {
            let (bucket, key) = hash(board);
            let (leaf_value, leaf) = entry.leaf.map_or((0, NO_LEAF), |leaf| {
                (byte(leaf.value), leaf.square.index() as u8)
            });
            lowest = lowest.min(entry.level);
            (bucket, key, [byte(entry.value), leaf_value, leaf])
        })
        .collect();
    entries.sort_unstable();
    let mut bytes = MAGIC.to_vec();
    bytes.push(lowest);
    for bucket in 0..=BUCKETS {
        let start = entries.partition_point(|entry| entry.0 < bucket);
        bytes.extend((start as u32).to_le_bytes());
    }
    for (_, key, rest) in entries {
        bytes.extend(key.to_le_bytes());
        bytes.extend(rest);
    }
    bytes
}

/// Returns the bucket of a board, and the bits of its hash that an entry stores.
///
/// This function is part of the file format. Its multipliers are the odd 64-bit numbers of
/// `SplitMix64` (Steele, Lea and Flood 2014).
fn hash(board: &Board) -> (usize, u32) {
    let Board { player, opponent } = board;
    let mut hash = player.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ opponent.0.rotate_left(29);
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^= hash >> 31;
    let bucket = hash >> (64 - BUCKET_BITS);
    let key = hash << BUCKET_BITS >> 32;
    (bucket as usize, key as u32)
}
