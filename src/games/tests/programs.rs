//! Round trips of games as NBoard and Quarry write them.

use super::*;
use crate::wthor::WthorNames;
use crate::{Collection, GameFormat};

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

/// Returns the part of a game that SGF stores: neither the clock nor the reason for the end.
fn without_clock(game: &Game) -> Game {
    let mut timeless = Game::new(game.start());
    timeless.tags = Tags {
        time: None,
        outcome: game
            .tags
            .outcome
            .map(|outcome| Outcome::played(outcome.margin)),
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
    let sgf = (GameFormat::Sgf, vec![without_clock(game)]);
    assert_eq!(read(&game.to_sgf()), sgf);
    let lines = (GameFormat::Transcript, vec![without_evals_and_times(game)]);
    assert_eq!(read(&game.to_transcript()), lines);
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

#[test]
fn random_games_round_trip_through_all_formats() {
    let mut random = fastrand::Rng::with_seed(5);
    for number in 0..100 {
        let mut game = random_game(&mut random);
        // SGF and transcripts omit a pass at the end.
        let is_pass = |last: &Played| last.mv == Move::Pass;
        while game.moves().last().is_some_and(is_pass) {
            game.undo();
        }
        game.tags = Tags {
            black: format!("A [1] \\n {number}"),
            white: "B\u{e9}a: x".to_owned(),
            event: "Open; 2".to_owned(),
            date: "2014-02-21 20:52:27 GMT".to_owned(),
            time: Some("15:00/0:12/2:00".parse().unwrap()),
            outcome: (game.is_over() || random.bool()).then(|| Outcome {
                margin: f64::from(random.i32(-64..=64)),
                ending: random.choice([Ending::Played, Ending::Resigned]).unwrap(),
            }),
        };
        assert_converted(&game);
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
        outcome: Some(Outcome::played(18.0)),
        ..Tags::default()
    };
    assert_eq!(game.tags, expected);
    assert_converted(game);
}
