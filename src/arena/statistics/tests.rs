//! Tests of match statistics: worked values and edge cases.
//!
//! The reference values come from separate Python code. It computes the summary figures from the
//! list of all pair results, by sample variance and `math.erf`. It computes a log-likelihood ratio
//! by maximising the likelihood under each hypothesis directly. A hypothesis in normalised Elo
//! fixes the variance of a pair's result as soon as the mean is chosen. A golden-section search
//! finds the mean with the highest likelihood.

use super::*;
use emilia_core::board::Score;

/// Creates a tally from the numbers of pairs with 0, ½, 1, 1½ and 2 points.
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

/// Columns, separated by `:`:
/// - numbers of pairs, as for `tally`,
/// - share of points and its error, Elo and the ends of its interval, normalised Elo and its error,
///   and LOS (empty if these figures are not checked),
/// - log-likelihood ratios of three SPRTs.
const WORKED: &str = "\
3 20 60 28 9: 0.541667 0.039472 29.02027 1.525233 56.88358 46.40019 43.95586 0.980725: 1.443511111 1.014378873 1.699056894
10 0 0 0 15: 0.6 0.195996 70.4365 -67.54336 236.5093 49.13481 96.30246 0.841345: 0.324036879 0.224171636 0.406792049
100 950 2200 1000 120: 0.505149 0.005964 3.577838 -0.566211 7.722906 6.288694 7.283945 0.954692: -5.375532802 8.171434464 -69.142688588
0 0 10 0 0:: -0.061722834 0.013652902 -0.397113153
0 0 0 0 10:: 0.780193142 0.415231359 1.617084715
0 0 0 0 0:: 0 0 0";

pub(super) fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    let words = text.split_whitespace();
    words.map(|word| word.parse().unwrap()).collect()
}

#[test]
fn figures_and_likelihood_ratios_agree_with_worked_values() {
    for row in WORKED.lines() {
        let [pairs, figures, ratios] = row.split(':').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let tally = tally(numbers(pairs).try_into().unwrap());
        let MatchSummary {
            share,
            elo,
            normalized_elo,
            los,
            ..
        } = tally.summary();
        let share = [share.value, share.error()];
        let elo = [elo.value, elo.low, elo.high];
        let normalized_elo = [normalized_elo.value, normalized_elo.error()];
        let found = [&share[..], &elo, &normalized_elo, &[los]].concat();
        for (figure, expected) in found.into_iter().zip(numbers(figures)) {
            assert_close(figure, expected);
        }
        let bounds = [(0.0, 20.0), (-10.0, 0.0), (5.0, 50.0)];
        for ((elo0, elo1), expected) in bounds.into_iter().zip(numbers(ratios)) {
            let sprt = Sprt::new(elo0, elo1).unwrap();
            assert_close(sprt.state(&tally).llr, expected);
        }
    }
    // Here both hypotheses are far from the results.
    let sprt = Sprt::new(200.0, 400.0).unwrap();
    let llr = sprt.state(&tally([0, 0, 3, 2, 1])).llr;
    assert_close(llr, -1.517_034_454);
}

#[test]
fn undetermined_figures_are_never_nan_and_print_as_bounds_or_n_a() {
    // Columns: numbers of pairs, LOS, and Elo as text. The bound after ten won pairs is the Elo
    // difference for a share of 0.05^(1/10). LOS is then 1 − ½¹¹.
    for row in "\
0 0 0 0 0 | 0.5 | n/a
0 0 0 0 1 | 0.75 | n/a
0 0 0 1 0 | 0.75 | n/a
0 0 0 0 10 | 0.99951171875 | at least +182.7
10 0 0 0 0 | 0.00048828125 | at most -182.7
1 0 0 0 1 | 0.5 | n/a
0 0 9 0 0 | 0.5 | n/a"
        .lines()
    {
        let [pairs, los, text] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let summary = tally(numbers(pairs).try_into().unwrap()).summary();
        let elo = summary.elo;
        assert_eq!(elo.to_string(), text);
        assert_close(summary.los, los.parse().unwrap());
        for estimate in [summary.share, summary.discs, elo, summary.normalized_elo] {
            let Estimate { value, low, high } = estimate;
            let is_nan = [value, low, high, estimate.error()].map(f64::is_nan);
            assert_eq!(is_nan, [false; 4], "{pairs}: {estimate:?}");
        }
    }
    let elo = tally([0, 0, 0, 1, 9]).summary().elo;
    assert_eq!(elo.to_string(), "+636.4, at least +439.0");
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
        let what = "the bounds of the test in Elo must be between -500 and 500, ";
        assert!(error.starts_with(what), "{error}");
    }
}

#[test]
fn a_test_is_parsed_with_its_error_rates_and_its_model() {
    let sprt = |text: &str| text.parse::<Sprt>();
    let shown = |text| sprt(text).unwrap().to_string();
    assert_eq!(sprt("0, 20"), Sprt::new(0.0, 20.0));
    assert_eq!(
        shown("0,20"),
        "0 to 20 normalised Elo, alpha 0.05, beta 0.05"
    );
    let other = "-5,0.5,model=logistic,beta=0.1,alpha=0.01";
    assert_eq!(shown(other), "-5 to 0.5 Elo, alpha 0.01, beta 0.1");
    let state = sprt(other).unwrap().state(&tally([0; 5]));
    assert_close(state.lower, (0.1_f64 / 0.99).ln());
    assert_close(state.upper, 90.0_f64.ln());
    for (text, error) in [
        ("0", "expected two numbers of Elo, like 0,20"),
        (
            "0,20,alpha=0.5",
            "'0.5': expected a rate above 0 and below 0.5",
        ),
        (
            "0,20,beta=nan",
            "'nan': expected a rate above 0 and below 0.5",
        ),
        (
            "0,20,model=elo",
            "'model=elo': expected alpha=RATE, beta=RATE, model=logistic",
        ),
    ] {
        assert!(sprt(text).unwrap_err().starts_with(error), "{text}");
    }
    let logistic: Sprt = sprt("0,20,model=logistic").unwrap();
    for (pairs, llr) in [
        ([3, 20, 60, 28, 9], 1.936_850_416),
        ([10, 0, 0, 0, 15], 0.246_444_836),
        ([100, 950, 2200, 1000, 120], -28.421_275_315),
        ([0, 0, 10, 0, 0], -0.585_434_221),
        ([0, 0, 0, 0, 10], 0.559_195_437),
    ] {
        assert_close(logistic.state(&tally(pairs)).llr, llr);
    }
}

/// Every combination of at most three pairs with each result gives a finite ratio.
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
