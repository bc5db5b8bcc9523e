//! What a client without manners says, from a seeded generator.
//!
//! `cargo test` runs a little of it with a fixed seed; the long runs, which are ignored, have a seed of their own, which they
//! print. `EMILIA_ATTACK_SEED` repeats one.

#![allow(dead_code, reason = "each test of the whole uses its own part")]

use std::ops::RangeInclusive;

use fastrand::Rng;

use crate::common::Process;

/// The seed of the long runs.
pub(crate) fn long_seed() -> u64 {
    let given = std::env::var("EMILIA_ATTACK_SEED").ok();
    let seed = given.and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("EMILIA_ATTACK_SEED={seed}");
    seed
}

/// Bytes without an end of line, without digits, which would be the number of a command, without `)`, with which a game in
/// GGF may be whole, and without `o`: in a million of these lines ` go` stands about once, which UCI obeys.
pub(crate) fn garbage(random: &mut Rng, length: RangeInclusive<usize>) -> Vec<u8> {
    let length = random.usize(length);
    let bytes = std::iter::repeat_with(|| random.u8(..));
    bytes
        .filter(|byte| !matches!(byte, b'\n' | b')' | b'o' | b'0'..=b'9'))
        .take(length)
        .collect()
}

/// One of these.
pub(crate) fn one_of<'a>(random: &mut Rng, words: &[&'a str]) -> &'a str {
    random.choice(words).copied().unwrap_or_default()
}

/// A number that is one, or nearly.
pub(crate) fn number(random: &mut Rng) -> String {
    match random.u32(..8) {
        0 => "-1".to_owned(),
        1 => "nan".to_owned(),
        2 => "1e99".to_owned(),
        3 => "99999999999999999999".to_owned(),
        4 => String::new(),
        5 => "0".to_owned(),
        6 => format!("{:.3}", random.f64()),
        _ => random.u32(..70).to_string(),
    }
}

/// Writes `bytes` in one go, or in pieces with pauses between them.
pub(crate) fn send(random: &mut Rng, engine: &mut Process, bytes: &[u8]) {
    let pieces = if random.bool() { 1 } else { random.usize(1..6) };
    let mut rest = bytes;
    for _ in 1..pieces {
        let (piece, later) = rest.split_at(random.usize(..=rest.len()));
        engine.send_bytes(piece);
        std::thread::yield_now();
        rest = later;
    }
    engine.send_bytes(rest);
}
