//! My games: a database of every game that the user played or loaded. [`UserFiles`] opens this file
//! and the file of exercises, which are in the same folder.
//!
//! The page makes two texts for each game. The summary is shown in the list. The content is the
//! tree of moves with the analysis. The list is sorted by the identifiers of the games, which begin
//! with the time. Each game also has a revision number. A page that stores a game sends the
//! revision that it has read, so that two pages cannot overwrite each other's changes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rusqlite::{OptionalExtension, params};
use serde::Deserialize;
use serde_json::json;

use super::games::parse;
use super::{App, Refusal};
use emilia_core::board::Sentence;
use emilia_files::FileError;
use emilia_files::database::{Database, Kind};
use emilia_review::practice::Store;

/// Name of the file with the games. It is in the folder of the file with the exercises.
const FILE: &str = "games.db";

const KIND: Kind = Kind {
    mark: *b"EmGa",
    version: 1,
    tables: "
        CREATE TABLE summaries (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, summary TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE contents (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT",
    refused: "it is not a file with the games of 'emilia gui'",
    advice: "choose another folder with --state FOLDER/practice.db",
};

/// Files of the user. Each is opened when it is first used, and stays open.
#[derive(Debug)]
pub struct UserFiles {
    /// Path of the file with the exercises. `None` if the user has no home folder.
    state: Option<PathBuf>,
    exercises: OnceLock<Store>,
    games: OnceLock<Arc<Database>>,
}

impl UserFiles {
    /// Creates a `UserFiles` without opening a file. `state` is the path of the file with the
    /// exercises.
    pub fn new(state: Option<PathBuf>) -> UserFiles {
        UserFiles {
            state,
            exercises: OnceLock::new(),
            games: OnceLock::new(),
        }
    }

    /// Returns the store of exercises and answers.
    pub(super) fn exercises(&self) -> Result<Store, Refusal> {
        self.opened(&self.exercises, Store::open)
    }

    /// Returns the database of games.
    fn games(&self) -> Result<Arc<Database>, Refusal> {
        self.opened(&self.games, |state| {
            let path = state.with_file_name(FILE);
            Database::open(&KIND, &path).map(Arc::new)
        })
    }

    /// Returns the open file, or opens it. If opening fails, the next call tries again.
    fn opened<T: Clone>(
        &self,
        file: &OnceLock<T>,
        open: impl FnOnce(&Path) -> Result<T, FileError>,
    ) -> Result<T, Refusal> {
        if let Some(file) = file.get() {
            return Ok(file.clone());
        }
        let missing = "there is no home folder for exercises: start with --state FILE";
        let given = self.state.as_deref();
        let state = given.ok_or_else(|| Sentence::new("no-home", missing))?;
        let opened = open(state)?;
        Ok(file.get_or_init(|| opened).clone())
    }
}

/// Returns the summaries of all games, newest first.
pub(super) fn list(app: &App) -> Result<String, Refusal> {
    let games: Vec<String> = app.practice.files.games()?.run(|file| {
        let get = "SELECT summary FROM summaries ORDER BY id DESC";
        let mut statement = file.prepare_cached(get)?;
        let summaries = statement.query_map([], |row| row.get(0))?;
        summaries.collect()
    })?;
    Ok(json!({ "games": games }).to_string())
}

#[derive(Deserialize)]
struct Ids {
    ids: Vec<String>,
}

/// Returns the contents of games by their identifiers: `null` if no content is stored.
pub(super) fn get(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let Ids { ids } = parse(body)?;
    let contents: Vec<Option<String>> = app.practice.files.games()?.run(|file| {
        let mut get = file.prepare_cached("SELECT content FROM contents WHERE id = ?")?;
        let found = ids.iter();
        let contents = found.map(|id| get.query_row([id], |row| row.get(0)).optional());
        contents.collect()
    })?;
    Ok(json!({ "contents": contents }).to_string())
}

/// Game to store.
#[derive(Deserialize)]
struct Put {
    id: String,
    /// Stored revision that `revision` replaces. `None` if the game is new.
    was: Option<i64>,
    revision: i64,
    summary: String,
    /// New content. `None` keeps the stored content.
    content: Option<String>,
}

/// Stores games. Returns the identifiers of the games that were refused because the stored revision
/// is not [`Put::was`].
pub(super) fn put(app: &App, body: &[u8]) -> Result<String, Refusal> {
    #[derive(Deserialize)]
    struct Games {
        games: Vec<Put>,
    }
    let Games { games } = parse(body)?;
    let refused = app.practice.files.games()?.write(|file| {
        let mut refused = Vec::new();
        let put = "INSERT INTO summaries VALUES (?, ?, ?) ON CONFLICT DO UPDATE \
                   SET revision = excluded.revision, summary = excluded.summary WHERE revision = ?";
        for game in &games {
            let mut put = file.prepare_cached(put)?;
            if put.execute(params![game.id, game.revision, game.summary, game.was])? == 0 {
                refused.push(game.id.as_str());
            } else if let Some(content) = &game.content {
                let put = "INSERT OR REPLACE INTO contents VALUES (?, ?)";
                (file.prepare_cached(put)?).execute([&game.id, content])?;
            }
        }
        Ok(refused)
    })?;
    Ok(json!({ "refused": refused }).to_string())
}

/// Deletes games by their identifiers.
pub(super) fn delete(app: &App, body: &[u8]) -> Result<String, Refusal> {
    let Ids { ids } = parse(body)?;
    app.practice.files.games()?.write(|file| {
        for table in ["summaries", "contents"] {
            let delete = format!("DELETE FROM {table} WHERE id = ?");
            let mut delete = file.prepare_cached(&delete)?;
            for id in &ids {
                delete.execute([id])?;
            }
        }
        Ok(())
    })?;
    Ok("{}".to_owned())
}
