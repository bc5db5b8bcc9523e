//! Self-play games as they are stored for training: moves, and the search value of each move.

use super::labelled::SearchValue;
use super::origin::Origin;
use emilia_core::board::{Board, Color, Score, Square};

/// Maximum number of moves of a game, without passes.
const MAX_MOVES: usize = 60;

/// Byte that fills `moves` after the last move of the game.
const END_OF_MOVES: u8 = 64;

/// Number stored as the value of a random move, which no search chose.
const NO_VALUE: i16 = i16::MIN;

/// A position of a game before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The position. Its side to move has a legal move.
    pub board: Board,
    /// Colour of the side to move.
    pub mover: Color,
    /// Final score of the game for the side to move, in discs.
    pub score: Score,
    /// Result of the search that chose the move. `None` for random moves.
    pub search: Option<SearchValue>,
}

/// A complete game without its passes: 184 bytes before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    moves: [u8; MAX_MOVES],
    /// Black's value of each move, encoded by [`SearchValue::to_i16`], or [`NO_VALUE`].
    values: [i16; MAX_MOVES],
    /// Number of random moves at the start.
    pub(super) random_plies: u8,
    /// Black's final score in discs.
    score: i8,
    /// Search depth in plies of each move, or 0 if it was not limited.
    pub(super) depth: u8,
    exact: u8,
}

impl TrainingGame {
    const BYTES: usize = 3 * MAX_MOVES + 4;

    /// Creates a record of a game. `moves` has each move with its search value for Black. The value
    /// of a random move is `None`.
    ///
    /// The first `random_plies` moves are random. `score` is Black's final score in discs.
    /// Moves after the 60th are dropped: no legal game has more than 60.
    pub fn new(
        moves: &[(Square, Option<SearchValue>)],
        random_plies: usize,
        score: Score,
        origin: &Origin,
    ) -> TrainingGame {
        let mut record = TrainingGame {
            moves: [END_OF_MOVES; MAX_MOVES],
            values: [NO_VALUE; MAX_MOVES],
            random_plies: random_plies as u8,
            score: score as i8,
            depth: origin.depth,
            exact: origin.exact,
        };
        for (at, (square, search)) in moves.iter().enumerate().take(MAX_MOVES) {
            record.moves[at] = square.index() as u8;
            if let Some(search) = search {
                record.values[at] = search.to_i16();
            }
        }
        record
    }

    /// Yields the squares played, in order and without passes.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map_while(|&index| Square::new(index))
    }

    /// Returns the positions after the random opening plies, without those where a pass is forced.
    ///
    /// Returns `None` if the moves are not a legal game that ends with the recorded score.
    pub fn plies(&self) -> Option<Vec<Ply>> {
        let mut plies = Vec::with_capacity(MAX_MOVES);
        let (mut board, mut mover) = (Board::START, Color::Black);
        let score_for = |color| Score::from(self.score) * sign(color);
        for (at, square) in self.moves().enumerate() {
            if !board.can_move() {
                (board, mover) = (board.pass(), !mover);
            }
            if !board.legal_moves().contains(square) {
                return None;
            }
            if at >= self.random_plies.into() {
                plies.push(Ply {
                    board,
                    mover,
                    score: score_for(mover),
                    search: Some(self.values[at])
                        .filter(|&stored| stored != NO_VALUE)
                        .map(|stored| SearchValue::from_i16(stored).seen_by(mover)),
                });
            }
            (board, mover) = (board.play(square), !mover);
        }
        (board.is_over() && board.final_score() == score_for(mover)).then_some(plies)
    }

    /// Returns the positions of [`plies`](Self::plies) with their TD(λ) labels (Sutton 1988).
    ///
    /// Labels are in discs for the side to move. Let `v` be the search value.
    /// If `v` is exact, the label is `v`.
    /// Otherwise it is (1 − λ) · `v` + λ · the label of the next position.
    /// With λ = 1, or without values, the label is the final score.
    pub fn labelled(&self, lambda: f32) -> Option<Vec<(Board, f32)>> {
        // Label of the following position, for Black.
        let mut next = f32::from(self.score);
        let mut labelled = Vec::new();
        for ply in self.plies()?.into_iter().rev() {
            let sign = sign(ply.mover) as f32;
            if let Some(search) = ply.search {
                let value = sign * search.value.discs() as f32;
                next = if search.is_exact {
                    value
                } else {
                    (1.0 - lambda) * value + lambda * next
                };
            }
            labelled.push((ply.board, sign * next));
        }
        labelled.reverse();
        Some(labelled)
    }

    /// Encodes moves, low bytes of the values, high bytes of the values, and the other fields.
    ///
    /// Each value is stored as its difference from the previous value. The exact values of a game
    /// are equal, so their differences are 0, which compress well.
    pub(super) fn to_bytes(self) -> [u8; TrainingGame::BYTES] {
        let mut bytes = [0; TrainingGame::BYTES];
        bytes[..MAX_MOVES].copy_from_slice(&self.moves);
        let mut before = NO_VALUE;
        for (at, value) in self.values.into_iter().enumerate() {
            let [low, high] = value.wrapping_sub(before).to_le_bytes();
            (bytes[MAX_MOVES + at], bytes[2 * MAX_MOVES + at]) = (low, high);
            before = value;
        }
        bytes[3 * MAX_MOVES..].copy_from_slice(&[
            self.random_plies,
            self.score as u8,
            self.depth,
            self.exact,
        ]);
        bytes
    }

    /// Decodes a record.
    pub fn from_bytes(bytes: [u8; TrainingGame::BYTES]) -> TrainingGame {
        let mut before = NO_VALUE;
        let values = std::array::from_fn(|at| {
            let difference = i16::from_le_bytes([bytes[MAX_MOVES + at], bytes[2 * MAX_MOVES + at]]);
            before = before.wrapping_add(difference);
            before
        });
        TrainingGame {
            moves: std::array::from_fn(|at| bytes[at]),
            values,
            random_plies: bytes[180],
            score: bytes[181] as i8,
            depth: bytes[182],
            exact: bytes[183],
        }
    }
}

/// Sign of Black's score in the view of `color`.
fn sign(color: Color) -> Score {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}
