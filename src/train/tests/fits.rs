//! Tests of the pattern fit: accuracy on planted weights, determinism, and resuming.

use super::*;
use emilia_core::board::Bitboard;
use emilia_core::eval::{Evaluator, Pattern, PatternWeights};

/// The planted evaluation in discs: corners are worth 6.25, the squares beside them -1.25.
fn planted(board: &Board) -> f32 {
    let corners = Bitboard::CORNERS;
    let beside = corners.dilated() & !corners;
    let worth = |discs: Bitboard| {
        (discs & corners).count() as f32 * 6.0 - (discs & beside).count() as f32 * 1.5
            + discs.count() as f32 * 0.25
    };
    worth(board.player) - worth(board.opponent) + 1.0
}

/// Generates positions of random games, labelled with the planted evaluation and uniform noise.
fn planted_positions(seed: u64, games: usize, noise: f32) -> Vec<LabelledBoard> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut board = Board::START;
        while let Some(child) = random_child(&board, &mut random) {
            board = child;
            if board.can_move() {
                positions.push(LabelledBoard {
                    board,
                    label: planted(&board) + noise * (random.f32() - 0.5),
                    weight: 1.0,
                });
            }
        }
    }
    positions
}

/// Returns the fit, and the stages that were fitted after those of `finished`.
fn fitted(
    positions: &FitPositions,
    threads: usize,
    finished: &[StageFit],
) -> (Fitted, Vec<StageFit>) {
    let threads = NonZero::new(threads).unwrap();
    let mut stages = Vec::new();
    let on_stage = |stage: &StageFit| {
        stages.push(stage.clone());
        Ok::<(), ()>(())
    };
    let finished = finished.to_vec();
    let fitted = fit_pattern_weights(positions, threads, finished, on_stage, &|_, _| ());
    (fitted.unwrap(), stages)
}

#[test]
fn fit_recovers_planted_weights() {
    let held_out = planted_positions(2, 50, 0.0);
    let positions = FitPositions::new(planted_positions(1, 4000, 2.0), held_out.clone());
    let file = fitted(&positions, 1, &[]).0.pack();
    let pattern = Pattern::new(PatternWeights::from_bytes(&file).unwrap().into());
    // RMSE relative to that of the mean label.
    let relative = |empties, predict: &dyn Fn(&Board) -> f64| {
        let of = held_out.iter();
        let of: Vec<_> = of
            .filter(|one| one.board.empty_count() <= empties)
            .collect();
        let errors = |predict: &dyn Fn(&Board) -> f64| {
            let mut errors = ErrorStats::default();
            for one in &of {
                errors.add(predict(&one.board) - f64::from(one.label));
            }
            errors
        };
        let mean = -errors(&|_| 0.0).mean();
        errors(predict).rmse() / errors(&|_| mean).rmse()
    };
    let error = relative(50, &|board| pattern.evaluate(board).discs());
    assert!(error < 0.25, "{error}");
    // The light evaluation lacks features for some squares.
    let error = relative(30, &|board| pattern.evaluate_for_ordering(board).discs());
    assert!(error < 0.4, "{error}");
}

#[test]
fn fit_is_bit_identical_for_any_threads_and_when_resumed() {
    let held_out = planted_positions(4, 10, 0.0);
    let positions = FitPositions::new(planted_positions(3, 60, 4.0), held_out);
    let (whole, stages) = fitted(&positions, 1, &[]);
    assert_eq!(fitted(&positions, 3, &[]).0, whole);
    for done in [11, 34] {
        let (resumed, more) = fitted(&positions, 1, &stages[..done]);
        assert_eq!((resumed, &more[..]), (whole.clone(), &stages[done..]));
    }
}

#[test]
fn a_checkpoint_keeps_finished_stages() {
    let folder = Folder::new("fit-checkpoint");
    let path = folder.file("checkpoint");
    let job = |passes: &str| TrainJob::new([("--passes", passes.to_owned())]);
    let stage = |seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        StageFit {
            weights: (0..100).map(|_| random.f32()).collect(),
            curve: vec![[[3.0, random.f32()], [2.0, random.f32()]]; 3],
        }
    };
    let stages = [stage(1), stage(2)];
    let (mut checkpoint, finished) = FitCheckpoint::open(&path, job("7")).unwrap();
    assert_eq!(finished, []);
    for stage in &stages {
        checkpoint.append(stage).unwrap();
    }
    assert_eq!(FitCheckpoint::open(&path, job("7")).unwrap().1, stages);
    assert!(FitCheckpoint::open(&path, job("8")).is_err());
}
