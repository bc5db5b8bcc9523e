//! Tests of pairings in Swiss tournaments, with invented results.

use std::collections::HashSet;

use crate::statistics::Encounter;
use crate::tournament::swiss_round;
use crate::{Pairing, Tournament};

/// Returns the pairings of each round. Each pairing plays one pair of games with a random result.
fn rounds(players: usize, rounds: usize, seed: u64) -> Vec<Vec<Pairing>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut encounters = Vec::new();
    let paired = (0..rounds).map(|_| {
        let round = swiss_round(players, &encounters);
        for &pairing in &round {
            let mut encounter = Encounter::new(pairing);
            let [one, other] = [(); 2].map(|()| random.i32(-8..=8) * 2);
            encounter.tally.add_pair(one, other);
            encounters.push(encounter);
        }
        round
    });
    paired.collect()
}

#[test]
fn nobody_meets_twice_and_everybody_plays_each_round() {
    for (players, count) in [(16, 10), (15, 9), (5, 3), (4, 2), (3, 2), (2, 1)] {
        assert!(count <= Tournament::most_rounds(players));
        for seed in 0..20 {
            let (mut met, mut rests) = (HashSet::new(), HashSet::new());
            for round in rounds(players, count, seed) {
                let seated: HashSet<usize> = round.iter().flatten().copied().collect();
                assert_eq!((round.len(), seated.len()), (players / 2, players / 2 * 2));
                assert!(
                    round
                        .iter()
                        .all(|&[one, other]| one < other && met.insert([one, other]))
                );
                let resting = (0..players).find(|player| !seated.contains(player));
                assert!(resting.is_none_or(|resting| rests.insert(resting)));
            }
        }
    }
    let most = [2, 3, 4, 6, 8, 16].map(Tournament::most_rounds);
    assert_eq!(most, [1, 2, 2, 3, 5, 10]);
}

#[test]
fn winners_meet_winners() {
    let mut encounters: Vec<Encounter> = swiss_round(8, &[])
        .into_iter()
        .map(Encounter::new)
        .collect();
    assert!(encounters.iter().map(|encounter| encounter.players).eq([
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7]
    ]));
    for (encounter, score) in encounters.iter_mut().zip([2, -2, 2, -2]) {
        encounter.tally.add_pair(score, score);
    }
    assert_eq!(
        swiss_round(8, &encounters),
        [[0, 3], [1, 2], [4, 7], [5, 6]]
    );
    // With three players, one player rests in each round, and gets the points for winning its
    // games. Player 2 rests in the first round and gets 2 points. Players 0 and 1 get 1 point each.
    // In the second round player 2 therefore meets player 0, and player 1 rests.
    let mut first = Encounter::new(swiss_round(3, &[])[0]);
    first.tally.add_pair(2, -2);
    assert_eq!(
        (first.players, swiss_round(3, &[first])),
        ([0, 1], vec![[0, 2]])
    );
}
