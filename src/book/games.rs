//! `add_games`: the games of a book, and how often they reached each position.
//!
//! Games are known by a digest of their content, so that a game is counted once. The counts by
//! position are an index of the games, written in the same transaction. Searched positions and games
//! are apart: neither changes the other.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Row, params};

use super::entry::Counts;
use super::file::BookFile;
use super::positions::{board_of, key_of};
use emilia_core::board::{Board, Color, Move, Position, Square};
use emilia_core::eval::Value;
use emilia_core::eval::checksum;
use emilia_files::FileError;
use emilia_games::Game;

/// Positions whose counts are collected before they are written.
const CHUNK: usize = 1 << 21;

/// Number of a pass in the column `moves`. Squares are a1 = 0 to h8 = 63.
const PASS: u8 = 64;

/// The tables. `moves` begin at the board of `player`, the side to move, and the counts of a game
/// are for that side. Positions with at least `empties` empty squares are counted in `played`.
pub(super) const TABLES: &str = "
    CREATE TABLE games (
        digest BLOB PRIMARY KEY, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        moves BLOB NOT NULL, empties INTEGER NOT NULL,
        won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE played (
        empties INTEGER NOT NULL, player INTEGER NOT NULL, opponent INTEGER NOT NULL,
        won INTEGER NOT NULL, drawn INTEGER NOT NULL, lost INTEGER NOT NULL,
        PRIMARY KEY (empties, player, opponent)
    ) STRICT, WITHOUT ROWID;";

const ALL: &str =
    "SELECT player, opponent, moves, empties, won, drawn, lost, digest FROM games ORDER BY digest";
const KNOWN: &str = "SELECT empties FROM games WHERE digest = ?";
const ADD: &str = "
    INSERT INTO games (player, opponent, moves, empties, won, drawn, lost, digest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET empties = excluded.empties";
const COUNT: &str = "
    INSERT INTO played VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    won = won + excluded.won, drawn = drawn + excluded.drawn, lost = lost + excluded.lost";
const PLAYED: &str =
    "SELECT won, drawn, lost FROM played WHERE empties = ? AND player = ? AND opponent = ?";

/// What [`add_games`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddedGames {
    /// Games added.
    pub games: u64,
    /// Games that the book had.
    pub known: u64,
    /// Games without a result, which were left out.
    pub unfinished: u64,
}

/// A row of the table `games`.
#[derive(Debug)]
struct PlayedGame {
    start: Board,
    moves: Vec<u8>,
    /// Positions with fewer empty squares are not counted.
    min_empties: u32,
    /// Results for the side to move at the start.
    results: Counts,
    digest: Vec<u8>,
}

/// Adds games that the book does not have, and counts their results for their positions with at
/// least `min_empties` empty squares. On the first error of `games` the book is unchanged.
pub fn add_games(
    book: &BookFile,
    games: impl Iterator<Item = Result<Game, FileError>>,
    min_empties: u32,
) -> Result<AddedGames, FileError> {
    book.write(|| {
        let mut added = AddedGames::default();
        let mut counts = HashMap::new();
        for game in games {
            match PlayedGame::of(&game?, min_empties) {
                None => added.unfinished += 1,
                Some(game) if add(book, &game, &mut counts)? => added.games += 1,
                Some(_) => added.known += 1,
            }
        }
        write(book, &mut counts)?;
        Ok(added)
    })
}

/// Adds the games of another book. Returns the number of those that the book did not have.
pub(super) fn add_games_of(book: &BookFile, other: &BookFile) -> Result<u64, FileError> {
    let games: Vec<PlayedGame> = other.run(|connection| {
        let mut statement = connection.prepare(ALL)?;
        statement.query_map([], PlayedGame::of_row)?.collect()
    })?;
    let (mut new, mut counts) = (0, HashMap::new());
    for game in &games {
        new += u64::from(add(book, game, &mut counts)?);
    }
    write(book, &mut counts)?;
    Ok(new)
}

/// Adds a game, and its positions to `counts`. Returns whether the book did not have it.
fn add(
    book: &BookFile,
    game: &PlayedGame,
    counts: &mut HashMap<Board, Counts>,
) -> Result<bool, FileError> {
    let (digest, min_empties, mut results) = (&game.digest, game.min_empties, game.results);
    let known: Option<u32> = book.run(|connection| {
        let mut known = connection.prepare_cached(KNOWN)?;
        known.query_row([digest], |row| row.get(0)).optional()
    })?;
    let counted = known.unwrap_or(u32::MAX);
    if min_empties >= counted {
        return Ok(false);
    }
    let [_, player, opponent] = key_of(&game.start);
    let [won, drawn, lost] = results.by_result();
    let moves = &game.moves;
    let row = params![
        player,
        opponent,
        moves,
        min_empties,
        won,
        drawn,
        lost,
        digest
    ];
    book.run(|connection| connection.prepare_cached(ADD)?.execute(row))?;
    let mut position = Position {
        board: game.start,
        mover: Color::Black,
    };
    for mv in game.moves.iter().map(Some).chain([None]) {
        let empties = position.board.empty_count();
        if empties < min_empties {
            break;
        }
        if empties < counted {
            let count = counts.entry(position.board.canonical()).or_default();
            *count = count.plus(results);
        }
        if let Some(&mv) = mv {
            let mv = Square::new(mv).map_or(Move::Pass, Move::Place);
            let illegal = "a game of a book has an illegal move";
            let after = position.play(mv);
            position = after.map_err(|_| FileError::refused(book.path(), illegal))?;
            results = results.reversed();
        }
    }
    if counts.len() >= CHUNK {
        write(book, counts)?;
    }
    Ok(known.is_none())
}

/// Adds the counts to the table `played`, and empties them.
fn write(book: &BookFile, counts: &mut HashMap<Board, Counts>) -> Result<(), FileError> {
    let mut sorted: Vec<_> = counts.drain().collect();
    sorted.sort_unstable_by_key(|(board, _)| key_of(board));
    book.run(|connection| {
        let mut count = connection.prepare_cached(COUNT)?;
        for (board, results) in sorted {
            let [empties, player, opponent] = key_of(&board);
            let [won, drawn, lost] = results.by_result();
            count.execute(params![empties, player, opponent, won, drawn, lost])?;
        }
        Ok(())
    })
}

impl BookFile {
    /// Counts the games that reached the position or a symmetric image of it.
    pub fn played(&self, board: &Board) -> Result<Counts, FileError> {
        self.run(|connection| {
            let mut played = connection.prepare_cached(PLAYED)?;
            let counts = played.query_row(key_of(&board.canonical()), |row| counts_of(row, 0));
            Ok(counts.optional()?.unwrap_or_default())
        })
    }

    /// Number of games.
    pub fn games(&self) -> Result<u64, FileError> {
        self.run(|connection| {
            let count = "SELECT COUNT(*) FROM games";
            connection.query_row(count, [], |row| Ok(row.get::<_, i64>(0)? as u64))
        })
    }
}

impl PlayedGame {
    /// `None` if the game has no result.
    fn of(game: &Game, min_empties: u32) -> Option<PlayedGame> {
        let tags = &game.tags;
        let tagged = || tags.outcome.map(|outcome| outcome.margin);
        let margin = game.score().map(f64::from).or_else(tagged)?;
        let start = game.start();
        let mut results = Counts::one(Value::from_score(margin.partial_cmp(&0.0)? as i32));
        if start.mover == Color::White {
            results = results.reversed();
        }
        let byte = |mv: Move| mv.square().map_or(PASS, |square| square.index() as u8);
        let moves: Vec<u8> = game.moves().iter().map(|played| byte(played.mv)).collect();
        let Board { player, opponent } = start.board;
        let result = [results.won, results.drawn, start.mover as u32].map(|count| count as u8);
        let mut content = [player.0.to_be_bytes(), opponent.0.to_be_bytes()].concat();
        content.extend(result);
        content.extend(&moves);
        for tag in [&tags.black, &tags.white, &tags.date] {
            content.push(u8::MAX);
            content.extend(tag.bytes());
        }
        Some(PlayedGame {
            start: start.board,
            moves,
            min_empties,
            results,
            digest: checksum(&content).to_be_bytes().to_vec(),
        })
    }

    fn of_row(row: &Row) -> rusqlite::Result<PlayedGame> {
        Ok(PlayedGame {
            start: board_of(row, 0)?,
            moves: row.get(2)?,
            min_empties: row.get(3)?,
            results: counts_of(row, 4)?,
            digest: row.get(7)?,
        })
    }
}

/// The counts in three columns from `column`.
fn counts_of(row: &Row, column: usize) -> rusqlite::Result<Counts> {
    let results = [row.get(column)?, row.get(column + 1)?, row.get(column + 2)?];
    Ok(Counts::of(results))
}
