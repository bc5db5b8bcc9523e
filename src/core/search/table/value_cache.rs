//! Cache of static values for one thread.
//! A search needs the static value of most positions more than once: in later iterations, in
//! ProbCut, and after transpositions.

use crate::board::Board;
use crate::eval::Value;
use crate::search::parameters::table::CACHED_VALUES;

/// Number of low bits of an entry that hold the value. The other bits hold part of the board's
/// hash.
const VALUE_BITS: u32 = 16;

/// Direct-mapped cache of static values, indexed by the board's hash.
/// Index and entry together hold 63 bits of the hash: one lookup in 2⁶³ returns a wrong value.
#[derive(Debug)]
pub(crate) struct ValueCache(Box<[u64]>);

impl Default for ValueCache {
    fn default() -> ValueCache {
        ValueCache(vec![0; CACHED_VALUES].into_boxed_slice())
    }
}

impl ValueCache {
    /// Returns the cached value of `board`, or computes it with `evaluate` and caches it.
    #[inline]
    pub(crate) fn value(&mut self, board: &Board, evaluate: impl FnOnce() -> Value) -> Value {
        const { assert!(CACHED_VALUES.trailing_zeros() + 1 >= VALUE_BITS) };
        let hash = board.hash();
        let entry = &mut self.0[hash as usize % CACHED_VALUES];
        if (*entry ^ hash) >> VALUE_BITS == 0 && *entry != 0 {
            return Value::from_units(i32::from(*entry as i16));
        }
        let value = evaluate();
        *entry = hash >> VALUE_BITS << VALUE_BITS | u64::from(value.units() as i16 as u16);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::{boards_of_games, rounds};
    use crate::eval::{Classic, Evaluator};

    #[test]
    fn cached_values_equal_computed_values() {
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
        // The extreme values must fit in the bits of an entry too.
        for value in [Value::MIN, Value::MAX] {
            let mut values = ValueCache::default();
            assert_eq!(values.value(&Board::START, || value), value);
            assert_eq!(values.value(&Board::START, || unreachable!()), value);
        }
    }
}
