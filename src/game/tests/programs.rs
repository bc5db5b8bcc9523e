//! Round trips of games as NBoard and Quarry write them.

use std::fmt::Write as _;

use super::*;
use crate::game::wthor::WthorNames;
use crate::game::{Collection, GameFormat};

/// A game as NBoard sends it, in GGF.
const FROM_NBOARD: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]\
     PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]\
     BO[8 --------------------------- O*------*O --------------------------- *]\
     B[F5//2.449]W[D6/-1.34]B[C3/1.5/0.02];)";

/// A game saved by Quarry 0.2.0, in SGF.
const FROM_QUARRY: &str = include_str!("../../../tests/quarry.sgf");

/// The transcript of [`FROM_QUARRY`].
const MOVES_OF_QUARRY: &str = "d3c5f6e3f3f4f5d2c1f2e2d1e1f1g1e6c4g4c2g5h5b1a1g2c3\
     h4h3h1g6b2h6b3a2g3a3f7h2g7h7h8b4a4d7d6a5d8b6c6b5a6b7a8a7c7b8g8e8f8e7c8";

fn read(text: &str) -> (GameFormat, Vec<Game>) {
    let collection = Collection::read(text.as_bytes(), &WthorNames::default());
    let collection = collection.unwrap_or_else(|error| panic!("{text}: {error}"));
    let games = collection.games.into_iter();
    let games = games.map(|game| game.unwrap_or_else(|error| panic!("{text}: {error}")));
    (collection.kind, games.collect())
}

/// Returns the part of a game that a transcript stores.
fn without_evals_and_times(game: &Game) -> Game {
    let mut bare = Game::from(&game.transcript());
    bare.tags = game.tags.clone();
    bare
}

/// Returns the part of a game that SGF stores.
fn without_clock(game: &Game) -> Game {
    let mut timeless = Game::new(game.start());
    timeless.tags = Tags {
        time: None,
        ..game.tags.clone()
    };
    for played in game.moves() {
        // SGF omits passes and their evaluations.
        let eval = played.eval.filter(|_| played.mv != Move::Pass);
        timeless
            .play(Played {
                eval,
                time: None,
                ..*played
            })
            .unwrap();
    }
    timeless
}

/// Asserts that each format reads back what it wrote.
///
/// The last move of `game` must not be a pass. If the game is over, it must have an outcome.
fn assert_converted(game: &Game) {
    assert_eq!(read(&game.to_ggf()), (GameFormat::Ggf, vec![game.clone()]));
    let sgf = without_clock(game);
    assert_eq!(read(&game.to_sgf()), (GameFormat::Sgf, vec![sgf.clone()]));
    let transcript = without_evals_and_times(game);
    let lines = (GameFormat::Transcript, vec![transcript.clone()]);
    assert_eq!(read(&game.to_transcript()), lines);
    // Converting GGF to SGF to a transcript keeps what each of the formats stores.
    let last = without_evals_and_times(&sgf);
    let (_, ggf) = read(&game.to_ggf());
    let (_, sgf) = read(&ggf[0].to_sgf());
    let (_, lines) = read(&sgf[0].to_transcript());
    assert_eq!(lines, [last]);
}

#[test]
fn ggf_sent_by_nboard_is_read() {
    for text in [FROM_NBOARD.to_owned(), format!(" 1 {FROM_NBOARD}\n")] {
        let game = Game::from_ggf(&text).unwrap();
        assert_eq!(game.tags.black, "./mEdax");
        assert_eq!(game.tags.white, "chris");
        assert_eq!(game.tags.event, "NBoard");
        assert_eq!(game.tags.date, "2014-02-21 20:52:27 GMT");
        assert_eq!(game.tags.outcome, None);
        assert_eq!(game.tags.time, Some("15:00".parse().unwrap()));
        assert_eq!(game.start(), Position::START);
        let expected = ["f5//2.449", "d6/-1.34", "c3/1.5/0.02"];
        let expected = expected.map(|text| text.parse::<Played>().unwrap());
        assert_eq!(game.moves(), expected);
        assert_eq!(
            game.time_left(Color::Black),
            Some(Duration::from_millis(897_531))
        );
        assert_converted(&game);
    }
}

/// Formats a game as NBoard saves it: squares in capitals, with passes, evaluations and times.
fn as_nboard(game: &Game) -> String {
    let mut text = String::from("(;GM[Othello]");
    let Tags {
        black,
        white,
        event,
        date,
        ..
    } = &game.tags;
    write!(text, "PC[{event}]DT[{date}]PB[{black}]PW[{white}]").unwrap();
    match game.tags.outcome {
        Some(outcome) => write!(text, "RE[{:.3}]", outcome.margin).unwrap(),
        None => text.push_str("RE[?]"),
    }
    let squares = game.start().to_string();
    let squares = squares.replace('X', "*").replace(' ', "");
    let (board, mover) = squares.split_at(64);
    write!(text, "TI[05:00//02:00]TY[8]BO[8 {board} {mover}]").unwrap();
    for (played, position) in game.moves().iter().zip(game.positions()) {
        let side = if position.mover == Color::Black {
            'B'
        } else {
            'W'
        };
        let mv = match played.mv {
            Move::Place(square) => square.to_string().to_uppercase(),
            Move::Pass => "PA".to_owned(),
        };
        write!(text, "{side}[{mv}").unwrap();
        match (played.eval, played.time) {
            (None, None) => {}
            (Some(eval), None) => write!(text, "/{eval:.2}").unwrap(),
            (None, Some(time)) => write!(text, "//{:.3}", time.as_secs_f64()).unwrap(),
            (Some(eval), Some(time)) => {
                write!(text, "/{eval:.2}/{:.3}", time.as_secs_f64()).unwrap();
            }
        }
        text.push(']');
    }
    text + ";)\n"
}

#[test]
fn nboard_files_round_trip() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut passes = 0;
    let games: Vec<Game> = (0..100)
        .map(|number| {
            let mut game = random_game(&mut random);
            // SGF and transcripts omit a pass at the end.
            while game
                .moves()
                .last()
                .is_some_and(|last| last.mv == Move::Pass)
            {
                game.undo();
            }
            passes += game.moves().len() - game.placed();
            game.tags = Tags {
                black: format!("Ann {number}"),
                white: "./mEdax".to_owned(),
                event: "NBoard".to_owned(),
                date: "2014-02-21 20:52:27 GMT".to_owned(),
                time: Some("5:00//2:00".parse().unwrap()),
                outcome: game.score().map(|score| Outcome {
                    margin: f64::from(score),
                    ending: Ending::Played,
                }),
            };
            game
        })
        .collect();
    assert!(passes > 10);
    // The file has one game on each line.
    let text: String = games.iter().map(as_nboard).collect();
    assert_eq!(read(&text), (GameFormat::Ggf, games.clone()));
    for game in &games {
        assert_converted(game);
    }
}

