//! Resuming a log, and logs of other matches.

use std::path::PathBuf;

use crate::{EndReason, MatchGame, MatchLog, MatchParameters};
use emilia_core::board::Color;

fn parameters() -> MatchParameters {
    MatchParameters {
        first: "a".to_owned(),
        second: "b".to_owned(),
        openings: "random:8".to_owned(),
        fingerprints: vec![None; 2],
        ..MatchParameters::default()
    }
}

fn record(game: usize) -> MatchGame {
    MatchGame {
        game,
        black: "a".to_owned(),
        white: "b".to_owned(),
        first: Color::Black,
        opening: String::new(),
        moves: "f5".to_owned(),
        score: 0,
        reason: EndReason::Played,
        move_records: Vec::new(),
    }
}

/// Temporary file, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("emilia-log-{}-{name}", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn games(&self) -> Vec<usize> {
        let mut games = Vec::new();
        let add = |record: MatchGame| {
            games.push(record.game);
            Ok(())
        };
        MatchLog::resume(&self.0, &parameters(), add).unwrap();
        games
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn concatenated_logs_count_as_one() {
    let scratch = Scratch::new("joined");
    let mut log = MatchLog::create(&scratch.0, &parameters()).unwrap();
    log.add(&record(0)).unwrap();
    drop(log);
    let whole = std::fs::read(&scratch.0).unwrap();
    std::fs::write(&scratch.0, [&whole[..], &whole[..]].concat()).unwrap();
    assert_eq!(scratch.games(), [0, 0]);
}

#[test]
fn discarding_removes_only_a_new_log() {
    let scratch = Scratch::new("one");
    let log = MatchLog::create(&scratch.0, &parameters()).unwrap();
    log.discard();
    assert!(!scratch.0.exists());

    MatchLog::create(&scratch.0, &parameters())
        .unwrap()
        .add(&record(3))
        .unwrap();
    let resume = || MatchLog::resume(&scratch.0, &parameters(), |_| Ok(())).unwrap();
    resume().discard();
    assert_eq!(scratch.games(), [3]);
}

#[test]
fn logs_from_before_tournaments_are_resumed() {
    let scratch = Scratch::new("older");
    drop(MatchLog::create(&scratch.0, &parameters()).unwrap());
    let log = std::fs::read_to_string(&scratch.0).unwrap();
    let older = log.replace(",\"others\":[],\"tournament\":null", "");
    assert_ne!(older, log);
    std::fs::write(&scratch.0, older).unwrap();
    assert!(scratch.games().is_empty());
}
