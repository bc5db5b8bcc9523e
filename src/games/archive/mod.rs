//! Archives: files of many games, searched by several threads without keeping positions.
//!
//! Reading order:
//! - this file: [`Archives`] reads the files, and visits each [`ArchivedGame`] once.
//! - `query`: the games that are asked for, by player, year and result.
//! - `moves`: the moves that were played from a position.
//! - `duplicates`: games with the same moves.
//!
//! WTHOR files stay in memory as they are, 68 bytes a game, and their games are decoded when they
//! are visited. Games of other formats are [`PackedGame`]s.

mod duplicates;
mod moves;
mod query;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;

use super::collection::NoGames;
use super::input::{self, InputFile, NotRead};
use super::replay::Replay;
use super::sgf::of_mover;
use super::wthor::{self, Record, WthorError, WthorNames};
use super::{Collection, Game, Outcome, PackedGame, Tags};
use emilia_core::board::{Color, Position, Square};
use emilia_core::work::parallel_map;
use emilia_files::FileError;

pub use duplicates::{MoveKey, duplicates, move_key};
pub use moves::{MoveCount, MoveCounts, ReachedPosition};
pub use query::{Query, ResultFilter, Words, Years, year};

/// Number of games that a thread visits at a time.
const BLOCK: usize = 2048;

/// Squares of the moves of a game, without passes.
pub(crate) type Squares = ArrayVec<Square, 64>;

/// A game of an archive. All its moves are legal.
#[derive(Clone, Debug, PartialEq)]
pub struct ArchivedGame<'a> {
    /// Name of the player of the black discs.
    pub black: Cow<'a, str>,
    /// Name of the player of the white discs.
    pub white: Cow<'a, str>,
    /// The event, empty if unknown.
    pub event: Cow<'a, str>,
    /// Date, as written in the record.
    pub date: Cow<'a, str>,
    /// The outcome, recorded or of the final position.
    pub outcome: Option<Outcome>,
    /// Position before the first move.
    pub start: Position,
    /// Squares of the moves, without passes.
    pub squares: Squares,
    /// What of the record could not be read, as in [`Game`].
    pub warnings: Cow<'a, [String]>,
    /// Whether a part of the record was not read.
    pub is_cut: bool,
}

impl<'a> From<&'a PackedGame> for ArchivedGame<'a> {
    fn from(packed: &'a PackedGame) -> ArchivedGame<'a> {
        let text = |name| packed.tags().map_or("", |tags| tags.get(name));
        let [black, white, event, date] = ["Black", "White", "Event", "Date"].map(text);
        let (warnings, is_cut) = packed.warnings();
        let (start, squares) = (packed.start(), packed.squares().collect::<Squares>());
        let recorded = packed.tags().and_then(|tags| tags.outcome);
        let of_board = || {
            let mut replay = Replay::new(start);
            let is_legal = squares.iter().all(|&square| replay.play(square).is_ok());
            let position = replay.position;
            (is_legal && position.is_over())
                .then(|| Outcome::played(position.final_score_for(Color::Black).into()))
        };
        ArchivedGame {
            black: black.into(),
            white: white.into(),
            event: event.into(),
            date: date.into(),
            outcome: recorded.or_else(of_board),
            start,
            squares,
            warnings: warnings.into(),
            is_cut,
        }
    }
}

impl From<Game> for ArchivedGame<'static> {
    fn from(game: Game) -> ArchivedGame<'static> {
        ArchivedGame {
            is_cut: game.is_cut(),
            outcome: game.outcome(),
            start: game.start(),
            squares: game.squares().collect(),
            warnings: game.warnings().to_vec().into(),
            black: game.tags.black.into(),
            white: game.tags.white.into(),
            event: game.tags.event.into(),
            date: game.tags.date.into(),
        }
    }
}

