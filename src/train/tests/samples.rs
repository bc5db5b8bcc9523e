//! Tests of samples: merging by symmetry, balanced weights, and the held-out split.

use super::*;

#[test]
fn symmetric_positions_merge_into_one_sample_with_the_mean_label() {
    let board = Board::START.play(Square::F5);
    let mirrored = Board::START.play(Square::C4);
    let other = board.play(Square::F6);
    let mut samples = Samples::default();
    for (board, label) in [(board, 10.0), (other, 7.0), (mirrored, 4.0), (board, -2.0)] {
        samples.add(&board, SampleKind::Game, label);
    }
    samples.add(&board, SampleKind::Leaf, 1.0);
    samples.merge_duplicates(ONE);
    assert_eq!((samples.len(), samples.count(SampleKind::Game)), (3, 2));
    let of = |empties, kind| {
        let group: &[Sample] = samples.group(empties, kind);
        (group[0].label, group[0].records)
    };
    assert_eq!(of(59, SampleKind::Game), (4.0, 3.0));
    assert_eq!(of(58, SampleKind::Game), (7.0, 1.0));
    assert_eq!(of(59, SampleKind::Leaf), (1.0, 1.0));
}

#[test]
fn kinds_have_equal_total_weight_up_to_the_maximum() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut samples = Samples::default();
    for (kind, count) in [
        (SampleKind::Game, 300),
        (SampleKind::Leaf, 100),
        (SampleKind::Branch, 4),
    ] {
        for _ in 0..count {
            let board = crate::board::testing::board_of_a_game(&mut random, 20);
            samples.add(&board, kind, 0.0);
        }
    }
    samples.merge_duplicates(ONE);
    let total = |kind| samples.weight(20, kind) * samples.group(20, kind).len() as f32;
    assert!((total(SampleKind::Game) / total(SampleKind::Leaf) - 1.0).abs() < 1e-3);
    assert!((samples.weight(20, SampleKind::Branch) - 4.0).abs() < 1e-3);
    assert!(samples.weight(21, SampleKind::Game).is_finite());
}

/// Splits the positions of `blocks`.
fn split(blocks: &[Block], seed: u64) -> Split {
    let mut splitter = Splitter::new(seed, 0.75);
    for block in blocks {
        splitter.add(block);
    }
    splitter.finish(ONE)
}

#[test]
fn held_out_positions_are_not_among_the_training_samples() {
    let blocks = [
        blocks(&run(400, 2, "1/1")),
        blocks(&roots(2000, 2, Some(RootSampling::Branch))),
    ]
    .concat();
    let whole = split(&blocks, 1);
    assert_eq!(whole, split(&blocks, 1));
    assert_ne!(whole, split(&blocks, 2));
    for kind in [SampleKind::Game, SampleKind::Branch] {
        let share = whole.held_out.count(kind) as f64 / whole.training.count(kind) as f64;
        assert!((0.005..0.15).contains(&share), "{share}");
    }
    let is_training = |empties, board: &Board| {
        SampleKind::ALL.iter().any(|&kind| {
            let group = whole.training.group(empties, kind);
            group.iter().any(|sample| sample.board == *board)
        })
    };
    for empties in 0..=60 {
        for kind in SampleKind::ALL {
            for sample in whole.held_out.group(empties, kind) {
                assert!(!is_training(empties, &sample.board));
            }
        }
    }
}

#[test]
fn position_labels_are_means_in_discs() {
    let position = |units, sampling| LabelledPosition {
        board: Board::START.play(Square::F5),
        label: SearchValue {
            value: Value::from_units(units),
            is_exact: false,
        },
        sampling,
    };
    let (leaf, branch) = (RootSampling::Leaf, RootSampling::Branch);
    let block = Block {
        origin: Origin::default(),
        first: 0,
        span: 1,
        records: Records::Positions(vec![
            position(40, leaf),
            position(-8, branch),
            position(-16, branch),
        ]),
    };
    let Split {
        training, held_out, ..
    } = split(&[block], 1);
    let labels = |kind| {
        let samples = [&training, &held_out].map(|samples| samples.group(59, kind));
        samples
            .concat()
            .iter()
            .map(|one| one.label)
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(SampleKind::Leaf), [1.25]);
    assert_eq!(labels(SampleKind::Branch), [-0.375]);
}
