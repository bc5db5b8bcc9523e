//! Law of training data files: a block that is read, written and read again is equal.
//! Inputs: the bytes unchanged, with corrected checksums, and packed as records of a valid block.

use std::num::NonZero;

use emilia_train::{Block, BlockReader, PositionStream, Records};
use miniz_oxide::deflate::compress_to_vec;

use super::{assert_sentence, checksum, file_of};

/// Magic of each block format and the size of its records in bytes.
const KINDS: [(&[u8; 8], usize); 2] = [(b"EmiliaG2", 184), (b"EmiliaP2", 19)];

/// Size of a block header in bytes.
const HEADER: usize = 80;

/// Reads the bytes as blocks: unchanged, sealed and forged.
pub(super) fn law(bytes: &[u8]) {
    read(bytes);
    read(&sealed(bytes));
    read(&forged(bytes));
}

/// Reads the little-endian `u32` at `at`.
fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte])) as usize
}

/// Writes a little-endian checksum at `at`.
fn put(bytes: &mut [u8], at: usize, sum: u64) {
    bytes[at..at + 8].copy_from_slice(&sum.to_le_bytes());
}

/// Returns the same blocks with correct checksums.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    let mut at = 0;
    while let Some(block) = file.get_mut(at..)
        && block.len() >= HEADER
    {
        let end = HEADER.saturating_add(number(block, 24)).min(block.len());
        let packed = checksum(&block[HEADER..end]);
        put(block, 16, packed);
        let header = checksum(&block[16..HEADER]);
        put(block, 8, header);
        at += end;
    }
    file
}

/// Returns a valid block made of the bytes: one selects the format, then header, then records.
fn forged(bytes: &[u8]) -> Vec<u8> {
    let Some((&kind, rest)) = bytes.split_first() else {
        return Vec::new();
    };
    let (magic, size) = KINDS[usize::from(kind) % KINDS.len()];
    let Some((header, rest)) = rest.split_at_checked(HEADER) else {
        return Vec::new();
    };
    let count = rest.len() / size;
    let mut file = header.to_vec();
    file[..8].copy_from_slice(magic);
    let planes = (0..size).flat_map(|at| (0..count).map(move |record| rest[record * size + at]));
    let packed = compress_to_vec(&planes.collect::<Vec<_>>(), 1);
    file[24..28].copy_from_slice(&(packed.len() as u32).to_le_bytes());
    file[28..32].copy_from_slice(&(count as u32).to_le_bytes());
    file.extend(packed);
    sealed(&file)
}

fn read(bytes: &[u8]) {
    let mut reader = BlockReader::new(bytes);
    let mut failed = false;
    while !failed {
        match reader.read() {
            Ok(Some(block)) => {
                use_records(&block);
                assert_written_and_read_back(&block);
            }
            Ok(None) => break,
            Err(error) => {
                assert_sentence(&error);
                failed = true;
            }
        }
    }
    assert!(reader.offset() <= bytes.len() as u64);
    stream(bytes, failed);
}

fn assert_written_and_read_back(block: &Block) {
    let written = block.to_bytes();
    let mut reader = BlockReader::new(&written[..]);
    let again = reader.read().expect("a whole block").expect("a block");
    assert_eq!(again, *block);
    assert!(reader.read().expect("the end").is_none());
}

fn use_records(block: &Block) {
    match &block.records {
        Records::Games(games) => {
            for game in games {
                let plies = game.plies();
                assert!(game.moves().count() <= 60);
                assert_eq!(game.labelled(0.5).is_some(), plies.is_some());
                for ply in plies.unwrap_or_default() {
                    assert!(ply.board.can_move());
                }
            }
        }
        Records::Positions(positions) => {
            for one in positions {
                assert!((one.board.player & one.board.opponent).is_empty());
                assert!((-64.0..=64.0).contains(&one.label.value.discs()));
            }
        }
    }
}

/// Opens the bytes as a training stream, whose result must agree with `failed` of the block reader.
///
/// [`PositionStream`] reads the file twice: to index its blocks and to load them.
fn stream(bytes: &[u8], failed: bool) {
    let file = file_of(bytes);
    let threads = NonZero::<usize>::MIN;
    match PositionStream::open(vec![file.to_path_buf()], 0.5, 1, &|_| ()) {
        Ok(stream) => {
            assert!(!failed);
            stream.held_out(threads).expect("blocks that were read");
            for pool in 0..stream.pool_count() {
                let positions = stream.pool(0, pool, threads);
                positions.expect("blocks that were read");
            }
        }
        Err(error) => {
            assert!(failed);
            assert_sentence(&error);
        }
    }
}
