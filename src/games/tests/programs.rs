//! Round trips of games as NBoard and Quarry write them.

use super::*;

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

#[test]
fn ggf_sent_by_nboard_is_read() {
    for text in [FROM_NBOARD.to_owned(), format!(" 1 {FROM_NBOARD}\n")] {
        let game: Game = text.parse().unwrap();
        let expected = Tags {
            black: "./mEdax".to_owned(),
            white: "chris".to_owned(),
            event: "NBoard".to_owned(),
            date: "2014-02-21 20:52:27 GMT".to_owned(),
            time: Some("15:00".parse().unwrap()),
            ..Tags::default()
        };
        assert_eq!(
            (game.tags.clone(), game.start()),
            (expected, Position::START)
        );
        let expected = ["f5//2.449", "d6/-1.34", "c3/1.5/0.02"];
        let expected = expected.map(|text| text.parse::<Played>().unwrap());
        assert_eq!(game.moves(), expected);
        assert_eq!(
            game.time_left(Color::Black),
            Some(Duration::from_millis(897_531))
        );
    }
}

/// `tests/fuzz` has the laws of SGF and transcripts, which do not store all of a game.
#[test]
fn ggf_keeps_all_of_a_game() {
    let mut random = fastrand::Rng::with_seed(5);
    for number in 0..100 {
        let mut game = random_game(&mut random);
        game.tags = Tags {
            black: format!("A [1] \\n {number}"),
            white: "B\u{e9}a: x".to_owned(),
            event: "Open; 2".to_owned(),
            date: "2014-02-21 20:52:27 GMT".to_owned(),
            time: Some("15:00/0:12/2:00".parse().unwrap()),
            white_time: random.bool().then(|| Box::new("10:00".parse().unwrap())),
            // The result of a finished game is that of the board.
            outcome: match game.score() {
                Some(score) => Some(Outcome::played(score.into())),
                None => random.bool().then(|| Outcome {
                    margin: f64::from(random.i32(-64..=64)),
                    ending: random.choice([Ending::Played, Ending::Resigned]).unwrap(),
                }),
            },
            more: vec![("BlackElo".to_owned(), "1500".to_owned())],
        };
        assert_eq!(read(game.to_ggf()), [Ok(game)]);
    }
}

#[test]
fn sgf_saved_by_quarry_is_read() {
    let game = only(FROM_QUARRY);
    assert_eq!(game.transcript().to_string(), MOVES_OF_QUARRY);
    assert_eq!(game.moves().len(), 61, "the record omits one pass");
    assert_eq!((game.placed(), game.score()), (60, Some(18)));
    let expected = Tags {
        black: "Emilia 0.1.0".to_owned(),
        white: "Emilia 0.1.0".to_owned(),
        outcome: Some(Outcome::played(18.0)),
        ..Tags::default()
    };
    assert_eq!(game.tags, expected);
}
