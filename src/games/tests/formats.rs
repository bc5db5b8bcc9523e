//! Tests of SGF, GGF, PGN and JSON from other programs and sites: what is read, converted, written
//! and reported.

use super::*;

/// Complete game with a pass. The result is 48-16.
pub(super) const PASSING: &str = "f5f4f3d6c7g2e3d3c6e6f6b8c4f7d2c1g8b4d1e1e2b7b6c3a8a7g7f2g4c5a3\
    g5c8d8b5d7a6h8g1a4h5f8e8g6e7a2h1h3h4g3b2h6h2f1b1b3a5c2a1h7";
/// Complete game without a pass. The result is 33-31.
pub(super) const WHOLE: &str = "f5d6c6f6e6f4f3b6d7f2c4d3e7c3c2b4b3a3a2b5g4d8a6b2g6c5b1h5e8c1a4\
    h7e2c8d2f7g7a1h6c7f8b7e3g5g3g8g2a5a7a8h8f1e1h4b8h1g1h2h3d1";

#[test]
fn results_are_read_and_written_in_the_forms_of_each_format() {
    for case in [
        "+12 | +12.00 | B+12 | 38-26",
        "-12.50:r | -12.50:r | W+12.5 | 25.75-38.25 resignation",
        "B+R | +64.00:r | B+R | 64-0 resignation",
        "W+Time | -64.00:t | W+T | 0-64 time forfeit",
        "B+F | +64.00:l | B+F | 64-0 abandoned",
        "W+ | ? | W+ | 0-1",
        "1-0 | ? | B+ | 1-0",
        "+4:s | +4.00:s | B+4 | 34-30 adjudication",
        "Draw | +0.00 | Draw | 32-32",
        "1/2-1/2 | +0.00 | Draw | 32-32",
        "64-0 | +64.00 | B+64 | 64-0",
    ] {
        let [text, ggf, sgf, pgn] = [0, 1, 2, 3].map(|at| case.split(" | ").nth(at).unwrap());
        let outcome = Outcome::parse(text).unwrap().unwrap();
        let (result, termination) = outcome.pgn();
        let written = [result, termination.unwrap_or_default().to_owned()].join(" ");
        assert_eq!(
            (&*outcome.ggf(), &*outcome.sgf(), written.trim()),
            (ggf, sgf, pgn)
        );
    }
    for unknown in ["?", "*", "Void", "-127.000", "+65:r", ""] {
        assert_eq!(Outcome::parse(unknown), Some(None), "{unknown}");
    }
    for invalid in ["x", "B", "B+x", "40-40", "nan", "+4:x"] {
        assert_eq!(Outcome::parse(invalid), None, "{invalid}");
    }
}

#[test]
fn results_that_contradict_the_board_are_replaced_with_a_warning() {
    let sentence = "the recorded result is B+24, but the board has 33-31, which counts";
    for (result, moves, margin, warning) in [
        ("+2", WHOLE, 2.0, None),
        ("1-0", WHOLE, 2.0, None),
        ("+24", WHOLE, 2.0, Some(sentence)),
        ("-64:t", WHOLE, -64.0, None),
        ("+2.5", WHOLE, 2.5, None),
        // The result of a wipe-out may count the empty squares for the winner or not. Both are
        // accepted.
        ("+13", WIPE_OUT, 13.0, None),
        ("+64", WIPE_OUT, 64.0, None),
    ] {
        let game = only(format!("% Result: {result}\n{moves}\n"));
        let read = game.tags.outcome.unwrap().margin;
        assert!((read - margin).abs() < 0.01, "{result}: {read}");
        assert_eq!(
            game.warnings().first().map(|why| &**why),
            warning,
            "{result}"
        );
    }
}

