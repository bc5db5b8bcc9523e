//! Files of every kind with bytes changed, cut out, doubled and put in: each is read, or refused in a sentence.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

use super::programs::{FROM_NBOARD, FROM_QUARRY};
use super::*;
use crate::board::parse_obf;
use crate::files;
use crate::game::wthor::Names;
use crate::game::{BadGame, Collection, NoGames};

/// No sentence is longer, in characters.
const LONGEST_SENTENCE: usize = 300;

const TRANSCRIPTS: &str = "F5 d6 C3 d3 c4\nd3c3f5d2d1e1b2c1a3\n\ne6f6c4c5b6d6e7f5g5\n";

const WITH_HEADERS: &str = "\
% Black: Ann\n% White: B\u{e9}a: x\n% Event: Open\n% Date: 2026-11-22\n% Time: 15:00/0:12/2:00\n% Result: -12.50:r\nf5d6c3\n
# a comment\n% Black: Bob\n% Start: ---------------------------XO------OX--------------------------- O\nd3\n";

const POSITIONS: &str = "\
% FFO\n--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; B1:-4;\n
OO-XXXX-OOOOOXX-OOOOXOXOOXOXOXXXOXOOOXXXOXOXOXXXOOXXXXXXOOOOOOOO O;\n";

const GGFS: &str = "\
2 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Sax\\on]PW[A\\]nn]RB[2204.36]RW[1998]TI[05:00/0:03/02:00]\
TY[8r20]RE[-64.000:l]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]\
B[d3/0.5/1.2]W[c3//2]B[f5]W[d2]B[d1]W[e1]B[b2]W[c1]B[pa]W[a3/-1.5/0:07];)
(;GM[Othello]RE[?]TY[8]BO[8 ........ ........ ........ ...0x... ...X0... ........ ........ ________ O]W[E3/4];)\n";

const SGFS: &str = "\
(;FF[4]GM[2]SZ[8]CA[UTF-8]EV[Open]DT[2026-11-22]PB[Ann]PW[B\u{e9}a]RE[W+12]C[a (b\\] c)];B[fe]V[1.25](;W[df]V[0.75]
;B[cc])(;W[ff]))\n(;GM[2]AB[aa][ba]AW[ca]AE[dd][ed][de][ee]PL[W]RE[Draw];W[];B[da])\n";

const PLAYERS: [&[u8]; 3] = [b"???", b"Andr\xe9 Somebody", b"Ann"];
const TOURNAMENTS: [&[u8]; 2] = [b"Diverses parties", b"World Championship"];

/// What is put into files: numbers at their limits, text in no encoding, pieces of the formats.
const TOKENS: [&[u8]; 34] = [
    b"65535",
    b"-1",
    b"99999999999999999999",
    b"1e308",
    b"-inf",
    b"nan",
    b"0.0004",
    b"\0",
    b"\xff\xff\xff\xff",
    b"\xc3",
    b"\xe2\x80\xae",
    b"\x7f",
    b"\x1a",
    b"\x0c",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b" ",
    b"\\",
    b"]",
    b"[",
    b"(;GM[",
    b"(;",
    b";)",
    b":",
    b"/",
    b"%",
    b"% Black: ",
    b"% Start: ",
    b"pass",
    b"AE[dd][de][ed][ee]",
    b"RE[+0.004:t]",
    b"TI[0.0004/99:99]",
];

/// A file of each kind.
fn whole_files() -> Vec<Vec<u8>> {
    let passing = [BEFORE_A_PASS, "a3"].concat();
    let records = [wthor_record(WIPE_OUT, 64), wthor_record(&passing, 20)];
    let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    let texts = [
        TRANSCRIPTS,
        WITH_HEADERS,
        POSITIONS,
        FROM_NBOARD,
        GGFS,
        SGFS,
        FROM_QUARRY,
    ];
    let mut files: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    files.extend([
        file([2, 0, 0, 0, 0, 0], TAIL, &records),
        names(20, &PLAYERS),
        names(26, &TOURNAMENTS),
    ]);
    files
}

/// A part of the file, mostly a short one.
fn part(random: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let start = random.usize(..=bytes.len());
    let longest = if random.u8(..4) == 0 { bytes.len() } else { 12 };
    let end = start + random.usize(..=longest);
    start..end.min(bytes.len())
}

/// Changes one thing.
fn mutate(random: &mut Rng, bytes: &mut Vec<u8>, files: &[Vec<u8>]) {
    let at = random.usize(..=bytes.len());
    match random.u8(..10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.u8(..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.u8(..);
            }
        }
        2 => drop(bytes.drain(part(random, bytes))),
        3 => {
            let copy = bytes[part(random, bytes)].to_vec();
            bytes.splice(at..at, copy);
        }
        4 => {
            let other = random.choice(files).unwrap();
            let copy = other[part(random, other)].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => {
            let other = random.choice(files).unwrap();
            let from = random.usize(..=other.len());
            bytes.truncate(at);
            bytes.extend(&other[from..]);
        }
        6 => bytes.truncate(at),
        7 => {
            let place = part(random, bytes);
            for byte in &mut bytes[place] {
                *byte = random.u8(..);
            }
        }
        _ => {
            let times = if random.u8(..8) == 0 {
                random.usize(..400)
            } else {
                1
            };
            let token = random.choice(TOKENS).unwrap().repeat(times);
            bytes.splice(at..at, token);
        }
    }
}

