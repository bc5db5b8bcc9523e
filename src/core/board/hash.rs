//! The 64-bit hash of a board, used by all hash tables except the small table of the endgame.

use super::Board;

impl Board {
    /// The 64-bit hash of the board.
    /// Different boards can have the same hash, so tables must compare the board itself.
    ///
    /// One multiplication of 64 by 64 bits mixes the discs of both sides: a change of one disc
    /// changes about half of the bits of the hash.
    #[inline]
    pub const fn hash(&self) -> u64 {
        // Odd constants with irregular bits: the fractional parts of √2 and √3.
        const PLAYER: u64 = 0x6A09_E667_F3BC_C909;
        const OPPONENT: u64 = 0xBB67_AE85_84CA_A73B;
        let product =
            (self.player.0 ^ PLAYER) as u128 * (self.opponent.0.rotate_left(32) ^ OPPONENT) as u128;
        (product >> 64) as u64 ^ product as u64
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Board;
    use crate::board::tests::reference;
    use std::collections::HashSet;

    /// Boards of games have distinct hashes. The low, middle and top 19 bits of the hashes, used as
    /// bucket numbers, fill as many buckets as random numbers would.
    #[test]
    fn hash_is_uniform_over_buckets() {
        let mut boards: HashSet<Board> = HashSet::new();
        reference::for_each_test_board(|board| {
            if boards.len() < 1 << 18 {
                boards.insert(*board);
            }
        });
        let keys: HashSet<u64> = boards.iter().map(Board::hash).collect();
        assert_eq!(keys.len(), boards.len());
        // n random numbers fill the share 1 − e^−½ = 39.35 % of 2n buckets. Here n is 2^18.
        for shift in [0, 22, 45] {
            let boxes: HashSet<u64> = keys.iter().map(|key| key >> shift & 0x7_FFFF).collect();
            let share = boxes.len() as f64 / f64::from(1 << 19);
            assert!((share - 0.3935).abs() < 0.005, "shift {shift}: {share}");
        }
    }
}
