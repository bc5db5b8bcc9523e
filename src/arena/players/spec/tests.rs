//! Tests of player specifications: parsing, canonical text, and error messages.

use super::*;
use emilia_core::eval::NetWeights;

/// Parses the options of a match from text such as `depth=3 hash=8`.
fn of_match(options: &str) -> Vec<Setting> {
    let pairs = options.split(' ').map(|pair| pair.split_once('=').unwrap());
    let settings = pairs.map(|(name, value)| options::find(name).unwrap().parse(value));
    settings.collect::<Result<_, _>>().unwrap()
}

/// Parses the specification of a player in a match with `--eval classic --depth 3`.
fn player(text: &str) -> Result<PlayerSpec, String> {
    PlayerSpec::parse(text, &of_match("eval=classic depth=3"))
}

#[test]
fn players_are_parsed_and_written_canonically() {
    let weights = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(weights.path(), NetWeights::EMBEDDED).unwrap();
    let path = weights.path().display().to_string();
    let table = include_str!("players.txt").replace("FILE", &path);
    for row in table.lines() {
        let (text, written) = row.split_once(" => ").unwrap();
        assert_eq!(player(text).unwrap().to_string(), written);
    }
}

#[test]
fn invalid_specifications_are_refused_with_the_expected_form() {
    // `⏎` and `␛` stand for a line break and an escape character, which a table of lines cannot
    // contain.
    for row in include_str!("refused.txt").lines() {
        let (text, sentence) = row.split_once(" => ").unwrap();
        let text = text.replace('⏎', "\n").replace('␛', "\x1b");
        let error = player(&text).unwrap_err();
        assert!(error.starts_with(sentence), "{text}: {error}");
    }
}

#[test]
fn hash_and_threads_of_the_match_are_options_of_uci_programs() {
    for (text, written) in [
        ("uci:engine", "uci:option.Hash=64,option.Threads=2,engine"),
        (
            "uci:option.hash=8,engine",
            "uci:option.Threads=2,option.hash=8,engine",
        ),
        ("gtp:engine", "gtp:engine"),
    ] {
        let player = PlayerSpec::parse(text, &of_match("hash=64 threads=2")).unwrap();
        assert_eq!(player.to_string(), written);
    }
}
