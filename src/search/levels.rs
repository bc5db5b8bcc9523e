//! Levels of play: a depth for the midgame and what goes with it in the endgame. A search that only looks so many plies
//! ahead loses games in the last moves that it could have solved in the time of a few earlier ones.
//!
//! Seconds of processor time for a move, one thread, with the pattern evaluation and before static cuts, which make the
//! midgame cheaper; in games from ten random plies on (20 to depth 16, 6 at 18 and 20, 3 at 22). The first solve is the one
//! of the whole game that costs:
//!
//! | depth | exact from |     midgame | longest | first solve | longest | all moves |
//! |------:|-----------:|------------:|--------:|------------:|--------:|----------:|
//! |     1 |          4 |      0.0001 |  0.0002 |      0.0001 |  0.0001 |    0.0001 |
//! |     2 |          6 |      0.0001 |  0.0004 |      0.0001 |  0.0002 |    0.0001 |
//! |     4 |         10 |      0.0003 |  0.0006 |      0.0002 |  0.0004 |    0.0003 |
//! |     6 |         14 |      0.0006 |  0.0018 |      0.0013 |  0.0026 |    0.0006 |
//! |     8 |         16 |      0.0013 |  0.0045 |      0.0036 |  0.0081 |    0.0011 |
//! |    10 |         18 |      0.0035 |   0.014 |       0.022 |   0.051 |    0.0034 |
//! |    12 |         20 |      0.0089 |   0.052 |       0.085 |    0.22 |    0.0096 |
//! |    14 |         21 |       0.022 |    0.11 |        0.16 |    0.77 |     0.021 |
//! |    16 |         22 |       0.050 |    0.32 |        0.33 |    0.90 |     0.044 |
//! |    18 |         23 |       0.097 |    0.62 |        0.86 |     2.2 |     0.093 |
//! |    20 |         24 |        0.20 |    0.99 |         1.8 |     2.6 |      0.19 |
//! |    22 |         25 |        0.37 |     1.3 |         7.1 |      12 |      0.53 |
//!
//! At depth 8 that is worth 2.8 ± 0.8 discs a game, 74 ± 38 Elo, against solving from 8 empty squares (100 games).

use super::Limits;

/// With so many empty squares or fewer the game is solved at a level that looks `depth` plies ahead in the midgame.
pub const fn level_exact(depth: u32) -> u32 {
    const fn least(left: u32, right: u32) -> u32 {
        if left < right { left } else { right }
    }
    // A beginner's level stays one; later one ply costs about as much as one empty square, at last two plies do.
    least(least(2 * depth + 2, depth + 8), 14 + depth / 2)
}

impl Limits {
    /// These limits for a game: where there is a depth and nothing is said of the endgame, the game is solved from
    /// [`level_exact`] on. Where the nodes are limited, or `exact` is given, they stay as they are.
    #[must_use]
    pub fn at_level(self) -> Limits {
        let depth = self.depth.filter(|_| self.nodes.is_none());
        Limits {
            exact: self.exact.or(depth.map(level_exact)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deeper_level_is_no_worse_in_the_endgame() {
        for (depth, exact) in [
            (1, 4),
            (4, 10),
            (8, 16),
            (12, 20),
            (16, 22),
            (20, 24),
            (24, 26),
        ] {
            assert_eq!(level_exact(depth), exact);
        }
        for depth in 1..60 {
            assert!(level_exact(depth) <= level_exact(depth + 1));
        }
    }

    #[test]
    fn what_is_asked_for_is_kept_to() {
        let exact = |limits: Limits| limits.at_level().exact;
        assert_eq!(exact(Limits::depth(8)), Some(16));
        assert_eq!(exact(Limits::nodes(1000)), None);
        let both = Limits {
            nodes: Some(1000),
            ..Limits::depth(8)
        };
        assert_eq!(exact(both), None);
        for asked in [0, 8, 30] {
            let limits = Limits {
                exact: Some(asked),
                ..Limits::depth(8)
            };
            assert_eq!(exact(limits), Some(asked));
        }
        assert_eq!(exact(Limits::default()), None);
    }
}
