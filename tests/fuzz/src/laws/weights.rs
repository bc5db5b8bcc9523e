//! Law of weights files: weights that are accepted must work in a search.
//! Inputs: the bytes unchanged, and valid weights with changes and a correct checksum.

use std::sync::Arc;

use emilia_core::eval::{Net, NetWeights};
use emilia_core::search::{Engine, Limits, Settings, Silent};
use emilia_core::{Board, Position};

use super::{assert_sentence, checksum};

/// The embedded net weights.
const NET: &[u8] = NetWeights::EMBEDDED;

/// Header size of net weights in bytes. The last 8 bytes are the checksum.
const NET_HEADER: usize = 35;

/// Transcript of a midgame position.
const MIDGAME: &str = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3";
/// Position with 14 empties.
const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

/// Reads the bytes as weights, or as changes to valid weights if the first byte is 0 or 1.
pub(super) fn law(bytes: &[u8]) {
    read(bytes);
    // A whole file takes a second under the fuzzer, so only 2 of 256 first bytes select one.
    match bytes.split_first() {
        Some((0, changes)) => read(&patched(NET, changes)),
        Some((1, changes)) => read(&sealed_net(changes)),
        _ => {}
    }
}

/// Applies `changes` to a file and leaves its checksum as it is.
///
/// A change has five bytes: position (3, little-endian), length (1) and addend of each byte (1).
fn patched(file: &[u8], mut changes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    while let Some((&[low, middle, high, count, value], rest)) = changes.split_first_chunk() {
        let at = u32::from_le_bytes([low, middle, high, 0]) as usize % file.len();
        for byte in file[at..].iter_mut().take(count.into()) {
            *byte = byte.wrapping_add(value);
        }
        changes = rest;
    }
    file
}

/// Returns the embedded net with `changes` and a correct checksum, in the form of the previous
/// version, with the checksum of the bytes that follow.
fn sealed_net(changes: &[u8]) -> Vec<u8> {
    let weights = patched(&NET[NET_HEADER..], changes);
    let mut file = NET[..NET_HEADER - 8].to_vec();
    file[7] = b'3';
    file.extend(checksum(&weights).to_le_bytes());
    file.extend(weights);
    file
}

/// Reads weights and, if they are accepted, searches two positions with them.
fn read(file: &[u8]) {
    let weights = match NetWeights::from_bytes(file) {
        Ok(weights) => weights,
        Err(error) => return assert_sentence(&error),
    };
    let mut settings = Settings::default().with_evaluator(Net::new(Arc::new(weights)));
    settings.hash_mib = 1;
    let mut engine = Engine::new(settings);
    for position in [MIDGAME, ENDGAME] {
        let position: Position = position.parse().expect("a position");
        let board: Board = position.board;
        let line = engine.search(&board, &Limits::nodes(2000), &mut Silent);
        let mv = line.best_move().expect("a move");
        assert!(position.play(mv).is_ok());
        assert!((-64.0..=64.0).contains(&line.value.discs()), "{line:?}");
    }
}
