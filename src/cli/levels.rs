//! `emilia levels`: the table of levels.

use std::io::Write;

use super::{Failure, Verdict};
use crate::player::{Human, Level};
use crate::search::Selectivity;
use crate::view::{Align, Table};

/// The last level that has a row of its own; those above follow the same rule.
const LAST_SHOWN: u32 = 30;

/// What stands before each table.
const OF_ENGINE: &str = "\
Levels for --level: how many plies the midgame is searched, with which confidence of forward pruning unless --selectivity
says otherwise, and from how many empty squares on the game is solved.";
const OF_PEOPLE: &str = "\
Levels that play as people do: each move is drawn, good ones often and bad ones seldom. With --threads 1 and
the same --seed the draws are the same.";

/// The tables, with their words.
pub(super) fn table() -> String {
    let heading = ["level", "depth", "selectivity", "exact from"];
    let mut engine = Table::new(heading.map(|name| (name, Align::Right)));
    let shown = (1..=LAST_SHOWN).chain((LAST_SHOWN + 5..=Level::HIGHEST).step_by(5));
    for level in shown.map(Level::Engine) {
        engine.row([
            level.to_string(),
            level.depth().to_string(),
            Selectivity::default().to_string(),
            level.exact().to_string(),
        ]);
    }
    let mut people = Table::new([("level", Align::Left), ("plays like", Align::Left)]);
    for human in Human::ALL {
        people.row([human.to_string(), human.meaning().to_owned()]);
    }
    format!("{OF_ENGINE}\n\n{engine}\n{OF_PEOPLE}\n\n{people}")
}

/// Prints them.
pub(super) fn run(out: &mut dyn Write) -> Result<Verdict, Failure> {
    write!(out, "{}", table())?;
    Ok(Verdict::Yes)
}
