//! [`Simple`]: the evaluation to read first. It counts discs, legal moves and corners.
//!
//! Each of the three terms is the count of the side to move minus the opponent's count, times a
//! weight. The sum of the terms is the expected final score:
//!
//! value = disc weight · discs + mobility weight · legal moves + corner weight · corners
//!
//! The weights change from the opening to the end of the game, because the game does:
//!
//! - **Discs.** The final score counts nothing else, so at the end a disc is worth one disc. In the
//!   opening a disc is worth less than nothing: most discs are flipped again, and a side with many
//!   discs gives the opponent many moves.
//! - **Mobility.** A player with few legal moves soon has only bad moves, and must give up a
//!   corner.
//! - **Corners.** A disc on a corner can never be flipped, and it protects the discs next to it on
//!   the edge. A corner taken early protects more discs than a corner taken late.
//!
//! A least-squares fit to the final scores of 3,000 games gave nearly these weights.
//! `MEASUREMENTS.md` has the fit and the match.

use super::{Evaluator, ProbCutModel, Value};
use crate::board::{Bitboard, Board};

/// The worth of one unit of a count, in discs: `opening` on an empty board, `end` on a full board.
/// In between, the worth changes linearly with the number of discs on the board.
#[derive(Clone, Copy, Debug)]
struct Weight {
    opening: i32,
    end: i32,
}

const DISC: Weight = Weight {
    opening: -2,
    end: 1,
};

const MOBILITY: Weight = Weight { opening: 1, end: 4 };

const CORNER: Weight = Weight {
    opening: 30,
    end: 2,
};

/// The simple evaluation: discs, mobility and corners.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_core::eval::{Evaluator, Simple};
///
/// // White, to move, has 2 discs to 5, and 4 legal moves to 4. With 7 discs on the board
/// // a disc weighs −1.67 discs: (−2 · 57 + 1 · 7) / 64. The value is rounded to 1/32.
/// let position: Position = "f5d6c3".parse()?;
/// assert_eq!(Simple.evaluate(&position.board).to_string(), "+5.00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Simple;

impl Simple {
    /// The name that selects this evaluation.
    pub const NAME: &'static str = "simple";
}

impl Evaluator for Simple {
    fn evaluate(&self, board: &Board) -> Value {
        let (player, opponent) = (board.player, board.opponent);
        let replies = board.pass().legal_moves();
        let on_board = (player | opponent).count() as i32;
        let term = |weight: Weight, own: Bitboard, other: Bitboard| {
            let worth = weight.opening * (64 - on_board) + weight.end * on_board;
            (own.count() as i32 - other.count() as i32) * worth
        };
        let sixty_fourths = term(DISC, player, opponent)
            + term(MOBILITY, board.legal_moves(), replies)
            + term(
                CORNER,
                player & Bitboard::CORNERS,
                opponent & Bitboard::CORNERS,
            );
        Value::from_units(sixty_fourths * Value::PER_DISC / 64).clamped()
    }

    fn name(&self) -> &'static str {
        Simple::NAME
    }

    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }
}

/// Coefficients fitted by `emilia train selectivity --eval simple`.
const PROBCUT_MODEL: ProbCutModel = ProbCutModel {
    midgame: [1.474, 0.124, -0.353, 0.526, -1.027, -0.209],
    endgame: [2.09, -1.002, 0.267, -0.444],
};

#[cfg(test)]
mod tests {
    use super::*;

    use crate::board::testing::boards_of_games;

    #[test]
    fn passing_negates_the_value() {
        for board in boards_of_games(5, 2000) {
            assert_eq!(Simple.evaluate(&board.pass()), -Simple.evaluate(&board));
        }
    }
}
