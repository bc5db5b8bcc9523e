//! Weights of endgame move ordering, in points of cost: moves of lower cost are tried first.
//! They are tuned by `src/search/tests/tuner.rs`.

#[cfg(test)]
use std::sync::atomic::{AtomicI32, Ordering};

/// Ordering weight in points. A constant, except in tests, where the tuner changes it.
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

/// Weights of the small solver, with 6 to 13 empties.
pub(in crate::search) mod few {
    use super::Weight;

    /// Cost of each legal reply of the opponent.
    pub(in crate::search) static REPLY: Weight = Weight::new(16);
    /// Additional cost of each corner among the opponent's replies.
    pub(in crate::search) static CORNER_REPLY: Weight = Weight::new(16);
    /// Discount for a move into a quadrant with an odd number of empties.
    pub(in crate::search) static ODD_QUADRANT: Weight = Weight::new(8);
    /// Discount for each step of [`static_square_weight`](crate::eval::static_square_weight).
    pub(in crate::search) static SQUARE: Weight = Weight::new(1);
    /// Cost of each disc of the child's value for the opponent, by the ordering evaluation.
    pub(in crate::search) static DISC: Weight = Weight::new(6);
}

/// Weights with 14 empties and more, and in every PV node.
pub(in crate::search) mod deep {
    use super::Weight;

    /// Cost of each legal reply of the opponent.
    pub(in crate::search) static REPLY: Weight = Weight::new(15);
    /// Additional cost of each corner among the opponent's replies.
    pub(in crate::search) static CORNER_REPLY: Weight = Weight::new(15);
    /// Cost of each disc of the child's value for the opponent, by the evaluation.
    pub(in crate::search) static DISC: Weight = Weight::new(6);
}

/// All weights with their names, for the tuner.
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
