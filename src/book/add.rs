//! `add_games`: counts the games that reached each position.

use std::collections::HashMap;

use super::entry::{Entry, Results};
use super::file::BookFile;
use super::import::add;
use crate::board::{Board, Color, Position};
use crate::files::FileError;
use crate::game::Game;

/// Positions that are collected before they are written.
const CHUNK: usize = 1 << 21;

/// What [`add_games`] counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddedGames {
    /// Games counted.
    pub games: u64,
    /// Games without a result, which were left out.
    pub unfinished: u64,
    /// Positions that the book did not have. They have no value until learning searches them.
    pub new: u64,
}

/// Counts the result of each game for its positions with at least `min_empties` empty squares.
///
/// # Errors
/// The first error of `games`, or that the book cannot be written. The book is then unchanged.
pub fn add_games(
    book: &BookFile,
    games: impl Iterator<Item = Result<Game, FileError>>,
    min_empties: u32,
) -> Result<AddedGames, FileError> {
    let _reserved = book.reserve()?;
    book.write(|changes| {
        let mut added = AddedGames::default();
        let mut counts: HashMap<Board, Results> = HashMap::new();
        let write = |counts: &mut HashMap<Board, Results>| {
            let with = |(board, games)| {
                (
                    board,
                    Entry {
                        games,
                        ..Entry::default()
                    },
                )
            };
            add(changes, &mut counts.drain().map(with).collect())
        };
        for game in games {
            let game = game?;
            let Some(margin) = margin(&game) else {
                added.unfinished += 1;
                continue;
            };
            added.games += 1;
            let early = |position: &&Position| position.board.empty_count() >= min_empties;
            for position in game.positions().iter().take_while(early) {
                let margin = match position.mover {
                    Color::Black => margin,
                    Color::White => -margin,
                };
                let count = counts.entry(position.board.canonical()).or_default();
                *count = count.plus(Results {
                    won: (margin > 0.0).into(),
                    drawn: (margin == 0.0).into(),
                    lost: (margin < 0.0).into(),
                });
            }
            if counts.len() >= CHUNK {
                added.new += write(&mut counts)?;
            }
        }
        added.new += write(&mut counts)?;
        Ok(added)
    })
}

/// Black's margin in discs, by the last position or by the tags of the game.
fn margin(game: &Game) -> Option<f64> {
    let tagged = || game.tags.outcome.map(|outcome| outcome.margin);
    game.score().map(f64::from).or_else(tagged)
}
