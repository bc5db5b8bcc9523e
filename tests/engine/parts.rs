//! Speed of the parts of the engine, each line the best of five rounds: `cargo bench -p emilia-core --bench parts`.

use std::hint::black_box;
use std::time::Instant;

use emilia_core::board::Board;
use emilia_core::eval::{Classic, Evaluator, Net, Pattern};
use emilia_core::search::{Engine, Goal, Limits, Settings, Silent};

/// Random seed of the games.
const SEED: u64 = 1;

/// Number of empty squares of the boards that are solved.
const SOLVED: u32 = 16;

/// The boards of 200 random games in which the side to move has a move.
fn boards() -> Vec<Board> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut boards = Vec::new();
    for _ in 0..200 {
        let mut board = Board::START;
        while let Some(square) = random.choice(board.legal_moves().squares()) {
            boards.push(board);
            board = board.play(square);
        }
    }
    boards
}

/// Prints nanoseconds for each of the `calls` that `run` returns.
fn show(name: &str, unit: &str, mut run: impl FnMut() -> u64) {
    let rounds = (0..5).map(|_| {
        let start = Instant::now();
        let calls = run();
        start.elapsed().as_nanos() as f64 / calls as f64
    });
    let best = rounds.fold(f64::INFINITY, f64::min);
    println!("{name:<20}{best:>9.1} ns per {unit}");
}

fn main() {
    let boards = boards();
    let each = |call: &dyn Fn(&Board)| {
        for board in &boards {
            call(black_box(board));
        }
        boards.len() as u64
    };
    show("legal moves", "board", || {
        each(&|board| {
            black_box(board.legal_moves());
        })
    });
    show("flips", "board", || {
        each(&|board| {
            for square in board.legal_moves().squares() {
                black_box(board.flips(square));
            }
        })
    });
    let evaluators: [&dyn Evaluator; 3] = [&Classic, &Pattern::embedded(), &Net::embedded()];
    for evaluator in evaluators {
        show(evaluator.name(), "evaluation", || {
            each(&|board| {
                black_box(evaluator.evaluate(board));
            })
        });
    }
    let mut endings = boards.clone();
    endings.retain(|board| board.empty_count() == SOLVED);
    show("solve", "node", || {
        let mut engine = Engine::new(Settings::default());
        let solves = endings.iter().take(20);
        let solves =
            solves.map(|board| engine.search(board, &Limits::solve(Goal::Exact), &mut Silent));
        solves.map(|line| line.nodes).sum()
    });
}
