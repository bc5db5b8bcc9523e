//! Stable discs on the four edges, from a table over all 3^8 fillings of one edge.
//!
//! Only a move on the same edge can flip an edge disc, so its stability depends on the filling of
//! that edge alone.
//! The table is built by exhaustive play, where either side may fill any empty square at any time.

use crate::board::Bitboard;
use crate::board::lines::gather_file;

/// The discs of `player` on the four edges that can never be flipped.
#[inline]
pub(crate) fn stable_on_edges(player: Bitboard, opponent: Bitboard) -> Bitboard {
    let (player, opponent) = (player.0, opponent.0);
    let first_rank = stable(player, opponent);
    let last_rank = stable(player >> 56, opponent >> 56);
    let first_file = stable(gather_file(player), gather_file(opponent));
    let last_file = stable(gather_file(player >> 7), gather_file(opponent >> 7));
    Bitboard(
        first_rank | last_rank << 56 | spread_to_file(first_file) | spread_to_file(last_file) << 7,
    )
}

/// The stable discs of `player` on an edge whose squares are the low eight bits of both arguments.
#[inline]
fn stable(player: u64, opponent: u64) -> u64 {
    let (player, opponent) = (player as u8 as usize, opponent as u8 as usize);
    u64::from(STABLE[(BASE_3[player] + 2 * BASE_3[opponent]) as usize])
}

/// Spreads the low eight bits over file a, the inverse of [`gather_file`].
/// Bit 7 is moved separately, because the multiplication would carry with eight bits.
#[inline]
const fn spread_to_file(bits: u64) -> u64 {
    (bits & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & Bitboard::FILE_A.0 | (bits & 0x80) << 49
}

/// For each byte, the number whose digits in base 3 are the bits of the byte.
static BASE_3: [u16; 256] = {
    let mut values = [0; 256];
    let mut bits = 1_usize;
    while bits < 256 {
        values[bits] = values[bits & (bits - 1)] + 3_u16.pow(bits.trailing_zeros());
        bits += 1;
    }
    values
};

/// Stable discs of one side, indexed by the filling of the edge in base 3.
/// Digit 1 is a disc of that side, digit 2 a disc of the other side. The table takes 6.5 KB.
static STABLE: [u8; 6561] = stable_of_all_fillings();

/// Builds [`STABLE`]: a disc is stable if no move on the edge flips it now or later.
/// The entry of a filling depends on the entries of the fillings after one move, which have one
/// disc more. The loop therefore starts with the full edges.
const fn stable_of_all_fillings() -> [u8; 6561] {
    let mut table = [0; 6561];
    let mut occupied = 256;
    while occupied > 0 {
        occupied -= 1;
        // Iterates over all subsets of `occupied`, the full set first.
        let mut player = occupied;
        loop {
            let opponent = occupied & !player;
            table[index(player, opponent)] = stable_by_one_ply(player, opponent, &table);
            if player == 0 {
                break;
            }
            player = (player - 1) & occupied;
        }
    }
    table
}

/// The discs of `player` that the next move cannot make unstable. After each single move of either
/// side, `player` must still have the disc, and `table` must have the disc as stable in the new
/// filling.
const fn stable_by_one_ply(player: usize, opponent: usize, table: &[u8; 6561]) -> u8 {
    let mut stable = player as u8;
    let mut empties = !(player | opponent) & 0xFF;
    while empties != 0 {
        let square = empties & empties.wrapping_neg();
        empties ^= square;
        let flips = edge_flips(square, player, opponent);
        stable &= table[index(player | square | flips, opponent & !flips)];
        let flips = edge_flips(square, opponent, player);
        stable &= table[index(player & !flips, opponent | square | flips)];
    }
    stable
}

/// The discs of `other` that a disc of `own` on `square` flips along the edge. All arguments are
/// sets of squares of the edge, and `square` is a set of one empty square.
const fn edge_flips(square: usize, own: usize, other: usize) -> usize {
    let mut up = square << 1;
    while up & other != 0 {
        up <<= 1;
    }
    let mut down = square >> 1;
    while down & other != 0 {
        down >>= 1;
    }
    let mut flips = 0;
    if up & own != 0 {
        flips |= up - (square << 1);
    }
    if down & own != 0 {
        flips |= square - (down << 1);
    }
    flips
}

/// The index of a filling in [`STABLE`].
const fn index(player: usize, opponent: usize) -> usize {
    (BASE_3[player] + 2 * BASE_3[opponent]) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::reference;
    use crate::board::{Board, Square};
    use std::collections::HashSet;

    /// All fillings of the first rank reachable from `board` if either side may move at any time.
    fn reachable(board: Board) -> HashSet<Board> {
        let mut seen = HashSet::from([board]);
        let mut open = vec![board];
        while let Some(board) = open.pop() {
            for square in (board.empties() & Bitboard::RANK_1).squares() {
                for side in [board, board.pass()] {
                    let next = side.play_flips(square, reference::flips(&side, square));
                    let next = if side == board { next.pass() } else { next };
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
        }
        seen
    }

    #[test]
    fn edge_table_equals_exhaustive_play() {
        for player in 0..256_u64 {
            for opponent in (0..256).filter(|opponent| opponent & player == 0) {
                let board = Board {
                    player: Bitboard(player),
                    opponent: Bitboard(opponent),
                };
                let kept = reachable(board)
                    .iter()
                    .fold(board.player, |kept, later| kept & later.player);
                assert_eq!(stable(player, opponent), kept.0, "{board:?}");
            }
        }
    }

    #[test]
    fn spread_and_gather_of_a_file_are_inverse() {
        for bits in 0..256 {
            let file: Bitboard = Bitboard(bits)
                .squares()
                .map(|square| Square::at(0, square.file()))
                .collect();
            assert_eq!(spread_to_file(bits), file.0);
            assert_eq!(gather_file(file.0 | !Bitboard::FILE_A.0), bits);
        }
    }
}
