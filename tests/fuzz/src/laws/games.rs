//! Property test of the game file formats: transcripts with headers, text, OBF, PGN, GGF, SGF, JSON.
//! A game that is written and read again keeps everything that the format can store.

use emilia_core::board::Square;
use emilia_games::wthor::WthorNames;
use emilia_games::{Collection, Ending, Game, SgfSquares, Tags};

use super::assert_sentence;

/// Reads the bytes as a collection and as one game.
pub(super) fn law(bytes: &[u8]) {
    read(bytes, &WthorNames::default());
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = text.parse::<Game>() {
        assert_sentence(&error);
    }
}

/// Reads a game file of any format and checks every game and error in it.
pub(super) fn read(bytes: &[u8], names: &WthorNames) {
    match Collection::read(bytes, names) {
        Err(error) => assert_sentence(&error),
        Ok(collection) => {
            assert!(!collection.games.is_empty());
            for game in &collection.games {
                match game {
                    Ok(game) => {
                        let game = game.game();
                        game.warnings().iter().for_each(assert_sentence);
                        assert_written_and_read_back(&game);
                    }
                    Err(error) => assert_sentence(error),
                }
            }
        }
    }
}

/// Reads a text written by one of the formats, which must contain one game.
fn reread(text: &str) -> Game {
    let collection = Collection::read(text.as_bytes(), &WthorNames::default());
    let games = collection.map(|collection| collection.games);
    match games.as_deref() {
        Ok([Ok(game)]) => game.game(),
        // A header with moves, before none, may be a damaged game: it is read and reported.
        Ok([Err(_), Ok(game)]) if game.game().moves().is_empty() => game.game(),
        other => panic!("{text:?} gave {other:?}"),
    }
}

/// Returns the moves without passes: square, evaluation in 1/100 disc, time in ms, both rounded.
fn placed(game: &Game) -> Vec<(Square, Option<i64>, Option<u128>)> {
    let placed = game.moves().iter().filter_map(|played| {
        let eval = played.eval.map(|eval| (eval * 100.0).round() as i64);
        let time = played.time.map(|time| (time.as_micros() + 500) / 1000);
        Some((played.mv.square()?, eval, time))
    });
    placed.collect()
}

/// Returns the tags Black, White, event and date, converted by `written`.
fn who_and_where(tags: &Tags, written: &dyn Fn(&str) -> String) -> [String; 4] {
    [&tags.black, &tags.white, &tags.event, &tags.date].map(|text| written(text))
}

/// Replaces line ends by spaces.
fn on_one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// Returns the result in 1/100 disc: the result in the tags, else the final score.
fn margin(game: &Game) -> Option<i64> {
    // GGF does not keep a winner without a reason.
    let outcome = game
        .tags
        .outcome
        .filter(|outcome| outcome.ending != Ending::Unknown);
    let margin = outcome.map(|outcome| outcome.margin);
    let margin = margin.or_else(|| game.score().map(f64::from));
    margin.map(|margin| (margin * 100.0).round() as i64)
}

/// Asserts that the game is legal, and that each format keeps everything that it can store.
fn assert_written_and_read_back(game: &Game) {
    let mut position = game.start();
    for (played, &next) in game.moves().iter().zip(&game.positions()[1..]) {
        position = position.play(played.mv).expect("a legal move");
        assert_eq!(position, next);
    }
    for position in game.positions() {
        let obf = Collection::read(format!("{position};").as_bytes(), &WthorNames::default());
        let obf = obf.expect("a position as written").games.remove(0);
        assert_eq!(obf.expect("a position").start(), *position);
    }
    // What a format keeps: the start, the squares of the moves, the result and these tags.
    let kept = |game: &Game, written: &dyn Fn(&str) -> String| {
        let squares: Vec<Square> = placed(game).iter().map(|mv| mv.0).collect();
        (
            game.start(),
            squares,
            margin(game),
            who_and_where(&game.tags, written),
        )
    };
    let as_it_is = &|text: &str| text.to_owned();

    let ggf = reread(&game.to_ggf());
    assert_eq!(ggf.positions(), game.positions());
    assert_eq!(placed(&ggf), placed(game));
    assert_eq!(kept(&ggf, as_it_is), kept(game, &on_one_line));
    assert_eq!(reread(&ggf.to_ggf()), ggf);

    let sgf = reread(&game.to_sgf());
    assert_eq!(kept(&sgf, as_it_is), kept(game, &on_one_line));
    assert_eq!(reread(&sgf.to_sgf()), sgf);
    assert_eq!(reread(&sgf.to_sgf_with(SgfSquares::Names)), sgf);

    let pgn = reread(&game.to_pgn());
    // An unknown value is a question mark.
    let known = &|text: &str| {
        let text = on_one_line(text);
        let is_unknown = text == "-" || text.chars().all(|letter| "?.".contains(letter));
        if is_unknown { String::new() } else { text }
    };
    let mut dated = game.clone();
    dated.tags.date = dated.tags.date.replace('-', ".");
    assert_eq!(kept(&pgn, as_it_is), kept(&dated, known));
    assert_eq!(reread(&pgn.to_pgn()), pgn);

    let transcript = reread(&game.to_transcript());
    // Header values of transcripts are trimmed of whitespace and of Ctrl-Z, the DOS end of file.
    let value = &|text: &str| {
        let text = on_one_line(text);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        text.to_owned()
    };
    assert_eq!(kept(&transcript, value), kept(game, value));
    assert_eq!(reread(&transcript.to_transcript()), transcript);
}
