//! Laws of the log, the records, the openings, the clocks, the pairings and the early
//! ends of a match.

mod adjudication;
mod openings;
mod record;
mod swiss;
