//! Levels of play: each midgame depth has a number of empties from which the game is solved.
//!
//! A search of fixed depth would lose games in the last moves, where solving is cheap.
//! Measured: see Levels in `MEASUREMENTS.md` of the search.

use crate::search::Limits;

/// Returns the largest number of empties at which a level of `depth` plies solves the game.
pub const fn level_solve_from(depth: u32) -> u32 {
    const fn least(left: u32, right: u32) -> u32 {
        if left < right { left } else { right }
    }
    // Low levels stay weak in the endgame as well.
    // At higher levels an empty square costs as much time as one ply, at the highest as two plies.
    least(least(2 * depth + 2, depth + 8), 14 + depth / 2)
}

impl Limits {
    /// Returns these limits with `solve_from_empties` set to [`level_solve_from`] of `depth`.
    ///
    /// Limits without a depth, with a node limit, or with `solve_from_empties` set stay unchanged.
    #[must_use]
    pub fn at_level(self) -> Limits {
        let depth = self.depth.filter(|_| self.nodes.is_none());
        Limits {
            solve_from_empties: self.solve_from_empties.or(depth.map(level_solve_from)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_solves_from_more_empties_unless_nodes_or_empties_are_given() {
        let exact = |limits: Limits| limits.at_level().solve_from_empties;
        let of_depths = [1, 4, 8, 12, 16, 20, 24].map(|depth| exact(Limits::depth(depth)));
        assert_eq!(of_depths, [4, 10, 16, 20, 22, 24, 26].map(Some));
        assert_eq!(
            exact(Limits::depth(8).with_solve_from_empties(30)),
            Some(30)
        );
        assert_eq!(exact(Limits::nodes(1000)), None);
        assert_eq!(exact(Limits::default()), None);
    }
}
