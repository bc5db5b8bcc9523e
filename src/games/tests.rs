//! Tests of game records: reading, writing, round trips, and error messages.

mod boards;
mod collection;
mod damage;
mod formats;
mod inputs;
mod rows;
mod text;

use std::time::Duration;

use super::*;
use emilia_core::board::{Color, Move, Position, Square, Transcript};

/// Transcript after which Black must pass.
const BEFORE_A_PASS: &str = "d3c3f5d2d1e1b2c1";

/// Transcript of a complete game: Black wipes White out.
const WIPE_OUT: &str = "e6f6c4c5b6d6e7f5g5";

fn game(moves: &str) -> Game {
    Game::from(&Transcript::parse(moves, Position::START).unwrap())
}

/// Reads the games of a file. An empty file has none. A file of another kind is a test failure.
fn read(bytes: impl AsRef<[u8]>) -> Vec<Result<Game, String>> {
    let games = match Collection::read(bytes.as_ref(), &wthor::WthorNames::default()) {
        Err(NoGames::Empty) => Vec::new(),
        Err(error) => panic!("{}: {error}", String::from_utf8_lossy(bytes.as_ref())),
        Ok(read) => read.games,
    };
    games.into_iter().map(|game| Ok(game?.game())).collect()
}

/// Reads a file that must have exactly one game.
fn only(bytes: impl AsRef<[u8]>) -> Game {
    match &read(&bytes)[..] {
        [Ok(game)] => game.clone(),
        games => panic!("{} gave {games:?}", String::from_utf8_lossy(bytes.as_ref())),
    }
}

/// Returns a random game without evaluations. At most `most` discs are placed.
pub(crate) fn plain_game(random: &mut fastrand::Rng, most: usize) -> Game {
    let mut game = Game::default();
    while let Some(mv) = random.choice(game.position().moves())
        && game.placed() < most
    {
        game.play(mv).unwrap();
    }
    game
}

#[test]
fn undo_and_truncate_restore_positions_and_scores() {
    let mut game = game(WIPE_OUT);
    assert!(game.is_over());
    assert_eq!(game.score(), Some(64));
    assert_eq!(game.placed(), 9);
    assert!(game.play(Move::Pass).is_err());
    assert_eq!(game.undo().unwrap().mv, Move::Place(Square::G5));
    assert_eq!(game.score(), None);
    game.truncate(0);
    assert_eq!(game.position(), Position::START);
    assert_eq!(game.undo(), None);
}

#[test]
fn play_as_inserts_only_forced_passes() {
    let mut game = game(BEFORE_A_PASS);
    let before = game.clone();
    assert!(game.play_as(Color::White, Move::Place(Square::H8)).is_err());
    assert_eq!(game, before, "an illegal move does not keep the pass");
    game.play_as(Color::White, Move::Place(Square::A3)).unwrap();
    assert_eq!(game.moves().len(), before.moves().len() + 2);
    let mut game = Game::default();
    assert!(game.play_as(Color::White, Move::Place(Square::F5)).is_err());
    assert_eq!(game, Game::default());
}

#[test]
fn time_left_counts_the_moves_of_its_side() {
    let mut game = Game::default();
    assert_eq!(game.time_left(Color::Black), None);
    game.tags.time = Some("1:00/2".parse().unwrap());
    for played in ["f5//10", "d6//0.5", "c3//100"] {
        game.play(played.parse::<Played>().unwrap()).unwrap();
    }
    let left = [Color::White, Color::Black].map(|color| game.time_left(color));
    assert_eq!(
        left,
        [Some(Duration::from_millis(61_500)), Some(Duration::ZERO)]
    );
    // A time control with grace time only does not give a player a clock.
    game.tags.time = Some("0//2:00".parse().unwrap());
    assert_eq!(game.time_left(Color::Black), None);
}

#[test]
fn time_limits_round_trip() {
    for (text, main, increment, grace) in [
        ("15:00//2:00", 900, 0, 120),
        ("5", 5, 0, 0),
        ("04:58,0:0//02:00,0:0", 298, 0, 120),
        ("1:02:03/0:10/", 3723, 10, 0),
        ("//", 0, 0, 0),
    ] {
        let limit: TimeLimit = text.parse().unwrap();
        let seconds = [limit.main, limit.increment, limit.grace].map(|time| time.as_secs());
        assert_eq!(seconds, [main, increment, grace], "{text}");
        assert_eq!(limit.to_string().parse(), Ok(limit));
    }
    for text in "x 1:2:3:4 1/2/3/4 -1 1e3 inf nan 1: 99999:00:00 1:-2".split(' ') {
        assert!(text.parse::<TimeLimit>().is_err(), "{text}");
    }
}

