//! Tests of games in any kind of text: mails, tables, links, web pages and scoresheets, and of
//! prose without games.

use super::formats::{PASSING, WHOLE};
use super::*;
use emilia_core::board::Sentence;

/// Returns the moves of a game in pairs of Black and White. The parameter `pass` is the text of a
/// pass.
fn turns(game: &Game, pass: &str) -> Vec<String> {
    let mut turns = Vec::new();
    for (played, position) in game.moves().iter().zip(game.positions()) {
        let word = played
            .mv
            .square()
            .map_or(pass.to_owned(), |square| square.to_string());
        match (position.mover, turns.last_mut()) {
            (Color::White, Some(turn)) => *turn = format!("{turn} {word}"),
            _ => turns.push(word),
        }
    }
    turns
}

/// Writes each pair of moves as its number, the text `after_number` and the pair. The text
/// `between` separates the pairs.
fn numbered(turns: &[String], after_number: &str, between: &str) -> String {
    let numbered = (1..).zip(turns);
    let numbered = numbered.map(|(number, turn)| format!("{number}{after_number}{turn}"));
    numbered.collect::<Vec<_>>().join(between)
}

/// Breaks a text into lines of `count` words. Each line begins with `mark`.
fn wrapped(text: &str, count: usize, mark: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let lines = words.chunks(count).map(|line| line.join(" "));
    let lines: Vec<String> = lines.map(|line| format!("{mark}{line} \n")).collect();
    lines.concat()
}

/// Returns texts that contain `game`, in the forms that people and programs write.
fn texts(game: &Game) -> Vec<String> {
    let squares: Vec<String> = game.squares().map(|square| square.to_string()).collect();
    let list = |between: &str| squares.join(between);
    let flipped: Vec<String> = (game.squares())
        .map(|square| Square::at(square.file(), 7 - square.rank()).to_string())
        .collect();
    let [dashes, words, none] = ["--", "pass", ""].map(|pass| turns(game, pass));
    let rows = |turn: &str| turn.replace(' ', " | ");
    let cells: Vec<String> = dashes.iter().map(|turn| rows(turn)).collect();
    let tags: Vec<String> = dashes
        .iter()
        .map(|turn| turn.replace(' ', "</td><td>"))
        .collect();
    let spoken = game.moves().iter().zip(game.positions());
    let spoken = spoken.map(|(played, position)| match position.mover {
        Color::Black => format!("Black plays {}, ", played.mv),
        Color::White => format!("White answers {}. ", played.mv),
    });
    let timed = dashes
        .iter()
        .map(|turn| turn.replace(' ', " (0:12)  ") + " (1:05)");
    let signs = squares.chunks(2).map(|pair| format!("+{}", pair.join("-")));
    vec![
        list(","),
        list(" → "),
        format!("**{}**", list("** **")),
        list("\n"),
        format!("P@{}", flipped.join(" P@")),
        format!("https://example.org/board?moves={}&to=3", list("")),
        format!(
            "Game of the day\n\nBlack: Ann\nMoves: {}\nsee you!",
            list("")
        ),
        format!(
            "今日の対局です。黒は山田。\n{}\nh8がいいと思います。\n",
            list("、")
        ),
        numbered(&dashes, ". ", "\n"),
        numbered(&words, ") ", "\r\n").to_uppercase(),
        numbered(&none, " ", "\n"),
        wrapped(&numbered(&dashes, ".", " "), 10, ""),
        wrapped(&list(" "), 9, ""),
        format!(
            "Hi Bob,\n\nAnn wrote on 12.5.2024 at 10:30:\n{}> What of g7?\n\nI like h8 more.\n",
            wrapped(&numbered(&words, ". ", " "), 13, "> ")
        ),
        format!(
            "Our game\n\n| # | Black | White |\n|---|---|---|\n| {} |\n\nGood!\n",
            numbered(&cells, " | ", " |\n| ")
        ),
        format!(
            "<h1>Game</h1><p>Hello</p><table><tr><td>{}</td></tr></table><h2>End</h2>",
            numbered(&tags, ".</td><td>", "</td></tr>\n<tr><td>")
        ),
        spoken.collect(),
        numbered(&timed.collect::<Vec<_>>(), ". ", "\n"),
        format!("{}: +08\n", signs.collect::<String>()),
    ]
}

#[test]
fn a_game_is_found_in_texts_of_every_kind() {
    let mut random = fastrand::Rng::with_seed(53);
    let mut games: Vec<Game> = [WHOLE, PASSING].map(game).into();
    games.extend([61, 61, 61, 17, 30, 45].map(|most| plain_game(&mut random, most)));
    for game in &games {
        for text in texts(game) {
            let found = only(&text);
            assert_eq!(
                found.transcript().to_string(),
                game.transcript().to_string(),
                "{text}"
            );
            // Some texts mention g7 or h8 in a sentence. Only these squares may cause warnings.
            let mut warnings = found.warnings().iter();
            let is_prose = |why: &Sentence| why.contains("g7") || why.contains("h8");
            assert!(warnings.all(is_prose), "{text}: {:?}", found.warnings());
        }
    }
}

