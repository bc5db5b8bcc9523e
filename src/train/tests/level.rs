//! Levelling: the mean errors that the biases of the net take out.

use super::*;

/// Returns a game without random moves. The value of each search exceeds the final score, for
/// Black, by `error(empties)` discs.
fn game(depth: u8, error: impl Fn(u32) -> i32) -> TrainingGame {
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
    TrainingGame::new(&moves, 0, score, &origin)
}

/// Returns the mean errors for a game whose values favour Black by `error`.
fn mean_errors(depth: u8, error: impl Fn(u32) -> i32) -> Vec<f64> {
    Levelling::of(&[game(depth, error)]).mean_errors().to_vec()
}

#[test]
fn mean_errors_belong_to_the_horizon_and_are_smoothed_over_its_parity() {
    let is = |errors: &[f64], empties: usize, error: f64| {
        assert!(
            (errors[empties] - error).abs() < 1e-9,
            "{empties}: {errors:?}"
        );
    };
    // Errors count for the side to move at the horizon. Black moves with an even number of empties
    // until the first pass.
    for depth in [24, 25] {
        let errors = mean_errors(depth, |_| 2);
        for horizon in 15..=30 {
            is(&errors, horizon, if horizon % 2 == 0 { 2.0 } else { -2.0 });
        }
        // Without data: the nearest number of empties of the same parity.
        is(&errors, 60, 2.0);
        is(&errors, 59, -2.0);
    }
    let errors = mean_errors(20, |empties| if empties == 40 { 9 } else { 0 });
    let shares = [
        (20, 3.0),
        (18, 2.0),
        (22, 2.0),
        (16, 1.0),
        (24, 1.0),
        (14, 0.0),
    ];
    for (empties, share) in shares {
        is(&errors, empties, share);
        is(&errors, empties + 1, 0.0);
    }
    is(&Levelling::of(&[]).mean_errors(), 30, 0.0);
}
