//! The classic evaluation: discs, mobility, corners and edges.
//!
//! Every feature is a difference, the mover's count minus the opponent's, so both colours are treated alike, and a
//! count of squares that no symmetry changes. The weights are a least-squares fit of the final scores of 20,000 games that
//! an earlier fit played against itself: 6 to 39 random plies, then 4 plies of search a move, the last 12 squares solved.
//! At equal depth the fit takes 53.5 ± 2.8 % of the points from the one it grew out of (500 pairs of games from XOT
//! openings), which took 57.9 ± 3.4 % from a fit to tournament games alone.

use super::{ErrorModel, Evaluator, Value};
use crate::bitboard;
use crate::board::{Bitboard, Board};

/// The weight of one unit of a feature, in 1/32 disc: at the start of the game and on a full board, in proportion to
/// the discs on the board in between.
#[derive(Clone, Copy, Debug)]
struct Weight {
    opening: i32,
    ending: i32,
}

impl Weight {
    const fn new(opening: i32, ending: i32) -> Weight {
        Weight { opening, ending }
    }

    /// The value of `count` units with `discs` discs on the board, in 1/64 of 1/32 disc.
    #[inline]
    const fn of(self, count: i32, discs: i32) -> i32 {
        count * (self.opening * (64 - discs) + self.ending * discs)
    }
}

/// A disc. Many discs early are a burden: they give the opponent moves.
const DISC: Weight = Weight::new(-3, 11);
/// A legal move.
const MOBILITY: Weight = Weight::new(8, 57);
/// An empty square beside a disc of the other side: a move to be.
const POTENTIAL_MOBILITY: Weight = Weight::new(30, -24);
/// A disc beside an empty square: it can be flipped from there.
const FRONTIER: Weight = Weight::new(-52, -43);
/// A corner.
const CORNER: Weight = Weight::new(540, -16);
/// A corner that may be taken now.
const CORNER_MOVE: Weight = Weight::new(27, 199);
/// A disc diagonally beside an empty corner.
const X_SQUARE: Weight = Weight::new(-564, 147);
/// A disc on the edge beside an empty corner.
const C_SQUARE: Weight = Weight::new(-74, -3);
/// An edge disc in an unbroken run from a corner of the same side: it can not be flipped any more.
const ANCHORED: Weight = Weight::new(138, 12);
/// The turn itself: for most of the game it is better not to have to move.
const TEMPO: Weight = Weight::new(-117, -34);
/// An odd number of empty squares: the mover makes the last move of the game, if nobody passes.
const PARITY: Weight = Weight::new(-10, 13);

/// Fitted by `emilia train --fit-selectivity`.
const ERROR_MODEL: ErrorModel = ErrorModel {
    midgame: [1.163, 0.182, -1.435, 0.59, -0.44, -0.31],
    endgame: [2.934, 1.571, -0.393, -0.78],
};

/// The squares diagonally beside the corners.
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

/// The edge squares beside the corners.
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

/// Discs, mobility, corners and edges, in hand-picked features with fitted weights.
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

    fn error_model(&self) -> &ErrorModel {
        &ERROR_MODEL
    }
}

/// The discs on the edges that an unbroken run joins to a corner of the same side.
#[inline]
fn anchored(discs: Bitboard) -> Bitboard {
    const RANKS: u64 = Bitboard::RANK_1.0 | Bitboard::RANK_8.0;
    const FILES: u64 = Bitboard::FILE_A.0 | Bitboard::FILE_H.0;
    let corners = discs.0 & Bitboard::CORNERS.0;
    if corners == 0 {
        return Bitboard::EMPTY;
    }
    // Square by square, both ways along the ranks and the files; a run cannot pass a corner of the next edge.
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
    use crate::board::{Square, Symmetry};

    #[test]
    fn symmetric_images_are_worth_the_same() {
        for board in boards_of_games(5, 5000) {
            for symmetry in Symmetry::all() {
                assert_eq!(
                    Classic.evaluate(&symmetry.board(&board)),
                    Classic.evaluate(&board),
                    "{board:?}"
                );
            }
        }
    }

    /// All but tempo and parity is a difference: handing the turn over turns the sign.
    #[test]
    fn the_other_side_sees_the_opposite() {
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

    #[test]
    fn a_corner_is_good_and_an_x_square_is_bad() {
        let evaluate = |moves: &str| {
            let position: crate::board::Position = moves.parse().unwrap();
            Classic.evaluate(&position.board)
        };
        let before = evaluate("f5d6c3d3c4f4f6b4");
        let mut with_corner = "f5d6c3d3c4f4f6b4"
            .parse::<crate::board::Position>()
            .unwrap()
            .board;
        with_corner.player |= Bitboard::of(Square::A1);
        assert!(Classic.evaluate(&with_corner) > before);
        let mut with_x = with_corner;
        with_x.player = with_x.player & !Bitboard::of(Square::A1) | Bitboard::of(Square::B2);
        assert!(Classic.evaluate(&with_x) < before);
    }
}
