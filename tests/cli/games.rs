//! End-to-end tests of `emilia games`: searches, moves from a position, duplicates.

use std::fs;

use crate::common::matches::Scratch;
use crate::common::run::{Run, cases, emilia, emilia_at_width};

/// Four games: the second is the first one mirrored, by others.
const GAMES: &str = "\
% Black: Andr\u{e9} Petit\n% White: Bob Stone\n% Event: Open\n% Date: 2019-05-03\n\
% Result: +12\nf5d6c3d3c4\n\
% Black: Cid\n% White: Dora\n% Date: 2020\n% Result: -2\nd3c5f6f5e6\n\
% Black: Bob Stone\n% White: Cid\n% Date: 2020\n% Result: 0\nf5f6e6f4\n\
% Black: Bob Stone\n% White: Andr\u{e9} Petit\n% Date: 2021\n% Result: -30\nf5d6c4\n";

/// A folder with one file.
fn folder(name: &str, text: &str) -> Scratch {
    let folder = Scratch::new("games list");
    fs::write(folder.path(name), text).unwrap();
    folder
}

fn games(file: &str, options: &[&str]) -> Run {
    emilia(&[&["games", file], options].concat(), b"")
}

/// Returns the numbers of the games found, from the first column.
fn found(file: &str, options: &[&str]) -> Vec<String> {
    let run = games(file, options);
    run.assert_done();
    let words = run.stdout.split_whitespace();
    let numbers = words.filter_map(|word| word.strip_prefix("g.txt:"));
    numbers.map(str::to_owned).collect()
}

#[test]
fn games_are_found_by_player_event_year_result_and_position() {
    let folder = folder("g.txt", GAMES);
    let file = &folder.path("g.txt");
    for [options, expected] in cases(
        "--threads 1 | 1 2 3 4
         --player andre | 1 4
         --player stone --against cid | 3
         --year 2020-2021 | 2 3 4
         --event OPEN | 1
         --player stone --result lost | 1 4
         --player stone --result black | 1
         --result white,2-10 | 2
         --result draw | 3
         --position f5d6 --list | 1 2 4
         --position f5d6 --list --player dora | 2",
    ) {
        let options: Vec<&str> = options.split_whitespace().collect();
        assert_eq!(found(file, &options).join(" "), expected, "{options:?}");
    }
    let run = games(file, &["--player", "nobody"]);
    run.assert_done();
    assert_eq!(run.stdout, "0 of 4 games match\n");
    // The second game is a symmetric image of the first.
    let run = games(file, &["--duplicates"]);
    run.assert_shows("2 of 4 games are in 1 set of the same moves");
}

#[test]
fn a_list_lines_up_and_names_each_game_for_other_commands() {
    let folder = folder("g.txt", GAMES);
    let file = folder.path("g.txt");
    let run = emilia_at_width(&["games", &file, "--player", "petit"], 120);
    run.assert_done();
    let quote = if cfg!(windows) { '"' } else { '\'' };
    let expected = format!(
        "\x20  game  black        white        result  date        event  opening
g.txt:1  Andr\u{e9} Petit  Bob Stone       +12  2019-05-03  Open   Tiger
g.txt:4  Bob Stone    Andr\u{e9} Petit     -30  2021               Perpendicular

To see the first: emilia show {quote}{file}:1{quote}
2 of 4 games match
"
    );
    assert_eq!(run.stdout, expected);
    let run = emilia(&["games", "-"], GAMES.as_bytes());
    assert!(!run.stdout.contains("emilia show"), "{run:?}");
    let shown = emilia(&["show", &format!("{file}:4")], b"");
    shown.assert_shows("moves     f5d6c4");
    fs::write(folder.path("one.txt"), "f5d6c3\n").unwrap();
    let run = games(&folder.path("one.txt"), &[]);
    run.assert_shows("one.txt  ");
    assert!(!run.stdout.contains("one.txt:"), "{run:?}");
}

#[test]
fn errors_are_one_sentence_and_exit_code_2() {
    let folder = folder("g.txt", "f5d6\na1\n");
    let file = folder.path("g.txt");
    let run = games(&file, &[]);
    assert_eq!(run.code, Some(2));
    run.assert_shows("1 of 2 games match");
    run.assert_reports("game 2: line 2: 0 of 1 moves read; 1. a1 is not legal");
    run.assert_reports("emilia: 1 of 2 games could not be read and were left out");
}

#[test]
fn wthor_written_by_convert_has_the_same_games_and_keeps_old_names() {
    let ends = "e6f6c4c5b6d6e7f5g5";
    let game = |black: &str, date: &str| {
        format!("% Black: {black}\n% White: Bob\n% Event: Open\n% Date: {date}\n{ends}\n")
    };
    let text = [game("Andr\u{e9}", "2019"), game("Cid", "2019")].concat();
    let folder = folder("2019.txt", &text);
    let convert = |files: &str| folder.emilia(&format!("convert {files}"));
    assert_eq!(convert("2019.txt WTH_2019.wtb").code, Some(0));
    // A second file adds its names after the old names.
    let old = fs::read(folder.path("WTHOR.JOU")).unwrap();
    fs::write(folder.path("2020.txt"), game("Dora", "")).unwrap();
    let run = convert("2020.txt WTH_2020.wtb");
    assert_eq!(run.code, Some(0), "{run:?}");
    let new = fs::read(folder.path("WTHOR.JOU")).unwrap();
    assert_eq!(new[16..old.len()], old[16..]);
    assert_eq!(new.len(), old.len() + 20);
    let run = games(folder.folder(), &["--year", "2020"]);
    run.assert_shows("Dora");
    // Games of the same moves are written once.
    let run = convert("2019.txt one.txt --unique");
    run.assert_reports("1 game written, from 1 file, 1 with the same moves as another left out");
}
