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
fn a_game_between_levels_ends_with_its_result() {
    let run = play(&["--human", "none"], "this is never read\n");
    let transcript = lines(&run, "Transcript: ")[0].trim_start_matches("Transcript: ");
    let end: Position = transcript.parse().unwrap();
    let result = format!("Game over: {}.", emilia_view::outcome(&end));
    assert_eq!(lines(&run, "Game over"), [result]);
}

#[test]
fn commands_act_on_the_running_game() {
    let file = fresh_file("other.txt");
    let pass = format!("OX{}", "-".repeat(62));
    // Options, commands, and pieces of the output with the number of times that they are there.
    for [options, commands, expected] in cases(&format!(
        "--human=white | moves | Emilia plays *1
         --human=both | f5;f6 | Emilia plays *0, play f5f6 *1
         --human=black | level h3;level strong;level 7;f5;side white | You play white.*1, at level*3, Emilia plays *5
         --human=white {pass} X | c1 | black has no legal move and passes.*1, over: white wins 64-0*1
         --human=white {pass} X | c1;undo | -- O' --human white*1
         --human=both | f5;d6;c3;d3;back 3;forward;redo;forward 9 | Move 1 of 4.*1, Move 2 of 4.*1, of 4.*3, play f5d6c3d3 *1
         --human=both | f5;d6;back 2;d3;c3 | play d3c3 *1
         --human=black | f5;resign | over: black resigns*1, To go on*0
         --human=black | f5;resign;undo;f5 | To go on*1
         --human=both | f5;new;f5;d6;save {file};new;f5;f6;load {file};c3;d3;load {file} | play f5 *1, \
play f5f6 *1, play f5d6c3d3 *1, play f5d6 *1",
    )) {
        let options: Vec<&str> = options.split(' ').collect();
        let run = play(&options, &(commands.replace(';', "\n") + "\n"));
        run.assert_done();
        for piece in expected.split(", ") {
            let (text, count) = piece.split_once('*').unwrap();
            let found = run.stdout.matches(text).count();
            assert_eq!(found.to_string(), count, "{text}: {run:?}");
        }
    }
}

#[test]
fn invalid_input_is_refused_and_changes_nothing() {
    for [line, sentence] in cases(
        "a1 | a1 is not legal for black; legal moves: d3 c4 f5 e6.
         i9 | 'i9' is neither a move nor a command; help lists the commands.
         \u{1b}[15~ | '\\u{1b}[15~' is neither a move nor a command; help lists the commands.
         f5d6 | 'f5d6' is several moves; type one move at a time.
         undo | There is nothing to take back.
         forward | This is the last move of the game.
         back 0 | back '0': expected a number of moves, 1 to 120.
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
