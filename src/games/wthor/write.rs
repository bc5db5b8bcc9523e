//! Writer of WTHOR files: games of one year, and the names that they refer to.
//!
//! [`WthorWriter`] collects games. It appends new names to the names of existing files. The old
//! names keep their indices, so that existing files of games stay valid.

use std::collections::HashMap;

use super::{GAME, HEADER, PLAYER, TOURNAMENT, WthorNames, is_year};
use crate::Game;
use emilia_core::board::{Position, Square};

/// Reason why a game cannot be written to a WTHOR file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// The year of the game differs from the year of the games before.
    #[error(
        "it is of {found} and the games before are of {expected}, \
         but a WTHOR file has the games of one year"
    )]
    Year {
        /// Year of the game.
        found: u16,
        /// Year of the games before.
        expected: u16,
    },
    /// The format cannot hold the game, for the reason in this sentence.
    #[error("{0}")]
    Other(String),
}

/// Names with their indices.
#[derive(Clone, Debug)]
struct NameList {
    names: Vec<Vec<u8>>,
    indices: HashMap<Vec<u8>, u16>,
    /// Number of bytes of a name in the file, padding included.
    size: usize,
    /// Number of names that the list began with.
    old: usize,
}

impl NameList {
    fn new(names: &[String], size: usize) -> Result<NameList, Unwritable> {
        let mut list = NameList {
            names: Vec::new(),
            indices: HashMap::new(),
            size,
            old: names.len(),
        };
        for name in names {
            list.push(list.encoded(name)?)?;
        }
        Ok(list)
    }

    /// Encodes a name in Latin-1, without padding. Fails if Latin-1 lacks a letter, or if the name
    /// fills its record: the last byte of a record must stay zero.
    fn encoded(&self, name: &str) -> Result<Vec<u8>, Unwritable> {
        let byte = |letter: char| {
            let byte = u8::try_from(letter).ok().filter(|_| !letter.is_control());
            byte.ok_or_else(|| {
                let letter = letter.escape_debug();
                format!("the name '{name}' has the letter '{letter}', which Latin-1 lacks")
            })
        };
        let bytes: Result<Vec<u8>, String> = name.chars().map(byte).collect();
        let bytes = bytes.map_err(Unwritable::Other)?;
        let most = self.size - 1;
        if bytes.len() > most {
            let why = format!("the name '{name}' has more than the {most} letters of WTHOR");
            return Err(Unwritable::Other(why));
        }
        Ok(bytes)
    }

    /// Appends a name and returns its index. Fails if the list is full: its indices and its length
    /// have 16 bits. If a name occurs twice, [`index`](Self::index) returns the index of the first.
    fn push(&mut self, name: Vec<u8>) -> Result<u16, Unwritable> {
        let index = self.names.len() as u16;
        if index == u16::MAX {
            let why = format!("there are more than {} names", u16::MAX);
            return Err(Unwritable::Other(why));
        }
        self.indices.entry(name.clone()).or_insert(index);
        self.names.push(name);
        Ok(index)
    }

    /// Returns the index of a name. A new name is appended.
    fn index(&mut self, name: Vec<u8>) -> Result<u16, Unwritable> {
        match self.indices.get(&name) {
            Some(&index) => Ok(index),
            None => self.push(name),
        }
    }

    /// Formats the content of the name file. Returns `None` if no name is new, because the old file
    /// can stay. `date` is as in [`header`].
    fn file(&self, date: [u8; 4]) -> Option<Vec<u8>> {
        if self.names.len() == self.old {
            return None;
        }
        let mut bytes = header(date, 0, self.names.len() as u16, 0, [0; 2]);
        for name in &self.names {
            bytes.extend(name);
            bytes.resize(bytes.len() + self.size - name.len(), 0);
        }
        Some(bytes)
    }
}

/// Formats a header: the date of the file (century, year, month, day), the numbers of games and
/// names, the year of the games, and the board size and type.
fn header(date: [u8; 4], games: u32, names: u16, year: u16, kind: [u8; 2]) -> Vec<u8> {
    let mut bytes = date.to_vec();
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend(kind);
    // The depth of the theoretical score is 0, because no game is solved: `add` stores the game's
    // own score as theoretical score.
    bytes.resize(HEADER, 0);
    bytes
}

/// Content of the three files of a WTHOR database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WthorFiles {
    /// Games, the content of a `.wtb` file.
    pub games: Vec<u8>,
    /// Players, the content of the `.JOU` file. `None` if no name is new.
    pub players: Option<Vec<u8>>,
    /// Tournaments, the content of the `.TRN` file. `None` if no name is new.
    pub tournaments: Option<Vec<u8>>,
}

