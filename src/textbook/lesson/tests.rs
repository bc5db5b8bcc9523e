//! Tests of the worked examples in `EXAMPLES`: values, visited leaves, cuts and windows.

use super::{EXAMPLES, Lesson, Number, Request};
use crate::Algorithm;

fn request(game: &str, text: &str, algorithm: &str) -> Request {
    Request {
        game: game.to_owned(),
        text: text.to_owned(),
        algorithm: algorithm.to_owned(),
        height: None,
    }
}

fn lesson(game: &str, text: &str, algorithm: &str) -> Lesson {
    request(game, text, algorithm).lesson().unwrap()
}

/// Formats `number` for Max. `turned` means that it is in the view of Min, so it is negated.
fn for_max(number: Number, turned: bool) -> String {
    match number {
        Number::Whole(number) if turned => (-number).to_string(),
        Number::Real(number) if turned => Number::Real(-number).to_string(),
        Number::Text(text) if turned => if text == "-∞" { "+∞" } else { "-∞" }.to_owned(),
        _ => number.to_string(),
    }
}

/// Formats a lesson as a row of `EXAMPLES`, without its name.
fn written(lesson: &Lesson) -> String {
    let (mut leaves, mut cuts, mut windows) = (Vec::new(), Vec::new(), Vec::new());
    for step in &lesson.steps {
        let node = &lesson.nodes[step.node];
        let (name, turned) = (&node.name, lesson.negamax && !node.max);
        match (step.step, step.value, step.window, step.cut) {
            ("leaf", Some(value), ..) => leaves.push(for_max(value, turned)),
            ("enter", _, Some(mut window), _) if node.value.is_none() => {
                if turned {
                    window.reverse();
                }
                let [alpha, beta] = window.map(|bound| for_max(bound, turned));
                windows.push(format!("{name} {alpha} {beta}"));
            }
            (_, _, _, Some((kind, searched, moves))) => {
                cuts.push(format!("{name}: {kind} cut after {searched} of {moves}"));
            }
            _ => {}
        }
    }
    let [leaves, cuts, windows] = [leaves.join(" "), cuts.join(", "), windows.join(", ")];
    let tree = &lesson.text;
    let value = for_max(lesson.value, lesson.negamax && !lesson.nodes[0].max);
    format!("{tree} = {value} | {leaves} | {cuts} | {windows}")
}

/// Returns the worked examples as (tree, row of `EXAMPLES` without the name).
fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_example = |line: &&str| !line.is_empty() && !line.starts_with('#');
    EXAMPLES.lines().filter(is_example).map(|line| {
        let (_name, example) = line.split_once(": ").unwrap();
        (example.split_once(" = ").unwrap().0, example)
    })
}

#[test]
fn worked_examples_are_searched_as_printed_and_have_one_value() {
    for (tree, example) in examples() {
        for (algorithm, ..) in Algorithm::ALL {
            let lesson = lesson("tree", tree, algorithm);
            let written = written(&lesson);
            match algorithm {
                "alpha-beta" | "fail-hard" | "fail-soft" => assert_eq!(written, example),
                _ => assert_eq!(written.split('|').next(), example.split('|').next()),
            }
            let last = lesson.steps.last().unwrap();
            let nodes = lesson.nodes.len() as u64;
            let is_whole = last.step == "done" && last.entered == nodes;
            assert!(is_whole || !["minimax", "negamax"].contains(&algorithm));
        }
    }
}

#[test]
fn uniform_trees_name_the_least_number_of_leaves() {
    for (tree, least) in [
        ("best 3 4", Some(17)),
        ("worst 3 4", Some(17)),
        ("[1, [2, 3]]", None),
    ] {
        assert_eq!(lesson("tree", tree, "alpha-beta").least_leaves, least);
    }
}

/// The bound of a cut is the best value of an earlier node on the path. The step names this node.
#[test]
fn a_cut_names_the_node_that_has_its_bound() {
    for (text, algorithm, from) in [
        ("[5, [[[4, x], 6], 7]]", "fail-soft", Some("root")),
        (
            "[[[[10, 12], [9, x]], [[14, 15], [x, x]]], 7]",
            "alpha-beta",
            Some("1.1"),
        ),
        // The bounds of MTD(f)'s null windows come from a guess, not from the value of a node.
        ("[[5, 6], [1, 9]]", "mtd-f", None),
    ] {
        let lesson = lesson("tree", text, algorithm);
        let cut = lesson.steps.iter().find(|step| step.step == "cut").unwrap();
        let name = cut.from.map(|from| lesson.nodes[from].name.as_str());
        assert_eq!(name, from, "{text}");
    }
}

#[test]
fn null_windows_re_searches_passes_and_bounds_are_steps() {
    let count = |text, algorithm, is: fn(&crate::lesson::DrawnStep) -> bool| {
        let lesson = lesson("tree", text, algorithm);
        lesson.steps.iter().filter(|step| is(step)).count()
    };
    let tree = "[[3, 5], [6, 9], [2, 4]]";
    assert_eq!(count(tree, "negascout", |step| step.step == "again"), 1);
    assert!(count(tree, "negascout", |step| step.step == "enter" && step.null) > 0);
    assert_eq!(count(tree, "fail-soft", |step| step.null), 0);
    assert_eq!(
        count(tree, "mtd-f", |step| step.step == "pass" && step.null),
        3
    );
    assert!(count(tree, "mtd-f", |step| step.step == "store") > 0);
    assert_eq!(count(tree, "deepening", |step| step.step == "pass"), 2);
}

#[test]
fn other_games_are_drawn_with_their_boards() {
    let ending = "OXXXXXX-OOXXXOO-OOOXXOOOOOXXXOOOOOXXXXOOOOOXXXOOOOXXXXXO--XXXXOO X";
    for (game, text, cells) in [("tictactoe", "b2 a1 c3", 9), ("othello", ending, 64)] {
        let lesson = lesson(game, text, "fail-soft");
        let is_drawn = |node: &crate::lesson::DrawnNode| node.cells.len() == cells;
        assert!(lesson.nodes.iter().all(is_drawn));
        assert!(lesson.svg().contains("class=\"scissors\""));
    }
}

#[test]
fn wrong_requests_get_a_sentence() {
    for row in "\
tree | [1, [2 | minimax | column 7: the text ends where a comma or ] was expected
tree | [1] | magic | expected an algorithm: minimax, negamax
othello | f5 | minimax | more than 3000 nodes
chess | | minimax | expected the game"
        .lines()
    {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let error = request(cells[0], cells[1], cells[2]).lesson().unwrap_err();
        assert!(error.contains(cells[3]), "{error}");
    }
}
