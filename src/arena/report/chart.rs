//! Charts of matches (scores, running Elo) and of tournaments (ratings, cross table).

use std::ops::RangeInclusive;

use crate::arena::statistics::{Estimate, PairTally};
use crate::board::Score;
use crate::view::{Axis, Figure, Panel, Tone};

/// Maximum number of points on a line. More would not be visible.
const MAX_POINTS: usize = 400;

/// Least upper end of an axis of counts, so that its ticks are whole numbers.
const MIN_COUNT: f64 = 8.0;

/// Returns the chart of a match as SVG.
/// `pairs` holds the scores of both games of each pair in discs, both for the first player.
pub(super) fn match_chart(first: &str, second: &str, pairs: &[(Score, Score)]) -> String {
    /// Maximum length of a name in the title, in characters.
    const MAX: usize = 46;
    let mut tally = PairTally::default();
    let mut elo = Vec::with_capacity(pairs.len());
    for &(one, other) in pairs {
        tally.add_pair(one, other);
        elo.push(tally.summary().elo);
    }
    let [wins, draws, losses] = tally.games();
    let [p0, p1, p2, p3, p4] = tally.pairs();
    Figure {
        title: format!(
            "{} against {}",
            shortened(first, MAX),
            shortened(second, MAX)
        ),
        subtitle: format!(
            "{} games: {wins} won, {draws} drawn, {losses} lost. \
             Pairs with 0, ½, 1, 1½, 2 points: {p0}, {p1}, {p2}, {p3}, {p4}.",
            2 * pairs.len()
        ),
        panels: vec![scores(&tally, pairs), running_elo(&tally, &elo)],
    }
    .to_string()
}

/// Player of a tournament.
pub(super) struct RatedPlayer {
    pub(super) name: String,
    pub(super) elo: Estimate,
    /// Share of the points against each player, in the order of the chart.
    /// `None` for players that it has not met.
    pub(super) shares: Vec<Option<f64>>,
}

/// Returns the chart of a tournament as SVG. The players must be sorted, the strongest first.
pub(super) fn tournament_chart(subtitle: String, players: &[RatedPlayer]) -> String {
    Figure {
        title: format!("Tournament of {} players", players.len()),
        subtitle,
        panels: vec![ratings(players), cross_table(players)],
    }
    .to_string()
}

/// Returns the vertical coordinate of the player of this rank. Rank 0 is at the top.
fn row(rank: usize, players: &[RatedPlayer]) -> f64 {
    (players.len() - 1 - rank) as f64
}

/// Draws the ratings and their 95 % intervals.
fn ratings(players: &[RatedPlayer]) -> Panel {
    /// Maximum length of a name beside the panel, in characters.
    const MAX: usize = 40;
    let names = players.iter().enumerate().rev();
    let names =
        names.map(|(rank, player)| format!("{}. {}", rank + 1, shortened(&player.name, MAX)));
    let (low, high) = finite_range(players.iter().map(|player| player.elo)).unwrap_or_default();
    // The text above a value may be wider than its interval.
    let margin = (0.14 * (high - low)).max(10.0);
    let intervals = players.iter().enumerate().map(|(rank, player)| {
        let Estimate { value, low, high } = player.elo;
        (
            [row(rank, players), low, value, high],
            estimate(&player.elo, 0),
        )
    });
    Panel::new(
        "Ratings and their 95 % intervals",
        Axis::new("Elo", low - margin, high + margin),
        Axis::named("", names.collect()),
    )
    .intervals(Tone::Blue, intervals.collect())
}

/// Draws the points of each player against each other, in percent.
fn cross_table(players: &[RatedPlayer]) -> Panel {
    let ranks = 1..=players.len();
    let cells = players.iter().enumerate().flat_map(|(rank, player)| {
        let shares = player.shares.iter().enumerate();
        shares.filter_map(move |(other, share)| {
            let share = (*share)?;
            let place = [other as f64, row(rank, players), share];
            Some((place, format!("{:.0}", 100.0 * share)))
        })
    });
    Panel::new(
        "Points against each other, in % of the games",
        Axis::named(
            "opponent",
            ranks.clone().map(|rank| rank.to_string()).collect(),
        ),
        Axis::named("player", ranks.rev().map(|rank| rank.to_string()).collect()),
    )
    .cells(cells.collect())
}

