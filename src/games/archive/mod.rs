//! Archives: files of many games, searched by several threads. Positions of games are not stored.
//!
//! Reading order:
//! - this file: [`Archives`] reads the files and visits each [`PackedGame`] once.
//! - `query`: conditions on a game: player, event, year and result.
//! - `moves`: statistics of the moves played from a position.
//! - `duplicates`: games with the same moves.
//!
//! All games stay in memory, as [`PackedGame`]s.

mod duplicates;
mod moves;
mod query;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use super::PackedGame;
use super::input::{self, InputFile, NotRead};
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

/// Game of a file, or a sentence that says why it is invalid.
type ReadGame = Result<PackedGame, Sentence>;

/// Games of a file, in the order of the file.
#[derive(Debug)]
struct Archive {
    path: PathBuf,
    games: Vec<ReadGame>,
}

impl Archive {
    fn read(file: &InputFile) -> Result<Archive, NotRead> {
        let path = file.path.clone();
        let failed = |error: FileError| NotRead::Failed(error.to_string());
        let files = input::read(&path, input::MAX_SIZE).map_err(failed)?;
        let read = file.checked(Ok(input::collection_of(&path, &files)))?;
        let games = read.games;
        Ok(Archive { path, games })
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
        self.files.iter().map(|file| file.games.len()).sum()
    }

    /// Returns the path of the file that holds a game, and the number of games in this file.
    pub fn file(&self, place: GamePlace) -> (&Path, usize) {
        let file = &self.files[place.file as usize];
        (&file.path, file.games.len())
    }

    /// Calls `visit` with each valid game once, in several threads. Each block of games has its own
    /// result, which starts as `R::default()`.
    pub fn visit<R: Default + Send>(
        &self,
        visit: impl Fn(&mut R, GamePlace, &PackedGame) + Sync,
    ) -> Visited<R> {
        let blocks = (0..).zip(&self.files).flat_map(|(file, archive)| {
            let starts = (0..).step_by(BLOCK);
            let places = starts.map(move |game| GamePlace { file, game });
            places.zip(archive.games.chunks(BLOCK))
        });
        let blocks: Vec<_> = blocks.collect();
        let mut workers = vec![(); self.threads.get().min(blocks.len())];
        let visit_block = |(): &mut (), (first, games): (GamePlace, &[ReadGame])| {
            let (mut result, mut bad) = (R::default(), Vec::new());
            for (game, read) in (first.game..).zip(games) {
                let place = GamePlace { game, ..first };
                match read {
                    Ok(packed) => visit(&mut result, place, packed),
                    Err(error) => bad.push(FileError::refused(self.file(place).0, &**error)),
                }
            }
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
            if let Ok(game) = &self.files[place.file as usize].games[place.game as usize] {
                visit(place, game)?;
            }
        }
        Ok(())
    }
}
