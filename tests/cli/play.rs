//! End-to-end tests of `emilia play` with piped input.

use std::fs;
use std::path::PathBuf;

use crate::common::run::{Run, emilia};
use crate::dialogues::fits;
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

/// Returns the lines of stdout that begin with `start`.
fn lines<'a>(run: &'a Run, start: &str) -> Vec<&'a str> {
    let lines = run.stdout.lines();
    lines.filter(|line| line.starts_with(start)).collect()
}

/// Returns a path of a file that does not exist yet.
fn fresh_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn games_have_the_lines_of_the_table() {
    let games = include_str!("../data/play.txt").split("\n=== ").skip(1);
    for game in games {
        let (arguments, lines) = game.split_once('\n').unwrap();
        let marked = |mark: &str| -> Vec<&str> {
            let lines = lines.lines().filter_map(|line| line.strip_prefix(mark));
            lines.collect()
        };
        let typed = marked(": ").join("\n") + "\n";
        let run = play(&arguments.split(' ').collect::<Vec<_>>(), &typed);
        assert!(run.stderr.lines().eq(marked("! ")), "{arguments}: {run:?}");
        assert!(!run.stdout.contains("black>"), "{arguments}: {run:?}");
        let mut shown = run.stdout.lines();
        for expected in marked("> ") {
            assert!(
                shown.any(|line| fits(line, expected)),
                "{expected}: {run:?}"
            );
        }
        for absent in marked("- ") {
            assert!(
                !run.stdout.lines().any(|line| fits(line, absent)),
                "{absent}: {run:?}"
            );
        }
    }
}

#[test]
fn without_people_a_game_is_played_to_its_end() {
    let run = play(&["--human", "none"], "this is never read\n");
    let transcript = lines(&run, "Transcript: ")[0].trim_start_matches("Transcript: ");
    let game = Transcript::parse(transcript, Position::START).unwrap();
    assert!(game.end().is_over());
    let result = format!("Game over: {}.", emilia_view::outcome(&game.end()));
    assert_eq!(lines(&run, "Game over"), [result]);
}

#[test]
fn a_game_from_any_position_is_saved_in_every_format() {
    let start = format!("OX{} O", "-".repeat(62));
    for ending in ["sgf", "ggf", "txt"] {
        let file = fresh_file(&format!("saved game.{ending}"));
        let name = file.display();
        // A new game may not replace the file.
        let input = format!("c1\nsave {name}\nundo\nc1\nsave {name}\nnew\nsave {name}\n");
        let run = play(&["--human", "both", &start], &input);
        assert_eq!(lines(&run, "Saved as ").len(), 2);
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        let read = Collection::read(&fs::read(&file).unwrap(), &WthorNames::default());
        let [Ok(game)] = &read.unwrap().games[..] else {
            panic!("{run:?}");
        };
        assert_eq!(Ok(game.start()), start.parse());
        assert_eq!(game.game().transcript().to_string(), "c1");
    }
}

#[test]
fn saved_games_have_players_date_result_and_evaluations() {
    // Two empty squares, both for Black.
    let position = format!("{}XXO-O-", "X".repeat(58));
    let file = fresh_file("complete.sgf");
    let name = file.display();
    let read = || -> Game { fs::read_to_string(&file).unwrap().parse().unwrap() };
    let arguments = ["--human", "black", &position, "X"];
    let run = play(&arguments, &format!("f8\nh8\nsave {name}\n"));
    assert_eq!(run.stderr, "", "{run:?}");
    let tags = read().tags;
    assert_eq!(tags.black, "human");
    assert!(tags.white.starts_with("Emilia "), "{tags:?}");
    assert_eq!(tags.date.len(), "2026-11-21".len());
    assert!(tags.outcome.is_some(), "{tags:?}");
    fs::remove_file(&file).unwrap();
    let run = play(&["--human", "black"], &format!("f5\nsave {name}\n"));
    let announced = lines(&run, "Emilia plays ")[0];
    let value: f64 = announced.split(' ').nth(3).unwrap().parse().unwrap();
    let game = read();
    assert_eq!(game.moves()[0].eval, None);
    let eval = game.moves()[1].eval.unwrap();
    assert!((eval - value).abs() < 0.011, "{announced}");
}

#[test]
fn the_printed_command_resumes_the_game_with_its_sides_and_level() {
    let start = "-------------------O-------OX------XO--------------------------- X";
    for (arguments, input, expected) in [
        (
            &["--level", "4", "--seed", "7"][..],
            "f5\nlevel h5\nside both\n",
            " --human both --level h5",
        ),
        (&["--human=both", start], "d2\n", "--human both"),
        (
            &["--depth=8", "--book=off", "--time", "2", "--eval=classic"],
            "f5\n",
            " --depth 8 --time 2 --book off --eval classic",
        ),
        (
            &["--depth=3", "--nodes=900"],
            "f5\nlevel 2\n",
            " --nodes 900 --level 2",
        ),
    ] {
        let run = emilia(&[&["play"], arguments].concat(), input.as_bytes());
        let line = lines(&run, "To go on: emilia play ")[0];
        assert!(line.ends_with(expected), "{run:?}");
        // A shell parses the command to the same arguments, and so does `emilia`.
        let command = line["To go on: ".len()..].replacen("emilia", "\"$0\"", 1);
        let script = format!("{command} </dev/null");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &script, env!("CARGO_BIN_EXE_emilia")]);
        let again = crate::common::run::run(shell, b"");
        assert_eq!(again.code, Some(0), "{line}");
        if !arguments.contains(&start) {
            assert_eq!(lines(&again, "To go on: "), [line], "{again:?}");
        }
    }
}

#[test]
fn a_game_continued_from_a_file_keeps_its_players_and_date_and_drops_its_result() {
    let [old, new] = ["old.sgf", "new.sgf"].map(fresh_file);
    let text = "(;GM[2]PB[Ann]PW[Bob]DT[1999-01-02]RE[B+12];B[fe];W[fd];B[cc])";
    fs::write(&old, text).unwrap();
    let input = format!("c3\nsave {}\n", new.display());
    let old = format!("{}:1:2", old.display());
    let run = play(&["--human", "both", &old], &input);
    assert_eq!(run.stderr, "", "{run:?}");
    let saved = lines(&run, "Saved as ")[0];
    let new_name = new.display();
    let said = format!(
        "{new_name}: Ann (black), Bob (white), 1999-01-02, 3 moves, not finished. To go on: emilia \
         play {new_name} --depth 2 --human both"
    );
    assert!(saved.ends_with(&said), "{saved}");
    let text = fs::read_to_string(&new).unwrap();
    assert!(!text.contains("+12"), "{text}");
}
