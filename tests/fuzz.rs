//! Checks the laws of the fuzz targets (`tests/fuzz/src/laws`) without libFuzzer.
//! The inputs are the seeds, the findings, and random mutations of the seeds.
//! `tests/fuzz/README.md` explains the fuzzer.

#[path = "fuzz/src/laws/mod.rs"]
mod laws;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use fastrand::Rng;
use laws::{Law, TARGETS};

/// Input bytes for a fuzz target.
struct Input {
    /// Path of the file with the bytes.
    name: String,
    bytes: Vec<u8>,
}

/// Reads the files in `tests/fuzz/FOLDER/TARGET`, sorted by name. A missing folder has no files.
fn inputs(folder: &str, target: &str) -> Vec<Input> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let files = fs::read_dir(fuzz.join(folder).join(target))
        .into_iter()
        .flatten();
    let mut inputs: Vec<Input> = files
        .map(|file| file.expect("a file of the folder").path())
        .map(|path| Input {
            bytes: fs::read(&path).expect("a file that can be read"),
            name: path.display().to_string(),
        })
        .collect();
    inputs.sort_by(|one, other| one.name.cmp(&other.name));
    inputs
}

/// Returns the words of the fuzzer's dictionary, which mutations insert.
fn words() -> Vec<Vec<u8>> {
    let lines = include_str!("fuzz/words.dict").lines();
    let quoted = lines.filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

/// Decodes the escapes of a dictionary word: `\\`, `\"` and `\xHH`.
fn unescaped(word: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let length = if after.starts_with('x') { 3 } else { 1 };
        let (escape, after) = after.split_at(length);
        bytes.push(match escape.strip_prefix('x') {
            Some(digits) => u8::from_str_radix(digits, 16).expect("two hexadecimal digits"),
            None => escape.as_bytes()[0],
        });
        rest = after;
    }
    bytes.extend(rest.bytes());
    bytes
}

/// Returns a random range of `bytes`, in 3 of 4 cases at most 12 bytes long.
fn part(random: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let start = random.usize(..=bytes.len());
    let longest = if random.u8(..4) == 0 { bytes.len() } else { 12 };
    let end = start + random.usize(..=longest);
    start..end.min(bytes.len())
}

/// Applies one random mutation: changes, deletes, copies or inserts bytes, or splices another seed.
fn mutate(random: &mut Rng, bytes: &mut Vec<u8>, seeds: &[Input], words: &[Vec<u8>]) {
    let at = random.usize(..=bytes.len());
    match random.u8(..10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.u8(..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.u8(..);
            }
        }
        2 => drop(bytes.drain(part(random, bytes))),
        3 => {
            let copy = bytes[part(random, bytes)].to_vec();
            bytes.splice(at..at, copy);
        }
        4 => {
            let other = &random.choice(seeds).expect("a seed").bytes;
            let copy = other[part(random, other)].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => {
            let other = &random.choice(seeds).expect("a seed").bytes;
            let from = random.usize(..=other.len());
            bytes.truncate(at);
            bytes.extend(&other[from..]);
        }
        6 => bytes.truncate(at),
        7 => {
            let place = part(random, bytes);
            for byte in &mut bytes[place] {
                *byte = random.u8(..);
            }
        }
        _ => {
            let times = if random.u8(..8) == 0 {
                random.usize(..400)
            } else {
                1
            };
            let word = random.choice(words).expect("a word").repeat(times);
            bytes.splice(at..at, word);
        }
    }
}

/// Returns a random seed with one to four mutations.
fn mutant(random: &mut Rng, seeds: &[Input], words: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.choice(seeds).expect("a seed").bytes.clone();
    for _ in 0..random.u8(1..=4) {
        mutate(random, &mut bytes, seeds, words);
    }
    // Parsers refuse binary bytes at once, so 3 of 4 mutants of texts get spaces in their place.
    let is_text = |input: &Input| emilia_files::first_binary(&input.bytes).is_none();
    if seeds.iter().all(is_text) && random.u8(..4) > 0 {
        while let Some((at, _)) = emilia_files::first_binary(&bytes) {
            bytes[at] = b' ';
        }
    }
    bytes
}

/// Returns whether `law` holds for `bytes`; prints the bytes if not.
fn holds(law: Law, name: &str, bytes: &[u8]) -> bool {
    let held = catch_unwind(|| law(bytes)).is_ok();
    if !held {
        println!("{name}: b\"{}\"", bytes.escape_ascii());
    }
    held
}

/// Returns the time a mutant of `target` takes, relative to the fastest targets.
fn slowness(target: &str) -> u64 {
    match target {
        // Unpacks megabytes and runs a search.
        "weights" => 500,
        // Starts an engine, or opens a database.
        "gtp" | "nboard" | "uci" | "books" => 20,
        // Writes a file.
        "training" | "checkpoints" | "logs" => 5,
        _ => 1,
    }
}

/// Checks every law on `count` mutants, divided by the [`slowness`] of the target.
///
/// The number of a mutant is its random seed.
fn try_mutants(count: u64) {
    let words = words();
    let mut failed = Vec::new();
    for (target, law) in TARGETS {
        let seeds = inputs("seeds", target);
        assert!(!seeds.is_empty(), "{target} has no seeds");
        let count = count / slowness(target);
        for number in 0..count {
            let bytes = mutant(&mut Rng::with_seed(number), &seeds, &words);
            if !holds(law, &format!("{target}, mutant {number}"), &bytes) {
                failed.push((target, number));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn laws_hold_for_seeds_and_findings() {
    let mut failed = Vec::new();
    for (target, law) in TARGETS {
        for input in inputs("seeds", target)
            .into_iter()
            .chain(inputs("findings", target))
        {
            if !holds(law, &input.name, &input.bytes) {
                failed.push(input.name);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn laws_hold_for_mutants() {
    try_mutants(10_000);
}

#[test]
fn every_fuzz_target_has_a_law_and_seeds() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let names = |folder: &str| -> Vec<String> {
        let files = fs::read_dir(fuzz.join(folder)).expect("a folder");
        let stem = |file: fs::DirEntry| Some(file.path().file_stem()?.to_str()?.to_owned());
        let mut names: Vec<String> = files.filter_map(|file| stem(file.ok()?)).collect();
        names.sort();
        names
    };
    let mut targets = TARGETS.map(|(target, _)| target);
    targets.sort_unstable();
    assert_eq!(names("src/bin"), targets);
    assert_eq!(names("seeds"), targets);
}
