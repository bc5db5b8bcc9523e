//! My games: every game that was played or loaded, in an `SQLite` file beside the exercises.
//!
//! The page makes the texts, and the file keeps them: a summary of each game, which the list shows,
//! and its contents, the tree of its moves with the analysis. A game has an identifier, by which
//! the list is sorted, and a revision. A page that stores a game names the revision that it read:
//! two pages do not overwrite each other.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::{Deserialize, Serialize};

use super::games::parse;
use super::{App, Refusal};
use emilia_files::Database;

/// Name of the file, in the folder of the exercises.
const FILE: &str = "games.db";

const DATABASE: Database = Database {
    mark: *b"EmGa",
    version: 1,
    tables: "
        CREATE TABLE summaries (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, summary TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE contents (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT",
    refused: "it is not a file with the games of 'emilia gui' of this version",
    advice: "choose another folder with --state FOLDER/practice.db",
};

/// Opens the file of the games and calls `act`.
fn with_file<T>(
    app: &App,
    act: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
) -> Result<T, Refusal> {
    let state = app.practice.path.as_deref();
    let state = state.ok_or("there is no home folder for games: start with --state FILE")?;
    let path = state.parent().unwrap_or(Path::new("")).join(FILE);
    let mut connection = DATABASE.open(&path)?;
    let done = act(&mut connection);
    Ok(done.map_err(|error| DATABASE.error_at(&path, error))?)
}

/// Returns the summaries of all games, the newest first.
pub(super) fn list(app: &App) -> Result<String, Refusal> {
    #[derive(Serialize)]
    struct List {
        games: Vec<String>,
    }
    let games = with_file(app, |connection| {
        let get = "SELECT summary FROM summaries ORDER BY id DESC";
        let mut statement = connection.prepare(get)?;
        let summaries = statement.query_map([], |row| row.get(0))?;
        summaries.collect()
    })?;
    Ok(serde_json::to_string(&List { games })?)
}

#[derive(Deserialize)]
struct Ids {
    ids: Vec<String>,
}

/// Returns the contents of games, `null` for a game that was stored without.
pub(super) fn get(app: &App, body: &[u8]) -> Result<String, Refusal> {
    #[derive(Serialize)]
    struct Contents {
        contents: Vec<Option<String>>,
    }
    let Ids { ids } = parse(body)?;
    let contents = with_file(app, |connection| {
        let mut get = connection.prepare("SELECT content FROM contents WHERE id = ?")?;
        let contents = ids.iter();
        let contents = contents.map(|id| get.query_row([id], |row| row.get(0)).optional());
        contents.collect()
    })?;
    Ok(serde_json::to_string(&Contents { contents })?)
}

/// A game to store.
#[derive(Deserialize)]
struct Put {
    id: String,
    /// The revision that this one replaces, or `None` for a game that is not stored yet.
    was: Option<i64>,
    revision: i64,
    summary: String,
    /// Without it the game keeps its contents.
    content: Option<String>,
}

/// Stores games. Returns the identifiers of those that are stored with another revision.
pub(super) fn put(app: &App, body: &[u8]) -> Result<String, Refusal> {
    #[derive(Deserialize)]
    struct Games {
        games: Vec<Put>,
    }
    #[derive(Serialize)]
    struct Refused<'a> {
        refused: Vec<&'a str>,
    }
    let Games { games } = parse(body)?;
    let refused = with_file(app, |connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut refused = Vec::new();
        let put = "INSERT INTO summaries VALUES (?, ?, ?) ON CONFLICT DO UPDATE \
                   SET revision = excluded.revision, summary = excluded.summary WHERE revision = ?";
        for game in &games {
            let mut put = transaction.prepare_cached(put)?;
            if put.execute(params![game.id, game.revision, game.summary, game.was])? == 0 {
                refused.push(game.id.as_str());
            } else if let Some(content) = &game.content {
                let put = "INSERT OR REPLACE INTO contents VALUES (?, ?)";
                (transaction.prepare_cached(put)?).execute([&game.id, content])?;
            }
        }
        transaction.commit()?;
        Ok(refused)
    })?;
    Ok(serde_json::to_string(&Refused { refused })?)
}

/// Deletes games.
pub(super) fn delete(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let Ids { ids } = parse(body)?;
    with_file(app, |connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for table in ["summaries", "contents"] {
            let delete = format!("DELETE FROM {table} WHERE id = ?");
            let mut delete = transaction.prepare(&delete)?;
            for id in &ids {
                delete.execute([id])?;
            }
        }
        transaction.commit()
    })?;
    Ok("{}".to_owned())
}
