//! Tests of the pattern fit: accuracy on planted weights, determinism, resuming, and the prior.

use super::*;
use crate::board::Bitboard;
use crate::eval::{Features, Full, Light, PatternWeights, ReducedIndex, stage};

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
fn planted_samples(seed: u64, games: usize, noise: f32) -> Samples {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut samples = Samples::default();
    for _ in 0..games {
        let mut board = Board::START;
        while let Some(child) = random_child(&board, &mut random) {
            board = child;
            if board.can_move() {
                let label = planted(&board) + noise * (random.f32() - 0.5);
                samples.add(&board, SampleKind::Game, label);
            }
        }
    }
    samples.merge_duplicates(ONE);
    samples
}

fn fitted(fit: &Fit, split: &Split, threads: usize) -> Fitted {
    let threads = NonZero::new(threads).unwrap();
    fit.run(
        split,
        None,
        threads,
        Vec::new(),
        |_| Ok::<(), ()>(()),
        &|_, _| (),
    )
    .unwrap()
}

/// Returns the held-out RMSE of the stages from `skip` on, relative to the best constant.
fn relative_rmse<F: Features>(split: &Split, stages: &[StageFit], skip: usize) -> f64 {
    assert_eq!(stages.len(), F::STAGES);
    let folding = ReducedIndex::<F>::new();
    let (mut errors, mut constant) = (ErrorStats::default(), ErrorStats::default());
    for (at, fit) in (F::FIRST_STAGE..).zip(stages).skip(skip) {
        let mean = -ErrorStats::all(split.training.stage(at), |_| 0.0).mean();
        constant = constant.and(ErrorStats::all(split.held_out.stage(at), |_| mean));
        errors = errors.and(ErrorStats::all(split.held_out.stage(at), |board| {
            assert_eq!(stage(board.empty_count()), at);
            let row = folding.row(board);
            let weights = row.iter().map(|&index| fit.weights[index as usize]);
            f64::from(weights.sum::<f32>())
        }));
    }
    errors.rmse() / constant.rmse()
}

#[test]
fn fit_recovers_planted_weights() {
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
    let error = relative_rmse::<Full>(&split, &fitted.full, 5);
    assert!(error < 0.25, "{error}");
    // The light evaluation lacks features for some squares.
    let error = relative_rmse::<Light>(&split, &fitted.light, 0);
    assert!(error < 0.4, "{error}");
}

#[test]
fn fit_is_bit_identical_for_any_threads_and_when_resumed() {
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
            None,
            ONE,
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
fn strong_prior_keeps_its_weights() {
    let split = Split {
        training: planted_samples(5, 20, 0.0),
        ..Split::default()
    };
    let weights = |fitted: &Fitted| -> Vec<u8> {
        let of = |stages: &[StageFit]| -> Vec<Vec<f32>> {
            stages.iter().map(|stage| stage.weights.clone()).collect()
        };
        PatternWeights::pack(&of(&fitted.full), &of(&fitted.light))
    };
    let weak = fitted(
        &Fit {
            passes: 3,
            ..Fit::default()
        },
        &split,
        1,
    );
    let prior = PatternWeights::from_bytes(&weights(&weak)).unwrap();
    let strong = Fit {
        passes: 3,
        ridge: 1e9,
        ..Fit::default()
    };
    let kept = strong.run(
        &split,
        Some(&prior),
        ONE,
        Vec::new(),
        |_| Ok::<(), ()>(()),
        &|_, _| (),
    );
    assert_eq!(weights(&kept.unwrap()), weights(&weak));
    assert_ne!(weights(&fitted(&strong, &split, 1)), weights(&weak));
}
