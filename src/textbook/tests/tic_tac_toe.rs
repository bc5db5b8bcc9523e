//! Tests with well-known results of tic-tac-toe.

use crate::{Algorithm, Counts, Game, Rules, TicTacToe};

/// A game is a leaf of the game tree. The numbers of games and of nodes are well known.
#[test]
fn three_by_three_is_a_draw_and_has_255168_games() {
    let rules = Rules::new(3, 3).unwrap();
    for (name, _, algorithm) in Algorithm::ALL {
        let mut counts = Counts::default();
        let value = algorithm.run(&TicTacToe::new(&rules), 9, &mut counts);
        assert_eq!(value, 0, "{name}");
        if let Algorithm::Minimax | Algorithm::Negamax = algorithm {
            assert_eq!((counts.leaves, counts.nodes), (255_168, 549_946));
        }
    }
}

#[test]
fn three_in_a_row_on_four_by_four_is_won() {
    let rules = Rules::new(4, 3).unwrap();
    let algorithm = Algorithm::named("mobility").unwrap();
    let value = algorithm.run(&TicTacToe::new(&rules), 7, &mut ());
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

#[test]
fn moves_are_played_by_name() {
    let rules = Rules::new(3, 3).unwrap();
    let start = TicTacToe::new(&rules);
    assert_eq!(start.after("b2 A1 c3").unwrap().cells(), "O---X---X");
    // In the last row, the fifth move ends the game, so the sixth is illegal.
    for moves in ["b2 b2", "d1", "a1 a2 b1 b2 c1 c2"] {
        let error = start.after(moves).unwrap_err();
        assert!(error.ends_with(" is not a legal move"), "{error}");
    }
}
