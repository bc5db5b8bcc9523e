//! Compares the search with the minimax of `emilia::textbook` and with published exact scores.

use emilia::board::{Board, Position, parse_obf};
use emilia::search::{Depth, Engine, Goal, Limits, Selectivity, Settings, Silent};
use emilia::textbook::{Othello, minimax};

/// Returns an engine without forward pruning.
fn engine() -> Engine {
    let settings = Settings::default().with_hash_mib(16);
    Engine::new(settings.with_selectivity(Selectivity::P100))
}

/// Returns `count` boards after 0 to 59 plies of random games.
fn random_boards(count: usize) -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(9);
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut position = Position::START;
        for _ in 0..random.u32(0..60) {
            let Some(mv) = random.choice(position.moves()) else {
                break;
            };
            position = position.play(mv).expect("a legal move");
        }
        boards.push(position.board);
    }
    boards
}

#[test]
fn values_at_depths_1_to_5_equal_minimax() {
    let mut engine = engine();
    let evaluator = engine.settings().evaluator.clone();
    for (index, board) in random_boards(1000).iter().enumerate() {
        let depth = 1 + index as u32 % 5;
        let expected = minimax(&Othello::new(*board, &*evaluator), depth, &mut ());
        engine.clear();
        let line = engine.search(board, &Limits::depth(depth), &mut Silent);
        assert_eq!(line.value, expected, "depth {depth} of {board:?}");
    }
}

#[test]
fn published_endgame_scores_are_reproduced() {
    let mut engine = engine();
    let limits = Limits::solve(Goal::Exact);
    let mut count = 0;
    for text in include_str!("../data/fforum-1-19.obf").lines() {
        let Some(problem) = parse_obf(text).expect("an OBF line") else {
            continue;
        };
        let line = engine.search(&problem.position.board, &limits, &mut Silent);
        assert_eq!(line.depth, Depth::Exact);
        assert_eq!(
            Some(line.value.round_to_score()),
            problem.best_score(),
            "{text}"
        );
        let best = line.best_move().expect("the game goes on");
        assert!(
            problem
                .scores
                .contains(&(best, line.value.round_to_score())),
            "{best} in {text}"
        );
        count += 1;
    }
    assert_eq!(count, 19);
}
