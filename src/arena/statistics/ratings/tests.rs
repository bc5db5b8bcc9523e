//! Tests of ratings: worked values, extreme results, and coverage of the confidence intervals in
//! simulated tournaments.
//!
//! Reference values that were not worked out by hand come from separate Python code. It finds the
//! ratings by Hunter's minorisation-maximisation, and the covariance by elimination without the
//! last player, from the results of all pairs.

use super::super::tests::{add_result, numbers, tally};
use super::*;
use crate::Tournament;

fn encounter(players: [usize; 2], pairs: [u64; 5]) -> Encounter {
    Encounter {
        players,
        tally: tally(pairs),
    }
}

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-5, "{value} is not {expected}");
}

#[test]
fn ratings_agree_with_worked_values() {
    // Columns, separated by `: `:
    // - numbers of pairs between players 1 and 2, 1 and 3, 2 and 3 (five each, see `tally`),
    // - ratings of the three players in Elo,
    // - errors of the ratings in Elo,
    // - probability that player 1 is stronger than player 2.
    for row in "\
1 2 5 3 4 0 1 2 2 3 2 0 6 1 1: 74.178356867 -30.414932379 -43.763424488: 63.064407492 58.500985792 65.043190333: 0.976929768
0 1 2 0 3 0 0 1 2 4 0 0 2 2 2: 156.710526672 11.930478807 -168.641005479: 101.695602939 88.176678155 86.054233739: 0.952664321"
        .lines()
    {
        let columns: Vec<&str> = row.split(": ").collect();
        let pairs: Vec<u64> = numbers(columns[0]);
        let [elo, errors, superiority] = [1, 2, 3].map(|at| numbers::<f64>(columns[at]));
        let players = [[0, 1], [0, 2], [1, 2]].into_iter();
        let encounters = players.zip(pairs.chunks(5));
        let encounters: Vec<Encounter> = encounters
            .map(|(players, pairs)| encounter(players, pairs.try_into().unwrap()))
            .collect();
        let ratings = Ratings::new(3, &encounters);
        for player in 0..3 {
            assert_close(ratings.elo(player).value, elo[player]);
            assert_close(ratings.elo(player).error(), errors[player]);
        }
        assert_close(ratings.superiority(0, 1), superiority[0]);
        assert_close(ratings.superiority(1, 0), 1.0 - superiority[0]);
    }
}

/// The errors agree to first order: the slope of the Elo function maps the interval of the match
/// share to the Elo interval.
#[test]
fn ratings_of_two_players_agree_with_the_match_summary() {
    for pairs in [[3, 20, 60, 28, 9], [10, 0, 0, 0, 15], [0, 1, 5, 3, 1]] {
        let summary = tally(pairs).summary();
        let difference = Ratings::new(2, &[encounter([0, 1], pairs)]).difference(0, 1);
        assert_close(difference.value, summary.elo.value);
        let share = summary.share.value;
        let slope = ELO_PER_UNIT / (share * (1.0 - share));
        assert_close(difference.error(), slope * summary.share.error());
    }
}

#[test]
fn results_without_finite_ratings_count_a_draw_for_each_pairing() {
    let perfect = [
        encounter([0, 1], [0, 0, 0, 0, 5]),
        encounter([0, 2], [0, 0, 0, 0, 5]),
        encounter([1, 2], [0, 0, 2, 1, 2]),
    ];
    let ratings = Ratings::new(3, &perfect);
    assert!(ratings.has_prior);
    for (player, elo) in [362.781_005_724, -104.041_111_475, -258.739_894_249]
        .into_iter()
        .enumerate()
    {
        assert_close(ratings.elo(player).value, elo);
    }
    // Players 0 and 1 played each other, and so did players 2 and 3. No game connects the two
    // groups, because the encounter of players 1 and 2 has no games. The rating difference between
    // the groups is unknown, and the ranking is by points.
    let strangers = [
        encounter([0, 1], [1, 0, 0, 0, 1]),
        encounter([1, 2], [0; 5]),
        encounter([2, 3], [1, 0, 0, 0, 2]),
    ];
    let ratings = Ratings::new(4, &strangers);
    assert!(!ratings.has_prior);
    assert_eq!(ratings.elo(0).to_string(), "n/a");
    assert_eq!(ratings.ranking(), [2, 0, 1, 3]);
    let ratings = Ratings::new(2, &[encounter([0, 1], [0; 5])]);
    assert_eq!(ratings.elo(0).to_string(), "n/a");
}

