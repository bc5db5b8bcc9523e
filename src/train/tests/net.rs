//! Tests of network training: it is deterministic, resumes from checkpoints, and reduces the error.

use super::*;
use crate::stream::balanced_weights;
use emilia_core::eval::{Evaluator, Net};

/// Writes games to one file and labelled positions to another, and opens both as a stream.
fn stream(folder: &TempDir) -> PositionStream {
    let files = vec![
        write(folder, "games", &blocks(&run(2 * 256, "1/1"), 1)),
        write(folder, "positions", &blocks(&roots(4 * 64, None), 1)),
    ];
    PositionStream::open(files, 0.75, 5, &|_| ()).unwrap()
}

fn training(stream: &PositionStream, epochs: u64, threads: usize) -> NetTraining<'_> {
    let threads = NonZero::new(threads).unwrap();
    NetTraining::new(epochs, 2e-3, stream, None, threads).unwrap()
}

#[test]
fn a_training_of_any_threads_resumed_or_not_gives_one_net_and_a_falling_error() {
    let folder = tempdir().unwrap();
    let stream = stream(&folder);
    let checkpoint = folder.path().join("checkpoint");
    let mut whole = training(&stream, 2, 1);
    assert_eq!(whole.progress(), (0, 2));
    let errors = [(); 2].map(|()| whole.next_pool(&|_, _| ()).unwrap());
    assert!(errors[1].held_out < errors[0].held_out, "{errors:?}");

    let mut ended = training(&stream, 2, 3);
    assert!(!ended.resume(&checkpoint).unwrap());
    assert_eq!(ended.next_pool(&|_, _| ()).unwrap(), errors[0]);
    ended.write_checkpoint(&checkpoint).unwrap();
    let other = training(&stream, 3, 1).resume(&checkpoint).unwrap_err();
    assert!(other.to_string().contains("other data or options"));
    let mut resumed = training(&stream, 2, 3);
    assert!(resumed.resume(&checkpoint).unwrap());
    assert_eq!(resumed.progress(), (1, 2));
    assert_eq!(resumed.next_pool(&|_, _| ()).unwrap(), errors[1]);
    assert!(resumed.parameters() == whole.parameters());
}

#[test]
fn quantised_values_are_near_floating_point_values() {
    let folder = tempdir().unwrap();
    let stream = stream(&folder);
    let mut parameters = training(&stream, 1, 1).parameters();
    // Rows that are rounded to whole quantisation steps have no quantisation error. Then only the
    // dense layers contribute to the difference.
    for (is_whole, mean_limit, limit) in [(false, 0.2, 1.0), (true, 0.04, 0.2)] {
        if is_whole {
            for weight in parameters.rows.iter_mut().chain(&mut parameters.extras) {
                *weight = (*weight * 512.0).round() / 512.0;
            }
        }
        let net = Net::new(parameters.quantised().into());
        let training = NetTraining::new(1, 2e-3, &stream, Some(&parameters), ONE).unwrap();
        let (mut differences, mut values) = (Vec::new(), ErrorStats::default());
        for one in stream.pool(0, 0, ONE).unwrap() {
            let value = net.evaluate(&one.board).discs();
            differences.push((value - f64::from(training.value(&one.board))).abs());
            values.add(value);
        }
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let most = differences.into_iter().fold(0.0, f64::max);
        assert!(mean < mean_limit && most < limit, "{mean} {most}");
        assert!(values.rmse() > 1.0, "{values:?}");
    }
}

#[test]
fn each_epoch_has_all_positions_once_in_another_order() {
    let folder = tempdir().unwrap();
    let stream = stream(&folder);
    let epoch = |number| {
        let pools = 0..stream.pool_count();
        let positions = pools.flat_map(|pool| stream.pool(number, pool, ONE).unwrap());
        let labels = positions.map(|one| (one.board, one.label.to_bits()));
        labels.collect::<Vec<_>>()
    };
    let mut epochs = [0, 1, 0].map(epoch);
    assert_eq!(epochs[0].len() as u64, stream.position_count());
    assert!(epochs[0] == epochs[2] && epochs[0] != epochs[1]);
    for epoch in &mut epochs {
        epoch.sort_unstable();
    }
    assert_eq!(epochs[0], epochs[1]);
}

#[test]
fn kinds_have_equal_total_weight_up_to_the_maximum() {
    let [games, leaves, branches] = balanced_weights([300, 100, 4]);
    assert!((300.0 * games - 100.0 * leaves).abs() < 0.1);
    assert!((branches - 4.0).abs() < 1e-6);
    assert!(
        balanced_weights([0; 3])
            .iter()
            .all(|weight| weight.is_finite())
    );
}

#[test]
fn held_out_blocks_are_the_first_of_every_fifty() {
    let folder = tempdir().unwrap();
    let position = positions(&blocks(&roots(1, None), 1))[0];
    let block = |number: i32| {
        let mut position = position;
        position.label.value = Value::from_units(32 * number);
        Block {
            origin: Origin::default(),
            first: number as u64,
            item_count: 1,
            records: Records::Positions(vec![position]),
        }
    };
    let file = write(
        &folder,
        "positions",
        &(0..60).map(block).collect::<Vec<_>>(),
    );
    let stream = PositionStream::open(vec![file], 1.0, 1, &|_| ()).unwrap();
    let held_out = stream.held_out(ONE).unwrap();
    let labels = held_out.iter().map(|one| one.label);
    assert_eq!(labels.collect::<Vec<_>>(), [0.0, 50.0]);
    assert_eq!(stream.training(ONE).unwrap().len(), 58);
}
