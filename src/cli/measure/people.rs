//! Measures the temperatures of human levels.
//! A temperature describes how often players of some strength choose moves that lose discs.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use crate::board::Color;
use crate::cli::{Failure, games};
use crate::game::Game;
use crate::player::human::{Human, STAGE, TEMPERATURES, softmax};
use crate::search::{Engine, Selectivity, Settings, Silent};

/// Moves of a group of players in one stage of the game, compared with drawn moves.
#[derive(Clone, Debug, Default)]
struct Fit {
    /// Discs lost by each move played.
    lost: Vec<f64>,
    /// Values of all legal moves of the same positions, in discs.
    values: Vec<Vec<f64>>,
}

impl Fit {
    fn mean_loss(&self) -> f64 {
        self.lost.iter().sum::<f64>() / self.lost.len() as f64
    }

    /// Returns the share of moves, in percent, that lost `discs` or more.
    fn share(&self, discs: f64) -> f64 {
        let bad = self.lost.iter().filter(|&&lost| lost >= discs).count();
        100.0 * bad as f64 / self.lost.len() as f64
    }

    /// Returns the mean of `of_loss` over moves drawn at this temperature.
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

    /// Returns the temperature at which drawn moves lose as many discs as the moves played.
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

    /// Writes a row of the table.
    fn write(&self, stage: u32, out: &mut dyn Write) -> std::io::Result<()> {
        let temperature = self.temperature();
        let at_least = |discs: f64| move |loss: f64| if loss >= discs { 100.0 } else { 0.0 };
        writeln!(
            out,
            "{:>2}-{:>2} {:>6} {:.2} {:.2}  {:.1} {:.1}  {:.1} {:.1}",
            stage * STAGE + 1,
            (stage + 1) * STAGE,
            self.lost.len(),
            self.mean_loss(),
            temperature,
            self.share(4.0),
            self.drawn(temperature, at_least(4.0)),
            self.share(10.0),
            self.drawn(temperature, at_least(10.0)),
        )
    }
}

/// Least number of moves from which a player's strength is judged.
const ENOUGH_MOVES: usize = 80;

/// Names of the groups of players, and the upper end of each as a share of all, the best first.
const GROUPS: [(&str, f64); 4] = [
    ("best", 0.10),
    ("strong", 0.25),
    ("average", 0.75),
    ("weak", 1.0),
];

/// Move of a player: its stage, the values of all legal moves, and the discs that it lost.
type Choice = (usize, Vec<f64>, f64);

/// Prints the temperatures of groups of players in the games of the file.
pub(super) fn run(file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let games: Vec<Game> = games::read(file)?.games.into_iter().flatten().collect();
    let ranked = ranked(choices(&games)?);
    let count = ranked.len();
    writeln!(out, "{count} players")?;
    let mut from = 0;
    for (group, to) in GROUPS {
        let to = (to * count as f64) as usize;
        let mut stages = vec![Fit::default(); TEMPERATURES.len()];
        for (stage, values, lost) in ranked[from..to].iter().flatten() {
            stages[*stage].lost.push(*lost);
            stages[*stage].values.push(values.clone());
        }
        from = to;
        writeln!(
            out,
            "{group}: stage, moves, mean loss, temperature; \
             moves losing 4 and 10 discs: played, drawn (%)"
        )?;
        for (stage, fit) in stages.iter().enumerate() {
            fit.write(stage as u32, out)?;
        }
    }
    Ok(())
}

/// Returns the choices of each player by name.
/// Only every third move is searched, at another offset in each game.
fn choices(games: &[Game]) -> Result<HashMap<String, Vec<Choice>>, Failure> {
    let mut engine = Engine::try_new(Settings::default().with_selectivity(Selectivity::P100))?;
    let mut players: HashMap<String, Vec<Choice>> = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        for (ply, played) in game.moves().iter().enumerate() {
            let position = game.positions()[ply];
            let moves = position.moves();
            if (number + ply) % 3 != 0 || moves.len() < 2 {
                continue;
            }
            let lines =
                engine.multi_pv(&position.board, moves.len(), &Human::limits(), &mut Silent);
            let own = lines
                .iter()
                .find(|line| line.best_move() == Some(played.mv));
            let (Some(best), Some(own)) = (lines.first(), own) else {
                continue;
            };
            let name = match position.mover {
                Color::Black => &game.tags.black,
                Color::White => &game.tags.white,
            };
            let stage = (position.board.empty_count() - 1) / STAGE;
            let lost = best.value.discs() - own.value.discs();
            let values = lines.iter().map(|line| line.value.discs()).collect();
            let of_player = players.entry(name.clone()).or_default();
            of_player.push((stage as usize, values, lost));
        }
    }
    Ok(players)
}

/// Returns the choices of each player who has enough of them, the best player first.
fn ranked(players: HashMap<String, Vec<Choice>>) -> Vec<Vec<Choice>> {
    let mean =
        |moves: &[Choice]| moves.iter().map(|(_, _, lost)| lost).sum::<f64>() / moves.len() as f64;
    let mut ranked: Vec<_> = players
        .into_values()
        .filter(|moves| moves.len() >= ENOUGH_MOVES)
        .collect();
    ranked.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    ranked
}
