//! The reference rules that the tests of the fast routines share.

pub(super) mod reference;
