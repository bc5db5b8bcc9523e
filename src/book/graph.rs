//! The graph of a book: finds the links of each position, and computes its value, its bounds and
//! its line counts from the links and the leaf (negamax). A link is a move to another position of
//! the book. The leaf is the best move that is not a link. A line of the book is a sequence of
//! links that ends with a leaf, and line counts are the numbers of won, drawn and lost lines below
//! a position.

use std::collections::HashMap;

use super::children;
use super::entry::{Counts, Entry, Leaf, SOLVED, UNBOUNDED};
use super::file::BookFile;
use emilia_core::board::{Bitboard, Board, Color, Move, Position};
use emilia_files::FileError;

/// A move to another position of the book, and the result of the visit to that position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<S> {
    /// A square, or a forced pass.
    pub(super) mv: Move,
    /// Value that `visit` (see [`walk`]) returned for the position after the move.
    pub(super) child: S,
}

/// Visits each position of the book with its links. The positions that the links lead to are
/// visited first.
///
/// `ply` returns the positions with the given number of empty squares. The walk needs memory for
/// the positions of two adjacent plies.
///
/// # Errors
/// The first error of `ply` or `visit`.
pub(super) fn walk<S: Copy, E>(
    mut ply: impl FnMut(u32) -> Result<Vec<(Board, Entry)>, E>,
    mut visit: impl FnMut(&Board, &Entry, &[Link<S>]) -> Result<S, E>,
) -> Result<(), E> {
    let mut below: HashMap<Board, S> = HashMap::new();
    for empties in 0..=Board::START.empty_count() {
        let entries = ply(empties)?;
        let mut visited = HashMap::with_capacity(entries.len());
        // Positions whose side to move can move come first, because a pass leads to such a position
        // of the same ply.
        let (moving, passing): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|(board, _)| board.can_move());
        let mut links = Vec::new();
        for (board, entry) in moving.iter().chain(&passing) {
            links.clear();
            for (mv, child) in children(board) {
                let plies = if mv == Move::Pass { &visited } else { &below };
                if let Some(&child) = plies.get(&child) {
                    links.push(Link { mv, child });
                }
            }
            let result = visit(board, entry, &links)?;
            visited.insert(*board, result);
        }
        below = visited;
    }
    Ok(())
}

/// Recomputes the entries of the whole book in one pass. Returns the number of values that changed.
///
/// `spare` has a second leaf of some boards. If the stored leaf of a board has become a link, the
/// second leaf replaces it.
pub(super) fn recompute_all(
    book: &BookFile,
    spare: &HashMap<Board, Leaf>,
) -> Result<u64, FileError> {
    let mut count = 0;
    recompute_plies(
        |empties| book.ply(empties),
        spare,
        |board, old, new| {
            count += u64::from(new.value != old.value);
            book.put(board, new)
        },
    )?;
    Ok(count)
}

/// Recomputes the entries of all positions, from few empty squares to many. Calls `change` with the
/// old and the new entry of each position that changes.
pub(super) fn recompute_plies<E>(
    ply: impl FnMut(u32) -> Result<Vec<(Board, Entry)>, E>,
    spare: &HashMap<Board, Leaf>,
    mut change: impl FnMut(&Board, &Entry, &Entry) -> Result<(), E>,
) -> Result<(), E> {
    walk(ply, |board, old, links| {
        let mut new = *old;
        recompute(board, &mut new, links, spare.get(board).copied());
        if new != *old {
            change(board, old, &new)?;
        }
        Ok(new)
    })
}

/// Recomputes the entry of `board` from its links and its leaf.
///
/// Value and level come from the best of the links and the leaf (negamax). A position without
/// links and leaf keeps its stored value. `spare` replaces a leaf that has become a link.
fn recompute(board: &Board, entry: &mut Entry, links: &[Link<Entry>], spare: Option<Leaf>) {
    let linked: Bitboard = links.iter().filter_map(|link| link.mv.square()).collect();
    let is_linked = |leaf: &Leaf| linked.contains(leaf.square);
    if entry.leaf.as_ref().is_some_and(is_linked) {
        entry.leaf = spare.filter(|leaf| !is_linked(leaf));
    }
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
    // Books of other programs store the number of all lines, without won, drawn and lost lines.
    // Such counts stay if the number of all lines equals the computed number.
    if counted.all != entry.lines.all || entry.lines.by_result() != [0; 3] {
        entry.lines = counted;
    }
    entry.bounds = bounds(entry, linked == board.legal_moves(), links);
}

/// Returns the bounds of the value of an entry, in discs.
///
/// The bounds of a link are the bounds of the position after it, negated and exchanged. A solved
/// leaf has its value as both bounds. Other moves are unbounded. The lower bound of the entry is
/// the maximum of the lower bounds of its moves, and its upper bound is the maximum of their upper
/// bounds. A stored bound that is narrower stays, unless the value contradicts it.
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

/// Result of [`check_graph`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of positions of the book.
    pub positions: u64,
    /// Number of links of all positions.
    pub links: u64,
    /// Number of positions with a leaf.
    pub leaves: u64,
    /// Number of positions whose leaf is a link, although a leaf must lead out of the book.
    pub faults: u64,
    /// Number of positions whose value, bounds or line counts do not follow from their links and
    /// their leaf.
    pub stale: u64,
    /// The first position that is counted in `faults` or `stale`, with the reason.
    pub first: Option<String>,
}

/// Checks that no leaf is a link, and that values, bounds and line counts follow from links and
/// leaves (negamax). Reading a row of the database also checks the row itself.
pub fn check_graph(book: &BookFile) -> Result<Checked, FileError> {
    let mut checked = Checked::default();
    walk(
        |empties| book.ply(empties),
        |board, entry, links| {
            checked.positions += 1;
            checked.links += links.len() as u64;
            checked.leaves += u64::from(entry.leaf.is_some());
            let mut new = *entry;
            recompute(board, &mut new, links, None);
            let is_fault = new.leaf != entry.leaf;
            new.leaf = entry.leaf;
            let is_stale = new != *entry;
            checked.faults += u64::from(is_fault);
            checked.stale += u64::from(is_stale);
            if (is_fault || is_stale) && checked.first.is_none() {
                let (board, mover) = (*board, Color::Black);
                let fault = if is_fault {
                    "has a leaf that is a link"
                } else {
                    "has a value, bounds or lines that do not follow from its moves"
                };
                checked.first = Some(format!("{} {fault}", Position { board, mover }));
            }
            Ok(*entry)
        },
    )?;
    Ok(checked)
}
