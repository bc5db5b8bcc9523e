//! End-to-end test of `emilia bench`: the last line.

use crate::common::run::emilia_line;

/// Format of the last line: `N nodes SPEED nps`. N is the signature.
#[test]
fn the_last_line_has_the_same_nodes_in_every_run() {
    let [one, other] = [(); 2].map(|()| {
        let run = emilia_line("bench --depth 6 --hash 1");
        run.assert_done();
        let last = run.stdout.lines().last().unwrap();
        let (nodes, speed) = last.split_once(" nodes ").unwrap();
        assert!(speed.strip_suffix(" nps").unwrap().parse::<f64>().unwrap() > 0.0);
        nodes.to_owned()
    });
    assert_eq!(one, other);
}
