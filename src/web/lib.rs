//! `emilia gui`: a board in the browser, served over HTTP on the loopback interface.
//!
//! Reading order: [`Gui`] is the state that all requests share, [`serve`] accepts connections, and
//! [`route`] dispatches by method and path. `guard` rejects requests without the token. `searches`
//! runs searches, whose results are sent while they run (server-sent events). `games` reads and
//! writes game records. `explorer` counts the moves of a position in the book and in games.
//! `practice` answers the page of exercises. The page in `web/` keeps the
//! state of its game. `README.md` in this folder has the table of requests.

mod events;
mod explorer;
mod games;
mod guard;
mod learn;
mod practice;
mod searches;

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Mutex, Notify};

use emilia_book::Book;
use emilia_core::search::Engine;
use emilia_player::people::Human;
use emilia_player::{Level, Player};
use emilia_review::ANALYSIS_DEPTH;
use emilia_review::practice::page;
use emilia_review::report::web::{self, Module};
use emilia_view::INTER;
use events::Events;
pub use games::ReadGames;
pub use practice::Practice;
pub use searches::MAX_SEARCHES;

/// Maximum size of a request's body in bytes: game files.
const MAX_BYTES: usize = 4 << 20;

/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Delay between the end of the last tab and the end of the program with `--once`. A reload takes
/// less.
const RELOAD_TIME: Duration = Duration::from_secs(2);

/// Why a request of an unknown address is refused.
const NO_PAGE: &str = "no such page";

/// Page and style sheet.
const PAGE: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/style.css");

/// Modules of the page that other pages do not have. `main.js` has their tour.
const MODULES: [Module; 22] = [
    ("clocks.js", include_str!("web/clocks.js")),
    ("engine.js", include_str!("web/engine.js")),
    ("explorer.js", include_str!("web/explorer.js")),
    ("fr.js", include_str!("web/fr.js")),
    ("games.js", include_str!("web/games.js")),
    ("help.js", include_str!("web/help.js")),
    ("ja.js", include_str!("web/ja.js")),
    ("main.js", include_str!("web/main.js")),
    ("moves.js", include_str!("web/moves.js")),
    ("newgame.js", include_str!("web/newgame.js")),
    ("openings.js", include_str!("web/openings.js")),
    ("players.js", include_str!("web/players.js")),
    ("position.js", include_str!("web/position.js")),
    ("review.js", include_str!("web/review.js")),
    ("server.js", include_str!("web/server.js")),
    ("setup.js", include_str!("web/setup.js")),
    ("sgf.js", include_str!("web/sgf.js")),
    ("share.js", include_str!("web/share.js")),
    ("sound.js", include_str!("web/sound.js")),
    ("state.js", include_str!("web/state.js")),
    ("tree.js", include_str!("web/tree.js")),
    ("values.js", include_str!("web/values.js")),
];

/// Draws an opening by lot, as a transcript.
pub type Opening = fn(seed: u64) -> Result<String, String>;

/// What all requests share.
#[derive(Debug)]
pub struct Gui {
    /// Path of the page: the token between two slashes.
    path: String,
    port: u16,
    book: Book,
    practice: Practice,
    /// Draws an opening of XOT.
    opening: Opening,
    /// Answer to `GET start`: the games of the command line, the human levels with their
    /// descriptions, the highest level of the engine, and the default depth of an analysis.
    start: String,
    /// Whether the server ends after the last tab.
    once: bool,
    /// Players that no search uses. They are made once, at the start.
    idle: Mutex<UnboundedReceiver<Player>>,
    /// Receives each player after its search.
    used: UnboundedSender<Player>,
    /// Number of open tabs.
    tabs: AtomicUsize,
    /// Wakes the server when the last tab has been closed.
    left: Notify,
}

impl Gui {
    /// Creates the state of a server. `engine` is that of the first search. A thread makes the
    /// others, with its settings.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(
        address: SocketAddr,
        engine: Engine,
        book: Book,
        practice: Practice,
        opening: Opening,
        first: ReadGames,
        once: bool,
    ) -> io::Result<Gui> {
        #[derive(Serialize)]
        struct Start {
            #[serde(flatten)]
            first: ReadGames,
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
        let (used, idle) = unbounded_channel();
        searches::prepare(engine.settings().clone(), used.clone());
        let _ = used.send(Player::new(engine));
        Ok(Gui {
            path: guard::secret_path()?,
            port: address.port(),
            book,
            practice,
            opening,
            start: serde_json::to_string(&start)?,
            once,
            idle: Mutex::new(idle),
            used,
            tabs: AtomicUsize::new(0),
            left: Notify::new(),
        })
    }

    /// Path of the page, with the token.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Waits until the last tab has been closed, with `--once`, or for ever.
    async fn ended(self: Arc<Gui>) {
        loop {
            self.left.notified().await;
            tokio::time::sleep(RELOAD_TIME).await;
            if self.once && self.tabs.load(Ordering::Relaxed) == 0 {
                return;
            }
        }
    }

    /// The stream that a tab keeps open, without events.
    fn tab(self: Arc<Gui>) -> Events {
        self.tabs.fetch_add(1, Ordering::Relaxed);
        Events::endless(move || {
            if self.tabs.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.left.notify_one();
            }
        })
    }
}

