//! Logs of earlier versions.

use crate::{MatchLog, MatchParameters};

#[test]
fn logs_from_before_tournaments_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let parameters = MatchParameters {
        first: "a".to_owned(),
        second: "b".to_owned(),
        openings: "random:8".to_owned(),
        fingerprints: vec![None; 2],
        ..MatchParameters::default()
    };
    drop(MatchLog::open(&path, &parameters, |_| Ok(())).unwrap());
    let log = std::fs::read_to_string(&path).unwrap();
    let older = log.replace(",\"others\":[],\"tournament\":null", "");
    assert_ne!(older, log);
    std::fs::write(&path, older).unwrap();
    MatchLog::open(&path, &parameters, |_| Ok(())).unwrap();
}
