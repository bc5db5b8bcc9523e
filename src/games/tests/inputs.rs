//! Tests of games and positions given as arguments, and of files of several kinds.

use std::fs;
use std::path::Path;

use super::super::input::{collection_of, game, games, names_of, positions};
use super::super::wthor::{WthorNames, WthorWriter};
use super::*;
use emilia_files::Unpacked;

/// Moves of the game that every text of the tests has.
const MOVES: &str = "f5d6c3d3c4";

fn words(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

#[test]
fn texts_of_every_form_are_games_or_positions() {
    let expected = super::game(MOVES);
    let end = expected.position();
    let board = end.to_string();
    let fen = end.to_fen();
    let [player, opponent] = [end.board.player, end.board.opponent];
    let hexadecimal = format!("{:#x}|{:#x}|O", player.0, opponent.0);
    let ggf = expected.to_ggf();
    for (text, moves) in [
        (MOVES, 5),
        ("f5|d6|c3|d3|c4", 5),
        ("https://example.org/?moves=f5d6c3d3c4#last", 5),
        (&ggf, 5),
        (&expected.to_sgf(), 5),
        (&board, 0),
        (&board.replace(' ', "|"), 0),
        (
            &format!("https://example.org/?board={}", board.replace(' ', "+")),
            0,
        ),
        (&fen, 0),
        (&fen.replace(' ', "|"), 0),
        (&hexadecimal, 0),
    ] {
        let loaded = game(&words(text)).unwrap().game;
        assert_eq!((loaded.position(), loaded.placed()), (end, moves), "{text}");
        let all = games(&words(text)).unwrap();
        assert_eq!(all.len(), 1, "{text}");
    }
    let several = games(&words(&format!("{ggf}\n{ggf}"))).unwrap();
    assert_eq!(several.len(), 2);
    assert_eq!(game(&[]).unwrap().game, Game::default());
    for (text, problem) in [
        ("", "the position is empty"),
        ("f5| ", "the position is empty"),
        (
            "https://example.org/",
            "position: column 1: bad character: 'h'",
        ),
        (
            "f5a1",
            "position: column 3, move 2: illegal move: a1 for white",
        ),
        ("(;GM[Othello]B[A1];)", "game 1: "),
    ] {
        let error = game(&words(text)).unwrap_err();
        assert!(error.starts_with(problem), "{text}: {error}");
    }
}

#[test]
fn positions_of_arguments_and_of_boards_over_several_lines() {
    let board = "OO-XXXX-OOOOOXX-OOOOXOXOOXOXOXXXOXOOOXXXOXOXOXXXOOXXXXXXOOOOOOOO";
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    let drawn = format!("Problem 7\n\n{}\n\nO to move\nBy Ann\n", rows.join("\n"));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let drawn = write("drawn.txt", &drawn);
    let ended = write("ended.obf", &format!("{board} O; H1:+8; --:-127;\n"));
    let expected: Position = format!("{board} O").parse().unwrap();
    for arguments in [drawn, ended, format!("{board}|O")] {
        let read = positions(&words(&arguments)).unwrap();
        let [Ok(labelled)] = &read[..] else {
            panic!("{arguments}: {read:?}");
        };
        assert_eq!(labelled.position, expected, "{arguments}");
    }
    let other = write("README", "About Othello\nI like h8\n");
    let error = positions(std::slice::from_ref(&other)).unwrap_err();
    assert!(error.starts_with(&format!("'{other}': ")), "{error}");
    let error = games(std::slice::from_ref(&other)).unwrap_err();
    assert!(error.starts_with(&format!("'{other}': ")), "{error}");
}

#[test]
fn names_of_wthor_games_are_in_any_of_the_files() {
    let mut writer = WthorWriter::new(&WthorNames::default()).unwrap();
    let mut game = super::game(WIPE_OUT);
    (game.tags.black, game.tags.event) = ("Ann".to_owned(), "Cup".to_owned());
    writer.add(&game, None).unwrap();
    let written = writer.files(2021, [2021, 1, 2]);
    let path = Path::new("all.zip");
    let file = |name: &str, bytes: &[u8]| Unpacked {
        path: path.join(name),
        bytes: bytes.to_vec(),
    };
    let files = [
        file("WTHOR.TRN", &written.tournaments.unwrap()),
        file("README", b"About these games"),
        file("2021.wtb", &written.games),
        file("bad.txt", b"f5\na1\n"),
        file("WTHOR.JOU", &written.players.unwrap()),
    ];
    let found = collection_of(path, &files).unwrap();
    assert_eq!(found.games.len(), 3);
    let tags = found.games[0].as_ref().unwrap().tags();
    assert_eq!([&*tags.black, &tags.event], ["Ann", "Cup"]);
    let error = found.games[2].as_ref().unwrap_err();
    assert!(error.starts_with("bad.txt: game 2: "), "{error}");
    assert_eq!(collection_of(path, &files[..1]), Err(NoGames::Names));
    assert_eq!(names_of(&files[1..4], None), WthorNames::default());
}
