//! Tests of damaged files: the games read equal the games written, or an error or a warning is
//! reported.

use super::*;

/// Writer of a file format: its name, the function that writes games, and the texts that precede a
/// square of a move. Without such texts, a line is a sequence of squares.
struct Writer(
    &'static str,
    fn(&[Game]) -> Vec<u8>,
    &'static [&'static str],
);

const WRITERS: [Writer; 12] = [
    Writer("lines", |games| joined(games, Game::to_moves), &[]),
    Writer("headed lines", |games| joined(games, headed), &[]),
    Writer("PGN", |games| joined(games, Game::to_pgn), &[". ", " "]),
    Writer("GGF", |games| joined(games, ggf), &["]B[", "]W["]),
    Writer(
        LETTERS,
        |games| joined(games, Game::to_sgf),
        &[";B[", ";W["],
    ),
    Writer(
        "SGF with names",
        |games| joined(games, names),
        &[";B[", ";W["],
    ),
    Writer("JSON lists", json_lists, &["\""]),
    Writer("JSON texts", |games| joined(games, json), &["\""]),
    Writer("OBF", |games| joined(games, obf), &[]),
    Writer("lines under heads", under_heads, &[]),
    Writer("PGN, then GGF", two_formats, &[". ", " ", "]B[", "]W["]),
    Writer("lists in JSON", nested_lists, &["\""]),
];

/// Writes a heading before each game.
fn under_heads(games: &[Game]) -> Vec<u8> {
    const HEADS: [&str; 10] = [
        "Game", "Round", "Table", "Board", "Match", "Partie", "**Game", "No.", "Runde", "#",
    ];
    let first = games[0].squares().map(Square::index).sum::<usize>();
    let head = |number: usize| HEADS[(first + number) % HEADS.len()];
    let lines = (1..).zip(games);
    let lines =
        lines.map(|(number, game)| format!("{} {number}\n{}", head(number), game.to_moves()));
    lines.collect::<String>().into_bytes()
}

fn two_formats(games: &[Game]) -> Vec<u8> {
    let (first, second) = games.split_at(2);
    [joined(first, Game::to_pgn), joined(second, ggf)].concat()
}

/// Writes a JSON list that has a list of moves for each game.
fn nested_lists(games: &[Game]) -> Vec<u8> {
    let squares = |game: &Game| {
        game.squares()
            .map(|one| one.to_string())
            .collect::<Vec<_>>()
    };
    serde_json::to_vec(&games.iter().map(squares).collect::<Vec<_>>()).unwrap()
}

const LETTERS: &str = "SGF with letters";

fn headed(game: &Game) -> String {
    game.to_transcript() + "\n"
}

fn ggf(game: &Game) -> String {
    game.to_ggf() + "\n"
}

fn names(game: &Game) -> String {
    game.to_sgf_with(SgfSquares::Names)
}

fn json(game: &Game) -> String {
    let moves = game.transcript().to_string();
    serde_json::json!({"date": "2024", "moves": moves}).to_string() + "\n"
}

fn json_lists(games: &[Game]) -> Vec<u8> {
    let squares = |game: &Game| game.squares().map(|one| one.to_string()).collect();
    let lists = games.iter().map(squares);
    let game = |moves: Vec<String>| serde_json::json!({"black": "Ann", "moves": moves});
    serde_json::to_vec(&lists.map(game).collect::<Vec<_>>()).unwrap()
}

fn obf(game: &Game) -> String {
    format!("{};\n", game.position())
}

fn joined(games: &[Game], write: impl Fn(&Game) -> String) -> Vec<u8> {
    games.iter().map(write).collect::<String>().into_bytes()
}

/// Returns four games with player names. Most games are complete, and the others have at least 12
/// moves.
fn games(random: &mut fastrand::Rng) -> Vec<Game> {
    let game = |number| {
        let length = if random.u8(..4) > 0 {
            64
        } else {
            random.usize(12..50)
        };
        let mut game = plain_game(random, length);
        game.tags.black = format!("Ann {number}");
        game.tags.date = "2024-05-01".to_owned();
        game
    };
    (0..4).map(game).collect()
}

/// Returns the byte offsets of the squares of moves in `text`. `before` has the texts that precede
/// a square.
fn squares(text: &str, before: &[&str]) -> Vec<usize> {
    let is_square = |at: usize| {
        let pair = text.get(at..at + 2).unwrap_or_default().as_bytes();
        let [file, rank] = *pair else { return false };
        file.is_ascii_alphabetic() && (rank.is_ascii_digit() || before.contains(&";B["))
    };
    let is_after = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        // A line that begins with `[` is a PGN tag, unless it begins a JSON list of games.
        let is_tag =
            text[line..].starts_with('[') && !text.starts_with("[{") && !text.starts_with("[[");
        if before.is_empty() {
            !text[line..].starts_with('%') && (at - line).is_multiple_of(2)
        } else {
            before.iter().any(|mark| text[..at].ends_with(mark)) && !is_tag
        }
    };
    let places = (0..text.len()).filter(|at| text.is_char_boundary(*at));
    places.filter(|&at| is_square(at) && is_after(at)).collect()
}

