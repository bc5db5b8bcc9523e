//! Levels: a midgame depth sets the exact depth of its level, wherever games are played.

use crate::common::Process;
use crate::common::run::{cases, emilia, emilia_line};

/// A game with 16 empties.
const ENDING: &str =
    "f5d6c4f4f3g3f6g5g6f7h3e3d3c3c5h5g4b4h7d2e2b3e6e7c1f2f8f1d1c2e8h4h6g2c7d7a5a4b5a6h1h2a3b6";

/// Returns the depth of the best line of `emilia-hint`.
fn depth_in_gtp(engine: &mut Process) -> String {
    let hint = engine.ask("emilia-hint");
    hint.split(' ').nth(2).unwrap().to_owned()
}

#[test]
fn gtp_solves_from_the_exact_depth_of_the_level() {
    let mut engine = Process::emilia(&["gtp", "--hash", "1", "--depth", "8"]);
    engine.ask(&format!("emilia-setboard {ENDING}"));
    assert_eq!(depth_in_gtp(&mut engine), "100%");
    for [setting, depth] in cases(
        "depth 7 | 7@73%
         depth 8 | 100%
         exact 0 | 8@73%
         exact none | 100%
         nodes 1000000 | 8@73%",
    ) {
        engine.ask("clear_board");
        engine.ask(&format!("emilia-setboard {ENDING}"));
        engine.ask(&format!("emilia-set {setting}"));
        assert_eq!(depth_in_gtp(&mut engine), depth, "{setting}");
    }
    engine.finish();
}

#[test]
fn play_solves_from_the_exact_depth_of_the_level() {
    let arguments = ["play", "--hash", "1", "--human", "both", "--depth", "8"];
    let run = emilia(&[&arguments[..], &[ENDING]].concat(), b"hint 1\n");
    run.assert_shows("exact");
    let arguments = [&arguments[..], &["--exact", "9", ENDING]].concat();
    emilia(&arguments, b"hint 1\n").assert_shows("depth 8@73%");
}

#[test]
fn levels_are_accepted_by_all_commands() {
    let mut gtp = Process::emilia(&["gtp", "--hash", "1", "--level", "6"]);
    assert_eq!(depth_in_gtp(&mut gtp), "6@73%");
    gtp.ask("emilia-set level 9");
    assert_eq!(depth_in_gtp(&mut gtp), "9@73%");
    gtp.check(
        "emilia-set level h15 -> ? 'h15' is not a level...
emilia-set level h5 -> =
emilia-set seed 3 -> =
genmove b -> = ...",
    );

    for [line, sentence] in cases(
        "play --level 0 | expected a level from 1 to 60
         play --level 4 --depth 4 | cannot be used with
         analyze f5 --level h3 | this is a level to play at",
    ) {
        emilia_line(line).assert_refused(sentence);
    }
}
