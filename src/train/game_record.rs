//! Games as they are stored for training: the moves, and the value of the search that chose each.

use super::origin::Origin;
use super::search_value::SearchValue;
use crate::board::{Board, Color, Score, Square};

/// Most moves of a game, passes not counted.
const MOST_MOVES: usize = 60;

/// Stored after the last move.
const NO_MOVE: u8 = 64;

/// Stored for the value of a move that no search chose.
const NO_VALUE: i16 = i16::MIN;

/// A position of a game, before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The position; its side to move has a move.
    pub board: Board,
    /// The side to move.
    pub mover: Color,
    /// The final score of the game for the side to move.
    pub score: Score,
    /// The result of the search that chose the move; `None` for random moves, and in games of version 1.
    pub search: Option<SearchValue>,
}

/// A game from the start to its end, without the passes: 184 bytes before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRecord {
    moves: [u8; MOST_MOVES],
    /// For each move: Black's value, by [`SearchValue::to_i16`], or [`NO_VALUE`].
    values: [i16; MOST_MOVES],
    random_plies: u8,
    score: i8,
    depth: u8,
    exact: u8,
}

impl GameRecord {
    const BYTES: usize = 3 * MOST_MOVES + 4;

    /// A game of these moves, each with Black's value of it if a search chose it, the first `random_plies` of them random;
    /// `score` is Black's. Moves beyond the 60th are dropped, as no game has them.
    pub fn new(
        moves: &[(Square, Option<SearchValue>)],
        random_plies: usize,
        score: Score,
        origin: &Origin,
    ) -> GameRecord {
        let mut record = GameRecord {
            moves: [NO_MOVE; MOST_MOVES],
            values: [NO_VALUE; MOST_MOVES],
            random_plies: random_plies as u8,
            score: score as i8,
            depth: origin.depth,
            exact: origin.exact,
        };
        for (at, (square, search)) in moves.iter().enumerate().take(MOST_MOVES) {
            record.moves[at] = square.index() as u8;
            if let Some(search) = search {
                record.values[at] = search.to_i16();
            }
        }
        record
    }

    /// The squares in the order they were played.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map_while(|&index| Square::new(index))
    }

    /// How many moves at the start were random.
    pub fn random_plies(&self) -> usize {
        self.random_plies.into()
    }

    /// Black's final score.
    pub fn score(&self) -> Score {
        self.score.into()
    }

    /// The positions after the random opening plies in which the side to move has a move; `None` if the moves are no legal
    /// game that ends with this score.
    pub fn plies(&self) -> Option<Vec<Ply>> {
        let mut plies = Vec::with_capacity(MOST_MOVES);
        let (mut board, mut mover) = (Board::START, Color::Black);
        let score_for = |color| match color {
            Color::Black => self.score(),
            Color::White => -self.score(),
        };
        for (at, square) in self.moves().enumerate() {
            if !board.can_move() {
                (board, mover) = (board.pass(), !mover);
            }
            if !board.legal_moves().contains(square) {
                return None;
            }
            if at >= self.random_plies() {
                plies.push(Ply {
                    board,
                    mover,
                    score: score_for(mover),
                    search: search_value(self.values[at], mover),
                });
            }
            (board, mover) = (board.play(square), !mover);
        }
        (board.is_over() && board.final_score() == score_for(mover)).then_some(plies)
    }

    /// The positions of [`plies`](Self::plies), each with its TD(λ) label for the side to move, in discs: where the search
    /// value `v` is exact that, elsewhere (1 − λ) · `v` + λ · the label of the next position (Sutton 1988). Without values,
    /// and with λ = 1, that is the final score.
    pub fn labelled(&self, lambda: f32) -> Option<Vec<(Board, f32)>> {
        let plies = self.plies()?;
        // The label of the position after, for Black.
        let mut next = self.score() as f32;
        let mut labelled: Vec<(Board, f32)> = plies
            .iter()
            .rev()
            .map(|ply| {
                let sign = match ply.mover {
                    Color::Black => 1.0,
                    Color::White => -1.0,
                };
                if let Some(search) = ply.search {
                    let value = sign * search.value.discs() as f32;
                    next = if search.is_exact {
                        value
                    } else {
                        (1.0 - lambda) * value + lambda * next
                    };
                }
                (ply.board, sign * next)
            })
            .collect();
        labelled.reverse();
        Some(labelled)
    }

    /// Moves, the low and then the high bytes of the values, and the rest. Values are stored as differences from the one
    /// before: zeros in the exact part, which compress well.
    pub(super) fn to_bytes(self) -> [u8; GameRecord::BYTES] {
        let mut bytes = [0; GameRecord::BYTES];
        bytes[..MOST_MOVES].copy_from_slice(&self.moves);
        let mut before = NO_VALUE;
        for (at, value) in self.values.into_iter().enumerate() {
            let [low, high] = value.wrapping_sub(before).to_le_bytes();
            (bytes[MOST_MOVES + at], bytes[2 * MOST_MOVES + at]) = (low, high);
            before = value;
        }
        bytes[3 * MOST_MOVES..].copy_from_slice(&[
            self.random_plies,
            self.score as u8,
            self.depth,
            self.exact,
        ]);
        bytes
    }

    pub(super) fn from_bytes(bytes: [u8; GameRecord::BYTES]) -> GameRecord {
        let mut before = NO_VALUE;
        let values = std::array::from_fn(|at| {
            let difference =
                i16::from_le_bytes([bytes[MOST_MOVES + at], bytes[2 * MOST_MOVES + at]]);
            before = before.wrapping_add(difference);
            before
        });
        GameRecord {
            moves: std::array::from_fn(|at| bytes[at]),
            values,
            random_plies: bytes[180],
            score: bytes[181] as i8,
            depth: bytes[182],
            exact: bytes[183],
        }
    }
}

/// A stored value, seen from one side.
fn search_value(stored: i16, color: Color) -> Option<SearchValue> {
    let black = SearchValue::from_i16(stored);
    (stored != NO_VALUE).then_some(match color {
        Color::Black => black,
        Color::White => -black,
    })
}

/// A game of version 1, without values: 60 moves, random plies, Black's score, depth, exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameV1(pub(super) [u8; GameV1::BYTES]);

impl GameV1 {
    pub(super) const BYTES: usize = MOST_MOVES + 4;
}

impl From<GameV1> for GameRecord {
    fn from(GameV1(bytes): GameV1) -> GameRecord {
        GameRecord {
            moves: std::array::from_fn(|at| bytes[at]),
            values: [NO_VALUE; MOST_MOVES],
            random_plies: bytes[60],
            score: bytes[61] as i8,
            depth: bytes[62],
            exact: bytes[63],
        }
    }
}
