//! Six to about 13 empties: the move that leaves the opponent fewest replies comes first
//! (fastest first), what no stable disc allows is not searched, and a small table knows boards met before.

use arrayvec::ArrayVec;

use super::parity::OddQuadrants;
use super::small_table::{Bounds, SmallTable};
use super::{Candidate, NONE, five, stable_bound, take_cheapest};
use crate::board::{Bitboard, Board, Score, Square};
use crate::eval::{Incremental, Value, static_square_weight};

/// Up to this many empties parity alone decides the order. On FFO #40-49, 6 instead takes as long for 12% more nodes.
const PARITY_EMPTIES: u32 = 5;

/// From this many empties on, the ordering evaluation puts the moves in order as well. On FFO #40-49, 12 instead takes 4% more
/// nodes and 2% less time.
const EVALUATED_EMPTIES: u32 = 11;

/// From this many empties on, the table is asked about every move before any is tried (enhanced transposition cut-off, Plaat et
/// al. 1996): saves 3% of the nodes of FFO #40-49.
const ETC_EMPTIES: u32 = 10;

/// What puts a move early: the fewer points, the earlier.
mod points {
    /// For each reply it leaves the opponent; a corner among them counts twice.
    pub(super) const REPLY: i32 = 8;
    /// Taken off for a move into a quadrant with an odd number of empty squares.
    pub(super) const ODD_QUADRANT: i32 = 4;
    /// For each disc that the ordering evaluation gives the opponent after it.
    pub(super) const DISC: i32 = 3;
}

/// A solver with its table; each thread has its own.
#[derive(Debug, Default)]
pub(in crate::search) struct SmallSolver {
    table: SmallTable,
    /// Positions visited so far; the [module](super) says what is counted.
    pub(in crate::search) nodes: u64,
}

/// The ordering evaluation with its state of a board.
struct Ordering<'a, E: Incremental> {
    evaluator: &'a E,
    state: E::State,
}

impl<E: Incremental> Ordering<'_, E> {
    /// The state of the same discs with the other side to move.
    fn passed(&self) -> Self {
        Ordering {
            state: self.evaluator.passed(&self.state),
            evaluator: self.evaluator,
        }
    }

    /// The state of `child`, one move after `parent`, whose state this is.
    #[inline]
    fn after(&self, parent: &Board, child: &Board) -> Self {
        Ordering {
            state: self.evaluator.after(&self.state, parent, child),
            evaluator: self.evaluator,
        }
    }

    /// What `board`, whose legal moves are `moves`, costs the side that has just moved.
    #[inline]
    fn points(&self, board: &Board, moves: Bitboard) -> i32 {
        let value = self.evaluator.value(board, moves, &self.state);
        points::DISC * value.units() / Value::PER_DISC
    }
}

impl SmallSolver {
    /// The most empties it can be given.
    pub(in crate::search) const MOST_EMPTIES: u32 = 16;

    /// Reserves the memory that its table is going to need. Whether there is any.
    pub(in crate::search) fn reserve(&mut self) -> bool {
        self.table.reserve()
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of `board`, whose legal moves are `moves`, for the window (`alpha`, `beta`).
    ///
    /// # Panics
    /// If a position has more than [`MOST_EMPTIES`](Self::MOST_EMPTIES) moves, so it must not have more empties.
    pub(in crate::search) fn solve<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        ordering: Option<&E>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let empties = board.empties();
        if empties.count() <= PARITY_EMPTIES {
            return five::solve_five(board, alpha, beta, &mut self.nodes);
        }
        self.table.prepare();
        let ordering = ordering
            .filter(|_| empties.count() >= EVALUATED_EMPTIES)
            .map(|evaluator| Ordering {
                evaluator,
                state: evaluator.state(&board),
            });
        let odd = OddQuadrants::of(empties);
        self.search(board, moves, odd, ordering.as_ref(), alpha, beta)
    }

