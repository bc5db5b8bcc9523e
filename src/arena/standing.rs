//! How a match stands: what has been played, what it says, and what is still to be played.

use std::collections::HashMap;
use std::time::Duration;

use super::openings::Schedule;
use super::statistics::{Encounter, PairTally};
use super::{Match, MatchGame, MoveRecord, Reason};
use crate::board::Score;

/// What a player has spent and done wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// The time for all of them.
    pub time: Duration,
    /// The longest time for one.
    pub longest: Duration,
    /// Moves of which the depth is known, and the sum of these.
    pub depths: (u64, u64),
    /// Moves of which the nodes are known, and the sum of these.
    pub nodes: (u64, u64),
    /// Games lost for what the player did wrong.
    pub faults: u64,
}

impl Effort {
    fn add(&mut self, made: &MoveRecord) {
        let time = Duration::try_from_secs_f64(made.time).unwrap_or_default();
        self.moves += 1;
        self.time = self.time.saturating_add(time);
        self.longest = self.longest.max(time);
        let known = |(count, sum): (u64, u64), value: u64| (count + 1, sum.saturating_add(value));
        if let Some(depth) = made.depth {
            self.depths = known(self.depths, depth.into());
        }
        if let Some(nodes) = made.nodes {
            self.nodes = known(self.nodes, nodes);
        }
    }
}

/// The games that have been played.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    played: Vec<bool>,
    /// Of each pairing.
    encounters: Vec<Encounter>,
    /// The scores of both games of each pair, in the order in which the pairs were finished.
    pairs: Vec<(Score, Score)>,
    /// Pairs of which one game has been played, and its score for the first player.
    half: HashMap<usize, Score>,
    /// Of each player.
    efforts: Vec<Effort>,
    faults: HashMap<(usize, String), u64>,
}

impl Standing {
    /// Nothing has been played.
    pub fn new(schedule: &Schedule) -> Standing {
        let pairings = schedule.pairings().iter();
        let players = pairings.clone().flatten().max().map_or(0, |last| last + 1);
        Standing {
            played: vec![false; 2 * schedule.pairs()],
            encounters: pairings.map(|&players| Encounter::new(players)).collect(),
            efforts: vec![Effort::default(); players],
            ..Standing::default()
        }
    }

    /// Adds a game, which must be one of this match.
    ///
    /// # Errors
    /// If it is not, or has been added before; one sentence.
    pub fn add(&mut self, record: &MatchGame, schedule: &Schedule) -> Result<(), String> {
        self.check(record, schedule)?;
        let &MatchGame { game, first, .. } = record;
        let encounter = &mut self.encounters[schedule.pairing(record.pair())];
        let player = |color| encounter.players[usize::from(color != first)];
        let moves = record
            .thoughts_by_color()
            .map_err(|error| format!("game {game}: {error}"))?;
        for (color, made) in moves {
            self.efforts[player(color)].add(made);
        }
        if let Reason::Fault { by, what } = &record.reason {
            let player = player(*by);
            self.efforts[player].faults += 1;
            *self.faults.entry((player, what.clone())).or_default() += 1;
        }
        self.played[game] = true;
        match self.half.remove(&record.pair()) {
            Some(other) => {
                encounter.tally.add_pair(other, record.first_score());
                self.pairs.push((other, record.first_score()));
            }
            None => {
                self.half.insert(record.pair(), record.first_score());
            }
        }
        Ok(())
    }

    /// Whether the game is one of this match that has not been added before.
    fn check(&self, record: &MatchGame, schedule: &Schedule) -> Result<(), String> {
        let &MatchGame { game, first, .. } = record;
        match self.played.get(game) {
            None => {
                return Err(format!(
                    "game {game} is beyond the {} of the match",
                    self.played.len()
                ));
            }
            Some(true) => return Err(format!("game {game} is there twice")),
            Some(false) => {}
        }
        let opening = schedule.opening(record.pair()).to_string();
        if record.opening != opening || first != Match::first_color(game) {
            return Err(format!(
                "game {game} should begin with '{opening}', the first player {}",
                Match::first_color(game)
            ));
        }
        if !(-64..=64).contains(&record.score) {
            return Err(format!("game {game} has the score {}", record.score));
        }
        Ok(())
    }

    /// The results of each pairing: of the pairs of which both games have been played.
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// The results of the first pairing, which is the only one of a match between two players.
    pub fn tally(&self) -> PairTally {
        self.encounters
            .first()
            .map_or_else(PairTally::default, |encounter| encounter.tally)
    }

    /// The scores of both games of all these pairs, in the order in which the pairs were finished, each for the first player
    /// of its pairing.
    pub fn pairs(&self) -> &[(Score, Score)] {
        &self.pairs
    }

    /// The efforts of each player.
    pub fn efforts(&self) -> &[Effort] {
        &self.efforts
    }

    /// What players did wrong, how often, the most frequent first: the player, what, and the number of games.
    pub fn faults(&self) -> Vec<(usize, &str, u64)> {
        let mut faults: Vec<_> = self
            .faults
            .iter()
            .map(|((player, what), &games)| (*player, what.as_str(), games))
            .collect();
        faults.sort_by(|one, other| other.2.cmp(&one.2).then(one.cmp(other)));
        faults
    }

    /// How many games have been played.
    pub fn played(&self) -> usize {
        self.played.iter().filter(|&&played| played).count()
    }

    /// Games whose partner is missing, so that they are not in the tally.
    pub fn halves(&self) -> usize {
        self.half.len()
    }

    /// The games still to be played of the pairs that are wanted.
    pub fn missing(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.played.len())
            .filter(|&game| !self.played[game] && is_wanted(game / 2))
            .collect()
    }
}