/// Collects games and formats them as WTHOR files.
///
/// ```
/// use emilia_core::board::{Position, Transcript};
/// use emilia_games::Game;
/// use emilia_games::wthor::{self, WthorNames, WthorWriter};
/// let moves = Transcript::parse("e6f6c4c5b6d6e7f5g5", Position::START).unwrap();
/// let mut game = Game::from(&moves);
/// game.tags.black = "Ann".to_owned();
/// let mut writer = WthorWriter::new(&WthorNames::default()).unwrap();
/// writer.add(&game, Some(2026)).unwrap();
/// let files = writer.files(2026, [2026, 11, 24]);
/// let names = WthorNames {
///     players: wthor::read_players(&files.players.unwrap()).unwrap(),
///     tournaments: Vec::new(),
/// };
/// let games = wthor::read_games(&files.games, &names).unwrap();
/// let game = games[0].as_ref().unwrap();
/// assert_eq!(game.game().transcript(), moves);
/// assert_eq!(game.tags().black, "Ann");
/// ```
#[derive(Clone, Debug)]
pub struct WthorWriter {
    players: NameList,
    tournaments: NameList,
    year: Option<u16>,
    records: Vec<u8>,
}

impl WthorWriter {
    /// Creates a writer whose lists of names begin with `names`.
    pub fn new(names: &WthorNames) -> Result<WthorWriter, Unwritable> {
        Ok(WthorWriter {
            players: NameList::new(&names.players, PLAYER)?,
            tournaments: NameList::new(&names.tournaments, TOURNAMENT)?,
            year: None,
            records: Vec::new(),
        })
    }

    /// Returns the year of the games, if it is known.
    pub fn year(&self) -> Option<u16> {
        self.year
    }

    /// Adds a game. `year` is the year of its date, `None` without a valid date.
    ///
    /// # Errors
    /// If the format cannot hold the game. The collected games then stay unchanged.
    pub fn add(&mut self, game: &Game, year: Option<u16>) -> Result<(), Unwritable> {
        if game.start() != Position::START {
            let why = "its start position is not the usual one, as WTHOR expects";
            return Err(Unwritable::Other(why.to_owned()));
        }
        let black_discs = black_discs(game).map_err(Unwritable::Other)?;
        let year = year.filter(|&year| is_year(year));
        if let (Some(found), Some(expected)) = (year, self.year)
            && found != expected
        {
            return Err(Unwritable::Year { found, expected });
        }
        let tags = &game.tags;
        let event = self.tournaments.encoded(&tags.event)?;
        let black = self.players.encoded(&tags.black)?;
        let white = self.players.encoded(&tags.white)?;
        let players = [self.players.index(black)?, self.players.index(white)?];
        let names = [self.tournaments.index(event)?, players[0], players[1]];
        self.records
            .extend(names.map(u16::to_le_bytes).as_flattened());
        self.year = self.year.or(year);
        self.records.extend([black_discs, black_discs]);
        self.records.extend(game.squares().map(number));
        let end = self.records.len().next_multiple_of(GAME);
        self.records.resize(end, 0);
        Ok(())
    }

    /// Returns the content of the files. `year` is the year of the games, `date` the year, month
    /// and day of the files.
    pub fn files(&self, year: u16, date: [u16; 3]) -> WthorFiles {
        let [today, month, day] = date;
        let date = [today / 100, today % 100, month, day].map(|part| part as u8);
        let count = (self.records.len() / GAME) as u32;
        let mut games = header(date, count, 0, year, [8, 0]);
        games.extend(&self.records);
        WthorFiles {
            games,
            players: self.players.file(date),
            tournaments: self.tournaments.file(date),
        }
    }
}

/// Returns Black's discs. In a finished game, the empty squares count for the winner.
fn black_discs(game: &Game) -> Result<u8, String> {
    let margin = game
        .margin()
        .ok_or("it is not over and has no result in discs")?;
    let discs = 32.0 + margin / 2.0;
    if discs.fract() == 0.0 && (0.0..=64.0).contains(&discs) {
        return Ok(discs as u8);
    }
    let expected = "WTHOR expects an even number from -64 to 64";
    Err(format!("its result is {margin:+} discs, {expected}"))
}

/// Encodes a square as 10 × row + column, both from 1 to 8.
fn number(square: Square) -> u8 {
    10 * (square.rank() + 1) + square.file() + 1
}
