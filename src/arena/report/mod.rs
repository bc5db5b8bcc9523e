//! Report of a match or tournament: heading, status line, tables and JSON object.
//!
//! Reading order: this file for the parts common to both, then `ratings` for the tables of a
//! tournament.

mod ratings;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::clock::clock_text;
use super::statistics::{Decision, Encounter, MatchSummary, Sprt, SprtState};
use super::{EndReason, MARGIN, Match, MatchGame, Pairing, PlayerTotals, Standing, Tournament};
use emilia_core::board::printable;
use emilia_review::json;
use emilia_view::{Align, Table, cut, width, wrapped};
use ratings::RatingList;

/// Width in columns of a label in the heading, gap included. Wrapped text is indented by it.
const LABEL: usize = 10;

/// Labels of the two players in the heading of a match.
const ORDINALS: [&str; 2] = ["first", "second"];

/// Kind of report: match or tournament.
#[derive(Clone, Copy, Debug)]
pub enum ReportKind {
    /// Results of two players, from the first player's view.
    Match,
    /// Ratings of all players of a tournament.
    Tournament(Tournament),
}

/// SPRT between two players of a match or tournament.
#[derive(Clone, Copy, Debug)]
pub struct PlayerTest {
    /// Hypotheses on the Elo of `players[0]` minus the Elo of `players[1]`.
    pub sprt: Sprt,
    /// Indices of the two players.
    pub players: Pairing,
}

/// Report of the games played so far.
#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    /// Kind of report.
    pub kind: ReportKind,
    /// Test that ends the match when it reaches a decision.
    pub test: Option<PlayerTest>,
    /// Players and openings.
    pub contest: &'a Match,
    /// Results of the games so far.
    pub standing: &'a Standing,
}

/// Fields of the JSON object of a match. Results are from the first player's view.
#[derive(Debug, Serialize)]
struct MatchResults<'a> {
    first: String,
    second: String,
    #[serde(flatten)]
    counts: GameCounts,
    /// Numbers of pairs in which the first player took 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    #[serde(flatten)]
    summary: MatchSummary,
    sprt: Option<SprtState>,
    /// Number of uncounted games: games of pairs that repeat an earlier pair.
    repeated: u64,
    adjudicated: u64,
    /// Number of games lost by a fault, for each player.
    faults: Vec<u64>,
    /// For each player, the number of games that it lost by each kind of fault.
    fault_reasons: Vec<&'a BTreeMap<String, u64>>,
}

/// Numbers of games of a player: all games, and games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct GameCounts {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

impl GameCounts {
    /// Sums the games of `player` over `encounters`. Encounters of other players are ignored.
    fn of<'a>(player: usize, encounters: impl IntoIterator<Item = &'a Encounter>) -> GameCounts {
        let mut counts = GameCounts::default();
        for encounter in encounters {
            let [wins, draws, losses] = encounter.tally.games;
            let (won, lost) = match encounter.players {
                [one, _] if one == player => (wins, losses),
                [_, other] if other == player => (losses, wins),
                _ => continue,
            };
            counts.games += wins + draws + losses;
            counts.wins += won;
            counts.draws += draws;
            counts.losses += lost;
        }
        counts
    }

    /// Returns the points: 1 for a win, ½ for a draw.
    fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

