//! Tests of the block format: round trips, damaged blocks, and earlier versions.

use super::*;
use crate::files::checksum;

/// Reads all blocks, up to the first error. Returns it with its byte offset.
fn read(bytes: &[u8]) -> (Vec<Block>, Option<(u64, String)>) {
    let mut reader = BlockReader::new(bytes);
    let mut blocks = Vec::new();
    while let Some(block) = reader.next() {
        match block {
            Ok(block) => blocks.push(block),
            Err(error) => return (blocks, Some((reader.offset(), error.to_string()))),
        }
    }
    (blocks, None)
}

#[test]
fn blocks_round_trip_and_errors_are_distinguished() {
    let games = blocks(&run(300, 1, "1/1"));
    let positions = blocks(&roots(70, 1, Some(RootSampling::Branch)));
    let labels = super::positions(&positions)
        .into_iter()
        .map(|one| one.label);
    let in_parts = |label: SearchValue| label.value.units() % Value::PER_DISC != 0;
    assert!(labels.clone().any(in_parts) && labels.clone().any(|label| label.is_exact));
    let all = [games, positions].concat();
    let written: Vec<Vec<u8>> = all.iter().map(Block::to_bytes).collect();
    let bytes = written.concat();
    assert_eq!(read(&bytes), (all.clone(), None));
    assert!(written[0].len() < 256 * 192, "more than 192 bytes per game");

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
        for byte in 8..block.len() {
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

/// Builds a version 1 block of games, which have no values.
fn block_v1(games: &[[u8; 64]]) -> Vec<u8> {
    let mut rest = (games.len() as u32).to_le_bytes().to_vec();
    rest.extend([4, 12, 8, 55]);
    for number in [7_u64, 8, 9, 10] {
        rest.extend(number.to_le_bytes());
    }
    rest.resize(48, 0);
    rest.extend(games.concat());
    [
        b"EmiliaG1".to_vec(),
        checksum(&rest).to_le_bytes().to_vec(),
        rest,
    ]
    .concat()
}

#[test]
fn version_1_games_are_labelled_with_the_final_score() {
    let mut game = [64; 64];
    for (to, square) in game.iter_mut().zip(squares("e6f4e3f6g5d6e7f5c5")) {
        *to = square.index() as u8;
    }
    game[60..].copy_from_slice(&[2, 64, 4, 12]);
    let bytes = block_v1(&[game, game]);
    let (found, fault) = read(&bytes);
    assert_eq!(fault, None);
    let expected = Origin {
        seed: 7,
        engine: 8,
        nodes: 9,
        depth: 4,
        exact: 12,
        random_plies: (8, 55),
        ..Origin::default()
    };
    assert_eq!(
        (found[0].origin, found[0].first, found[0].span),
        (expected, 10, 2)
    );
    for game in games(&found) {
        let labels: Vec<f32> = game
            .labelled(0.5)
            .unwrap()
            .iter()
            .map(|one| one.1)
            .collect();
        assert_eq!(labels, [64.0, -64.0, 64.0, -64.0, 64.0, -64.0, 64.0]);
        assert_eq!((game.random_plies(), game.score()), (2, 64));
    }
    assert_eq!(
        read(&bytes[..bytes.len() - 1]).1.unwrap().1,
        "the last block is truncated"
    );
    let mut damaged = bytes;
    damaged[100] ^= 1;
    assert!(read(&damaged).1.unwrap().1.contains("damaged"));
}

/// Builds a version 1 block of positions: discs of both sides, score, sampling, in byte planes.
fn block_of_positions_v1(positions: &[[u8; 18]]) -> Vec<u8> {
    let planes = (0..18).flat_map(|at| positions.iter().map(move |position| position[at]));
    let packed = miniz_oxide::deflate::compress_to_vec(&planes.collect::<Vec<u8>>(), 6);
    let mut rest = checksum(&packed).to_le_bytes().to_vec();
    rest.extend((packed.len() as u32).to_le_bytes());
    rest.extend((positions.len() as u32).to_le_bytes());
    rest.extend([6, 0, 4, 40, 8, 16, RootSampling::Branch as u8 + 1, 0]);
    for number in [7_u64, 8, 0, 10, 64] {
        rest.extend(number.to_le_bytes());
    }
    let magic = b"EmiliaP1".to_vec();
    [magic, checksum(&rest).to_le_bytes().to_vec(), rest, packed].concat()
}

#[test]
fn version_1_positions_have_exact_labels() {
    let board = Board::START.play(Square::F5);
    let position = |player: u64, opponent: u64, score: i8| {
        let mut bytes = [0; 18];
        bytes[..8].copy_from_slice(&player.to_le_bytes());
        bytes[8..16].copy_from_slice(&opponent.to_le_bytes());
        bytes[16..].copy_from_slice(&[score as u8, RootSampling::Branch as u8]);
        bytes
    };
    let Board { player, opponent } = board;
    let scores = [-64, 6];
    let (found, fault) = read(&block_of_positions_v1(
        &scores.map(|score| position(player.0, opponent.0, score)),
    ));
    assert_eq!(fault, None);
    let expected = Origin {
        seed: 7,
        engine: 8,
        depth: 6,
        random_plies: (4, 40),
        empties: (8, 16),
        sampling: Some(RootSampling::Branch),
        ..Origin::default()
    };
    assert_eq!(
        (found[0].origin, found[0].first, found[0].span),
        (expected, 10, 64)
    );
    let solved = |score| LabelledPosition {
        board,
        label: SearchValue {
            value: Value::from_score(score),
            is_exact: true,
        },
        sampling: RootSampling::Branch,
    };
    assert_eq!(positions(&found), scores.map(|score| solved(score.into())));

    for no_position in [
        position(player.0, opponent.0, 65),
        position(player.0, player.0, 6),
    ] {
        let fault = read(&block_of_positions_v1(&[no_position])).1;
        assert!(fault.unwrap().1.contains("damaged"));
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
    // High byte of the label; sampling; a disc of the side to move missing among all discs.
    for (byte, bit) in [(17, 0x40), (18, 0x02), (7, 0x80)] {
        let mut bytes = one(-1, false).to_bytes();
        bytes[byte] ^= bit;
        assert_eq!(LabelledPosition::from_bytes(bytes), None, "byte {byte}");
    }
}
