//! Report of a match as text: heading, status line, results.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use super::Args;
use crate::arena::statistics::{Decision, Encounter, Sprt, SprtState};
use crate::arena::{Clock, Effort, MARGIN, Match, Standing};
use crate::view::{Align, Table, printable};
use crate::view::{width, wrapped};

/// Names of the two players of a match in the report.
const ORDINALS: [&str; 2] = ["first", "second"];

/// Width of the labels of the heading, in columns.
const LABEL: usize = 10;

/// Maximum number of kinds of faults listed.
/// Faults quote programs, so every one may be different.
const MOST_FAULTS: usize = 10;

/// Writes the heading: players, openings, number of games, clock.
pub(super) fn heading(
    args: &Args,
    contest: &Match,
    standing: &Standing,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_tournament = args.players.is_tournament();
    for (number, player) in contest.players.iter().enumerate() {
        let which = match number {
            _ if is_tournament => format!("player {}", number + 1),
            number => ORDINALS[number.min(1)].to_owned(),
        };
        let player = printable(&player.to_string());
        let line = format!("{which:8}  {player}");
        writeln!(out, "{}", wrapped(&line, LABEL))?;
    }
    let schedule = &contest.schedule;
    if is_tournament {
        let (kind, pairings) = (args.players.tournament(), schedule.pairings().len());
        writeln!(out, "pairings  {pairings}, {kind}")?;
    }
    let (pairs, different) = (schedule.pairs_of_pairing(), schedule.different());
    let again = if different < pairs {
        " (fewer than pairs, so they repeat)"
    } else {
        ""
    };
    let openings = args.openings();
    let line = format!("openings  {openings}: {different} different{again}");
    writeln!(out, "{}", wrapped(&line, LABEL))?;
    let games = contest.games();
    write!(out, "games     {games}, ")?;
    if is_tournament {
        write!(out, "{} for each pairing, ", 2 * pairs)?;
    }
    write!(out, "{} at a time", args.concurrency)?;
    match standing.played() {
        0 => writeln!(out)?,
        played => writeln!(out, ", {played} of them in the log")?,
    }
    let own = contest
        .players
        .iter()
        .filter(|player| player.clock().is_some());
    let margin = MARGIN.as_secs_f64();
    match (own.count(), contest.clock) {
        (0, Clock::Unlimited) => writeln!(out, "clock     none")?,
        (0, clock) => writeln!(out, "clock     {clock}, margin {margin} s")?,
        (own, clock) if own < contest.players.len() => {
            writeln!(
                out,
                "clock     {clock}, or the player's own, margin {margin} s"
            )?;
        }
        _ => writeln!(out, "clock     the player's own, margin {margin} s")?,
    }
    if let Some(empties) = contest.adjudicate {
        writeln!(out, "solved    with {empties} empty squares")?;
    }
    writeln!(out)
}

/// Returns the results so far as one line below the progress bar.
pub(super) fn live(standing: &Standing, sprt: Option<&Sprt>) -> String {
    let tally = &standing.tally();
    let [wins, draws, losses] = tally.games();
    let summary = tally.summary();
    let mut parts = vec![
        format!("W-D-L {wins}-{draws}-{losses}"),
        format!("discs {:.2}", summary.discs),
    ];
    if summary.elo.is_known() {
        parts.push(format!("elo {:#}", summary.elo));
    }
    parts.push(format!("LOS {:.1} %", summary.los * 100.0));
    if let Some(sprt) = sprt {
        let SprtState {
            llr, lower, upper, ..
        } = sprt.state(tally);
        parts.push(format!("LLR {llr:+.2} ({lower:.2}, {upper:+.2})"));
    }
    let faults: u64 = standing.efforts().iter().map(|effort| effort.faults).sum();
    if faults > 0 {
        parts.push(format!("{faults} games lost by faults"));
    }
    parts.join("   ")
}

