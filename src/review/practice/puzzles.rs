//! [`Puzzle`]: a position with one best move. [`Puzzle::embedded`] returns the puzzles in the
//! program.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Exercise;
use emilia_core::board::{Bitboard, Board, Color, Position, Square};

/// Puzzles embedded in the program, made by `emilia puzzles`. Each takes [`Puzzle::BYTES`] bytes.
const EMBEDDED: &[u8] = include_bytes!("puzzles.bin");

/// Position with one best move. The move leads by at least [`MIN_LEAD`](super::MIN_LEAD) discs, or
/// is the only move that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Position to solve.
    pub board: Board,
    /// The best move.
    pub best: Square,
    /// Wrong move that players of level [`AVERAGE`](emilia_player::people::Human::AVERAGE) choose
    /// most often.
    pub mistake: Square,
    /// Share of players of level [`AVERAGE`](emilia_player::people::Human::AVERAGE) who find the
    /// best move, in percent.
    pub found: u8,
    /// Lead of the best move over the second best, in half discs.
    pub lead: u8,
}

impl Puzzle {
    /// Size of a puzzle in a file, in bytes. The fields are the discs of the side to move, the
    /// discs of the opponent (both little-endian, a1 is bit 0), the squares of `best` and
    /// `mistake`, [`found`](Self::found), and [`lead`](Self::lead).
    pub const BYTES: usize = 20;

    /// Encodes the puzzle for a file.
    pub fn bytes(&self) -> [u8; Puzzle::BYTES] {
        let mut bytes = [0; Puzzle::BYTES];
        bytes[..8].copy_from_slice(&self.board.player.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.opponent.0.to_le_bytes());
        let [best, mistake] = [self.best, self.mistake].map(|square| square.index() as u8);
        bytes[16..].copy_from_slice(&[best, mistake, self.found, self.lead]);
        bytes
    }

    /// Decodes the puzzles of a file.
    ///
    /// # Errors
    /// If the file ends in the middle of a puzzle, a square has discs of both sides, or a move is
    /// illegal.
    pub fn read(bytes: &[u8]) -> Result<Vec<Puzzle>, &'static str> {
        let (puzzles, rest) = bytes.as_chunks::<{ Puzzle::BYTES }>();
        let read = |bytes: &[u8; Puzzle::BYTES]| {
            let discs = |at: usize| {
                let bytes = bytes[at..at + 8].try_into().unwrap_or_default();
                Bitboard(u64::from_le_bytes(bytes))
            };
            let board = Board {
                player: discs(0),
                opponent: discs(8),
            };
            let is_possible = (board.player & board.opponent).is_empty();
            let moves = board.legal_moves();
            let legal = |at: usize| {
                Square::new(bytes[at]).filter(|&square| is_possible && moves.contains(square))
            };
            Some(Puzzle {
                board,
                best: legal(16)?,
                mistake: legal(17)?,
                found: bytes[18],
                lead: bytes[19],
            })
        };
        let all: Option<Vec<Puzzle>> = puzzles.iter().map(read).collect();
        let whole = all.filter(|_| rest.is_empty());
        whole.ok_or("it is not a file of 'emilia puzzles', or it is damaged")
    }

    /// Returns the embedded puzzles. The keys are their [`canonical`](Board::canonical) boards.
    pub fn embedded() -> &'static HashMap<Board, Puzzle> {
        static ALL: LazyLock<HashMap<Board, Puzzle>> = LazyLock::new(|| {
            let all = Puzzle::read(EMBEDDED).unwrap_or_default().into_iter();
            all.map(|one| (one.board.canonical(), one)).collect()
        });
        &ALL
    }

    /// Converts the puzzle into an exercise. Black is to move if the number of empties is even, as
    /// in a game without passes.
    pub fn exercise(&self) -> Option<Exercise> {
        let mover = if self.board.empty_count().is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        };
        let exercise = Exercise {
            position: Position {
                board: self.board,
                mover,
            },
            source: String::new(),
            themes: Vec::new(),
            mistake: self.mistake,
            best: self.best,
            lost: f64::from(self.lead) / 2.0,
            answers: Vec::new(),
            due: None,
        };
        exercise.checked().ok()
    }

    /// Elo rating of the puzzle. A player with the same rating finds the best move with probability
    /// 50 %.
    pub fn rating(&self) -> f64 {
        let found = f64::from(self.found).clamp(1.0, 99.0) / 100.0;
        AVERAGE + SCALE * (1.0 / found - 1.0).log10()
    }
}

/// Elo rating of the human level [`AVERAGE`](emilia_player::people::Human::AVERAGE). Also the
/// rating of a user before the first answer.
const AVERAGE: f64 = 1500.0;

/// Rating difference at which the expected score of the stronger side is 10/11 (A. Elo, 1978).
const SCALE: f64 = 400.0;

/// Maximum rating change after one answer (the K factor of Elo): 80 for each of the first
/// [`FIRST_ANSWERS`] answers, and 24 for each later answer. The rating begins at an average, so
/// that the first answers must change it faster.
const CHANGES: [f64; 2] = [80.0, 24.0];

/// Number of answers for which the first, larger maximum of [`CHANGES`] applies.
const FIRST_ANSWERS: usize = 20;

/// Results of a user on the embedded puzzles.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PuzzleSkill {
    /// Elo rating. 1500 is an average club player.
    pub rating: f64,
    /// Number of puzzles solved in a row, up to the last answer.
    pub streak: usize,
    /// Number of puzzles answered.
    pub answered: usize,
}

impl PuzzleSkill {
    /// Computes the skill from the first answer to each puzzle in `all`. An answer after a hint
    /// counts as wrong.
    pub fn of(all: &[Exercise]) -> PuzzleSkill {
        let first = |one: &Exercise| Some((*one.answers.first()?, one.puzzle()?.rating()));
        let mut answers: Vec<_> = all.iter().filter_map(first).collect();
        answers.sort_by_key(|(answer, _)| answer.at);
        let mut skill = PuzzleSkill {
            rating: AVERAGE,
            streak: 0,
            answered: 0,
        };
        for (answer, rating) in answers {
            let is_solved = answer.is_best() && !answer.hinted;
            let expected = 1.0 / (1.0 + 10_f64.powf((rating - skill.rating) / SCALE));
            let change = CHANGES[usize::from(skill.answered >= FIRST_ANSWERS)];
            skill.rating += change * (f64::from(u8::from(is_solved)) - expected);
            skill.streak = if is_solved { skill.streak + 1 } else { 0 };
            skill.answered += 1;
        }
        skill
    }
}

impl Exercise {
    /// Returns the embedded puzzle with the position of this exercise. `None` if there is none.
    pub fn puzzle(&self) -> Option<&'static Puzzle> {
        Puzzle::embedded().get(&self.key())
    }

    /// Returns whether the exercise is an embedded puzzle without an answer.
    pub(super) fn is_new_puzzle(&self) -> bool {
        self.answers.is_empty() && self.puzzle().is_some()
    }
}
