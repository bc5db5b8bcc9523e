//! Game files: the kind is detected by content, and an invalid game does not affect the others.

use super::*;

/// Returns each game of a file as its moves or its error message.
fn read(bytes: &[u8]) -> Vec<Result<String, String>> {
    let games = super::read(bytes).into_iter();
    let texts = games.map(|game| game.map(|game| game.transcript().to_string()));
    texts.collect()
}

fn moves(texts: &[&str]) -> Vec<Result<String, String>> {
    texts.iter().map(|&text| Ok(text.to_owned())).collect()
}

#[test]
fn the_kind_is_detected_by_content() {
    let ggf = "2 (;GM[Othello]PB[a]B[F5];)(;GM[Othello]TY[8]B[D3]W[C3];)\n";
    let sgf = "\u{feff}(;FF[4]GM[2];B[fe](;W[fd])(;W[df]))\n\n(;GM[2]PB[Caf\u{e9}];B[dc])";
    let lines = "F5 d6\r\n\n% a comment\nd3c3\n\u{1a}";
    let wthor = file([1, 0, 0, 0, 0, 0], TAIL, &[&wthor_record("f5d6c3", 32)]);
    // The moves of one game on two lines.
    let wrapped = "f5d6\nc3d3\n";
    for (bytes, games) in [
        (ggf.as_bytes(), &["f5", "d3c3"][..]),
        (sgf.as_bytes(), &["f5f4", "d3"]),
        (lines.as_bytes(), &["f5d6", "d3c3"]),
        (&wthor, &["f5d6c3"]),
        (wrapped.as_bytes(), &["f5d6c3d3"]),
    ] {
        assert_eq!(read(bytes), moves(games));
    }
}

#[test]
fn lines_with_later_move_numbers_continue_the_game() {
    let two = b"% Black: Ann\n1. f5 d6\n2. c3 d3\n3. c4\n\n1. f5\n1... f6\n2. e6 f4\nd3-c3-c4\n";
    let expected = moves(&["f5d6c3d3c4", "f5f6e6f4", "d3c3c4"]);
    assert_eq!(read(two), expected);
    let games = read(b"1. f5 d6\n2. a1\nf5\n");
    let error = games[1].as_ref().unwrap_err();
    assert!(error.starts_with("game 2: line 2: 0 of 1"), "{error}");
}

#[test]
fn a_position_line_sets_the_start_of_a_game() {
    let board = "OO-XXXX-OOOOOXX-OOOOXOXOOXOXOXXXOXOOOXXXOXOXOXXXOOXXXXXXOOOOOOOO";
    let zeros = board.replace('O', "0");
    let text =
        format!("{board} O; H1:+8\n{zeros} O\n% Start: {board} O\nh1\n% Black: Ann\n{zeros} O\n");
    let start: Position = format!("{board} O").parse().unwrap();
    let games = super::read(&text);
    assert_eq!(games.len(), 4);
    for game in games {
        assert_eq!(game.unwrap().start(), start);
    }
}

#[test]
fn an_invalid_game_has_its_location_and_does_not_affect_others() {
    let ggf = "(;GM[Othello]B[F5];)\n(;GM[Othello]PB[x\nB[F5]W[A1];)\n \
               (;GM[Othello]B[F5]W[A1];) (;GM[Othello]B[D3];)";
    let first = "illegal move: a1 for white (it is the turn of black)";
    let expected = [
        Ok("f5".to_owned()),
        Err(format!("game 2: line 3, column 6: move 1: {first}")),
        Ok("f5".to_owned()),
        Ok("d3".to_owned()),
    ];
    assert_eq!(read(ggf.as_bytes()), expected);
    // `hello` is prose, not an invalid game.
    let games = read(b"f5a1\nhello\nf5\n% Result: good\nd3\n");
    let expected = "game 3: line 4: expected Black's difference, like -12 or +4:r";
    assert_eq!(games[2], Err(expected.to_owned()));
    assert_eq!(
        [&games[..2], &games[3..]].concat(),
        moves(&["f5", "f5", "d3"])
    );
}

#[test]
fn files_without_games_are_refused_by_kind() {
    let refused =
        |bytes: &[u8]| Collection::read(bytes, &wthor::WthorNames::default()).unwrap_err();
    assert_eq!(refused(b""), NoGames::Empty);
    assert_eq!(refused(b" \n\n"), NoGames::Empty);
    assert_eq!(
        refused("about these games\n".repeat(5_000).as_bytes()),
        NoGames::Empty
    );
    let (byte, at) = (0, 2);
    assert_eq!(refused(b"f5\0\0"), NoGames::Binary { byte, at });
    assert_eq!(refused(&names(20, &[b"Ann", b"Bob"])), NoGames::Names);
    assert_eq!(refused(&names(26, &[b"Open"])), NoGames::Names);
    let wthor = file([2, 0, 0, 0, 0, 0], TAIL, &[&wthor_record("f5", 32)]);
    assert!(matches!(refused(&wthor), NoGames::Wthor(_)));
}

#[test]
fn a_text_without_games_has_one_error() {
    let lines = "a1\n".repeat(5_000);
    let games = read(lines.as_bytes());
    assert_eq!(games.len(), 1);
    let error = games[0].as_ref().unwrap_err();
    assert!(error.starts_with("game 1: line 1: "), "{error}");
    // If one line is a game, the error of every other line is returned.
    let games = read(format!("f5\n{lines}").as_bytes());
    assert_eq!(games.iter().filter(|game| game.is_err()).count(), 5_000);
}

#[test]
fn what_cannot_be_read_has_a_code_and_its_values() {
    for (text, code, values) in [
        ("f5f5", "not-legal", "move 2. f5, read 1, all 2, game 1"),
        ("f5d6z9", "not-next", "move 3. z9, read 2, all 3, game 1"),
        (
            "(;GM[2];B[aa])",
            "illegal",
            "move a1, side black, legal d3 c4 f5 e6, number 1, line 1, column 9, game 1",
        ),
        (
            "(;GM[1]B[fe])",
            "other-game",
            "found 1, line 1, column 3, game 1",
        ),
    ] {
        let collection = Collection::read(text.as_bytes(), &wthor::WthorNames::default());
        let sentence = match &collection.unwrap().games[..] {
            [Ok(game)] => game.warnings().0[0].clone().of_game(1),
            [Err(error)] => error.clone(),
            games => panic!("{text} gave {games:?}"),
        };
        let own = sentence
            .values()
            .map(|(name, value)| format!("{name} {value}"));
        let own = own.collect::<Vec<_>>().join(", ");
        assert_eq!((sentence.code(), &*own), (code, values), "{sentence}");
    }
}