/// Draws the number of games with each score.
/// Final scores are even, because empties count for the winner.
fn scores(tally: &PairTally, pairs: &[(Score, Score)]) -> Panel {
    /// Half the width of a bar, in discs.
    const HALF: f64 = 1.0;
    let scores: Vec<Score> = pairs
        .iter()
        .flat_map(|&(one, other)| [one, other])
        .collect();
    let widest = scores.iter().fold(10, |most, score| most.max(score.abs()));
    let bars = |range: RangeInclusive<Score>| -> Vec<[f64; 3]> {
        let counted = range.map(|score| {
            let games = scores.iter().filter(|&&other| other == score).count();
            let middle = f64::from(score);
            [middle - HALF, middle + HALF, games as f64]
        });
        counted.filter(|&[_, _, games]| games > 0.0).collect()
    };
    let (won, drawn, lost) = (bars(1..=widest), bars(0..=0), bars(-widest..=-1));
    let highest = [&won, &drawn, &lost]
        .into_iter()
        .flatten()
        .fold(MIN_COUNT, |most: f64, &[_, _, games]| most.max(games));
    let edge = f64::from(widest) + 2.0 * HALF;
    let discs = tally.summary().discs;
    let mut panel = Panel::new(
        format!("{} discs per game (95 %)", estimate(&discs, 2)),
        Axis::new(
            "disc difference of a game, for the first player",
            -edge,
            edge,
        ),
        Axis::new("games", 0.0, 1.08 * highest),
    )
    .legend(Tone::Blue, "won")
    .legend(Tone::Grey, "drawn")
    .legend(Tone::Red, "lost")
    .bars(Tone::Red, lost)
    .bars(Tone::Grey, drawn)
    .bars(Tone::Blue, won);
    if !pairs.is_empty() {
        panel = panel.vertical(discs.value);
    }
    panel
}

/// Draws the Elo estimate after each pair, with its 95 % interval.
fn running_elo(tally: &PairTally, elo: &[Estimate]) -> Panel {
    let step = elo.len().div_ceil(MAX_POINTS).max(1);
    let last = elo.len().saturating_sub(1);
    // The first pair is omitted, because one pair gives no interval.
    let shown: Vec<(f64, Estimate)> = (1..elo.len())
        .filter(|index| index % step == 0 || *index == last)
        .map(|index| ((index + 1) as f64, elo[index]))
        .collect();
    let (low, high) = elo_range(&shown);
    let band = shown.iter().map(|&(pair, elo)| [pair, elo.low, elo.high]);
    let line = shown.iter().map(|&(pair, elo)| [pair, elo.value]);
    let last = tally.summary().elo;
    let title = if last.is_known() {
        format!("{} Elo (95 %)", estimate(&last, 1))
    } else {
        "Elo (95 %)".to_owned()
    };
    Panel::new(
        title,
        Axis::new("pairs of games", 0.0, (elo.len() as f64).max(MIN_COUNT)),
        Axis::new("Elo of the first player over the second", low, high),
    )
    .legend(Tone::Blue, "after each pair, with its 95 % interval")
    .band(Tone::Blue, band.collect())
    .horizontal(0.0)
    .line(Tone::Blue, line.collect())
}

/// Returns the range of the Elo axis: 0, and all intervals after the first eighth of the match.
fn elo_range(shown: &[(f64, Estimate)]) -> (f64, f64) {
    /// Share of the match, as a divisor, after which intervals must fit on the chart.
    const SETTLED: usize = 8;
    const MIN: f64 = 10.0;
    let settled = shown[shown.len() / SETTLED..].iter().map(|&(_, elo)| elo);
    let (low, high) = finite_range(settled).unwrap_or_default();
    let (low, high) = (low.min(-MIN), high.max(MIN));
    let margin = 0.06 * (high - low);
    (low - margin, high + margin)
}

/// Returns the least and the greatest finite number of these estimates and their intervals.
fn finite_range(estimates: impl Iterator<Item = Estimate>) -> Option<(f64, f64)> {
    let ends = estimates.flat_map(|estimate| [estimate.low, estimate.value, estimate.high]);
    let finite = ends.filter(|end| end.is_finite()).map(|end| (end, end));
    finite.reduce(|(low, high), (end, _)| (low.min(end), high.max(end)))
}

/// Formats an estimate with typographic minus signs: `+12.3 ± 4.5`.
fn estimate(estimate: &Estimate, decimals: usize) -> String {
    format!("{estimate:#.decimals$}").replace('-', "−")
}

/// Shortens a name to at most `most` characters.
fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
