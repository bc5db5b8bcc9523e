//! End-to-end tests of `emilia play` with piped input.

use std::fs;

use crate::common::run::{Run, cases, emilia, run as common_run};
use crate::common::scratch::embedded_weights;
use emilia_core::board::Position;
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
#[track_caller]
fn assert_lines(run: &Run, start: &str, count: usize) {
    assert_eq!(lines(run, start).len(), count, "{start}: {run:?}");
}

/// Returns the lines of stdout that begin with `start`.
fn lines<'a>(run: &'a Run, start: &str) -> Vec<&'a str> {
    let lines = run.stdout.lines();
    lines.filter(|line| line.starts_with(start)).collect()
}

/// Returns a path of a file that does not exist yet.
fn fresh_file(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_engine_replies_and_the_game_can_be_resumed() {
    let run = play(&[], "f5\nquit\nd6\n");
    run.assert_done();
    assert_lines(&run, "Emilia plays ", 1);
    assert!(
        !run.stdout.contains("black>"),
        "no prompt without a terminal"
    );
    let resume = lines(&run, "To go on: emilia play f5")[0];
    let transcript = resume.split(' ').nth(5).unwrap();
    let again = play(&[transcript], "undo\n");
    assert!(
        again.stdout.ends_with(&play(&[], "").stdout),
        "undo goes back to the start"
    );
}

#[test]
fn the_engine_can_play_either_side() {
    assert_lines(&play(&["--human", "white"], ""), "Emilia plays ", 1);
    assert_lines(&play_both("f5\nf6\n"), "Emilia plays ", 0);
    let run = play(&["--human", "none"], "this is never read\n");
    let transcript = lines(&run, "Transcript: ")[0].trim_start_matches("Transcript: ");
    let end: Position = transcript.parse().unwrap();
    let result = format!("Game over: {}.", emilia_view::outcome(&end));
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
    for [line, sentence] in cases(
        "a1 | a1 is not legal for black; legal moves: d3 c4 f5 e6.
         i9 | 'i9' is neither a move nor a command; help lists the commands.
         \u{1b}[15~ | '\\u{1b}[15~' is neither a move nor a command; help lists the commands.
         f5d6 | 'f5d6' is several moves; type one move at a time.
         undo | There is nothing to take back.
         hint 0 | hint '0': expected a number of moves, 1 to 64.
         level x | level 'x': expected beginner, casual, club, strong or best, or a level from 1 to \
60, or h1 to h14 for those of people.
         side x | side 'x': expected black, white, both or none, the sides that you play.
         side | side '': expected black, white, both or none, the sides that you play.
         save | save needs a file name, like save game.txt.
         load /no/such.sgf | load '/no/such.sgf': no such file.
         load /dev/zero | load '/dev/zero': it is larger than the 64 MiB that are read.
         save game.pgn | save 'game.pgn': no game format has the ending .pgn (expected .sgf, .ggf, \
or .txt for a transcript).",
    ) {
        let run = play(&["--human", "both"], &format!("{line}\nF5\n"));
        assert_eq!(run.stderr, format!("{sentence}\n"));
        assert_lines(&run, "To go on: emilia play f5 ", 1);
    }
}

#[test]
fn games_are_saved_as_transcripts_and_overwrite_no_other_file() {
    let game = fresh_file("saved game.txt");
    let run = play_both(&format!(
        "f5\nd6\nsave {game}\nc3\nsave {game}\nnew\nsave {game}\n"
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
        let run = play(&["--human", "both", &start], &format!("c1\nsave {file}\n"));
        run.assert_done();
        let read = Collection::read(&fs::read(&file).unwrap(), &WthorNames::default());
        let game = read.unwrap().games.remove(0).unwrap();
        assert_eq!(Ok(game.start()), start.parse());
        assert_eq!(game.transcript().to_string(), "c1");
    }
}

#[test]
fn saved_games_of_every_format_can_be_loaded() {
    for ending in ["sgf", "ggf", "txt"] {
        let file = fresh_file(&format!("loaded.{ending}"));
        play_both(&format!("f5\nd6\nc3\nsave {file}\n")).assert_done();
        // It is Black's turn again, and the file may be overwritten.
        let run = play_both(&format!("load {file}\nd3\nsave {file}\nundo\nundo\n"));
        run.assert_done();
        assert_lines(&run, "To go on: emilia play f5d6", 1);
        let run = play_both(&format!("load {file}\n"));
        assert_lines(&run, "To go on: emilia play f5d6c3d3", 1);
    }
}

#[test]
fn saved_games_have_players_date_result_and_evaluations() {
    // Two empty squares, both for Black.
    let position = format!("{}XXO-O- X", "X".repeat(58));
    for (ending, read) in [
        ("sgf", Game::from_sgf as fn(&str) -> _),
        ("ggf", Game::from_ggf),
    ] {
        let file = fresh_file(&format!("complete.{ending}"));
        play(
            &["--human=black", &position],
            &format!("f8\nh8\nsave {file}\n"),
        )
        .assert_done();
        let text = fs::read_to_string(&file).unwrap();
        let game = read(&text).unwrap();
        assert_eq!(game.tags.black, "human");
        assert!(game.tags.white.starts_with("Emilia "), "{:?}", game.tags);
        assert_eq!(game.tags.date.len(), "2026-11-21".len());
        assert!(text.contains("RE[") && !text.contains("RE[?]"), "{text}");
    }
    let file = fresh_file("thoughts.sgf");
    let run = play(&["--human", "black"], &format!("f5\nsave {file}\n"));
    let announced = lines(&run, "Emilia plays ")[0];
    let value: f64 = announced.split(' ').nth(3).unwrap().parse().unwrap();
    let game = Game::from_sgf(&fs::read_to_string(&file).unwrap()).unwrap();
    let evals = game.moves().iter().map(|played| played.eval);
    let [None, Some(eval)] = evals.collect::<Vec<_>>()[..] else {
        panic!("{game:?}");
    };
    assert!((eval - value).abs() < 0.011, "{announced}");
}

#[test]
fn undone_moves_can_be_redone() {
    let typed =
        "f5\nd6\nc3\nd3\nback 3\nforward\nredo\nforward 9\nforward\nback\nc4\nredo\nback 0\n";
    let run = play_both(typed);
    for place in 1..=4 {
        assert_lines(&run, &format!("Move {place} of 4."), 1);
    }
    assert_lines(&run, "To go on: emilia play f5d6c3", 1);
    // A new move replaces the moves taken back.
    let complaints = "This is the last move of the game.\n\
                      c4 is not legal for white; legal moves: d3 f3 f4 g5.\n\
                      back '0': expected a number of moves, 1 to 120.\n";
    assert_eq!(run.stderr, complaints, "{run:?}");
}

#[test]
fn the_printed_command_resumes_the_game_exactly() {
    let odd = fresh_file("it's a net.bin");
    fs::copy(embedded_weights("net"), &odd).unwrap();
    let quoted = odd.replace('\'', r"'\''");
    let start = "-------------------O-------OX------XO--------------------------- X";
    for (arguments, input, expected) in [
        ("--level|h5|--seed|7", "f5\n", "f5* --level h5 --seed 7"),
        (
            "--level|4",
            "f5\nlevel casual\nside both\n",
            "f5* --human both --level h5",
        ),
        ("--depth|2", "f5\nlevel best\n", "f5*"),
        (
            &format!("--depth|2|--selectivity|95|--weights|{odd}"),
            "f5\n",
            &format!("f5* --depth 2 --weights '{quoted}' --selectivity 95"),
        ),
        // A game from a position continues from that position.
        (&format!("--human|both|{start}"), "d2\n", "'*' --human both"),
    ] {
        let arguments: Vec<&str> = ["play"].into_iter().chain(arguments.split('|')).collect();
        let run = emilia(&arguments, input.as_bytes());
        let line = lines(&run, "To go on: emilia play ")[0];
        let (first, last) = expected.split_once('*').unwrap();
        assert!(line.contains(first) && line.ends_with(last), "{run:?}");
        // A shell parses the command to the same arguments, and so does `emilia`.
        let script = line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1) + " </dev/null";
        let mut shell = std::process::Command::new("sh");
        let again = common_run(
            shell.args(["-c", &script, env!("CARGO_BIN_EXE_emilia")]),
            b"",
        );
        // A game without moves, which the position begins, is not worth a command.
        let expected = [line].into_iter().filter(|_| first != "'");
        let shown = lines(&again, "To go on: ");
        assert_eq!((again.code, shown), (Some(0), expected.collect()));
    }
}

#[test]
fn level_side_and_moves_act_on_the_running_game() {
    let run = play(
        &[],
        "moves\nlevel\nlevel h3\nlevel\nlevel strong\nlevel 7\nf5\nside white\nmoves\n",
    );
    run.assert_done();
    assert_lines(&run, "You play white.", 1);
    // Emilia moved for both sides: its answer to f5, and Black's move.
    assert_eq!(lines(&run, "Emilia plays ").len() - 2, 2, "{run:?}");
}

#[test]
fn a_resigned_game_is_lost_until_it_continues() {
    let file = fresh_file("resigned.sgf");
    let run = play(&[], &format!("f5\nresign\nsave {file}\n"));
    assert_lines(&run, "Game over: black resigns, white wins.", 1);
    assert_lines(&run, "To go on", 0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("RE[W+64]"), "{text}");
    assert_lines(&play(&[], "f5\nresign\nundo\nf5\n"), "To go on", 1);
}

#[test]
fn a_game_continued_from_a_file_keeps_its_players_and_date_and_drops_its_result() {
    for (ending, text) in [
        (
            "sgf",
            "(;GM[2]PB[Ann]PW[Bob]DT[1999-01-02]RE[B+12];B[fe];W[fd];B[cc])",
        ),
        (
            "ggf",
            "(;GM[Othello]PC[x]DT[1999-01-02]PB[Ann]PW[Bob]RE[+12.000]TI[5:00]TY[8]\
             B[F5]W[D6]B[C3];)",
        ),
    ] {
        let old = fresh_file(&format!("old.{ending}"));
        fs::write(&old, text).unwrap();
        let new = fresh_file(&format!("new.{ending}"));
        let run = play(
            &["--human", "both", &format!("{old}:2")],
            &format!("c3\nsave {new}\n"),
        );
        run.assert_done();
        let said = ": Ann (black), Bob (white), 1999-01-02, 3 moves, not finished.\n";
        run.assert_shows(said);
        let text = fs::read_to_string(&new).unwrap();
        assert!(!text.contains("+12"), "{text}");
    }
}

#[test]
fn an_unsaved_game_can_be_resumed_after_load_and_new() {
    let file = fresh_file("other.txt");
    let run = play_both(&format!(
        "f5\nnew\nf5\nd6\nsave {file}\nnew\nf5\nf6\nload {file}\nc3\nd3\nload {file}\n"
    ));
    let lines = lines(&run, "To go on: emilia play ").into_iter();
    let moves: Vec<&str> = lines.map(|line| line.split(' ').nth(5).unwrap()).collect();
    assert_eq!(moves, ["f5", "f5f6", "f5d6c3d3", "f5d6"], "{run:?}");
}

#[test]
fn a_saved_game_continues_with_its_side_and_level() {
    for ending in ["sgf", "ggf"] {
        let name = &*fresh_file(&format!("side.{ending}"));
        let options = ["play", "--human", "white", "--level", "h5"];
        let run = emilia(&options, format!("save {name}\n").as_bytes());
        let version = env!("CARGO_PKG_VERSION");
        run.assert_shows(&format!("Emilia {version} h5 (black), human (white)"));
        for (options, expected) in [
            ("", " --human white --level h5"),
            ("--human=both", " --human both --level h5"),
            ("--level=2", " --human white --level 2"),
            ("--depth=3", " --human white --depth 3"),
        ] {
            let words = ["play", name].into_iter().chain(options.split_whitespace());
            let run = emilia(&words.collect::<Vec<_>>(), b"level\n");
            let line = lines(&run, "To go on: ")[0];
            assert!(line.ends_with(expected), "{line}");
            assert_lines(&run, "Emilia plays ", 1);
        }
        // A new level changes the name of Emilia in the file.
        let new = fresh_file(&format!("level.{ending}"));
        let run = emilia(
            &["play", name],
            format!("level h7\nsave {new}\n").as_bytes(),
        );
        run.assert_shows(" h7 (black), human (white)");
    }
}
