//! FSRS-5, a scheduler for spaced repetition by Jarrett Ye. A card is a question that is repeated:
//! here, an exercise. FSRS computes the number of days until a card is asked again. Repetitions on
//! the same day ("learning steps") are not implemented.
//!
//! Formulas and default parameters:
//! <https://github.com/open-spaced-repetition/fsrs4anki/wiki/The-Algorithm>.
//! `MEASUREMENTS.md` in this folder compares the crates that implement FSRS.

/// Rating of an answer. The numbers are those of FSRS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rating {
    /// Forgotten.
    Again = 1,
    /// Recalled with difficulty.
    Hard = 2,
    /// Recalled.
    Good = 3,
}

/// Rating *easy* of FSRS, which no answer gets. The difficulty of every card slowly reverts to the
/// initial difficulty for this rating.
const EASY: f64 = 4.0;

/// Default parameters w0 to w15 of FSRS-5.
const W: [f64; 16] = [
    0.4072, 1.1829, 3.1262, 15.4722, 7.2102, 0.5316, 1.0651, 0.0234, 1.616, 0.1544, 1.0824, 1.9813,
    0.0953, 0.2975, 2.2042, 0.2407,
];

/// Maximum interval between two questions, in days.
const LONGEST: f64 = 36_500.0;

/// State of one card after its answers so far: how well the user remembers it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// Number of days after an answer until the probability of recall is 90 %.
    stability: f64,
    /// Difficulty of the card, from 1 (easiest) to 10.
    difficulty: f64,
}

impl Memory {
    fn first(rating: Rating) -> Memory {
        Memory {
            stability: W[rating as usize - 1],
            difficulty: initial_difficulty(f64::from(rating as u8)),
        }
    }

    /// Returns the state after one more answer, which comes `days` days after the last answer.
    fn after(self, days: f64, rating: Rating) -> Memory {
        let Memory {
            stability,
            difficulty,
        } = self;
        // Forgetting curve: the probability of recall after `days` days. It is 0.9 after
        // `stability` days.
        let recall = (1.0 + 19.0 / 81.0 * days / stability).powf(-0.5);
        let moved = difficulty - W[6] * (f64::from(rating as u8) - 3.0);
        let reverted = W[7] * initial_difficulty(EASY) + (1.0 - W[7]) * moved;
        let growth = W[8].exp()
            * (11.0 - difficulty)
            * stability.powf(-W[9])
            * (W[10] * (1.0 - recall)).exp_m1();
        Memory {
            difficulty: reverted.clamp(1.0, 10.0),
            stability: match rating {
                Rating::Again => {
                    W[11]
                        * difficulty.powf(-W[12])
                        * ((stability + 1.0).powf(W[13]) - 1.0)
                        * (W[14] * (1.0 - recall)).exp()
                }
                Rating::Hard => stability * (1.0 + growth * W[15]),
                Rating::Good => stability * (1.0 + growth),
            },
        }
    }

    /// Returns the number of days until the probability of recall is 90 %, rounded. This is the
    /// interval until the next question.
    fn interval(self) -> f64 {
        self.stability.round().clamp(1.0, LONGEST)
    }
}

fn initial_difficulty(rating: f64) -> f64 {
    (W[4] - (W[5] * (rating - 1.0)).exp() + 1.0).clamp(1.0, 10.0)
}

/// Returns the state after an answer, and the number of days until the next question. `before` is
/// the state after the last answer and the number of whole days since then, or `None` for the first
/// answer.
///
/// A better rating always gives an interval that is at least a day longer.
pub(super) fn answered(before: Option<(Memory, u64)>, rating: Rating) -> (Memory, u32) {
    let after = |rating| match before {
        Some((memory, days)) => memory.after(days as f64, rating),
        None => Memory::first(rating),
    };
    let interval = |rating| after(rating).interval();
    let again = interval(Rating::Again).min(interval(Rating::Hard));
    let hard = interval(Rating::Hard).max(again + 1.0);
    let days = match rating {
        Rating::Again => again,
        Rating::Hard => hard,
        Rating::Good => interval(Rating::Good).max(hard + 1.0),
    };
    (after(rating), days as u32)
}
