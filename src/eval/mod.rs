//! What a position is worth without search. Stands on `board`.

mod checksum;
mod classic;
mod promise;
mod value;

pub(crate) use checksum::checksum;
pub use classic::Classic;
pub use promise::square_promise;
pub use value::Value;

use std::sync::Arc;

use crate::board::Board;

/// A static evaluation: the expected final score of the side to move.
///
/// It must not change under the eight symmetries of the board, and it must treat both colours alike (which it cannot
/// help, as [`Board`] has none).
pub trait Evaluator: std::fmt::Debug + Send + Sync {
    /// What `board` is worth for the side to move. The game need not be over for either side, but the caller handles
    /// finished games itself.
    fn evaluate(&self, board: &Board) -> Value;

    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A number that another evaluation hardly has: of the name, and of the weights if they can be replaced.
    fn fingerprint(&self) -> u64 {
        checksum(self.name().as_bytes())
    }
}

/// The evaluation of this name, if there is one.
pub fn by_name(name: &str) -> Option<Arc<dyn Evaluator>> {
    match name {
        "classic" => Some(Arc::new(Classic)),
        _ => None,
    }
}
