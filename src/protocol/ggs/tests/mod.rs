//! Tests of the client: `transcripts` feeds lines to a session, which `desk` holds, and `links` plays
//! over sockets. Both use the mock server of `server`.

mod desk;
mod links;
pub(crate) mod server;
mod transcripts;

use std::time::Duration;

use super::{GgsOptions, Rules};
use server::USER;

/// Options that accept everything that Emilia plays.
fn options() -> GgsOptions {
    GgsOptions {
        user: USER.to_owned(),
        rules: Rules {
            types: ["8", "s8", "s8r"]
                .map(|kind| kind.parse().unwrap())
                .to_vec(),
            rating: [0.0, 4000.0],
            clock: [Duration::from_secs(1), Duration::from_secs(100_000)],
            rated: None,
        },
        ask: None,
    }
}
