//! `Classic`: an evaluation by hand-picked features such as discs, mobility, corners and edges.
//!
//! Every feature is the mover's count minus the opponent's count, so colours have no effect.
//! Every counted set of squares is invariant under the symmetries of the board.
//! The weights are a least-squares fit to the final scores of 20,000 self-play games.
//! These games had 6 to 39 random plies, then 4-ply searches, and exact play from 12 empty squares.

use super::{Evaluator, ProbCutModel, Value};
use crate::bitboard;
use crate::board::{Bitboard, Board};

/// The weight of one unit of a feature, in 1/32 disc.
/// The weight changes linearly with the number of discs on the board: from `opening` with no disc
/// to `ending` with 64 discs.
#[derive(Clone, Copy, Debug)]
struct Weight {
    opening: i32,
    ending: i32,
}

impl Weight {
    const fn new(opening: i32, ending: i32) -> Weight {
        Weight { opening, ending }
    }

    /// The value of `count` units of the feature, with `discs` discs on the board. The result is in
    /// units of 1/2048 disc: 1/64 of the unit of [`Value`].
    #[inline]
    const fn of(self, count: i32, discs: i32) -> i32 {
        count * (self.opening * (64 - discs) + self.ending * discs)
    }
}

/// A disc. The weight is negative early, because many discs give the opponent moves.
const DISC: Weight = Weight::new(-3, 11);
/// A legal move.
const MOBILITY: Weight = Weight::new(8, 57);
/// An empty square next to an opponent disc: a potential move.
const POTENTIAL_MOBILITY: Weight = Weight::new(30, -24);
/// Frontier disc: a disc next to an empty square. A move on that square can flip the disc.
const FRONTIER: Weight = Weight::new(-52, -43);
/// A disc on a corner.
const CORNER: Weight = Weight::new(540, -16);
/// A corner that is a legal move.
const CORNER_MOVE: Weight = Weight::new(27, 199);
/// A disc diagonally next to an empty corner.
const X_SQUARE: Weight = Weight::new(-564, 147);
/// A disc on the edge next to an empty corner.
const C_SQUARE: Weight = Weight::new(-74, -3);
/// An edge disc in an unbroken run of discs of one colour from a corner. It can never be flipped.
const ANCHORED: Weight = Weight::new(138, 12);
/// The turn to move. The weight is negative, because having to move is usually a disadvantage.
const TEMPO: Weight = Weight::new(-117, -34);
/// Parity: counts +1 for an odd number of empty squares, −1 for an even number.
/// With odd parity and no passes, the mover makes the last move of the game.
const PARITY: Weight = Weight::new(-10, 13);

/// Coefficients fitted by `emilia train selectivity`.
const PROBCUT_MODEL: ProbCutModel = ProbCutModel {
    midgame: [1.163, 0.182, -1.435, 0.59, -0.44, -0.31],
    endgame: [2.934, 1.571, -0.393, -0.78],
};

/// X squares: the squares diagonally next to the corners.
const X_SQUARES: Bitboard = bitboard! {
    . . . . . . . .
    . X . . . . X .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . X . . . . X .
    . . . . . . . .
};

/// C squares: the edge squares next to the corners.
const C_SQUARES: Bitboard = bitboard! {
    . X . . . . X .
    X . . . . . . X
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    X . . . . . . X
    . X . . . . X .
};

/// The classic evaluation: a weighted sum of hand-picked features.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

