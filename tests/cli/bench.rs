//! End-to-end test of `emilia bench`: the last line.

use crate::common::run::emilia_line;

#[test]
fn the_last_line_has_the_nodes_and_the_speed() {
    let run = emilia_line("bench --depth 6 --hash 1");
    run.assert_done();
    let last = run.stdout.lines().last().unwrap();
    let (nodes, speed) = last.split_once(" nodes ").unwrap();
    let speed = speed.strip_suffix(" nps").unwrap();
    assert!(nodes.parse::<u64>().is_ok() && speed.parse::<f64>().unwrap() > 0.0);
}
