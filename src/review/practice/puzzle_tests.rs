//! Checks of every puzzle, which take minutes: `cargo test --release -p emilia-review --lib -- --ignored`.

use super::{Exercise, MIN_LEAD, Puzzle};
use emilia_core::board::{Board, Move};
use emilia_core::eval::{Classic, Simple};
use emilia_core::search::{Engine, Goal, Limits, Selectivity, Settings, Silent};
use emilia_player::people::Human;
use emilia_player::{PlaySettings, Player};
use emilia_textbook::{Othello, alpha_beta};

/// Number of empties up to which alpha-beta of the textbook solves a puzzle.
const TEXTBOOK: u32 = 11;

/// Number of empties up to which a search with another evaluation solves it.
const SOLVED: u32 = 22;

/// Depth of the search of the other puzzles after a move.
const DEPTH: u32 = 20;

/// Lead in discs that the other search must find at least. Exact leads are those of the puzzle.
const LEAST: f64 = 1.0;

/// Returns the value of a move in discs, by a solver or a search that did not make the puzzle.
fn value(engines: &mut [Engine; 2], board: &Board, mv: Move) -> f64 {
    let child = board.play_or_pass(mv);
    let [solver, searcher] = engines;
    let value = match board.empty_count() {
        0..=TEXTBOOK => alpha_beta(&Othello::new(child, &Classic), TEXTBOOK, &mut ()),
        empties => {
            let (engine, limits) = if empties <= SOLVED {
                (solver, Limits::solve(Goal::Exact))
            } else {
                (searcher, Limits::depth(DEPTH))
            };
            engine.search(&child, &limits, &mut Silent).value
        }
    };
    -value.discs()
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
    for puzzle in Puzzle::embedded().values() {
        let board = &puzzle.board;
        engines.iter_mut().for_each(Engine::clear);
        let mut value = |square| value(&mut engines, board, Move::Place(square));
        let best = value(puzzle.best);
        let others = board
            .legal_moves()
            .squares()
            .filter(|&square| square != puzzle.best);
        let second = others.map(&mut value).fold(f64::NEG_INFINITY, f64::max);
        let lead = best - second;
        let is_exact = board.empty_count() <= SOLVED;
        let is_own = (2.0 * lead) as u8 == puzzle.lead;
        let wins = best > 0.0 && second <= 0.0;
        if is_exact && !(is_own && (lead >= MIN_LEAD || wins)) || lead < LEAST {
            wrong.push((*puzzle, lead));
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
