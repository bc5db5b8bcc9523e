//! Random input for protocol tests, from a seeded generator.
//!
//! Tests of `cargo test` use a fixed seed. Tests marked `#[ignore]` draw a seed and print it.
//! The environment variable `EMILIA_ATTACK_SEED` repeats a long run.

use std::ops::RangeInclusive;

use fastrand::Rng;

use crate::common::Process;

/// Returns the random seed of a long run: `EMILIA_ATTACK_SEED` if set, else a new one. Prints it.
pub(crate) fn long_seed() -> u64 {
    let given = std::env::var("EMILIA_ATTACK_SEED").ok();
    let seed = given.and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("EMILIA_ATTACK_SEED={seed}");
    seed
}

/// Returns random bytes that form no valid command.
///
/// Excludes line ends, digits (a GTP command number) and `)` (the end of a GGF game).
/// Excludes `o`, because UCI skips unknown words, so that garbage with ` go` would start a search.
pub(crate) fn garbage(random: &mut Rng, length: RangeInclusive<usize>) -> Vec<u8> {
    let length = random.usize(length);
    let bytes = std::iter::repeat_with(|| random.u8(..));
    bytes
        .filter(|byte| !matches!(byte, b'\n' | b')' | b'o' | b'0'..=b'9'))
        .take(length)
        .collect()
}

/// Returns a random word of `words`, or `""` if there is none.
pub(crate) fn one_of<'a>(random: &mut Rng, words: &[&'a str]) -> &'a str {
    random.choice(words).copied().unwrap_or_default()
}

/// Returns a number as text: valid, out of range, malformed or empty.
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

/// Writes `bytes` to the engine at once, or in up to 5 pieces with a thread yield between them.
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
