//! End-to-end tests of `emilia convert`, and of game files as input of other commands.

use crate::common::matches::Scratch;
use crate::common::run::{cases, emilia};

/// Two games in GGF with all properties.
const GGF: &str = "\
(;GM[Othello]PC[Open]DT[2026-11-22]PB[Ann]PW[Bob]RE[-12.00:r]TI[15:00//]TY[8]BO[8 -------- \
    -------- -------- ---O*--- ---*O--- -------- -------- -------- \
    *]B[F5/1.50/0.230]W[D6//2.000]B[C3];)
(;GM[Othello]PC[]DT[]PB[]PW[]RE[?]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
    -------- -------- *]B[D3]W[C3];)
";

#[test]
fn file_arguments_may_name_a_game_and_a_move() {
    let folder = Scratch::new("convert");
    for (name, text) in [
        ("ggf", GGF),
        ("one", "1. f5 d6 2. c3 d3 3. c4\n"),
        ("two", "f5d6c3d3c4\nf5f6e6f4\n"),
    ] {
        std::fs::write(folder.path(name), text).unwrap();
    }
    let show = |reference: &str| folder.emilia(&format!("show {reference}"));
    for [reference, text] in cases(
        "ggf | Ann - Bob, -12 (recorded)
         ggf | moves     f5d6c3
         ggf:1:2 | opening   Perpendicular
         ggf:2:1 | last move d3
         two:2 | moves     f5f6e6f4
         two:2:2 | moves     f5f6
         one:1 | moves     f5d6c3d3c4
         one:1:2 | moves     f5d6",
    ) {
        show(reference).assert_shows(&format!("{text}\n"));
    }
    for [reference, sentence] in cases(
        "ggf:4 | there is no game 4, but 2 in all
         ggf:1:4 | game 1 has 3 moves, not 4
         one:2 | there is no game 2, but 1 in all (FILE:1:2 is the only game after 2 moves)",
    ) {
        show(reference).assert_refused(sentence);
    }
    let run = folder.emilia("perft 1 ggf:1:3");
    assert!(run.stdout.starts_with("perft 1 4 "), "{run:?}");
    emilia(&["show", "-"], b"f5d6\n").assert_shows("last move d6");
}

#[test]
fn options_may_stand_between_the_files() {
    let run = emilia(&["convert", "-", "--to", "txt", "-"], b"1. F5 D6");
    assert_eq!((run.code, &*run.stdout), (Some(0), "f5d6\n"), "{run:?}");
}

#[test]
fn files_and_folders_are_merged_into_one_file() {
    let folder = Scratch::new("convert");
    let at = |name: &str| folder.path(name);
    std::fs::create_dir_all(at("b/c")).unwrap();
    for (name, content) in [
        ("a.txt", "1. f5 d6\n2. c3 d3\n"),
        ("b/2.ggf", GGF),
        ("b/10.txt", "f5\na1\n"),
        ("b/c/x.txt", "f5f4\n"),
        ("b/README", "About these games\n"),
        ("b/.hidden.txt", "f5f6\n"),
    ] {
        std::fs::write(at(name), content).unwrap();
    }
    let (b, out) = (at("b"), at("all.obf"));
    let run = emilia(&["convert", &at("a.txt"), &b, &out], b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    let expected = format!(
        "emilia: '{b}/10.txt': game 2: line 2: 0 of 1 moves read; 1. a1 is not legal\n\
         '{b}/README': skipped: there are no games in it (expected moves, or PGN, GGF, SGF, OBF \
         or a WTHOR file)\n\
         '{out}': 5 games written, from 4 files\n\
         emilia: 1 of 6 games could not be read and were left out\n"
    );
    assert_eq!(run.stderr, expected);
    let lines = std::fs::read_to_string(&out).unwrap();
    let numbers: Vec<&str> = lines.lines().filter(|line| line.starts_with('%')).collect();
    assert_eq!(numbers.concat(), "% game 1% game 2% game 4% game 5% game 6");

    // A file that is skipped in a folder is not an error. A named file without games is an error.
    std::fs::write(at("b/10.txt"), "f5\n").unwrap();
    let run = emilia(&["convert", &b, "-", "--to", "txt"], b"");
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_reports("stdout: 4 games written, from 3 files\n");
}

#[test]
fn a_cut_line_in_the_log_of_a_match_is_one_bad_game() {
    let folder = Scratch::new("convert");
    let player = "builtin:depth=1,eval=simple";
    folder.play(&format!(
        "--first {player} --second {player} --games 2 --out log"
    ));
    let text = std::fs::read_to_string(folder.path("log")).unwrap();
    std::fs::write(folder.path("cut"), &text[..text.len() - 9]).unwrap();
    let run = folder.emilia("convert cut - --to txt");
    assert_eq!(run.code, Some(2));
    run.assert_reports("game 2: line 3: expected a game of a match: ");
    run.assert_reports("1 game written, from 1 file\n");
}

#[test]
fn a_part_of_a_game_is_never_shown_without_a_sentence() {
    let text = "Ann - Bob\n1. f5 d6 2. c3 d3 3. c4 f4 4. a1 e6\n";
    let folder = Scratch::new("convert");
    std::fs::write(folder.path("part.txt"), text).unwrap();
    let sentence = "6 of 8 moves read; 7. a1 is not legal\n";
    for line in [
        "show part.txt",
        "analyze part.txt --depth 1",
        "hint part.txt --depth 1",
        "convert part.txt - --to pgn",
        "games part.txt",
        "games part.txt --json",
    ] {
        let run = folder.emilia(line);
        assert_eq!(run.code, Some(2), "{line}: {run:?}");
        run.assert_reports(sentence);
        assert!(!run.stdout.is_empty(), "{line}");
    }
}

#[test]
fn what_a_format_cannot_keep_is_counted() {
    let sgf = "(;GM[2]PB[Ann]RE[B+R]C[Open];B[f5]C[good](;W[d6])(;W[f6];B[e6]))\n";
    let to = |options: &str| {
        let words = ["convert - - ", options].concat();
        emilia(&words.split(' ').collect::<Vec<_>>(), sgf.as_bytes())
    };
    to("--to pgn")
        .assert_reports("1 game written, from 1 file, without 0 comments and 1 variation\n");
    to("--to ggf").assert_reports("without 2 comments and 1 variation\n");
    let named = to("--to sgf --squares f5");
    named.assert_shows("PL[B]C[Open]\n;B[f5]C[good](;W[d6])(;W[f6];B[e6]))\n");
    assert!(
        named.stderr.ends_with("1 game written, from 1 file\n"),
        "{named:?}"
    );
}
