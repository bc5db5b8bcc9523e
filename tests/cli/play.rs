//! End-to-end tests of `emilia play` with piped input.

use std::fs;
use std::path::PathBuf;

use crate::common::run::{Run, emilia, run};
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
            "i9",
            "'i9' is neither a move nor a command; help lists the commands.",
        ),
        (
            "\u{1b}[15~",
            "'\\u{1b}[15~' is neither a move nor a command; help lists the commands.",
        ),
        (
            "f5d6",
            "'f5d6' is neither a move nor a command; help lists the commands.",
        ),
        ("undo", "There is nothing to take back."),
        ("hint 0", "hint '0': expected a number of moves, 1 to 64."),
        ("save", "save '': expected a file name, like game.sgf."),
        (
            "load /no/such.sgf",
            "load '/no/such.sgf': No such file or directory (os error 2).",
        ),
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

#[test]
fn undone_moves_can_be_redone() {
    let typed = "f5\nd6\nc3\nundo\nundo\nredo\nredo\nredo\nundo\nc4\nundo\nc3\nredo\n";
    let run = play_both(typed);
    assert_lines(&run, "To go on: emilia play f5c3", 0);
    assert_lines(&run, "To go on: emilia play f5d6c3", 1);
    // A new move replaces the moves taken back.
    let complaints = "There is nothing to make again.\nThere is nothing to make again.\n";
    assert_eq!(run.stderr, complaints, "{run:?}");
}

#[test]
fn the_printed_command_resumes_the_game() {
    for (arguments, input, expected) in [
        (&["--level", "h5"][..], "f5\n", "--level h5"),
        (
            &["--level", "4"],
            "f5\nlevel casual\nside both\n",
            "--human both --level h5",
        ),
        (&["--depth", "2"], "f5\nlevel best\n", ""),
    ] {
        let run = emilia(&[&["play"], arguments].concat(), input.as_bytes());
        let [line] = lines(&run, "To go on: emilia play ")[..] else {
            panic!("{arguments:?}: {run:?}");
        };
        let mut words = line.splitn(7, ' ');
        assert_eq!(words.nth(6).unwrap_or_default(), expected, "{run:?}");
        // A shell parses the command to the same arguments, and so does `emilia`.
        let script = format!(
            "{} </dev/null",
            line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1)
        );
        let again = shell(&script);
        assert_eq!(lines(&again, "To go on: "), [line], "{again:?}");
    }
    // A game from a position continues from that position.
    let start = "-------------------O-------OX------XO--------------------------- X";
    let run = play(&["--human", "both", start], "d2\n");
    let line = lines(&run, "To go on: emilia play '")[0];
    let script = line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1) + " </dev/null";
    assert_eq!(shell(&script).code, Some(0), "{line}");
}

/// Runs a shell script. `$0` is the binary.
fn shell(script: &str) -> Run {
    let mut command = std::process::Command::new("sh");
    run(
        command.args(["-c", script, env!("CARGO_BIN_EXE_emilia")]),
        b"",
    )
}

#[test]
fn level_and_side_act_on_the_running_game() {
    let run = play(
        &[],
        "level\nlevel h3\nlevel\nlevel strong\nlevel 7\nlevel x\nside x\nf5\nside white\nside\n",
    );
    assert_lines(&run, "You play white.", 1);
    // Emilia moved for both sides: its answer to f5, and Black's move.
    assert_eq!(lines(&run, "Emilia plays ").len() - 2, 2, "{run:?}");
    let complaints = "level 'x': expected beginner, casual, club, strong or best, or a level from \
                      1 to 60, or h1 to h14 for those of people.\n\
                      side 'x': expected black, white, both or none, the sides that you play.\n\
                      side '': expected black, white, both or none, the sides that you play.\n";
    assert_eq!(run.stderr, complaints);
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
        let input = format!("c3\nsave {}\n", new.display());
        let run = play(
            &["--human", "both", &format!("{}:2", old.display())],
            &input,
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
fn a_game_can_be_resumed_after_load_and_new() {
    let file = fresh_file("other.txt");
    let name = file.display();
    let run = play_both(&format!(
        "f5\nnew\nf5\nd6\nsave {name}\nnew\nf5\nf6\nload {name}\nc3\nd3\nload {name}\n"
    ));
    let moves: Vec<&str> = lines(&run, "To go on: emilia play ")
        .iter()
        .map(|line| line.split(' ').nth(5).unwrap())
        .collect();
    assert_eq!(moves, ["f5", "f5d6", "f5f6", "f5d6c3d3", "f5d6"], "{run:?}");
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
            (&["--depth", "3"], " --human white", ""),
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
