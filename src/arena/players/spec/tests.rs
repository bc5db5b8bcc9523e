//! Player specifications: parsing, canonical text, and errors of invalid ones.

use super::*;
use emilia_core::eval::NetWeights;

/// Writes the embedded weights of the net to a file of the test `name`.
fn weights_file(name: &str) -> String {
    let name = format!("emilia-{}-{name}.bin", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, NetWeights::EMBEDDED).expect("a writable folder");
    path.to_string_lossy().into_owned()
}

/// Options of a match such as `depth=3 hash=8`.
fn of_match(options: &str) -> Vec<Setting> {
    let pairs = options.split(' ').map(|pair| pair.split_once('=').unwrap());
    let settings = pairs.map(|(name, value)| options::find(name).unwrap().parse(value));
    settings.collect::<Result<_, _>>().unwrap()
}

/// Parses a player of a match with `--eval classic --depth 3`.
fn player(text: &str) -> Result<PlayerSpec, String> {
    PlayerSpec::parse(text, &of_match("eval=classic depth=3"))
}

#[test]
fn players_are_parsed_and_written_canonically() {
    let weights = weights_file("canonical");
    for row in [
        &*format!("builtin:weights={weights} => builtin:depth=3,weights={weights},selectivity=73"),
        "builtin => builtin:depth=3,eval=classic,selectivity=73",
        "builtin: time=0.1, nodes=5 ,exact=20,hash=2 \
         => builtin:depth=3,time=0.1,nodes=5,exact=20,eval=classic,hash=2,selectivity=73",
        "builtin:level=8,eval=net => builtin:depth=8,eval=net,selectivity=73",
        "builtin:level=h5 => builtin:level=h5,seed=1,eval=classic,selectivity=73",
        "builtin:name=New,keep=yes => builtin:name=New,keep=yes,depth=3,eval=classic,selectivity=73",
        "gtp: ./x -a:b  => gtp:./x -a:b",
        "uci:option.Use NNUE=false, name=F, option.Hash=8,./x --a=b \
         => uci:name=F,option.Use NNUE=false,option.Hash=8,./x --a=b",
        "gtp:depth=1 ./x a,b => gtp:depth=1 ./x a,b",
        "gtp:OMP_PLACES=0,1 ./x => gtp:OMP_PLACES=0,1 ./x",
        "gtp: keep=yes, name=A player ,./x --name=b,c => gtp:name=A player,keep=yes,./x --name=b,c",
        "gtp:clock=60,name=N,./x => gtp:name=N,clock=60+0,./x",
        "nboard:time=0.50,./x => nboard:time=0.5,./x",
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
        "builtin:depth => builtin player: depth: '': expected a depth from 1 to 60, or none",
        "builtin:colour=1 => builtin player: colour: no such option; expected one of level, seed,",
        "builtin:ponder=on => builtin player: ponder: the players of a match do not ponder",
        "builtin:eval=net,weights=x => builtin player: weights: expected weights or eval, not both",
        "builtin:depth=3,level=8 => builtin player: level: expected level or depth, not both",
        "builtin:keep=on => builtin player: keep: 'on': expected yes or no",
        "gtp:name=a\u{1b}[m,x => gtp player: name: 'a\\u{1b}[m': expected a name of visible",
        "gtp:time=0,x => gtp player: time: '0': expected a positive number of seconds",
        "builtin:clock=1+x => builtin player: clock: '1+x' is not a clock (expected MAIN or",
        "builtin:time=1,clock=60 => builtin player: clock: expected one time or clock",
        "builtin:name => builtin player: name: '': expected a name of",
        "gtp:name=x y => 'gtp:name=x y': expected a command, as",
        "builtin:nodes=5,depth=3,nodes=6 => builtin player: nodes: it is given twice",
        "uci:option.Hash=1,option.Hash=2,x => uci player: option.Hash: it is given",
    ] {
        let (text, sentence) = row.split_once(" => ").unwrap();
        let error = player(text).unwrap_err();
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
