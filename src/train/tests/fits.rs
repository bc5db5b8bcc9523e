//! Tests of the pattern fit: accuracy on planted weights, determinism, and resuming.

use super::*;
use emilia_core::board::Bitboard;
use emilia_core::eval::{Evaluator, Pattern, PatternWeights};
use std::path::Path;

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
fn planted_positions(seed: u64, count: usize, noise: f32) -> Vec<LabelledBoard> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut moves = random.fork();
    let mut board = Board::START;
    let boards = std::iter::repeat_with(|| {
        let square = moves.choice(board.legal_moves().squares());
        board = square.map_or(Board::START, |square| board.play(square));
        board
    });
    let boards = boards.take(count).filter(Board::can_move);
    boards
        .map(|board| LabelledBoard {
            board,
            label: planted(&board) + noise * (random.f32() - 0.5),
            weight: 1.0,
        })
        .collect()
}

/// Returns the fit that resumes the checkpoint at `path`.
fn fitted<'a>(positions: &[LabelledBoard], threads: usize, path: &'a Path) -> PatternFit<'a> {
    let threads = NonZero::new(threads).unwrap();
    let mut fit = PatternFit::open(path, TrainJob::new(*b"EmiliaT4", [])).unwrap();
    fit.run(positions.to_vec(), threads, &|_, _| ()).unwrap();
    fit
}

#[test]
fn fit_recovers_planted_weights() {
    let folder = tempdir().unwrap();
    let held_out = planted_positions(2, 3000, 0.0);
    let path = folder.path().join("checkpoint");
    let file = fitted(&planted_positions(1, 180_000, 2.0), 1, &path).pack();
    let pattern = Pattern::new(PatternWeights::from_bytes(&file).unwrap().into());
    // RMSE relative to that of the mean label.
    let relative = |empties, predict: &dyn Fn(&Board) -> f64| {
        let errors = |predict: &dyn Fn(&Board) -> f64| {
            let mut errors = ErrorStats::default();
            for one in &held_out {
                if one.board.empty_count() <= empties {
                    errors.add(predict(&one.board) - f64::from(one.label));
                }
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
    let folder = tempdir().unwrap();
    let positions = planted_positions(3, 3600, 4.0);
    let paths = ["one", "three", "resumed"].map(|name| folder.path().join(name));
    let whole = fitted(&positions, 1, &paths[0]);
    assert_eq!(whole.stages.len(), PATTERN_STAGES);
    assert_eq!(fitted(&positions, 3, &paths[1]).stages, whole.stages);
    let job = TrainJob::new(*b"EmiliaT4", []);
    for done in [11, 34] {
        // Earlier versions of the program stored a learning curve, here of two points.
        let numbers = whole.stages[..done].iter().flat_map(|stage| {
            let lengths = [stage.len() as f32, 2.0];
            let numbers = lengths.into_iter().chain(stage.iter().copied());
            numbers.chain([1.0; 8])
        });
        let checkpoint = Checkpoint {
            curve: Vec::new(),
            numbers: numbers.collect(),
        };
        checkpoint.write(&paths[2], &job).unwrap();
        let begun = PatternFit::open(&paths[2], job.clone()).unwrap();
        assert_eq!(begun.stages, whole.stages[..done]);
        assert_eq!(fitted(&positions, 1, &paths[2]).stages, whole.stages);
        let ended = PatternFit::open(&paths[2], job.clone()).unwrap();
        assert_eq!(ended.stages, whole.stages);
    }
}
