//! The laws of training games: they come out the same whatever the threads and parts, and files know when they are whole.

use std::num::NonZero;

use super::*;
use crate::board::Square;
use crate::search::{Limits, Settings};

fn run(games: u64, threads: usize, shard: &str) -> SelfPlay {
    SelfPlay {
        settings: Settings {
            hash_mib: 1,
            ..Settings::default()
        },
        limits: Limits {
            exact: Some(8),
            ..Limits::depth(1)
        },
        origin: Origin {
            seed: 7,
            depth: 1,
            exact: 8,
            ..Origin::default()
        },
        games,
        shard: shard.parse().unwrap(),
        threads: NonZero::new(threads).unwrap(),
    }
}

fn blocks(run: &SelfPlay, done: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    run.play(done, &|| (), |block| {
        blocks.push(block);
        Ok::<(), ()>(())
    })
    .unwrap();
    blocks
}

#[test]
fn games_are_whole_and_learnt_from_after_the_random_part() {
    let blocks = blocks(&run(100, 1, "1/1"), 0);
    let mut lengths = Vec::new();
    for game in &blocks[0].games {
        let positions = game.positions().expect("a legal game");
        assert_eq!(
            positions.len(),
            game.moves().count() - game.random_plies(),
            "every ply after the random part is a position"
        );
        assert!(positions.iter().all(|(board, _)| board.can_move()));
        lengths.push(game.random_plies());
    }
    assert!(lengths.iter().all(|length| RANDOM_PLIES.contains(length)));
    assert!(lengths.iter().min() < Some(&12) && lengths.iter().max() > Some(&50));
}

#[test]
fn threads_parts_and_interruptions_change_nothing() {
    let whole = blocks(&run(600, 1, "1/1"), 0);
    let sizes: Vec<usize> = whole.iter().map(|block| block.games.len()).collect();
    assert_eq!(sizes, [256, 256, 88]);
    assert_eq!(blocks(&run(600, 3, "1/1"), 0), whole);
    assert_eq!(blocks(&run(600, 2, "1/1"), 1), whole[1..]);
    let (first, second) = (run(600, 2, "1/2"), run(600, 2, "2/2"));
    assert_eq!((first.len(), second.len()), (344, 256));
    let parts = [blocks(&first, 0), blocks(&second, 0)].concat();
    assert_eq!(
        [&parts[0], &parts[2], &parts[1]],
        [&whole[0], &whole[1], &whole[2]]
    );
}

#[test]
fn shards_are_read_and_bad_ones_refused() {
    let shard: Shard = "2/3".parse().unwrap();
    assert_eq!((0..7).filter(|&n| shard.contains(n)).count(), 2);
    for bad in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3"] {
        assert!(bad.parse::<Shard>().is_err(), "{bad}");
    }
}

#[test]
fn files_are_read_back_and_faults_are_told_apart() {
    let blocks = blocks(&run(300, 1, "1/1"), 0);
    let mut bytes: Vec<u8> = blocks.iter().flat_map(Block::to_bytes).collect();
    assert_eq!(bytes.len(), 2 * 64 + 300 * GameRecord::BYTES);
    assert_eq!(read_games(&bytes), Ok(blocks.clone()));

    let second = 64 + 256 * GameRecord::BYTES;
    for cut in [second + 1, second + 63, second + 64, bytes.len() - 1] {
        assert_eq!(
            read_games(&bytes[..cut]),
            Err((second, BadGames::Truncated)),
            "cut at {cut}"
        );
    }
    bytes[second + 100] ^= 1;
    assert_eq!(read_games(&bytes), Err((second, BadGames::Altered)));
    bytes[0] = b'X';
    assert_eq!(read_games(&bytes), Err((0, BadGames::Foreign)));
    bytes[..8].copy_from_slice(b"EmiliaG1");
    bytes[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(read_games(&bytes), Err((0, BadGames::Altered)));
}

#[test]
fn a_record_that_is_no_game_has_no_positions() {
    let origin = Origin::default();
    let illegal = GameRecord::new(&[Square::A1], 0, 0, &origin);
    assert_eq!(illegal.positions(), None);
    let unfinished = GameRecord::new(&[Square::F5], 0, 0, &origin);
    assert_eq!(unfinished.positions(), None);
    // The shortest game there is: white is wiped out at the ninth move.
    let moves = "e6f4e3f6g5d6e7f5c5";
    let squares: Vec<Square> = (0..9)
        .map(|at| moves[2 * at..2 * at + 2].parse().unwrap())
        .collect();
    let wrong_score = GameRecord::new(&squares, 2, 62, &origin);
    assert_eq!(wrong_score.positions(), None);
    let positions = GameRecord::new(&squares, 2, 64, &origin)
        .positions()
        .unwrap();
    assert_eq!(positions.len(), 7);
    assert_eq!((positions[0].1, positions[1].1), (64, -64));
}
