//! Tests that hold for all evaluations.

use super::{Classic, Evaluator, Light, Net, Simple, Value};
use crate::board::testing::boards_of_games;
use crate::board::{Board, Symmetry};

#[test]
fn symmetric_images_have_the_same_value() {
    let (light, net) = (Light::embedded(), Net::embedded());
    let evaluations: [&dyn Fn(&Board) -> Value; 4] = [
        &|board| Simple.evaluate(board),
        &|board| Classic.evaluate(board),
        &|board| net.evaluate(board),
        &|board| light.evaluate(board),
    ];
    for evaluate in evaluations {
        for board in boards_of_games(5, 3000) {
            let value = evaluate(&board);
            for symmetry in Symmetry::all() {
                assert_eq!(evaluate(&symmetry.board(&board)), value, "{board:?}");
            }
        }
    }
}
