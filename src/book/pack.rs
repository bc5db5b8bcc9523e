//! Checks, unpacks and packs compact books.

use std::collections::HashSet;

use super::compact::{BUCKETS, Compact, ENTRY, HEADER, MAGIC, PER_DISC, hash};
use super::entry::{Entry, SOLVED};
use super::walk::children;
use emilia_core::board::Board;
use emilia_core::eval::Value;

/// Number of a leaf that is not known. The embedded book also has 64 where all moves are links.
const NO_LEAF: u8 = 65;

impl<'a> Compact<'a> {
    /// The book in `bytes`, or `None` if they are damaged.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Compact<'a>> {
        let book = Compact(bytes);
        let is_whole = bytes.starts_with(MAGIC)
            && bytes.len() >= HEADER
            && bytes.len() == HEADER + ENTRY * book.start(BUCKETS)
            && (0..BUCKETS).all(|bucket| book.start(bucket) <= book.start(bucket + 1));
        is_whole.then_some(book)
    }

    /// Number of positions.
    #[cfg(test)]
    pub(crate) fn len(self) -> usize {
        self.start(BUCKETS)
    }

    /// All positions that the moves of the book reach from the start of the game.
    pub(crate) fn positions(self) -> Vec<(Board, Entry)> {
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
}

/// The compact form of these positions, whose boards are the smallest of their images.
/// The lowest of the levels becomes that of all.
pub(super) fn encode(positions: impl Iterator<Item = (Board, Entry)>) -> Vec<u8> {
    let byte = |value: Value| {
        let step = Value::PER_DISC / PER_DISC;
        let units = value.units() + value.units().signum() * step / 2;
        (units / step).clamp(i8::MIN.into(), i8::MAX.into()) as i8 as u8
    };
    let mut lowest = SOLVED;
    let mut entries: Vec<(usize, u32, [u8; 3])> = positions
        .map(|(board, entry)| {
            let (bucket, key) = hash(&board);
            let leaf = entry
                .leaf
                .map(|leaf| (byte(leaf.value), leaf.square.index() as u8));
            let (leaf_value, leaf) = leaf.unwrap_or((0, NO_LEAF));
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
