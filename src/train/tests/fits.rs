//! Tests of the fit of the light weights: it recovers a known evaluation and is deterministic.

use super::*;
use emilia_core::board::Bitboard;
use emilia_core::eval::Light;

/// Known evaluation that the fit must recover, in discs. A disc counts 6.25 on a corner, −1.25 next
/// to a corner, and 0.25 elsewhere. The side to move gets 1 more.
fn planted(board: &Board) -> f32 {
    let corners = Bitboard::CORNERS;
    let beside = corners.dilated() & !corners;
    let worth = |discs: Bitboard| {
        (discs & corners).count() as f32 * 6.0 - (discs & beside).count() as f32 * 1.5
            + discs.count() as f32 * 0.25
    };
    worth(board.player) - worth(board.opponent) + 1.0
}

/// Returns positions of random games, labelled with the known evaluation plus uniform noise.
/// `noise` is the width of the noise in discs.
fn planted_positions(seed: u64, count: usize, noise: f32) -> Vec<LabelledBoard> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut moves = random.fork();
    let mut board = Board::START;
    let boards = std::iter::repeat_with(|| {
        let square = moves.choice(board.legal_moves().squares());
        board = square.map_or(Board::START, |square| board.play(square));
        board
    });
    let open = boards.take(count).filter(Board::can_move);
    open.map(|board| LabelledBoard {
        board,
        label: planted(&board) + noise * (random.f32() - 0.5),
        weight: 1.0,
    })
    .collect()
}

fn fitted(positions: &[LabelledBoard], threads: usize) -> Vec<u8> {
    fit_light(
        positions.to_vec(),
        NonZero::new(threads).unwrap(),
        &|_, _| (),
    )
}

#[test]
fn fit_recovers_planted_weights() {
    let held_out = planted_positions(2, 3000, 0.0);
    let file = fitted(&planted_positions(1, 80_000, 2.0), 1);
    let light = Light::from_bytes(&file).unwrap();
    let errors = |predict: &dyn Fn(&Board) -> f64| {
        let mut errors = ErrorStats::default();
        for one in held_out.iter().filter(|one| one.board.empty_count() <= 30) {
            errors.add(predict(&one.board) - f64::from(one.label));
        }
        errors
    };
    let mean = -errors(&|_| 0.0).mean();
    // RMSE relative to the RMSE of always predicting the mean label. It is not 0, because the light
    // evaluation has no features for some squares.
    let relative = errors(&|board| light.evaluate(board).discs()).rmse() / errors(&|_| mean).rmse();
    assert!(relative < 0.5, "{relative}");
}

#[test]
fn fit_is_bit_identical_for_any_threads() {
    let positions = planted_positions(3, 3600, 4.0);
    assert!(fitted(&positions, 1) == fitted(&positions, 3));
}
