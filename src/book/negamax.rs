//! `negamax`: recomputes values, bounds and counts of lines of the whole graph.

use super::entry::{Entry, Leaf, Lines, SOLVED};
use super::file::BookFile;
use super::walk::{Link, walk};
use crate::board::{Bitboard, Board};
use crate::eval::Value;
use crate::files::FileError;

/// What a position passes on to those before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildValue {
    value: Option<Value>,
    level: u8,
    bounds: (i8, i8),
    lines: Lines,
}

impl ChildValue {
    pub(super) fn of(entry: &Entry) -> ChildValue {
        ChildValue {
            value: entry.value,
            level: entry.level,
            bounds: entry.bounds,
            lines: entry.lines,
        }
    }
}

/// Recomputes the whole book in one pass, from few empty squares to many.
/// Returns the number of entries that changed.
///
/// # Errors
/// If the file cannot be read or written, or another process writes to it. The book is then
/// unchanged.
pub fn negamax(book: &BookFile) -> Result<u64, FileError> {
    let _reserved = book.reserve()?;
    recompute_all(book)
}

/// [`negamax`] for a caller that has reserved the book.
pub(super) fn recompute_all(book: &BookFile) -> Result<u64, FileError> {
    book.write(|changes| {
        let mut changed = 0;
        walk(
            |empties| changes.ply(empties),
            |board, entry, links| {
                let mut new = *entry;
                recompute(board, &mut new, links);
                if new != *entry {
                    changed += 1;
                    changes.put(board, &new)?;
                }
                Ok(ChildValue::of(&new))
            },
        )?;
        Ok(changed)
    })
}

/// Recomputes the entry of `board` from its links and its leaf.
///
/// Value and level are those of the best of the links and the leaf (negamax). A position without
/// either keeps the value of its own search. A leaf that has become a link is removed.
pub(super) fn recompute(board: &Board, entry: &mut Entry, links: &[Link<ChildValue>]) {
    let moves = board.legal_moves();
    let linked: Bitboard = links.iter().filter_map(|link| link.mv.square()).collect();
    entry.leaf = match entry.leaf {
        _ if linked == moves => Leaf::None,
        Leaf::Move { square, .. } if linked.contains(square) => Leaf::Unknown,
        Leaf::None => Leaf::Unknown,
        leaf => leaf,
    };
    let of_links = links
        .iter()
        .filter_map(|link| Some((-link.child.value?, link.child.level)));
    let of_leaf = match entry.leaf {
        Leaf::Move { value, level, .. } => Some((value, level)),
        Leaf::None | Leaf::Unknown => None,
    };
    let Some((best, level)) = of_links.chain(of_leaf).max() else {
        return;
    };
    (entry.value, entry.level) = (Some(best), level);
    entry.lines = entry.leaf.value().map(Lines::of_leaf).unwrap_or_default();
    for link in links {
        entry.lines.add_child(link.child.lines);
    }
    entry.bounds = bounds(entry, best, links);
}

/// The bounds of `best`, the value of the entry.
///
/// Links give both bounds, a solved leaf too. An unsolved leaf gives none: the old bounds then stay
/// as long as the value lies between them.
fn bounds(entry: &Entry, best: Value, links: &[Link<ChildValue>]) -> (i8, i8) {
    let lowers = links
        .iter()
        .map(|link| link.child.bounds.1.saturating_neg());
    let uppers = links
        .iter()
        .map(|link| link.child.bounds.0.saturating_neg());
    let leaf = match entry.leaf {
        Leaf::None => None,
        Leaf::Move { value, level, .. } if level >= SOLVED => {
            let score = value.round_to_score() as i8;
            Some((score, score))
        }
        Leaf::Move { .. } | Leaf::Unknown => Some((i8::MIN, i8::MAX)),
    };
    let lower = lowers.chain(leaf.map(|leaf| leaf.0)).max();
    let upper = uppers.chain(leaf.map(|leaf| leaf.1)).max();
    let score = best.round_to_score() as i8;
    let (lower, upper) = (lower.unwrap_or(i8::MIN), upper.unwrap_or(i8::MAX));
    let (old_lower, old_upper) = entry.bounds;
    let keep_lower = old_lower <= score && old_lower > lower;
    let keep_upper = old_upper >= score && old_upper < upper;
    let (min, max) = super::entry::UNBOUNDED;
    (
        if keep_lower {
            old_lower
        } else {
            lower.max(min)
        },
        if keep_upper {
            old_upper
        } else {
            upper.min(max)
        },
    )
}
