//! Model of how people choose moves, fitted to games of tournament players.
//!
//! Reading order:
//! - `human`: the levels [`Human`], and [`Skill`], the scale between them.
//! - `choice`: [`Choice`], the values of all moves of a position, and [`Model`], the probability
//!   that a person plays each of them.
//! - `difficulty`: [`Difficulty`], how hard the best move is to find.
//! - `view`: [`PeopleView`], difficulty and probabilities of one position for one level.
//! - `estimate`: [`SkillLikelihood`], from which the skill of a player is estimated.

mod choice;
mod difficulty;
mod estimate;
mod human;
#[cfg(test)]
mod tests;
mod view;

pub use choice::{Choice, LEARNED_PLIES, MODEL_STAGES, Model, ValuedMove, small_engine, stage};
pub use difficulty::{Difficulty, DifficultyGrade, HALF_A_DISC};
pub use estimate::{SkillEstimate, SkillLikelihood};
pub use human::{Human, Skill};
pub use view::PeopleView;
