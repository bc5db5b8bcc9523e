//! Tests of the block format: round trip and damaged data.

use super::*;

/// Reads blocks until the end or the first error. Returns the blocks, and the error with its byte
/// offset.
fn read(bytes: &[u8]) -> (Vec<Block>, Option<(u64, String)>) {
    let mut reader = BlockReader::new(bytes);
    let mut blocks = Vec::new();
    loop {
        match reader.read() {
            Ok(Some(block)) => blocks.push(block),
            Ok(None) => return (blocks, None),
            Err(error) => return (blocks, Some((reader.offset(), error.to_string()))),
        }
    }
}

#[test]
fn blocks_round_trip_and_errors_are_distinguished() {
    let games = blocks(&run(300, "1/1"), 1);
    let positions = blocks(&roots(70, Some(RootSampling::Branch)), 1);
    let all = [games, positions].concat();
    let written: Vec<Vec<u8>> = all.iter().map(Block::to_bytes).collect();
    let bytes = written.concat();
    assert_eq!(read(&bytes), (all.clone(), None));

    let mut at = 0;
    for (number, block) in written.iter().enumerate() {
        let fault = |what: &str| (all[..number].to_vec(), Some((at as u64, what.to_owned())));
        for cut in [1, 7, 8, 79, 80, block.len() - 1] {
            assert_eq!(
                read(&bytes[..at + cut]),
                fault("the last block is truncated"),
                "cut at {cut}"
            );
        }
        let damaged = fault("checksum mismatch: the block is damaged");
        for byte in (8..block.len()).step_by(97) {
            let mut bytes = bytes.clone();
            bytes[at + byte] ^= 1 << (byte % 8);
            assert_eq!(read(&bytes), damaged, "byte {byte} of block {number}");
        }
        let mut foreign = bytes.clone();
        foreign[at] = b'X';
        assert_eq!(
            read(&foreign),
            fault("expected a block of training data, found other data")
        );
        at += block.len();
    }
}

#[test]
fn invalid_position_records_are_refused() {
    let one = |units, is_exact| LabelledPosition {
        board: Board::START.play(Square::F5),
        label: SearchValue {
            value: Value::from_units(units),
            is_exact,
        },
        sampling: RootSampling::Leaf,
    };
    for (units, is_exact) in [(-2048, true), (2047, false), (-1, false), (0, true)] {
        let whole = one(units, is_exact);
        assert_eq!(LabelledPosition::from_bytes(whole.to_bytes()), Some(whole));
    }
    let not_whole_discs = one(33, true).to_bytes();
    assert_eq!(LabelledPosition::from_bytes(not_whole_discs), None);
    // Damages in turn the high byte of the label, the sampling, and a bit of the discs of both
    // sides, so that a disc of the side to move is missing among these.
    for (byte, bit) in [(17, 0x40), (18, 0x02), (7, 0x80)] {
        let mut bytes = one(-1, false).to_bytes();
        bytes[byte] ^= bit;
        assert_eq!(LabelledPosition::from_bytes(bytes), None, "byte {byte}");
    }
}
