//! `recompute`: values, bounds and counts of lines by the graph (negamax).

use std::collections::HashMap;

use super::entry::{Counts, Entry, Leaf, SOLVED, UNBOUNDED};
use super::file::Changes;
use super::walk::{Link, walk};
use emilia_core::board::{Bitboard, Board};
use emilia_files::FileError;

/// Recomputes the whole book in one pass, from few empty squares to many.
/// Returns the number of values that changed.
///
/// `spare` has leaves of a lower level, which take the place of leaves that have become links.
pub(super) fn recompute_all(
    changes: &Changes,
    spare: &HashMap<Board, Leaf>,
) -> Result<u64, FileError> {
    let mut count = 0;
    walk(
        |empties| changes.ply(empties),
        |board, entry, links| {
            let mut new = *entry;
            let is_link = |leaf: Leaf| {
                links
                    .iter()
                    .any(|link| link.mv.square() == Some(leaf.square))
            };
            if entry.leaf.is_some_and(is_link) {
                new.leaf = spare.get(board).copied();
            }
            recompute(board, &mut new, links);
            if new != *entry {
                count += u64::from(new.value != entry.value);
                changes.put(board, &new)?;
            }
            Ok(new)
        },
    )?;
    Ok(count)
}

/// Recomputes the entry of `board` from its links and its leaf.
///
/// Value and level are those of the best of the links and the leaf (negamax). A position without
/// either keeps the value of its own search. A leaf that has become a link is removed.
pub(super) fn recompute(board: &Board, entry: &mut Entry, links: &[Link<Entry>]) {
    let linked: Bitboard = links.iter().filter_map(|link| link.mv.square()).collect();
    entry.leaf = entry.leaf.filter(|leaf| !linked.contains(leaf.square));
    let of_links = links
        .iter()
        .map(|link| (-link.child.value, link.child.level));
    let of_leaf = entry.leaf.map(|leaf| (leaf.value, leaf.level));
    let Some((best, level)) = of_links.chain(of_leaf).max() else {
        return;
    };
    (entry.value, entry.level) = (best, level);
    let of_leaf = entry.leaf.map(|leaf| Counts::one(leaf.value));
    let of_links = links.iter().map(|link| link.child.lines.reversed());
    let counted = of_links
        .chain(of_leaf)
        .fold(Counts::default(), Counts::plus);
    // Other programs count lines without their results.
    let Counts {
        won,
        drawn,
        lost,
        all,
    } = entry.lines;
    if counted.all != all || [won, drawn, lost] != [0; 3] {
        entry.lines = counted;
    }
    entry.bounds = bounds(entry, linked == board.legal_moves(), links);
}

/// The bounds of the value of an entry.
///
/// Links give both bounds, a solved leaf too. Other moves give none: the old bounds then stay
/// as long as the value lies between them.
fn bounds(entry: &Entry, all_linked: bool, links: &[Link<Entry>]) -> (i8, i8) {
    let of_links = links.iter().map(|link| {
        let (lower, upper) = link.child.bounds;
        (upper.saturating_neg(), lower.saturating_neg())
    });
    let of_others = match entry.leaf {
        Some(leaf) if leaf.level >= SOLVED => {
            let score = leaf.value.round_to_score() as i8;
            Some((score, score))
        }
        _ => (!all_linked).then_some((i8::MIN, i8::MAX)),
    };
    let of_moves = of_links.chain(of_others);
    let best = of_moves.reduce(|own, other| (own.0.max(other.0), own.1.max(other.1)));
    let (lower, upper) = best.unwrap_or(UNBOUNDED);
    let score = entry.value.round_to_score() as i8;
    let (old_lower, old_upper) = entry.bounds;
    (
        if old_lower <= score && old_lower > lower {
            old_lower
        } else {
            lower.max(UNBOUNDED.0)
        },
        if old_upper >= score && old_upper < upper {
            old_upper
        } else {
            upper.min(UNBOUNDED.1)
        },
    )
}