impl ArchivedGame<'_> {
    /// Decodes a WTHOR record and checks its moves.
    pub(super) fn read<'a>(
        record: Record<'_>,
        names: &'a WthorNames,
        date: &'a str,
    ) -> Result<ArchivedGame<'a>, WthorError> {
        let [event, black, white] = record.names(names);
        let mut game = ArchivedGame {
            black,
            white,
            event,
            date: date.into(),
            outcome: Some(Outcome::played(record.margin()?)),
            start: Position::START,
            squares: Squares::new(),
            warnings: Cow::Borrowed(&[]),
            is_cut: false,
        };
        let mut replay = Replay::new(game.start);
        for (number, square) in (1..).zip(record.squares()) {
            let square = square?;
            let played = replay.play(square);
            played.map_err(|illegal| WthorError::illegal(number, &illegal))?;
            game.squares.push(square);
        }
        Ok(game)
    }

    /// Returns the name of the player of this colour.
    pub fn player(&self, color: Color) -> &str {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Returns Black's score in discs, or `None` if it is not known or only the winner is.
    pub fn margin(&self) -> Option<f64> {
        self.outcome.and_then(Outcome::discs)
    }

    /// Returns the outcome as one for this colour: who won is the sign of its margin.
    pub(crate) fn outcome_for(&self, color: Color) -> Option<Outcome> {
        let outcome = self.outcome?;
        let margin = of_mover(outcome.margin, color);
        Some(Outcome { margin, ..outcome })
    }

    /// Returns the game with its positions.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        game.tags = Tags {
            black: self.black.clone().into_owned(),
            white: self.white.clone().into_owned(),
            event: self.event.clone().into_owned(),
            date: self.date.clone().into_owned(),
            outcome: self.outcome,
            ..Tags::default()
        };
        if !self.warnings.is_empty() {
            game.notes_mut().warnings = self.warnings.to_vec();
            game.notes_mut().is_cut = self.is_cut;
        }
        for &square in &self.squares {
            let played = game.play_next(square);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        game
    }
}

/// Place of a game: the index of its file and its own index there, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamePlace {
    /// Index of the file in the archive.
    pub file: u32,
    /// Index of the game in its file.
    pub game: u32,
}

/// A file of games.
#[derive(Debug)]
struct Archive {
    path: PathBuf,
    games: Games,
}

/// Games of a file.
#[derive(Debug)]
enum Games {
    /// A WTHOR file whose header is valid. `date` is the year of its games.
    Wthor {
        bytes: Vec<u8>,
        names: WthorNames,
        date: String,
    },
    Other(Vec<Result<PackedGame, String>>),
}

impl Archive {
    fn read(file: &InputFile) -> Result<Archive, NotRead> {
        let path = file.path.clone();
        let failed = |error: FileError| NotRead::Failed(error.to_string());
        let mut files = input::read(&path, input::MAX_GAMES_SIZE).map_err(failed)?;
        let games = if files.len() != 1 {
            Games::Other(file.checked(Ok(input::collection_of(&path, &files)))?.games)
        } else if wthor::is_games(&files[0].bytes) {
            let bytes = files.remove(0).bytes;
            let date = year_of(&bytes).map_err(|no_games| file.without_games(&no_games))?;
            let names = input::names_beside(&path);
            Games::Wthor { bytes, names, date }
        } else {
            let collection = Collection::read_text(&files[0].bytes, &PackedGame::from);
            Games::Other(file.checked(Ok(collection))?.games)
        };
        Ok(Archive { path, games })
    }

    /// Returns the number of games, the invalid ones included.
    fn len(&self) -> usize {
        match &self.games {
            Games::Wthor { bytes, .. } => wthor::record_count(bytes),
            Games::Other(games) => games.len(),
        }
    }