#[test]
fn pgn_has_evaluation_depth_and_time_of_a_move_as_a_comment() {
    let moves =
        "1. f5 {+0.52/18 0.31s} d6 {-0.50, good} 2. c3 {2.5s} d3 {+1 bad} 3. c4 {, +1.00} *";
    let game = only(format!("[Date \"2026.11.27\"]\n\n{moves}\n"));
    let read = |at: usize| {
        let played = game.moves()[at];
        let time = played.time.map(|time| time.as_millis());
        (played.eval, played.depth, time)
    };
    assert_eq!(read(0), (Some(0.52), Some(18), Some(310)));
    assert_eq!(read(1), (Some(-0.5), None, None));
    assert_eq!(read(2), (None, None, Some(2500)));
    assert_eq!([read(3), read(4)], [(None, None, None); 2]);
    assert_eq!(game.annotations(), [3, 0]);
    let mut dated = PackedGame::from(game).game();
    dated.tags.date = "2026-11-27".to_owned();
    let written = dated.to_pgn();
    assert!(written.contains("[Date \"2026.11.27\"]\n"), "{written}");
    assert!(written.replace('\n', " ").contains(moves), "{written}");
}

#[test]
fn pgn_keeps_tags_comments_and_passes() {
    let text = "[Event \"Open \\\"A\\\"\"]\n[Site \"?\"]\n[Date \"2024.10.19\"]\n[Round \"2\"]\n\
        [Black \"Ann\"]\n[White \"Bob\"]\n[Result \"1-0\"]\n[BlackElo \"1226\"]\n\
        [TimeControl \"300+5\"]\n[Termination \"time forfeit\"]\n\n\
        {Before} 1. f5! $1 {A (b) c} d6 (1... f6 {x)} 2. e6 (2. a1)) 2. c3 ; rest\n d3?! 1-0\n\n";
    let game = only(text);
    assert_eq!(game.transcript().to_string(), "f5d6c3d3");
    assert_eq!(game.warnings(), ["1 variation left out"]);
    let ending = Ending::TimedOut;
    assert_eq!(
        game.tags.outcome,
        Some(Outcome {
            margin: 64.0,
            ending
        })
    );
    let written = game.to_pgn();
    assert_eq!(
        written,
        "[Event \"Open \\\"A\\\"\"]\n[Site \"?\"]\n[Date \"2024.10.19\"]\n[Round \"2\"]\n\
         [Black \"Ann\"]\n[White \"Bob\"]\n[Result \"64-0\"]\n[BlackElo \"1226\"]\n\
         [TimeControl \"300+5\"]\n[Termination \"time forfeit\"]\n\n\
         {Before} 1. f5 {A (b) c} d6 2. c3 {rest} d3 64-0\n\n"
    );
    assert_eq!(only(&written).to_pgn(), written);
    let written = self::game(PASSING).to_pgn();
    assert!(written.contains(" -- 31. h7 48-16\n\n"), "{written}");
    assert!(written.lines().all(|line| line.len() < 80), "{written}");
    let mail = format!("Hi, the game:\n\n{written}\n");
    assert_eq!(only(mail).to_pgn(), written);
    let start = "[Black \"A\"]\n[FEN \"\
        ---------------------------XO------OX--------------------------- O\"]\n\n1... e6 2. f4 *";
    let game = only(start);
    assert_eq!(game.transcript().to_string(), "e6f4");
    assert_eq!(only(game.to_pgn()), game);
}

#[test]
fn sgf_keeps_comments_and_variations() {
    let text = "(;FF[4]GM[2]SZ[8]C[Root];B[fe]C[a \\] b](;W[df];B[cc](;W[dc])(;W[cd]C[x]\
        (;B[cd])(;B[ee];N[a]LB[fe:1][ff:2])))(;W[ff]TR[fe][dd:ee];B[ef])(;W[fd]))";
    let game = only(text);
    assert_eq!(game.annotations(), [2, 3]);
    let written = game.to_sgf();
    assert_eq!(
        written.replace('\n', ""),
        "(;FF[4]GM[2]SZ[8]AP[Emilia]C[Root];B[fe]C[a \\] b](;W[df];B[cc](;W[dc])(;W[cd]C[x]\
         (;B[cd])(;B[ee];N[a]LB[fe:1][ff:2])))(;W[ff]TR[fe][dd:ee];B[ef])(;W[fd]))"
    );
    assert_eq!(only(&written), game);
    let names = game.to_sgf_with(SgfSquares::Names);
    assert!(names.contains(";W[d6]"), "{names}");
    assert_eq!(only(names), game);
    // Moves that were taken back are not written.
    let mut undone = game.clone();
    undone.truncate(1);
    assert!(!undone.to_sgf().contains("W["), "{}", undone.to_sgf());
}

