//! Well-known results of tic-tac-toe.

use crate::{Algorithm, Counts, Game, Rules, TicTacToe};

fn run(algorithm: Algorithm, size: u32, height: u32) -> (i32, Counts) {
    let rules = Rules::new(size, Rules::default_row(size)).unwrap();
    let mut counts = Counts::default();
    let value = algorithm.run(&TicTacToe::new(&rules), height, &mut counts);
    (value, counts)
}

#[test]
fn three_by_three_is_a_draw() {
    for (name, algorithm) in Algorithm::PLAIN.into_iter().chain(Algorithm::LADDER) {
        assert_eq!(run(algorithm, 3, 9).0, 0, "{name}");
    }
}

/// The number of games and of positions in the game tree.
#[test]
fn three_by_three_has_255168_games() {
    let (_, counts) = run(Algorithm::Minimax, 3, 9);
    assert_eq!((counts.leaves, counts.nodes), (255_168, 549_946));
    assert_eq!(run(Algorithm::Negamax, 3, 9).1, counts);
}

#[test]
fn alpha_beta_visits_at_most_half_the_nodes_of_minimax() {
    for (size, height) in [(3, 9), (4, 5), (5, 4)] {
        let (value, all) = run(Algorithm::Minimax, size, height);
        for algorithm in [
            Algorithm::AlphaBeta,
            Algorithm::FailHard,
            Algorithm::FailSoft,
        ] {
            let (found, some) = run(algorithm, size, height);
            assert_eq!(found, value);
            assert!(some.nodes * 2 <= all.nodes, "{algorithm:?}, size {size}");
            assert!(some.leaves * 2 <= all.leaves, "{algorithm:?}, size {size}");
        }
    }
}

#[test]
fn three_in_a_row_on_four_by_four_is_won() {
    let rules = Rules::new(4, 3).unwrap();
    let value = Algorithm::LADDER[3]
        .1
        .run(&TicTacToe::new(&rules), 7, &mut ());
    assert_eq!(value, Rules::WIN);
}

#[test]
fn number_of_winning_lines_follows_from_the_rules() {
    for (size, row, lines) in [(3, 3, 8), (4, 4, 10), (4, 3, 24), (5, 4, 28), (8, 8, 18)] {
        assert_eq!(Rules::new(size, row).unwrap().lines(), lines);
    }
    let rules = Rules::new(8, 8).unwrap();
    assert_eq!(TicTacToe::new(&rules).moves().len(), 64);
}

#[test]
fn rules_out_of_range_are_rejected() {
    for (size, row, start) in [
        (2, 2, "board size 2 "),
        (9, 4, "board size 9 "),
        (4, 5, "5 in a row "),
        (4, 2, "2 in a row "),
    ] {
        let error = Rules::new(size, row).unwrap_err();
        assert!(error.starts_with(start), "{error}");
    }
}
