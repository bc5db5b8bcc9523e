//! End-to-end tests of `emilia play` with piped input.

use std::fs;
use std::path::PathBuf;

use crate::common::run::{Run, emilia};
use crate::common::scratch::embedded_weights;
use emilia_core::board::{Position, Transcript};
use emilia_games::wthor::WthorNames;
use emilia_games::{Collection, Game};

/// Plays a game with a shallow search and piped commands.
fn play(arguments: &[&str], input: &str) -> Run {
    let arguments = [&["play", "--depth", "2"], arguments].concat();
    let run = emilia(&arguments, input.as_bytes());
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

/// Plays a game in which people play both sides.
fn play_both(input: &str) -> Run {
    play(&["--human", "both"], input)
}

/// Asserts that `count` lines of stdout begin with `start`.
fn assert_lines(run: &Run, start: &str, count: usize) {
    assert_eq!(lines(run, start).len(), count, "{start}: {run:?}");
}

/// Returns the lines of stdout that begin with `start`.
fn lines<'a>(run: &'a Run, start: &str) -> Vec<&'a str> {
    let lines = run.stdout.lines();
    lines.filter(|line| line.starts_with(start)).collect()
}

/// Returns the output without the lines that contain times.
fn timeless(run: &Run) -> Vec<&str> {
    let lines = run.stdout.lines();
    lines
        .filter(|line| !line.starts_with("Emilia plays "))
        .collect()
}

/// Returns a path of a file that does not exist yet.
fn fresh_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_engine_replies_and_the_game_can_be_resumed() {
    let run = play(&[], "f5\nquit\nd6\n");
    assert_lines(&run, "Emilia plays ", 1);
    let resume = lines(&run, "To go on: emilia play f5");
    assert_eq!(resume.len(), 1, "{run:?}");
    assert!(
        !run.stdout.contains("black>"),
        "no prompt without a terminal"
    );
    assert!(run.stderr.is_empty(), "{run:?}");

    let transcript = resume[0].split(' ').nth(5).unwrap();
    let again = play(&[transcript], "undo\n");
    assert!(
        again.stdout.ends_with(&play(&[], "").stdout),
        "undo goes back to the start"
    );
}

#[test]
fn the_end_of_input_quits() {
    assert_eq!(
        play(&[], "f5\n").stdout.lines().count(),
        play(&[], "f5\nquit").stdout.lines().count()
    );
    assert_eq!(play(&[], "").stdout.lines().count(), 10);
}

#[test]
fn the_engine_can_play_either_side() {
    assert_eq!(
        lines(&play(&["--human", "white"], ""), "Emilia plays ").len(),
        1
    );
    assert!(lines(&play_both("f5\nf6\n"), "Emilia plays ").is_empty());

    let run = play(&["--human", "none"], "this is never read\n");
    let transcript = lines(&run, "Transcript: ")[0].trim_start_matches("Transcript: ");
    let game = Transcript::parse(transcript, Position::START).unwrap();
    assert!(game.end().is_over());
    let result = format!("Game over: {}.", emilia_view::outcome(&game.end()));
    assert_eq!(lines(&run, "Game over"), [result]);
}

#[test]
fn a_game_without_limits_is_played() {
    // One empty square: solved at once.
    let position = format!("{}O-", "X".repeat(62));
    let run = emilia(&["play", "--human", "white", &position], b"");
    assert_lines(&run, "Emilia plays h8: +64.00", 1);
    assert_lines(&run, "Game over: black wins 64-0.", 1);
}

