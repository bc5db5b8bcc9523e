//! Totals of all analysed games: a table with a line for each player.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::AnalysedGame;
use super::game::level_of_play;
use super::table::{HEADING, summary_row};
use crate::SideSummary;
use emilia_core::board::{Color, printable};
use emilia_player::people::SkillLikelihood;
use emilia_view::{Align, Table, width, wrapped};

/// Results of a player.
#[derive(Clone, Debug, Default)]
struct PlayerResults {
    games: usize,
    moves: SideSummary,
    likelihood: SkillLikelihood,
}

/// Least number of games of a player in the table, unless nobody has as many.
const MIN_GAMES: usize = 5;

/// Totals of all games.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Number of games added.
    pub games: usize,
    /// Results of each player, by name.
    players: BTreeMap<String, PlayerResults>,
}

impl Totals {
    /// Adds the moves of a game, without forced moves, to the totals of both players.
    pub fn add(&mut self, game: &AnalysedGame) {
        self.games += 1;
        for side in [Color::Black, Color::White] {
            let name = game.name(side);
            if is_player(name) {
                let player = self.players.entry(name.clone()).or_default();
                player.games += 1;
                player.likelihood.merge(&game.likelihood(side));
                let moves = game.moves.iter();
                for judged in moves.filter(|judged| judged.side == side && !judged.forced) {
                    player.moves.add(judged.lost);
                }
            }
        }
    }

    /// Writes a table of the players with at least [`MIN_GAMES`] games. If no player has enough
    /// games, all players are shown.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.players.is_empty() {
            return writeln!(out, "\nNo player is named in these games.");
        }
        let mut players: Vec<(&String, &PlayerResults)> = self.players.iter().collect();
        players.retain(|(_, player)| player.games >= MIN_GAMES);
        let fewer = self.players.len() - players.len();
        let which = if players.is_empty() {
            players = self.players.iter().collect();
            format!("All players, since nobody has {MIN_GAMES} games")
        } else if fewer == 0 {
            format!("All players, each with {MIN_GAMES} games or more")
        } else {
            format!("Players with {MIN_GAMES} games or more; {fewer} with fewer are left out")
        };
        let loss = |player: &PlayerResults| match player.moves.choices {
            0 => f64::INFINITY,
            _ => player.moves.mean_loss,
        };
        players.sort_by(|(_, one), (_, other)| loss(one).total_cmp(&loss(other)));
        let heading = format!("{which}. The fewest discs lost a move first:");
        writeln!(out, "\n{}\n", wrapped(&heading, 0))?;
        let [player, others @ ..] = HEADING;
        let columns = [player, ("games", Align::Right)];
        let mut table = Table::new(columns.into_iter().chain(others));
        for (name, player) in players {
            let level = level_of_play(player.likelihood.estimate());
            let [name, cells @ ..] = summary_row(printable(name), &player.moves, level);
            let own = [name, player.games.to_string()];
            table.row(own.into_iter().chain(cells));
        }
        write!(out, "{}", table.fitted(width()))
    }
}

/// Returns whether `name` is a player's name, not a placeholder such as `?` or `Black`.
fn is_player(name: &str) -> bool {
    let name = name.trim();
    let is_color = ["black", "white"]
        .iter()
        .any(|color| name.eq_ignore_ascii_case(color));
    !is_color && !name.chars().all(|letter| letter == '?')
}
