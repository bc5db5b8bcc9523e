//! Clients that do what no client should: floods, half lines, bytes that are no text, commands in any order. What they say
//! comes from a seeded generator; a game that is kept beside the session tells what must be answered (`tests/clients`).
//!
//! `cargo test` plays a few rounds. `cargo test --release --test attack -- --ignored` goes on for some minutes.

mod clients;
mod common;
mod wild;

use clients::{Client, GtpClient, HUGE, NBoardClient, UciClient};
use common::Process;
use fastrand::Rng;
use wild::long_seed;

/// Lines of any kind, and an end in the middle of one.
fn attack<C: Client>(arguments: &[&str], seed: u64, rounds: usize, half: &[u8]) -> C {
    let mut client = C::new(Process::emilia(arguments), seed);
    for _ in 0..rounds {
        let count = client.random().choice([1, 1, 3, 30]).unwrap_or(1);
        client.talk(count);
    }
    client.engine().send_bytes(half);
    client
}

fn attack_gtp(seed: u64, rounds: usize) {
    let mut client: GtpClient = attack(GtpClient::arguments(), seed, rounds, b"0 showbo");
    assert_eq!(client.engine.finish(), ["?0 unknown command", ""]);
}

fn attack_nboard(seed: u64, rounds: usize) {
    for more in [&[][..], &["--ponder"]] {
        let arguments = [NBoardClient::arguments(), more].concat();
        let mut client: NBoardClient = attack(&arguments, seed, rounds, b"set game (;GM[Oth");
        client.engine.finish();
    }
}

fn attack_uci(seed: u64, rounds: usize) {
    let mut client: UciClient = attack(UciClient::arguments(), seed, rounds, b"isread");
    let rest = client.engine.finish();
    assert_eq!(rest, ["info string unknown command 'isread'"]);
}

#[test]
fn a_wild_client_of_gtp() {
    attack_gtp(1, 200);
}

#[test]
fn a_wild_client_of_nboard() {
    attack_nboard(2, 100);
}

#[test]
fn a_wild_client_of_uci() {
    attack_uci(3, 100);
}

#[test]
#[ignore = "minutes"]
fn a_wild_client_of_gtp_for_long() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_gtp(seeds.u64(..), 2000);
    }
}

#[test]
#[ignore = "minutes"]
fn a_wild_client_of_nboard_for_long() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_nboard(seeds.u64(..), 500);
    }
}

#[test]
#[ignore = "minutes"]
fn a_wild_client_of_uci_for_long() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_uci(seeds.u64(..), 500);
    }
}

#[test]
fn a_first_line_that_is_too_long_is_told_so() {
    let mut engine = Process::emilia(&["--hash", "1"]);
    engine.send(&"name ".repeat(HUGE / 5));
    assert_eq!(engine.answer(), "? line too long");
    assert_eq!(engine.gtp("name"), "= Emilia");
}

/// The most memory that a process has used, in MiB.
#[cfg(target_os = "linux")]
fn peak_memory(engine: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_during_a_search_waits_outside() {
    let mut engine = Process::emilia(&["gtp", "--time", "0.5", "--hash", "1"]);
    engine.ask("genmove b");
    let before = peak_memory(&engine);
    engine.send("1 genmove w");
    engine.send_bytes(&b"#\n".repeat(3_000_000));
    engine.send("2 name");
    engine.line_starting("=1 ");
    engine.line_starting("=2 ");
    let growth = peak_memory(&engine) - before;
    println!("{before} MiB and {growth} more");
    assert!(growth < 40, "{before} MiB and {growth} more");
}
