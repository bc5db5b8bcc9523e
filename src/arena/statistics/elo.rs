//! Conversions between Elo and shares of points, and the normal distribution.

use std::f64::consts::{LN_10, SQRT_2};

/// 97.5 % quantile of the standard normal distribution: half the width of a 95 % interval, in
/// standard errors.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Normalised Elo per standard deviation. Normalised Elo measures a player's expected result minus
/// ½ in standard deviations of the result of one game. This factor makes normalised Elo equal to
/// logistic Elo if there are no draws and the players are about equally strong.
/// Source: Van den Bergh, "Normalized Elo" (2020).
pub(super) const ELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// Returns the expected share of points, 0 to 1, of a player who is `elo` stronger.
///
/// Source: A. Elo, "The Rating of Chessplayers" (1978), in the logistic form.
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the Elo advantage that gives this share of points, the inverse of [`share_of_elo`].
///
/// The result is −∞ for shares up to 0, and +∞ for shares from 1.
///
/// ```
/// use emilia_arena::statistics::elo_of_share;
/// assert_eq!(elo_of_share(0.5), 0.0);
/// assert_eq!(elo_of_share(0.75).round(), 191.0);
/// assert_eq!(elo_of_share(1.0), f64::INFINITY);
/// ```
pub fn elo_of_share(share: f64) -> f64 {
    if share <= 0.0 {
        f64::NEG_INFINITY
    } else if share >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (share / (1.0 - share)).log10()
    }
}

/// Returns the probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / SQRT_2) / 2.0
}
