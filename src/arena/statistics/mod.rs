//! What the results of a match allow to say: strength with its error, and when to stop.
//!
//! Everything counts in pairs: two games from one opening, one with each colour. The games of a pair share their opening,
//! so they are not independent, but pairs are; their five possible results (0, ½, 1, 1½, 2 points) make the pentanomial
//! statistics of M. Van den Bergh, "Normalized Elo" (2020). The ratings of a tournament count in pairs too.

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
pub use sprt::{BadSprt, Decision, EloModel, MOST_ELO, Sprt, SprtState};
pub use summary::{Estimate, Summary};
pub use tally::PairTally;
