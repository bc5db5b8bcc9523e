//! Statistics of match results: strength with its error, ratings, and the sequential test.
//!
//! The unit is a pair: two games from one opening with colours swapped.
//! Games of a pair share their opening and are therefore not independent, but pairs are.
//! The five possible results of a pair (0, ½, 1, 1½, 2 points) form a pentanomial distribution.
//! Source: M. Van den Bergh, "Normalized Elo" (2020).
//!
//! Reading order: `tally` counts pairs, `elo` converts shares of points to Elo.
//! `summary` computes the figures of a match with their errors, and `sprt` decides when to stop.
//! `ratings` estimates the strengths of several players, with the help of `matrix`.

mod elo;
mod matrix;
mod ratings;
mod sprt;
mod summary;
mod tally;
#[cfg(test)]
mod tests;

pub use elo::{elo_of_share, normal_cdf, share_of_elo};
pub use ratings::{Encounter, Ratings};
pub use sprt::{Decision, MAX_ELO, Sprt, SprtState};
pub use summary::{Estimate, MatchSummary};
pub use tally::PairTally;
