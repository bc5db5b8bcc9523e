//! Archives: files of many games, searched by several threads. Positions of games are not stored.
//!
//! Reading order:
//! - this file: [`Archives`] reads the files and visits each [`PackedGame`] once.
//! - `query`: conditions on a game: player, event, year and result.
//! - `moves`: statistics of the moves played from a position.
//! - `duplicates`: games with the same moves.
//!
//! A WTHOR file stays in memory unchanged, at 68 bytes a game. Its games are decoded when they are
//! visited. Games of other formats are kept as [`PackedGame`]s.

mod duplicates;
mod moves;
mod query;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::PackedGame;
use super::collection::wthor_records;
use super::input::{self, InputFile, NotRead};
use super::wthor::{self, WthorNames};
use emilia_core::board::{Color, Sentence};
use emilia_core::work::parallel_map;
use emilia_files::FileError;

pub use duplicates::{MoveKey, duplicates, move_key};
pub use moves::{MoveCount, MoveCounts, ReachedPosition};
pub use query::{Query, ResultFilter, Words, Years, year};

/// Maximum number of games in a block. A block is a range of games of one file that one thread
/// visits.
const BLOCK: usize = 2048;

/// Place of a game: the index of its file, and its index in this file, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GamePlace {
    /// Index of the file in [`Archives`].
    pub file: u32,
    /// Index of the game in its file.
    pub game: u32,
}

#[derive(Debug)]
struct Archive {
    path: PathBuf,
    games: Games,
}

#[derive(Debug)]
enum Games {
    /// A WTHOR file whose header is valid.
    Wthor {
        bytes: Vec<u8>,
        names: WthorNames,
    },
    Other(Vec<Result<PackedGame, Sentence>>),
}

impl Archive {
    fn read(file: &InputFile) -> Result<Archive, NotRead> {
        let path = file.path.clone();
        let failed = |error: FileError| NotRead::Failed(error.to_string());
        let mut files = input::read(&path, input::MAX_SIZE).map_err(failed)?;
        let is_wthor = matches!(&files[..], [one] if wthor::is_games(&one.bytes));
        let games = if is_wthor {
            let bytes = files.remove(0).bytes;
            let checked = wthor_records(&bytes).map(|_| ());
            checked.map_err(|no_games| file.without_games(&no_games))?;
            let names = input::names_beside(&path);
            Games::Wthor { bytes, names }
        } else {
            let read = file.checked(Ok(input::collection_of(&path, &files)))?;
            Games::Other(read.games)
        };
        Ok(Archive { path, games })
    }

    /// Returns the number of games, including invalid games.
    fn len(&self) -> usize {
        match &self.games {
            Games::Wthor { bytes, .. } => {
                wthor::game_records(bytes).map_or(0, |(_, records)| records.len())
            }
            Games::Other(games) => games.len(),
        }
    }

    /// Calls `visit` with the index of each game in `range`, and with the game or its error.
    fn visit(&self, range: Range<usize>, visit: &mut impl FnMut(usize, Result<&PackedGame, &str>)) {
        match &self.games {
            Games::Wthor { bytes, names } => {
                let (year, records) = wthor::game_records(bytes).unwrap_or_default();
                for index in range {
                    let read = wthor::read_game(index, &records[index], names, year);
                    let game = read.map_err(|error| error.to_string());
                    visit(index, game.as_ref().map_err(|error| &**error));
                }
            }
            Games::Other(games) => {
                for index in range {
                    visit(index, games[index].as_ref().map_err(|error| &**error));
                }
            }
        }
    }
}

/// Files of games that are searched together.
#[derive(Debug)]
pub struct Archives {
    files: Vec<Archive>,
    threads: NonZero<usize>,
}

/// Result of [`Archives::visit`].
#[derive(Debug)]
pub struct Visited<R> {
    /// Results in the order of the games, one for each block of games.
    pub results: Vec<R>,
    /// Errors of the invalid games. Each names the file and the number of the game.
    pub bad: Vec<FileError>,
}

impl Archives {
    /// Reads the files in up to `threads` threads. Also returns a reason for each file that gives
    /// no games.
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

    /// Returns the number of games, including invalid games.
    pub fn games(&self) -> usize {
        self.files.iter().map(Archive::len).sum()
    }

    /// Returns the path of the file that holds a game, and the number of games in this file.
    pub fn file(&self, place: GamePlace) -> (&Path, usize) {
        let file = &self.files[place.file as usize];
        (&file.path, file.len())
    }

    /// Calls `visit` with each valid game once, in several threads. Each block of games has its own
    /// result, which starts as `R::default()`.
    pub fn visit<R: Default + Send>(
        &self,
        visit: impl Fn(&mut R, GamePlace, &PackedGame) + Sync,
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
                Err(error) => bad.push(FileError::refused(&archive.path, error)),
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

    /// Returns the three players whose names are most similar to `words`, the most similar first.
    pub fn nearest_players(&self, words: &Words) -> Vec<String> {
        const COUNT: usize = 3;
        let visited = self.visit(|names: &mut HashSet<String>, _, game| {
            let of_game = [Color::Black, Color::White].map(|color| game.player(color).to_owned());
            names.extend(of_game);
        });
        let names: HashSet<String> = visited.results.into_iter().flatten().collect();
        let mut names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        names.sort_by_cached_key(|name| (words.distance(name), name.clone()));
        names.truncate(COUNT);
        names
    }

    /// Calls `visit` with each valid game of `places`, in this order. Stops at the first error of
    /// `visit`.
    pub fn visit_at<E>(
        &self,
        places: &[GamePlace],
        mut visit: impl FnMut(GamePlace, &PackedGame) -> Result<(), E>,
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
