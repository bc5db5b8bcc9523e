//! Tests of match statistics: worked values, edge cases, and SPRT error rates in simulation.
//!
//! The reference values were computed by independent Python code.
//! Summary figures come from the list of all pair results, by sample variance and `math.erf`.
//! Log-likelihood ratios come from direct maximisation of the likelihood.
//! Mean and variance are given, and golden section varies the mean.

use super::tally::SHARES;
use super::*;
use emilia_core::board::Score;

/// Returns a tally with these numbers of pairs with 0, ½, 1, 1½ and 2 points.
pub(super) fn tally(pairs: [u64; 5]) -> PairTally {
    let mut tally = PairTally::default();
    for (result, count) in pairs.into_iter().enumerate() {
        for _ in 0..count {
            add_result(&mut tally, result);
        }
    }
    tally
}

pub(super) fn add_result(tally: &mut PairTally, result: usize) {
    const SCORES: [(Score, Score); 5] = [(-2, -2), (-2, 0), (-2, 2), (0, 2), (2, 2)];
    let (one, other) = SCORES[result];
    tally.add_pair(one, other);
}

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    let precise = (value - expected).abs() <= 1e-6 * expected.abs().max(1.0);
    assert!(
        precise || value.total_cmp(&expected).is_eq(),
        "{value} is not {expected}"
    );
}

#[test]
fn tally_counts_games_and_pairs_and_sums_discs() {
    let mut tally = PairTally::default();
    for (one, other) in [(10, -4), (6, 2), (-20, 14), (0, 0), (30, -32), (8, 8)] {
        tally.add_pair(one, other);
    }
    assert_eq!(tally.games, [7, 2, 3]);
    assert_eq!(tally.pairs, [0, 0, 4, 0, 2]);
    let discs = tally.summary().discs;
    assert_close(discs.value, 11.0 / 6.0);
    assert_close(discs.error(), 3.177_184_307);
}

#[test]
fn figures_agree_with_worked_values() {
    for (pairs, expected) in [
        (
            [3, 20, 60, 28, 9],
            [
                0.541_667, 0.039_472, 29.020_27, 1.525_233, 56.883_58, 46.400_19, 43.955_86,
                0.980_725,
            ],
        ),
        (
            [10, 0, 0, 0, 15],
            [
                0.6, 0.195_996, 70.436_50, -67.543_36, 236.509_3, 49.134_81, 96.302_46, 0.841_345,
            ],
        ),
        (
            [100, 950, 2200, 1000, 120],
            [
                0.505_149, 0.005_964, 3.577_838, -0.566_211, 7.722_906, 6.288_694, 7.283_945,
                0.954_692,
            ],
        ),
    ] {
        let MatchSummary {
            share,
            elo,
            normalized_elo,
            los,
            ..
        } = tally(pairs).summary();
        let share = [share.value, share.error()];
        let elo = [elo.value, elo.low, elo.high];
        let normalized_elo = [normalized_elo.value, normalized_elo.error()];
        let figures = [&share[..], &elo, &normalized_elo, &[los]].concat();
        for (figure, expected) in figures.into_iter().zip(expected) {
            assert_close(figure, expected);
        }
    }
}

#[test]
fn undetermined_figures_are_never_nan_and_print_as_bounds_or_n_a() {
    // The bound is the Elo of a share of 0.05^(1/10).
    for (pairs, los, short, long) in [
        ([0, 0, 0, 0, 0], 0.5, "+0.0 ± n/a", "+0.0 ± n/a"),
        ([0, 0, 0, 0, 1], 0.75, "n/a ± n/a", "n/a ± n/a"),
        (
            [0, 0, 0, 0, 10],
            1.0 - 1.0 / 2048.0,
            "n/a ± n/a",
            "at least +182.7",
        ),
        (
            [10, 0, 0, 0, 0],
            1.0 / 2048.0,
            "n/a ± n/a",
            "at most -182.7",
        ),
        ([1, 0, 0, 0, 1], 0.5, "+0.0 ± n/a", "+0.0 ± n/a"),
        ([0, 0, 9, 0, 0], 0.5, "+0.0 ± n/a", "+0.0 ± n/a"),
    ] {
        let summary = tally(pairs).summary();
        let elo = summary.elo;
        assert_eq!([elo.to_string(), format!("{elo:#}")], [short, long]);
        assert_close(summary.los, los);
        for estimate in [summary.share, summary.discs, elo, summary.normalized_elo] {
            let Estimate { value, low, high } = estimate;
            let is_nan = [value, low, high, estimate.error()].map(f64::is_nan);
            assert_eq!(is_nan, [false; 4], "{pairs:?}: {estimate:?}");
        }
    }
    let elo = tally([0, 0, 0, 1, 9]).summary().elo;
    assert_eq!(format!("{elo:#}"), "+636.4, at least +439.0");
}

#[test]
fn elo_and_share_are_inverse() {
    for elo in [-800.0, -1.0, 0.0, 0.5, 400.0] {
        assert_close(elo_of_share(share_of_elo(elo)), elo);
    }
    assert_close(share_of_elo(400.0), 10.0 / 11.0);
}

