//! Totals of all analysed games: two tables with a line for each player.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::AnalysedGame;
use super::game::level_of_play;
use super::table::{HEADING, summary_row};
use crate::SideSummary;
use emilia_core::board::{Color, printable};
use emilia_player::people::SkillLikelihood;
use emilia_view::{Align, Table, width, wrapped};

/// Stages of a game, by number of empties before the move.
pub(crate) const GAME_THIRDS: [(&str, std::ops::RangeInclusive<u32>); 3] = [
    ("opening", 41..=60),
    ("midgame", 21..=40),
    ("endgame", 1..=20),
];

/// Results of a player in some of the games.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerResults {
    pub(super) games: usize,
    pub(super) won: usize,
    pub(super) drawn: usize,
    pub(super) lost: usize,
    pub(super) all: SideSummary,
    pub(super) likelihood: SkillLikelihood,
    /// Results by stage, in the order of [`GAME_THIRDS`].
    pub(super) stages: [SideSummary; GAME_THIRDS.len()],
}

impl PlayerResults {
    /// Adds the result and the moves of one side of a game, without forced moves.
    fn add(&mut self, game: &AnalysedGame, side: Color) {
        self.games += 1;
        match game.result_for(side) {
            Some(result) if result > 0.0 => self.won += 1,
            Some(result) if result < 0.0 => self.lost += 1,
            result => self.drawn += usize::from(result.is_some()),
        }
        self.likelihood.merge(&game.likelihood(side));
        let moves = game.moves.iter();
        for judged in moves.filter(|judged| judged.side == side && !judged.forced) {
            self.all.add(judged.lost);
            for (stage, (_, range)) in self.stages.iter_mut().zip(&GAME_THIRDS) {
                if range.contains(&judged.empties) {
                    stage.add(judged.lost);
                }
            }
        }
    }
}

/// Least number of games of a player in the tables, unless nobody has as many.
const MIN_GAMES: usize = 5;

/// Totals of all games.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Number of games added.
    pub games: usize,
    /// Results of each player, by name: in all games, as Black, and as White.
    pub(super) players: BTreeMap<String, [PlayerResults; 3]>,
}

impl Totals {
    /// Adds a game to the totals of both players.
    pub fn add(&mut self, game: &AnalysedGame) {
        self.games += 1;
        for side in [Color::Black, Color::White] {
            let name = game.name(side);
            if is_player(name) {
                let [all, own @ ..] = self.players.entry(name.clone()).or_default();
                all.add(game, side);
                own[side as usize].add(game, side);
            }
        }
    }

    /// Writes two tables of the players with at least [`MIN_GAMES`] games: quality, and losses by
    /// stage. If no player has enough games, all players are shown.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.players.is_empty() {
            return writeln!(out, "\nNo player is named in these games.");
        }
        let everyone = self.players.iter().map(|(name, [all, ..])| (name, all));
        let mut players: Vec<(&String, &PlayerResults)> = everyone.clone().collect();
        players.retain(|(_, player)| player.games >= MIN_GAMES);
        let fewer = self.players.len() - players.len();
        let which = if players.is_empty() {
            players = everyone.collect();
            format!("All players, since nobody has {MIN_GAMES} games")
        } else if fewer == 0 {
            format!("All players, each with {MIN_GAMES} games or more")
        } else {
            format!("Players with {MIN_GAMES} games or more; {fewer} with fewer are left out")
        };
        let loss = |player: &PlayerResults| match player.all.choices {
            0 => f64::INFINITY,
            _ => player.all.mean_loss,
        };
        players.sort_by(|(_, one), (_, other)| loss(one).total_cmp(&loss(other)));
        writeln!(
            out,
            "\n{}\n",
            wrapped(&format!("{which}. The fewest discs lost a move first:"), 0)
        )?;
        let stages = GAME_THIRDS.iter().map(|&(name, _)| (name, Align::Right));
        let [player, others @ ..] = HEADING;
        let heading = [player, ("games", Align::Right)];
        let mut table = Table::new(heading.into_iter().chain(others));
        let mut by_stage = Table::new(std::iter::once(player).chain(stages));
        for (name, player) in players {
            let level = level_of_play(player.likelihood.estimate());
            let [name, cells @ ..] = summary_row(printable(name), &player.all, level);
            let own = [name.clone(), player.games.to_string()];
            table.row(own.into_iter().chain(cells));
            let stages = player.stages.iter();
            let losses = stages.map(|stage| format!("{:.2}", stage.mean_loss));
            by_stage.row(std::iter::once(name).chain(losses));
        }
        let stages = "Discs lost a move by the empty squares before it: opening 60-41, midgame \
                      40-21, endgame 20-1";
        let stages = wrapped(stages, 0);
        let (table, by_stage) = (table.fitted(width()), by_stage.fitted(width()));
        write!(out, "{table}\n{stages}\n\n{by_stage}")
    }
}

/// Returns whether `name` is a player's name, not a placeholder such as `?` or `Black`.
pub(super) fn is_player(name: &str) -> bool {
    let name = name.trim();
    let is_color = ["black", "white"]
        .iter()
        .any(|color| name.eq_ignore_ascii_case(color));
    !is_color && !name.chars().all(|letter| letter == '?')
}
