//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::emilia_line;

#[test]
fn values_of_unfinished_games_are_explained_and_the_best_moves_shown() {
    let explained = "and an unfinished game at this depth the number of lines";
    let run = emilia_line("compare --game tictactoe --depth 3 b2");
    assert!(
        run.stdout.replace("\n  ", " ").contains(explained),
        "{run:?}"
    );
    run.assert_shows("\nprincipal variation: a1 c1 c2\n");
    let whole = emilia_line("compare --game tictactoe b2 a1 c3");
    assert!(!whole.stdout.contains("unfinished"), "{whole:?}");
}