/// Every combination of few results gives finite ratings, if it connects the players.
#[test]
fn ratings_of_all_small_tournaments_are_finite() {
    for code in 0..3_u64.pow(9) {
        let count = |at: u32| code / 3_u64.pow(at) % 3;
        let results = |from| [count(from), 0, count(from + 1), 0, count(from + 2)];
        let encounters = [
            encounter([0, 1], results(0)),
            encounter([1, 2], results(3)),
            encounter([2, 0], results(6)),
        ];
        let ratings = Ratings::new(3, &encounters);
        for player in 0..3 {
            let elo = ratings.elo(player);
            let is_finite = elo.value.abs() < 2000.0;
            assert_eq!(is_finite, elo.is_known(), "{code}: {elo}");
            // The error is 0 if all pairs of games have the same result.
            assert!(elo.error() >= 0.0, "{code}: {elo}");
            assert!((0.0..=1.0).contains(&ratings.superiority(player, 1)));
        }
    }
}

/// Simulates pairs of games between two players whose strengths differ by `elo`.
///
/// With probability `opposite`, the second game of a pair uses one minus the random number of the
/// first game. Then the two games tend to have opposite winners, as in an opening that favours one
/// colour.
fn play(elo: f64, pairs: u32, opposite: f64, random: &mut fastrand::Rng) -> PairTally {
    const DRAWS: f64 = 0.06;
    let share = share_of_elo(elo);
    let half_points = |luck: f64| -> usize {
        let is_less = [share - DRAWS / 2.0, share + DRAWS / 2.0].map(|bound| luck < bound);
        is_less.into_iter().filter(|&is_less| is_less).count()
    };
    let mut tally = PairTally::default();
    for _ in 0..pairs {
        let luck = random.f64();
        let other = if random.f64() < opposite {
            1.0 - luck
        } else {
            random.f64()
        };
        add_result(&mut tally, half_points(luck) + half_points(other));
    }
    tally
}

/// Simulates 1,000 tournaments with independent games, and 1,000 in which the winners of a pair's
/// games tend to be opposite. `cargo test intervals_hold -- --nocapture` prints the table.
#[test]
fn intervals_hold_the_truth_at_the_nominal_rate() {
    const TOURNAMENTS: u32 = 1000;
    const TRUTH: [f64; 5] = [150.0, 80.0, 0.0, -60.0, -170.0];
    const PAIRS: u32 = 20;
    let mut random = fastrand::Rng::with_seed(5);
    println!("opposite pairs  true Elo  mean Elo  mean error  in the interval");
    for opposite in [0.0, 0.8] {
        let mut sums = [(0.0, 0.0, 0); TRUTH.len()];
        for _ in 0..TOURNAMENTS {
            let pairings = Tournament::RoundRobin.pairings(TRUTH.len());
            let encounters = pairings.into_iter().map(|[one, other]| Encounter {
                players: [one, other],
                tally: play(TRUTH[one] - TRUTH[other], PAIRS, opposite, &mut random),
            });
            let encounters: Vec<Encounter> = encounters.collect();
            let ratings = Ratings::new(TRUTH.len(), &encounters);
            for (player, (elo, error, held)) in sums.iter_mut().enumerate() {
                let estimate = ratings.elo(player);
                *elo += estimate.value;
                *error += estimate.error();
                *held += u32::from((estimate.low..=estimate.high).contains(&TRUTH[player]));
            }
        }
        for (truth, (elo, error, held)) in TRUTH.into_iter().zip(sums) {
            let count = f64::from(TOURNAMENTS);
            let (elo, error, held) = (elo / count, error / count, f64::from(held) / count);
            println!("{opposite:14.1}  {truth:8.0}  {elo:8.1}  {error:10.1}  {held:14.3}");
            assert!((elo - truth).abs() < 5.0, "{elo} for {truth}");
            // The tolerance is three standard errors for this number of tournaments, plus the bias
            // caused by few pairs per tournament.
            assert!((held - 0.95).abs() < 0.025, "{held} for {truth}");
        }
    }
}
