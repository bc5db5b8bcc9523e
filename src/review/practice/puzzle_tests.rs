//! Checks of every puzzle, which take minutes: `cargo test --release -p emilia-review --lib -- --ignored`.

use super::puzzle_maker::EXACT;
use super::{Exercise, MIN_LEAD, Puzzle};
use emilia_core::board::{Bitboard, Board, Move};
use emilia_core::eval::{Classic, Simple};
use emilia_core::search::{Engine, Goal, Limits, Selectivity, Settings, Silent};
use emilia_player::people::Human;
use emilia_player::{PlaySettings, Player};
use emilia_textbook::{Othello, alpha_beta};

/// Number of empties up to which alpha-beta of the textbook solves a puzzle.
const TEXTBOOK: u32 = 11;

/// Depth of the search of the other puzzles.
const DEPTH: u32 = 20;

/// Lead in discs that the other search must find at least. Exact leads are those of the puzzle.
const LEAST: f64 = 1.0;

/// Returns the value of the best of these moves in discs, by a solver or a search that did not make
/// the puzzle.
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

#[test]
#[ignore = "takes minutes"]
fn players_find_more_puzzles_the_stronger_they_are() {
    let mut shares = Vec::new();
    for level in ["h5", "h9", "h13"] {
        let human: Human = level.parse().unwrap();
        let engine = Engine::new(Settings::default().with_threads(1).with_hash_mib(1));
        let mut player = Player::new(engine).with_play_settings(PlaySettings {
            human: Some(human),
            ..PlaySettings::default()
        });
        let mut finds = |puzzle: &Puzzle| {
            let Exercise { position, .. } = puzzle.exercise().unwrap();
            let line = player.choose(&position, &Human::limits(), &mut Silent);
            line.best_move() == Some(Move::Place(puzzle.best))
        };
        // The puzzles that h10 finds in up to a third, two thirds, and all cases.
        let mut found = [(0_u32, 0_u32); 3];
        for puzzle in Puzzle::embedded().values() {
            let (all, right) = &mut found[usize::from(puzzle.found).min(99) * 3 / 100];
            *all += 1;
            *right += u32::from(finds(puzzle));
        }
        let share = found.map(|(all, right)| f64::from(right) / f64::from(all));
        println!("{level}: {share:.2?} of hard, medium and easy puzzles");
        assert!(share[0] < share[1] && share[1] < share[2], "{share:?}");
        let (all, right) = found
            .iter()
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        shares.push(f64::from(right) / f64::from(all));
    }
    println!("of all: {shares:.3?}");
    assert!(
        shares.is_sorted_by(|weak, strong| weak < strong),
        "{shares:?}"
    );
}
