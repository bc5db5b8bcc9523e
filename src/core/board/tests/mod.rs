//! What the tests of the fast routines share.

pub(super) mod reference;
