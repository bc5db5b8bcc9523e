//! Logs of earlier versions.

use crate::{MatchLog, MatchParameters};

#[test]
fn logs_from_before_tournaments_are_resumed() {
    let name = format!("emilia-log-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
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
    std::fs::remove_file(path).unwrap();
}