    /// [`solve`](Self::solve) for six empties or more.
    fn search<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<&Ordering<E>>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play(board, moves, odd, ordering, alpha, beta);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            board.final_score()
        } else {
            let ordering = ordering.map(Ordering::passed);
            -self.play(passed, moves, odd, ordering.as_ref(), -beta, -alpha)
        }
    }

    /// The best of `moves`, which are not empty.
    fn play<E: Incremental>(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        ordering: Option<&Ordering<E>>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let empties = board.empty_count();
        if let Some(upper) = stable_bound(&board, empties, alpha) {
            return upper;
        }
        let slot = SmallTable::slot(&board);
        let known = self.table.get(slot, &board);
        if let Some(score) = known.cut(alpha, beta) {
            return score;
        }

        let mut candidates = ArrayVec::<_, { SmallSolver::MOST_EMPTIES as usize }>::new();
        for square in moves.squares() {
            let mut candidate = Candidate::new(&board, square);
            if candidate.child.player.is_empty() {
                // A wipe-out: nothing is better.
                self.nodes += 1;
                return 64;
            }
            candidate.cost = cost(&candidate, &board, odd, ordering, known.best);
            candidates.push(candidate);
        }
        if empties >= ETC_EMPTIES
            && let Some(score) = self.known_cut(&candidates, beta)
        {
            return score;
        }
        let ordering = ordering.filter(|_| empties > EVALUATED_EMPTIES);

        let (mut best, mut best_square) = (NONE, None);
        for tried in 0..candidates.len() {
            let Candidate {
                square,
                child,
                replies,
                ..
            } = take_cheapest(&mut candidates[tried..]);
            let odd = odd.after(square);
            // Once more rather than kept with each candidate: most are never tried.
            let ordering = ordering.map(|ordering| ordering.after(&board, &child));
            let ordering = ordering.as_ref();
            let mut solve = |alpha, beta| {
                if empties - 1 <= PARITY_EMPTIES {
                    five::search(child, replies, odd, alpha, beta, &mut self.nodes)
                } else {
                    self.search(child, replies, odd, ordering, alpha, beta)
                }
            };
            let low = alpha.max(best);
            // Principal variation search: the later moves only have to be shown not better.
            let mut score = -solve(if tried == 0 { -beta } else { -low - 1 }, -low);
            if tried > 0 && low < score && score < beta {
                score = -solve(-beta, -score);
            }
            if score > best {
                (best, best_square) = (score, Some(square));
                if best >= beta {
                    break;
                }
            }
        }
        let found = Bounds {
            lower: if best > alpha { best } else { known.lower },
            upper: if best < beta { best } else { known.upper },
            best: best_square,
        };
        self.table.put(slot, &board, found);
        best
    }

    /// A score of at least `beta` that the table knows one of the moves to have.
    fn known_cut(&self, candidates: &[Candidate], beta: Score) -> Option<Score> {
        candidates
            .iter()
            .map(|candidate| {
                let slot = SmallTable::slot(&candidate.child);
                -self.table.get(slot, &candidate.child).upper
            })
            .find(|&lower| lower >= beta)
    }
}

/// The cost of a candidate: the table's move before all, then by the replies it leaves, of equals the one in an odd
/// quadrant. Corners count twice among the replies: saves 8% of the nodes and 9% of the time with 14 empties;
/// parity saves 2% of the nodes, and the static order of squares 2.5% more.
#[inline]
fn cost<E: Incremental>(
    candidate: &Candidate,
    board: &Board,
    odd: OddQuadrants,
    ordering: Option<&Ordering<E>>,
    table_move: Option<Square>,
) -> i32 {
    let &Candidate {
        square,
        child,
        replies,
        ..
    } = candidate;
    if table_move == Some(square) {
        return i32::MIN;
    }
    points::REPLY * candidate.mobility()
        - points::ODD_QUADRANT * i32::from(odd.contains(square))
        - i32::from(static_square_weight(square))
        + ordering.map_or(0, |ordering| {
            ordering.after(board, &child).points(&child, replies)
        })
}
