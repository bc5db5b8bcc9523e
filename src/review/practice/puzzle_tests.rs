//! Checks every embedded puzzle, which takes minutes:
//! `cargo test --release -p emilia-review --lib -- --ignored`.

use super::puzzle_maker::EXACT;
use super::{MIN_LEAD, Puzzle};
use emilia_core::board::{Bitboard, Board, Move};
use emilia_core::eval::{Classic, Simple};
use emilia_core::search::{Engine, Goal, Limits, Selectivity, Settings, Silent};
use emilia_textbook::{Othello, alpha_beta};

/// Maximum number of empties at which the textbook's alpha-beta checks a puzzle.
const TEXTBOOK: u32 = 11;

/// Search depth in plies for puzzles with more than [`EXACT`] empties.
const DEPTH: u32 = 20;

/// Minimum lead in discs that this test must find for every puzzle. With at most [`EXACT`] empties
/// the lead must also equal [`Puzzle::lead`].
const LEAST: f64 = 1.0;

/// Returns the value of the best of `moves` in discs. As an independent check, the solvers and the
/// search differ from those that made the puzzle: another evaluation, selectivity or algorithm.
fn value(engines: &mut [Engine; 2], board: &Board, moves: Bitboard) -> f64 {
    let [solver, searcher] = engines;
    let empties = board.empty_count();
    if empties <= TEXTBOOK {
        let children = moves
            .squares()
            .map(|square| board.play_or_pass(Move::Place(square)));
        let values = children.map(|child| {
            let child = Othello::new(child, &Classic);
            -alpha_beta(&child, TEXTBOOK, &mut ()).discs()
        });
        return values.fold(f64::NEG_INFINITY, f64::max);
    }
    let (engine, limits) = if empties <= EXACT {
        (solver, Limits::solve(Goal::Exact))
    } else {
        (searcher, Limits::depth(DEPTH))
    };
    let first_moves = Some(moves);
    let limits = Limits {
        first_moves,
        ..limits
    };
    engine.search(board, &limits, &mut Silent).value.discs()
}

#[test]
#[ignore = "takes minutes"]
fn another_search_finds_the_same_best_move_of_every_puzzle() {
    let settings = Settings::default().with_threads(1).with_hash_mib(16);
    let mut engines = [
        settings.clone().with_evaluator(Simple),
        settings.with_selectivity(Selectivity::P98),
    ]
    .map(Engine::new);
    let mut wrong = Vec::new();
    for (number, puzzle) in (1..).zip(Puzzle::embedded().values()) {
        let board = &puzzle.board;
        engines.iter_mut().for_each(Engine::clear);
        let best = Bitboard::of(puzzle.best);
        let others = Bitboard(board.legal_moves().0 & !best.0);
        let [best, second] = [best, others].map(|moves| value(&mut engines, board, moves));
        let lead = best - second;
        let is_exact = board.empty_count() <= EXACT;
        let is_own = (2.0 * lead) as u8 == puzzle.lead;
        let wins = best > 0.0 && second <= 0.0;
        if is_exact && !(is_own && (lead >= MIN_LEAD || wins)) || lead < LEAST {
            wrong.push((*puzzle, lead));
        }
        if number % 100 == 0 {
            println!("{number} puzzles, other results: {}", wrong.len());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
