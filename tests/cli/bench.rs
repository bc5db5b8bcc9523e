//! End-to-end tests of `emilia bench`: the last line, and the runs that measure speed.

use crate::common::run::emilia_line;

/// Format of the last line: `N nodes SPEED nps`. N is the signature, whatever the number of runs.
#[test]
fn the_last_line_has_the_same_nodes_for_any_number_of_runs() {
    let last = ["", " --runs 2"].map(|runs| {
        let run = emilia_line(&format!("bench --depth 6 --hash 1{runs}"));
        run.assert_done();
        assert_eq!(
            run.stdout.matches("\nrun ").count(),
            2 * runs.len().min(1),
            "{run:?}"
        );
        let (nodes, speed) = run
            .stdout
            .lines()
            .last()
            .unwrap()
            .split_once(" nodes ")
            .unwrap();
        assert!(speed.strip_suffix(" nps").unwrap().parse::<f64>().unwrap() > 0.0);
        nodes.to_owned()
    });
    assert_eq!(last[0], last[1]);
}
