//! Report of a tournament: rating table, cross table, status line and JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::chart::{Rated, tournament_chart};
use super::json::Interval;
use super::report::{Score, efforts, remarks};
use crate::analysis::json;
use crate::arena::statistics::{Encounter, Ratings};
use crate::arena::{Match, Standing};
use crate::view::{Align, Table, printable};
use crate::view::{width, wrapped};

/// Maximum number of players named in the status line.
const MOST_IN_STATUS: usize = 4;

/// Players of a tournament with their ratings.
pub(super) struct RatingList<'a> {
    contest: &'a Match,
    standing: &'a Standing,
    ratings: Ratings,
    /// Indices of the players, the strongest first.
    ranking: Vec<usize>,
}

impl<'a> RatingList<'a> {
    /// Computes the ratings of the games so far. `anchor` is a player and its fixed Elo.
    pub(super) fn new(
        contest: &'a Match,
        standing: &'a Standing,
        anchor: Option<(usize, f64)>,
    ) -> RatingList<'a> {
        let mut ratings = Ratings::new(contest.players.len(), standing.encounters());
        if let Some((player, elo)) = anchor {
            ratings = ratings.anchored(player, elo);
        }
        let ranking = ratings.ranking();
        RatingList {
            contest,
            standing,
            ratings,
            ranking,
        }
    }

    /// Returns the results so far as one line below the progress bar.
    pub(super) fn live(&self) -> String {
        let shown = self.ranking.iter().take(MOST_IN_STATUS).map(|&player| {
            let elo = self.ratings.elo(player);
            format!("{} {elo:.0}", self.name(player))
        });
        let mut parts: Vec<String> = shown.collect();
        let efforts = self.standing.efforts().iter();
        let faults: u64 = efforts.map(|effort| effort.faults).sum();
        if faults > 0 {
            parts.push(format!("{faults} games lost by faults"));
        }
        parts.join("   ")
    }

    /// Writes the tables at the end of the tournament and the fixed last line.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.table().fitted(width()))?;
        if self.ratings.has_prior() {
            let prior = "these results would make some ratings infinite: each pairing counts one \
                         drawn game more";
            writeln!(out, "{}\n", wrapped(prior, 0))?;
        }
        writeln!(out, "{}", self.cross_table().fitted(width()))?;
        let efforts = efforts(self.contest, self.standing);
        writeln!(out, "{}", efforts.fitted(width()))?;
        let names: Vec<String> = (0..self.contest.players.len())
            .map(|player| self.name(player))
            .collect();
        remarks(&names, self.standing, out)?;
        let first = self.ranking[0];
        writeln!(
            out,
            "tournament: {} players, {} games, first {}, elo {}",
            self.ranking.len(),
            self.games(),
            self.name(first),
            self.ratings.elo(first)
        )
    }

    /// Returns the chart of the ratings and of the results as SVG.
    pub(super) fn chart(&self) -> String {
        let players = self.ranking.iter().map(|&player| Rated {
            name: self.contest.players[player].name().to_owned(),
            elo: self.ratings.elo(player),
            shares: (self.ranking.iter())
                .map(|&other| {
                    let score = self.against(player, other);
                    (score.games() > 0).then(|| score.points() / score.games() as f64)
                })
                .collect(),
        });
        let players: Vec<Rated> = players.collect();
        let prior = if self.ratings.has_prior() {
            " Each pairing counts one drawn game more, as some ratings would be infinite."
        } else {
            ""
        };
        tournament_chart(format!("{} games.{prior}", self.games()), &players)
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            ("#", Align::Right),
            ("player", Align::Left),
            ("Elo", Align::Right),
            ("± 95 %", Align::Right),
            ("points", Align::Right),
            ("games", Align::Right),
            ("%", Align::Right),
            ("LOS %", Align::Right),
        ]);
        for (rank, &player) in self.ranking.iter().enumerate() {
            let elo = self.ratings.elo(player);
            let score = Score::of(player, self.encounters());
            let share = 100.0 * score.points() / score.games() as f64;
            let los = self.over_next(rank).map(|los| 100.0 * los);
            table.row([
                (rank + 1).to_string(),
                self.name(player),
                format!("{:+.1}", elo.value),
                or_na(elo.error()),
                format!("{:.1}", score.points()),
                score.games().to_string(),
                or_na(share),
                los.map(or_na).unwrap_or_default(),
            ]);
        }
        table
    }

    /// Returns the cross table: the points of each player against each other.
    fn cross_table(&self) -> Table {
        let numbers: Vec<String> = (1..=self.ranking.len()).map(|n| n.to_string()).collect();
        let columns = numbers.iter().map(|number| (number.as_str(), Align::Right));
        let before = [("#", Align::Right), ("points against", Align::Left)];
        let mut table = Table::new(before.into_iter().chain(columns));
        for (number, &player) in numbers.iter().zip(&self.ranking) {
            let mut row = vec![number.clone(), self.name(player)];
            row.extend(self.ranking.iter().map(|&other| {
                let score = self.against(player, other);
                match score.games() {
                    0 => "-".to_owned(),
                    games => format!("{:.1}/{games}", score.points()),
                }
            }));
            table.row(row);
        }
        table
    }

    /// Returns the results of `player` against `other`.
    fn against(&self, player: usize, other: usize) -> Score {
        let met = self.encounters().iter().copied().filter(|encounter| {
            encounter.players == [player, other] || encounter.players == [other, player]
        });
        Score::of(player, &met.collect::<Vec<_>>())
    }

    /// Returns the number of counted games, which are those of complete pairs.
    fn games(&self) -> u64 {
        let encounters = self.encounters().iter();
        encounters
            .map(|encounter| 2 * encounter.tally.pair_count())
            .sum()
    }

    /// Returns the likelihood that the player of this rank, from 0, is stronger than the next.
    fn over_next(&self, rank: usize) -> Option<f64> {
        let (player, next) = (self.ranking[rank], *self.ranking.get(rank + 1)?);
        Some(self.ratings.superiority(player, next))
    }

    fn encounters(&self) -> &[Encounter] {
        self.standing.encounters()
    }

    fn name(&self, player: usize) -> String {
        printable(self.contest.players[player].name())
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

/// JSON object of a tournament.
#[derive(Serialize)]
struct Results {
    /// Players, the strongest first.
    players: Vec<RatedPlayer>,
    pairings: Vec<Pairing>,
    /// Whether one drawn game was added to each pairing.
    prior: bool,
}

#[derive(Serialize)]
struct RatedPlayer {
    name: String,
    spec: String,
    elo: Interval,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Likelihood of being stronger than the next player, or `None` for the last.
    los: Option<f64>,
    faults: u64,
}

/// Results of a pairing, for its first player.
#[derive(Serialize)]
struct Pairing {
    first: String,
    second: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl RatingList<'_> {
    /// Writes the JSON object and a line end.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let players = self.ranking.iter().enumerate().map(|(rank, &player)| {
            let spec = &self.contest.players[player];
            let score = Score::of(player, self.encounters());
            RatedPlayer {
                name: spec.name().to_owned(),
                spec: spec.to_string(),
                elo: self.ratings.elo(player).into(),
                games: score.games(),
                points: score.points(),
                wins: score.wins,
                draws: score.draws,
                losses: score.losses,
                los: self.over_next(rank),
                faults: self.standing.efforts()[player].faults,
            }
        });
        let pairings = self.encounters().iter().map(|encounter| {
            let name = |player: usize| self.contest.players[player].name().to_owned();
            let [first, second] = encounter.players.map(name);
            let [wins, draws, losses] = encounter.tally.games();
            Pairing {
                first,
                second,
                games: wins + draws + losses,
                wins,
                draws,
                losses,
            }
        });
        let results = Results {
            players: players.collect(),
            pairings: pairings.collect(),
            prior: self.ratings.has_prior(),
        };
        json::write("tournament", &results, out)
    }
}
