//! Tests of match records, openings, clocks, tournament pairings, adjudication, and tuning.

mod adjudication;
mod openings;
mod record;
mod spsa;
mod swiss;
