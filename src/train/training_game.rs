//! [`TrainingGame`]: a self-play game as it is stored in training data, with the search value of
//! each move.

use super::labelled::SearchValue;
use super::origin::Origin;
use emilia_core::board::{Board, Color, Score, Square};

/// Maximum number of moves in a game. Passes are not counted.
const MAX_MOVES: usize = 60;

/// Value that fills `moves` after the last move of the game.
const END_OF_MOVES: u8 = 64;

/// Value stored for a random move, which was not searched.
const NO_VALUE: i16 = i16::MIN;

/// Position of a game, with the search value of the move played and the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Position in which the side to move has a legal move.
    pub board: Board,
    /// Colour of the side to move.
    pub mover: Color,
    /// Final score of the game for the side to move, in discs.
    pub score: Score,
    /// Value of the search that chose the move. `None` for a random move.
    pub search: Option<SearchValue>,
}

/// Complete game. Passes are not stored. A game has 184 bytes before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    moves: [u8; MAX_MOVES],
    /// Value of each move for Black, encoded by [`SearchValue::to_i16`], or [`NO_VALUE`].
    values: [i16; MAX_MOVES],
    /// Number of random opening moves.
    pub(super) random_plies: u8,
    /// Final score for Black, in discs.
    score: i8,
    /// Search depth of each move, in plies. 0: unlimited.
    pub(super) depth: u8,
    exact: u8,
}

impl TrainingGame {
    const BYTES: usize = 3 * MAX_MOVES + 4;

    /// Creates the record of a game. `moves` has each move with its search value for Black, or with
    /// `None` for a random move.
    ///
    /// The first `random_plies` moves are random. `score` is the final score for Black in discs. A
    /// legal game has at most 60 moves, so further moves are dropped.
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

    /// Yields the squares of the moves in order. Passes are left out.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map_while(|&index| Square::new(index))
    }

    /// Returns the positions after the random opening plies. Positions in which the side to move
    /// must pass are left out.
    ///
    /// Returns `None` if a move is illegal, the game is not over at the end, or the final score
    /// differs from the recorded one.
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

    /// Returns the positions of [`plies`](Self::plies) with their TD(λ) labels (Sutton 1988), in
    /// discs for the side to move.
    ///
    /// Let `v` be the search value of a position. If `v` is exact, the label is `v`. Otherwise the
    /// label is (1 − λ) · `v` + λ · the label of the next position, negated if the other side is to
    /// move there. After the last position, this next label is the final score. Without search
    /// values all labels are the final score.
    pub fn labelled(&self, lambda: f32) -> Option<Vec<(Board, f32)>> {
        // Label of the following position, in Black's view.
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

    /// Encodes the moves, the low bytes of all values, the high bytes of all values, and the other
    /// fields.
    ///
    /// A value is stored as the difference from the previous value. The exact values of a game are
    /// equal, so their differences are 0, and zeros compress well.
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

    /// Decodes a record. [`plies`](Self::plies) checks whether the game is legal.
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

/// Returns 1 for Black and −1 for White: the factor from a score for Black to a score for `color`.
fn sign(color: Color) -> Score {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}