impl Evaluator for Classic {
    fn evaluate(&self, board: &Board) -> Value {
        let discs = 64 - board.empty_count() as i32;
        let (player, opponent) = (board.player, board.opponent);
        let passed = board.pass();
        let open_corners = board.empties() & Bitboard::CORNERS;
        let beside_open_corners = open_corners.dilated();
        let beside_empties = board.empties().dilated();
        let (moves, replies) = (board.legal_moves(), passed.legal_moves());
        let difference =
            |ours: Bitboard, theirs: Bitboard| ours.count() as i32 - theirs.count() as i32;
        let both = |squares: Bitboard| difference(player & squares, opponent & squares);

        let sum = DISC.of(difference(player, opponent), discs)
            + MOBILITY.of(difference(moves, replies), discs)
            + POTENTIAL_MOBILITY.of(
                difference(
                    opponent.dilated() & board.empties(),
                    player.dilated() & board.empties(),
                ),
                discs,
            )
            + FRONTIER.of(both(beside_empties), discs)
            + CORNER.of(both(Bitboard::CORNERS), discs)
            + CORNER_MOVE.of(
                difference(moves & Bitboard::CORNERS, replies & Bitboard::CORNERS),
                discs,
            )
            + X_SQUARE.of(both(X_SQUARES & beside_open_corners), discs)
            + C_SQUARE.of(both(C_SQUARES & beside_open_corners), discs)
            + ANCHORED.of(difference(anchored(player), anchored(opponent)), discs)
            + TEMPO.of(1, discs)
            + PARITY.of(if discs % 2 == 1 { 1 } else { -1 }, discs);
        Value::from_units(sum / 64).clamped()
    }

    fn name(&self) -> &'static str {
        "classic"
    }

    fn probcut_model(&self) -> &ProbCutModel {
        &PROBCUT_MODEL
    }
}

/// The edge discs in unbroken runs of `discs` that begin at a corner.
#[inline]
fn anchored(discs: Bitboard) -> Bitboard {
    const RANKS: u64 = Bitboard::RANK_1.0 | Bitboard::RANK_8.0;
    const FILES: u64 = Bitboard::FILE_A.0 | Bitboard::FILE_H.0;
    let corners = discs.0 & Bitboard::CORNERS.0;
    if corners == 0 {
        return Bitboard::EMPTY;
    }
    // Grows the runs square by square, both ways along the ranks and the files.
    // `wall` stops a run at the end of its rank. Files need no wall: a shift past their ends drops
    // the bit.
    let grow = |line: u64, step: u32, wall: u64| {
        let through = discs.0 & line;
        let (mut up, mut down) = (corners & line, corners & line);
        for _ in 0..7 {
            up |= (up & !wall) << step & through;
            down |= down >> step & !wall & through;
        }
        up | down
    };
    Bitboard(grow(RANKS, 1, Bitboard::FILE_H.0) | grow(FILES, 8, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::boards_of_games;

    #[test]
    fn passing_negates_all_features_but_tempo_and_parity() {
        for board in boards_of_games(5, 5000) {
            let discs = 64 - board.empty_count() as i32;
            let parity = PARITY.of(if discs % 2 == 1 { 1 } else { -1 }, discs);
            let own_turn = 2 * (TEMPO.of(1, discs) + parity) / 64;
            let sides = [board, board.pass()].map(|board| Classic.evaluate(&board));
            let sum = (sides[0] + sides[1]).units();
            let clamped = sides
                .iter()
                .any(|value| value.units().abs() == Value::MAX.units());
            assert!(
                clamped || (sum - own_turn).abs() <= 1,
                "{sum} {own_turn} {board:?}"
            );
        }
    }

    #[test]
    fn anchored_runs_start_at_corners() {
        let discs = bitboard! {
            X X X . X X . X
            X . . . . . . .
            . . . . . . . X
            X . X X . . . X
            X . . . . . . X
            . . . . . . . X
            . . . . . . . X
            . X X X X X X X
        };
        let expected = bitboard! {
            X X X . . . . X
            X . . . . . . .
            . . . . . . . X
            . . . . . . . X
            . . . . . . . X
            . . . . . . . X
            . . . . . . . X
            . X X X X X X X
        };
        assert_eq!(anchored(discs), expected);
        assert_eq!(anchored(Bitboard::ALL).count(), 28);
    }
}
