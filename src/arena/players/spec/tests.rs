//! Player specifications: parsing, canonical text, and errors of invalid ones.

use super::*;
use emilia_core::eval::{Classic, NetWeights};
use emilia_core::search::{Limits, Selectivity};

/// Writes the embedded weights of the net to a file of the test `name`.
fn weights_file(name: &str) -> String {
    let name = format!("emilia-{}-{name}.bin", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, NetWeights::EMBEDDED).expect("a writable folder");
    path.to_string_lossy().into_owned()
}

/// Defaults of a match with these limits and no other options.
fn defaults(limits: Limits) -> BuiltinSpec {
    let mut defaults = BuiltinSpec::default();
    defaults.setup.limits = limits;
    defaults
}

/// Parses a player of a match with `--eval classic --depth 3`.
fn player(text: &str) -> Result<PlayerSpec, String> {
    let mut defaults = defaults(Limits::depth(3));
    defaults.setup.settings.evaluator = Classic.into();
    PlayerSpec::parse(text, &defaults)
}

/// Formats everything that the moves of a built-in player depend on.
fn played(player: &PlayerSpec) -> String {
    let builtin = player.builtin().unwrap();
    let Setup {
        settings,
        limits,
        play_settings,
    } = &builtin.setup;
    let choice = (limits, builtin.level, play_settings);
    let common = (player.keep, player.clock, &builtin.weights);
    format!(
        "{} {} {} {choice:?} {common:?} {:?}",
        settings.hash_mib,
        settings.selectivity,
        settings.threads,
        player.fingerprint()
    )
}

#[test]
fn what_is_written_reads_back_as_what_is_played() {
    let net = &*format!("weights={}", weights_file("written"));
    // Each option at its default and beside it.
    let rows = [
        "level=8 level=1 level=h5",
        "seed=1 level=h5,seed=1 level=h5,seed=2",
        "depth=3 depth=60",
        "time=0.1 time=0.000000001",
        "clock=60+0 clock=9.5+0.25",
        "nodes=1 nodes=18446744073709551615",
        "exact=0 exact=60 level=8,exact=4",
        "threads=1 threads=2",
        "hash=1 hash=2 hash=8 depth=20,hash=64 depth=20,hash=65",
        "eval=net eval=classic",
        &format!("{net} eval=simple"),
        "selectivity=73 selectivity=87 selectivity=100",
        "book=off book=on book=on,seed=2",
        "book-error=0.5 book-error=0 book-error=1.25",
        "keep=no keep=yes",
    ];
    for option in engine_options() {
        let key = format!("{}=", option.name());
        assert!(rows.iter().any(|row| row.starts_with(&key)), "{key}");
    }
    let mut with_options = defaults(Limits::depth(3));
    with_options.setup.settings.selectivity = Selectivity::P100;
    with_options.hash_mib = Some(8);
    for text in rows.iter().flat_map(|row| row.split(' ')) {
        for of_match in [&defaults(Limits::depth(3)), &with_options] {
            let text = format!("builtin:{text}");
            let player = PlayerSpec::parse(&text, of_match).unwrap();
            let written = player.to_string();
            let again = PlayerSpec::parse(&written, &defaults(Limits::default())).unwrap();
            assert_eq!(played(&again), played(&player), "{text} as {written}");
            assert_eq!(again.to_string(), written);
        }
    }
}

#[test]
fn a_level_is_kept_in_the_text_and_becomes_a_depth_in_the_identity() {
    for (text, shown, identity) in [
        ("level=8", "level=8", "depth=8"),
        (" level=8 ", "level=8", "depth=8"),
        ("depth=5,level=8", "level=8", "depth=8"),
        ("level=8,depth=5", "depth=5", "depth=5"),
        ("level=h5", "level=h5,seed=1", "level=h5,seed=1"),
        ("level=8,name=A", "name=A,level=8", "name=A,depth=8"),
        ("", "depth=3", "depth=3"),
    ] {
        let text = format!("builtin:{text}");
        let player = player(&text).unwrap();
        let given = text.strip_suffix("level=8,name=A").map(|_| "A");
        assert_eq!(player.name(), given.unwrap_or(text.trim()));
        let written =
            [shown, identity].map(|keys| format!("builtin:{keys},eval=classic,selectivity=73"));
        assert_eq!([player.to_string(), player.identity()], written);
    }
}

