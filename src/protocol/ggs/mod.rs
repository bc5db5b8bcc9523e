//! The Generic Game Server (GGS), service `/os`: a client that plays without a user.
//!
//! Source: behaviour of the public server and of its clients.
//! The server is the referee. Its boards and clocks are trusted, its moves are checked.
//! Chat is never read, so no other login can command the client.
//!
//! Reading order:
//! - `terms`: types and clocks of the matches that are accepted.
//! - `message`: requests and boards, from the lines of the server.
//! - `session`: the state machine. Lines and times go in, actions and due searches come out.
//! - `driver`: socket, searches, output and Ctrl-C of a session.

mod clock;
mod driver;
mod message;
mod session;
mod terms;
#[cfg(test)]
mod tests;

pub use clock::parse_clock;
pub use driver::{Environment, Keep, play};
pub use session::GgsOptions;
pub use terms::is_played;
