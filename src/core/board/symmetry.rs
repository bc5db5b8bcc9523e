//! The eight symmetries of the board, and the canonical board among its eight images.

use super::{Bitboard, Board, Square};

/// One of the eight rotations and reflections of the board.
/// The three flags select the steps that make up the symmetry, in this order: mirror the files,
/// mirror the ranks, transpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    mirror_files: bool,
    mirror_ranks: bool,
    transpose: bool,
}

impl Symmetry {
    /// The identity, which leaves every square in place.
    pub const IDENTITY: Symmetry = Symmetry {
        mirror_files: false,
        mirror_ranks: false,
        transpose: false,
    };

    /// All eight symmetries, the identity first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry::IDENTITY; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] = Symmetry {
                mirror_files: bits & 1 != 0,
                mirror_ranks: bits & 2 != 0,
                transpose: bits & 4 != 0,
            };
            bits += 1;
        }
        all
    };

    /// Iterates over [`ALL`](Self::ALL).
    pub fn all() -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter()
    }

    /// The inverse symmetry: applying a symmetry, then its inverse, restores the board.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transpose {
            // The inverse undoes the steps in reverse order, so it transposes first. To transpose
            // first and then mirror files is the same as to mirror ranks first and then transpose.
            Symmetry {
                mirror_files: self.mirror_ranks,
                mirror_ranks: self.mirror_files,
                transpose: true,
            }
        } else {
            self
        }
    }

    /// The image of a square.
    pub const fn square(self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.mirror_files {
            file = 7 - file;
        }
        if self.mirror_ranks {
            rank = 7 - rank;
        }
        if self.transpose {
            Square::at(rank, file)
        } else {
            Square::at(file, rank)
        }
    }

    /// The image of a set of squares.
    #[must_use]
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let mut bits = set.0;
        if self.mirror_files {
            bits = mirror_files(bits);
        }
        if self.mirror_ranks {
            bits = bits.swap_bytes();
        }
        if self.transpose {
            bits = transpose(bits);
        }
        Bitboard(bits)
    }

    /// The image of a board.
    #[must_use]
    pub const fn board(self, board: &Board) -> Board {
        Board {
            player: self.bitboard(board.player),
            opponent: self.bitboard(board.opponent),
        }
    }
}

impl Board {
    /// The smallest of the eight images of this board, in the order of `Ord`.
    /// Boards that differ only by a symmetry have the same canonical board.
    #[must_use]
    pub fn canonical(&self) -> Board {
        let transposed = Board {
            player: Bitboard(transpose(self.player.0)),
            opponent: Bitboard(transpose(self.opponent.0)),
        };
        self.least_mirror().min(transposed.least_mirror())
    }

    /// The smallest of the four images under mirroring of files and ranks.
    fn least_mirror(&self) -> Board {
        let files = Board {
            player: Bitboard(mirror_files(self.player.0)),
            opponent: Bitboard(mirror_files(self.opponent.0)),
        };
        let ranks = |board: &Board| Board {
            player: Bitboard(board.player.0.swap_bytes()),
            opponent: Bitboard(board.opponent.0.swap_bytes()),
        };
        (*self).min(files).min(ranks(self)).min(ranks(&files))
    }
}

/// Mirrors the files: exchanges a with h, b with g, c with f and d with e.
const fn mirror_files(mut bits: u64) -> u64 {
    bits = (bits >> 1 & 0x5555_5555_5555_5555) | (bits & 0x5555_5555_5555_5555) << 1;
    bits = (bits >> 2 & 0x3333_3333_3333_3333) | (bits & 0x3333_3333_3333_3333) << 2;
    (bits >> 4 & 0x0F0F_0F0F_0F0F_0F0F) | (bits & 0x0F0F_0F0F_0F0F_0F0F) << 4
}

/// Mirrors at the diagonal a1–h8: the square (file, rank) becomes (rank, file).
/// The three steps exchange the blocks of 4×4, 2×2 and 1×1 squares beside the diagonal.
const fn transpose(mut bits: u64) -> u64 {
    let swap = (bits ^ bits << 28) & 0x0F0F_0F0F_0000_0000;
    bits ^= swap ^ swap >> 28;
    let swap = (bits ^ bits << 14) & 0x3333_0000_3333_0000;
    bits ^= swap ^ swap >> 14;
    let swap = (bits ^ bits << 7) & 0x5500_5500_5500_5500;
    bits ^ swap ^ swap >> 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::reference;

    #[test]
    fn images_of_bitboards_match_images_of_squares_and_inverses_restore() {
        let mut random = fastrand::Rng::with_seed(2);
        for symmetry in Symmetry::all() {
            for _ in 0..1000 {
                let set = Bitboard(random.u64(..));
                let image = symmetry.bitboard(set);
                assert_eq!(
                    image,
                    set.squares()
                        .map(|square| symmetry.square(square))
                        .collect()
                );
                assert_eq!(symmetry.inverse().bitboard(image), set);
            }
        }
    }

    #[test]
    fn canonical_is_the_least_image() {
        reference::for_each_test_board(|board| {
            let least = Symmetry::all().map(|symmetry| symmetry.board(board)).min();
            assert_eq!(Some(board.canonical()), least);
        });
    }
}
