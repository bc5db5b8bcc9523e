//! Tests of the parallel search: its results equal the results of one thread.

use super::{
    Plain, assert_fail_soft, assert_legal, assert_whole, negamax, random_boards, root, with_shared,
};
use crate::board::Board;
use crate::board::testing::rounds;
use crate::eval::Value;
use crate::search::parallel::with_helpers;
use crate::search::searcher::Searcher;
use crate::search::team::Team;
use crate::search::thread_state::ThreadState;
use crate::search::window::Window;
use crate::search::{Depth, Engine, Goal, Limits, Selectivity, Settings, Silent};

use std::num::NonZero;
use std::time::Duration;

/// Runs `search` on a fresh searcher with helper threads. The team splits nodes of any depth, so
/// that small searches are split too.
fn with_searcher_helped<T>(threads: usize, search: impl FnOnce(&mut Searcher<Plain>) -> T) -> T {
    with_shared(Some(Team::new(1, 1)), |shared| {
        let mut states: Vec<_> = (0..threads).map(|_| ThreadState::default()).collect();
        let (own, others) = states.split_at_mut(1);
        let limits = Limits::default();
        let mut searcher = Searcher::new(shared, &mut own[0], &limits, &Board::START);
        with_helpers(shared, others, || {
            searcher.make_interruptible();
            search(&mut searcher)
        })
    })
}

fn engine(threads: usize) -> Engine {
    let settings = Settings::default()
        .with_hash_mib(1)
        .with_selectivity(Selectivity::P100)
        .with_threads(NonZero::new(threads).unwrap());
    Engine::new(settings)
}

#[test]
fn every_window_is_fail_soft_with_several_threads() {
    let mut random = fastrand::Rng::with_seed(31);
    for (index, board) in random_boards(32, rounds(60, 1), 5..=56).iter().enumerate() {
        let truth = negamax(board, 4);
        with_searcher_helped(2 + index % 3, |searcher| {
            for _ in 0..6 {
                let alpha = Value::from_units(random.i32(-2049..2047));
                let width = [1, 2, 40, 4098][random.usize(0..4)];
                let beta = Value::from_units((alpha.units() + width).min(2049));
                let result = searcher.search(&root(board, 4, Window::new(alpha, beta)));
                assert_fail_soft(result, truth, alpha, beta, board);
            }
            for (alpha, beta) in [(truth - Value::UNIT, truth), (truth, truth + Value::UNIT)] {
                let result = searcher.search(&root(board, 4, Window::new(alpha, beta)));
                assert_fail_soft(result, truth, alpha, beta, board);
            }
        });
    }
}

#[test]
fn the_number_of_threads_changes_no_exact_score() {
    let mut engines = [1, 2, 4].map(engine);
    for board in random_boards(35, 40, 12..=16) {
        for goal in [Goal::Exact, Goal::Wld] {
            let lines = engines
                .each_mut()
                .map(|engine| engine.search(&board, &Limits::solve(goal), &mut Silent));
            for line in &lines {
                assert_eq!((line.value, line.depth), (lines[0].value, goal.depth()));
                if line.depth == Depth::Exact {
                    assert_whole(&board, line);
                } else {
                    assert_legal(&board, line);
                }
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_value_of_a_depth() {
    let mut engines = [1, 2, 3].map(engine);
    for board in random_boards(36, 20, 20..=56) {
        let lines = engines.each_mut().map(|engine| {
            engine.clear();
            engine.multi_pv(&board, 2, &Limits::depth(7), &mut Silent)
        });
        for line in lines.iter().flatten() {
            assert_legal(&board, line);
        }
        let values = lines.map(|lines| -> Vec<Value> {
            let values = lines.iter().map(|line| line.value);
            values.collect()
        });
        assert_eq!(values[1..], [values[0].clone(), values[0].clone()]);
    }
}

#[test]
fn two_threads_visit_at_most_1_3_times_the_nodes_of_one() {
    let boards = random_boards(37, rounds(12, 1), 30..=50);
    for selectivity in [Selectivity::P73, Selectivity::P95] {
        let [one, two] = [1, 2].map(|threads| -> u64 {
            let settings = engine(threads).settings().clone();
            let mut engine = Engine::new(settings.with_selectivity(selectivity));
            let lines = boards.iter().map(|board| {
                engine.clear();
                engine.search(board, &Limits::depth(16), &mut Silent)
            });
            lines.map(|line| line.nodes).sum()
        });
        assert!(10 * two <= 13 * one, "{two} and {one} at {selectivity}");
    }
}

#[test]
fn a_time_limit_is_shared_without_truncation() {
    // The second limit is just above 2^64 microseconds.
    for limit in [5, 18_446_744_073_710].map(Duration::from_secs) {
        let team = Team::<()>::new(1, 1);
        team.set_maximum(Some(limit));
        let least = limit.min(Duration::from_secs(1 << 40));
        assert!(team.maximum().is_none_or(|shared| shared >= least));
    }
}

#[test]
fn replacement_limits_without_time_remove_the_time_limit() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// Time of the fake clock, which only the test advances.
    static SECONDS: AtomicU64 = AtomicU64::new(0);
    const NODES: u64 = 300_000;
    fn clock() -> Duration {
        Duration::from_secs(SECONDS.load(Relaxed))
    }
    for threads in [1, 2] {
        let settings = Settings {
            clock,
            ..engine(threads).settings().clone()
        };
        let engine = Engine::new(settings);
        let minute = Limits::time(Duration::from_secs(60));
        let mut search = engine.start(&Board::START, 1, &minute).unwrap();
        search.ponder_hit(Limits::nodes(NODES));
        // Wait until the new limits have taken effect.
        while let Some(progress) = search.next_progress()
            && progress.line.nodes < NODES / 10
        {}
        SECONDS.fetch_add(3600, Relaxed);
        let line = search.wait().swap_remove(0);
        assert!(
            line.nodes >= NODES,
            "{threads} threads: {} nodes",
            line.nodes
        );
    }
}
