//! `emilia show`, from arguments to output.

mod run;

use run::emilia;

const START: &str = "---------------------------OX------XO---------------------------";

#[test]
fn a_transcript_with_its_last_move() {
    let run = emilia(&["show", "F5", "d6", "c3"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("  3  - -[X]* - * - -"), "{run:?}");
    assert!(run.stdout.contains("legal     d3 f3 f4 g5 (4)"), "{run:?}");
    assert!(run.stdout.contains(" discs for white\n"), "{run:?}");
    assert!(run.stdout.contains("\npattern  "), "{run:?}");
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
fn color_is_for_terminals_unless_asked_for() {
    assert!(!emilia(&["show"], b"").stdout.contains('\x1b'));
    let colored = emilia(&["show", "--color", "always"], b"").stdout;
    assert!(colored.contains('\x1b') && colored.contains('●'));
}

#[test]
fn passes_and_finished_games() {
    let pass = format!("OX{} X", "-".repeat(62));
    let run = emilia(&["show", &pass], b"");
    assert!(run.stdout.contains("must pass"), "{run:?}");
    assert!(run.stdout.contains("legal     pass (1)"), "{run:?}");
    let run = emilia(&["show", "e6f4e3f6g5d6e7f5c5"], b"");
    assert!(run.stdout.contains("result    black wins 64-0"), "{run:?}");
}

#[test]
fn bad_positions_get_one_sentence_and_exit_code_2() {
    for (arguments, sentence) in [
        (
            &["show", "f5d6a1"][..],
            "emilia: position: column 5, move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 c7)\n",
        ),
        (
            &["show", &START[1..]],
            "emilia: position: wrong length: 63 squares (expected 64, then the side to move)\n",
        ),
        (
            &["show", START, "up"],
            "emilia: position: column 66: mover unknown: 'up' (expected X or O)\n",
        ),
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_eq!(run.stderr, sentence);
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/net.bin");
    let run = emilia(&["bench", "--eval", "pattern", "--weights", weights], b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(
        run.stderr,
        "emilia: --weights: these weights go with --eval net, not with --eval pattern\n"
    );
    let run = emilia(&["show", "--weights", weights], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
}
