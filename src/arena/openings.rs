//! Openings of a match: random, built in (XOT), or read from a file.
//! A [`Schedule`] orders them into pairs of games for the pairings of a tournament.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use super::tournament::Pairing;
use emilia_core::board::{Color, Position, Transcript, excerpt};
use emilia_core::search::{Engine, Limits, OutOfMemory, Settings, Silent};

/// Maximum number of random opening plies.
const MAX_RANDOM_PLIES: u32 = 50;

/// Default number of pairs if openings are random.
const DEFAULT_PAIRS: usize = 50;

/// Maximum size of a file in bytes: room for a million openings of sixty plies.
const MAX_FILE: u64 = 128 * emilia_files::MIB;

/// Number of draws in a row without a new opening after which the random generator stops.
const MAX_REPEATS: usize = 1000;

/// Transposition table of the search for scores, in MiB. It is cleared for each opening.
const SCORE_HASH_MIB: usize = 1;

/// XOT openings of M. Berg, one transcript a line.
/// Each has eight plies, after which the position is about even.
const XOT: &str = include_str!("xot.txt");

/// Source of the openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// 10,784 openings of eight plies after which the position is about even (XOT).
    Xot,
    /// Openings drawn at random.
    Random(RandomOpenings),
    /// File with one transcript a line, up to a tab. Blank lines and lines that begin with `#` are
    /// skipped.
    File(PathBuf),
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Random(RandomOpenings::new(8..=8))
    }
}

/// Which random openings to draw. Their moves are uniform over the legal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomOpenings {
    /// Number of plies. Each opening draws its own.
    pub plies: RangeInclusive<u32>,
    /// Score in discs for Black that a search to [`SCORE_DEPTH`] gives. `None` takes all.
    pub score: Option<RangeInclusive<i32>>,
    /// First moves of every opening, before the random ones. Empty for the start position.
    pub beginning: Transcript,
}

/// Formats as `random:8`, or `random:8-20,score=-2..2`.
impl fmt::Display for RandomOpenings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, most] = [self.plies.start(), self.plies.end()];
        write!(f, "random:{least}")?;
        if least < most {
            write!(f, "-{most}")?;
        }
        match &self.score {
            Some(score) => write!(f, ",score={}..{}", score.start(), score.end()),
            None => Ok(()),
        }
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

    /// Parses `xot`, `random:PLIES` or `random:PLIES,score=A..B`. Any other text is a file name.
    fn from_str(text: &str) -> Result<Openings, String> {
        let Some(random) = text.strip_prefix("random:") else {
            return Ok(match text {
                "xot" => Openings::Xot,
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
    let plies = least.parse().ok().zip(most.parse().ok());
    let plies = plies.filter(|(least, most)| least <= most && *most <= MAX_RANDOM_PLIES);
    plies.map(|(least, most)| least..=most).ok_or_else(|| {
        let text = excerpt(text);
        format!("expected a number of plies from 0 to {MAX_RANDOM_PLIES}, got '{text}'")
    })
}

/// Parses a range of scores in discs, `-2..2`.
pub fn parse_score(text: &str) -> Result<RangeInclusive<i32>, String> {
    let ends = text.split_once("..");
    let score = ends.and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let score = score.filter(|(least, most)| (-64..=*most).contains(least) && *most <= 64);
    score.map(|(least, most)| least..=most).ok_or_else(|| {
        let text = excerpt(text);
        format!("expected a range of discs such as -2..2, got '{text}'")
    })
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
            Openings::Random(openings) => {
                let wanted = pairs.unwrap_or(DEFAULT_PAIRS);
                let drawn = openings
                    .draw(&mut random)
                    .map_err(|error| error.to_string())?;
                drawn.take(wanted).map(|(opening, _)| opening).collect()
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

/// Depth in plies of the search that gives the score of a random opening.
pub const SCORE_DEPTH: u32 = 14;

/// Depth of a search that comes before it, and discs by which a score may lie outside then.
const FIRST_LOOK: (u32, f64) = (4, 6.0);

impl RandomOpenings {
    /// Creates openings of `plies` plies from the start position, whatever their scores.
    pub fn new(plies: RangeInclusive<u32>) -> RandomOpenings {
        RandomOpenings {
            plies,
            score: None,
            beginning: Transcript::new(Position::START),
        }
    }

    /// Draws openings that lead to different positions up to symmetry, none of them finished, each
    /// with its score if there is a range of scores. Ends after [`MAX_REPEATS`] draws in a row
    /// without a new opening.
    pub fn draw<'a>(
        &'a self,
        random: &'a mut fastrand::Rng,
    ) -> Result<impl Iterator<Item = (Transcript, Option<f64>)> + 'a, OutOfMemory> {
        let scored = self.score.as_ref().map(|range| {
            let settings = Settings::default().with_threads(1);
            let engine = Engine::try_new(settings.with_hash_mib(SCORE_HASH_MIB));
            engine.map(|engine| (engine, range))
        });
        let mut scored = scored.transpose()?;
        let mut seen = HashSet::new();
        let mut next = move || {
            let game = self.game(random);
            let position = game.end();
            if position.is_over() || !seen.insert(position.board.canonical()) {
                return None;
            }
            let score = match &mut scored {
                Some((engine, range)) => Some(score_within(engine, &position, range)?),
                None => None,
            };
            Some((game, score))
        };
        Ok(std::iter::from_fn(move || {
            (0..MAX_REPEATS).find_map(|_| next())
        }))
    }

    /// Draws one opening.
    fn game(&self, random: &mut fastrand::Rng) -> Transcript {
        let mut game = self.beginning.clone();
        let mut position = game.end();
        let (least, most) = (*self.plies.start(), *self.plies.end());
        // A fixed number is not drawn, so that the openings of a seed stay what they were.
        let plies = if least < most {
            random.u32(least..=most)
        } else {
            least
        };
        for _ in game.moves.len()..plies as usize {
            let Some(mv) = random.choice(position.moves()) else {
                break;
            };
            position = position.play(mv).unwrap_or(position);
            game.moves.push(mv);
        }
        game
    }
}

/// Returns the score of a position for Black, in discs, if it lies in `range`. The table is cleared
/// before, so that earlier searches do not change it.
fn score_within(
    engine: &mut Engine,
    position: &Position,
    range: &RangeInclusive<i32>,
) -> Option<f64> {
    let (first_depth, margin) = FIRST_LOOK;
    let [least, most] = [range.start(), range.end()].map(|&end| f64::from(end));
    let mut score = |depth, margin| {
        engine.clear();
        let line = engine.search(position, &Limits::depth(depth), &mut Silent);
        let score = match position.mover {
            Color::Black => line.value.discs(),
            Color::White => -line.value.discs(),
        };
        (least - margin..=most + margin)
            .contains(&score)
            .then_some(score)
    };
    score(first_depth, margin)?;
    score(SCORE_DEPTH, 0.0)
}

/// Parses one transcript a line. `name` is quoted in errors.
fn read_lines(text: &str, name: &str) -> Result<Vec<Transcript>, String> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        // `emilia openings` writes the score behind a tab.
        let line = line.split('\t').next().unwrap_or_default().trim();
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
