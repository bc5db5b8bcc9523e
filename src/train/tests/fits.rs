//! Tests of the pattern fit: accuracy on planted weights, determinism, resuming, and the prior.

use super::*;
use crate::board::Bitboard;
use crate::eval::{Evaluator, Pattern, PatternWeights};

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

fn fitted_after(
    fit: &PatternFit,
    positions: &FitPositions,
    prior: Option<&PatternWeights>,
    threads: usize,
    finished: Vec<StageFit>,
) -> (Fitted, Vec<StageFit>) {
    let threads = NonZero::new(threads).unwrap();
    let mut stages = Vec::new();
    let on_stage = |stage: &StageFit| {
        stages.push(stage.clone());
        Ok::<(), ()>(())
    };
    let fitted = fit.run(positions, prior, threads, finished, on_stage, &|_, _| ());
    (fitted.unwrap(), stages)
}

fn fitted(fit: &PatternFit, positions: &FitPositions) -> Fitted {
    fitted_after(fit, positions, None, 1, Vec::new()).0
}

#[test]
fn fit_recovers_planted_weights() {
    let held_out = planted_positions(2, 50, 0.0);
    let positions = FitPositions::new(planted_positions(1, 4000, 2.0), held_out.clone());
    let fit = PatternFit {
        ridge: 2.0,
        passes: 8,
        ..PatternFit::default()
    };
    let file = fitted(&fit, &positions).pack();
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
    let fit = PatternFit {
        passes: 3,
        ..PatternFit::default()
    };
    let (whole, stages) = fitted_after(&fit, &positions, None, 1, Vec::new());
    assert_eq!(fitted_after(&fit, &positions, None, 3, Vec::new()).0, whole);
    for done in [11, 34] {
        let finished = stages[..done].to_vec();
        let (resumed, more) = fitted_after(&fit, &positions, None, 1, finished);
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

#[test]
fn strong_prior_keeps_its_weights() {
    let positions = FitPositions::new(planted_positions(5, 20, 0.0), []);
    let weak = PatternFit {
        passes: 3,
        ..PatternFit::default()
    };
    let strong = PatternFit { ridge: 1e9, ..weak };
    let file = fitted(&weak, &positions).pack();
    let prior = PatternWeights::from_bytes(&file).unwrap();
    let (kept, _) = fitted_after(&strong, &positions, Some(&prior), 1, Vec::new());
    assert_eq!(kept.pack(), file);
    assert_ne!(fitted(&strong, &positions).pack(), file);
}
