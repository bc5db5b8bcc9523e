//! Slow reference implementation of the rules, for tests of the fast routines.

pub(super) mod reference;
