//! The parallel search with more threads than cores, in virtual time.

use super::*;
use crate::board::parse_obf;
use crate::eval::AnyEvaluator;
use crate::search::midgame::split::with_helpers;
use crate::search::parallel::virtual_time::{Statistics, VirtualTime};

/// Searches `board` with `workers` threads in virtual time.
fn search(board: &Board, limits: &Limits, workers: usize) -> (Line, Statistics) {
    let AnyEvaluator::Net(net) = Settings::default().evaluator else {
        unreachable!("the net is the default evaluation")
    };
    let mut team = Team::new(system_clock);
    team.virtual_time = VirtualTime::of(workers);
    let shared = Shared {
        table: &TranspositionTable::new(64).unwrap(),
        evaluator: &net,
        sigmas: &Sigmas::of(net.error_model()),
        techniques: Techniques::all(),
        goal: limits.goal,
        control: &Control::default(),
        stopwatch: time::clock::Stopwatch::start(system_clock),
        team: (workers > 1).then_some(team),
    };
    let mut states: Vec<_> = (0..workers).map(|_| ThreadState::default()).collect();
    assert!(states[0].reserve());
    let (own, others) = states.split_at_mut(1);
    if let Some(team) = &shared.team {
        team.virtual_time.begin(0);
    }
    let mut searcher = Searcher::new(&shared, &mut own[0], limits, board);
    let lines = with_helpers(&shared, others, || {
        searcher.search_root(board, 1, Selectivity::P73, &mut Silent)
    });
    let line = lines[0].clone();
    let statistics = if let Some(team) = &shared.team {
        team.virtual_time.statistics()
    } else {
        let small = own[0].small_solver.nodes;
        Statistics::of_one_thread(line.nodes - small, small)
    };
    (line, statistics)
}

#[test]
fn virtual_time_is_deterministic_and_changes_no_exact_score() {
    let limits = Limits::solve(Goal::Exact);
    for board in random_boards(38, 3, 17..=18) {
        let score = search(&board, &limits, 1).0.value;
        let [first, second] = [(); 2].map(|()| search(&board, &limits, 5));
        assert_eq!((first.0.value, first.0.depth), (score, Depth::Exact));
        assert_eq!(first.0.nodes, second.0.nodes);
        assert_eq!(first.1, second.1);
    }
}

/// Prints the speed-up of several threads for the endgames FFO #45-49, and for XOT openings.
///
/// Run it with
/// `cargo test --release --lib -- --ignored --nocapture speed_up_of_virtual_workers`.
#[test]
#[ignore = "a measurement of minutes"]
fn speed_up_of_virtual_workers() {
    let problems = include_str!("../../../tests/data/fforum-40-59.obf");
    let endgames: Vec<Board> = (problems.lines().skip(5).take(5))
        .map(|line| parse_obf(line).unwrap().unwrap().position.board)
        .collect();
    let openings = include_str!("../../../tests/data/xot-large.txt");
    let openings: Vec<Board> = (openings.lines().skip(1).step_by(539).take(8))
        .map(|line| {
            let squares = (0..line.len()).step_by(2).map(|at| &line[at..at + 2]);
            squares.fold(Board::START, |board, square| {
                board.play(square.parse().unwrap())
            })
        })
        .collect();
    for (name, boards, limits) in [
        ("endgames", endgames, Limits::solve(Goal::Exact)),
        ("depth 26", openings, Limits::depth(26)),
    ] {
        let mut one = 0;
        for workers in [1, 2, 4, 8, 16, 32] {
            let (mut nodes, mut sum) = (0, Statistics::default());
            for board in &boards {
                let (line, statistics) = search(board, &limits, workers);
                nodes += line.nodes;
                sum.add(&statistics);
            }
            if workers == 1 {
                one = sum.time;
            }
            let of_all = |part: u64, all: u64| 100.0 * part as f64 / all as f64;
            println!(
                "{name}, {workers} threads: {:.2} x, {:.1} M nodes, idle {:.1} %, \
                 called off {:.1} %, {} locks per million units",
                one as f64 / sum.time as f64,
                nodes as f64 / 1e6,
                of_all(sum.idle, sum.idle + sum.work),
                of_all(sum.discarded, sum.work),
                sum.locks * 1_000_000 / sum.work,
            );
            for (empties, (opened, joined)) in sum.opened.iter().zip(&sum.joined).enumerate() {
                if *opened > 0 {
                    print!("{empties}: {opened}, {joined}; ");
                }
            }
            println!();
        }
    }
}
