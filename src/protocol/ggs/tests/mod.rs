//! Tests of the client: `transcripts` feeds lines to a session, which `desk` holds, and `links` plays
//! over sockets. Both use the mock server of `server`.

mod desk;
mod links;
pub(crate) mod server;
mod transcripts;

use super::GgsOptions;
use server::USER;

/// Returns options of a client that requests no matches.
fn options() -> GgsOptions {
    GgsOptions {
        user: USER.to_owned(),
        ask: None,
    }
}
