//! Tests of requests and results in Cassio's protocol, without a search.

use std::time::Duration;

use super::request::Request;
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Goal, Limits, Line, Selectivity, Settings};

/// Position in which Black must pass. White then plays h1 and ends the game.
const PASS: &str = "OXXXXXX-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX";

fn request(arguments: &str) -> Result<Request, String> {
    let words: Vec<&str> = arguments.split(' ').collect();
    match words.len() {
        5 => Request::midgame(&words),
        _ => Request::endgame(&words),
    }
}

/// Returns the fields of the result line for a search result with this depth, value in discs and
/// PV.
fn result(arguments: &str, depth: Depth, discs: i32, pv: &str) -> Vec<String> {
    let line = Line {
        value: Value::from_score(discs),
        depth,
        pv: pv.split(' ').filter_map(|mv| mv.parse().ok()).collect(),
        nodes: 7,
        elapsed: Duration::from_millis(1500),
    };
    let text = request(arguments).unwrap().result(&line);
    assert!(text.len() > 80, "Cassio ignores shorter lines");
    text.split(", ").map(str::to_owned).collect()
}

#[test]
fn precision_is_rounded_up_to_a_selectivity_below_the_end() {
    let selectivity = |arguments: &str| {
        let settings = request(arguments).unwrap().settings(&Settings::default());
        settings.selectivity.percent()
    };
    for (percent, expected) in [(0, 73), (73, 73), (74, 87), (90, 95), (99, 99), (100, 100)] {
        assert_eq!(selectivity(&format!("start -64 64 8 {percent}")), expected);
    }
    assert_eq!(selectivity("start -64 64 100"), 73);
}

#[test]
fn windows_around_a_draw_are_solved_for_win_draw_or_loss() {
    for (window, goal) in [
        ("-1 1", Goal::Wld),
        ("0 2", Goal::Wld),
        ("-2.00 2.00", Goal::Wld),
        ("-3 1", Goal::Exact),
        ("0 4", Goal::Exact),
        ("-64 64", Goal::Exact),
    ] {
        let request = request(&format!("{PASS} {window} 100")).unwrap();
        assert_eq!(request.limits(&Limits::default()).goal, goal, "{window}");
    }
}

#[test]
fn a_result_has_the_moves_and_bounds_of_its_side() {
    let black = result(&format!("{PASS} -64 64 100"), Depth::Exact, -64, "pass h1");
    let moves = [
        "move PA",
        "depth 1",
        "@100%",
        "B-64.00 <= v <= B-64.00",
        "PAh1",
    ];
    assert_eq!(black[0], PASS);
    assert_eq!(black[1..6], moves);
    assert_eq!(black[6..], ["node 7", "time 1.500"]);
    let white = PASS[..64].to_owned() + "O";
    let win = result(&format!("{white} 0 1 100"), Depth::Wld, 1, "h1");
    assert_eq!(win[1], "move h1");
    assert_eq!(win[4..6], ["W+2.00 <= v <= W+64.00", "h1"]);
    let loss = result(&format!("{white} -1 0 100"), Depth::Wld, -1, "h1");
    assert_eq!(loss[4], "W-64.00 <= v <= W-2.00");
    let none = result(&format!("{white} -1 0 100"), Depth::Wld, 0, "");
    assert_eq!(
        [&none[1], &none[4], &none[5]],
        ["move --", "W+0.00 <= v <= W+0.00", "--"]
    );
}

#[test]
fn a_search_to_the_end_has_the_requested_depth() {
    let depth = |asked: u32, depth| {
        result(&format!("{PASS} -64 64 {asked} 73"), depth, 0, "pass")[2].clone()
    };
    assert_eq!(depth(20, Depth::Exact), "depth 20");
    assert_eq!(depth(0, Depth::Exact), "depth 1");
    assert_eq!(depth(20, Depth::Plies(0, Selectivity::P73)), "depth 0");
}
