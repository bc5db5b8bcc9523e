//! My games: every game that was played or loaded, in a database beside the exercises.
//! [`UserFiles`] opens both.
//!
//! The file keeps two texts of each game, which the page makes: the summary, which the list shows,
//! and the contents, the tree of moves with the analysis. A game has an identifier, by which the
//! list is sorted, and a revision. A page that stores a game names the revision that it read, so
//! that two pages do not overwrite each other.

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

/// Name of the file, in the folder of the exercises.
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

/// Files of the user, opened at their first use and then kept open.
#[derive(Debug)]
pub struct UserFiles {
    /// File of the exercises. `None` if the user has no home folder.
    state: Option<PathBuf>,
    exercises: OnceLock<Store>,
    games: OnceLock<Arc<Database>>,
}

impl UserFiles {
    /// Names the files: exercises in `state`, and games beside it.
    pub fn new(state: Option<PathBuf>) -> UserFiles {
        UserFiles {
            state,
            exercises: OnceLock::new(),
            games: OnceLock::new(),
        }
    }

    /// Returns the exercises and answers.
    pub(super) fn exercises(&self) -> Result<Store, Refusal> {
        self.opened(&self.exercises, Store::open)
    }

    /// Returns the games.
    fn games(&self) -> Result<Arc<Database>, Refusal> {
        self.opened(&self.games, |state| {
            let path = state.with_file_name(FILE);
            Database::open(&KIND, &path).map(Arc::new)
        })
    }

    /// Returns an open file, or opens it. A file that cannot be opened is tried again at the next
    /// call.
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

/// Returns the summaries of all games, the newest first.
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

/// Returns the contents of games, `null` for a game without stored content.
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

/// A game to store.
#[derive(Deserialize)]
struct Put {
    id: String,
    /// The stored revision that `revision` replaces, or `None` for a game that is not stored yet.
    was: Option<i64>,
    revision: i64,
    summary: String,
    /// `None` keeps the stored contents.
    content: Option<String>,
}

/// Stores games. Returns the identifiers of games that were refused because another revision is
/// stored.
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

/// Deletes games.
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
