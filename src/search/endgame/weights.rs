//! The weights of the order of moves in the endgame, in points: the fewer points a move has, the earlier it is tried. The
//! tuner, `src/search/tests/tuner.rs`, changes them one after another, and finds none that take fewer nodes on other positions than
//! its own.

#[cfg(test)]
use std::sync::atomic::{AtomicI32, Ordering};

/// A weight. A constant, but the tuner may change it: in tests it is a variable.
#[derive(Debug)]
pub(in crate::search) struct Weight {
    #[cfg(not(test))]
    points: i32,
    #[cfg(test)]
    points: AtomicI32,
}

impl Weight {
    #[cfg(not(test))]
    const fn new(points: i32) -> Weight {
        Weight { points }
    }

    #[inline]
    #[cfg(not(test))]
    pub(in crate::search) fn get(&self) -> i32 {
        self.points
    }
}

#[cfg(test)]
impl Weight {
    const fn new(points: i32) -> Weight {
        Weight {
            points: AtomicI32::new(points),
        }
    }

    pub(in crate::search) fn get(&self) -> i32 {
        self.points.load(Ordering::Relaxed)
    }

    pub(in crate::search) fn set(&self, points: i32) {
        self.points.store(points, Ordering::Relaxed);
    }
}

/// Six to 13 empties.
pub(in crate::search) mod few {
    use super::Weight;

    /// For each reply that the move leaves the opponent.
    pub(in crate::search) static REPLY: Weight = Weight::new(16);
    /// Once more for a corner among the replies.
    pub(in crate::search) static CORNER_REPLY: Weight = Weight::new(16);
    /// Taken off for a move into a quadrant with an odd number of empty squares.
    pub(in crate::search) static ODD_QUADRANT: Weight = Weight::new(8);
    /// Taken off for each step of the [static weight](crate::eval::static_square_weight) of the square.
    pub(in crate::search) static SQUARE: Weight = Weight::new(1);
    /// For each disc that the ordering evaluation gives the opponent after the move, where it is asked.
    pub(in crate::search) static DISC: Weight = Weight::new(6);
}

/// 14 empties and more, and every PV node.
pub(in crate::search) mod deep {
    use super::Weight;

    /// For each reply that the move leaves the opponent.
    pub(in crate::search) static REPLY: Weight = Weight::new(15);
    /// Once more for a corner among the replies.
    pub(in crate::search) static CORNER_REPLY: Weight = Weight::new(15);
    /// For each disc that the evaluation gives the opponent after the move.
    pub(in crate::search) static DISC: Weight = Weight::new(6);
}

/// All of them, with their names.
#[cfg(test)]
pub(in crate::search) static ALL: [(&str, &Weight); 8] = [
    ("few::REPLY", &few::REPLY),
    ("few::CORNER_REPLY", &few::CORNER_REPLY),
    ("few::ODD_QUADRANT", &few::ODD_QUADRANT),
    ("few::SQUARE", &few::SQUARE),
    ("few::DISC", &few::DISC),
    ("deep::REPLY", &deep::REPLY),
    ("deep::CORNER_REPLY", &deep::CORNER_REPLY),
    ("deep::DISC", &deep::DISC),
];
