//! Pairings of the players of a tournament.

use std::fmt;

/// Tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Every player meets every other player.
    RoundRobin,
    /// The first player meets every other player.
    Gauntlet,
}

/// Formats as `round-robin` or `gauntlet`.
impl fmt::Display for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tournament::RoundRobin => "round-robin",
            Tournament::Gauntlet => "gauntlet",
        })
    }
}

/// Indices of two players, from 0.
pub type Pairing = [usize; 2];

impl Tournament {
    /// Returns the pairings of `players` players, in playing order.
    ///
    /// ```
    /// use emilia_arena::Tournament;
    /// assert_eq!(Tournament::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(Tournament::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
    /// ```
    pub fn pairings(self, players: usize) -> Vec<Pairing> {
        let firsts = match self {
            Tournament::RoundRobin => players,
            Tournament::Gauntlet => players.min(1),
        };
        (0..firsts)
            .flat_map(|first| (first + 1..players).map(move |second| [first, second]))
            .collect()
    }
}
