//! The laws of the pattern evaluation: symmetry, sharing of weights, and files that know when they are whole.

use super::fold::{EXTRAS, Folding};
use super::shapes::{PATTERNS, PLACES, SHAPES};
use super::*;
use crate::board::Symmetry;

/// Boards of random games.
fn boards(count: usize) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(6);
    let mut boards = Vec::new();
    let mut board = Board::START;
    while boards.len() < count {
        boards.push(board);
        board = match random.choice(board.legal_moves().squares()) {
            Some(square) => board.play(square),
            None if board.pass().can_move() => board.pass(),
            None => Board::START,
        };
    }
    boards
}

#[test]
fn symmetric_images_are_worth_the_same() {
    let pattern = Pattern::embedded();
    for board in boards(3000) {
        for symmetry in Symmetry::all() {
            assert_eq!(
                pattern.evaluate(&symmetry.board(&board)),
                pattern.evaluate(&board),
                "{board:?}"
            );
        }
    }
}

#[test]
fn symmetric_images_share_all_their_weights() {
    let folding = Folding::new();
    let sorted = |board: &Board| {
        let mut row = folding.row(board);
        row.sort_unstable();
        row
    };
    for board in boards(1000) {
        for symmetry in Symmetry::all() {
            assert_eq!(sorted(&symmetry.board(&board)), sorted(&board), "{board:?}");
        }
    }
}

#[test]
fn every_pattern_has_all_its_images() {
    assert_eq!(PLACES, 58);
    for (shape, pattern) in SHAPES.iter().zip(PATTERNS) {
        let mut images: Vec<u64> = Symmetry::all()
            .map(|symmetry| symmetry.bitboard(*shape).0)
            .collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(pattern.places, images.len(), "{shape:?}");
        assert_eq!(pattern.len, shape.count() as usize);
    }
}

/// A pattern of n squares that each of its mirrorings leaves in its place has (3ⁿ + 3^(n − moved pairs)) / 2 classes of
/// arrangements; one that no symmetry does has 3ⁿ.
#[test]
fn arrangements_that_mirror_each_other_are_one_class() {
    let classes =
        |squares: u32, pairs: u32| 3_usize.pow(squares).midpoint(3_usize.pow(squares - pairs));
    let expected = [
        classes(9, 3),
        classes(10, 4),
        classes(10, 4),
        classes(10, 0),
        classes(10, 5),
        classes(10, 5),
        3 * classes(8, 4),
        classes(8, 4),
        classes(7, 3),
        classes(6, 3),
        classes(5, 2),
        classes(4, 2),
    ];
    assert_eq!(
        Folding::new().len(),
        expected.iter().sum::<usize>() + EXTRAS
    );
}

/// Some weights in discs, most of them nothing.
fn some_weights(seed: u64) -> Vec<Vec<f32>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut weights = vec![vec![0.0; Folding::new().len()]; STAGES];
    for stage in &mut weights {
        for weight in stage.iter_mut().step_by(97) {
            *weight = random.f32() * 8.0 - 4.0;
        }
    }
    weights
}

#[test]
fn a_file_gives_the_weights_back_rounded_to_the_unit() {
    let weights = some_weights(1);
    let folding = Folding::new();
    let pattern = Pattern::new(Arc::new(
        PatternWeights::from_bytes(&PatternWeights::pack(&weights)).unwrap(),
    ));
    for board in boards(2000) {
        let stage = &weights[stage(board.empty_count())];
        let row = folding.row(&board);
        let sum: f32 = row.iter().map(|&number| stage[number as usize]).sum();
        let value = pattern.evaluate(&board).discs();
        assert!(
            (value - f64::from(sum).clamp(-64.0, 64.0)).abs() < 0.25,
            "{value} for {sum}: {board:?}"
        );
    }
}

#[test]
fn weights_beyond_the_range_stay_at_its_end() {
    let mut weights = some_weights(2);
    weights[0].fill(1e9);
    weights[1].fill(-1e9);
    let weights = PatternWeights::from_bytes(&PatternWeights::pack(&weights)).unwrap();
    let pattern = Pattern::new(Arc::new(weights));
    assert_eq!(pattern.evaluate(&Board::START), Value::MAX);
}

#[test]
fn files_that_are_not_whole_are_refused() {
    let file = PatternWeights::pack(&some_weights(3));
    let refused = |bytes: &[u8]| PatternWeights::from_bytes(bytes).unwrap_err();
    for length in [0, 5, 8, 20, 27, 28, 100, file.len() / 2, file.len() - 1] {
        assert_eq!(refused(&file[..length]), BadWeights::Truncated, "{length}");
    }
    let altered = |at: usize| {
        let mut bytes = file.clone();
        bytes[at] ^= 0x55;
        refused(&bytes)
    };
    assert_eq!(altered(0), BadWeights::Foreign);
    assert_eq!(altered(7), BadWeights::Version);
    assert_eq!(altered(8), BadWeights::Features);
    assert_eq!(altered(16), BadWeights::Unit);
    for at in [20, 27] {
        assert_eq!(altered(at), BadWeights::Altered, "byte {at}");
    }
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        let at = random.usize(28..file.len());
        let error = altered(at);
        assert!(
            matches!(error, BadWeights::Altered | BadWeights::Truncated),
            "byte {at}: {error}"
        );
    }
    assert_eq!(refused(b"a letter to the editor"), BadWeights::Foreign);
}
