//! What many games come to: a line for each player.

use std::collections::BTreeMap;
use std::fmt;

use super::json::{Object, Side};
use super::table::{HEADING, summary_row};
use crate::analysis::SideSummary;
use crate::view::{Align, Table, printable};

/// The stages of a game, by number of empty squares before the move.
pub(super) const STAGES: [(&str, std::ops::RangeInclusive<u32>); 3] = [
    ("opening", 41..=60),
    ("midgame", 21..=40),
    ("endgame", 1..=20),
];

/// What is known of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    pub(super) games: usize,
    pub(super) all: SideSummary,
    /// By stage.
    pub(super) stages: [SideSummary; STAGES.len()],
}

impl Player {
    /// Adds the moves of one side of a game.
    pub(super) fn add(&mut self, game: &Object, side: Side) {
        self.games += 1;
        let moves = game.moves.iter();
        for judged in moves.filter(|judged| judged.side == side && !judged.forced) {
            self.all.add_loss(judged.lost);
            for (stage, (_, range)) in self.stages.iter_mut().zip(&STAGES) {
                if range.contains(&judged.empties) {
                    stage.add_loss(judged.lost);
                }
            }
        }
    }
}

/// The players of all games, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals(BTreeMap<String, Player>);

impl Totals {
    /// Adds a game.
    pub(super) fn add(&mut self, game: &Object) {
        for (side, name) in [(Side::Black, &game.black), (Side::White, &game.white)] {
            let name = if name.is_empty() { "?" } else { name };
            let player = self.0.entry(name.to_owned()).or_default();
            player.add(game, side);
        }
    }
}

/// Two tables: how well everybody played, and the discs lost a move by stage.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(HEADING);
        let stages = STAGES.iter().map(|&(name, _)| (name, Align::Right));
        let heading = [("player", Align::Left), ("games", Align::Right)];
        let mut by_stage = Table::new(heading.into_iter().chain(stages));
        for (name, player) in &self.0 {
            let name = printable(name);
            table.row(summary_row(name.clone(), &player.all));
            let stages = player.stages.iter();
            let losses = stages.map(|stage| format!("{:.2}", stage.mean_loss()));
            by_stage.row([name, player.games.to_string()].into_iter().chain(losses));
        }
        writeln!(
            f,
            "{table}\nDiscs lost a move, by the empty squares before it: opening 60-41, midgame 40-21, endgame 20-1\n\n{by_stage}"
        )
    }
}

/// Whether somebody is named: records have question marks or the colour where nobody is.
pub(super) fn is_player(name: &str) -> bool {
    let name = name.trim();
    let is_color = ["black", "white"]
        .iter()
        .any(|color| name.eq_ignore_ascii_case(color));
    !is_color && !name.chars().all(|letter| letter == '?')
}
