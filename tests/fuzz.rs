//! Checks the laws of the fuzz targets (`tests/fuzz/src/laws`) without libFuzzer.
//! The inputs are the seeds, the findings, and random mutations of the seeds.
//! `tests/fuzz/README.md` explains the fuzzer.

#[path = "fuzz/src/laws/mod.rs"]
mod laws;

use std::fs;
use std::ops::Range;
use std::panic::catch_unwind;

use fastrand::Rng;
use laws::{Law, TARGETS};

/// Folder of the fuzzer.
const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz");

/// Reads the files in `tests/fuzz/FOLDER/TARGET`, sorted by name. A missing folder has no files.
fn inputs(folder: &str, target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(format!("{FUZZ}/{folder}/{target}"));
    let files = files.into_iter().flatten();
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let bytes = |path| fs::read(path).expect("a file that can be read");
    paths.into_iter().map(bytes).collect()
}

/// Returns a random part of `bytes`, in 3 of 4 cases at most 12 bytes long.
fn part(random: &mut Rng, bytes: &[u8]) -> Range<usize> {
    let start = random.usize(..=bytes.len());
    let longest = if random.u8(..4) == 0 { bytes.len() } else { 12 };
    let end = start + random.usize(..=longest);
    start..end.min(bytes.len())
}

/// Applies one random mutation: inserts a part of a seed, once or often, deletes the rest, or
/// overwrites a part with nothing, random bytes, or one flipped bit.
fn mutate(random: &mut Rng, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.usize(..=bytes.len());
    let place = part(random, bytes);
    match random.u8(..8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(place)),
        2 => bytes[place].fill_with(|| random.u8(..)),
        3 if at < bytes.len() => bytes[at] ^= 1 << random.u8(..8),
        _ => {
            let other = random.choice(seeds).expect("a seed");
            let copy = &other[part(random, other)];
            let is_often = copy.len() <= 12 && random.u8(..8) == 0;
            let times = if is_often { random.usize(..400) } else { 1 };
            let copy = copy.repeat(times);
            bytes.splice(at..at, copy);
        }
    }
}

/// Returns a random seed with one to four mutations.
fn mutant(random: &mut Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.choice(seeds).expect("a seed").clone();
    for _ in 0..random.u8(1..=4) {
        mutate(random, &mut bytes, seeds);
    }
    // Parsers refuse binary bytes at once, so 3 of 4 mutants of texts get spaces in their place.
    let is_text = |input: &Vec<u8>| emilia_files::first_binary(input).is_none();
    if seeds.iter().all(is_text) && random.u8(..4) > 0 {
        while let Some((at, _)) = emilia_files::first_binary(&bytes) {
            bytes[at] = b' ';
        }
    }
    bytes
}

/// Asserts that `law` holds for all inputs. Prints those for which it does not.
fn assert_holds(target: &str, law: Law, inputs: impl Iterator<Item = Vec<u8>>) {
    let fails = |bytes: &Vec<u8>| catch_unwind(|| law(bytes)).is_err();
    let failed: Vec<String> = inputs
        .filter(fails)
        .map(|bytes| bytes.escape_ascii().to_string())
        .collect();
    assert!(failed.is_empty(), "{target}: {failed:#?}");
}

/// Returns the number of mutants of `target` in a run: fewer if each takes long.
fn mutants(target: &str) -> u64 {
    match target {
        // Unpacks megabytes and runs a search.
        "weights" => 10,
        // Starts an engine, or opens a database.
        "gtp" | "nboard" | "uci" | "cassio" | "books" => 100,
        // Writes a file.
        "training" | "checkpoints" | "logs" => 200,
        _ => 1_000,
    }
}

#[test]
fn laws_hold_for_seeds_and_findings() {
    for (target, law) in TARGETS {
        let inputs = ["seeds", "findings"].map(|folder| inputs(folder, target));
        assert_holds(target, law, inputs.into_iter().flatten());
    }
}

#[test]
fn laws_hold_for_mutants() {
    for (target, law) in TARGETS {
        let seeds = inputs("seeds", target);
        // The number of a mutant is its random seed.
        let mutant = |number| mutant(&mut Rng::with_seed(number), &seeds);
        assert_holds(target, law, (0..mutants(target)).map(mutant));
    }
}
