//! Tests of the log, game records, openings, clocks, pairings, adjudication and tuning.

mod adjudication;
mod openings;
mod record;
mod spsa;
mod swiss;
