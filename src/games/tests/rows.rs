//! Tests of texts as people paste, log and store them. Each text is either read correctly or
//! reported.

use super::*;

/// Twelve moves without separators.
const MOVES: &str = "f5d6c3g5g6d3c5h7d2c6f4b4";

/// Returns the moves of each game in a text, and the number of games that are reported as bad or
/// incomplete.
fn account(text: &str) -> (Vec<String>, usize) {
    let read = Collection::read(text.as_bytes(), &wthor::WthorNames::default());
    let Ok(read) = read else {
        return (Vec::new(), 1);
    };
    let bad = read.games.iter().filter(|game| game.is_err()).count();
    let games: Vec<Game> = read.games.iter().flatten().map(PackedGame::game).collect();
    let cut = games.iter().filter(|game| game.is_cut()).count();
    let moves = games.iter().map(|game| game.transcript().to_string());
    (moves.collect(), bad + cut)
}

/// Writes each move of [`MOVES`] as a line. In `form`, `N` is replaced by the move number, `@` by
/// the square, and `<X|Y>` by X for a move of Black and by Y for a move of White.
fn lines(form: &str) -> String {
    let line = |(number, square): (usize, Square)| {
        let (first, rest) = form.split_once('<').unwrap_or((form, "|>"));
        let (black, rest) = rest.split_once('|').unwrap();
        let (white, rest) = rest.split_once('>').unwrap();
        let side = [white, black][number % 2];
        let line = [first, side, rest, "\n"]
            .concat()
            .replace('N', &number.to_string());
        line.replace('@', &square.to_string())
    };
    (1..).zip(game(MOVES).squares()).map(line).collect()
}

