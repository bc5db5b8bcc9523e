//! Laws of the log, the records, the openings, the clocks, the pairings and the early
//! ends of a match, and of tuned values.

mod adjudication;
mod openings;
mod record;
mod spsa;
mod swiss;