/// Writes the results at the end of the match and the fixed last line.
pub(super) fn results(
    contest: &Match,
    standing: &Standing,
    sprt: Option<&Sprt>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", efforts(contest, standing).fitted(width()))?;
    remarks(&ORDINALS, standing, out)?;
    let tally = &standing.tally();
    let summary = tally.summary();
    let pairs = tally.pairs().map(|count| count.to_string()).join(" ");
    writeln!(out, "pairs with 0, 1/2, 1, 1 1/2, 2 points: {pairs}")?;
    if tally.pair_count() > 0 {
        writeln!(out, "discs per game   {:.2}", summary.discs)?;
    }
    for (name, elo) in [
        ("Elo", summary.elo),
        ("normalised Elo", summary.normalized_elo),
    ] {
        if tally.pair_count() > 0 && elo.is_known() {
            writeln!(out, "{name:<16} {elo:#}")?;
        }
    }
    if tally.pair_count() > 0 {
        writeln!(out, "LOS              {:.1} %", summary.los * 100.0)?;
    }
    if let Some(sprt) = sprt {
        let state = sprt.state(tally);
        let decision = match state.decision {
            Decision::Continue => "not decided",
            Decision::AcceptH0 => "decided: not the stronger (H0)",
            Decision::AcceptH1 => "decided: the stronger (H1)",
        };
        writeln!(
            out,
            "SPRT             LLR {:+.2} in ({:.2}, {:+.2}), {decision}",
            state.llr, state.lower, state.upper
        )?;
    }
    let [wins, draws, losses] = tally.games();
    writeln!(
        out,
        "match: W-D-L {wins}-{draws}-{losses}, discs {:+.2} per game, elo {}",
        summary.discs.value, summary.elo
    )
}

/// Writes the faults of each player and the number of uncounted games.
pub(super) fn remarks(
    names: &[impl Display],
    standing: &Standing,
    out: &mut dyn Write,
) -> io::Result<()> {
    let faults = standing.faults();
    for &(player, what, games) in faults.iter().take(MOST_FAULTS) {
        // A log may hold arbitrary text.
        let (name, what) = (&names[player], printable(what));
        let line = format!("{name} lost {games} by a fault: {what}");
        writeln!(out, "{}", wrapped(&line, 2))?;
    }
    if let Some(others) = faults
        .len()
        .checked_sub(MOST_FAULTS)
        .filter(|&others| others > 0)
    {
        writeln!(out, "and {others} faults of other kinds")?;
    }
    if standing.halves() > 0 {
        let games = match standing.halves() {
            1 => "1 game".to_owned(),
            count => format!("{count} games"),
        };
        writeln!(out, "not counted: {games} whose partner was not finished")?;
    }
    Ok(())
}

/// Results of a player against all others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Score {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl Score {
    /// Sums the results of `player` in these encounters.
    pub(super) fn of(player: usize, encounters: &[Encounter]) -> Score {
        let mut score = Score::default();
        for encounter in encounters {
            let [wins, draws, losses] = encounter.tally.games();
            let (won, lost) = match encounter.players {
                [one, _] if one == player => (wins, losses),
                [_, other] if other == player => (losses, wins),
                _ => continue,
            };
            score.wins += won;
            score.draws += draws;
            score.losses += lost;
        }
        score
    }

    /// Returns the number of games.
    pub(super) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: 1 for a win, ½ for a draw.
    pub(super) fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Returns the table of results, faults, depth, time and nodes of each player.
pub(super) fn efforts(contest: &Match, standing: &Standing) -> Table {
    let mut table = Table::new([
        ("player", Align::Left),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
        ("faults", Align::Right),
        ("depth", Align::Right),
        ("s/move", Align::Right),
        ("longest", Align::Right),
        ("nodes/move", Align::Right),
    ]);
    for (number, (player, effort)) in contest.players.iter().zip(standing.efforts()).enumerate() {
        let Score {
            wins,
            draws,
            losses,
        } = Score::of(number, standing.encounters());
        let Effort {
            moves,
            time,
            longest,
            depths,
            nodes,
            faults,
        } = *effort;
        let mut row = vec![printable(player.name())];
        row.extend([wins, draws, losses].map(|count| count.to_string()));
        row.push(faults.to_string());
        row.push(mean(depths.0, depths.1 as f64, 1));
        row.push(mean(moves, time.as_secs_f64(), 4));
        row.push(seconds(longest));
        row.push(mean(nodes.0, nodes.1 as f64, 0));
        table.row(row);
    }
    table
}

/// Formats `sum / count` with this number of decimals, or a dash if `count` is 0.
fn mean(count: u64, sum: f64, decimals: usize) -> String {
    match count {
        0 => "-".to_owned(),
        _ => format!("{:.decimals$}", sum / count as f64),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.4}", time.as_secs_f64())
}
