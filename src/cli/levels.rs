//! `emilia levels`: prints the tables of levels.

use std::io::Write;

use super::{CommandResult, Verdict};
use emilia_core::search::{Selectivity, level_solve_from};
use emilia_player::Level;
use emilia_player::people::Human;
use emilia_view::{Align, Table, width, wrap};

/// Last level up to which every level has a row in the table. Above this level, only every fifth
/// level has a row.
const LAST_SHOWN: u32 = 30;

/// Text above the table of human levels, and text above the table of engine levels.
const OF_PEOPLE: &str = "\
Levels for --level. Beginners start with h1, and a first game with h0: level 1 plays like h10 already. h0 to h14 play like \
people: each move is drawn at random, good moves often and bad ones seldom. Seven of them have a \
word too: beginner (h1), occasional, regular, weak (h3 to h5), average (h10), strong (h13) and \
best (h14).";
const OF_ENGINE: &str = "\
1 to 60 play the best move found. 'plays like' is the human level of the same strength; 'depth' \
the depth of the midgame search in plies; 'exact from' the number of empties from which the game \
is solved; 'selectivity' the confidence of forward pruning unless --selectivity is given.";

/// Returns both tables with the texts above them, wrapped to `terminal` columns.
pub(super) fn tables(terminal: usize) -> String {
    let mut people = Table::new([("level", Align::Left), ("plays like", Align::Left)]);
    for human in Human::ALL {
        people.row([human.to_string(), human.help().to_owned()]);
    }
    let mut engine = Table::new([
        ("level", Align::Right),
        ("plays like", Align::Left),
        ("depth", Align::Right),
        ("exact from", Align::Right),
        ("selectivity", Align::Right),
    ]);
    let shown = (1..=LAST_SHOWN).chain((LAST_SHOWN + 5..=Level::HIGHEST).step_by(5));
    for depth in shown {
        let like = match (Level::nearest_human(depth), Human::ALL) {
            (Some(human), _) => human.to_string(),
            (None, [.., highest]) => format!("above {highest}"),
        };
        engine.row([
            depth.to_string(),
            like,
            depth.to_string(),
            level_solve_from(depth).to_string(),
            Selectivity::default().to_string(),
        ]);
    }
    let [of_people, of_engine] = [OF_PEOPLE, OF_ENGINE].map(|words| wrap(words, terminal, 0));
    let [people, engine] = [people, engine].map(|table| table.fitted(terminal));
    format!("{of_people}\n\n{people}\n{of_engine}\n\n{engine}")
}

/// Prints the tables.
pub(super) fn run(out: &mut dyn Write) -> CommandResult {
    write!(out, "{}", tables(width()))?;
    Ok(Verdict::Yes)
}
