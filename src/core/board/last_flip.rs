//! Counts the discs flipped by the last move of a game, without making the move.
//! With one empty square left, every other square without a disc of the mover has an opponent disc.
//! The number of flips on a line therefore depends only on the mover's discs on the line. A line
//! has at most 8 squares: the bits of the mover's discs index a table.

use super::lines::{gather_file, rays};
use super::{Bitboard, Square};

/// Number of discs that `player` flips by playing `square`, the only empty square.
/// All other squares that `player` does not hold belong to the opponent.
///
/// A version that computes the four lines in AVX2 lanes makes the endgame solver slower: see
/// `MEASUREMENTS.md`.
///
/// ```
/// use emilia_core::board::{Bitboard, Square, count_last_flips};
/// // Flips b1 to g1 in the row and b2 to g7 in the diagonal. File a has no disc of `player`, so
/// // nothing flips in the column.
/// let player = Bitboard::of(Square::H1) | Bitboard::of(Square::H8);
/// assert_eq!(count_last_flips(Square::A1, player), 12);
/// ```
#[inline]
pub fn count_last_flips(square: Square, player: Bitboard) -> u32 {
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    let [diagonal, antidiagonal] = DIAGONALS[square.index()];
    let row = player.0 >> (8 * rank) & 0xFF;
    let column = gather_file(player.0 >> file);
    let by_file = &FLIPS[file];
    let counts = [
        by_file[row as usize],
        FLIPS[rank][column as usize],
        by_file[files(player.0 & diagonal)],
        by_file[files(player.0 & antidiagonal)],
    ];
    counts.into_iter().map(u32::from).sum()
}

/// Maps the squares of a diagonal to a byte with one bit for each file.
/// The multiplication adds the eight ranks, each taken as a byte, in the top byte of the product.
/// A diagonal has at most one square on a file, so the sum has no carries.
#[inline]
const fn files(diagonal: u64) -> usize {
    (diagonal.wrapping_mul(Bitboard::FILE_A.0) >> 56) as usize
}

/// `FLIPS[square][player]` is the number of discs that a move on `square` flips on a line of eight
/// squares.
/// `player` has a bit for each disc of the mover. The opponent holds all other squares of the line.
/// On a diagonal of fewer squares, the bits off the board are zero, as if the opponent held these
/// squares. They add no flips, because no disc of the mover lies beyond them.
/// The table takes 2 KiB.
static FLIPS: [[u8; 256]; 8] = {
    let mut flips = [[0; 256]; 8];
    let mut square = 0;
    while square < 8 {
        let mut player = 0;
        while player < 256 {
            let above = player >> (square + 1);
            if above != 0 {
                flips[square][player] += above.trailing_zeros() as u8;
            }
            let below = player & ((1 << square) - 1);
            if below != 0 {
                flips[square][player] += (square as u32 - 1 - below.ilog2()) as u8;
            }
            player += 1;
        }
        square += 1;
    }
    flips
};

/// The two diagonals through each square, without the square itself: first the diagonal parallel to
/// a1–h8, then the one parallel to a8–h1.
static DIAGONALS: [[u64; 2]; 64] = {
    /// Indices of the two diagonals in `lines::LINES`.
    const DIAGONAL_LINES: [usize; 2] = [3, 2];
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < 2 {
            let [up, down] = rays(square, DIAGONAL_LINES[at]);
            diagonals[square][at] = up.0 | down.0;
            at += 1;
        }
        square += 1;
    }
    diagonals
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::testing::rounds;

    #[test]
    fn last_flip_count_equals_flip_count() {
        let mut random = fastrand::Rng::with_seed(5);
        for round in 0..rounds(60_000, 6) {
            // The share of squares with a disc of `player` cycles through 1/8, 1/2 and 7/8.
            let (a, b, c) = (random.u64(..), random.u64(..), random.u64(..));
            let player = Bitboard([a & b & c, a, a | b | c][round % 3]);
            for square in Square::all() {
                let player = player & !Bitboard::of(square);
                let board = Board {
                    player,
                    opponent: !(player | Bitboard::of(square)),
                };
                assert_eq!(
                    count_last_flips(square, player),
                    board.flips(square).count(),
                    "{square} on {board:?}"
                );
            }
        }
    }
}
