//! End-to-end tests of `emilia bench`: the last line, and the runs that measure speed.

use crate::common::run::emilia_line;

/// Format of the last line: `N nodes SPEED nps`. N is the signature, whatever the number of runs.
#[test]
fn runs_measure_the_speed_of_the_same_nodes() {
    let bench = |runs: &str| {
        let run = emilia_line(&format!("bench --depth 6 --hash 1{runs}"));
        run.assert_done();
        run.stdout
    };
    let last = |printed: &str| printed.lines().last().unwrap().to_owned();
    let (one, measured) = (bench(""), bench(" --runs 2"));
    let nodes = one.lines().last().unwrap().split(' ').next().unwrap();
    let speed = |line: &str| -> f64 {
        let line = line
            .strip_prefix(nodes)
            .and_then(|line| line.strip_prefix(" nodes "));
        line.unwrap().strip_suffix(" nps").unwrap().parse().unwrap()
    };
    let speeds = measured
        .lines()
        .filter_map(|line| line.strip_prefix("run "));
    let speeds: Vec<f64> = speeds
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words[1].parse::<f64>().unwrap() > 0.5, "{line}");
            words[3].parse().unwrap()
        })
        .collect();
    assert_eq!(speeds.len(), 2, "{measured}");
    let mean = f64::midpoint(speeds[0], speeds[1]);
    assert!((speed(&last(&measured)) - mean).abs() <= 1.0, "{measured}");
    assert!(speed(&last(&one)) > 0.0);
}
