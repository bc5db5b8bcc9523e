//! Levelling: the mean errors that the biases of the net take out.

use super::*;

/// Returns a game without random moves. The value of each search exceeds the final score, for
/// Black, by `error(empties)` discs.
pub(super) fn game(depth: u8, error: impl Fn(u32) -> i32) -> GameRecord {
    let origin = Origin {
        depth,
        ..Origin::default()
    };
    let mut random = fastrand::Rng::with_seed(3);
    let (mut board, mut side, mut moves) = (Board::START, Color::Black, Vec::new());
    while !board.is_over() {
        if !board.can_move() {
            (board, side) = (board.pass(), !side);
        }
        let square = random.choice(board.legal_moves().squares()).unwrap();
        moves.push((square, board.empty_count()));
        (board, side) = (board.play(square), !side);
    }
    let score = match side {
        Color::Black => board.final_score(),
        Color::White => -board.final_score(),
    };
    let value = |empties| SearchValue {
        value: Value::from_score(score + error(empties)),
        is_exact: false,
    };
    let moves: Vec<_> = moves
        .into_iter()
        .map(|(square, empties)| (square, Some(value(empties))))
        .collect();
    GameRecord::new(&moves, 0, score, &origin)
}

/// Returns the mean errors for a game whose values favour Black by `error`.
fn mean_errors(depth: u8, error: impl Fn(u32) -> i32) -> Vec<f64> {
    Levelling::of(&[game(depth, error)]).mean_errors().to_vec()
}

/// Whether the numbers are equal, but for rounding.
fn is(number: f64, other: f64) -> bool {
    (number - other).abs() < 1e-9
}

#[test]
fn errors_count_for_the_side_to_move_at_the_horizon() {
    // Black moves with an even number of empties until the first pass.
    for depth in [24, 25] {
        let errors = mean_errors(depth, |_| 2);
        for horizon in 15..=30 {
            let error = if horizon % 2 == 0 { 2.0 } else { -2.0 };
            assert!(is(errors[horizon], error), "{depth}, {horizon}: {errors:?}");
        }
    }
}

#[test]
fn the_horizon_is_the_depth_below_the_position() {
    let errors = mean_errors(20, |empties| if empties >= 40 { 2 } else { 0 });
    assert!(is(errors[28], 2.0) && is(errors[9], 0.0), "{errors:?}");
}

#[test]
fn mean_errors_are_smoothed_over_the_same_parity() {
    let errors = mean_errors(20, |empties| if empties == 40 { 9 } else { 0 });
    for (empties, share) in [
        (20, 3.0),
        (18, 2.0),
        (22, 2.0),
        (16, 1.0),
        (24, 1.0),
        (14, 0.0),
    ] {
        assert!(is(errors[empties], share), "{empties}: {errors:?}");
        assert!(is(errors[empties + 1], 0.0), "{empties}: {errors:?}");
    }
}

#[test]
fn numbers_of_empties_without_data_take_the_nearest_of_their_parity() {
    let errors = mean_errors(20, |_| 2);
    assert!(is(errors[60], errors[30]) && is(errors[59], errors[29]));
    assert!(!is(errors[60], errors[59]), "{errors:?}");
    let none = Levelling::of(&[]).mean_errors();
    assert!(none.iter().all(|&error| is(error, 0.0)));
}
