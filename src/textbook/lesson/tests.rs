//! The worked examples of textbooks: value, visited leaves, cuts and windows.

use super::{EXAMPLES, Lesson, Number, Request};
use crate::Algorithm;

fn lesson(game: &str, text: &str, algorithm: &str) -> Lesson {
    let request = Request {
        game: game.to_owned(),
        text: text.to_owned(),
        algorithm: algorithm.to_owned(),
        height: None,
    };
    request.lesson().unwrap()
}

/// Returns the negated number, if `turned` is set: from the side to move to Max.
fn for_max(number: Number, turned: bool) -> String {
    match number {
        Number::Whole(number) if turned => (-number).to_string(),
        Number::Real(number) if turned => Number::Real(-number).to_string(),
        Number::Text(text) if turned => if text == "-∞" { "+∞" } else { "-∞" }.to_owned(),
        _ => number.to_string(),
    }
}

/// Writes a lesson as a line of `EXAMPLES`, without its name.
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

/// Returns the trees of the worked examples with their lines.
fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_example = |line: &&str| !line.is_empty() && !line.starts_with('#');
    EXAMPLES.lines().filter(is_example).map(|line| {
        let (_name, example) = line.split_once(": ").unwrap();
        (example.split_once(" = ").unwrap().0, example)
    })
}

#[test]
fn forms_of_alpha_beta_search_the_worked_examples_as_printed() {
    for (tree, example) in examples() {
        for algorithm in ["alpha-beta", "fail-hard", "fail-soft"] {
            assert_eq!(
                written(&lesson("tree", tree, algorithm)),
                example,
                "{algorithm}"
            );
        }
    }
}

#[test]
fn minimax_and_negamax_visit_every_node() {
    for (tree, _) in examples() {
        for algorithm in ["minimax", "negamax"] {
            let lesson = lesson("tree", tree, algorithm);
            let last = lesson.steps.last().unwrap();
            assert_eq!(
                (last.step, last.entered),
                ("done", lesson.nodes.len() as u64)
            );
            assert_eq!(last.leaves, lesson.all_leaves as u64);
        }
    }
}

#[test]
fn every_algorithm_is_recorded_with_the_same_value() {
    let games = ["f5d6c3", "f5d6c3f4c5"].map(|text| ("othello", text.to_owned(), Some(2)));
    let trees = (0..20).map(|seed| ("tree", format!("random 3 4 {seed}"), None));
    let boards = [("tictactoe", "b2 a1 c1 a3".to_owned(), None)];
    for (game, text, height) in trees.chain(games).chain(boards) {
        let mut values = Algorithm::ALL.into_iter().map(|(algorithm, ..)| {
            let request = Request {
                game: game.to_owned(),
                text: text.clone(),
                algorithm: algorithm.to_owned(),
                height,
            };
            let lesson = request.lesson().unwrap();
            for_max(lesson.value, lesson.negamax && !lesson.nodes[0].max)
        });
        let value = values.next().unwrap();
        assert!(values.all(|other| other == value), "{text}");
    }
}

#[test]
fn uniform_trees_name_the_least_number_of_leaves() {
    for (moves, height) in [(2, 1), (2, 6), (3, 4), (8, 2), (7, 3)] {
        let best = lesson("tree", &format!("best {moves} {height}"), "alpha-beta");
        let least = best.least_leaves.unwrap();
        assert_eq!(best.steps.last().unwrap().leaves, least as u64);
        let worst = lesson("tree", &format!("worst {moves} {height}"), "alpha-beta");
        assert_eq!(worst.least_leaves, Some(least));
        assert_eq!(worst.steps.last().unwrap().leaves, worst.all_leaves as u64);
    }
    assert_eq!(
        lesson("tree", "[1, [2, 3]]", "alpha-beta").least_leaves,
        None
    );
}

/// The bound of a cut is the best value of the node above that the step names.
#[test]
fn a_cut_names_the_node_that_has_its_bound() {
    for (text, algorithm, from) in [
        ("[5, [[[4, x], 6], 7]]", "fail-soft", Some("root")),
        (
            "[[[[10, 12], [9, x]], [[14, 15], [x, x]]], 7]",
            "alpha-beta",
            Some("1.1"),
        ),
        // Null windows of MTD(f) begin with a guess, which no node has.
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
fn leaves_without_value_are_written_x() {
    let lesson = lesson("tree", "[[-5, 1, -7], [3, -9, x]]", "fail-soft");
    let shown = lesson.nodes.iter().filter_map(|node| node.value);
    let shown: Vec<String> = shown.map(|value| value.to_string()).collect();
    assert_eq!(shown, ["-5", "1", "-7", "3", "-9", "x"]);
}

#[test]
fn other_games_are_drawn_with_their_boards() {
    let ending = "OXXXXXX-OOXXXOO-OOOXXOOOOOXXXOOOOOXXXXOOOOOXXXOOOOXXXXXO--XXXXOO X";
    for (game, text, cells) in [("tictactoe", "b2 a1 c3", 9), ("othello", ending, 64)] {
        let lesson = lesson(game, text, "fail-soft");
        let is_drawn = |node: &crate::lesson::DrawnNode| node.cells.len() == cells;
        assert!(lesson.nodes.iter().all(is_drawn));
        assert!(lesson.svg(true).contains("class=\"scissors\""));
    }
}

#[test]
fn wrong_requests_get_a_sentence() {
    for (game, text, algorithm, sentence) in [
        (
            "tree",
            "[1, [2",
            "minimax",
            "column 7: the text ends where a comma or ] was expected",
        ),
        (
            "tree",
            "[1]",
            "magic",
            "expected an algorithm: minimax, negamax",
        ),
        ("tree", "best 2 12", "minimax", "more than 3000 nodes"),
        ("othello", "f5", "minimax", "more than 3000 nodes"),
        ("tictactoe", "b2 b2", "minimax", "'b2' is not a legal move"),
        ("chess", "", "minimax", "expected the game"),
    ] {
        let request = Request {
            game: game.to_owned(),
            text: text.to_owned(),
            algorithm: algorithm.to_owned(),
            height: None,
        };
        let error = request.lesson().unwrap_err();
        assert!(error.contains(sentence), "{error}");
    }
}
