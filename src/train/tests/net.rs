//! Training of the network: deterministic, resumable, and with falling error.

use super::*;
use crate::errors::balanced_weight;
use crate::net::NetTraining;
use emilia_core::board::testing::boards_of_games;

/// Writes training games and solved positions to two files and opens them as a stream.
fn stream(folder: &Folder) -> PositionStream {
    let files = [
        ("games", blocks(&run(4 * 256, 1, "1/1"))),
        ("positions", blocks(&roots(8 * 64, 1, None))),
    ];
    let paths = files.map(|(name, blocks)| {
        let bytes: Vec<u8> = blocks.iter().flat_map(Block::to_bytes).collect();
        std::fs::write(folder.file(name), bytes).unwrap();
        folder.file(name)
    });
    PositionStream::open(paths.to_vec(), 0.75, 0..=60, 1, &|_, _| ()).unwrap()
}

const FIT: NetFit = NetFit {
    epochs: 2,
    batch: 100,
    learning_rate: 2e-3,
    seed: 5,
    phase: None,
};

fn trained(stream: &PositionStream, threads: usize) -> NetTraining<'_> {
    let threads = NonZero::new(threads).unwrap();
    let mut training = NetTraining::new(FIT, stream, None, threads).unwrap();
    while !training.is_done() {
        training.next_pool(&|_, _| ()).unwrap();
    }
    training
}

#[test]
fn training_is_deterministic_with_any_number_of_threads() {
    let folder = Folder::new("net-threads");
    let stream = stream(&folder);
    let (one, three) = (trained(&stream, 1), trained(&stream, 3));
    assert_eq!(one.curve(), three.curve());
    assert!(one.parameters() == three.parameters());
}

#[test]
fn a_resumed_training_equals_an_uninterrupted_one() {
    let folder = Folder::new("net-resume");
    let stream = stream(&folder);
    let begin = || NetTraining::new(FIT, &stream, None, ONE).unwrap();
    let checkpoint = folder.file("checkpoint");
    let job = TrainJob::new([("--epochs", "1".to_owned())]);
    let mut ended = begin();
    assert!(!ended.resume(&checkpoint, &job).unwrap());
    ended.next_pool(&|_, _| ()).unwrap();
    ended.write_checkpoint(&checkpoint, &job).unwrap();

    let mut resumed = begin();
    let other = TrainJob::new([("--epochs", "2".to_owned())]);
    assert!(resumed.resume(&checkpoint, &other).is_err());
    assert!(resumed.resume(&checkpoint, &job).unwrap());
    assert_eq!(resumed.progress(), (1, 2));
    resumed.next_pool(&|_, _| ()).unwrap();
    assert!(resumed.is_done());
    let whole = trained(&stream, 1);
    assert_eq!(resumed.curve(), whole.curve());
    assert!(resumed.parameters() == whole.parameters());

    let mut bytes = std::fs::read(&checkpoint).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&checkpoint, bytes).unwrap();
    assert!(begin().resume(&checkpoint, &job).is_err(), "damaged");
    std::fs::write(&checkpoint, "a letter to the editor").unwrap();
    assert!(begin().resume(&checkpoint, &job).is_err());
}

#[test]
fn training_reduces_the_held_out_error() {
    let folder = Folder::new("net-learns");
    let stream = stream(&folder);
    let training = trained(&stream, 1);
    let constant: f64 = {
        let labels = training
            .held_out()
            .iter()
            .map(|(one, _)| f64::from(one.label));
        let squares: f64 = labels.map(|label| label * label).sum();
        (squares / training.held_out().len() as f64).sqrt()
    };
    let [.., last] = training.curve() else {
        panic!("no curve")
    };
    assert!(last.held_out_rmse < 0.8 * constant, "{last:?}, {constant}");
    assert!(last.held_out_rmse < training.curve()[0].held_out_rmse);
}

