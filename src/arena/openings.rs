//! Openings of a match: random, built in (XOT), or read from a file.
//! A pair is two games from one opening with colours swapped. A pairing is two players that meet.
//! A [`Schedule`] lists the pairs that each pairing of a match or tournament plays.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::tournament::{Pairing, Tournament};
use emilia_core::board::{Transcript, TranscriptError, excerpt};
use emilia_core::search::Settings;
use emilia_games::{XOT, input};
use emilia_player::RandomOpenings;

/// Maximum number of random opening plies.
const MAX_RANDOM_PLIES: u32 = 50;

/// Default number of pairs of games if openings are random.
const DEFAULT_PAIRS: usize = 50;

/// Source of the openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// XOT: 10,784 openings of eight plies, each leading to an about even position.
    Xot,
    /// Openings drawn at random.
    Random(RandomOpenings),
    /// File of games or positions, in any format that [`input::read_games`] reads. A position is an
    /// opening without moves.
    File(PathBuf),
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Random(RandomOpenings::new(8..=8))
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Xot => f.write_str("xot"),
            Openings::Random(random) => random.fmt(f),
            Openings::File(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for Openings {
    type Err = String;

    /// Parses `xot`, `random`, `random:PLIES` or `random:PLIES,score=A..B`. Any other text is the
    /// name of a file.
    fn from_str(text: &str) -> Result<Openings, String> {
        let Some(random) = text.strip_prefix("random:") else {
            return Ok(match text {
                "xot" | "XOT" => Openings::Xot,
                "random" => Openings::default(),
                _ => Openings::File(PathBuf::from(text)),
            });
        };
        let (plies, score) = match random.split_once(",score=") {
            Some((plies, score)) => (plies, Some(parse_score(score)?)),
            None => (random, None),
        };
        Ok(Openings::Random(RandomOpenings {
            score,
            ..RandomOpenings::new(parse_plies(plies)?)
        }))
    }
}

/// Parses a number of random opening plies, `12`, or a range of them, `8-20`.
pub fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let ends = least.parse().ok().zip(most.parse().ok());
    let in_order = ends.filter(|(least, most)| least <= most && *most <= MAX_RANDOM_PLIES);
    in_order.map(|(least, most)| least..=most).ok_or_else(|| {
        let text = excerpt(text);
        format!("expected a number of plies from 0 to {MAX_RANDOM_PLIES}, got '{text}'")
    })
}

/// Parses a range of scores in discs, such as `-2..2`.
pub fn parse_score(text: &str) -> Result<RangeInclusive<i32>, String> {
    let ends = text.split_once("..");
    let scores = ends.and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let in_order = scores.filter(|(least, most)| (-64..=*most).contains(least) && *most <= 64);
    in_order.map(|(least, most)| least..=most).ok_or_else(|| {
        let text = excerpt(text);
        format!("expected a range of discs such as -2..2, got '{text}'")
    })
}

impl Openings {
    /// Returns a schedule of `pairs` pairs of games between two players.
    /// If `pairs` is `None`: one pair for each opening, or 50 pairs if openings are random.
    ///
    /// `seed` is the random seed of the openings and their order.
    /// A shorter schedule is the beginning of a longer schedule with the same seed.
    /// When all openings have been played, they are played again in another order.
    ///
    /// # Errors
    /// If the file of [`Openings::File`] cannot be read, or if there is no opening.
    pub fn schedule(&self, seed: u64, pairs: Option<usize>) -> Result<Schedule, String> {
        let mut random = fastrand::Rng::with_seed(seed);
        let is_random = matches!(self, Openings::Random(_));
        let all = match self {
            Openings::Xot => {
                let openings = XOT.lines().map(str::parse);
                openings
                    .collect::<Result<_, TranscriptError>>()
                    .map_err(|error| format!("xot: {error}"))?
            }
            Openings::Random(openings) => {
                let wanted = pairs.unwrap_or(DEFAULT_PAIRS);
                let mut scorer = openings
                    .scorer(Settings::default())
                    .map_err(|error| error.to_string())?;
                let drawn = openings.draw(&mut random, &mut scorer).take(wanted);
                drawn.map(|(opening, _)| opening).collect()
            }
            Openings::File(path) => read_file(path)?,
        };
        if all.is_empty() {
            return Err(format!("openings '{self}': there are none"));
        }
        let default = if is_random { DEFAULT_PAIRS } else { all.len() };
        let count = pairs.unwrap_or(default);
        let mut order = Vec::with_capacity(count);
        while order.len() < count {
            let mut round: Vec<usize> = (0..all.len()).collect();
            if !is_random {
                random.shuffle(&mut round);
            }
            order.extend(round);
        }
        order.truncate(count);
        Ok(Schedule {
            all,
            order,
            players: 2,
            pairings: vec![[0, 1]],
            per_round: 1,
            rounds: 1,
        })
    }
}