/// Returns the moves of each game in a text.
fn found(text: &str) -> Vec<String> {
    let games = read(text).into_iter().flatten();
    games.map(|game| game.transcript().to_string()).collect()
}

#[test]
fn games_end_where_another_one_begins() {
    let (first, second) = ("f5d6c3d3c4", "f5f6e6f4g5");
    for text in [
        "Game 1\n1. f5 d6 2. c3 d3 3. c4 37-27\n\nGame 2\n1. f5 f6 2. e6 f4 3. g5 *\n",
        "f5 d6 c3\nd3 c4\n\nf5 f6 e6\nf4 g5\n",
        "1. f5 d6 2. c3 d3 3. c4 1-0 1. f5 f6 2. e6 f4 3. g5 0-1",
        "\"f5d6c3d3c4\" and \"f5f6e6f4g5\"",
    ] {
        assert_eq!(found(text), [first, second], "{text}");
    }
    // A line may begin with White's half of a move pair.
    assert_eq!(found("Club:\n1. f5\nd6 2. c3\nd3 3. c4\n"), [first]);
    // Moves in remarks after a game or in brackets are not moves of the game.
    for text in [
        "We played f5d6c3d3c4 so far. I like f4 or b3.\n",
        "Now: 1. f5 d6 2. c3 d3 3. c4\nWhat do you think of f4?\n",
        "So: 1. f5 d6 2. c3 (f4 or b3) d3 3. c4 (g8?)\n",
        "moves     f5d6c3d3c4\nlegal     b3 c2 d2 e2 f4\n",
    ] {
        assert_eq!(found(text), [first], "{text}");
    }
}

#[test]
fn each_game_of_a_list_has_its_own_result() {
    let list = format!("- 60 moves, 33-31: `{WHOLE}`\n- 60 moves, 48-16: `{PASSING}`\n");
    let games: Vec<Game> = read(list).into_iter().map(Result::unwrap).collect();
    let margins = [0, 1].map(|index: usize| games[index].margin());
    assert_eq!(margins, [Some(2.0), Some(32.0)]);
    assert!(games.iter().all(|game| game.warnings().is_empty()));
}

#[test]
fn moves_after_a_board_begin_there() {
    let board = "---------------------------OX------XXX----XO-------------------- O";
    for text in [";F6E6F4F3B6\n", "; f6 e6 f4 f3 b6", "\nf6 e6 f4 f3 b6\n"] {
        let game = only(format!("{board}{text}"));
        assert_eq!(Ok(game.start()), board.parse());
        assert_eq!(game.transcript().to_string(), "f6e6f4f3b6");
    }
    let game = only(format!("{board}; f6 e6 f4 f3 a1 b6"));
    let expected = "line 1: 4 of 6 moves read; 5. a1 is not legal";
    assert_eq!(game.warnings(), [expected]);
}

#[test]
fn no_short_game_is_found_in_prose() {
    const PATTERNS: [&str; 12] = [
        "I like @.",
        "You should not play @ before @ is safe, said Ann.",
        "With @ White gets the edge, and @ no longer works: 3 discs are lost.",
        "In 1998 he won 33-31 after @; see page 12.",
        "J'aime bien @, mais @ est meilleur que @.",
        "Après @, Noir doit jouer @ ou passer.",
        "C'est la partie n° 2: @ au lieu de @ perdait 4 pions !",
        "私は@が好きです。",
        "黒は@に打ち、白は@を取った。",
        "ここで@か@、どちらが良いですか？",
        "The A4 paper, an A9 phone and B2B sales (@) cost 5-3 = 2.",
        "1. @ is a bad idea. 2. So is @.",
    ];
    let mut random = fastrand::Rng::with_seed(500);
    for _ in 0..500 {
        let mut text = String::new();
        for part in random.choice(PATTERNS).unwrap().split_inclusive('@') {
            let square = Square::new(random.u8(..64)).unwrap().to_string();
            let square = if random.bool() {
                square
            } else {
                square.to_uppercase()
            };
            text.push_str(&part.replace('@', &square));
        }
        assert_eq!(found(&text), [""; 0], "{text}");
    }
    let words = "A4 paper, B2B sales, F5 key, C4 or D3 cinema.\nE6 vitamin, C3 the H1 to F6 in.\n";
    for text in [
        "Where would you play?\nc4\nc4 c3\nI like h8.\nOr f5?\nNo, d3!\n",
        &words.repeat(16),
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}
