//! The middle of the endgame, 6 to about 13 empties: the move that leaves the opponent fewest replies comes first
//! (fastest first), what no stable disc allows is not searched, and a small table knows boards met before.

use arrayvec::ArrayVec;

use super::mid_table::{Bounds, MidRoom, MidTable};
use super::parity::OddQuadrants;
use super::{NONE, shallow, stable_bound, take_cheapest};
use crate::board::{Bitboard, Board, Score, Square};
use crate::eval::{Incremental, LightPattern, Value, square_promise};

/// Up to this many empties parity alone decides the order. On FFO #40-49, 6 instead takes as long for 12% more nodes.
const SHALLOW: u32 = 5;

/// From this many empties on, the light evaluation puts the moves in order as well. On FFO #40-49, 12 instead takes 4% more
/// nodes and 2% less time.
const LIGHT_EMPTIES: u32 = 11;

/// From this many empties on, the table is asked about every move before any is tried (enhanced transposition cut-off, Plaat et
/// al. 1996): saves 3% of the nodes of FFO #40-49.
const ETC_EMPTIES: u32 = 10;

/// What a disc of the light evaluation costs, where a reply costs 8.
const LIGHT_DISC: i32 = 3;

/// A solver with its table; each thread has its own.
#[derive(Debug)]
pub(in crate::search) struct MidSolver {
    table: MidTable,
    /// Positions visited so far; the [module](super) says what is counted.
    pub(in crate::search) nodes: u64,
}

/// A move to try.
#[derive(Clone, Copy)]
struct Candidate {
    square: Square,
    next: Board,
    replies: Bitboard,
    /// The lower, the sooner it is tried.
    cost: i32,
}

/// The light evaluation with its state of a board.
#[derive(Clone, Copy)]
struct Light<'a> {
    evaluator: &'a LightPattern,
    state: <LightPattern as Incremental>::State,
}

impl Light<'_> {
    /// The state of the same discs with the other side to move.
    fn passed(&self) -> Self {
        Light {
            state: self.evaluator.passed(&self.state),
            ..*self
        }
    }

    /// The state of `child`, one move after `parent`, whose state this is.
    #[inline]
    fn after(&self, parent: &Board, child: &Board) -> Self {
        Light {
            state: self.evaluator.after(&self.state, parent, child),
            ..*self
        }
    }

    /// What `board`, whose legal moves are `moves`, costs the side that has just moved.
    #[inline]
    fn points(&self, board: &Board, moves: Bitboard) -> i32 {
        let value = self.evaluator.value(board, moves, &self.state);
        LIGHT_DISC * value.units() / Value::PER_DISC
    }
}

impl MidSolver {
    /// The most empties it can be given.
    pub(in crate::search) const MOST_EMPTIES: u32 = 16;

    /// A solver with an empty table.
    pub(in crate::search) fn new() -> MidSolver {
        MidSolver::in_room(MidRoom::default())
    }

    /// The same, in memory that is there already.
    pub(in crate::search) fn in_room(room: MidRoom) -> MidSolver {
        MidSolver {
            table: MidTable::new(room),
            nodes: 0,
        }
    }

    /// The score of `board`, whose legal moves are `moves`, for the window (`alpha`, `beta`).
    ///
    /// # Panics
    /// If a position has more than [`MOST_EMPTIES`](Self::MOST_EMPTIES) moves, so it must not have more empties.
    pub(super) fn solve(
        &mut self,
        board: Board,
        moves: Bitboard,
        light: Option<&LightPattern>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let empties = board.empties();
        if empties.count() <= SHALLOW {
            return shallow::solve_shallow(board, alpha, beta, &mut self.nodes);
        }
        self.table.prepare();
        let light = light
            .filter(|_| empties.count() >= LIGHT_EMPTIES)
            .map(|evaluator| Light {
                evaluator,
                state: evaluator.state(&board),
            });
        let odd = OddQuadrants::of(empties);
        self.search(board, moves, odd, light.as_ref(), alpha, beta)
    }

    /// [`solve`](Self::solve) for six empties or more.
    fn search(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        light: Option<&Light>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.nodes += 1;
        if !moves.is_empty() {
            return self.play(board, moves, odd, light, alpha, beta);
        }
        let passed = board.pass();
        let moves = passed.legal_moves();
        if moves.is_empty() {
            board.final_score()
        } else {
            let light = light.map(Light::passed);
            -self.play(passed, moves, odd, light.as_ref(), -beta, -alpha)
        }
    }

    /// The best of `moves`, which are not empty.
    fn play(
        &mut self,
        board: Board,
        moves: Bitboard,
        odd: OddQuadrants,
        light: Option<&Light>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let empties = board.empty_count();
        if let Some(upper) = stable_bound(&board, empties, alpha) {
            return upper;
        }
        let slot = MidTable::slot(&board);
        let known = self.table.get(slot, &board);
        if known.lower >= beta || known.lower == known.upper {
            return known.lower;
        }
        if known.upper <= alpha {
            return known.upper;
        }

        let mut candidates = ArrayVec::<_, { MidSolver::MOST_EMPTIES as usize }>::new();
        for square in moves.squares() {
            let candidate = Candidate::new(&board, square, odd, light, known.best);
            if candidate.next.player.is_empty() {
                // A wipe-out: nothing is better.
                self.nodes += 1;
                return 64;
            }
            candidates.push(candidate);
        }
        if empties >= ETC_EMPTIES
            && let Some(score) = self.known_cut(&candidates, beta)
        {
            return score;
        }
        let light = light.filter(|_| empties > LIGHT_EMPTIES);

        let (mut best, mut best_square) = (NONE, None);
        for tried in 0..candidates.len() {
            let Candidate {
                square,
                next,
                replies,
                ..
            } = take_cheapest(&mut candidates[tried..], |candidate| candidate.cost);
            let odd = odd.after(square);
            // Once more rather than kept with each candidate: most are never tried.
            let light = light.map(|light| light.after(&board, &next));
            let light = light.as_ref();
            let mut solve = |alpha, beta| {
                if empties - 1 <= SHALLOW {
                    shallow::search(next, replies, odd, alpha, beta, &mut self.nodes)
                } else {
                    self.search(next, replies, odd, light, alpha, beta)
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
                let slot = MidTable::slot(&candidate.next);
                -self.table.get(slot, &candidate.next).upper
            })
            .find(|&lower| lower >= beta)
    }
}

impl Candidate {
    /// The legal move `square`: `remembered` before all, then by the replies it leaves, of equals the one in an odd
    /// quadrant. Corners count twice among the replies: saves 8% of the nodes and 9% of the time with 14 empties;
    /// parity saves 2% of the nodes, and the static order of squares 2.5% more.
    fn new(
        board: &Board,
        square: Square,
        odd: OddQuadrants,
        light: Option<&Light>,
        remembered: Option<Square>,
    ) -> Candidate {
        let (next, replies) = board.advance(square);
        let mobility = replies.count() + (replies & Bitboard::CORNERS).count();
        let cost = if remembered == Some(square) {
            i32::MIN
        } else {
            8 * mobility as i32
                - 4 * i32::from(odd.contains(square))
                - i32::from(square_promise(square))
                + light.map_or(0, |light| light.after(board, &next).points(&next, replies))
        };
        Candidate {
            square,
            next,
            replies,
            cost,
        }
    }
}