#[test]
fn likelihood_ratios_agree_with_worked_values() {
    const BOUNDS: [(f64, f64); 3] = [(0.0, 20.0), (-10.0, 0.0), (5.0, 50.0)];
    for (pairs, expected) in [
        (
            [3, 20, 60, 28, 9],
            [1.443_511_111, 1.014_378_873, 1.699_056_894],
        ),
        (
            [10, 0, 0, 0, 15],
            [0.324_036_879, 0.224_171_636, 0.406_792_049],
        ),
        (
            [100, 950, 2200, 1000, 120],
            [-5.375_532_802, 8.171_434_464, -69.142_688_588],
        ),
        (
            [0, 0, 10, 0, 0],
            [-0.061_722_834, 0.013_652_902, -0.397_113_153],
        ),
        (
            [0, 0, 0, 0, 10],
            [0.780_193_142, 0.415_231_359, 1.617_084_715],
        ),
        ([0, 0, 0, 0, 0], [0.0; 3]),
    ] {
        for ((elo0, elo1), expected) in BOUNDS.into_iter().zip(expected) {
            let sprt = Sprt::new(elo0, elo1).unwrap();
            assert_close(sprt.state(&tally(pairs)).llr, expected);
        }
    }
    // Far from the results.
    let llr = Sprt::new(200.0, 400.0)
        .unwrap()
        .state(&tally([0, 0, 3, 2, 1]))
        .llr;
    assert_close(llr, -1.517_034_454);
}

#[test]
fn decisions_follow_walds_bounds() {
    let sprt = Sprt::new(0.0, 40.0).unwrap();
    for (pairs, decision) in [
        ([0; 5], Decision::Continue),
        ([0, 0, 0, 0, 60], Decision::AcceptH1),
        ([60, 0, 0, 0, 0], Decision::AcceptH0),
    ] {
        let state = sprt.state(&tally(pairs));
        assert_close(state.lower, -(19.0_f64.ln()));
        assert_close(state.upper, 19.0_f64.ln());
        assert_eq!(state.decision, decision);
    }
    for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 5.0), (-501.0, 0.0)] {
        let error = Sprt::new(elo0, elo1).unwrap_err();
        let what = "the Elo bounds of the test must be between -500 and 500, ";
        assert!(error.starts_with(what), "{error}");
    }
}

/// Every combination of up to three pairs of each result gives a finite ratio.
#[test]
fn likelihood_ratios_of_all_small_tallies_are_finite() {
    for (elo0, elo1) in [(-500.0, 500.0), (0.0, 5.0), (200.0, 400.0)] {
        let sprt = Sprt::new(elo0, elo1).unwrap();
        for code in 0..4_u64.pow(5) {
            let pairs = std::array::from_fn(|result| code >> (2 * result) & 3);
            let llr = sprt.state(&tally(pairs)).llr;
            assert!(llr.is_finite(), "{elo0} {elo1} {pairs:?}: {llr}");
        }
    }
}

/// Returns probabilities of the five results for the normalised Elo `elo`: `kind`, exponentially
/// tilted.
fn pairs_of_strength(kind: [f64; 5], elo: f64) -> [f64; 5] {
    let tilted = |tilt: f64| {
        let weights: [f64; 5] = std::array::from_fn(|at| kind[at] * (tilt * SHARES[at]).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let strength = |tilt: f64| {
        let pairs = tilted(tilt);
        let mean_of = |value: &dyn Fn(f64) -> f64| -> f64 {
            (0..5).map(|at| pairs[at] * value(SHARES[at])).sum()
        };
        let mean = mean_of(&|share| share);
        let variance = mean_of(&|share| (share - mean).powi(2));
        elo::ELO_PER_DEVIATION * (mean - 0.5) / (2.0 * variance).sqrt()
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if strength(middle) < elo {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilted(low)
}

/// Simulates a match and returns its decision and its number of pairs.
fn simulate(sprt: &Sprt, pairs: [f64; 5], random: &mut fastrand::Rng) -> (Decision, u64) {
    let mut tally = PairTally::default();
    loop {
        let mut rest = random.f64();
        let result = pairs.iter().position(|probability| {
            rest -= probability;
            rest < 0.0
        });
        add_result(&mut tally, result.unwrap_or(4));
        let decision = sprt.state(&tally).decision;
        if decision != Decision::Continue {
            return (decision, tally.pair_count());
        }
    }
}

/// Simulates 5,000 matches. `cargo test error_rates -- --nocapture` prints the table.
#[test]
fn error_rates_do_not_exceed_the_nominal_rates() {
    const MATCHES: u32 = 1250;
    const RATE: f64 = 0.05;
    const BOUNDS: [f64; 2] = [0.0, 60.0];
    // Independent games with few draws, and openings so unbalanced that most pairs are split.
    const INDEPENDENT: [f64; 5] = [0.23, 0.04, 0.46, 0.04, 0.23];
    const SPLIT: [f64; 5] = [0.05, 0.05, 0.8, 0.05, 0.05];

    let mut random = fastrand::Rng::with_seed(11);
    let sprt = Sprt::new(BOUNDS[0], BOUNDS[1]).unwrap();
    println!("pairs        true  mean pairs  wrong %");
    for (name, kind) in [("independent", INDEPENDENT), ("split", SPLIT)] {
        let wrong_decisions = [Decision::AcceptH1, Decision::AcceptH0];
        for (elo, wrong_decision) in BOUNDS.into_iter().zip(wrong_decisions) {
            let pairs = pairs_of_strength(kind, elo);
            let (mut wrong, mut played) = (0, 0);
            for _ in 0..MATCHES {
                let (decision, count) = simulate(&sprt, pairs, &mut random);
                wrong += u32::from(decision == wrong_decision);
                played += count;
            }
            let matches = f64::from(MATCHES);
            let (seen, mean) = (f64::from(wrong) / matches, played as f64 / matches);
            println!("{name:11}  {elo:4.0}  {mean:10.1}  {:7.1}", 100.0 * seen);
            // Three standard errors of this number of matches above the nominal rate.
            assert!(seen <= RATE + 3.0 * (RATE * (1.0 - RATE) / matches).sqrt());
            assert!(seen >= RATE / 4.0, "the test is longer than needed");
        }
    }
}