#[test]
fn training_of_a_phase_holds_the_values_of_the_other() {
    let folder = Folder::new("net-phase");
    let stream = stream(&folder);
    let initial = trained(&stream, 1).parameters();
    for (phase, held) in [
        (NetPhase::Early, NetPhase::Late),
        (NetPhase::Late, NetPhase::Early),
    ] {
        let fit = NetFit {
            phase: Some(phase),
            ..FIT
        };
        let files = vec![folder.file("games")];
        let stream = PositionStream::open(files, 0.75, phase.empties(), 1, &|_, _| ()).unwrap();
        let mut training = NetTraining::new(fit, &stream, Some(&initial), ONE).unwrap();
        training.next_pool(&|_, _| ()).unwrap();
        let trained = training.parameters();
        let (mut changed, mut boards) = (0, 0);
        for board in boards_of_games(6, 3000) {
            let is_equal = initial.value(&board).to_bits() == trained.value(&board).to_bits();
            if held.empties().contains(&board.empty_count()) {
                assert!(is_equal, "{phase:?}: {board:?}");
            } else {
                (changed, boards) = (changed + u32::from(!is_equal), boards + 1);
            }
        }
        assert!(changed > boards / 2, "{phase:?}: {changed} of {boards}");
    }
}

#[test]
fn positions_with_other_numbers_of_empties_are_left_out() {
    let folder = Folder::new("net-empties");
    let whole = stream(&folder);
    let files = vec![folder.file("games"), folder.file("positions")];
    let part = PositionStream::open(files, 0.75, 8..=20, 1, &|_, _| ()).unwrap();
    assert!(!part.is_empty() && part.len() < whole.len());
    let kept = part.training(ONE).unwrap();
    assert_eq!(kept.len() as u64, part.len());
    let held_out = part.held_out(ONE).unwrap();
    let boards = kept.iter().chain(held_out.iter().map(|(one, _)| one));
    for one in boards {
        assert!((8..=20).contains(&one.board.empty_count()), "{one:?}");
    }
}

#[test]
fn each_epoch_has_all_positions_once_in_another_order() {
    let folder = Folder::new("net-stream");
    let stream = stream(&folder);
    let epoch = |number| {
        let pools = stream.pools(number);
        let positions = pools
            .iter()
            .flat_map(|pool| stream.load(pool, ONE).unwrap());
        positions
            .map(|one| (one.board, one.label.to_bits()))
            .collect::<Vec<_>>()
    };
    let (mut first, mut second) = (epoch(0), epoch(1));
    assert_eq!(first.len() as u64, stream.len());
    assert_ne!(first, second);
    assert_eq!(first, epoch(0));
    first.sort_unstable();
    second.sort_unstable();
    assert_eq!(first, second);
    let held_out = stream.held_out(ONE).unwrap();
    assert!(!held_out.is_empty());
}

#[test]
fn kinds_have_equal_total_weight_up_to_the_maximum() {
    let weight = |kind| balanced_weight([300.0, 100.0, 4.0], kind);
    let totals = [
        300.0 * weight(SampleKind::Game),
        100.0 * weight(SampleKind::Leaf),
    ];
    assert!((totals[0] - totals[1]).abs() < 0.1, "{totals:?}");
    assert!((weight(SampleKind::Branch) - 4.0).abs() < 1e-6);
    assert!(balanced_weight([0.0; 3], SampleKind::Game).is_finite());
}

#[test]
fn held_out_blocks_are_the_first_of_every_fifty() {
    let folder = Folder::new("held-out");
    let position = |units, sampling| LabelledPosition {
        board: Board::START.play(Square::F5),
        label: SearchValue {
            value: Value::from_units(units),
            is_exact: false,
        },
        sampling,
    };
    let block = |number: u64| Block {
        origin: Origin::default(),
        first: number,
        item_count: 1,
        records: Records::Positions(vec![position(number as i32, RootSampling::Leaf)]),
    };
    let bytes: Vec<u8> = (0..60)
        .flat_map(|number| block(number).to_bytes())
        .collect();
    std::fs::write(folder.file("positions"), bytes).unwrap();
    let stream =
        PositionStream::open(vec![folder.file("positions")], 1.0, 0..=60, 1, &|_, _| ()).unwrap();
    let held_out = stream.held_out(ONE).unwrap();
    let labels = held_out.iter().map(|(one, _)| one.label * 32.0);
    assert_eq!(labels.collect::<Vec<_>>(), [0.0, 50.0]);
    assert_eq!(stream.training(ONE).unwrap().len(), 58);
}
