//! Ratings of the players of a tournament, by maximum likelihood.
//!
//! Source of the model: Zermelo (1929), Bradley and Terry (1952).
//! A player who is `elo` stronger has the expected share [`share_of_elo`] of the points.
//! A draw counts as half a point for each side, as in Ordo.
//! Errors combine the Fisher information and the variance between pairs by the sandwich formula.
//! Source of the formula: H. White, Econometrica 50 (1982), 1–25.
//! The errors allow for draws and for the common opening of a pair.

use std::f64::consts::LN_10;

use super::elo::{Z_95, normal_cdf, share_of_elo};
use super::matrix::{Matrix, product, pseudo_inverse};
use super::summary::Estimate;
use super::tally::{PairTally, SHARES};

/// Elo per natural unit of the logistic model.
const ELO_PER_UNIT: f64 = 400.0 / LN_10;

/// Results of two players against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Indices of the first and the second player, from 0.
    pub players: [usize; 2],
    /// Results from the first player's view.
    pub tally: PairTally,
}

impl Encounter {
    /// Returns an encounter without games.
    pub fn new(players: [usize; 2]) -> Encounter {
        Encounter {
            players,
            tally: PairTally::default(),
        }
    }

    /// Returns the points of each of the two players, with `draws` additional draws.
    fn points(&self, draws: f64) -> [f64; 2] {
        let [wins, tied, losses] = self.tally.games.map(|count| count as f64);
        let from_draws = f64::midpoint(tied, draws);
        [wins + from_draws, losses + from_draws]
    }
}

/// Ratings of the players of a tournament, with mean 0.
///
/// ```
/// use emilia_arena::statistics::{Encounter, Ratings};
/// let mut encounters = [[0, 1], [1, 2]].map(Encounter::new);
/// for encounter in &mut encounters {
///     encounter.tally.add_pair(10, 6);
///     encounter.tally.add_pair(4, -2);
/// }
/// let ratings = Ratings::new(3, &encounters);
/// // Three of four points are 191 Elo.
/// assert_eq!(ratings.elo(0).value.round(), 191.0);
/// assert!(ratings.elo(1).value.abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    /// Indices of the players, the best first.
    ranking: Vec<usize>,
    /// Strengths of the players. `None` until finished pairs of games connect all players.
    strengths: Option<Strengths>,
    /// Whether each encounter counts one additional draw, which keeps the ratings finite.
    pub has_prior: bool,
}

/// Strengths of the players, in natural units of [`ELO_PER_UNIT`] Elo each.
#[derive(Clone, Debug)]
struct Strengths {
    /// Strength of each player. Their mean is 0.
    of_players: Vec<f64>,
    /// Covariance of the strengths, in squared natural units.
    covariance: Matrix,
}

impl Ratings {
    /// Computes the ratings of `players` players.
    ///
    /// Until finished pairs of games connect all players, the ratings are unknown, and the
    /// [`ranking`](Ratings::ranking) is by points.
    ///
    /// Finite ratings do not exist if a group of players took all points or no points in its games
    /// against the rest. In this case each encounter counts one additional draw (see
    /// [`has_prior`](Ratings::has_prior)).
    ///
    /// The errors usually follow from the variance between pairs. They assume independent games
    /// instead if additional draws are counted, or if there are too few pairs to estimate the
    /// variance.
    ///
    /// # Panics
    /// If there are no players, or the index of a player is out of range.
    pub fn new(players: usize, encounters: &[Encounter]) -> Ratings {
        let is_known = is_connected(players, encounters, |encounter| {
            [encounter.tally.pair_count() > 0; 2]
        });
        if !is_known {
            return Ratings {
                ranking: highest_first(&points(players, encounters)),
                strengths: None,
                has_prior: false,
            };
        }
        let has_prior = !is_connected(players, encounters, |encounter| {
            encounter.points(0.0).map(|points| points > 0.0)
        });
        let draws = if has_prior { 1.0 } else { 0.0 };
        let (of_players, inverse) = likeliest(players, encounters, draws);
        let variance = variance_of_gradient(&of_players, encounters).filter(|_| !has_prior);
        let covariance = match variance {
            Some(variance) => product(&product(&inverse, &variance), &inverse),
            None => inverse,
        };
        Ratings {
            ranking: highest_first(&of_players),
            strengths: Some(Strengths {
                of_players,
                covariance,
            }),
            has_prior,
        }
    }

