//! The transposition table: what is known of positions already searched. Stands on `board` and `eval`.

use bitflags::bitflags;

use crate::board::{Board, Square};
use crate::eval::Value;

bitflags! {
    /// Which side of the true value a stored value is on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Bound: u8 {
        /// The true value is at least this.
        const LOWER = 1 << 0;
        /// The true value is at most this.
        const UPPER = 1 << 1;
        /// Both.
        const EXACT = Self::LOWER.bits() | Self::UPPER.bits();
    }
}

impl Bound {
    /// What a fail-soft result says of the true value, given the window it was searched with.
    #[inline]
    pub(super) fn of_result(value: Value, alpha: Value, beta: Value) -> Bound {
        if value >= beta {
            Bound::LOWER
        } else if value <= alpha {
            Bound::UPPER
        } else {
            Bound::EXACT
        }
    }
}

/// How deep a stored value looked. Results that reach the end of the game are good for every depth.
pub(super) const SOLVED: u32 = 64;

/// What is known of one position; 24 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    board: Board,
    /// The true value at `depth` is between these, in 1/32 disc.
    lower: i16,
    upper: i16,
    depth: u8,
    /// The search that wrote or used it last; 0 for a slot never written.
    age: u8,
    /// The best move, and the best before it; `NO_MOVE` if there is none.
    moves: [u8; 2],
}

const NO_MOVE: u8 = 64;

/// No board has all squares empty, so this matches nothing.
const VACANT: Entry = Entry {
    board: Board {
        player: crate::board::Bitboard::EMPTY,
        opponent: crate::board::Bitboard::EMPTY,
    },
    lower: 0,
    upper: 0,
    depth: 0,
    age: 0,
    moves: [NO_MOVE; 2],
};

impl Entry {
    /// The true value is at least this, if `depth` plies are enough.
    #[inline]
    pub(super) fn lower(&self, depth: u32) -> Value {
        if u32::from(self.depth) >= depth {
            Value::from_units(self.lower.into())
        } else {
            Value::MIN
        }
    }

    /// The true value is at most this, if `depth` plies are enough.
    #[inline]
    pub(super) fn upper(&self, depth: u32) -> Value {
        if u32::from(self.depth) >= depth {
            Value::from_units(self.upper.into())
        } else {
            Value::MAX
        }
    }

    /// The two moves remembered, the better one first.
    #[inline]
    pub(super) fn moves(&self) -> [Option<Square>; 2] {
        self.moves.map(Square::new)
    }
}

/// A fixed number of entries in buckets of [`Table::WAYS`].
///
/// Each entry holds the whole board, so a hit is never false. In a full bucket, entries of earlier searches go first,
/// then the shallowest.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Entry; Table::WAYS]>,
    age: u8,
    /// The buckets written to since the table was empty, until they are many.
    written: Vec<usize>,
}

impl Table {
    const WAYS: usize = 4;

    /// Up to one bucket in this many, clearing each bucket that was written to costs less than clearing all.
    const FEW: usize = 16;

    /// A table of at most `mib` MiB, and at least one bucket.
    pub(super) fn new(mib: usize) -> Table {
        let count = (mib << 20) / size_of::<[Entry; Table::WAYS]>();
        Table {
            buckets: vec![[VACANT; Table::WAYS]; count.max(1)],
            age: 1,
            written: Vec::new(),
        }
    }

    /// Forgets everything. After a short search that takes no longer than the search, however large the table.
    pub(super) fn clear(&mut self) {
        if self.has_few_written() {
            for &index in &self.written {
                self.buckets[index] = [VACANT; Table::WAYS];
            }
        } else {
            self.buckets.fill([VACANT; Table::WAYS]);
        }
        self.written.clear();
        self.age = 1;
    }

    /// Whether `written` still holds every bucket that was written to.
    #[inline]
    fn has_few_written(&self) -> bool {
        self.written.len() < self.buckets.len() / Table::FEW
    }

