//! The static values of positions that a thread has met lately. Searches meet most positions more than once: in the next
//! iteration, in the shallow search before a deep one, and by another order of moves.

use crate::board::Board;
use crate::eval::Value;

/// Entries: together they have room in the second cache of a core.
const ENTRIES: usize = 1 << 15;

/// The bits of an entry that hold the value; the others are those of the hash of the board.
const VALUE_BITS: u32 = 16;

/// A table with one entry for each place. Entry and place hold 63 of the 64 bits of the hash, so that one in 2⁶³ boards
/// that are asked for has the value of another.
#[derive(Debug)]
pub(super) struct ValueCache(Box<[u64]>);

impl Default for ValueCache {
    fn default() -> ValueCache {
        ValueCache(vec![0; ENTRIES].into_boxed_slice())
    }
}

impl ValueCache {
    /// The value of `board`: the one that is remembered, or else that of `evaluate`.
    #[inline]
    pub(super) fn value(&mut self, board: &Board, evaluate: impl FnOnce() -> Value) -> Value {
        const { assert!(ENTRIES.trailing_zeros() + 1 >= VALUE_BITS) };
        let hash = board.hash();
        let entry = &mut self.0[hash as usize % ENTRIES];
        if (*entry ^ hash) >> VALUE_BITS == 0 && *entry != 0 {
            return Value::from_units(i32::from(*entry as i16));
        }
        let value = evaluate();
        *entry = hash >> VALUE_BITS << VALUE_BITS | u64::from(value.units() as i16 as u16);
        value
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::{boards_of_games, rounds};
    use crate::eval::{Classic, Evaluator};

    #[test]
    fn every_board_has_its_own_value_however_often_it_is_asked_for() {
        let mut values = ValueCache::default();
        let (mut asked, mut evaluated) = (0, 0);
        for board in &boards_of_games(3, rounds(20_000, 40)) {
            for _ in 0..2 {
                asked += 1;
                let value = values.value(board, || {
                    evaluated += 1;
                    Classic.evaluate(board)
                });
                assert_eq!(value, Classic.evaluate(board));
            }
        }
        assert!(evaluated * 2 <= asked, "{evaluated} of {asked}");
        // The ends of the scale fit as well.
        for value in [Value::MIN, Value::MAX] {
            values.clear();
            assert_eq!(values.value(&Board::START, || value), value);
            assert_eq!(values.value(&Board::START, || unreachable!()), value);
        }
    }
}
