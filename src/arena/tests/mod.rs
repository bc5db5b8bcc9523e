//! Laws of the log, the records, the openings and the clocks of a match.

mod openings;
mod record;
