//! The board in the browser: the answers to the requests of the web page, and the server that
//! `emilia gui` runs.
//!
//! The page in `web/` keeps the state of its game. It sends requests to the server, or to an engine
//! in WebAssembly that runs in a web worker of the browser. The comment at the top of `web/main.js`
//! follows one click through the code of the page.
//!
//! Reading order: [`App`] in this file answers requests. Some answers are immediate. Others come
//! from a [`Search`], which sends its results as [`Events`]. `searches` has the move to play, the
//! values of all moves, random openings, and the analysis of a game. `games` reads and writes game
//! records. `explorer` looks up the moves of a position in the book and in games. `practice`
//! answers the Practice page. `my_games` stores the games of the user.
//!
//! `server` serves the page over HTTP on the loopback interface. `words` has the translations of
//! the page. `guard` rejects requests without the secret token. A website of static files has no
//! server: `wasm` replaces these three modules there, and the browser stores the games of the user.
//! `README.md` in this folder has the table of requests.

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

/// Reason why a request is refused, as a sentence for the user.
pub type Refusal = Box<dyn Error + Send + Sync>;

/// Sentence for the user, with a code and values. The page translates it by its code: see
/// `web/sentences.js`.
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

/// Formats the reason for a refusal as a JSON object of type [`Said`].
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

/// State shared by all requests.
#[derive(Debug)]
pub struct App {
    /// Opening book of the engine, also shown to the user.
    pub book: Book,
    /// State of the Practice page: exercises, answers, search limits.
    pub practice: Practice,
    /// Creates the small engine for the model of human players in [`emilia_player::people`].
    pub people: fn() -> Result<Engine, OutOfMemory>,
}

/// Returns the answer to the request `start`: the games that the page shows first, the human levels
/// with their descriptions, the highest level of the engine, and the default depth of an analysis
/// in plies.
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
    /// Answers the request called `what`. The call blocks while files are read or written. Returns
    /// `None` if there is no such request.
    ///
    /// # Errors
    /// If the body of the request is invalid, or a file cannot be read or written.
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

/// Answer to a request: text at once, or a search whose results follow.
enum Reply {
    /// JSON object, or the contents of a file.
    Text(String),
    Search(Search),
}

/// Search to run with a [`Player`]. The interrupt flag of the player's engine stops the search.
type Search = Box<dyn FnOnce(&mut Player, &dyn Events) + Send>;

/// Receives the events of a search. An event is a JSON object, in the format of the option
/// `--json`.
pub trait Events {
    /// Sends progress. The event is dropped if the client reads too slowly.
    fn progress(&self, object: String);

    /// Sends a result. Blocks while the client reads too slowly. The event is dropped if the client
    /// has disconnected.
    fn result(&self, object: String);
}

/// Formats an event as a JSON object with its `kind` and `fields`.
fn event_of(kind: &str, fields: &impl Serialize) -> String {
    serde_json::to_string(&json::tagged(kind, fields)).unwrap_or_default()
}