    /// Returns the Elo rating of a player and its 95 % interval. Infinite if it is unknown.
    ///
    /// # Panics
    /// If `player` is out of range.
    pub fn elo(&self, player: usize) -> Estimate {
        self.estimate(&[(player, 1.0)])
    }

    /// Returns the Elo difference of two players and its 95 % interval.
    ///
    /// # Panics
    /// If a player is out of range.
    pub fn difference(&self, one: usize, other: usize) -> Estimate {
        self.estimate(&[(one, 1.0), (other, -1.0)])
    }

    /// Converts a weighted sum of strengths to Elo. `sum` holds the (player, weight) of each term.
    /// The interval follows from the covariance of the strengths.
    fn estimate(&self, sum: &[(usize, f64)]) -> Estimate {
        let Some(strengths) = &self.strengths else {
            return Estimate::vague(f64::INFINITY);
        };
        let Strengths {
            of_players,
            covariance,
        } = strengths;
        let terms = sum.iter();
        let strength: f64 = terms
            .map(|&(player, weight)| weight * of_players[player])
            .sum();
        let mut variance = 0.0;
        for &(one, weight) in sum {
            for &(other, other_weight) in sum {
                variance += weight * other_weight * covariance[one][other];
            }
        }
        // Rounding can make the variance slightly negative.
        Estimate::around(
            ELO_PER_UNIT * strength,
            Z_95 * ELO_PER_UNIT * variance.max(0.0).sqrt(),
        )
    }

    /// Returns the likelihood of superiority (LOS): the probability that `one` is stronger.
    ///
    /// # Panics
    /// If a player is out of range.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let difference = self.difference(one, other);
        let error = difference.error();
        if error > 0.0 && error.is_finite() {
            normal_cdf(Z_95 * difference.value / error)
        } else {
            0.5
        }
    }

    /// Returns whether finished pairs of games connect all players, so that the ratings are known.
    pub fn are_known(&self) -> bool {
        self.strengths.is_some()
    }

    /// Returns the indices of the players, the strongest first. If the ratings are unknown, the
    /// player with most points is the first.
    pub fn ranking(&self) -> &[usize] {
        &self.ranking
    }
}

/// Returns the indices of `numbers`, that of the greatest number first.
fn highest_first(numbers: &[f64]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..numbers.len()).collect();
    indices.sort_by(|&one, &other| numbers[other].total_cmp(&numbers[one]));
    indices
}

/// Sums up the points of each player: 1 for a win and 0.5 for a draw.
fn points(players: usize, encounters: &[Encounter]) -> Vec<f64> {
    let mut sums = vec![0.0; players];
    for encounter in encounters {
        for (player, points) in encounter.players.into_iter().zip(encounter.points(0.0)) {
            sums[player] += points;
        }
    }
    sums
}

/// Returns the expected share of points of the first of two players.
fn expected_share([one, other]: [usize; 2], strengths: &[f64]) -> f64 {
    share_of_elo(ELO_PER_UNIT * (strengths[one] - strengths[other]))
}

/// Returns whether a chain of links leads from every player to every other player. For an
/// encounter, `links` returns whether it links the first player to the second, and the second to
/// the first.
///
/// If a link means that a player took points from an opponent, the result decides whether finite
/// ratings exist: for every split of the players into two groups, each group must have taken points
/// from the other.
/// Source: L. Ford, American Mathematical Monthly 64 (1957), 28–33.
fn is_connected(
    players: usize,
    encounters: &[Encounter],
    links: impl Fn(&Encounter) -> [bool; 2],
) -> bool {
    let mut leads_to = vec![vec![false; players]; players];
    for encounter in encounters {
        let [one, other] = encounter.players;
        let [forth, back] = links(encounter);
        leads_to[one][other] |= forth;
        leads_to[other][one] |= back;
    }
    // Transitive closure: Warshall's algorithm.
    for via in 0..players {
        for one in 0..players {
            for other in 0..players {
                leads_to[one][other] |= leads_to[one][via] && leads_to[via][other];
            }
        }
    }
    (0..players).all(|one| (0..players).all(|other| one == other || leads_to[one][other]))
}

