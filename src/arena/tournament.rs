//! Pairings of the players of a tournament.

use std::fmt;
use std::str::FromStr;

use super::statistics::Encounter;
use emilia_core::board::excerpt;

/// Tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// Every player meets every other player.
    RoundRobin,
    /// The first player meets every other player.
    Gauntlet,
    /// In each round, players with about equal points meet. No two players meet twice.
    Swiss {
        /// Number of rounds.
        rounds: usize,
    },
}

/// Formats as `round-robin`, `gauntlet` or `swiss:ROUNDS`.
impl fmt::Display for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tournament::RoundRobin => f.write_str("round-robin"),
            Tournament::Gauntlet => f.write_str("gauntlet"),
            Tournament::Swiss { rounds } => write!(f, "swiss:{rounds}"),
        }
    }
}

impl FromStr for Tournament {
    type Err = String;

    fn from_str(text: &str) -> Result<Tournament, String> {
        let rounds = text.strip_prefix("swiss:").map(str::parse);
        match (text, rounds) {
            ("round-robin", _) => Ok(Tournament::RoundRobin),
            ("gauntlet", _) => Ok(Tournament::Gauntlet),
            (_, Some(Ok(rounds @ 1..))) => Ok(Tournament::Swiss { rounds }),
            _ => {
                let text = excerpt(text);
                let expected = "expected round-robin, gauntlet or swiss:ROUNDS";
                Err(format!("'{text}': {expected}"))
            }
        }
    }
}

/// Indices of two players, from 0.
pub type Pairing = [usize; 2];

impl Tournament {
    /// Returns the pairings of `players` players, in playing order. For a Swiss tournament, returns
    /// the pairings of the first round.
    ///
    /// ```
    /// use emilia_arena::Tournament;
    /// assert_eq!(Tournament::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(Tournament::Gauntlet.pairings(4), [[0, 1], [0, 2], [0, 3]]);
    /// assert_eq!(Tournament::Swiss { rounds: 2 }.pairings(4), [[0, 1], [2, 3]]);
    /// ```
    pub fn pairings(self, players: usize) -> Vec<Pairing> {
        let firsts = match self {
            Tournament::RoundRobin => players,
            Tournament::Gauntlet => players.min(1),
            Tournament::Swiss { .. } => return swiss_round(players, &[]),
        };
        (0..firsts)
            .flat_map(|first| (first + 1..players).map(move |second| [first, second]))
            .collect()
    }

    /// Returns the number of rounds, each with the same number of pairings.
    pub fn rounds(self) -> usize {
        match self {
            Tournament::RoundRobin | Tournament::Gauntlet => 1,
            Tournament::Swiss { rounds } => rounds,
        }
    }

    /// Returns a number of rounds for which Swiss pairings without a repeated encounter always
    /// exist.
    ///
    /// Let n be the number of players, rounded up to even. After r rounds, the players who have not
    /// met yet form a regular graph of degree n − 1 − r. Such a graph has a perfect matching, which
    /// pairs the next round, if n is below three times the degree.
    /// Source: W. Wallis, "The smallest regular graphs without one-factors" (1981).
    pub fn most_rounds(players: usize) -> usize {
        (2 * players.next_multiple_of(2)).saturating_sub(1) / 3
    }
}

/// Returns the pairings of the next round of a Swiss tournament. `earlier` holds the encounters of
/// all rounds so far. If `players` is odd, one player rests in each round, and gets the points for
/// winning all games of the round.
pub(crate) fn swiss_round(players: usize, earlier: &[Encounter]) -> Vec<Pairing> {
    // If the number of players is odd, the last seat is empty: the player paired with it rests.
    let seats = players.next_multiple_of(2);
    let mut half_points = vec![0; seats];
    let mut met = vec![false; seats * seats];
    for round in earlier.chunks((players / 2).max(1)) {
        let mut idle: Vec<usize> = (0..seats).collect();
        let mut games = 0;
        for Encounter { players, tally } in round {
            let [wins, draws, losses] = tally.games;
            games = games.max(wins + draws + losses);
            for (player, won) in players.iter().zip([wins, losses]) {
                half_points[*player] += 2 * won + draws;
            }
            idle.retain(|seat| !players.contains(seat));
            let [one, other] = *players;
            met[one * seats + other] = true;
        }
        if let [resting, rest] = idle[..] {
            half_points[resting] += 2 * games;
            met[resting * seats + rest] = true;
        }
    }
    let have_met = |one: usize, other: usize| met[one * seats + other] || met[other * seats + one];
    let mut order: Vec<usize> = (0..seats).collect();
    order.sort_by_key(|&seat| std::cmp::Reverse(half_points[seat]));
    let mut round = pair_up(&order, &have_met).unwrap_or_default();
    round.retain(|pairing| pairing.iter().all(|&seat| seat < players));
    round.sort_unstable();
    round
}

/// Pairs the seats of `order`, which is sorted by points: each seat with the nearest seat that it
/// has not met and that leaves the remaining seats pairable. Returns `None` if no pairing exists.
fn pair_up(order: &[usize], have_met: &impl Fn(usize, usize) -> bool) -> Option<Vec<Pairing>> {
    /// A seat with at most this number of possible opponents is paired first, to find dead ends
    /// early.
    const FEW: usize = 4;
    let opponents = |rank: usize| {
        let others = (0..order.len()).filter(move |&other| other != rank);
        others.filter(move |&other| !have_met(order[rank], order[other]))
    };
    if order.is_empty() {
        return Some(Vec::new());
    }
    let scarcest = (0..order.len()).min_by_key(|&rank| opponents(rank).count());
    let few = scarcest.filter(|&rank| opponents(rank).count() <= FEW);
    let rank = few.unwrap_or(0);
    let mut nearest: Vec<usize> = opponents(rank).collect();
    nearest.sort_by_key(|other| other.abs_diff(rank));
    nearest.into_iter().find_map(|other| {
        let mut pairing = [order[rank], order[other]];
        pairing.sort_unstable();
        let left = order.iter().copied().filter(|seat| !pairing.contains(seat));
        let mut round = pair_up(&left.collect::<Vec<_>>(), have_met)?;
        round.push(pairing);
        Some(round)
    })
}
