//! End-to-end tests of `emilia compare`: a table to parse, equal values, exit codes.

use crate::common::run::emilia_line;
use crate::common::scratch::Scratch;

#[test]
fn a_tree_is_drawn_as_svg() {
    let file = Scratch::new("tree.svg", "");
    let line = format!("compare --game tree [5,[4,x,x]] --svg {}", file.path());
    emilia_line(&line).assert_refused("--force");
    emilia_line(&format!("{line} --force")).assert_shows("all values equal");
    let drawn = std::fs::read_to_string(file.path()).unwrap();
    assert!(
        drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"),
        "{drawn}"
    );
    assert_eq!(drawn.matches("class=\"scissors\"").count(), 2);
}

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
