//! Tests of levelling: the mean errors that the output biases of the net must cancel.

use super::*;
use emilia_core::board::{Move, Position};

/// Returns the mean errors for one game without random opening plies. For Black, each search value
/// is `error(empties)` discs above the final score.
fn mean_errors(depth: u8, error: impl Fn(u32) -> i32) -> Vec<f64> {
    let origin = Origin {
        depth,
        ..Origin::default()
    };
    let mut random = fastrand::Rng::with_seed(3);
    let (mut position, mut moves) = (Position::START, Vec::new());
    while !position.is_over() {
        let mv = random.choice(position.moves()).unwrap_or(Move::Pass);
        let empties = position.board.empty_count();
        moves.extend(mv.square().map(|square| (square, empties)));
        position = position.play(mv).unwrap();
    }
    let score = position.final_score_for(Color::Black);
    let valued = moves.into_iter().map(|(square, empties)| {
        let search = SearchValue {
            value: Value::from_score(score + error(empties)),
            is_exact: false,
        };
        (square, Some(search))
    });
    let game = TrainingGame::new(&valued.collect::<Vec<_>>(), 0, score, &origin);
    Levelling::of(&[game]).mean_errors().to_vec()
}

#[test]
fn mean_errors_belong_to_the_horizon_and_are_smoothed_over_its_parity() {
    let is = |errors: &[f64], empties: usize, error: f64| {
        assert!(
            (errors[empties] - error).abs() < 1e-9,
            "{empties}: {errors:?}"
        );
    };
    // Each search value is 2 discs too high for Black. Errors are measured for the side to move at
    // the horizon. Before the first pass of the game, this is Black at even numbers of empties and
    // White at odd numbers, so the error is 2 at even horizons and −2 at odd horizons.
    for depth in [24, 25] {
        let errors = mean_errors(depth, |_| 2);
        for horizon in 15..=30 {
            is(&errors, horizon, if horizon % 2 == 0 { 2.0 } else { -2.0 });
        }
        // 59 and 60 empties have no data. They get the error of the nearest number of empties with
        // data and the same parity.
        is(&errors, 60, 2.0);
        is(&errors, 59, -2.0);
    }
    let errors = mean_errors(20, |empties| if empties == 40 { 9 } else { 0 });
    let shares = [20, 18, 22, 16, 24, 14]
        .into_iter()
        .zip([3.0, 2.0, 2.0, 1.0, 1.0, 0.0]);
    for (empties, share) in shares {
        is(&errors, empties, share);
        is(&errors, empties + 1, 0.0);
    }
    is(&Levelling::of(&[]).mean_errors(), 30, 0.0);
}
