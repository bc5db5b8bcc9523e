//! The laws of training games: they come out the same whatever the threads and parts, and files know when they are whole.

use std::num::NonZero;
use std::sync::Arc;

use super::*;
use crate::board::testing::random_child;
use crate::board::{Bitboard, Board, Square};
use crate::eval::{Classic, Features, Folding, Full, Light, STAGES, stage};
use crate::search::{Engine, Limits, Settings};

fn run(games: u64, threads: usize, shard: &str) -> SelfPlay {
    SelfPlay {
        settings: Settings {
            hash_mib: 1,
            evaluator: Arc::new(Classic),
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
            random_plies: (8, 55),
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
    assert!(lengths.iter().all(|length| (8..=55).contains(length)));
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

/// What a side's discs are worth in the planted evaluation: corners much, the squares beside them less than nothing.
fn planted(board: &Board) -> f32 {
    let corners = Bitboard::CORNERS;
    let beside = corners.dilated() & !corners;
    let worth = |discs: Bitboard| {
        (discs & corners).count() as f32 * 6.0 - (discs & beside).count() as f32 * 1.5
            + discs.count() as f32 * 0.25
    };
    worth(board.player) - worth(board.opponent) + 1.0
}

/// Positions of random games with their planted worth, and some noise.
fn planted_samples(seed: u64, games: usize, noise: f32) -> Samples {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut samples = Vec::new();
    for _ in 0..games {
        let mut board = Board::START;
        while let Some(child) = random_child(&board, &mut random) {
            board = child;
            if board.can_move() {
                samples.push(Sample {
                    board: board.canonical(),
                    score: planted(&board) + noise * (random.f32() - 0.5),
                    games: 1.0,
                });
            }
        }
    }
    Samples::new(samples)
}

fn fitted(fit: &Fit, split: &Split, threads: usize) -> Fitted {
    let threads = NonZero::new(threads).unwrap();
    fit.run(split, threads, Vec::new(), |_| Ok::<(), ()>(()), &|_, _| ())
        .unwrap()
}

/// The error on held-out positions of stages fitted from the `skip`th on, over that of a constant guess.
fn share_of_error<F: Features>(split: &Split, stages: &[StageFit], skip: usize) -> f64 {
    assert_eq!(stages.len(), F::STAGES);
    let folding = Folding::<F>::new();
    let (mut error, mut guess) = (Error::default(), Error::default());
    for (at, fit) in (F::FIRST_STAGE..).zip(stages).skip(skip) {
        let samples = split.held_out.stage(at);
        let mean = Error::best_guess(split.training.stage(at));
        guess = guess.and(Error::of(samples, |_| mean));
        error = error.and(Error::of(samples, |sample| {
            assert_eq!(stage(sample.board.empty_count()), at);
            let row = folding.row(&sample.board);
            f64::from(row.map(|number| fit.weights[number as usize]).sum::<f32>())
        }));
    }
    error.rmse() / guess.rmse()
}

#[test]
fn planted_weights_are_found_again() {
    let split = Split {
        training: planted_samples(1, 4000, 2.0),
        held_out: planted_samples(2, 50, 0.0),
        bad: 0,
    };
    let fit = Fit {
        ridge: 2.0,
        passes: 8,
        ..Fit::default()
    };
    let fitted = fitted(&fit, &split, 1);
    let share = share_of_error::<Full>(&split, &fitted.full, 5);
    assert!(share < 0.25, "{share}");
    // It does not see all squares.
    let share = share_of_error::<Light>(&split, &fitted.light, 0);
    assert!(share < 0.4, "{share}");
}

#[test]
fn fitting_gives_the_same_bits_whatever_the_threads_also_when_it_goes_on_in_the_middle() {
    let split = Split {
        training: planted_samples(3, 60, 4.0),
        held_out: planted_samples(4, 10, 0.0),
        bad: 0,
    };
    let fit = Fit {
        passes: 3,
        ..Fit::default()
    };
    let whole = fitted(&fit, &split, 1);
    assert_eq!(fitted(&fit, &split, 3), whole);
    let in_order: Vec<StageFit> = [&whole.full, &whole.light]
        .into_iter()
        .flat_map(|stages| stages.iter().rev().cloned())
        .collect();
    for done in [11, 34] {
        let mut kept = Vec::new();
        let resumed = fit.run(
            &split,
            NonZero::<usize>::MIN,
            in_order[..done].to_vec(),
            |stage| {
                kept.push(stage.clone());
                Ok::<(), ()>(())
            },
            &|_, _| (),
        );
        assert_eq!(resumed.as_ref(), Ok(&whole));
        assert_eq!(kept, in_order[done..]);
    }
}

#[test]
fn the_same_position_in_any_orientation_counts_once_with_its_mean() {
    let board = Board::START.play(Square::F5);
    let mirrored = Board::START.play(Square::C4);
    let sample = |board: &Board, score| Sample {
        board: board.canonical(),
        score,
        games: 1.0,
    };
    let other = board.play(Square::F6);
    let samples = Samples::new(vec![
        sample(&board, 10.0),
        sample(&other, 7.0),
        sample(&mirrored, 4.0),
        sample(&board, -2.0),
    ]);
    assert_eq!(samples.len(), 2);
    let stage: Vec<_> = (0..STAGES).flat_map(|at| samples.stage(at)).collect();
    assert_eq!((stage[0].score, stage[0].games), (4.0, 3.0));
    assert_eq!((stage[1].score, stage[1].games), (7.0, 1.0));
    assert!(samples.stage(STAGES).is_empty());
}

#[test]
fn held_out_positions_are_of_other_games_and_not_learnt_from() {
    let blocks = blocks(&run(400, 2, "1/1"), 0);
    let split = Split::of_games(&blocks, 1);
    assert_eq!(split, Split::of_games(&blocks, 1));
    assert_ne!(split, Split::of_games(&blocks, 2));
    let share = split.held_out.len() as f64 / split.training.len() as f64;
    assert!((0.01..0.15).contains(&share), "{share}");
    let learnt: std::collections::HashSet<Board> = (0..STAGES)
        .flat_map(|at| split.training.stage(at))
        .map(|sample| sample.board)
        .collect();
    assert!(
        (0..STAGES)
            .flat_map(|at| split.held_out.stage(at))
            .all(|sample| !learnt.contains(&sample.board))
    );
}

#[test]
fn searches_are_the_same_whatever_the_threads() {
    let blocks = blocks(&run(60, 1, "1/1"), 0);
    let boards = draw_positions(&blocks, 20, 3);
    assert_eq!(boards, draw_positions(&blocks, 20, 3));
    assert_ne!(boards, draw_positions(&blocks, 20, 4));
    let mut empties = boards.iter().map(Board::empty_count);
    assert!(empties.all(|count| (10..=54).contains(&count)));
    assert!(boards.iter().all(Board::can_move));
    let search = |threads| {
        let settings = run(0, 1, "1/1").settings;
        let mut engines: Vec<_> = (0..threads)
            .map(|_| Engine::new(settings.clone()))
            .collect();
        search_all(&mut engines, &boards, 4, &|_| ()).unwrap()
    };
    let found = search(1);
    assert_eq!(found, search(2));
    for (board, searched) in boards.iter().zip(&found) {
        assert_eq!(searched.empties, board.empty_count());
        assert_eq!(searched.values.len(), 5);
        assert_eq!(searched.exact.is_some(), searched.empties <= 20);
    }
}

#[test]
fn a_stopped_engine_ends_the_searches_without_a_result() {
    let boards = [Board::START];
    let mut engines = [Engine::new(run(0, 1, "1/1").settings)];
    engines[0].stop_handle().set();
    assert_eq!(search_all(&mut engines, &boards, 9, &|_| ()), None);
}
