//! Tests of the GGS client. `transcripts` feeds lines to a session in the harness of `desk`.
//! `links` runs sessions over sockets against the mock server in `server`.

mod desk;
mod links;
pub(crate) mod server;
mod transcripts;

use super::GgsOptions;
use server::USER;

/// Returns options with which the client does not request matches.
fn options() -> GgsOptions {
    GgsOptions {
        user: USER.to_owned(),
        ask: None,
    }
}
