//! Laws of command line values: players, engine options, openings, clocks, levels, shards, trees.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use emilia_arena::{Openings, PlayerSpec, parse_clock};
use emilia_core::board::perft::Convention;
use emilia_core::search::{Limits, Selectivity};
use emilia_core::work::Shard;
use emilia_games::{Played, TimeLimit};
use emilia_player::{Level, Setup, options};
use emilia_textbook::Tree;

use super::assert_sentence;

pub(super) fn law(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines() {
        refused::<Tree>(line);
        if let Err(error) = parse_clock(line) {
            assert_sentence(&error);
        }
        same::<Convention>(line);
        same::<Level>(line);
        same::<Selectivity>(line);
        same::<Shard>(line);
        same::<Openings>(line);
        rewritten::<TimeLimit>(line);
        rewritten::<Played>(line);
        // `weights` would open a file of the machine.
        if !line.contains("weights") {
            player(line);
            if let Some((name, value)) = line.split_once(' ') {
                option(name, value);
            }
        }
    }
}

/// Parses a value. An error must be one sentence.
fn refused<T: FromStr<Err: Display>>(text: &str) -> Option<T> {
    text.parse().map_err(|error| assert_sentence(&error)).ok()
}

/// Checks that a parsed value is equal after formatting and parsing.
pub(super) fn same<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    if let Some(value) = refused::<T>(text) {
        assert_eq!(refused(&value.to_string()), Some(value));
    }
}

/// Checks that formatting is stable after one round of rounding.
fn rewritten<T: FromStr<Err: Display> + Display>(text: &str) {
    if let Some(value) = refused::<T>(text) {
        let written = value.to_string();
        let again = refused::<T>(&written).map(|value| value.to_string());
        assert_eq!(again.as_ref(), Some(&written));
    }
}

fn player(text: &str) {
    match PlayerSpec::parse(text, &[]) {
        Ok(player) => {
            let written = player.to_string();
            let again = PlayerSpec::parse(&written, &[]).expect("a player as written");
            assert_eq!(again.to_string(), written);
        }
        Err(error) => assert_sentence(&error),
    }
}

fn option(name: &str, value: &str) {
    let Ok(option) = options::find(name) else {
        return;
    };
    let mut setup = Setup::default();
    if let Err(error) = option.set(&mut setup, value) {
        assert_sentence(&error);
        assert_eq!(setup.limits, Limits::default());
    }
}