    /// Calls `visit` with each game of a range of indices.
    fn visit(
        &self,
        range: Range<usize>,
        visit: &mut impl FnMut(usize, Result<&ArchivedGame<'_>, &String>),
    ) {
        match &self.games {
            Games::Wthor { bytes, names, date } => {
                let records = wthor::records_in(bytes, range.clone());
                for (index, record) in range.zip(records) {
                    let read = ArchivedGame::read(record, names, date);
                    let game = read.map_err(|error| error.in_game(index).to_string());
                    visit(index, game.as_ref());
                }
            }
            Games::Other(games) => {
                for index in range {
                    let game = games[index].as_ref().map(ArchivedGame::from);
                    visit(index, game.as_ref().map_err(|error| *error));
                }
            }
        }
    }
}

/// Returns the year of the games of a WTHOR file.
fn year_of(bytes: &[u8]) -> Result<String, NoGames> {
    if wthor::is_names(bytes) {
        return Err(NoGames::Names);
    }
    let (year, records) = wthor::game_records(bytes).map_err(NoGames::Wthor)?;
    if records.len() == 0 {
        return Err(NoGames::Empty);
    }
    Ok(year.to_string())
}

/// Files of games that are searched together.
#[derive(Debug)]
pub struct Archives {
    files: Vec<Archive>,
    threads: NonZero<usize>,
}

/// Result of a visit of all games.
#[derive(Debug)]
pub struct Visited<R> {
    /// Results in the order of the games, one for each block of games.
    pub results: Vec<R>,
    /// The invalid games, as sentences with file and number.
    pub bad: Vec<FileError>,
}

impl Archives {
    /// Reads the files in up to `threads` threads.
    /// Returns also why files that give no games were not read.
    pub fn read(files: &[InputFile], threads: NonZero<usize>) -> (Archives, Vec<NotRead>) {
        let mut workers = vec![(); threads.get().min(files.len())];
        let read = parallel_map("archive", &mut workers, files, &|_| (), |(), file| {
            Some(Archive::read(file))
        });
        let (mut files, mut not_read) = (Vec::new(), Vec::new());
        for archive in read.into_iter().flatten() {
            match archive {
                Ok(archive) => files.push(archive),
                Err(why) => not_read.push(why),
            }
        }
        (Archives { files, threads }, not_read)
    }

    /// Returns the number of games, the invalid ones included.
    pub fn games(&self) -> usize {
        self.files.iter().map(Archive::len).sum()
    }

    /// Returns the file of a game, and the number of games there.
    pub fn file(&self, place: GamePlace) -> (&Path, usize) {
        let file = &self.files[place.file as usize];
        (&file.path, file.len())
    }

    /// Calls `visit` with each valid game once, in several threads. Each block of games has a
    /// result of its own, which is `R::default()` before its first game.
    pub fn visit<R: Default + Send>(
        &self,
        visit: impl Fn(&mut R, GamePlace, &ArchivedGame<'_>) + Sync,
    ) -> Visited<R> {
        let blocks = (0..).zip(&self.files).flat_map(|(file, archive)| {
            let starts = (0..archive.len()).step_by(BLOCK);
            starts.map(move |start| (file, archive, start..archive.len().min(start + BLOCK)))
        });
        let blocks: Vec<_> = blocks.collect();
        let mut workers = vec![(); self.threads.get().min(blocks.len())];
        let visit_block = |(): &mut (), (file, archive, range): (u32, &Archive, Range<usize>)| {
            let (mut result, mut bad) = (R::default(), Vec::new());
            archive.visit(range, &mut |index, game| match game {
                Ok(archived) => {
                    let game = index as u32;
                    visit(&mut result, GamePlace { file, game }, archived);
                }
                Err(error) => bad.push(FileError::refused(&archive.path, error.as_str())),
            });
            Some((result, bad))
        };
        let visited = parallel_map("archive", &mut workers, blocks, &|_| (), visit_block);
        let (results, bad): (Vec<R>, Vec<Vec<FileError>>) = visited.into_iter().flatten().unzip();
        Visited {
            results,
            bad: bad.into_iter().flatten().collect(),
        }
    }

    /// Calls `visit` with the games at these places, in their order.
    pub fn visit_at<E>(
        &self,
        places: &[GamePlace],
        mut visit: impl FnMut(GamePlace, &ArchivedGame<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for &place in places {
            let archive = &self.files[place.file as usize];
            let index = place.game as usize;
            let mut result = Ok(());
            archive.visit(index..index + 1, &mut |_, game| {
                if let Ok(game) = game {
                    result = visit(place, game);
                }
            });
            result?;
        }
        Ok(())
    }
}
