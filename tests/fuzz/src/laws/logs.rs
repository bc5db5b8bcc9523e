//! Law of the logs of matches.
//! A log with any content is resumed without losing a complete game, or refused and left unchanged.

use std::fs;
use std::path::Path;

use emilia_arena::{MatchGame, MatchLog, MatchParameters, Openings, Schedule, Standing};

use super::{assert_sentence, file_of};

/// Number of games of the match.
const GAMES: usize = 4;

/// Resumes the bytes as a match log, and as one behind a valid header.
pub(super) fn law(bytes: &[u8]) {
    of_a_match(bytes);
    of_a_match(&[&header(), bytes].concat());
}

/// Returns the parameters of the match.
fn parameters() -> MatchParameters {
    MatchParameters {
        first: "a".to_owned(),
        second: "b".to_owned(),
        openings: "random:0".to_owned(),
        fingerprints: vec![None; 2],
        ..MatchParameters::default()
    }
}

/// Returns the first line of a match log.
fn header() -> Vec<u8> {
    let file = file_of(b"");
    let log = MatchLog::open(&file, &parameters(), |_| Ok(()));
    drop(log.expect("an empty file"));
    content(&file)
}

fn content(file: &Path) -> Vec<u8> {
    fs::read(file).expect("a file that was written")
}

/// Returns the schedule of the match: two pairs of games from the initial position.
fn schedule() -> Schedule {
    let openings: Openings = "random:0".parse().expect("openings");
    openings.schedule(1, Some(GAMES / 2)).expect("the start")
}

fn of_a_match(bytes: &[u8]) {
    let file = file_of(bytes);
    let schedule = schedule();
    let (mut games, mut standing) = (Vec::new(), Standing::new(&schedule));
    let resumed = MatchLog::open(&file, &parameters(), |game| {
        standing.add(&game, &schedule)?;
        games.push(game);
        Ok(())
    });
    let mut log = match resumed {
        Ok(log) => log,
        Err(error) => {
            assert_eq!(content(&file), bytes, "a refused log must stay unchanged");
            return assert_sentence(&error);
        }
    };
    let kept = content(&file);
    assert!(bytes.starts_with(&kept) || games.is_empty());
    for game in &games {
        show(game);
        log.add(game).expect("a file that can be written");
    }
    drop(log);
    let mut all = Vec::new();
    MatchLog::open(&file, &parameters(), |game| {
        all.push(game);
        Ok(())
    })
    .expect("a log");
    assert_eq!(all, [&games[..], &games[..]].concat());
    assert!(content(&file).starts_with(&kept));
}

/// Runs the conversions of a logged game: score and GGF.
fn show(game: &MatchGame) {
    game.first_score();
    let record = game.to_game().expect("moves that were checked");
    assert!(record.to_ggf().starts_with("(;GM[Othello]"));
}
