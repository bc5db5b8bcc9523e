//! Charts of matches (scores, running Elo) and of tournaments (ratings, cross table).

use std::collections::BTreeMap;

use crate::statistics::{Estimate, PairTally};
use emilia_core::board::Score;
use emilia_view::{Axis, Chart, Mark, Panel, Tone};

/// Maximum number of points on a line. More would not be visible.
const MAX_POINTS: usize = 400;

/// Least upper end of an axis of counts, so that its ticks are whole numbers.
const MIN_COUNT: f64 = 8.0;

/// Returns the chart of a match.
/// `pairs` holds the scores of both games of each pair in discs, both for the first player.
pub(super) fn match_chart(players: [&str; 2], pairs: &[(Score, Score)]) -> Chart {
    /// Maximum length of a name in the title, in characters.
    const MAX: usize = 46;
    let mut tally = PairTally::default();
    let mut elo = Vec::with_capacity(pairs.len());
    for &(one, other) in pairs {
        tally.add_pair(one, other);
        elo.push(tally.summary().elo);
    }
    let [wins, draws, losses] = tally.games;
    let [p0, p1, p2, p3, p4] = tally.pairs;
    let [first, second] = players.map(|name| shortened(name, MAX));
    Chart {
        title: format!("{first} against {second}"),
        subtitle: format!(
            "{} games: {wins} won, {draws} drawn, {losses} lost. \
             Pairs with 0, ½, 1, 1½, 2 points: {p0}, {p1}, {p2}, {p3}, {p4}.",
            2 * pairs.len()
        ),
        panels: vec![scores(&tally, pairs), running_elo(&tally, &elo)],
    }
}

/// Player of a tournament.
pub(super) struct RatedPlayer {
    pub(super) name: String,
    pub(super) elo: Estimate,
    /// Share of the points against each player, in the order of the chart.
    /// `None` for players that it has not met.
    pub(super) shares: Vec<Option<f64>>,
}

/// Returns the chart of a tournament. The players must be sorted, the strongest first.
pub(super) fn tournament_chart(subtitle: String, players: &[RatedPlayer]) -> Chart {
    Chart {
        title: format!("Tournament of {} players", players.len()),
        subtitle,
        panels: vec![ratings(players), cross_table(players)],
    }
}

/// Draws the ratings and their 95 % intervals. The first player is at the top.
fn ratings(players: &[RatedPlayer]) -> Panel {
    /// Maximum length of a name beside the panel, in characters.
    const MAX: usize = 40;
    let (low, high) = finite_range(players.iter().map(|player| player.elo)).unwrap_or_default();
    // The text above a value may be wider than its interval.
    let margin = (0.14 * (high - low)).max(10.0);
    let (mut names, mut intervals) = (Vec::new(), Vec::new());
    for (y, (rank, player)) in players.iter().enumerate().rev().enumerate() {
        let Estimate { value, low, high } = player.elo;
        names.push(format!("{}. {}", rank + 1, shortened(&player.name, MAX)));
        intervals.push(([y as f64, low, value, high], estimate(&player.elo, 0)));
    }
    Panel {
        title: "Ratings and their 95 % intervals".to_owned(),
        legend: Vec::new(),
        x: Axis::new("Elo", low - margin, high + margin),
        y: Axis::named("", names),
        marks: vec![Mark::Intervals(Tone::Blue, intervals)],
    }
}

/// Draws the points of each player against each other, in percent.
fn cross_table(players: &[RatedPlayer]) -> Panel {
    let rows = players.iter().rev().enumerate();
    let cells = rows.flat_map(|(y, player)| {
        let shares = player.shares.iter().enumerate();
        shares.filter_map(move |(x, share)| {
            let share = (*share)?;
            Some(([x as f64, y as f64, share], format!("{:.0}", 100.0 * share)))
        })
    });
    let ranks: Vec<String> = (1..=players.len()).map(|rank| rank.to_string()).collect();
    Panel {
        title: "Points against each other, in % of the games".to_owned(),
        legend: Vec::new(),
        x: Axis::named("opponent", ranks.clone()),
        y: Axis::named("player", ranks.into_iter().rev().collect()),
        marks: vec![Mark::Cells(cells.collect())],
    }
}

/// Draws the number of games with each score.
/// Final scores are even, because empties count for the winner.
fn scores(tally: &PairTally, pairs: &[(Score, Score)]) -> Panel {
    /// Half the width of a bar, in discs.
    const HALF: f64 = 1.0;
    let mut games = BTreeMap::<Score, u32>::new();
    for score in pairs.iter().flat_map(|&(one, other)| [one, other]) {
        *games.entry(score).or_default() += 1;
    }
    let bars = |sign| {
        let of_sign = games
            .iter()
            .filter(move |(score, _)| score.signum() == sign);
        let bar = |(&score, &games): (&Score, &u32)| {
            let middle = f64::from(score);
            [middle - HALF, middle + HALF, f64::from(games)]
        };
        of_sign.map(bar).collect()
    };
    let widest = games.keys().fold(10, |most, score| most.max(score.abs()));
    let highest = games.values().copied().max().map_or(0.0, f64::from);
    let edge = f64::from(widest) + 2.0 * HALF;
    let discs = tally.summary().discs;
    let mut marks = vec![
        Mark::Bars(Tone::Red, bars(-1)),
        Mark::Bars(Tone::Grey, bars(0)),
        Mark::Bars(Tone::Blue, bars(1)),
    ];
    if !pairs.is_empty() {
        marks.push(Mark::Vertical(discs.value, String::new()));
    }
    Panel {
        title: format!("{} discs per game (95 %)", estimate(&discs, 2)),
        legend: [
            (Tone::Blue, "won"),
            (Tone::Grey, "drawn"),
            (Tone::Red, "lost"),
        ]
        .map(|(tone, result)| (tone, result.to_owned()))
        .to_vec(),
        x: Axis::new(
            "disc difference of a game, for the first player",
            -edge,
            edge,
        ),
        y: Axis::new("games", 0.0, 1.08 * highest.max(MIN_COUNT)),
        marks,
    }
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
    let last = last.is_known().then(|| estimate(&last, 1) + " ");
    Panel {
        title: last.unwrap_or_default() + "Elo (95 %)",
        legend: vec![(
            Tone::Blue,
            "after each pair, with its 95 % interval".to_owned(),
        )],
        x: Axis::new("pairs of games", 0.0, (elo.len() as f64).max(MIN_COUNT)),
        y: Axis::new("Elo of the first player over the second", low, high),
        marks: vec![
            Mark::Band(Tone::Blue, band.collect()),
            Mark::Horizontal(0.0, String::new()),
            Mark::Line(Tone::Blue, line.collect()),
        ],
    }
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