/// Some file with one to four changes.
fn mutant(random: &mut Rng, whole: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.choice(whole).unwrap().clone();
    for _ in 0..random.u8(1..=4) {
        mutate(random, &mut bytes, whole);
    }
    // A text with bytes that no text has is refused at once; most go further.
    if !wthor::is_games(&bytes) && random.u8(..4) > 0 {
        while let Some((at, _)) = files::first_binary(&bytes) {
            bytes[at] = b' ';
        }
    }
    bytes
}

/// One line that a person can read.
fn assert_sentence(error: &impl Display) {
    let sentence = error.to_string();
    assert!(!sentence.trim().is_empty());
    assert!(
        !sentence.contains(char::is_control),
        "control character: {sentence:?}"
    );
    let length = sentence.chars().count();
    assert!(
        length <= LONGEST_SENTENCE,
        "{length} characters: {sentence}"
    );
}

fn read(bytes: &[u8], names: &Names) -> Result<Vec<Result<Game, BadGame>>, NoGames> {
    Collection::read(bytes, names).map(|collection| collection.games)
}

/// The one game of a text that was written.
fn reread(text: &str) -> Game {
    let games = read(text.as_bytes(), &Names::default());
    match games.as_deref() {
        Ok([Ok(game)]) => game.clone(),
        other => panic!("{text:?} gave {other:?}"),
    }
}

/// The moves that place a disc, with their evaluations and times as records have them.
fn placed(game: &Game) -> Vec<(Square, Option<i64>, Option<u128>)> {
    let placed = game.moves().iter().filter_map(|played| {
        let eval = played.eval.map(|eval| (eval * 100.0).round() as i64);
        let time = played.time.map(|time| (time.as_micros() + 500) / 1000);
        Some((played.mv.square()?, eval, time))
    });
    placed.collect()
}

/// Who and where, as a kind of file may write it.
fn who_and_where(tags: &Tags, written: impl Fn(&str) -> String) -> [String; 4] {
    [&tags.black, &tags.white, &tags.event, &tags.date].map(|text| written(text))
}

fn on_one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// The result in hundredths of discs.
fn margin(game: &Game) -> Option<i64> {
    let margin = game.tags.outcome.map(|outcome| outcome.margin);
    let margin = margin.or_else(|| game.score().map(f64::from));
    margin.map(|margin| (margin * 100.0).round() as i64)
}

/// The game is legal, and each kind of file keeps what it can hold.
fn assert_written_and_read_back(game: &Game) {
    let mut position = game.start();
    for (played, &next) in game.moves().iter().zip(&game.positions()[1..]) {
        position = position.play(played.mv).unwrap();
        assert_eq!(position, next);
    }
    for position in game.positions() {
        let obf = parse_obf(&format!("{position};")).unwrap().unwrap();
        assert_eq!(obf.position, *position);
    }
    let squares = |game: &Game| placed(game).iter().map(|mv| mv.0).collect::<Vec<_>>();

    let ggf = reread(&game.to_ggf());
    assert_eq!(ggf.positions(), game.positions());
    assert_eq!(placed(&ggf), placed(game));
    assert_eq!(margin(&ggf), margin(game));
    assert_eq!(
        who_and_where(&ggf.tags, str::to_owned),
        who_and_where(&game.tags, on_one_line)
    );
    assert_eq!(reread(&ggf.to_ggf()), ggf);

    let sgf = reread(&game.to_sgf());
    assert_eq!(sgf.start(), game.start());
    assert_eq!(squares(&sgf), squares(game));
    assert_eq!(margin(&sgf), margin(game));
    assert_eq!(
        who_and_where(&sgf.tags, str::to_owned),
        who_and_where(&game.tags, str::to_owned)
    );
    assert_eq!(reread(&sgf.to_sgf()), sgf);

    let transcript = reread(&game.to_transcript());
    assert_eq!(transcript.start(), game.start());
    assert_eq!(squares(&transcript), squares(game));
    assert_eq!(margin(&transcript), margin(game));
    // The end of a line is no part of what it says, and neither is the end of a file in DOS.
    let value = |text: &str| {
        let text = on_one_line(text);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        text.to_owned()
    };
    assert_eq!(
        who_and_where(&transcript.tags, value),
        who_and_where(&game.tags, value)
    );
    assert_eq!(reread(&transcript.to_transcript()), transcript);
}