    /// Begins a new search: what earlier ones left may now be replaced first. Ages run 1..=255 and around.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(1);
    }

    /// The bucket of a board: the key scaled down to the number of buckets.
    #[inline]
    fn bucket(&self, board: &Board) -> usize {
        ((u128::from(board.hash()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// What is known of `board`.
    #[inline]
    pub(super) fn probe(&self, board: &Board) -> Option<Entry> {
        self.buckets[self.bucket(board)]
            .iter()
            .find(|entry| entry.board == *board)
            .copied()
    }

    /// Remembers that a search of `depth` plies with the window (`alpha`, `beta`) returned `value`, fail-soft, with
    /// `best` as its best move.
    pub(super) fn store(
        &mut self,
        board: &Board,
        depth: u32,
        window: (Value, Value),
        value: Value,
        best: Option<Square>,
    ) {
        let age = self.age;
        let index = self.bucket(board);
        let bound = Bound::of_result(value, window.0, window.1);
        let best = best.map_or(NO_MOVE, |square| square.index() as u8);
        let bucket = &mut self.buckets[index];
        let depth = depth as u8;
        let units = value.units() as i16;

        if let Some(entry) = bucket.iter_mut().find(|entry| entry.board == *board) {
            if depth < entry.depth && entry.age == age {
                // A deeper result of this very search knows more.
                return;
            }
            if depth != entry.depth {
                entry.depth = depth;
                entry.lower = Value::MIN.units() as i16;
                entry.upper = Value::MAX.units() as i16;
            }
            if bound.contains(Bound::LOWER) {
                entry.lower = entry.lower.max(units);
            }
            if bound.contains(Bound::UPPER) {
                entry.upper = entry.upper.min(units);
            }
            if best != NO_MOVE && best != entry.moves[0] {
                entry.moves = [best, entry.moves[0]];
            }
            entry.age = age;
            return;
        }

        let oldest_shallowest = |entry: &&mut Entry| (entry.age == age, entry.depth);
        if let Some(entry) = bucket.iter_mut().min_by_key(oldest_shallowest) {
            let extreme = |bit, limit: Value| {
                if bound.contains(bit) {
                    units
                } else {
                    limit.units() as i16
                }
            };
            *entry = Entry {
                board: *board,
                lower: extreme(Bound::LOWER, Value::MIN),
                upper: extreme(Bound::UPPER, Value::MAX),
                depth,
                age,
                moves: [best, NO_MOVE],
            };
            if self.has_few_written() {
                self.written.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: (Value, Value) = (Value::ZERO, Value::UNIT);

    fn units(value: i32) -> Value {
        Value::from_units(value)
    }

    #[test]
    fn bounds_of_one_depth_close_in_and_another_depth_starts_over() {
        let mut table = Table::new(1);
        let board = Board::START;
        assert!(table.probe(&board).is_none());
        table.store(&board, 5, WINDOW, units(7), Some(Square::D3));
        table.store(
            &board,
            5,
            (units(40), units(41)),
            units(30),
            Some(Square::C4),
        );
        let entry = table.probe(&board).unwrap();
        assert_eq!((entry.lower(5), entry.upper(5)), (units(7), units(30)));
        assert_eq!((entry.lower(6), entry.upper(6)), (Value::MIN, Value::MAX));
        assert_eq!(entry.moves(), [Some(Square::C4), Some(Square::D3)]);
        table.store(&board, 6, (units(0), units(9)), units(3), None);
        let entry = table.probe(&board).unwrap();
        assert_eq!((entry.lower(6), entry.upper(6)), (units(3), units(3)));
        assert_eq!(entry.moves(), [Some(Square::C4), Some(Square::D3)]);
    }

    #[test]
    fn a_full_table_keeps_its_size_and_prefers_this_search_and_depth() {
        let mut table = Table::new(0);
        assert_eq!(table.buckets.len(), 1);
        let child = |square| Board::START.play(square);
        table.store(&Board::START, 9, WINDOW, units(1), None);
        table.grow_older();
        for (depth, square) in [(4, Square::D3), (3, Square::C4), (2, Square::F5)] {
            table.store(&child(square), depth, WINDOW, units(1), None);
        }
        assert!(table.probe(&Board::START).is_some());
        table.store(&child(Square::E6), 1, WINDOW, units(1), None);
        assert!(
            table.probe(&Board::START).is_none(),
            "the entry of an earlier search goes first"
        );
        table.store(
            &child(Square::E6).play(Square::F6),
            5,
            WINDOW,
            units(1),
            None,
        );
        assert!(
            table.probe(&child(Square::E6)).is_none(),
            "then the shallowest"
        );
        assert!(table.probe(&child(Square::D3)).is_some());
        table.clear();
        assert!(table.probe(&child(Square::D3)).is_none());
    }

    #[test]
    fn a_table_is_empty_after_clearing_whether_little_or_much_was_written() {
        let mut table = Table::new(1);
        let most = table.buckets.len() / Table::FEW;
        let mut random = fastrand::Rng::with_seed(4);
        for stores in [1, 5, most - 1, most, 20 * most] {
            for _ in 0..stores {
                let board = Board {
                    player: crate::board::Bitboard(random.u64(..)),
                    opponent: crate::board::Bitboard::EMPTY,
                };
                table.store(&board, 1, WINDOW, units(1), None);
            }
            assert_eq!(table.has_few_written(), stores < most);
            table.clear();
            let vacant = |entry: &Entry| entry.board == VACANT.board && entry.depth == 0;
            assert!(table.buckets.iter().flatten().all(vacant), "{stores}");
        }
    }
}
