//! Results of a match so far: scores, players' totals, faults, and the games not yet played.
//! Games may be added in any order. Error margins use only pairs with both games finished.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};
use std::time::Duration;

use super::openings::Schedule;
use super::statistics::{Encounter, PairTally};
use super::tournament::swiss_round;
use super::{EndReason, Match, MatchGame, MoveRecord};
use emilia_core::board::{Score, Transcript};
use emilia_games::match_log;

/// Totals of one player: moves, time, search depth, nodes and faults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerTotals {
    /// Number of moves.
    pub moves: u64,
    /// Total time of these moves.
    pub time: Duration,
    /// Maximum time of one move.
    pub longest: Duration,
    /// Number of moves with a reported depth, and the sum of these depths in plies.
    pub depths: (u64, u64),
    /// Number of moves with a reported node count, and the sum of these counts.
    pub nodes: (u64, u64),
    /// Number of games lost by each kind of fault: its description without the details behind a
    /// colon or in brackets, and without a time (` in 0.25 s`).
    pub faults: BTreeMap<String, u64>,
}

impl PlayerTotals {
    /// Returns the number of games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.faults.values().sum()
    }

    fn add(&mut self, made: &MoveRecord) {
        let time = Duration::try_from_secs_f64(made.time).unwrap_or_default();
        self.moves += 1;
        self.time = self.time.saturating_add(time);
        self.longest = self.longest.max(time);
        let add = |(count, sum): (u64, u64), value: u64| (count + 1, sum.saturating_add(value));
        if let Some(depth) = made.depth {
            self.depths = add(self.depths, depth.into());
        }
        if let Some(nodes) = made.nodes {
            self.nodes = add(self.nodes, nodes);
        }
    }
}

fn hash(game: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

/// Results of the games played so far.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Score of each game of the schedule, from the first player's view, and hash of its moves.
    /// `None`: the game is not played yet.
    scores: Vec<Option<(Score, u64)>>,
    /// Results of each pairing. A pair that repeats an earlier pair move by move is left out:
    /// between deterministic players it carries no new information.
    pub encounters: Vec<Encounter>,
    /// Pairs already counted, as (pairing, hash of game 1, hash of game 2), to find repeats.
    counted: HashSet<(usize, u64, u64)>,
    /// Number of games in pairs that repeat an earlier pair.
    pub repeated: u64,
    /// Number of adjudicated games.
    pub adjudicated: u64,
    /// Totals of each player.
    pub totals: Vec<PlayerTotals>,
}

impl Standing {
    /// Returns an empty standing for the games of this schedule.
    pub fn new(schedule: &Schedule) -> Standing {
        let pairings = schedule.pairings.iter();
        Standing {
            scores: vec![None; 2 * schedule.pairs()],
            encounters: pairings.map(|&players| Encounter::new(players)).collect(),
            totals: vec![PlayerTotals::default(); schedule.players],
            ..Standing::default()
        }
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// If `record` is not a game of this schedule, or was added before.
    pub fn add(&mut self, record: &MatchGame, schedule: &Schedule) -> Result<(), String> {
        self.check(record, schedule)?;
        let &MatchGame { game, first, .. } = record;
        let pairing = schedule.pairing(record.pair());
        let encounter = &mut self.encounters[pairing];
        let player = |color| encounter.players[usize::from(color != first)];
        let moves = record
            .moves_by_color()
            .map_err(|error| format!("game {game}: {error}"))?;
        for (color, made) in moves {
            self.totals[player(color)].add(made);
        }
        match &record.reason {
            EndReason::Fault { by, what } => {
                let kind = what.split([':', '(']).next().unwrap_or_default();
                let kind = kind.split(" in ").next().unwrap_or_default().trim();
                let faults = &mut self.totals[player(*by)].faults;
                *faults.entry(kind.to_owned()).or_default() += 1;
            }
            EndReason::Adjudicated => self.adjudicated += 1,
            EndReason::Played => {}
        }
        let score = record.first_score();
        self.scores[game] = Some((score, hash((&record.start, &record.moves))));
        let even = game & !1;
        let pair = [self.scores[even], self.scores[even + 1]];
        let [Some((one, hash_of_one)), Some((other, hash_of_other))] = pair else {
            encounter.tally.add_game(score);
            return Ok(());
        };
        encounter
            .tally
            .remove_game(if game == even { other } else { one });
        if self.counted.insert((pairing, hash_of_one, hash_of_other)) {
            encounter.tally.add_pair(one, other);
        } else {
            self.repeated += 2;
        }
        Ok(())
    }

    /// Adds the next round of a Swiss tournament to the schedule, if all games of the earlier
    /// rounds are played. The new pairings depend only on the results of these games.
    pub fn pair_next_round(&mut self, schedule: &mut Schedule) {
        let known = schedule.known_games();
        if known < self.scores.len() && self.scores[..known].iter().all(Option::is_some) {
            let round = swiss_round(schedule.players, &self.encounters);
            schedule.pairings.extend(&round);
            self.encounters
                .extend(round.into_iter().map(Encounter::new));
        }
    }

    /// Checks that this is a game of the schedule that has not been added before.
    fn check(&self, record: &MatchGame, schedule: &Schedule) -> Result<(), String> {
        let &MatchGame { game, first, .. } = record;
        let games = self.scores.len();
        match self.scores.get(game) {
            None => return Err(format!("game {game} is beyond the {games} of the match")),
            Some(None) if game >= schedule.known_games() => {
                return Err(format!(
                    "game {game} is of a round after one with missing games"
                ));
            }
            Some(Some(_)) => return Err(format!("game {game} occurs twice")),
            Some(None) => {}
        }
        let Transcript { start, .. } = schedule.opening(record.pair());
        let opening = schedule.opening(record.pair()).to_string();
        let is_start = record.start == match_log::start_text(start);
        if !is_start || record.opening != opening || first != Match::first_color(game) {
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

    /// Returns the results of the first pairing. A match of two players has only this one.
    pub fn tally(&self) -> PairTally {
        let first = self.encounters.first();
        first.map_or_else(PairTally::default, |encounter| encounter.tally)
    }

    /// Returns the number of games played.
    pub fn played(&self) -> usize {
        self.scores.iter().flatten().count()
    }

    /// Returns the number of finished games whose partner in the pair is unfinished. The counts of
    /// pairs and the error margins leave these games out.
    pub fn halves(&self) -> usize {
        let pairs = self.scores.chunks(2);
        let finished = pairs.map(|games| games.iter().flatten().count());
        finished.filter(|&games| games == 1).count()
    }

    /// Returns the numbers of the unplayed games. Leaves out the pairs for whose index `is_wanted`
    /// returns false.
    pub fn missing(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.scores.len())
            .filter(|&game| self.scores[game].is_none() && is_wanted(game / 2))
            .collect()
    }
}
