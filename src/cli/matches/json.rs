//! JSON object of the results of a match.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::json;
use crate::arena::statistics::{Decision, Estimate, Sprt};
use crate::arena::{Match, Standing};

/// Results of a match, for the first player.
#[derive(Serialize)]
struct Results {
    first: String,
    second: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Numbers of pairs with 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// Share of the points, 0 to 1.
    points: Interval,
    /// Mean disc difference of a game.
    discs: Interval,
    elo: Interval,
    normalized_elo: Interval,
    los: f64,
    sprt: Option<SprtResult>,
    /// Numbers of games that each player lost by a fault.
    faults: Vec<u64>,
}

/// Value and its 95 % interval, `null` where it is not finite.
#[derive(Serialize)]
pub(super) struct Interval {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize)]
struct SprtResult {
    llr: f64,
    lower: f64,
    upper: f64,
    decision: &'static str,
}

impl From<Estimate> for Interval {
    fn from(estimate: Estimate) -> Interval {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        Interval {
            value: finite(estimate.value),
            low: finite(estimate.low),
            high: finite(estimate.high),
        }
    }
}

/// Writes the JSON object of the results and a line end.
pub(super) fn write(
    contest: &Match,
    standing: &Standing,
    sprt: Option<&Sprt>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let tally = &standing.tally();
    let summary = tally.summary();
    let [wins, draws, losses] = tally.games();
    let player = |number: usize| contest.players[number].to_string();
    let sprt = sprt.map(|sprt| {
        let state = sprt.state(tally);
        SprtResult {
            llr: state.llr,
            lower: state.lower,
            upper: state.upper,
            decision: match state.decision {
                Decision::Continue => "none",
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
            },
        }
    });
    let results = Results {
        first: player(0),
        second: player(1),
        games: wins + draws + losses,
        wins,
        draws,
        losses,
        pairs: tally.pairs(),
        points: summary.share.into(),
        discs: summary.discs.into(),
        elo: summary.elo.into(),
        normalized_elo: summary.normalized_elo.into(),
        los: summary.los,
        sprt,
        faults: standing
            .efforts()
            .iter()
            .map(|effort| effort.faults)
            .collect(),
    };
    json::write("match", &results, out)
}