#[test]
fn forced_passes_are_played_and_undone_automatically() {
    let pass = format!("OX{} X", "-".repeat(62));
    let run = play(&["--human", "white", &pass], "c1\nc2\nundo\nundo\n");
    assert!(
        run.stdout
            .starts_with("black has no legal move and passes.\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("Game over: white wins 64-0"), "{run:?}");
    assert_eq!(
        run.stderr,
        "The game is over; undo goes back, new begins again.\nThere is nothing to take back.\n"
    );
}

#[test]
fn invalid_input_is_refused_and_changes_nothing() {
    let f5 = play(&[], "F5\n");
    for (line, sentence) in [
        ("a1", "a1 is not legal for black; legal moves: d3 c4 f5 e6."),
        (
            "pass",
            "pass is not legal for black; legal moves: d3 c4 f5 e6.",
        ),
        (
            "i9",
            "'i9' is neither a move nor a command; help lists the commands.",
        ),
        (
            "undo now",
            "'undo now' is neither a move nor a command; help lists the commands.",
        ),
        (
            "\u{1b}[15~",
            "'\\u{1b}[15~' is neither a move nor a command; help lists the commands.",
        ),
        ("f5d6", "'f5d6' is several moves; type one move at a time."),
        (
            "F5 D6",
            "'F5 D6' is several moves; type one move at a time.",
        ),
        ("undo", "There is nothing to take back."),
        ("hint 0", "hint '0': expected a number of moves, 1 to 64."),
        ("hint me", "hint 'me': expected a number of moves, 1 to 64."),
        ("save", "save needs a file name, like save game.txt."),
        ("load", "load needs a file name, like load game.sgf."),
        ("load /no/such.sgf", "load '/no/such.sgf': no such file."),
        (
            "load /dev/zero",
            "load '/dev/zero': it is larger than the 64 MiB that are read.",
        ),
        (
            "save game.pgn",
            "save 'game.pgn': no game format has the ending .pgn (expected .sgf, .ggf, or .txt \
             for a transcript).",
        ),
    ] {
        let run = play(&[], &format!("{line}\nF5\n"));
        assert_eq!(run.stderr, format!("{sentence}\n"));
        assert_eq!(timeless(&run), timeless(&f5), "{line}");
    }
    let run = emilia(&["play", "--depth", "2"], b"\xFF\0\xFE\nf5\n");
    assert_eq!(
        (run.code, run.stderr.lines().count()),
        (Some(0), 1),
        "{run:?}"
    );
    assert_lines(&run, "Emilia plays ", 1);
}

#[test]
fn hints_and_evaluations_change_nothing() {
    let run = play_both("hint\nhint 1\neval\nboard\nhelp\nHINT 64\n");
    assert_lines(&run, "move  discs for black", 3);
    let hints = ["c4", "d3", "e6", "f5"].map(|mv| lines(&run, &format!("{mv}  ")).len());
    // Hints of three moves, one move and all four moves, and a line of help that begins with f5.
    assert_eq!(hints.iter().sum::<usize>(), 3 + 1 + 4 + 1, "{run:?}");
    assert_lines(&run, "Static evaluation (net): ", 1);
    assert_lines(&run, "     a b c", 2);
    assert!(lines(&run, "To go on").is_empty());
}

#[test]
fn games_are_saved_as_transcripts_and_overwrite_no_other_file() {
    let game = fresh_file("saved game.txt");
    let name = game.display();
    let run = play_both(&format!(
        "f5\nd6\nsave {name}\nc3\nsave {name}\nnew\nsave {name}\n"
    ));
    assert_lines(&run, "Saved as ", 2);
    assert_eq!(
        run.stderr.lines().count(),
        1,
        "a new game may not replace it: {run:?}"
    );
    assert_eq!(fs::read_to_string(&game).unwrap(), "f5d6c3\n");
}

#[test]
fn a_game_from_any_position_is_saved_in_every_format() {
    let start = format!("OX{} O", "-".repeat(62));
    for ending in ["sgf", "ggf", "txt"] {
        let file = fresh_file(&format!("game.{ending}"));
        let run = play(
            &["--human", "both", &start],
            &format!("c1\nsave {}\n", file.display()),
        );
        assert_eq!(run.stderr, "", "{run:?}");
        let read = Collection::read(&fs::read(&file).unwrap(), &WthorNames::default());
        let [Ok(game)] = &read.unwrap().games[..] else {
            panic!("{run:?}");
        };
        assert_eq!(Ok(game.start()), start.parse());
        assert_eq!(game.transcript().to_string(), "c1");
    }
}

#[test]
fn bad_arguments_end_with_exit_code_2() {
    for arguments in [
        &["play", "--human", "red"][..],
        &["play", "--depth", "0"],
        &["play", "--time", "-1"],
        &["play", "f5d6a1"],
    ] {
        let run = emilia(arguments, b"");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty());
    }
}

#[test]
fn saved_games_of_every_format_can_be_loaded() {
    for ending in ["sgf", "ggf", "txt"] {
        let file = fresh_file(&format!("loaded.{ending}"));
        let run = play_both(&format!("f5\nd6\nc3\nsave {}\n", file.display()));
        assert_eq!(run.stderr, "");
        // It is Black's turn again, and the file may be overwritten.
        let name = file.display();
        let run = play_both(&format!("load {name}\nd3\nsave {name}\nundo\nundo\n"));
        assert_eq!(run.stderr, "", "{run:?}");
        assert_lines(&run, "To go on: emilia play f5d6", 1);
        let run = play_both(&format!("load {name}\n"));
        assert_lines(&run, "To go on: emilia play f5d6c3d3", 1);
    }
    for (text, sentence) in [
        (
            "",
            "there are no games in it (expected transcripts, GGF, SGF, OBF or a WTHOR file).",
        ),
        (
            "f5d6a1",
            "game 1: line 1, column 5, move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 c7).",
        ),
        (
            "(;GM[2]B[fe];W[\x1b[2J])",
            "this is no file of games: byte 15 is 0x1b (expected text, or a WTHOR file).",
        ),
        (
            "(;GM[Othello]BO[8])",
            "game 1: line 1, column 14: BO[8]: expected 8, then 64 squares and the side to move.",
        ),
    ] {
        let file = fresh_file("bad.game");
        fs::write(&file, text).unwrap();
        let run = play_both(&format!("f5\nload {}\n", file.display()));
        let start = format!("load '{}': {sentence}", file.display());
        assert!(run.stderr.starts_with(&start), "{run:?}");
        assert_lines(&run, "To go on: emilia play f5", 1);
    }
}

#[test]
fn saved_games_have_players_date_result_and_evaluations() {
    // Two empty squares, both for Black.
    let position = format!("{}XXO-O-", "X".repeat(58));
    for (ending, read) in [
        ("sgf", Game::from_sgf as fn(&str) -> _),
        ("ggf", Game::from_ggf),
    ] {
        let file = fresh_file(&format!("complete.{ending}"));
        let run = play(
            &["--human", "black", &position, "X"],
            &format!("f8\nh8\nsave {}\n", file.display()),
        );
        assert_eq!(run.stderr, "", "{run:?}");
        let game = read(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(game.tags.black, "human");
        assert!(game.tags.white.starts_with("Emilia "), "{:?}", game.tags);
        assert_eq!(game.tags.date.len(), "2026-11-21".len());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("RE[") && !text.contains("RE[?]"), "{text}");
    }
    let file = fresh_file("thoughts.sgf");
    let run = play(
        &["--human", "black"],
        &format!("f5\nsave {}\n", file.display()),
    );
    let announced = lines(&run, "Emilia plays ")[0];
    let value: f64 = announced.split(' ').nth(3).unwrap().parse().unwrap();
    let game = Game::from_sgf(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(game.moves()[0].eval, None);
    assert!(
        (game.moves()[1].eval.unwrap() - value).abs() < 0.011,
        "{announced}"
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_old_file() {
    let file = fresh_file("large.sgf");
    let text = format!("(;GM[2]PB[{}];B[fe];W[fd])", "A".repeat(10_000));
    fs::write(&file, &text).unwrap();
    // The file size limit is far below the size of this game.
    let script =
        r#"trap '' XFSZ; ulimit -f 1; printf "load $1\nd3\nsave $1\n" | "$0" play --human both"#;
    let output = std::process::Command::new("sh")
        .args([
            "-c",
            script,
            env!("CARGO_BIN_EXE_emilia"),
            file.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    let start = format!("save '{}': ", file.display());
    assert!(complaint.contains(&start), "{complaint}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn an_endless_line_is_refused() {
    let run = emilia(&["play"], &vec![b'x'; 1 << 17]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.stderr,
        "emilia: stdin: a line of 65536 bytes and more\n"
    );
}

#[test]
fn undone_moves_can_be_redone() {
    let typed =
        "f5\nd6\nc3\nd3\nback 3\nforward\nredo\nforward 9\nforward\nback\nc4\nredo\nback 0\n";
    let run = play_both(typed);
    for (text, count) in [
        ("Move 1 of 4.", 1),
        ("Move 2 of 4.", 1),
        ("Move 4 of 4.", 1),
        ("Move 3 of 4.", 1),
        ("To go on: emilia play f5d6c3", 1),
    ] {
        assert_lines(&run, text, count);
    }
    // A new move replaces the moves taken back.
    let complaints = "This is the last move of the game.\n\
                      c4 is not legal for white; legal moves: d3 f3 f4 g5.\n\
                      back '0': expected a number of moves, 1 to 120.\n";
    assert_eq!(run.stderr, complaints, "{run:?}");
}

#[test]
fn the_engine_moves_for_either_side() {
    let run = play_both("go\ngo\nundo\n");
    assert_lines(&run, "Emilia plays ", 2);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_printed_command_resumes_the_game_exactly() {
    let weights = embedded_weights("net");
    let odd = fresh_file("it's a net.bin");
    fs::copy(weights, &odd).unwrap();
    let odd = odd.to_str().unwrap();
    for (arguments, input, expected) in [
        (
            &["--level", "h5", "--seed", "7"][..],
            "f5\n",
            "--level h5 --seed 7",
        ),
        (
            &["--level", "4"],
            "f5\nlevel casual\nside both\n",
            "--human both --level h5",
        ),
        (
            &["--level", "4", "--human", "white"],
            "",
            "--human white --level 4",
        ),
        (
            &["--depth", "3", "--exact", "9"],
            "f5\n",
            "--depth 3 --exact 9",
        ),
        (
            &["--time", "0.05", "--nodes", "900"],
            "f5\n",
            "--time 0.05 --nodes 900",
        ),
        (&["--depth", "2"], "f5\nlevel best\n", ""),
        (
            &[
                "--depth",
                "2",
                "--hash",
                "3",
                "--threads",
                "2",
                "--eval",
                "classic",
            ],
            "f5\n",
            "--depth 2 --hash 3 --threads 2 --eval classic",
        ),
        (
            &["--depth", "2", "--selectivity", "95", "--weights", odd],
            "f5\n",
            &format!(
                "--depth 2 --weights '{}' --selectivity 95",
                odd.replace('\'', r"'\''")
            ),
        ),
    ] {
        let run = emilia(&[&["play"], arguments].concat(), input.as_bytes());
        let [line] = lines(&run, "To go on: emilia play ")[..] else {
            panic!("{arguments:?}: {run:?}");
        };
        let (moves, options) = line["To go on: emilia play ".len()..]
            .split_once(' ')
            .unwrap_or((&line["To go on: emilia play ".len()..], ""));
        assert_eq!(options, expected, "{run:?}");
        // A shell parses the command to the same arguments, and so does `emilia`.
        let script = format!(
            "{} </dev/null",
            line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1)
        );
        let again = shell(&script);
        assert_eq!(lines(&again, "To go on: "), [line], "{moves}: {again:?}");
    }
    // A game from a position continues from that position.
    let start = format!("OX{} X", "-".repeat(62));
    let run = play(&["--human", "both", &start], "c1\n");
    assert_lines(&run, "To go on", 0);
    let start = "---------------------------OX------XO--------------------------- X";
    let run = play(&["--human", "both", start], "d3\n");
    assert_lines(&run, "To go on: emilia play d3", 1);
    let start = "-------------------O-------OX------XO--------------------------- X";
    let run = play(&["--human", "both", start], "d2\n");
    let line = lines(&run, "To go on: emilia play '")[0];
    let script = line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1) + " </dev/null";
    assert_eq!(shell(&script).code, Some(0), "{line}");
}

/// Runs a shell script. `$0` is the binary.
fn shell(script: &str) -> Run {
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_emilia")])
        .output()
        .unwrap();
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn level_side_and_moves_act_on_the_running_game() {
    let run = play(
        &[],
        "moves\nlevel\nlevel h3\nlevel\nlevel strong\nlevel 7\nlevel x\nside x\nf5\nside \
         white\nmoves\nside\n",
    );
    for start in [
        "There are no moves yet.",
        "Emilia plays within the limits given; level changes that.",
        "From now on Emilia plays at level h3: an occasional player.",
        "Emilia plays at level h3: an occasional player. To change that: level (beginner to best,",
        "From now on Emilia plays at level h11: between average and strong.",
        "You play white.",
        "f5",
    ] {
        assert_lines(&run, start, 1);
    }
    // Emilia moved for both sides: its answer to f5, and Black's move.
    assert_eq!(lines(&run, "Emilia plays ").len() - 2, 2, "{run:?}");
    let complaints = "level 'x': expected beginner, casual, club, strong or best, or a level from \
                      1 to 60, or h1 to h14 for those of people.\n\
                      side 'x': expected black, white, both or none, the sides that you play.\n\
                      side '': expected black, white, both or none, the sides that you play.\n";
    assert_eq!(run.stderr, complaints);
}

#[test]
fn hints_and_evaluations_name_the_side_they_favour() {
    // Black has all discs but one, and it is Black's turn.
    let start = format!("XXXXO{} X", "-".repeat(59));
    let run = play(&["--human", "both", &start], "hint\neval\n");
    assert_lines(&run, "+64.00: black is ahead.", 1);
    let eval = lines(&run, "Static evaluation (net): ")[0];
    assert!(eval.contains(" discs for black: "), "{eval}");
    assert!(
        eval.ends_with("is ahead.") || eval.ends_with("are even."),
        "{eval}"
    );
}

#[test]
fn a_resigned_game_is_lost_until_it_continues() {
    let file = fresh_file("resigned.sgf");
    let name = file.display();
    let run = play(&[], &format!("f5\nresign\nsave {name}\n"));
    assert_lines(&run, "Game over: black resigns, white wins.", 1);
    assert_lines(&run, "To go on", 0);
    assert!(
        fs::read_to_string(&file).unwrap().contains("RE[W+64]"),
        "{run:?}"
    );
    let run = play(&[], "f5\nresign\nundo\nf5\n");
    assert_lines(&run, "To go on", 1);
}

#[test]
fn a_game_continued_from_a_file_keeps_its_players_and_date_and_drops_its_result() {
    for ending in ["sgf", "ggf"] {
        let old = fresh_file(&format!("old.{ending}"));
        let text = if ending == "sgf" {
            "(;GM[2]PB[Ann]PW[Bob]DT[1999-01-02]RE[B+12];B[fe];W[fd];B[cc])"
        } else {
            "(;GM[Othello]PC[x]DT[1999-01-02]PB[Ann]PW[Bob]RE[+12.000]TI[5:00]TY[8]\
             BO[8 ---------------------------O*------*O--------------------------- *]\
             B[F5]W[D6]B[C3];)"
        };
        fs::write(&old, text).unwrap();
        let new = fresh_file(&format!("new.{ending}"));
        let from = format!("{}:2", old.display());
        let run = play(
            &["--human", "both", &from],
            &format!("c3\nsave {}\n", new.display()),
        );
        assert_eq!(run.stderr, "", "{run:?}");
        let saved = lines(&run, "Saved as ")[0];
        let said = ": Ann (black), Bob (white), 1999-01-02, 3 moves, not finished.";
        assert!(saved.ends_with(said), "{saved}");
        let text = fs::read_to_string(&new).unwrap();
        assert!(!text.contains("+12"), "{text}");
    }
}

#[test]
fn a_file_with_a_part_of_the_game_is_named_on_leaving() {
    let file = fresh_file("part.sgf");
    let name = file.display();
    let human = ["--human", "both"];
    let run = play(&human, &format!("f5\nd6\nsave {name}\nc3\nresign\n"));
    let sentence = format!("{name} has 2 of the 3 moves.");
    assert_lines(&run, &sentence, 1);
    let run = play(&human, &format!("load {name}\nc3\nsave {name}\nundo\n"));
    assert!(!run.stdout.contains(" of the "), "{run:?}");
}

#[test]
fn an_unsaved_game_can_be_resumed_after_load_and_new() {
    let file = fresh_file("other.txt");
    let name = file.display();
    let run = play_both(&format!(
        "f5\nnew\nf5\nd6\nsave {name}\nnew\nf5\nf6\nload {name}\nc3\nd3\nload {name}\n"
    ));
    let moves: Vec<&str> = lines(&run, "To go on: emilia play ")
        .iter()
        .map(|line| line.split(' ').nth(5).unwrap())
        .collect();
    assert_eq!(moves, ["f5", "f5f6", "f5d6c3d3", "f5d6"], "{run:?}");
}

#[test]
fn a_saved_game_continues_with_its_side_and_level() {
    for ending in ["sgf", "ggf"] {
        let file = fresh_file(&format!("side.{ending}"));
        let name = file.to_str().unwrap();
        let options = ["play", "--human", "white", "--level", "h5"];
        let run = emilia(&options, format!("save {name}\n").as_bytes());
        let signature = format!(
            "Emilia {} h5 (black), human (white)",
            env!("CARGO_PKG_VERSION")
        );
        assert!(lines(&run, "Saved as ")[0].contains(&signature), "{run:?}");
        for (options, side, level) in [
            (&[][..], " --human white", " --level h5"),
            (&["--human", "both"], " --human both", " --level h5"),
            (&["--level", "2"], " --human white", " --level 2"),
            (&["--depth", "3"], " --human white", " --depth 3"),
        ] {
            let run = emilia(&[&["play", name], options].concat(), b"level\n");
            let line = lines(&run, "To go on: ")[0];
            assert!(line.ends_with(&format!("{side}{level}")), "{line}");
            assert_lines(&run, "Emilia plays ", 1);
        }
        // A new level changes the name of Emilia in the file.
        let new = fresh_file(&format!("level.{ending}"));
        let input = format!("level h7\nsave {}\n", new.display());
        let run = emilia(&["play", name], input.as_bytes());
        assert!(
            lines(&run, "Saved as ")[0].contains(" h7 (black), human (white)"),
            "{run:?}"
        );
    }
}

#[test]
fn load_states_the_number_of_games_of_a_file() {
    let file = fresh_file("several.sgf");
    fs::write(&file, "(;GM[2];B[fe])\n(;GM[2];B[fe];W[fd])\n").unwrap();
    let name = file.display();
    let run = play_both(&format!("load {name}\nload {name}:2\n"));
    for number in [1, 2] {
        let sentence = format!("Game {number} of 2; load FILE:N for another.");
        assert_lines(&run, &sentence, 1);
    }
}