/// Order in which the pairs of a match or tournament are played.
/// All pairings of a round play the first opening, then all play the second, and so on.
/// Only a Swiss tournament has several rounds.
#[derive(Clone, Debug)]
pub struct Schedule {
    all: Vec<Transcript>,
    order: Vec<usize>,
    pub(crate) players: usize,
    /// Pairings of the players: one in a match, several in a tournament. The pairings of a later
    /// round of a Swiss tournament are added when the rounds before it are finished. Each pairing
    /// plays all openings.
    pub(crate) pairings: Vec<Pairing>,
    /// Number of pairings in each round.
    per_round: usize,
    /// Number of rounds: 1 unless the tournament is Swiss.
    rounds: usize,
}

impl Schedule {
    /// Returns the number of pairs of games, summed over all pairings.
    pub fn pairs(&self) -> usize {
        self.order.len() * self.pairing_count()
    }

    /// Returns the number of pairings in all rounds, including rounds that are not paired yet.
    pub fn pairing_count(&self) -> usize {
        self.per_round * self.rounds
    }

    /// Returns the number of games in the rounds that are paired. Later rounds have no players yet.
    pub fn known_games(&self) -> usize {
        2 * self.order.len() * self.pairings.len()
    }

    /// Replaces the pairing of a match by the pairings of a tournament of `players` players.
    pub fn pair(&mut self, tournament: Tournament, players: usize) {
        self.pairings = tournament.pairings(players);
        self.players = players;
        self.per_round = self.pairings.len();
        self.rounds = tournament.rounds();
    }

    /// Returns the number of pairs of games that each pairing plays.
    pub fn pairs_of_pairing(&self) -> usize {
        self.order.len()
    }

    /// Returns the index of the pairing that plays the pair of games with the index `pair`.
    pub fn pairing(&self, pair: usize) -> usize {
        let round = pair / (self.per_round * self.order.len());
        round * self.per_round + pair % self.per_round
    }

    /// Returns the number of different openings that the schedule chooses from.
    pub fn different(&self) -> usize {
        let openings = self.all.iter().map(|one| (one.start, &one.moves));
        openings.collect::<HashSet<_>>().len()
    }

    /// Returns the opening that both games of the pair with the index `pair` begin with.
    ///
    /// # Panics
    /// If `pair` is out of range.
    pub fn opening(&self, pair: usize) -> &Transcript {
        &self.all[self.order[pair / self.per_round % self.order.len()]]
    }
}

/// Reads the openings of a file: its games, and its positions as games without moves. Fails if a
/// game cannot be read to its end, or is over already.
fn read_file(path: &Path) -> Result<Vec<Transcript>, String> {
    let read = input::read_games(path)
        .map_err(|error| format!("openings {error}; other kinds are xot and random:PLIES"))?;
    let refused = |why: &str| format!("openings '{}': {why}", path.display());
    let openings = (1..).zip(read.games).map(|(number, record)| {
        let game = record.map_err(|error| refused(&error))?.game();
        match game.warnings() {
            [why, ..] if game.is_cut() => Err(refused(&format!("game {number}: {why}"))),
            _ if game.is_over() => Err(refused(&format!("game {number} is over already"))),
            _ => Ok(game.transcript()),
        }
    });
    openings.collect()
}
