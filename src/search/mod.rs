//! What a position is worth with search. [`Engine`] is the front door. Stands on `eval` and `board`.

mod clock;
mod engine;
mod limits;
mod report;

pub use clock::TimeControl;
pub use engine::{Engine, Settings};
pub use limits::{Limits, Stop};
pub use report::{Depth, Line, Report, Silent};
