//! The board in the browser: what its requests return, and the server of `emilia gui`.
//!
//! The page in `web/` keeps the state of its game, and sends requests to a server or to workers of
//! the browser. The head of `web/main.js` follows a click to the values on the page.
//!
//! Reading order: [`App`] here answers requests at once, or by a [`Search`], which sends its
//! results as [`Events`]. `searches` has the move to play, the values of all moves and the analysis
//! of a game. `games` reads and writes game records. `explorer` counts the moves of a position in
//! the book and in games. `practice` answers the Practice page. `my_games` keeps all games.
//!
//! `server` serves the page over HTTP on the loopback interface, `words` has its dictionaries, and
//! `guard` rejects requests without the token. In a page of files, `wasm` replaces these three: it
//! is the engine in a worker. `README.md` in this folder has the table of requests.

mod explorer;
mod games;
#[cfg(not(target_family = "wasm"))]
mod guard;
mod lesson;
#[cfg(all(test, not(target_family = "wasm")))]
mod lesson_tests;
#[cfg(not(target_family = "wasm"))]
mod my_games;
mod practice;
mod searches;
#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(target_family = "wasm")]
pub mod wasm;
#[cfg(not(target_family = "wasm"))]
mod words;

use std::collections::HashMap;
use std::error::Error;

use serde::Serialize;

use emilia_book::Book;
use emilia_core::board::Sentence;
use emilia_core::search::{Engine, OutOfMemory};
use emilia_files::FileError;
use emilia_player::people::Human;
use emilia_player::{Level, Player};
use emilia_review::{ANALYSIS_DEPTH, json};
pub use games::ReadGames;
#[cfg(not(target_family = "wasm"))]
pub use my_games::UserFiles;
pub use practice::Practice;
#[cfg(not(target_family = "wasm"))]
pub use server::{Gui, MAX_SEARCHES, file, names, serve};

/// Reason for which a request is refused, as a sentence.
pub type Refusal = Box<dyn Error + Send + Sync>;

/// A sentence with its code and values, from which the page forms the sentence in its own language:
/// see `sentences.js`.
#[derive(Serialize)]
struct Said<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    code: &'a str,
    #[serde(flatten)]
    values: HashMap<&'a str, &'a str>,
}

impl Said<'_> {
    fn of(sentence: &Sentence) -> Said<'_> {
        Said {
            text: sentence,
            code: sentence.code(),
            values: sentence.values().collect(),
        }
    }
}

/// Returns the reason of a refusal: a [`Said`] as JSON.
fn refusal(why: Refusal) -> String {
    let sentence = match why.downcast::<Sentence>() {
        Ok(sentence) => *sentence,
        Err(why) => match why.downcast::<FileError>() {
            Ok(error) => Sentence::from(*error),
            Err(why) => why.to_string().into(),
        },
    };
    serde_json::to_string(&Said::of(&sentence)).unwrap_or_default()
}

/// State that all requests share.
#[derive(Debug)]
pub struct App {
    /// Book to play from, and to show.
    pub book: Book,
    /// Exercises and answers.
    pub practice: Practice,
    /// Makes the small engine whose values predict the moves of people (`emilia_player::people`).
    pub people: fn() -> Result<Engine, OutOfMemory>,
}

/// Returns the answer to `start`: the games that the page begins with, the human levels with their
/// descriptions, the highest level of the engine, and the default depth of an analysis.
pub fn start_answer(first: &ReadGames) -> String {
    #[derive(Serialize)]
    struct Start<'a> {
        #[serde(flatten)]
        first: &'a ReadGames,
        people: Vec<(String, &'static str)>,
        levels: u32,
        depth: u32,
    }
    let people = Human::ALL.iter();
    let start = Start {
        first,
        people: people.map(|one| (one.to_string(), one.help())).collect(),
        levels: Level::HIGHEST,
        depth: ANALYSIS_DEPTH,
    };
    serde_json::to_string(&start).unwrap_or_default()
}

impl App {
    /// Answers the request `what`. May wait for a file. Returns `None` if there is no such request.
    ///
    /// # Errors
    /// If the body of the request is invalid, or a file cannot be used.
    fn reply(&self, what: &str, body: &[u8]) -> Result<Option<Reply>, Refusal> {
        Ok(Some(match what {
            "games" => Reply::Text(serde_json::to_string(&games::read(body)?)?),
            "files" => Reply::Text(serde_json::to_string(&games::read_files(body)?)?),
            "opening" => Reply::Text(explorer::opening(body)?),
            "explore" => Reply::Text(explorer::explore(self, body)?),
            "lesson" => Reply::Text(lesson::lesson(body)?),
            "save" => Reply::Text(games::save(body)?),
            "exercises" => Reply::Text(practice::exercises(self, body)?),
            "answer" => Reply::Text(practice::answer(self, body)?),
            "due" => Reply::Text(practice::when_due(self, body)?),
            "practise" => Reply::Text(practice::practise(self, body)?),
            "export" => Reply::Text(practice::export(self)?),
            "import" => Reply::Text(practice::import(self, body)?),
            #[cfg(not(target_family = "wasm"))]
            "list" => Reply::Text(my_games::list(self)?),
            #[cfg(not(target_family = "wasm"))]
            "get" => Reply::Text(my_games::get(self, body)?),
            #[cfg(not(target_family = "wasm"))]
            "put" => Reply::Text(my_games::put(self, body)?),
            #[cfg(not(target_family = "wasm"))]
            "delete" => Reply::Text(my_games::delete(self, body)?),
            "move" => Reply::Search(searches::choose_move(self, body)?),
            "look" => Reply::Search(searches::look(self, body)?),
            "analyze" => Reply::Search(searches::analyze_game(self, body)?),
            "key" => Reply::Search(practice::key(self, body)?),
            "collect" => Reply::Search(practice::collect(self, body)?),
            "draw" => Reply::Search(searches::draw(body)?),
            _ => return Ok(None),
        }))
    }
}

/// Answer to a request.
enum Reply {
    /// An object of JSON, or the text of a file.
    Text(String),
    Search(Search),
}

/// A search that was requested. It ends early if the engine of the player is interrupted.
type Search = Box<dyn FnOnce(&mut Player, &dyn Events) + Send>;

/// Receives the events of a search. Each event is an object of JSON, as `--json` prints it.
pub trait Events {
    /// Sends progress, which a slow client may lose.
    fn progress(&self, object: String);

    /// Sends a result, and waits for a slow client. Without a client the result is dropped.
    fn result(&self, object: String);
}

/// Returns an event of this kind as an object of JSON.
fn event_of(kind: &str, fields: &impl Serialize) -> String {
    serde_json::to_string(&json::tagged(kind, fields)).unwrap_or_default()
}
