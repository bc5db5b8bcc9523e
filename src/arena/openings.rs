//! Openings of a match: random, built in (XOT), or read from a file.
//! A [`Schedule`] orders them into pairs of games for the pairings of a tournament.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::tournament::Pairing;
use emilia_core::board::{Position, Transcript, excerpt};

/// Maximum number of random opening plies.
const MAX_RANDOM_PLIES: u32 = 50;

/// Default number of pairs if openings are random.
const DEFAULT_PAIRS: usize = 50;

/// Maximum size of a file in bytes: room for a million openings of sixty plies.
const MAX_FILE: u64 = 128 * emilia_files::MIB;

/// Number of duplicates in a row after which the random generator stops.
const MAX_REPEATS: usize = 1000;

/// XOT openings of M. Berg, one transcript a line.
/// Each has eight plies, after which the position is about even.
const XOT: &str = include_str!("xot.txt");

/// Source of the openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// 10,784 openings of eight plies after which the position is about even (XOT).
    Xot,
    /// Number of random opening plies, uniform over the legal moves.
    Random(u32),
    /// File with one transcript a line. Blank lines and lines that begin with `#` are skipped.
    File(PathBuf),
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Random(8)
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Xot => f.write_str("xot"),
            Openings::Random(plies) => write!(f, "random:{plies}"),
            Openings::File(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for Openings {
    type Err = String;

    /// Parses `xot` or `random:N`. Any other text is a file name.
    fn from_str(text: &str) -> Result<Openings, String> {
        let Some(plies) = text.strip_prefix("random:") else {
            return Ok(match text {
                "xot" => Openings::Xot,
                _ => Openings::File(PathBuf::from(text)),
            });
        };
        let number = plies.parse().ok();
        let number = number.filter(|number| *number <= MAX_RANDOM_PLIES);
        number.map(Openings::Random).ok_or_else(|| {
            let plies = excerpt(plies);
            format!("expected a number of plies from 0 to {MAX_RANDOM_PLIES}, got '{plies}'")
        })
    }
}

impl Openings {
    /// Returns a schedule of `pairs` pairs of games between two players.
    /// `None` means one pair of each opening, or 50 pairs if openings are random.
    ///
    /// `seed` is the random seed of the openings and their order.
    /// A shorter schedule is the beginning of a longer one with the same seed.
    /// When all openings have been played, they repeat in another order.
    ///
    /// # Errors
    /// If the file cannot be read, or contains no opening.
    pub fn schedule(&self, seed: u64, pairs: Option<usize>) -> Result<Schedule, String> {
        let mut random = fastrand::Rng::with_seed(seed);
        let is_random = matches!(self, Openings::Random(_));
        let all = match self {
            Openings::Xot => read_lines(XOT, "xot")?,
            Openings::Random(plies) => {
                let wanted = pairs.unwrap_or(DEFAULT_PAIRS);
                random_openings(*plies, wanted, &mut random)
            }
            Openings::File(path) => {
                let text = emilia_files::read_text(path, MAX_FILE);
                let text = text.map_err(|error| format!("openings {error}"))?;
                read_lines(&text, &path.display().to_string())?
            }
        };
        if all.is_empty() {
            return Err(format!("openings '{self}': there are none"));
        }
        let default = if is_random { DEFAULT_PAIRS } else { all.len() };
        let pairs = pairs.unwrap_or(default);
        let mut order = Vec::with_capacity(pairs);
        while order.len() < pairs {
            let mut round: Vec<usize> = (0..all.len()).collect();
            if !is_random {
                random.shuffle(&mut round);
            }
            order.extend(round);
        }
        order.truncate(pairs);
        Ok(Schedule {
            all,
            order,
            pairings: vec![[0, 1]],
        })
    }
}

/// Pairs of games of a match, in order.
/// All pairings play the first opening, then all play the second, and so on.
#[derive(Clone, Debug)]
pub struct Schedule {
    all: Vec<Transcript>,
    order: Vec<usize>,
    /// Pairings of the players, each of which plays all openings. There is one at least, and exactly
    /// one in a match of two players.
    pub pairings: Vec<Pairing>,
}

impl Schedule {
    /// Returns the number of pairs of games, all pairings together.
    pub fn pairs(&self) -> usize {
        self.order.len() * self.pairings.len()
    }

    /// Returns the number of pairs of games of one pairing.
    pub fn pairs_of_pairing(&self) -> usize {
        self.order.len()
    }

    /// Returns the index of the pairing that plays `pair`.
    pub fn pairing(&self, pair: usize) -> usize {
        pair % self.pairings.len()
    }

    /// Returns the number of different openings.
    pub fn different(&self) -> usize {
        self.all.len()
    }

    /// Returns the opening of both games of `pair`.
    ///
    /// # Panics
    /// If `pair` is out of range.
    pub fn opening(&self, pair: usize) -> &Transcript {
        &self.all[self.order[pair / self.pairings.len()]]
    }
}

/// Returns up to `wanted` random openings, different up to symmetry, none a finished game.
fn random_openings(plies: u32, wanted: usize, random: &mut fastrand::Rng) -> Vec<Transcript> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut repeats = 0;
    while openings.len() < wanted && repeats < MAX_REPEATS {
        let mut game = Transcript::new(Position::START);
        let mut position = game.start;
        for _ in 0..plies {
            let Some(mv) = random.choice(position.moves()) else {
                break;
            };
            position = position.play(mv).unwrap_or(position);
            game.moves.push(mv);
        }
        if !position.is_over() && seen.insert(position.board.canonical()) {
            openings.push(game);
            repeats = 0;
        } else {
            repeats += 1;
        }
    }
    openings
}

/// Parses one transcript a line. `name` is quoted in errors.
fn read_lines(text: &str, name: &str) -> Result<Vec<Transcript>, String> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let game = Transcript::parse(line, Position::START)
            .map_err(|error| format!("openings '{name}', line {number}, {error}"))?;
        if game.end().is_over() {
            return Err(format!(
                "openings '{name}', line {number}: the game is over already"
            ));
        }
        openings.push(game);
    }
    Ok(openings)
}
