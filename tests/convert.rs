//! `emilia convert`, and game files as positions of other commands.

mod run;
mod scratch;

use run::emilia;
use scratch::Scratch;

/// Two games in GGF with all that it holds.
const GGF: &str = "\
(;GM[Othello]PC[Open]DT[2026-11-22]PB[Ann]PW[Bob]RE[-12.00:r]TI[15:00//]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5/1.50/0.230]W[D6//2.000]B[C3];)
(;GM[Othello]PC[]DT[]PB[]PW[]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[D3]W[C3];)
";

/// The path of a file that does not exist yet, and the guard that removes it.
fn fresh(name: &str) -> (Scratch, String) {
    let scratch = Scratch::new(name, "");
    let path = scratch.path().to_owned();
    std::fs::remove_file(&path).expect("the file that was just made");
    (scratch, path)
}

#[test]
fn games_keep_what_each_kind_can_hold() {
    let input = Scratch::new("convert-in.ggf", GGF);
    let input = input.path();
    let run = emilia(&["convert", input, "-", "--to", "ggf"], b"");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), GGF), "{run:?}");
    // SGF has no clock and no reason, a transcript no evaluations and times.
    let (_sgf, sgf) = fresh("convert-out.sgf");
    assert_eq!(emilia(&["convert", input, &sgf], b"").code, Some(0));
    let (_txt, txt) = fresh("convert-out.txt");
    assert_eq!(emilia(&["convert", &sgf, &txt], b"").code, Some(0));
    let run = emilia(&["convert", &txt, "-", "--to", "ggf"], b"");
    let expected = GGF
        .replace(":r", "")
        .replace("TI[15:00//]", "")
        .replace("/1.50/0.230", "")
        .replace("//2.000", "");
    assert_eq!(run.stdout, expected, "{run:?}");
    // What is there is not written over.
    let run = emilia(&["convert", input, &txt], b"");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("it exists; give another name, or --force")
    );
    assert_eq!(
        emilia(&["convert", input, &txt, "--force"], b"").code,
        Some(0)
    );
    let run = emilia(&["convert", input, input, "--force"], b"");
    assert!(run.stderr.contains("it is the file to read"), "{run:?}");
}

#[test]
fn positions_come_out_as_obf_that_can_be_solved_and_read_again() {
    let run = emilia(&["convert", "-", "-", "--to", "obf"], b"f5d6c3\n");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((lines.len(), lines[0]), (4, "% game 1"), "{run:?}");
    let again = emilia(&["convert", "-", "-", "--to", "obf"], run.stdout.as_bytes());
    let positions = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('%'));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(positions(&again.stdout), positions(&run.stdout));
}

#[test]
fn bad_games_are_named_and_the_others_written() {
    let run = emilia(&["convert", "-", "-", "--to", "txt"], b"f5d6\nf5a1\nd3\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "f5d6\nd3\n"));
    assert_eq!(
        run.stderr,
        "'-': game 2: line 2, column 3, move 2: illegal move: a1 for white (legal: f4 d6 f6)\n\
         emilia: 1 of 3 games could not be read and were left out\n"
    );
    for (input, sentence) in [
        (&b""[..], "'stdin': there are no games in it"),
        (
            b"\0\0\0",
            "'stdin': this is no file of games: byte 0 is 0x00",
        ),
    ] {
        let run = emilia(&["convert", "-", "-", "--to", "txt"], input);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
    let run = emilia(&["convert", "-", "out.wtb"], b"f5\n");
    assert!(
        run.stderr.contains("its ending names no kind of file"),
        "{run:?}"
    );
}

#[test]
fn commands_take_a_game_of_a_file_at_a_move() {
    let file = Scratch::new("games.ggf", GGF);
    let file = file.path();
    let shown = |place: &str| emilia(&["show", &format!("{file}{place}")], b"");
    let run = shown("");
    for text in [
        "Ann - Bob, -12",
        "Open, 2026-11-22",
        "Tiger",
        "moves     f5d6c3\n",
    ] {
        assert_eq!(
            run.stdout.contains(text),
            text != "Tiger",
            "{text}: {run:?}"
        );
    }
    assert!(shown(":2").stdout.contains("opening   Perpendicular"));
    assert!(shown(":2:1").stdout.contains("last move d3"));
    assert!(shown(":0").stdout.contains("60 empty squares"));
    for (place, sentence) in [
        (":4", "game 1 has 3 moves, not 4"),
        (":3:1", "there is no game 3, but 2 in all"),
        (":0:1", "there is no game 0, but 2 in all"),
    ] {
        let run = shown(place);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(sentence), "{run:?}");
    }
    let run = emilia(&["show", "nothing.sgf"], b"");
    assert!(
        run.stderr.contains("'nothing.sgf': no such file"),
        "{run:?}"
    );
    let run = emilia(&["perft", "1", &format!("{file}:1:3")], b"");
    assert!(run.stdout.starts_with("perft 1 4 "), "{run:?}");
    let run = emilia(&["show", "-"], b"f5d6\n");
    assert!(run.stdout.contains("last move d6"), "{run:?}");
}
