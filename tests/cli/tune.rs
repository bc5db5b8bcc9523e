//! `emilia tune`: values come back by games, and a killed tuning is resumed.

use std::fs;

use crate::common::matches::Scratch;

#[test]
fn a_resumed_tuning_equals_an_uninterrupted_one() {
    let scratch = Scratch::new("tune");
    let tune = "tune --engine builtin --option depth=1..5 --option exact=0..8 --games 20 --rate 0.1 \
                --openings random:12 --eval classic";
    let whole = scratch.emilia(&format!("{tune} --out whole --plot plot.svg"));
    assert_eq!(whole.code, Some(0), "{whole:?}");
    assert!(whole.stdout.starts_with("depth\t") && whole.stdout.ends_with("\ntune: 20 games\n"));
    let svg = fs::read_to_string(scratch.path("plot.svg")).unwrap();
    assert_eq!(svg.matches("<polyline ").count(), 2);
    let log = fs::read_to_string(scratch.path("whole")).unwrap();
    // A deeper search wins more games.
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert!(last["values"][0].as_f64().unwrap() > 3.0, "{log}");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    for count in [1, 4] {
        fs::write(
            scratch.path("part"),
            lines[..count].concat() + &lines[count][..9],
        )
        .unwrap();
        let resumed = scratch.emilia(&format!("{tune} --out part --resume"));
        assert_eq!(
            (resumed.code, resumed.stdout),
            (Some(0), whole.stdout.clone())
        );
        assert_eq!(fs::read_to_string(scratch.path("part")).unwrap(), log);
    }
    for (more, sentence) in [
        (
            "--out whole",
            "this log has games already: --resume goes on; give another name, or --force",
        ),
        (
            "--out whole --resume --seed 2",
            "or --force to begin again): seed 1, not 2",
        ),
        ("--out new --plot plot.svg", "'plot.svg': it exists"),
        ("--option hash=1", "expected NAME=LOW..HIGH"),
        ("--option colour=1..2", "colour: no such option"),
        (
            "--option selectivity=73..100",
            "99, 100 (tune sets every value of a range)",
        ),
        ("--clock 1:00 --time 1", "cannot be used with"),
        ("--patience 0", "expected a positive number of seconds"),
    ] {
        scratch
            .emilia(&format!("{tune} {more}"))
            .assert_refused(sentence);
    }
    let resumed = format!("{tune} --out whole --resume");
    for (one, other, sentence) in [
        (
            "--games 20",
            "--games 40",
            "to begin again): games 20, not 40",
        ),
        (
            "builtin",
            "h5",
            "'h5' has no place for it (expected builtin:",
        ),
    ] {
        let run = scratch.emilia(&resumed.replace(one, other));
        run.assert_refused(sentence);
    }
    // The plot belongs to the log: both go on with --resume, and begin again with --force.
    for more in ["--resume", "--seed 2 --force"] {
        let run = scratch.emilia(&format!("{tune} --out whole --plot plot.svg {more}"));
        assert_eq!(run.code, Some(0), "{run:?}");
        let again = fs::read_to_string(scratch.path("whole")).unwrap();
        assert_eq!(again.lines().count(), 1 + 10);
        assert_eq!(again == log, more == "--resume");
    }
}