impl MatchReport<'_> {
    /// Returns the heading: players, pairings of a tournament, openings, number of games, clock and
    /// SPRT. `openings` is the text that describes the source of the openings.
    pub fn heading(&self, openings: &str) -> String {
        let contest = self.contest;
        let mut heading = String::new();
        let mut add = |label: &str, text: &str| {
            let line = format!("{label:8}  {text}");
            heading += &wrapped(&line, LABEL);
            heading.push('\n');
        };
        for (number, player) in contest.players.iter().enumerate() {
            let label = match self.kind {
                ReportKind::Tournament(_) => format!("player {}", number + 1),
                ReportKind::Match => ORDINALS[number].to_owned(),
            };
            add(&label, &printable(&player.to_string()));
        }
        let schedule = &contest.schedule;
        let (pairs, different) = (schedule.pairs_of_pairing(), schedule.different());
        let mut games = vec![format!("{}, numbered from 0", contest.games())];
        if let ReportKind::Tournament(format) = self.kind {
            let pairings = schedule.pairing_count();
            add("pairings", &format!("{pairings}, {format}"));
            games.push(format!("{} for each pairing", 2 * pairs));
        }
        games.push(format!("{} at a time", contest.concurrency));
        games.extend(
            contest
                .adjudication
                .map(|rule| format!("adjudication {rule}")),
        );
        if self.standing.played() > 0 {
            games.push(format!("{} of them in the log", self.standing.played()));
        }
        let again = if different < pairs {
            " (fewer than pairs, so they repeat)"
        } else {
            ""
        };
        let openings = format!("{openings}: {different} different{again}");
        add("openings", &openings);
        add("games", &games.join(", "));
        add("clock", &self.clock());
        if let Some(PlayerTest { sprt, players }) = self.test {
            let [first, second] = players.map(|player| self.name(player));
            add("SPRT", &format!("{first} over {second}: {sprt}"));
        }
        heading
    }

    /// Describes the clocks of the players.
    fn clock(&self) -> String {
        let contest = self.contest;
        let own = contest.players.iter().filter_map(super::PlayerSpec::clock);
        let margin = MARGIN.as_secs_f64();
        let clock = clock_text(contest.clock);
        match own.count() {
            0 if contest.clock.is_none() => "none".to_owned(),
            0 => format!("{clock}, margin {margin} s"),
            own if own < contest.players.len() => {
                format!("{clock}, or the player's own, margin {margin} s")
            }
            _ => format!("the player's own, margin {margin} s"),
        }
    }

    /// Formats a finished game as one text line with tabs between the fields: number as in the log,
    /// Black, White, score for Black, how the game ended, and the summary of all games so far
    /// ([`last_line`](Self::last_line)).
    pub fn game_line(&self, game: &MatchGame) -> String {
        let end = match &game.reason {
            EndReason::Played => "played".to_owned(),
            EndReason::Adjudicated => "adjudicated".to_owned(),
            EndReason::Fault { by, what } => format!("fault of {by}: {what}"),
        };
        let number = format!("game {}", game.game);
        let score = format!("{:+}", game.score);
        let fields = [&number, &game.black, &game.white, &score, &end].map(|text| printable(text));
        format!("{}\t{}", fields.join("\t"), self.last_line())
    }

    /// Formats a finished game as one text line of at most `columns` columns for a terminal: the
    /// fields of [`game_line`](Self::game_line) without the summary. Names are cut to fit.
    pub fn short_game_line(&self, game: &MatchGame, columns: usize) -> String {
        /// Columns for the number, the score and the word `adjudicated`.
        const OTHERS: usize = 32;
        let line = self.game_line(game);
        let [number, black, white, score, end, ..] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            return line;
        };
        let room = columns.saturating_sub(OTHERS) / 2;
        let [black, white] = [black, white].map(|name| cut(name, room));
        let line = format!("{number}  {black}  {white}  {score}  {end}");
        cut(&line, columns).to_owned()
    }

    /// Returns the last text line of the report: the summary of all games so far. Its format is
    /// fixed, so that scripts can parse it.
    pub fn last_line(&self) -> String {
        let ReportKind::Match = self.kind else {
            return RatingList::new(self).last_line();
        };
        let tally = self.standing.tally();
        let ([wins, draws, losses], summary) = (tally.games, tally.summary());
        format!(
            "match: W-D-L {wins}-{draws}-{losses}, discs {:+.2} per game, elo {}",
            tally.mean_discs(),
            summary.elo
        )
    }

    /// Writes the final tables and the summary line ([`last_line`](Self::last_line)).
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.kind {
            ReportKind::Match => {
                self.write_players(out)?;
                self.write_match(out)?;
            }
            ReportKind::Tournament(_) => {
                RatingList::new(self).write_tables(out)?;
                self.write_players(out)?;
            }
        }
        if let Some(state) = self.test_state() {
            let decision = match state.decision {
                Decision::Continue => "not decided",
                Decision::AcceptH0 => "decided: not the stronger (H0)",
                Decision::AcceptH1 => "decided: the stronger (H1)",
            };
            writeln!(out, "SPRT             {state}, {decision}")?;
        } else if self.test.is_some() {
            writeln!(out, "SPRT             its players have not met")?;
        }
        writeln!(out, "{}", self.last_line())
    }

    fn write_match(&self, out: &mut dyn Write) -> io::Result<()> {
        let tally = &self.standing.tally();
        let summary = tally.summary();
        let pairs = tally.pairs.map(|count| count.to_string()).join(" ");
        writeln!(out, "pairs with 0, 1/2, 1, 1 1/2, 2 points: {pairs}")?;
        if tally.pair_count() > 0 {
            for (name, estimate, decimals) in [
                ("discs per game", summary.discs, 2),
                ("Elo", summary.elo, 1),
                ("normalised Elo", summary.normalized_elo, 1),
            ] {
                if estimate.is_known() {
                    writeln!(out, "{name:<16} {estimate:.decimals$}")?;
                }
            }
            writeln!(out, "LOS              {:.1} %", summary.los * 100.0)?;
        }
        Ok(())
    }

    /// Returns the state of the test. `None` without a test, or before its players have met.
    pub fn test_state(&self) -> Option<SprtState> {
        let PlayerTest { sprt, players } = self.test?;
        let mut encounters = self.standing.encounters.iter();
        encounters.find_map(|encounter| match encounter.players {
            [one, other] if [one, other] == players => Some(sprt.state(&encounter.tally)),
            [one, other] if [other, one] == players => {
                Some(sprt.state(&encounter.tally.reversed()))
            }
            _ => None,
        })
    }

    /// Writes the table of players and the kinds of their faults. Then writes the numbers of
    /// repeated games, adjudicated games, and finished games without a finished partner.
    fn write_players(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.player_table().fitted(width()))?;
        for (player, totals) in self.standing.totals.iter().enumerate() {
            for (kind, games) in &totals.faults {
                let (name, kind) = (self.name(player), printable(kind));
                writeln!(out, "faults of {name}: {games} × {kind}")?;
            }
        }
        match self.standing.repeated {
            0 => {}
            games => writeln!(out, "not counted: {games} games that repeat earlier ones")?,
        }
        match self.standing.adjudicated {
            0 => {}
            games => writeln!(out, "adjudicated: {games} games")?,
        }
        let (games, plural) = match self.standing.halves() {
            0 => return Ok(()),
            1 => (1, ""),
            games => (games, "s"),
        };
        writeln!(
            out,
            "not in the pairs: {games} game{plural} whose partner was not finished"
        )
    }

    /// Returns the table of players: results, faults, and means of depth, time and nodes.
    fn player_table(&self) -> Table {
        let names = "won drawn lost faults depth s/move longest nodes/move".split(' ');
        let numbers = names.map(|name| (name, Align::Right));
        let mut table = Table::new([("player", Align::Left)].into_iter().chain(numbers));
        for (player, totals) in self.standing.totals.iter().enumerate() {
            let counts = GameCounts::of(player, &self.standing.encounters);
            let PlayerTotals { depths, nodes, .. } = *totals;
            table.row([
                self.name(player),
                counts.wins.to_string(),
                counts.draws.to_string(),
                counts.losses.to_string(),
                totals.faults().to_string(),
                mean(depths.0, depths.1 as f64, 1),
                mean(totals.moves, totals.time.as_secs_f64(), 4),
                format!("{:.4}", totals.longest.as_secs_f64()),
                mean(nodes.0, nodes.1 as f64, 0),
            ]);
        }
        table
    }

    /// Writes the results as one JSON object.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        if let ReportKind::Tournament(_) = self.kind {
            return json::write("tournament", &RatingList::new(self).results(), out);
        }
        let tally = self.standing.tally();
        let player = |number: usize| self.contest.players[number].to_string();
        let totals = &self.standing.totals;
        let results = MatchResults {
            first: player(0),
            second: player(1),
            counts: GameCounts::of(0, &self.standing.encounters),
            pairs: tally.pairs,
            summary: tally.summary(),
            sprt: self.test_state(),
            repeated: self.standing.repeated,
            adjudicated: self.standing.adjudicated,
            faults: totals.iter().map(PlayerTotals::faults).collect(),
            fault_reasons: totals.iter().map(|totals| &totals.faults).collect(),
        };
        json::write("match", &results, out)
    }

    /// Returns the name of a player, with control characters escaped.
    fn name(&self, player: usize) -> String {
        printable(self.contest.players[player].name())
    }
}

/// Formats `sum / count` with `decimals` decimals, or as "-" if `count` is 0.
fn mean(count: u64, sum: f64, decimals: usize) -> String {
    match count {
        0 => "-".to_owned(),
        _ => format!("{:.decimals$}", sum / count as f64),
    }
}