#[test]
fn players_are_parsed_and_written_canonically() {
    let net = weights_file("canonical");
    let with_weights =
        format!("builtin:eval=net,weights={net} => builtin:depth=3,weights={net},selectivity=73");
    for row in [
        &*with_weights,
        "builtin => builtin:depth=3,eval=classic,selectivity=73",
        "builtin: time=0.1, nodes=5 ,exact=20,hash=2 \
         => builtin:depth=3,time=0.1,nodes=5,exact=20,eval=classic,hash=2,selectivity=73",
        "gtp: ./x -a:b  => gtp:./x -a:b",
        "uci:option.Use NNUE=false, name=F, option.Hash=8,./x --a=b \
         => uci:name=F,option.Use NNUE=false,option.Hash=8,./x --a=b",
        "gtp:depth=1 ./x a,b => gtp:depth=1 ./x a,b",
        "gtp:OMP_PLACES=0,1 ./x => gtp:OMP_PLACES=0,1 ./x",
        "gtp: keep=yes, name=A player ,./x --name=b,c => gtp:name=A player,keep=yes,./x --name=b,c",
        "gtp:clock=60,name=N,./x => gtp:name=N,clock=60+0,./x",
        "nboard:time=0.50,./x => nboard:time=0.5,./x",
        "builtin:name=New,keep=yes => builtin:name=New,keep=yes,depth=3,eval=classic,selectivity=73",
    ] {
        let (text, written) = row.split_once(" => ").unwrap();
        assert_eq!(player(text).unwrap().to_string(), written);
    }
}

#[test]
fn invalid_specifications_are_refused_with_the_expected_form() {
    for row in [
        " => '' is not a player",
        "xboard:x => 'xboard:x' is not a player",
        "uci:option.Hash=8 => 'uci:option.Hash=8': expected a command",
        "gtp: => 'gtp:': expected a command, as in gtp:COMMAND or",
        "gtp:option.Hash=1,y \
         => gtp player: option.Hash: expected name, keep, time, clock before a command",
        "uci:depth=3,y => uci player: depth: expected name, keep, time, clock or option.NAME",
        "uci:option.Hash=1\nquit,y => uci player: option.Hash: expected no control",
        "uci:option.=0,y => uci player: option.: expected the name of an option",
        "builtin:depth => builtin player: depth: '' is not a depth from 1 to 60",
        "builtin:level=h15 => builtin player: level: 'h15' is not a level from 1 to 60, or h1",
        "builtin:time=0 => builtin player: time: '0' is not a positive",
        "builtin:colour=1 => builtin player: colour: there is no such key (expected level, seed,",
        "builtin:keep=on => builtin player: keep: 'on' is not yes or no",
        "gtp:name=a\u{1b}[m,x => gtp player: name: 'a\\u{1b}[m' is not a name of visible",
        "gtp:time=0,x => gtp player: time: '0' is not a positive number of seconds",
        "builtin:clock=1+x => builtin player: clock: '1+x' is not a clock (expected MAIN or",
        "builtin:time=1,clock=60 => builtin player: clock: expected one time or clock",
        "builtin:name => builtin player: name: '' is not a name of",
        "uci:name= ,x => uci player: name: '' is not a name of",
        "gtp:name=x y => 'gtp:name=x y': expected a command, as",
        "builtin:hash=1,depth=3,hash=2 => builtin player: hash: it is given twice",
        "uci:option.Hash=1,option.Hash=2,x => uci player: option.Hash: it is given",
    ] {
        let (text, sentence) = row.split_once(" => ").unwrap();
        let error = player(text).unwrap_err();
        assert!(error.starts_with(sentence), "{text}: {error}");
    }
}

#[test]
fn weights_of_another_evaluation_are_refused() {
    let path = weights_file("refused");
    let error = player(&format!("builtin:eval=classic,weights={path}")).unwrap_err();
    assert!(error.ends_with("these weights go with eval=net"), "{error}");
}

#[test]
fn hash_and_threads_of_the_match_are_options_of_uci_programs() {
    let defaults = BuiltinSpec {
        hash_mib: Some(64),
        threads: NonZero::new(2),
        ..BuiltinSpec::default()
    };
    for (text, written) in [
        ("uci:engine", "uci:option.Hash=64,option.Threads=2,engine"),
        (
            "uci:option.hash=8,engine",
            "uci:option.Threads=2,option.hash=8,engine",
        ),
        ("gtp:engine", "gtp:engine"),
    ] {
        let player = PlayerSpec::parse(text, &defaults).unwrap();
        assert_eq!(player.to_string(), written);
    }
}
