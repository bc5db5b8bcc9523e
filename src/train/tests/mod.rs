//! Tests of self-play and training data. Games must be legal, search values right, and runs
//! deterministic.

mod blocks;
mod checkpoints;
mod fits;
mod level;
mod net;
mod roots;

use std::num::NonZero;
use std::path::PathBuf;

use super::*;
use emilia_core::board::{Board, Color, Square};
use emilia_core::eval::{Classic, Value};
use emilia_core::search::{Engine, Limits, Selectivity, Settings, Silent};
use tempfile::{TempDir, tempdir};

const ONE: NonZero<usize> = NonZero::<usize>::MIN;

/// Writes blocks to a file and returns its path.
fn write(folder: &TempDir, name: &str, blocks: &[Block]) -> PathBuf {
    let bytes: Vec<u8> = blocks.iter().flat_map(Block::to_bytes).collect();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn settings() -> Settings {
    Settings::default()
        .with_hash_mib(1)
        .with_evaluator(Classic)
        .with_selectivity(Selectivity::P100)
}

fn engines(threads: usize) -> Vec<Engine> {
    Engine::several(&settings(), threads).unwrap()
}

fn run(item_count: u64, shard: &str) -> SelfPlay {
    SelfPlay {
        origin: Origin {
            seed: 7,
            depth: 1,
            exact: 8,
            random_plies: (8, 55),
            ..Origin::default()
        },
        item_count,
        shard: shard.parse().unwrap(),
    }
}

/// Returns a run of labelled positions with 4 to 9 empties. Positions with at most 7 empties are
/// solved.
fn roots(item_count: u64, sampling: Option<RootSampling>) -> SelfPlay {
    let mut run = run(item_count, "1/1");
    run.origin = Origin {
        depth: 3,
        exact: 7,
        empties: (4, 9),
        sampling,
        label_depth: 2,
        ..run.origin
    };
    run
}

/// Makes the blocks of a run that are not in `done`.
fn blocks_after(run: &SelfPlay, threads: usize, done: &[Block]) -> Vec<Block> {
    let ranges = done.iter().map(|block| (block.first, block.item_count));
    let left = run.remaining_blocks(ranges).expect("blocks of this run");
    let mut blocks = Vec::new();
    run.make(&mut engines(threads), &left, &|| (), |block| {
        blocks.push(block);
        Ok::<(), ()>(())
    })
    .unwrap();
    blocks
}

fn blocks(run: &SelfPlay, threads: usize) -> Vec<Block> {
    blocks_after(run, threads, &[])
}

fn games(blocks: &[Block]) -> Vec<TrainingGame> {
    let games = blocks.iter().filter_map(|block| match &block.records {
        Records::Games(games) => Some(games.clone()),
        Records::Positions(_) => None,
    });
    games.flatten().collect()
}

fn positions(blocks: &[Block]) -> Vec<LabelledPosition> {
    let positions = blocks.iter().filter_map(|block| match &block.records {
        Records::Games(_) => None,
        Records::Positions(positions) => Some(positions.clone()),
    });
    positions.flatten().collect()
}

#[test]
fn games_are_complete_with_the_values_of_searches_after_the_random_plies() {
    let mut lengths = Vec::new();
    let mut engine = Engine::new(settings());
    for game in games(&blocks(&run(100, "1/1"), 1)) {
        let plies = game.plies().expect("a legal game");
        let random_plies = usize::from(game.random_plies);
        assert_eq!(plies.len(), game.moves().count() - random_plies);
        for ply in plies {
            assert!(ply.board.can_move());
            let search = ply.search.expect("a search value");
            assert_eq!(search.is_exact, ply.board.empty_count() <= 8, "{ply:?}");
            let expected = if search.is_exact {
                Value::from_score(ply.score)
            } else {
                let limits = Limits::depth(1);
                engine.search(&ply.board, &limits, &mut Silent).value
            };
            assert_eq!(search.value, expected, "{ply:?}");
        }
        lengths.push(random_plies);
    }
    assert!(lengths.iter().all(|length| (8..=55).contains(length)));
    assert!(lengths.iter().min() < Some(&12) && lengths.iter().max() > Some(&50));
}

#[test]
fn td_lambda_labels_mix_values_with_later_labels_and_keep_exact_values() {
    // Shortest possible game: Black wipes White out with the ninth move.
    let moves = squares("e6f4e3f6g5d6e7f5c5");
    let search = |discs: i32| {
        Some(SearchValue {
            value: Value::from_score(discs),
            is_exact: discs == 64,
        })
    };
    // Search values for Black: none for the first move, which is random, then 8, 16, 4, and then
    // the exact score 64.
    let mut values = vec![None, search(8), search(16), search(4)];
    values.resize(9, search(64));
    let moves: Vec<_> = moves.into_iter().zip(values).collect();
    let game = TrainingGame::new(&moves, 1, 64, &Origin::default());
    let labels = |lambda| -> Vec<f32> {
        let labelled = game.labelled(lambda).unwrap();
        labelled.into_iter().map(|(_, label)| label).collect()
    };
    // After the random move White is to move, then the sides alternate.
    assert_eq!(labels(1.0)[..5], [-64.0, 64.0, -64.0, 64.0, -64.0]);
    assert_eq!(labels(0.0)[..5], [-8.0, 16.0, -4.0, 64.0, -64.0]);
    // 4/2 + 64/2 = 34; 16/2 + 34/2 = 25; 8/2 + 25/2 = 16.5.
    assert_eq!(labels(0.5)[..5], [-16.5, 25.0, -34.0, 64.0, -64.0]);
}

/// Parses a transcript that has no passes.
fn squares(moves: &str) -> Vec<Square> {
    let names = moves.as_bytes().chunks(2);
    names
        .map(|name| std::str::from_utf8(name).unwrap().parse().unwrap())
        .collect()
}

#[test]
fn records_do_not_depend_on_threads_shards_or_resuming() {
    let whole = blocks(&run(300, "1/1"), 1);
    let spans: Vec<u64> = whole.iter().map(|block| block.item_count).collect();
    assert_eq!(spans, [256, 44]);
    assert_eq!(blocks(&run(300, "1/1"), 3), whole);
    assert_eq!(blocks_after(&run(300, "1/1"), 2, &whole[..1]), whole[1..]);
    let shards = ["1/2", "2/2"].map(|shard| blocks(&run(300, shard), 2));
    assert_eq!(shards.concat(), whole);
    let whole = blocks(&roots(70, None), 1);
    assert_eq!(blocks(&roots(70, None), 3), whole);
    // A run may stop between two roots of one game. It resumes with the next root.
    let whole = positions(&whole);
    for end in [1, 3, 64] {
        let begun = blocks(&roots(end, None), 1);
        let rest = blocks_after(&roots(70, None), 2, &begun);
        assert_eq!(positions(&[begun, rest].concat()), whole, "after {end}");
    }
}

#[test]
fn a_longer_run_extends_a_shorter_one() {
    let (short, long) = (run(300, "1/1"), run(400, "1/1"));
    let begun = blocks(&short, 1);
    let more = blocks_after(&long, 1, &begun);
    assert_eq!(games(&[begun, more].concat()), games(&blocks(&long, 1)));
    for (done, left) in [
        (&[][..], Some(vec![(0, 256), (256, 400)])),
        (&[(0, 256), (256, 44)], Some(vec![(300, 400)])),
        (&[(0, 256), (256, 144)], Some(vec![])),
        (&[(256, 144)], None),
        (&[(0, 300)], None),
        (&[(0, 256), (0, 256)], None),
        (&[(0, 256), (256, 200)], None),
    ] {
        assert_eq!(long.remaining_blocks(done.iter().copied()), left);
    }
}

#[test]
fn illegal_games_have_no_positions() {
    let game = |moves: &str, score| {
        let moves = squares(moves).into_iter().map(|square| (square, None));
        TrainingGame::new(&moves.collect::<Vec<_>>(), 0, score, &Origin::default())
    };
    for (moves, score) in [("a1", 0), ("f5", 0), ("e6f4e3f6g5d6e7f5c5", 62)] {
        assert_eq!(game(moves, score).plies(), None, "{moves}");
        assert_eq!(game(moves, score).labelled(0.5), None, "{moves}");
    }
    assert!(game("e6f4e3f6g5d6e7f5c5", 64).plies().is_some());
}

#[test]
fn search_all_does_not_depend_on_threads() {
    let games = games(&blocks(&run(60, "1/1"), 1));
    let boards = sample_positions(&games, 20, 3);
    let search = |threads| search_all(&mut engines(threads), &boards, 4, &|_| ());
    let found = search(1);
    assert_eq!(found, search(2));
    for (board, searched) in boards.iter().zip(&found) {
        assert!((10..=54).contains(&searched.empties) && board.can_move());
        assert_eq!(searched.empties, board.empty_count());
        assert_eq!(searched.values.len(), 5);
        assert_eq!(searched.exact.is_some(), searched.empties <= 20);
    }
}