#[test]
fn sgf_of_other_programs_is_read() {
    let mail = "Hello,\n\n(;GM[2]PB[a];B[fe];W[df]) and (so on)\n";
    assert_eq!(only(mail).transcript().to_string(), "f5d6");
    assert_eq!(only("(;GM[2]PB[Ann\nLee];B[fe])").tags.black, "Ann Lee");
    for pass in ["", "tt", "PA", "pass", "--"] {
        let moves = super::game(BEFORE_A_PASS);
        let text = moves.to_sgf().replace(")\n", &format!(";B[{pass}];W[a3])"));
        assert_eq!(only(&text).moves().len(), moves.moves().len() + 2, "{pass}");
    }
}

#[test]
fn encodings_are_obeyed() {
    for name in ["Shift_JIS", "EUC-JP", "UTF-8", "GB18030"] {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap();
        let text = format!("(;GM[2]CA[{name}]PB[山田 表];B[fe])");
        assert_eq!(
            only(encoding.encode(&text).0).tags.black,
            "山田 表",
            "{name}"
        );
    }
    let latin = only(b"(;GM[2]CA[ISO-8859-1]PB[Andr\xe9];B[fe])");
    assert_eq!(latin.tags.black, "Andr\u{e9}");
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let text = "\u{feff}% Black: \u{5c71}\nf5d6".encode_utf16();
        let file: Vec<u8> = text.flat_map(bytes).collect();
        assert_eq!(only(&file).tags.black, "\u{5c71}");
    }
}

#[test]
fn ggf_of_the_game_server_is_read() {
    let text = "2 (;GM[Othello]PC[GGS/os]DT[940607137]PB[a]PW[b]RB[1500]RW[1600.5]TB[5:00]TW[3:00]\
        TY[s8r18]RE[-12:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
        -------- *]B[F5];)(;GM[Othello]TY[s8]RE[-127.000]B[D3]W[C3];)";
    let games = read(text);
    let [first, second] = [0, 1].map(|index| games[index].clone().unwrap());
    assert_eq!((games.len(), second.tags.outcome), (2, None));
    assert_eq!(first.tags.date, "1999-10-22 15:45:37 GMT");
    let times = [Color::Black, Color::White].map(|color| first.time_left(color).unwrap().as_secs());
    assert_eq!(times, [300, 180]);
    assert_eq!(only(first.to_ggf()), first);
    assert!(first.to_sgf().contains("BR[1500]WR[1600.5]"));
}

#[test]
fn json_of_sites_is_read() {
    let quest = "{\"id\": \"abc123\", \"created\": \"2024-12-20T10:00:00.000Z\", \"players\": \
        [{\"id\": \"a1\", \"name\": \"Ann\", \"oldR\": 1500}, {\"name\": \"Bob\", \"oldR\": 1520}], \
        \"position\": {\"size\": 8, \"moves\": [{\"m\": \"f5\", \"t\": 900}, {\"m\": \"f4\", \"t\": 901}, \
        {\"m\": \"f3\", \"t\": 2}, {\"m\": \"d6\", \"t\": 3}]}, \"tags\": [\"x\"]}";
    let list = "[{\"black_name\": \"Ann\", \"white\": {\"name\": \"Bob\", \"rating\": 1520}, \"blackElo\": 1500, \
        \"date\": \"2024-12-20\", \"kifu\": \"F5F4F3D6\", \"analysis\": [{\"best\": \"e6\"}]}]";
    for text in [quest, list] {
        let game = only(text);
        let tags = &game.tags;
        assert_eq!(game.transcript().to_string(), "f5f4f3d6");
        assert_eq!(
            [&tags.black, &tags.white, &tags.date],
            ["Ann", "Bob", "2024-12-20"]
        );
        assert_eq!(
            [tags.get("BlackElo"), tags.get("WhiteElo")],
            ["1500", "1520"]
        );
    }
    let lines = format!("{{\"moves\": \"{WHOLE}\"}}\n{{\"moves\": \"{PASSING}\"}}\n");
    assert_eq!(read(lines).len(), 2);
}
