//! Tests of the laws that every evaluation obeys.

use super::{Classic, Evaluator, Net, Simple};
use crate::board::Symmetry;
use crate::board::testing::boards_of_games;

#[test]
fn symmetric_images_have_the_same_value() {
    let evaluators: [&dyn Evaluator; 3] = [&Simple, &Classic, &Net::embedded()];
    for evaluator in evaluators {
        for board in boards_of_games(5, 3000) {
            let value = evaluator.evaluate(&board);
            for symmetry in Symmetry::all() {
                let image = symmetry.board(&board);
                assert_eq!(evaluator.evaluate(&image), value, "{evaluator:?} {board:?}");
            }
        }
    }
}
