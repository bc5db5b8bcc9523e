//! Tests of the pattern evaluation: symmetry, shared weights, and files of weights.

use super::fitting::{Light, ReducedIndex};
use super::weights::Weights;
use super::*;
use crate::board::Symmetry;
use crate::board::testing::boards_of_games;
use crate::eval::weights_file::{WeightsError, WeightsKind};

#[test]
fn light_weights_packed_alone_are_those_of_the_file() {
    let file = some_file(5);
    let light = Weights::of_light(&PatternWeights::pack_light(&file).unwrap()).unwrap();
    assert!(light == *PatternWeights::from_bytes(&file).unwrap().light);
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

/// Random weights in discs, most of them zero.
fn some_weights<F: Features>(seed: u64) -> Vec<Vec<f32>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut weights = vec![vec![0.0; ReducedIndex::<F>::new().count()]; F::STAGES];
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
        let row = index.row(&board).into_iter();
        let sum: f32 = row.map(|index| table[index as usize]).sum();
        let value = evaluation.evaluate(&board).discs();
        let error = (value - f64::from(sum).clamp(-64.0, 64.0)).abs();
        assert!(error < 0.25, "{value} for {sum}: {board:?}");
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
    for length in [0, 20, 28, file.len() - 1] {
        assert_eq!(refused(&file[..length]), WeightsError::Truncated);
    }
    for (at, error) in [
        (0, WeightsError::Foreign),
        (7, WeightsError::Version),
        (8, WeightsError::Features),
        (16, WeightsError::Unit),
        (20, WeightsError::Altered),
    ] {
        let mut bytes = file.clone();
        bytes[at] ^= 0x55;
        assert_eq!(refused(&bytes), error, "byte {at}");
    }
    // Damaged data either unpack to other weights or end early.
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        let mut bytes = file.clone();
        bytes[random.usize(28..file.len())] ^= 0x55;
        let expected = [WeightsError::Altered, WeightsError::Truncated];
        assert!(expected.contains(&refused(&bytes)));
    }
    assert_eq!(refused(&WeightsKind::Net.magic()), WeightsError::OfNet);
    assert_eq!(refused(b"a letter to the editor"), WeightsError::Foreign);
    assert_eq!(refused(&[&file[..], b"\0"].concat()), WeightsError::Longer);
}
