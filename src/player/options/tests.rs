//! Tests of the table of options: setting values, their texts, and their ranges.

use super::*;
use emilia_core::eval::NetWeights;

#[test]
fn each_option_sets_the_value_that_its_text_returns() {
    let name = format!("emilia-{}-options.weights", std::process::id());
    let weights = std::env::temp_dir().join(name);
    std::fs::write(&weights, NetWeights::EMBEDDED).unwrap();
    for option in &ALL {
        let values = match option.name {
            "level" => "h5 none",
            "seed" => "7 18446744073709551615",
            "book-error" => "0 1.25 64",
            "depth" => "1 60 none",
            "time" => "0.5 none",
            "nodes" => "1 none",
            "exact" => "0 60 none",
            "weights" => weights.to_str().unwrap(),
            "eval" => "net classic simple",
            "hash" => "1 65536",
            "selectivity" => "73 87 95 98 99 100",
            "threads" => "1 1024",
            // The options `book` and `ponder`.
            _ => "on off",
        };
        for value in values.split(' ') {
            let mut setup = Setup::default();
            option.set(&mut setup, value).expect(option.name);
            let text = (option.get)(&setup);
            assert_eq!(text.as_deref().unwrap_or("none"), value, "{option:?}");
            // All other options keep their default values.
            for other in ALL.iter().filter(|other| other.name != option.name) {
                let usual = (other.get)(&Setup::default());
                assert_eq!(
                    (other.get)(&setup),
                    usual,
                    "{} and {}",
                    option.name,
                    other.name
                );
            }
        }
    }
    std::fs::remove_file(&weights).unwrap();
}

#[test]
fn other_values_are_refused_with_the_expected_ones() {
    for line in include_str!("refused.txt").lines() {
        let (pair, sentence) = line.split_once(" ->").unwrap();
        let (name, value) = pair.split_once(' ').unwrap();
        let option = find(name).unwrap();
        let error = option.set(&mut Setup::default(), value).unwrap_err();
        assert!(
            error.starts_with(&format!("'{value}':{sentence}")),
            "{name}: {error}"
        );
    }
    let error = find("colour").unwrap_err();
    assert!(error.ends_with(
        "; expected one of level, seed, book, book-error, depth, time, nodes, \
                             exact, weights, eval, hash, selectivity, threads, ponder"
    ));
}

#[test]
fn a_level_and_a_depth_replace_each_other() {
    let mut setup = Setup::default();
    for (option, value, depth, human) in [
        (LEVEL, "8", Some(8), None),
        (LEVEL, "h5", None, Some("h5")),
        (DEPTH, "3", Some(3), None),
    ] {
        option.set(&mut setup, value).unwrap();
        assert_eq!(setup.limits.depth, depth);
        assert_eq!((LEVEL.get)(&setup).as_deref(), human);
    }
}

#[test]
fn a_named_evaluation_replaces_a_weights_file() {
    let mut setup = Setup {
        weights: Some("a.net".to_owned()),
        ..Setup::default()
    };
    EVAL.set(&mut setup, "net").unwrap();
    assert_eq!(setup.weights, None);
}
