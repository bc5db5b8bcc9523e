//! Protocol sessions under random input: floods, partial lines, binary bytes, misplaced commands.
//! The clients of `tests/clients` generate the input from a seed and check every answer.
//!
//! `cargo test` runs 100 to 200 rounds per protocol.
//! `cargo test --release --test cli -- attack:: --ignored` runs for minutes.

use crate::common::Process;
use crate::common::clients::{Client, GtpClient, HUGE, NBoardClient, UciClient};
use crate::common::wild::long_seed;
use fastrand::Rng;

/// Runs `rounds` rounds of random lines, then sends `half`, a line without its end.
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
fn gtp_answers_are_correct_under_random_input() {
    attack_gtp(1, 200);
}

#[test]
fn nboard_answers_are_correct_under_random_input() {
    attack_nboard(2, 100);
}

#[test]
fn uci_answers_are_correct_under_random_input() {
    attack_uci(3, 100);
}

#[test]
#[ignore = "minutes"]
fn gtp_answers_are_correct_under_random_input_for_minutes() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_gtp(seeds.u64(..), 2000);
    }
}

#[test]
#[ignore = "minutes"]
fn nboard_answers_are_correct_under_random_input_for_minutes() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_nboard(seeds.u64(..), 500);
    }
}

#[test]
#[ignore = "minutes"]
fn uci_answers_are_correct_under_random_input_for_minutes() {
    let mut seeds = Rng::with_seed(long_seed());
    for _ in 0..100 {
        attack_uci(seeds.u64(..), 500);
    }
}

#[test]
fn an_overlong_first_line_is_refused_and_the_session_goes_on() {
    let mut engine = Process::emilia(&["--hash", "1"]);
    engine.send(&"name ".repeat(HUGE / 5));
    assert_eq!(engine.answer(), "? line too long");
    assert_eq!(engine.gtp("name"), "= Emilia");
}

/// Returns the peak resident memory of a process in MiB.
#[cfg(target_os = "linux")]
fn peak_memory(engine: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.unwrap().parse::<u64>().unwrap() / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_flood_during_a_search_is_not_buffered_in_memory() {
    let mut engine = Process::emilia(&["gtp", "--time", "0.5", "--hash", "1"]);
    engine.ask("genmove b");
    let before = peak_memory(&engine);
    engine.send("1 genmove w");
    engine.send_bytes(&b"#\n".repeat(3_000_000));
    engine.send("2 name");
    engine.line_starting("=1 ");
    engine.line_starting("=2 ");
    let growth = peak_memory(&engine) - before;
    println!("peak memory {before} MiB before the flood, {growth} MiB more after it");
    assert!(growth < 40, "{before} MiB before, {growth} MiB more after");
}