/// Damages a file at one random place. Returns a description of the damage.
fn damage(random: &mut fastrand::Rng, file: &mut Vec<u8>, writer: &Writer) -> &'static str {
    let any = |random: &mut fastrand::Rng, byte: u8, file: &[u8]| {
        let places = file.iter().enumerate().filter(|(_, own)| **own == byte);
        random.choice(places.map(|(at, _)| at).collect::<Vec<_>>())
    };
    let text = String::from_utf8(file.clone()).unwrap();
    let places = match writer.0 {
        "OBF" => (0..text.len())
            .filter(|&at| text.as_bytes()[at].is_ascii_graphic())
            .collect(),
        _ => squares(&text, writer.2),
    };
    let at = *random.choice(&places).unwrap();
    let second = at + random.usize(..2);
    let is_letters = writer.0 == LETTERS;
    match random.u8(..11) {
        0 if writer.0 != "OBF" => (_ = file.remove(second), "a character deleted").1,
        kind @ 1..=3 => {
            let text = ["i3", "zz", "gc3"][usize::from(kind) - 1];
            file.splice(at..at + 2, text.bytes());
            "a square replaced"
        }
        4 => {
            let occupied = if is_letters { "dd" } else { "d4" };
            file.splice(at..at + 2, occupied.bytes());
            "an occupied square"
        }
        // The two characters are swapped only in squares such as `f5`. Two letters of SGF are a
        // valid square in either order, and a board in OBF is valid with its squares in any order.
        5 if !is_letters && writer.0 != "OBF" => (file.swap(at, at + 1), "swapped").1,
        6 => (file.insert(second, file[second]), "a character doubled").1,
        7 => match any(random, b';', file) {
            Some(at) if writer.0 != "OBF" => (_ = file.remove(at), "a semicolon deleted").1,
            _ => "nothing",
        },
        8 => match any(random, b'\n', file) {
            Some(at) => (_ = file.remove(at), "a line break deleted").1,
            None => "nothing",
        },
        9 => {
            // In OBF the first 64 characters alone are a valid position with Black to move, so the
            // file is cut after them.
            let least = if writer.0 == "OBF" { 66 } else { 0 };
            file.truncate(random.usize(least..file.len()));
            "truncated"
        }
        _ => {
            let bracket = *random.choice(b"()[]{}").unwrap();
            file.insert(random.usize(..=file.len()), bracket);
            "a stray bracket"
        }
    }
}

/// Returns the start position and moves of each game, and whether any error or warning was
/// reported.
fn read_moves(file: &[u8]) -> (Vec<(Position, String)>, bool) {
    let Ok(read) = Collection::read(file, &wthor::WthorNames::default()) else {
        return (Vec::new(), true);
    };
    let is_whole =
        |game: &Result<PackedGame, _>| game.as_ref().is_ok_and(|game| game.warnings().0.is_empty());
    let is_reported = !read.games.iter().all(is_whole);
    let games = read.games.iter().flatten().map(PackedGame::game);
    let moves = games.map(|game| (game.start(), game.transcript().to_string()));
    (moves.collect(), is_reported)
}

/// Returns whether `read` is the beginning of `all`: its first games, and the first moves of the
/// next one.
fn is_beginning(all: &[(Position, String)], read: &[(Position, String)]) -> bool {
    let Some((last, whole)) = read.split_last() else {
        return true;
    };
    all.starts_with(whole)
        && all
            .get(whole.len())
            .is_some_and(|own| own.0 == last.0 && own.1.starts_with(&last.1))
}

#[test]
fn damaged_files_are_read_as_written_or_reported() {
    let files = std::env::var("EMILIA_DAMAGED").map_or(300, |files| files.parse().unwrap());
    for writer in &WRITERS {
        let mut random = fastrand::Rng::with_seed(64);
        for number in 0..files {
            let games = games(&mut random);
            let whole = (writer.1)(&games);
            let (expected, is_reported) = read_moves(&whole);
            assert!(!is_reported && expected.len() == 4, "{} {number}", writer.0);
            let mut file = whole.clone();
            let what = damage(&mut random, &mut file, writer);
            let (read, is_reported) = read_moves(&file);
            let is_right = is_reported
                || read == expected
                || what == "truncated" && is_beginning(&expected, &read);
            let text = String::from_utf8_lossy(&file);
            assert!(is_right, "{} {number}: {what}:\n{text}\n{read:?}", writer.0);
        }
    }
}

