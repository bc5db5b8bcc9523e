//! Tests of the option table: parsing, ranges, and the fields that each option sets.

use super::*;
use emilia_core::eval::NetWeights;

fn set_all(pairs: &[(&str, &str)]) -> Result<Setup, String> {
    let mut setup = Setup::default();
    for (name, value) in pairs {
        by_name(name).expect(name).set_text(&mut setup, value)?;
    }
    Ok(setup)
}

#[test]
fn options_are_set_by_name() {
    let mut setup = set_all(&[
        ("depth", "60"),
        ("time", "0.5"),
        ("nodes", "1"),
        ("exact", "0"),
        ("threads", "1024"),
        ("ponder", "on"),
        ("seed", "7"),
        ("hash", "65536"),
        ("eval", "classic"),
        ("selectivity", "95"),
    ])
    .unwrap();
    let expected = Limits {
        depth: Some(60),
        nodes: Some(1),
        solve_from_empties: Some(0),
        ..Limits::time(Duration::from_millis(500))
    };
    assert_eq!(setup.limits, expected);
    let settings = &setup.settings;
    assert_eq!((settings.threads.get(), settings.hash_mib), (1024, 65536));
    assert_eq!(settings.evaluator.name(), "classic");
    assert_eq!(settings.selectivity, Selectivity::P95);
    let play_settings = &setup.play_settings;
    assert_eq!((play_settings.ponder, play_settings.seed), (true, 7));
    for unset in ALL.into_iter().filter_map(|option| unset(option.name())) {
        unset(&mut setup.limits);
    }
    assert_eq!(setup.limits, Limits::default());
    let evaluator = Setup::default().settings.evaluator;
    assert_eq!(EvalName::default().name(), evaluator.name());
}

#[test]
fn out_of_range_values_are_refused_with_the_range() {
    for line in "\
depth 0 -> is not a depth from 1 to 60
depth 61 -> is not a depth from 1 to 60
time 0 -> is not a positive number of seconds, at most
time nan -> is not a positive number of seconds
time 1e19 -> is not a positive number of seconds
nodes 0 -> is not a number of nodes from 1
exact 61 -> is not a number of empty squares from 0 to 60
threads 0 -> is not 1 to 1024 threads
threads 1025 -> is not 1 to 1024 threads
ponder yes -> is not on or off
hash 65537 -> is not 1 to 65536 MiB
eval x -> is not an evaluation: net, classic or simple
selectivity 74 -> is not 73, 87, 95, 98, 99 or 100 (percent)
level h15 -> is not a level from 1 to 60, or h1 to h14
book-error 65 -> is not a number of discs from 0 to 64"
        .lines()
    {
        let (pair, sentence) = line.split_once(" -> ").unwrap();
        let (name, value) = pair.split_once(' ').unwrap();
        let error = set_all(&[(name, value)]).unwrap_err();
        let is_expected = error.starts_with(&format!("'{value}' {sentence}"));
        assert!(is_expected, "{name}: {error}");
    }
    let error = set_all(&[("weights", "no such file")]).unwrap_err();
    assert!(error.starts_with("'no such file': "), "{error}");
    assert!(by_name("colour").is_none());
}

#[test]
fn weights_select_the_net() {
    let name = format!("emilia-{}.net", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, NetWeights::EMBEDDED).unwrap();
    let weights = ("weights", file.to_str().unwrap());
    let setup = set_all(&[("eval", "classic"), weights]).unwrap();
    assert_eq!(setup.settings.evaluator.name(), "net");
    std::fs::remove_file(&file).unwrap();
}