/// Maximum likelihood by Newton's method. Returns the likeliest strengths, with mean 0, and the
/// pseudo-inverse of the Fisher information. Each encounter counts `draws` additional draws.
/// The change of a strength in one step is limited: far from the solution, full steps overshoot.
fn likeliest(players: usize, encounters: &[Encounter], draws: f64) -> (Vec<f64>, Matrix) {
    const MAX_STEPS: usize = 100;
    /// Maximum change in one step, in natural units.
    const MAX_CHANGE: f64 = 1.0;
    /// Accuracy in natural units, about a millionth of an Elo.
    const PRECISION: f64 = 1e-8;
    let mut strengths = vec![0.0; players];
    let mut inverse = Matrix::new();
    for _ in 0..MAX_STEPS {
        let (gradient, information) = derivatives(&strengths, encounters, draws);
        inverse = pseudo_inverse(information);
        let terms = |row: &Vec<f64>| row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
        let steps: Vec<f64> = inverse.iter().map(terms).collect();
        let largest = steps
            .iter()
            .fold(0.0_f64, |most, step| most.max(step.abs()));
        if largest < PRECISION {
            break;
        }
        let scale = (MAX_CHANGE / largest).min(1.0);
        for (strength, step) in strengths.iter_mut().zip(steps) {
            *strength += scale * step;
        }
    }
    (strengths, inverse)
}

/// Returns the gradient of the log-likelihood and its Fisher information, a Laplacian.
fn derivatives(strengths: &[f64], encounters: &[Encounter], draws: f64) -> (Vec<f64>, Matrix) {
    let mut gradient = vec![0.0; strengths.len()];
    let weights = encounters.iter().map(|encounter| {
        let [one, other] = encounter.players;
        let points = encounter.points(draws);
        let games = points[0] + points[1];
        let share = expected_share(encounter.players, strengths);
        let surplus = points[0] - games * share;
        gradient[one] += surplus;
        gradient[other] -= surplus;
        (encounter.players, games * share * (1.0 - share))
    });
    let information = laplacian(strengths.len(), weights);
    (gradient, information)
}

/// Returns Σ weight · (e₁ − e₂)(e₁ − e₂)ᵀ over pairs of players with the unit vectors e₁ and e₂.
fn laplacian(players: usize, weights: impl Iterator<Item = ([usize; 2], f64)>) -> Matrix {
    let mut laplacian = vec![vec![0.0; players]; players];
    for ([one, other], weight) in weights {
        laplacian[one][one] += weight;
        laplacian[other][other] += weight;
        laplacian[one][other] -= weight;
        laplacian[other][one] -= weight;
    }
    laplacian
}

/// Estimates the variance of the likelihood's gradient from the pairs' deviations from expectation.
/// Returns `None` if there are no more pairs than free strengths, or no deviation at all.
fn variance_of_gradient(strengths: &[f64], encounters: &[Encounter]) -> Option<Matrix> {
    let pairs = pair_count(encounters) as f64;
    // The mean of the strengths is fixed, so the number of free strengths is one less.
    let freedom = pairs - (strengths.len() as f64 - 1.0);
    if freedom <= 0.0 {
        return None;
    }
    let weights = encounters.iter().map(|encounter| {
        let expected = expected_share(encounter.players, strengths);
        let counts = encounter.tally.pairs.into_iter().zip(SHARES);
        // The factor 2 converts a share to points: a pair has two points.
        let square = counts.map(|(count, share)| count as f64 * (2.0 * (share - expected)).powi(2));
        (encounter.players, square.sum::<f64>() * pairs / freedom)
    });
    let squares: Vec<_> = weights.collect();
    let deviates = squares.iter().any(|(_, square)| *square > 0.0);
    deviates.then(|| laplacian(strengths.len(), squares.into_iter()))
}

fn pair_count(encounters: &[Encounter]) -> u64 {
    let counts = encounters
        .iter()
        .map(|encounter| encounter.tally.pair_count());
    counts.sum()
}

#[cfg(test)]
mod tests;
