//! Tests of the pattern evaluation: symmetry, shared weights, and files of weights.

use super::fitting::{Light, ReducedIndex};
use super::weights::Weights;
use super::*;
use crate::board::Symmetry;
use crate::board::testing::boards_of_games;
use crate::eval::weights_file::{WeightsError, WeightsKind};

#[test]
fn symmetric_images_have_the_same_value() {
    let pattern = Pattern::embedded();
    let light = &pattern.weights.light;
    for board in boards_of_games(6, 3000) {
        let values = (pattern.evaluate(&board), light.evaluate(&board));
        for symmetry in Symmetry::all() {
            let image = symmetry.board(&board);
            let of_image = (pattern.evaluate(&image), light.evaluate(&image));
            assert_eq!(of_image, values, "{board:?}");
        }
    }
}

#[test]
fn the_light_weights_embedded_alone_are_those_of_the_embedded_file() {
    assert_eq!(Weights::embedded(), Pattern::embedded().weights.light);
}

fn share_all_their_weights<F: Features>() {
    let index = ReducedIndex::<F>::new();
    let sorted = |board: &Board| {
        let mut row: Vec<u32> = index.row(board).to_vec();
        assert_eq!(row.len(), ReducedIndex::<F>::COLUMNS);
        row.sort_unstable();
        row
    };
    for board in boards_of_games(6, 1000) {
        for symmetry in Symmetry::all() {
            assert_eq!(sorted(&symmetry.board(&board)), sorted(&board), "{board:?}");
        }
    }
}

#[test]
fn symmetric_images_share_all_their_weights() {
    share_all_their_weights::<Full>();
    share_all_their_weights::<Light>();
}

fn has_all_its_images<F: Features>() {
    for (shape, pattern) in F::SHAPES.iter().zip(F::PATTERNS) {
        let mut images: Vec<u64> = Symmetry::all()
            .map(|symmetry| symmetry.bitboard(*shape).0)
            .collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(pattern.instances, images.len(), "{shape:?}");
        assert_eq!(pattern.len, shape.count() as usize);
    }
}

#[test]
fn every_pattern_has_all_its_images() {
    assert_eq!((Full::INSTANCES, Light::INSTANCES), (58, 16));
    has_all_its_images::<Full>();
    has_all_its_images::<Light>();
}

/// Number of classes of patterns given as (squares, pairs).
/// `pairs` counts the pairs of squares that the mirror symmetry of the pattern exchanges.
/// With n squares there are (3ⁿ + 3^(n − pairs)) / 2 classes, or 3ⁿ for 0 pairs.
fn classes(patterns: &[(u32, u32)]) -> usize {
    patterns
        .iter()
        .map(|&(squares, pairs)| 3_usize.pow(squares).midpoint(3_usize.pow(squares - pairs)))
        .sum()
}

#[test]
fn mirrored_configurations_share_a_class() {
    let corners = [(9, 3), (10, 4), (10, 4), (10, 0)];
    let edges_and_lines = [(10, 5), (10, 5), (8, 4), (8, 4), (8, 4)];
    let diagonals = [(8, 4), (7, 3), (6, 3), (5, 2), (4, 2)];
    assert_eq!(
        ReducedIndex::<Full>::new().len(),
        classes(&corners) + classes(&edges_and_lines) + classes(&diagonals) + Full::EXTRAS
    );
    assert_eq!(
        ReducedIndex::<Light>::new().len(),
        classes(&[(9, 3), (10, 5), (10, 0)]) + Light::EXTRAS
    );
}

/// Random weights in discs, most of them zero.
fn some_weights<F: Features>(seed: u64) -> Vec<Vec<f32>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut weights = vec![vec![0.0; ReducedIndex::<F>::new().len()]; F::STAGES];
    for stage in &mut weights {
        for weight in stage.iter_mut().step_by(97) {
            *weight = random.f32() * 8.0 - 4.0;
        }
    }
    weights
}

/// A file of random weights.
fn some_file(seed: u64) -> Vec<u8> {
    PatternWeights::pack(&some_weights::<Full>(seed), &some_weights::<Light>(seed))
}

fn is_the_sum_of<F: Features>(weights: &[Vec<f32>], evaluation: &Weights<F>) {
    let index = ReducedIndex::<F>::new();
    for board in boards_of_games(6, 2000) {
        let table = &weights[stage(board.empty_count()).max(F::FIRST_STAGE) - F::FIRST_STAGE];
        let sum: f32 = index
            .row(&board)
            .iter()
            .map(|&index| table[index as usize])
            .sum();
        let value = evaluation.evaluate(&board).discs();
        assert!(
            (value - f64::from(sum).clamp(-64.0, 64.0)).abs() < 0.25,
            "{value} for {sum}: {board:?}"
        );
    }
}

#[test]
fn weights_round_trip_through_a_file() {
    let (full, light) = (some_weights::<Full>(1), some_weights::<Light>(2));
    let read = PatternWeights::from_bytes(&PatternWeights::pack(&full, &light)).unwrap();
    is_the_sum_of(&full, &read.full);
    is_the_sum_of(&light, &read.light);
}

#[test]
fn weights_beyond_the_range_are_clamped() {
    let mut weights = some_weights::<Full>(2);
    weights[0].fill(1e9);
    weights[1].fill(-1e9);
    let file = PatternWeights::pack(&weights, &some_weights::<Light>(2));
    let weights = PatternWeights::from_bytes(&file).unwrap();
    let pattern = Pattern::new(Arc::new(weights));
    assert_eq!(pattern.evaluate(&Board::START), Value::MAX);
}

#[test]
fn damaged_files_are_rejected() {
    let file = some_file(3);
    let refused = |bytes: &[u8]| PatternWeights::from_bytes(bytes).unwrap_err();
    for length in [0, 5, 8, 20, 27, 28, 100, file.len() / 2, file.len() - 1] {
        assert_eq!(
            refused(&file[..length]),
            WeightsError::Truncated,
            "{length}"
        );
    }
    let altered = |at: usize| {
        let mut bytes = file.clone();
        bytes[at] ^= 0x55;
        refused(&bytes)
    };
    assert_eq!(altered(0), WeightsError::Foreign);
    assert_eq!(altered(7), WeightsError::Version);
    assert_eq!(altered(8), WeightsError::Features);
    assert_eq!(altered(16), WeightsError::Unit);
    for at in [20, 27] {
        assert_eq!(altered(at), WeightsError::Altered, "byte {at}");
    }
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        let at = random.usize(28..file.len());
        let error = altered(at);
        assert!(
            matches!(error, WeightsError::Altered | WeightsError::Truncated),
            "byte {at}: {error}"
        );
    }
    assert_eq!(refused(&WeightsKind::Net.magic()), WeightsError::OfNet);
    assert_eq!(refused(b"a letter to the editor"), WeightsError::Foreign);
    for rest in [&b"\0"[..], b"\n", &file] {
        assert_eq!(refused(&[&file, rest].concat()), WeightsError::Longer);
    }
}
