//! Matches that `emilia match` refuses: messages, unchanged files, and faults of no player.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::matches::Scratch;
use crate::common::run::cases;

/// Checks that the match with these arguments and first player is refused with this sentence.
fn expect_refusal(scratch: &Scratch, arguments: &str, first: &str, sentence: &str) {
    let first = ["--first", first];
    let run = scratch.run(arguments, if first[1].is_empty() { &[] } else { &first });
    let is_expected = run.stderr.starts_with(&format!("emilia: {sentence}"));
    assert!(run.code == Some(2) && is_expected, "{run:?}");
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    scratch.expect_nobody_left();
}

#[test]
fn a_player_that_cannot_start_a_game_ends_the_match() {
    let scratch = Scratch::new("no-player");
    for [player, what] in cases(
        "gtp:false | the program ended (exit status 1)
         nboard:true | the program ended (exit status 0)
         gtp:./missing | the program ended (exit status 127: command not found): /bin/sh: 1:
         gtp:echo one >&2; echo >&2 two; echo >&2; exit 3 | the program ended (exit status 3): two
         nboard:kill -9 $$ | the program ended (signal: 9 (SIGKILL))
         gtp:yes a line without a blank line after it, again and again | sent an answer without end
         gtp:while sleep 0.02; do echo well; done | no answer in 1.00 s
         nboard:yes | no answer in 1.00 s (it said 'y')
         gtp:exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 1000' | no answer in 1.00 s",
    ) {
        // The last player is in the process group of the match, which does not block its end.
        let sentence = format!("player '{player}' cannot begin a game: {what}");
        let arguments = "--second builtin:depth=1 --out log --patience 1";
        expect_refusal(&scratch, arguments, player, &sentence);
        assert!(!Path::new(&scratch.path("log")).exists(), "{player}");
    }
}

#[test]
fn a_refused_match_changes_no_file() {
    let scratch = Scratch::new("stay");
    let second = "--second builtin:depth=1";
    let players = format!("--first builtin:depth=1 {second}");
    scratch.play(&format!("{players} --games 2 --out log"));
    let read = || fs::read(scratch.path("log")).unwrap();
    let before = read();
    assert!(!before.is_empty());
    for [arguments, sentence] in cases(
        "--games 3 | --games 3: expected an even number
         --games 2 --openings missing | openings 'missing': 
         --first builtin | player 'builtin' would think for ever
         --games 2 --out log | 'log': line 2: this log has games already
         --games 2 --out log --resume --seed 2 | 'log': line 1: it is the log of another \
match: seed 1, not 2
         --games 2 --out /dev/full | '/dev/full': it is not a plain file",
    ) {
        let is_first = arguments.starts_with("--first");
        let players = if is_first { second } else { &players };
        expect_refusal(&scratch, &format!("{players} {arguments}"), "", sentence);
        assert_eq!(read(), before, "{arguments}");
    }
}
