//! Tests of option tuning by SPSA, with simulated games.

use crate::spsa::{Spsa, TunedOption, with_values};
use crate::statistics::{Estimate, share_of_elo};

fn option(text: &str) -> TunedOption {
    text.parse().unwrap()
}

/// Tunes an option with the range 0 to 12, starting from 6. Its best value is 3. A value at
/// distance d from 3 costs 40 · d² Elo.
fn tuned(iterations: usize, seed: u64) -> Spsa {
    let mut spsa = Spsa::new(vec![option("x=0.0..12.0")], iterations, 0.1, seed);
    let mut random = fastrand::Rng::with_seed(seed);
    let elo = |texts: &[String]| -40.0 * (texts[0].parse::<f64>().unwrap() - 3.0).powi(2);
    while spsa.done() < iterations {
        let [one, other] = spsa.players().map(|texts| elo(&texts));
        let share = share_of_elo(one - other);
        let games = [(); 2].map(|()| if random.f64() < share { 1 } else { -1 });
        spsa.update(games.iter().sum());
    }
    spsa
}

#[test]
fn a_value_off_by_a_factor_of_two_comes_back_within_its_error() {
    let runs = (0..40).map(|seed| tuned(1000, seed).estimates()[0]);
    let estimates: Vec<_> = runs.collect();
    let held = estimates
        .iter()
        .filter(|found| (found.low..=found.high).contains(&3.0));
    let held = held.count();
    let worst = estimates.iter().map(|found| (found.value - 3.0).abs());
    let worst = worst.fold(0.0, f64::max);
    let error = estimates.iter().map(Estimate::error).sum::<f64>() / 40.0;
    println!("{held} of 40 intervals hold the best value, mean error {error:.2}, worst {worst:.2}");
    assert!(
        held >= 36 && worst < 0.6 && error < 0.5,
        "{held} {worst} {error}"
    );
}

#[test]
fn a_tuning_that_repeats_its_results_is_the_same() {
    let whole = tuned(50, 3);
    let mut again = Spsa::new(vec![option("x=0.0..12.0")], 50, 0.1, 3);
    for result in [2, 0, -2, -2, 0] {
        let mut other = again.clone();
        assert_eq!(other.players(), again.players());
        again.update(result);
        other.update(-result);
        let [moved, back] = [&again, &other].map(|spsa| spsa.values()[0]);
        assert_eq!((moved - back).abs() < 1e-9, result == 0);
    }
    assert_eq!(again.done(), 5);
    let svg = whole.plot();
    assert!(svg.contains(">100 games<") && svg.contains(">x 0 to 12<"));
    assert_eq!(svg.matches(',').count(), 51);
}

#[test]
fn options_are_parsed_with_their_ranges() {
    let whole = Spsa::new(vec![option("depth=1..9")], 10, 0.1, 1);
    assert_eq!(whole.values(), [5.0]);
    for texts in whole.players() {
        assert!(texts[0] == "4" || texts[0] == "6", "{texts:?}");
    }
    for bad in ["x", "x=1", "x=1..1", "=1..2", "x=nan..2"] {
        let error = bad.parse::<TunedOption>().unwrap_err();
        assert!(error.contains("expected NAME=LOW..HIGH"), "{bad}");
    }
}

#[test]
fn values_take_their_place_in_a_specification() {
    let names = ["a=0..9", "b=0..9"].map(option);
    let values = ["1".to_owned(), "2".to_owned()];
    for (spec, expected) in [
        ("builtin", "builtin:a=1,b=2"),
        ("builtin:depth=3", "builtin:depth=3,a=1,b=2"),
        ("uci:./x", "uci:option.b=2,option.a=1,./x"),
        ("uci:./x {a}", "uci:option.b=2,./x 1"),
        ("gtp:./x -{a} {b}{a}", "gtp:./x -1 21"),
    ] {
        assert_eq!(with_values(spec, &names, &values).unwrap(), expected);
    }
    let error = with_values("gtp:./x {a}", &names, &values).unwrap_err();
    assert!(
        error.starts_with("--option b: 'gtp:./x 1' has no place for it (expected builtin:"),
        "{error}"
    );
}