/// Reads the mutants with these numbers, which are their random seeds.
fn read_mutants(numbers: std::ops::Range<u64>) {
    let whole = whole_files();
    let (mut good, mut bad, mut refused) = (0, 0, 0);
    let mut failed: Vec<u64> = Vec::new();
    for number in numbers {
        let mut random = Rng::with_seed(number);
        let bytes = mutant(&mut random, &whole);
        let mut check = || {
            let mut names = Names::default();
            for (from, list, is_read) in [
                (8, &mut names.players, wthor::read_players as fn(&[u8]) -> _),
                (9, &mut names.tournaments, wthor::read_tournaments),
            ] {
                let mut bytes = whole[from].clone();
                mutate(&mut random, &mut bytes, &whole);
                match is_read(&bytes) {
                    Ok(read) => *list = read,
                    Err(error) => assert_sentence(&error),
                }
            }
            match read(&bytes, &names) {
                Err(error) => {
                    refused += 1;
                    assert_sentence(&error);
                }
                Ok(games) => {
                    for game in games {
                        match game {
                            Ok(game) => {
                                good += 1;
                                assert_written_and_read_back(&game);
                            }
                            Err(error) => {
                                bad += 1;
                                assert_sentence(&error);
                            }
                        }
                    }
                }
            }
        };
        if catch_unwind(AssertUnwindSafe(&mut check)).is_err() {
            println!("mutant {number}: b\"{}\"", bytes.escape_ascii());
            failed.push(number);
        }
    }
    println!("{good} games, {bad} bad games, {refused} files without games");
    assert!(good > 0 && bad > 0 && refused > 0);
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn mutants_are_read_or_refused_in_a_sentence() {
    for file in whole_files() {
        // The names are no games.
        for game in read(&file, &Names::default()).unwrap_or_default() {
            assert_written_and_read_back(&game.unwrap());
        }
    }
    read_mutants(0..100_000);
}

/// What went wrong with some mutant once.
#[test]
fn findings() {
    let refused = |text: &str| {
        let games = read(text.as_bytes(), &Names::default()).unwrap();
        let error = games[0].clone().unwrap_err();
        assert_sentence(&error);
        error.to_string()
    };
    let board = Position::START.to_string();
    let board = &board[..64];
    for (what, text, sentence) in [
        (
            "a line break in a value",
            "(;GM[Othello]TI[1\nx];)".to_owned(),
            r"game 1: line 1, column 14: TI[1\nx]: expected main/increment/grace, each [[h:]m:]s, like 15:00//2:00",
        ),
        (
            "a form feed in a move",
            "f5d\u{c}6".to_owned(),
            r"game 1: line 1, column 3, move 2: 'd\u{c}' is no move (expected a1..h8 or pass)",
        ),
        (
            "a control character in a board",
            board.replacen('-', "\u{9b}", 1),
            r"game 1: line 1, column 1: bad character: '\u{9b}' (expected X, O or - for each square, a1 to h8)",
        ),
        (
            "a long side to move",
            format!("{board} {}", "y".repeat(400)),
            "game 1: line 1, column 66: mover unknown: 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...' (expected X or O)",
        ),
        (
            "a long score, which the only line of a file may not have either",
            format!("{board} X; F5:{}", "1".repeat(400)),
            "game 1: line 1, column 69: 'F5:1111111111111111111111111111111111111...' \
             (expected a legal move and its score from -64 to 64, like A2:+38)",
        ),
        (
            "a long value of characters that are written longer",
            format!("(;GM[Othello]B[{}];)", "\u{7f}".repeat(400)),
            r"game 1: line 1, column 14: B[\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}...]: expected move/eval/time, like F5/1.50/0.23 or PA",
        ),
        (
            "a board without discs, which no other kind of file can hold",
            "(;GM[2]AE[dd][de][ed][ee]PL[W])".to_owned(),
            "game 1: line 1, column 26: start position: empty board",
        ),
    ] {
        assert_eq!(refused(&text), sentence, "{what}");
    }
    // A game of which nothing is known; a name that looks like the start of a record, and one that is blank.
    for text in [
        "(;GM[Othello];)",
        "% Black: (;GM[Othello]PB[x]\nf5",
        "(;GM[Othello]PB[ \u{1a}];)",
    ] {
        for game in read(text.as_bytes(), &Names::default()).unwrap() {
            assert_written_and_read_back(&game.unwrap());
        }
    }
    // Names that no text can hold.
    let players = wthor::read_players(&names(20, &[b"A\x01n\x85n"])).unwrap();
    assert_eq!(players, ["A\u{fffd}n\u{fffd}n"]);
}

/// A million: `cargo test --release --lib game::tests::mutants -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute in a release build"]
fn many_mutants_are_read_or_refused_in_a_sentence() {
    read_mutants(0..1_000_000);
}
