//! End-to-end tests of `emilia show`.

use crate::common::run::emilia;
use crate::common::scratch::Scratch;

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_transcript_is_shown_with_its_last_move() {
    let run = emilia(&["show", "F5", "d6", "c3"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_shows("  3  - -[X]* - * - -");
    run.assert_shows("legal     d3 f3 f4 g5 (4)");
    run.assert_shows(" discs for white\n");
    run.assert_shows("\nclassic  ");
    assert!(run.stdout.is_ascii() && run.stderr.is_empty());
}

#[test]
fn boards_may_begin_with_dashes_and_options_may_come_anywhere() {
    let expected = emilia(&["show"], b"").stdout;
    for arguments in [
        &["show", START][..],
        &["show", START, "X", "--color", "never"],
        &["--color", "never", "show", START, "black"],
        &["show", "--color=auto", &format!("{START} X; f5:+0;")],
        &["show", "start"],
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.stdout, expected, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn one_position_is_shown_and_the_choice_is_reported() {
    let games = Scratch::new("show-games.txt", "f5d6c3\nf5f4\n");
    let run = emilia(&["show", games.path()], b"");
    let first = "emilia: game 1 of 2; FILE:N shows another\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), first));
    let cut = Scratch::new("show-cut.txt", "f5d6c3\nf5a1\n");
    let run = emilia(&["show", &format!("{}:2", cut.path())], b"");
    run.assert_reports(&format!("'{}': line 2: 1 of 2 moves read", cut.path()));
    emilia(&["show", ""], b"").assert_refused("emilia: the position is empty\n");
}