/// Answers requests until `--once` ends the program.
///
/// # Errors
/// If the listener fails.
pub fn serve(listener: TcpListener, gui: Gui) -> io::Result<()> {
    let gui = Arc::new(gui);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let answers = axum::Router::new()
            .fallback(answer)
            .layer(DefaultBodyLimit::max(MAX_BYTES))
            .with_state(Arc::clone(&gui));
        let server = axum::serve(listener, answers);
        tokio::select! {
            done = server.into_future() => done,
            () = gui.ended() => Ok(()),
        }
    })
}

/// Answers a request, with the headers that every answer has.
async fn answer(State(gui): State<Arc<Gui>>, request: Request) -> Result<Response, Infallible> {
    let mut response = if let Some(why) = guard::refusal(&gui, &request) {
        sentence(StatusCode::FORBIDDEN, why)
    } else {
        route(gui, request).await
    };
    guard::add_headers(response.headers_mut());
    Ok(response)
}

/// Routes a request by its path after the token.
async fn route(gui: Arc<Gui>, request: Request) -> Response {
    let path = request.uri().path();
    let what = path.get(gui.path.len()..).unwrap_or("").to_owned();
    match (request.method(), what.as_str()) {
        // The server leaves out the body of an answer to HEAD.
        (&Method::GET | &Method::HEAD, what) => get(gui, what),
        (
            &Method::POST,
            "move" | "look" | "analyze" | "games" | "files" | "opening" | "explore" | "save"
            | "exercises" | "key" | "answer" | "practise" | "collect" | "lesson",
        ) => {
            let body = Bytes::from_request(request, &());
            match tokio::time::timeout(BODY_TIME, body).await {
                Ok(Ok(body)) => (post(gui, what, body).await)
                    .unwrap_or_else(|why| sentence(StatusCode::BAD_REQUEST, why.to_string())),
                Ok(Err(error)) => {
                    let why = match error.status() {
                        StatusCode::PAYLOAD_TOO_LARGE => {
                            format!("expected at most {MAX_BYTES} bytes")
                        }
                        _ => error.body_text(),
                    };
                    sentence(error.status(), why)
                }
                Err(_) => sentence(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
            }
        }
        _ => sentence(StatusCode::NOT_FOUND, NO_PAGE),
    }
}

/// Answers a request without a body.
fn get(gui: Arc<Gui>, what: &str) -> Response {
    if let Some(file) = learn::file(what) {
        return file;
    }
    match what {
        "" => text("text/html", PAGE),
        "style.css" => text("text/css", [web::STYLE, web::APP_STYLE, STYLE].concat()),
        "inter.ttf" => ([(header::CONTENT_TYPE, "font/ttf")], INTER).into_response(),
        "practice" => {
            let head = "<link rel=\"stylesheet\" href=\"style.css\">\n\
                        <script type=\"module\" src=\"practice.js\"></script>";
            text("text/html", page::page(head, ""))
        }
        "start" => object(gui.start.clone()),
        "tab" => gui.tab().into_response(),
        _ => match module(what) {
            Some(source) => {
                let lines: Vec<&str> = web::lines(source).collect();
                text("text/javascript", lines.join("\n"))
            }
            None => sentence(StatusCode::NOT_FOUND, NO_PAGE),
        },
    }
}

/// Answers a request with a body. Requests without a search wait for files.
async fn post(gui: Arc<Gui>, what: String, body: Bytes) -> Result<Response, Refusal> {
    let events = match what.as_str() {
        "move" => searches::choose_move(gui, &body).await?,
        "look" => searches::look(gui, &body).await?,
        "analyze" => searches::analyze_game(gui, &body).await?,
        "key" => practice::key(gui, &body).await?,
        "collect" => practice::collect(gui, &body).await?,
        _ => {
            let answer = move || match what.as_str() {
                "exercises" => practice::exercises(&gui).map(object),
                "answer" => practice::answer(&gui, &body).map(object),
                "lesson" => learn::lesson(&body).map(object),
                "practise" => practice::practise(&gui, &body).map(object),
                "opening" => explorer::opening(&gui, &body).map(object),
                "explore" => explorer::explore(&gui, &body).map(object),
                "games" => Ok(object(serde_json::to_string(&games::read(&body)?)?)),
                "files" => Ok(object(serde_json::to_string(&games::read_files(&body)?)?)),
                _ => games::save(&body).map(|file| text("text/plain", file)),
            };
            return blocking(answer).await;
        }
    };
    Ok(events.into_response())
}

/// Why a request is refused, as a sentence.
type Refusal = Box<dyn Error + Send + Sync>;

/// Runs work that may wait for a file in a thread of its own: that of the server must not wait.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await?
}

fn text(kind: &str, body: impl Into<Body>) -> Response {
    let kind = [(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))];
    (kind, body.into()).into_response()
}

fn sentence(status: StatusCode, why: impl Into<Body>) -> Response {
    (status, text("text/plain", why)).into_response()
}

/// Returns the source of a module.
fn module(name: &str) -> Option<&'static str> {
    let shared = web::BOARD.iter().chain([&web::LIST, &page::MODULE]);
    let mut all = shared.chain(&MODULES);
    all.find(|(own, _)| *own == name).map(|(_, source)| *source)
}

fn object(json: String) -> Response {
    text("application/json", json)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::module;

    #[test]
    fn dictionaries_translate_the_same_texts() {
        let texts = |name: &str| -> BTreeSet<&str> {
            let lines = module(name).expect("a dictionary").lines();
            let texts = lines.filter_map(|line| line.strip_prefix("  \"")?.split_once("\": "));
            texts.map(|(text, _)| text).collect()
        };
        let french = texts("fr.js");
        assert!(french.len() > 200);
        assert_eq!(french, texts("ja.js"));
    }
}
