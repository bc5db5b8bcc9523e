//! Root moves with their lines (value, depth and PV), and symmetric root moves, which are searched
//! once.

use super::ordering::LegalMove;
use super::report::Line;
use crate::board::{Move, Square, Symmetry};

/// Root move with the best line found for it so far.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: LegalMove,
    pub(super) line: Option<Line>,
    /// This move and the symmetric moves merged into it, which lead to images of the same board.
    /// The symmetry in a pair maps `mv.child` to the board after the move in the pair.
    images: Vec<(Square, Symmetry)>,
}

impl RootMove {
    pub(super) fn new(mv: LegalMove) -> RootMove {
        RootMove {
            mv,
            line: None,
            images: vec![(mv.square, Symmetry::IDENTITY)],
        }
    }

    /// Returns the number of legal moves that this root move represents, itself included.
    pub(super) fn moves(&self) -> usize {
        self.images.len()
    }

    /// Returns the best line that begins with this move, and the image of this line for each
    /// symmetric move.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        self.line.iter().flat_map(|line| {
            self.images.iter().map(move |&(square, symmetry)| {
                let reply = |mv: &Move| mv.square().map_or(*mv, |at| symmetry.square(at).into());
                let replies = line.pv.iter().skip(1).map(reply);
                let pv = std::iter::once(square.into()).chain(replies).collect();
                Line { pv, ..line.clone() }
            })
        })
    }
}

/// Merges moves that lead to symmetric boards into the first of them.
pub(super) fn merge_images(moves: impl Iterator<Item = RootMove>) -> Vec<RootMove> {
    let mut merged: Vec<RootMove> = Vec::new();
    for next in moves {
        let found = merged.iter_mut().find_map(|earlier| {
            let image_of = |symmetry: &Symmetry| symmetry.board(&earlier.mv.child) == next.mv.child;
            Symmetry::all()
                .find(image_of)
                .map(|symmetry| (earlier, symmetry))
        });
        match found {
            Some((earlier, symmetry)) => earlier.images.push((next.mv.square, symmetry)),
            None => merged.push(next),
        }
    }
    merged
}
