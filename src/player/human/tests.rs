//! Draws follow the scores, and the temperatures come from games.

use std::collections::HashMap;

use super::*;
use crate::board::Color;
use crate::game::{Collection, Game, wthor::Names};
use crate::search::{Engine, Selectivity, Settings, Silent};

#[test]
fn shares_follow_the_scores() {
    let shares = softmax(&[4.0, 4.0, 2.0], 2.0);
    let e = std::f64::consts::E;
    let expected = [
        e / (2.0 * e + 1.0),
        e / (2.0 * e + 1.0),
        1.0 / (2.0 * e + 1.0),
    ];
    for (share, expected) in shares.iter().zip(expected) {
        assert!((share - expected).abs() < 1e-12, "{shares:?}");
    }
    // However far apart the scores are.
    assert_eq!(softmax(&[64.0, -64.0], 0.1), [1.0, 0.0]);
    assert_eq!(softmax(&[-64.0], 0.1), [1.0]);
}

/// How the moves of a group of players, with the empty squares of a stage, compare with those drawn.
#[derive(Clone, Debug, Default)]
struct Fit {
    /// What each move lost that was played.
    lost: Vec<f64>,
    /// The values of all moves of the same positions.
    values: Vec<Vec<f64>>,
}

impl Fit {
    fn mean_loss(&self) -> f64 {
        self.lost.iter().sum::<f64>() / self.lost.len() as f64
    }

    /// The share of moves, in per cent, that lost so much and more.
    fn share(&self, discs: f64) -> f64 {
        let bad = self.lost.iter().filter(|&&lost| lost >= discs).count();
        100.0 * bad as f64 / self.lost.len() as f64
    }

    /// The mean of `of_loss` over moves drawn at this temperature.
    fn drawn(&self, temperature: f64, of_loss: impl Fn(f64) -> f64) -> f64 {
        let expected = self.values.iter().map(|values| {
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares = softmax(values, temperature);
            let terms = shares.iter().zip(values);
            terms
                .map(|(share, value)| share * of_loss(best - value))
                .sum::<f64>()
        });
        expected.sum::<f64>() / self.values.len() as f64
    }

    /// The temperature at which moves drawn lose as much as those played.
    fn temperature(&self) -> f64 {
        let (mut low, mut high) = (0.01, 50.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if self.drawn(middle, |loss| loss) < self.mean_loss() {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The least number of moves that tells how well somebody plays.
const ENOUGH_MOVES: usize = 80;

/// The groups of players by their rank among all, the best first.
const GROUPS: [(&str, f64); 4] = [
    ("best", 0.10),
    ("strong", 0.25),
    ("average", 0.75),
    ("weak", 1.0),
];

/// Prints the temperatures of groups of players in the games of people in the file `EMILIA_GAMES`.
///
/// ```sh
/// EMILIA_GAMES=games.ggf cargo test --release --lib human -- --ignored --nocapture
/// ```
#[test]
#[ignore = "needs games of people, and ten minutes"]
fn temperatures_of_people() {
    let file = std::env::var("EMILIA_GAMES").expect("EMILIA_GAMES names a file of games");
    let mut engine = Engine::new(Settings::default().with_selectivity(Selectivity::P100));
    // Of each player the moves: the stage, the values of all, and what the one played lost.
    let mut players: HashMap<String, Vec<(usize, Vec<f64>, f64)>> = HashMap::new();
    for (number, game) in games(&file).iter().enumerate() {
        for (ply, played) in game.moves().iter().enumerate() {
            let position = game.positions()[ply];
            let moves = position.moves();
            if (number + ply) % 3 != 0 || moves.len() < 2 {
                continue;
            }
            let lines =
                engine.multi_pv(&position.board, moves.len(), &Human::limits(), &mut Silent);
            let values: Vec<f64> = lines.iter().map(|line| line.value.discs()).collect();
            let own = lines
                .iter()
                .find(|line| line.best_move() == Some(played.mv))
                .unwrap();
            let name = match position.mover {
                Color::Black => &game.tags.black,
                Color::White => &game.tags.white,
            };
            let stage = (position.board.empty_count() - 1) / STAGE;
            let lost = values[0] - own.value.discs();
            (players.entry(name.clone()).or_default()).push((stage as usize, values, lost));
        }
    }
    let mean = |moves: &[(usize, Vec<f64>, f64)]| {
        moves.iter().map(|(_, _, lost)| lost).sum::<f64>() / moves.len() as f64
    };
    let mut ranked: Vec<_> = players
        .into_values()
        .filter(|moves| moves.len() >= ENOUGH_MOVES)
        .collect();
    ranked.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    let count = ranked.len();
    println!("{count} players");
    let mut from = 0;
    for (group, to) in GROUPS {
        let to = (to * count as f64) as usize;
        let mut stages = vec![Fit::default(); TEMPERATURES.len()];
        for (stage, values, lost) in ranked[from..to].iter().flatten() {
            stages[*stage].lost.push(*lost);
            stages[*stage].values.push(values.clone());
        }
        from = to;
        println!(
            "{group}: stage, moves, mean loss, temperature; moves losing 4 and 10 discs: played, drawn (%)"
        );
        for (stage, fit) in stages.iter().enumerate() {
            let temperature = fit.temperature();
            let at_least = |discs: f64| move |loss: f64| if loss >= discs { 100.0 } else { 0.0 };
            println!(
                "{:>2}-{:>2} {:>6} {:.2} {:.2}  {:.1} {:.1}  {:.1} {:.1}",
                stage * 10 + 1,
                stage * 10 + 10,
                fit.lost.len(),
                fit.mean_loss(),
                temperature,
                fit.share(4.0),
                fit.drawn(temperature, at_least(4.0)),
                fit.share(10.0),
                fit.drawn(temperature, at_least(10.0)),
            );
        }
    }
}

/// All games of a file.
fn games(file: &str) -> Vec<Game> {
    let bytes = std::fs::read(file).expect(file);
    let read = Collection::read(&bytes, &Names::default()).expect(file);
    read.games.into_iter().flatten().collect()
}
