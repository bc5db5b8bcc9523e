//! Counts of match results by pairs of games (pentanomial), with their means and variances.

use emilia_core::board::Score;

/// Results of the pairs played so far, from the first player's view.
///
/// ```
/// use emilia_arena::statistics::PairTally;
/// let mut tally = PairTally::default();
/// tally.add_pair(10, -4);
/// tally.add_pair(0, 2);
/// assert_eq!(tally.games, [2, 1, 1]);
/// assert_eq!(tally.pairs, [0, 0, 1, 1, 0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// Numbers of games won, drawn and lost by the first player. If one game of a pair is
    /// unfinished, the finished game counts here.
    pub games: [u64; 3],
    /// Sum of the scores of these games, in discs.
    discs_of_games: i64,
    /// Numbers of pairs with 0, ½, 1, 1½ and 2 points for the first player.
    pub pairs: [u64; 5],
    /// Σ over pairs of (score₁ + score₂), in discs.
    discs: i64,
    /// Σ over pairs of (score₁ + score₂)², in squared discs.
    discs_squared: i64,
}

impl PairTally {
    /// Counts a pair by the final scores of its two games, in discs from the first player's view.
    /// The first player has a different colour in each game.
    pub fn add_pair(&mut self, one: Score, other: Score) {
        self.add_game(one);
        self.add_game(other);
        self.pairs[(2 + one.signum() + other.signum()) as usize] += 1;
        let both = i64::from(one) + i64::from(other);
        self.discs += both;
        self.discs_squared += both * both;
    }

    /// Counts a game, but not its pair. Called alone for a finished game whose partner in the pair
    /// is unfinished.
    pub fn add_game(&mut self, score: Score) {
        self.games[result(score)] += 1;
        self.discs_of_games += i64::from(score);
    }

    /// Undoes [`add_game`](Self::add_game).
    pub(crate) fn remove_game(&mut self, score: Score) {
        self.games[result(score)] -= 1;
        self.discs_of_games -= i64::from(score);
    }

    /// Returns the results from the second player's view.
    pub(crate) fn reversed(mut self) -> PairTally {
        self.games.reverse();
        self.pairs.reverse();
        self.discs_of_games = -self.discs_of_games;
        self.discs = -self.discs;
        self
    }

    /// Returns the mean score of the games in discs, 0 without games.
    pub fn mean_discs(&self) -> f64 {
        let games: u64 = self.games.iter().sum();
        self.discs_of_games as f64 / games.max(1) as f64
    }

    /// Returns the number of pairs.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Returns the moments of the share of points of a pair.
    pub(super) fn share(&self) -> Moments {
        // Plain products are exact here, unlike `powi`.
        let sum = |of: fn(f64) -> f64| {
            let term = |(&count, share): (&u64, f64)| count as f64 * of(share);
            self.pairs.iter().zip(SHARES).map(term).sum()
        };
        let sum_of_squares = sum(|share| share * share);
        Moments::new(self.pair_count(), sum(|share| share), sum_of_squares, 0.5)
    }

    /// Returns the moments of the mean disc difference of a pair's two games.
    pub(super) fn discs(&self) -> Moments {
        let squares = self.discs_squared as f64 / 4.0;
        Moments::new(self.pair_count(), self.discs as f64 / 2.0, squares, 0.0)
    }
}

/// Returns the index of a result in [`PairTally::games`]: 0 for a win, 1 for a draw, 2 for a loss.
fn result(score: Score) -> usize {
    (1 - score.signum()) as usize
}

/// Shares of points of the five results of a pair, in the order of [`PairTally::pairs`].
pub(super) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mean and variance of independent observations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub count: f64,
    /// Mean of the observations.
    pub mean: f64,
    /// Unbiased variance of one observation (divisor n − 1). `None` for fewer than two
    /// observations.
    pub(super) variance: Option<f64>,
}

impl Moments {
    /// Computes the moments from the number of observations, their sum, and their sum of squares.
    /// Without observations the mean is `mean_of_none`.
    fn new(count: u64, sum: f64, squares: f64, mean_of_none: f64) -> Moments {
        let n = count as f64;
        let mean = if count > 0 { sum / n } else { mean_of_none };
        // Both sums are exact, so equal observations give a variance of exactly 0.
        let variance = (count > 1).then(|| ((squares * n - sum * sum) / n / (n - 1.0)).max(0.0));
        Moments {
            count: n,
            mean,
            variance,
        }
    }

    /// Returns the standard error of the mean.
    pub(super) fn error_of_mean(&self) -> Option<f64> {
        self.variance.map(|variance| (variance / self.count).sqrt())
    }
}