#[test]
fn sgf_saved_by_quarry_is_read() {
    let (kind, games) = read(FROM_QUARRY);
    let [game] = games.as_slice() else {
        panic!("{games:?}");
    };
    assert_eq!(kind, GameFormat::Sgf);
    let moves = MOVES_OF_QUARRY.parse::<Position>().unwrap();
    assert_eq!(game.position(), moves);
    assert_eq!(game.transcript().to_string(), MOVES_OF_QUARRY);
    assert_eq!(game.moves().len(), 61, "the record omits one pass");
    assert_eq!((game.placed(), game.score()), (60, Some(18)));
    let expected = Tags {
        black: "Emilia 0.1.0".to_owned(),
        white: "Emilia 0.1.0".to_owned(),
        outcome: Some(Outcome {
            margin: 18.0,
            ending: Ending::Played,
        }),
        ..Tags::default()
    };
    assert_eq!(game.tags, expected);
    assert_converted(game);
}

/// Formats a game as Quarry saves it, with random comments, marks and variations.
fn as_quarry(game: &Game, random: &mut fastrand::Rng) -> String {
    let mut text = String::from("(;GM[2]FF[4]\nCA[UTF-8]\nAP[Quarry:0.2.0]\nSZ[8]\n");
    let Tags {
        black,
        white,
        event,
        date,
        ..
    } = &game.tags;
    write!(
        text,
        "PB[{black}]\nPW[{white}]\nEV[{event}]\nDT[{date}]\nTM[600]\n"
    )
    .unwrap();
    match game.tags.outcome.map(|outcome| outcome.margin) {
        None => text.push_str("RE[Void]\n"),
        Some(0.0) => text.push_str("RE[Draw]\n"),
        Some(margin) if margin > 0.0 => writeln!(text, "RE[B+{margin}]").unwrap(),
        Some(margin) => writeln!(text, "RE[W+{}]", -margin).unwrap(),
    }
    let point = |square: Square| {
        let [file, rank] = [square.file(), square.rank()].map(|at| char::from(b'a' + at));
        format!("[{file}{rank}]")
    };
    text.push_str("C[Opening: (x\\]\\\\\nsecond line]\n");
    let mut open = 0;
    for (played, position) in game.moves().iter().zip(game.positions()) {
        let side = if position.mover == Color::Black {
            'B'
        } else {
            'W'
        };
        let Some(square) = played.mv.square() else {
            continue;
        };
        if random.u8(..8) == 0 {
            text.push_str("\n(");
            open += 1;
        }
        write!(text, ";{side}{}", point(square)).unwrap();
        match random.u8(..8) {
            0 => text.push_str("BL[312.5]WL[290]"),
            1 => text.push_str("\nLB[aa:1][bb:2]MA[cc]TR[dd:ee]\n"),
            2 => text.push_str("C[good; W[aa\\] is worse]N[here]"),
            _ => {}
        }
    }
    // Closes the open branches; each gets a variation that is not part of the main line.
    text + &")\n(;B[aa];W[bb])".repeat(open) + ")\n"
}

#[test]
fn quarry_files_round_trip() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut text = String::new();
    let mut games = Vec::new();
    for _ in 0..100 {
        let mut game = Game::default();
        let most = random.usize(20..80);
        while let Some(mv) = random.choice(game.position().moves())
            && (game.moves().len() < most || mv == Move::Pass)
        {
            game.play(mv).unwrap();
        }
        while game
            .moves()
            .last()
            .is_some_and(|last| last.mv == Move::Pass)
        {
            game.undo();
        }
        game.tags = Tags {
            black: "GRhino 0.16.1".to_owned(),
            white: "B\u{e9}a".to_owned(),
            event: "Caf\u{e9}".to_owned(),
            date: "2026-11-22".to_owned(),
            time: None,
            outcome: game.score().map(|score| Outcome {
                margin: f64::from(score),
                ending: Ending::Played,
            }),
        };
        text += &as_quarry(&game, &mut random);
        assert_converted(&game);
        games.push(game);
    }
    assert!(games.iter().any(|game| game.placed() < game.moves().len()));
    assert_eq!(read(&text), (GameFormat::Sgf, games));
}
