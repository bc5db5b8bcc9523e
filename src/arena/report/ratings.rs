//! Ratings of a tournament: rating table, cross table and JSON fields.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{GameCounts, MatchReport};
use crate::statistics::{Encounter, Ratings};
use emilia_view::{Align, Table, width, wrapped};

/// Players of a tournament with their ratings.
pub(super) struct RatingList<'a> {
    report: &'a MatchReport<'a>,
    ratings: Ratings,
}

impl<'a> RatingList<'a> {
    /// Computes the ratings of the games so far.
    pub(super) fn new(report: &'a MatchReport<'a>) -> RatingList<'a> {
        let players = report.contest.players.len();
        let ratings = Ratings::new(players, &report.standing.encounters);
        RatingList { report, ratings }
    }

    /// Writes the rating table and the cross table.
    pub(super) fn write_tables(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.table().fitted(width()))?;
        let note = if !self.ratings.are_known() {
            "n/a: Elo needs finished pairs of games that connect all players\n\n"
        } else if self.ratings.has_prior {
            "these results would make some ratings infinite: each pairing counts one drawn game more\n\n"
        } else {
            ""
        };
        write!(out, "{}", wrapped(note, 0))?;
        writeln!(out, "{}", self.cross_table().fitted(width()))
    }

    /// Returns the last text line of the report: the summary of all games so far. Its format is
    /// fixed, so that scripts can parse it.
    pub(super) fn last_line(&self) -> String {
        let first = self.ranking()[0];
        format!(
            "tournament: {} players, {} games, first {}, elo {}",
            self.ranking().len(),
            self.games(),
            self.report.name(first),
            self.ratings.elo(first)
        )
    }

    fn table(&self) -> Table {
        let names = ["Elo", "± 95 %", "points", "games", "%", "LOS %"];
        let columns = [("#", Align::Right), ("player", Align::Left)];
        let numbers = names.map(|name| (name, Align::Right));
        let mut table = Table::new(columns.into_iter().chain(numbers));
        for (rank, &player) in self.ranking().iter().enumerate() {
            let counts = GameCounts::of(player, self.encounters());
            let share = 100.0 * counts.points() / counts.games as f64;
            let los = self.over_next(rank).map(|los| 100.0 * los);
            let elo = self.ratings.elo(player).to_string();
            let (elo, error) = elo.split_once(" ± ").unwrap_or((&elo, "n/a"));
            table.row([
                (rank + 1).to_string(),
                self.report.name(player),
                elo.to_owned(),
                error.to_owned(),
                format!("{:.1}", counts.points()),
                counts.games.to_string(),
                or_na(share),
                los.map(or_na).unwrap_or_default(),
            ]);
        }
        table
    }

    /// Returns the cross table: the points of each player against every other player.
    fn cross_table(&self) -> Table {
        let numbers: Vec<String> = (1..=self.ranking().len()).map(|n| n.to_string()).collect();
        let columns = numbers.iter().map(|number| (number.as_str(), Align::Right));
        let before = [("#", Align::Right), ("points against", Align::Left)];
        let mut table = Table::new(before.into_iter().chain(columns));
        for (number, &player) in numbers.iter().zip(self.ranking()) {
            let mut row = vec![number.clone(), self.report.name(player)];
            row.extend(self.ranking().iter().map(|&other| {
                let counts = self.against(player, other);
                match counts.games {
                    0 => "-".to_owned(),
                    games => format!("{:.1}/{games}", counts.points()),
                }
            }));
            table.row(row);
        }
        table
    }

    /// Returns the results of `player` against `other`.
    fn against(&self, player: usize, other: usize) -> GameCounts {
        let encounters = self.encounters().iter();
        let both = encounters.filter(|encounter| encounter.players.contains(&other));
        GameCounts::of(player, both.filter(|_| player != other))
    }

    /// Returns the number of counted games.
    fn games(&self) -> u64 {
        let encounters = self.encounters().iter();
        encounters.flat_map(|encounter| encounter.tally.games).sum()
    }

    /// Returns the LOS of the player at `rank` over the player at the next rank. Ranks are counted
    /// from 0. `None` for the last rank, and if the ratings are unknown.
    fn over_next(&self, rank: usize) -> Option<f64> {
        let (player, next) = (self.ranking()[rank], *self.ranking().get(rank + 1)?);
        let is_known = self.ratings.are_known();
        is_known.then(|| self.ratings.superiority(player, next))
    }

    fn ranking(&self) -> &[usize] {
        self.ratings.ranking()
    }

    fn encounters(&self) -> &[Encounter] {
        &self.report.standing.encounters
    }

    /// Returns the results as a JSON object.
    pub(super) fn results(&self) -> Value {
        let specs = &self.report.contest.players;
        let players = self.ranking().iter().enumerate().map(|(rank, &player)| {
            let counts = GameCounts::of(player, self.encounters());
            let mut object = json!(counts);
            object["name"] = json!(specs[player].name());
            object["spec"] = json!(specs[player].to_string());
            object["elo"] = json!(self.ratings.elo(player));
            object["points"] = json!(counts.points());
            object["los"] = json!(self.over_next(rank));
            let totals = &self.report.standing.totals[player];
            object["faults"] = json!(totals.faults());
            object["fault_reasons"] = json!(totals.faults);
            object
        });
        let pairings = self.encounters().iter().map(|encounter| {
            let [first, second] = encounter.players;
            let mut object = json!(GameCounts::of(first, [encounter]));
            object["first"] = json!(specs[first].name());
            object["second"] = json!(specs[second].name());
            object
        });
        json!({
            "players": players.collect::<Vec<_>>(),
            "pairings": pairings.collect::<Vec<_>>(),
            "prior": self.ratings.has_prior,
            "repeated": self.report.standing.repeated,
            "adjudicated": self.report.standing.adjudicated,
            "sprt": self.report.test_state(),
        })
    }
}

/// Formats a number with one decimal, or `n/a` if it is not finite.
fn or_na(number: f64) -> String {
    if number.is_finite() {
        format!("{number:.1}")
    } else {
        "n/a".to_owned()
    }
}