#[test]
fn moves_of_every_kind_are_one_game() {
    let whole = game(MOVES);
    let list = |form: &str| format!("[{}]", lines(form).trim().trim_end_matches(','));
    let written = |write: fn(Square) -> String| whole.squares().map(write).collect::<String>();
    let mut texts: Vec<String> = [
        "<B|W> @",
        "<Black|White>: @",
        "play <b|w> @",
        "move @//0.5",
        "<\u{9ed2}|\u{767d}> @",
        "N\u{624b}\u{76ee} @",
        "#N @",
        "N,<black|white>,@",
        "N. @:Ns",
    ]
    .map(lines)
    .into();
    texts.extend([
        list(r#"{"player": "<B|W>", "move": "@"},"#),
        list(r#"["B", "@"],"#),
        list(r#"{"m": "@"},"#),
        written(|one| format!("{}{}", one.rank() + 1, one.to_string().remove(0))),
        written(|one| format!("{}{} ", one.file() + 1, one.rank() + 1)),
        written(|one| format!("{} ", one.index())),
        written(|one| format!("x({},{})\n", one.rank(), one.file())),
        whole.to_ggf().replace("TY[8]", "TY[0]"),
        format!("{{'black':'A','moves':'{MOVES}'}}"),
        format!("[a game](https://example.org/?g={MOVES}) of mine\n"),
        format!(
            "> [Black \u{201c}A\u{201d}]\r> [White &quot;B&quot;]\r>\r> {} *\r",
            lines("@")
        ),
    ]);
    for text in texts {
        let expected = (vec![MOVES.to_owned()], 0);
        assert_eq!(account(&text), expected, "{text}");
    }
}

#[test]
fn several_games_are_all_read() {
    const OTHER: &str = "f5f6e6f4";
    let named = "English\tperpendicular opening\tf5d6\nEnglish\tparallel opening\tf5f4\n";
    assert_eq!(
        account(named),
        (vec!["f5d6".to_owned(), "f5f4".to_owned()], 0)
    );
    let sgf = game(OTHER).to_sgf();
    let json = format!("{{\"moves\": \"{OTHER}\"}}\n");
    let pgn = game(OTHER).to_pgn();
    for text in [
        format!("Game 1\n{MOVES}\nGame 2\n{OTHER}\n"),
        format!("1\n{MOVES}\n2\n{OTHER}\n"),
        format!("English\tlong\t{MOVES}\nEnglish\tshort\t{OTHER}\n"),
        format!("**Game 1**\n{MOVES}\n\n**Game 2**\n{OTHER}\n"),
        format!("{MOVES}\n{sgf}"),
        format!("{MOVES}\n\n{pgn}"),
        format!("{}\n{json}", game(MOVES).to_pgn()),
        format!("{}\n{OTHER}\n", game(MOVES).to_ggf()),
        format!("{}{OTHER}\n", game(MOVES).to_sgf()),
        format!("{}{json}", game(MOVES).to_sgf()),
        format!("{{\"moves\": \"{MOVES}\"}}\n{pgn}"),
        format!("https://example.org/?g={MOVES}\nand http://example.org/{OTHER}\n"),
    ] {
        let games = account(&text);
        assert_eq!(
            games,
            (vec![MOVES.to_owned(), OTHER.to_owned()], 0),
            "{text}"
        );
    }
}

#[test]
fn what_is_not_read_is_reported() {
    for text in [
        "f5 d6 c3 d3 hopp c4",
        "f5d6c3d3c4f4\n5fd6c3d3c4f\nf5f6e6f4e3\n",
        "f5d6<3d3c4f4\n",
        "f5d6c3d3c4f4\u{431}6\n",
        "{\"moves\": [\"f5\", \"d6\", \"?\", \"c3\", \"d3\"]}",
        "{\"moves\": [\"f5\", \"d6\", [], \"c3\", \"d3\"]}",
        "{\"moves\": \"f5d6c3d3\", \"moves\": \"f5f6e6f4\"}",
        "[Black \"A\"]\n\n1. f5 d6 31. ? *\n",
        "ack: Ann\nf5d6c3d3c4f4\n",
        "f5d6c3d3c4f4\n\nI like b3 more.\n",
        "f5d6c3d3c4f4 NaN\n",
        "1. c4 c5 2. Nc3\n",
    ] {
        assert!(account(text).1 > 0, "{text}");
    }
}

#[test]
fn passes_in_several_languages_are_read() {
    let moves = game(BEFORE_A_PASS)
        .squares()
        .map(|one| one.to_string())
        .collect::<Vec<_>>();
    let whole = (vec![format!("{BEFORE_A_PASS}a3")], 0);
    for pass in "skip \u{30d1}\u{30b9} passe passt pasa passo \u{865a}\u{624b} null".split(' ') {
        let text = format!("{} {pass} a3\n", moves.join(" "));
        assert_eq!(account(&text), whole, "{pass}");
    }
}

/// Draws the rows of a position. `marks` are the texts for black, white and empty squares.
/// `between` separates the squares of a row.
fn rows(position: Position, marks: [&str; 3], between: &str) -> Vec<String> {
    let cell = |square| marks[position.disc_on(square).map_or(2, |color| color as usize)];
    let cells: Vec<&str> = Square::all().map(cell).collect();
    cells.chunks(8).map(|row| row.join(between)).collect()
}

#[test]
fn a_record_of_a_program_for_variants_of_chess_has_its_sides_exchanged() {
    let text = "[White \"Alpha\"]\n[Black \"Beta\"]\n[Result \"1-0\"]\n[Variant \"flipello\"]\n\n1. P@f4 P@d3 2. P@c6 1-0\n";
    let game = only(text);
    assert_eq!((&*game.tags.black, &*game.tags.white), ("Alpha", "Beta"));
    assert!(game.tags.outcome.unwrap().margin > 0.0);
    let saved = only(format!(
        "{MOVES}\nBlack: Ann\nTournament: Open\nRound: 3\nYear: 2011\nNotes: good\n"
    ));
    assert_eq!(
        [&saved.tags.event, &saved.tags.date, saved.tags.get("Round")],
        ["Open", "2011", "3"]
    );
    assert_eq!(saved.annotations(), [1, 0]);
}

#[test]
fn names_around_the_moves_are_kept() {
    let mut pgn = game(MOVES);
    pgn.tags.black = "Ann".to_owned();
    let pgn = pgn.to_pgn();
    for text in [
        format!("// from a site\n{{\"black\": \"Ann\", \"moves\": \"{MOVES}\"}}\n"),
        format!("{MOVES} % Black: Ann\n"),
        format!("Black \u{2013} Ann\n{MOVES}\n"),
        format!("; Black: Ann\n{MOVES}\n"),
        format!("Black: Ann\u{2028}{MOVES}\u{c}"),
        format!(
            "{{\u{201e}black\u{201c}: \u{201e}Ann\u{201c}, \u{ab}moves\u{bb}: \u{ab}{MOVES}\u{bb}}}"
        ),
        pgn.replace('\n', "\n\n"),
        format!("[Black \"Ann\"]\n\n[White \"Bob\"]\n\n{MOVES} *\n"),
        format!("Black: Ann\n(from Paris)\nWhite: Bob\n{MOVES}\n"),
        format!("Black: Ann\nWhite: Bob\n\nA quiet game.\n\n{MOVES}\n"),
        format!("Black: Ann, White: Bob\n{MOVES}\n"),
        format!("Black: Ann / White: Bob\n{MOVES}\n"),
        format!("% White: Bob\nhello\n% Black: Ann\n{MOVES}\n"),
        format!("Zwart: Ann\nWit: Bob\n{MOVES}\n"),
        format!("Game,Black,White,Moves\n0,\"Smith, Al\",Eve,\nRound 2\n1,Ann,Bob,{MOVES}\n"),
    ] {
        let last = read(&text).pop().unwrap().unwrap();
        let white = if text.contains("Bob") { "Bob" } else { "" };
        assert_eq!([&*last.tags.black, &last.tags.white], ["Ann", white]);
        assert_eq!(last.placed(), 12, "{text}");
    }
}

#[test]
fn numbers_of_moves_on_a_board_are_a_game() {
    let cell = |square: Square| match game(MOVES).squares().position(|own| own == square) {
        Some(index) => format!("{:02}", index + 1),
        None if Position::START.disc_on(square).is_some() => "##".to_owned(),
        None => "()".to_owned(),
    };
    let cells: Vec<String> = Square::all().map(cell).collect();
    let rows: Vec<String> = cells.chunks(8).map(|row| row.join(" ")).collect();
    for form in ["@\n", "<PARAM name=\"Line%\" value=\"@\">\n", "% @ %\n"] {
        let row = |(number, row): (usize, &String)| {
            form.replace('%', &number.to_string()).replace('@', row)
        };
        let text: String = (1..).zip(&rows).map(row).collect();
        assert_eq!(account(&text), (vec![MOVES.to_owned()], 0), "{text}");
    }
}

#[test]
fn boards_of_emoji_of_numbers_and_of_links_are_positions() {
    let end = game("e6").position();
    let emoji = [
        ["\u{26ab}", "\u{26aa}", "\u{1f7e9}"],
        ["\u{2b1b}", "\u{2b1c}", "\u{1f7e9}"],
        ["\u{1f534}", "\u{1f535}", "\u{2b1c}"],
        [":black_circle:", ":white_circle:", ":green_square:"],
    ];
    let mut texts = emoji
        .map(|marks| rows(end, marks, "").join("\n") + "\nWhite to move\n\n")
        .to_vec();
    texts.push(texts.concat());
    let matrix = rows(end, [" 1", "-1", " 0"], " ").join("]\n [");
    let letters = rows(end, ["b", "w", "e"], "").concat();
    let link = format!("https://example.org/?start_color=white&start_board={letters}&kifu=f4c3\n");
    texts.extend([
        format!("[[{matrix}]]\nWhite to move\n"),
        format!("https://example.org/?board={letters}&usermove=e6&player=white\n"),
        format!("{end} 44\n"),
    ]);
    for text in texts {
        let read = read(&text);
        assert!(!read.is_empty(), "{text}");
        for game in read {
            assert_eq!(game.map(|game| game.position()), Ok(end), "{text}");
        }
    }
    let read = only(&link);
    assert_eq!(
        (read.start(), &*read.transcript().to_string()),
        (end, "f4c3")
    );
}

#[test]
fn what_damages_a_board_or_stands_beside_it_is_reported() {
    let start = Position::START;
    let board: Vec<String> = (1..)
        .zip(rows(start, ["X", "O", "-"], " "))
        .map(|(number, row)| format!("{number} {row}"))
        .collect();
    let with = |row: usize, text: &str| {
        let mut board = board.clone();
        board[row] = text.to_owned();
        format!("  a b c d e f g h\n{}\n", board.join("\n"))
    };
    let whole = with(0, &board[0]);
    assert_eq!(account(&whole), (vec![String::new()], 0));
    for text in [
        format!("{MOVES} {start};\n"),
        format!("{start}; % {MOVES}\n"),
        with(2, &format!("{}   {MOVES}", board[2])),
        with(3, &format!("{} -", board[3])),
        with(3, &board[3].replacen('4', "x", 1)),
        with(3, &board[3].replace('O', "0")),
        with(4, &board[3]),
        with(4, "5 - -"),
        whole.replace("a b c d e f g h", "h g f e d c b a"),
        format!("{start};\n").replacen("OX", "0X", 1),
        format!("{whole}Whit to move\n"),
        format!("{whole}player 2 to move\n"),
        format!("{whole}{MOVES}\nWhite to move\n"),
    ] {
        let (games, reports) = account(&text);
        assert!(reports > 0 || games.contains(&MOVES.to_owned()), "{text}");
    }
}

#[test]
fn the_side_to_move_of_a_board_is_named_in_many_words() {
    let whole = rows(Position::START, ["X", "O", "-"], " ").join("\n");
    for words in [
        "White moves",
        "Next: white",
        "Weiss am Zug",
        "Trait aux blancs",
        "\u{767d}\u{756a}",
        "White to mov",
    ] {
        let read = only(format!("{whole}\n{words}\n"));
        assert_eq!(read.start().mover, Color::White, "{words}");
    }
    let after = only(format!("After Black's move 1:\n{whole}\n"));
    assert_eq!(after.start().mover, Color::White);
    let prose = only(format!("White plays well here.\n{whole}\n"));
    assert_eq!(prose.start().mover, Color::Black);
}

#[test]
fn games_in_an_unknown_spelling_are_reported() {
    let pairs = r#"{"moves": [{"x": 5, "y": 4}, {"x": 3, "y": 5}]}"#;
    for text in [
        "f 5 f 6 e 6 f 4",
        "f.5 f.6 e.6",
        "<td>f</td><td>5</td><td>d</td><td>6</td><td>c</td><td>3</td>",
        "[(5, 4), (3, 5), (2, 2)]",
        pairs,
    ] {
        let (games, reports) = account(&format!("{MOVES}\n\nHello world.\n\n{text}\n"));
        assert!(games.contains(&MOVES.to_owned()) && reports > 0, "{text}");
    }
    assert_eq!(account("<f5><d6><c3><d3>\n").0, ["f5d6c3d3"]);
}

#[test]
fn a_list_may_have_a_short_label() {
    for label in ["R1: ", "G1 ", "Q1. ", "A) ", "Game A: "] {
        let text = format!("{label}{MOVES}\n\n{label}{MOVES}\n");
        assert_eq!(account(&text), (vec![MOVES.to_owned(); 2], 0), "{label}");
    }
    assert!(account(&format!("i3{MOVES}\n")).1 > 0);
}