/// Returns the moves, warnings and errors of all games in `text`, as one line.
fn said(text: &str) -> String {
    let games = read(text).into_iter().map(|game| match game {
        Ok(game) => [
            vec![game.transcript().to_string()],
            game.warnings().iter().map(ToString::to_string).collect(),
        ]
        .concat()
        .join(": "),
        Err(error) => error,
    });
    games.collect::<Vec<_>>().join(" / ")
}

#[test]
fn a_damaged_move_ends_its_game_there_and_is_reported() {
    // A row is `TEXT -> RESULT`, and RESULT is as `said` formats it. In TEXT, `|` is a line break
    // and `'` a quotation mark. `[1.` is a PGN tag, an empty line and `1.`, so the moves are in
    // line 3.
    let table = "\
[1. f5 d6 2. gc3 c4 3. d3 c5 *| -> f5d6: line 3: 2 of 6 moves read; 3. gc3 is not a square
{'moves':['f5','d6','zz','c3','d3','c4','f4']} -> f5d6: line 1: 2 of 7 moves read; 3. zz is not a square
[1. f5 d6 2. c3 d3 3. c4 f4 4. pass f6 *| -> f5d6c3d3c4f4: line 3: 6 of 8 moves read; 7. pass is not legal
1. f5 d6 2. c3 d3 3. c4 37 f4 4. c5| -> f5d6c3d3c4: line 1: 5 of 7 moves read; 6. f4 has the number of another move
(GM[2]FF[4]SZ[8];B[fe];W[df];B[cc])|(;GM[2];B[fe]) -> f5d6c3 / f5
(;GM[2]PB[a])PW[b];B[fe];W[df];B[cc]) -> : line 1: 'PW[b];B[fe];W[df];B[cc])' not read
(;GM[Othello]B[f5]W[d6]B[a1]W[f3];) -> f5d6: line 1, column 24: move 3: illegal move: a1 for black (legal: c3 c4 c5 c6 c7); 2 of 4 moves read
[1. f5 d6 {oops 2. c3 *||[1. f5 d6 *| -> f5d6: line 3: the comment is not closed (expected }) / f5d6
% Black: Ann| -> : line 1: the text ends after the header of a game
% Date: 2024f5d6c3d3|| -> : line 1: '% Date: 2024f5d6c3d3' not read
d6c5f4| -> game 1: line 1: 0 of 3 moves read; 1. d6 is not legal";
    for (text, expected) in table.lines().map(|line| line.split_once(" -> ").unwrap()) {
        let text = text.replace("[1.", "[White 'Bob']||1.").replace('\'', "\"");
        assert_eq!(said(&text.replace('|', "\n")), expected, "{text}");
    }
}

#[test]
fn a_damaged_move_among_prose_ends_the_game_and_is_reported() {
    for damaged in ["gc3", "zz", "i3", "f", "3f", "d33", "cc4"] {
        for text in [
            "We played f5 d6 c3 d3 @ f4 and I won.",
            "We played f5 d6 c3 d3 @ and I won.",
            "We played f5 d6 c3 d3 c4 @.",
            "So: 1. f5 d6 2. c3 d3 3. @ and then I stopped.",
            "Ann: f5d6c3d3 @ is what she wrote.",
            "f5 d6 c3 d3 @. Then we stopped.",
            "https://example.org/?m=f5d6c3d3@",
            "We played f5 d6 c3 d3\nc4 @ and then I stopped.",
        ] {
            let text = text.replace('@', damaged);
            let (games, is_reported) = read_moves(text.as_bytes());
            assert!(is_reported && games[0].1.len() >= 8, "{text}: {games:?}");
        }
    }
    for text in [
        "We played f5 d6 c3 d3 so far, and I won.",
        "We played f5 d6 c3 d3 and stopped.",
    ] {
        let game = only(text);
        assert_eq!((game.placed(), game.warnings().len()), (4, 0), "{text}");
    }
}

#[test]
fn records_that_count_rows_from_the_bottom_are_mirrored_with_a_warning() {
    let sentence = "row 1 is the lowest in this record, so its squares are mirrored";
    for (text, moves) in [
        ("(;SZ[8];B[fd];W[fc];B[ec];W[fe])", "f5f6e6f4"),
        ("[White \"Bob\"]\n\n1. f4 f5 2. e6 f7 *\n", "f5f4e3f2"),
    ] {
        assert_eq!(said(text), format!("{moves}: {sentence}"), "{text}");
    }
    let white = "(;FF[4]GM[2]AB[de][ed][fe][ee]AW[dd];W[df];B[cc])";
    assert_eq!(said(white), "d6c3");
}
