//! Weights of endgame move ordering, in points of cost: moves of lower cost are tried first.
//! The weights are tuned on node counts: see `MEASUREMENTS.md` of the search.

/// Weights of the small solver, with 6 to 13 empties.
pub(crate) mod small {
    /// Cost of each legal reply of the opponent.
    pub(crate) const REPLY: i32 = 16;
    /// Additional cost of each corner among the opponent's replies.
    pub(crate) const CORNER_REPLY: i32 = 16;
    /// Discount for a move into a quadrant with an odd number of empties.
    pub(crate) const ODD_QUADRANT: i32 = 8;
    /// Discount for each step of [`static_square_weight`](crate::eval::static_square_weight).
    pub(crate) const SQUARE: i32 = 1;
    /// Cost of each disc of the child's value for the opponent, by the ordering evaluation.
    pub(crate) const DISC: i32 = 6;
}