#[test]
fn played_moves_round_trip() {
    let texts = "F5 f5//2.449 E6/-1.34 PA pass/0.00 PA//3.107 d3/-0.001/1:01.5 d3// f5/1/2/3";
    let played = |text: &str| text.parse::<Played>().unwrap().to_string();
    let written: Vec<String> = texts.split(' ').map(played).collect();
    let expected = "F5 F5//2.449 E6/-1.34 PA PA/0.00 PA//3.107 D3/0.00/61.500 D3 F5/1.00/2.000";
    assert_eq!(written.join(" "), expected);
    for text in ",/,Z1,f5 d6".split(',') {
        assert!(text.parse::<Played>().is_err(), "{text}");
    }
    // The move is read even if its annotation is invalid.
    for text in "f5/x f5/inf f5/nan/-1 f5/1e400 f5/+ f5//x".split(' ') {
        assert_eq!(played(text), "F5", "{text}");
    }
}

/// Asserts the error for each text. A row of `table` is `TEXT -> ERROR`, and `|` in TEXT stands for
/// a line break.
fn assert_refused(table: &str) {
    for case in table.lines() {
        let (text, sentence) = case.split_once(" -> ").unwrap();
        let error = text.replace('|', "\n").parse::<Game>();
        assert_eq!(
            error.map_err(String::from),
            Err(sentence.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn ggf_errors_name_line_and_column() {
    assert_refused(
        "\
(;GM[Othello -> line 1, column 13: the text ends, expected ']'
(;GM;) -> line 1, column 5: found ';', expected '['
(;GM[Othello] -> line 1, column 14: the text ends, expected a property, ';' or ')'
(;|!) -> line 2, column 1: found '!', expected a property, ';' or ')'
(;TY[s10r8];) -> line 1, column 3: TY[s10r8]: expected a game on 8x8 squares, like 8, s8 or 8r20
(;TY[8a];) -> line 1, column 3: TY[8a]: expected Othello, not anti-Othello
(;BO[8 a1];) -> line 1, column 3: BO[8 a1]: expected 8, then 64 squares and the side to move
(;GM[Othello]RE[x];) -> line 1, column 14: RE[x]: expected ? or Black's difference, like -12 or +4:r
(;TI[x];) -> line 1, column 3: TI[x]: expected main/increment/grace, each [[h:]m:]s, like 15:00//2:00
(;GM[Othello]B[I9];) -> line 1, column 14: B[I9]: expected move/eval/time, like F5/1.50/0.23 or PA
1 (;GM[Othello]B[A1];) -> line 1, column 16: move 1: illegal move: a1 for black (legal: d3 c4 f5 e6)",
    );
    let text = format!("(;BO[8 {}];)", "z".repeat(65));
    let error = text.parse::<Game>().unwrap_err();
    assert!(error.contains("start position: "), "{error}");
}

#[test]
fn sgf_value_belongs_to_the_move_of_its_node() {
    for text in [
        "(;GM[2]V[9];B[fe]V[1];V[3]W[df])",
        "(;GM[2];V[1]B[fe];W[df]V[3];V[9])",
    ] {
        let game: Game = text.parse().unwrap();
        let evals: Vec<_> = game.moves().iter().map(|played| played.eval).collect();
        assert_eq!(evals, [Some(1.0), Some(-3.0)], "{text}");
        let written = game.to_sgf();
        assert!(written.contains(";B[fe]V[1.00];W[df]V[3.00])"), "{written}");
    }
    // A `V` property that is not a number of discs is ignored.
    for value in ["", "B+", "inf"] {
        let game: Game = format!("(;;B[fe]V[{value}])").parse().unwrap();
        assert_eq!(game.moves()[0].eval, None);
    }
}

#[test]
fn sgf_main_line_setup_and_passes_are_read() {
    for case in [
        "(;GM[2]C[a (b\\] c)];B[fe](;W[df];B[cc])(;W[ff])) -> f5d6c3",
        "\u{feff} ( ; AB[de][ed] AW[dd][ee] PL[B] ; Black[fe] ) -> f5",
        "(;FF[4]GM[2]SZ[8:8]RE[Void]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[f4]) -> f5f4",
        "(;;B[]) -> error",
        "(;AE[dd]AW[dd];B[fe]) -> f5",
        "(;PL[W];W[df]) -> d6",
        // `dd:ee` is a rectangle of squares, given by its upper left and lower right corner. Other
        // corners are an error.
        "(;AB[de:ed]AW[dd][ee];B[fe]) -> error",
        "(;AW[dd:ee]AB[ed][de:de];B[fe]) -> f5",
    ] {
        let (text, moves) = case.split_once(" -> ").unwrap();
        match text.parse::<Game>() {
            Ok(game) => assert_eq!(game.transcript().to_string(), moves, "{text}"),
            Err(error) => assert_eq!(moves, "error", "{text}: {error}"),
        }
    }
    assert_refused(
        "\
(;GM[1];B[aa]) -> line 1, column 3: GM[1]: expected 2, which is Othello
(;SZ[10]) -> line 1, column 3: SZ[10]: expected 8
(;|;B[zz]) -> line 2, column 2: B[zz]: expected column and row, like fe or f5
(;B[fe];W[aa]) -> line 1, column 9: move 2: illegal move: a1 for white (legal: f4 d6 f6); 1 of 2 moves read
(;B[fe];AB[aa]) -> line 1, column 9: AB[aa]: expected no change of the board within the game; 1 of 1 moves read
(;B[fe];W[df]V[1][;B[cc]) -> line 1, column 14: V[1][;B[cc]: expected one value; 2 of 2 moves read
(;AB[aa:ai]) -> line 1, column 3: AB[aa:ai]: expected columns and rows, like fe or f5
(;PL[x]) -> line 1, column 3: PL[x]: expected B or W
(;AE[dd:ee];C[nothing]) -> line 1, column 3: start position: empty board
(;PB[a];B[fe];W[df]PB[b]) -> line 1: 'PB[b]' not read",
    );
}

/// Builds a WTHOR file. `count` is bytes 4 to 9 of the header, the numbers of games (u32) and of
/// names (u16). `tail` is bytes 10 to 15, as in [`TAIL`].
fn file(count: [u8; 6], tail: [u8; 6], records: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![20, 22, 6, 27];
    bytes.extend(count);
    bytes.extend(tail);
    bytes.extend(records.concat());
    bytes
}

fn names(size: usize, names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = file([0, 0, 0, 0, names.len() as u8, 0], [0; 6], &[]);
    for name in names {
        bytes.extend(*name);
        bytes.resize(bytes.len() + size - name.len(), 0);
    }
    bytes
}

/// Builds a WTHOR game record from a transcript: tournament 1, players 1 and 9, theoretical score
/// 40. A square is encoded as 10 · row + column, so f5 is 56.
fn wthor_record(moves: &str, black_discs: u8) -> Vec<u8> {
    let mut record = vec![1, 0, 1, 0, 9, 0, black_discs, 40];
    let squares = Transcript::parse(moves, Position::START).unwrap().moves;
    let squares = squares.iter().filter_map(|mv| mv.square());
    record.extend(squares.map(|square| 10 * (square.rank() + 1) + square.file() + 1));
    record.resize(68, 0);
    record
}

/// End of a WTHOR header: year 2021, 8×8 board, type 0, theoretical score at 24 empties.
const TAIL: [u8; 6] = [0xE5, 0x07, 8, 0, 24, 0];

#[test]
fn wthor_games_are_read_with_names_and_scores() {
    let passing = [BEFORE_A_PASS, "a3"].concat();
    let records = [wthor_record(WIPE_OUT, 64), wthor_record(&passing, 20)];
    let bytes = file([2, 0, 0, 0, 0, 0], TAIL, &[&records[0], &records[1]]);
    let names = wthor::WthorNames {
        players: wthor::read_players(&names(20, &[b"???", b"Andr\xe9 \x01\x85"])).unwrap(),
        tournaments: vec!["Cup".to_owned(); 2],
    };
    let games = wthor::read_games(&bytes, &names).unwrap();
    let game = |at: usize| games[at].as_ref().unwrap().game();
    let tags = game(0).tags;
    // Control characters in a name are read as replacement characters.
    let expected = ["Andr\u{e9} \u{fffd}\u{fffd}", "#9", "Cup", "2021"];
    assert_eq!(
        [&*tags.black, &tags.white, &tags.event, &tags.date],
        expected
    );
    assert_eq!(tags.outcome, Some(Outcome::played(64.0)));
    assert_eq!(game(0).transcript().to_string(), WIPE_OUT);
    assert_eq!(game(1).transcript().to_string(), passing);
    assert_eq!(game(1).moves().len(), 10, "the omitted pass is inserted");
    assert_eq!(game(1).tags.outcome, Some(Outcome::played(-24.0)));
}

#[test]
fn wthor_errors_name_byte_and_record() {
    let whole = file([1, 0, 0, 0, 0, 0], TAIL, &[&wthor_record("f5d6c3", 32)]);
    let read = |bytes: &[u8]| {
        let games = wthor::read_games(bytes, &wthor::WthorNames::default());
        let game = games.map(|games| games[0].clone());
        game.flatten().unwrap_err().to_string()
    };
    let ends = "byte 0: the file has 0 bytes, its header says 16";
    assert_eq!(read(b""), ends);
    let ends = "byte 80: the file has 80 bytes, its header says 84";
    assert_eq!(read(&whole[..80]), ends);
    assert!(wthor::read_players(&whole).is_err());
    let no_square = "is not a square (expected 10 x row + column, 11 to 88)";
    let table = "\
4 2 84: the file has 84 bytes, its header says 152
11 3 10: games of the year 997, expected 1971 to 2155
12 10 12: board size 10, expected 8
22 65 22: record 1: 65 discs, expected at most 64
25 11 25: record 1: move 2: illegal move: a1 for white (legal: f4 d6 f6)
26 89 26: record 1: move 3: 89 NO";
    for case in table.lines() {
        let [at, byte, sentence] = [0, 1, 2].map(|index| case.splitn(3, ' ').nth(index).unwrap());
        let mut bytes = whole.clone();
        bytes[at.parse::<usize>().unwrap()] = byte.parse().unwrap();
        assert_eq!(
            read(&bytes),
            format!("byte {}", sentence.replace("NO", no_square))
        );
    }
}

#[test]
fn written_wthor_games_are_read_again() {
    let mut random = fastrand::Rng::with_seed(7);
    let games = std::iter::repeat_with(|| {
        let mut game = plain_game(&mut random, 64);
        game.tags = Tags {
            black: format!("Andr\u{e9} {}", random.u8(..9)),
            white: ["", "a name of 19 lette."][random.usize(..2)].to_owned(),
            event: "an event of 25 letters..".to_owned(),
            date: "2021".to_owned(),
            outcome: game.score().map(|score| Outcome::played(score.into())),
            ..Tags::default()
        };
        game
    });
    let games: Vec<Game> = games.take(50).collect();
    let mut names = wthor::WthorNames {
        players: vec!["???".to_owned(), "Bob".to_owned(), "Bob".to_owned()],
        tournaments: vec!["???".to_owned()],
    };
    let mut writer = wthor::WthorWriter::new(&names).unwrap();
    for game in &games {
        writer.add(game, Some(2021)).unwrap();
    }
    let files = writer.files(2021, [2026, 11, 24]);
    assert_eq!(files.games[..4], [20, 26, 11, 24]);
    names.players = wthor::read_players(&files.players.unwrap()).unwrap();
    names.tournaments = wthor::read_tournaments(&files.tournaments.unwrap()).unwrap();
    assert_eq!(
        names.players[..3],
        ["???", "Bob", "Bob"],
        "old names keep their indices"
    );
    let again = wthor::read_games(&files.games, &names).unwrap();
    let games = games.into_iter().map(|game| Ok(PackedGame::from(game)));
    assert_eq!(again, games.collect::<Vec<_>>());
    // If no name is new, the files with the names need not be written.
    let files = wthor::WthorWriter::new(&names)
        .unwrap()
        .files(2021, [2026, 11, 24]);
    assert_eq!((files.players, files.tournaments), (None, None));
}

#[test]
fn games_that_wthor_cannot_hold_are_refused() {
    let finished = game(WIPE_OUT);
    let mut writer = wthor::WthorWriter::new(&wthor::WthorNames::default()).unwrap();
    writer.add(&finished, Some(1999)).unwrap();
    let mut refused = |game: &Game, expected: &str| {
        let error = writer.add(game, None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let mut game = finished.clone();
    game.tags.black = "\u{141}".to_owned();
    refused(&game, "the letter '\u{141}', which Latin-1");
    game.tags.black = "x".repeat(20);
    refused(&game, "more than the 19 letters");
    let mut game = finished.clone();
    for margin in [3.0, -66.0] {
        game.tags.outcome = Some(Outcome::played(margin));
        refused(&game, &format!("its result is {margin:+} discs"));
    }
    game.tags.outcome = None;
    game.truncate(8);
    refused(&game, "it is not over and has no result");
    game.restart("f5".parse().unwrap());
    refused(&game, "start position");
    let error = writer.add(&finished, Some(2000)).unwrap_err().to_string();
    assert!(
        error.contains("2000 and the games before are of 1999"),
        "{error}"
    );
}
