//! `emilia gui`: a board in the browser, served over HTTP on the loopback interface.
//!
//! Reading order: [`Gui`] is the state that all requests share, [`serve`] accepts connections, and
//! [`route`] dispatches by method and path. `guard` rejects requests without the token. `searches`
//! runs searches, whose results are sent while they run (server-sent events). `games` reads and
//! writes game records. `practice` answers the page of exercises. The page in `web/` keeps the
//! state of its game. `README.md` in this folder has the table of requests.

mod events;
mod games;
mod guard;
mod practice;
mod searches;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{Notify, Semaphore};

use emilia_book::Book;
use emilia_core::search::{Engine, Settings};
use emilia_player::people::Human;
use emilia_player::{Level, Player};
use emilia_review::practice::page;
use emilia_review::report::web;
use events::Events;
pub use games::ReadGames;
use guard::Token;
pub use practice::Practice;
pub use searches::MAX_SEARCHES;

/// Maximum size of a request's body in bytes: game files.
const MAX_BYTES: usize = 4 << 20;

/// How long a client may take to send a body.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Delay between the end of the last tab and the end of the program with `--once`. A reload takes
/// less.
const RELOAD_TIME: Duration = Duration::from_secs(2);

/// Page, style sheet and script.
const PAGE: &str = include_str!("web/page.html");
const STYLE: &str = include_str!("web/style.css");
const SERVER_SCRIPT: &str = include_str!("web/server.js");
const SCRIPT: &str = concat!(
    include_str!("web/tree.js"),
    include_str!("web/state.js"),
    include_str!("web/levels.js"),
    include_str!("web/clocks.js"),
    include_str!("web/searches.js"),
    include_str!("web/values.js"),
    include_str!("web/setup.js"),
    include_str!("web/review.js"),
    include_str!("web/gui.js"),
);

/// Answer to `GET start`.
#[derive(Serialize)]
struct Start<'a> {
    #[serde(flatten)]
    first: &'a ReadGames,
    /// Human levels with their descriptions.
    people: Vec<(String, &'static str)>,
    /// Highest level of the engine.
    levels: u32,
}

impl Start<'_> {
    fn new(first: &ReadGames) -> Start<'_> {
        let people = Human::ALL.iter();
        Start {
            first,
            people: people.map(|one| (one.to_string(), one.help())).collect(),
            levels: Level::HIGHEST,
        }
    }
}

/// What all requests share.
#[derive(Debug)]
pub struct Gui {
    token: Token,
    port: u16,
    settings: Settings,
    book: Book,
    practice: Practice,
    /// Games of the command line.
    first: ReadGames,
    /// Whether the server ends after the last tab.
    once: bool,
    /// Players that no search uses. They are made once, at the start.
    idle: Mutex<Vec<Player>>,
    /// A permit for each idle player.
    searches: Arc<Semaphore>,
    /// Number of open tabs.
    tabs: AtomicUsize,
    /// Wakes the server when the last tab has been closed.
    left: Notify,
}

impl Gui {
    /// Creates the state of a server. `engine` is that of the first search, the others get its
    /// settings.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(
        address: SocketAddr,
        engine: Engine,
        book: Book,
        practice: Practice,
        first: ReadGames,
        once: bool,
    ) -> io::Result<Gui> {
        Ok(Gui {
            token: Token::random()?,
            port: address.port(),
            book,
            practice,
            first,
            once,
            settings: engine.settings().clone(),
            idle: Mutex::new(vec![Player::new(engine)]),
            searches: Arc::new(Semaphore::new(1)),
            tabs: AtomicUsize::new(0),
            left: Notify::new(),
        })
    }

    /// Path of the page, with the token.
    pub fn path(&self) -> String {
        format!("/{}/", self.token)
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
    searches::prepare(Arc::clone(&gui));
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
        text(StatusCode::FORBIDDEN, "text/plain", why)
    } else {
        let prefix = gui.path();
        route(gui, request, prefix.len()).await
    };
    guard::add_headers(response.headers_mut());
    Ok(response)
}

/// Routes a request by its path without the first `prefix` bytes, which are the token.
async fn route(gui: Arc<Gui>, request: Request, prefix: usize) -> Response {
    // The body of an answer to HEAD is left out by the server.
    let method = match request.method() {
        &Method::HEAD => Method::GET,
        method => method.clone(),
    };
    let what = request.uri().path().get(prefix..).unwrap_or("").to_owned();
    match (&method, what.as_str()) {
        (&Method::GET, "") => text(StatusCode::OK, "text/html", PAGE),
        (&Method::GET, "style.css") => {
            let style = [web::STYLE, web::SQUARES_STYLE, STYLE].concat();
            text(StatusCode::OK, "text/css", style)
        }
        (&Method::GET, "gui.js") => script(SCRIPT),
        (&Method::GET, "practice") => {
            let head = "<link rel=\"stylesheet\" href=\"style.css\">\n\
                        <script type=\"module\" src=\"practice.js\"></script>";
            text(StatusCode::OK, "text/html", page::page(head, ""))
        }
        (&Method::GET, "practice.js") => script(page::SCRIPT),
        (&Method::GET, "start") => json(&Start::new(&gui.first)),
        (&Method::GET, "tab") => gui.tab().into_response(),
        (
            &Method::POST,
            "move" | "look" | "analyze" | "games" | "save" | "exercises" | "key" | "answer"
            | "practise" | "collect",
        ) => {
            let body = Bytes::from_request(request, &());
            match tokio::time::timeout(BODY_TIME, body).await {
                Ok(Ok(body)) => post(gui, what, body).await,
                Ok(Err(error)) => {
                    let why = match error.status() {
                        StatusCode::PAYLOAD_TOO_LARGE => {
                            format!("expected at most {MAX_BYTES} bytes")
                        }
                        _ => error.body_text(),
                    };
                    text(error.status(), "text/plain", why)
                }
                Err(_) => text(
                    StatusCode::REQUEST_TIMEOUT,
                    "text/plain",
                    "the body took too long",
                ),
            }
        }
        _ => text(StatusCode::NOT_FOUND, "text/plain", "no such page"),
    }
}

/// Answers a request with a body.
async fn post(gui: Arc<Gui>, what: String, body: Bytes) -> Response {
    let events = match what.as_str() {
        "move" => Some(searches::choose_move(gui.clone(), &body).await),
        "look" => Some(searches::look(gui.clone(), &body).await),
        "analyze" => Some(searches::analyze_game(gui.clone(), &body).await),
        "key" => Some(practice::key(gui.clone(), &body).await),
        "collect" => Some(practice::collect(gui.clone(), &body).await),
        _ => None,
    };
    let done = match events {
        Some(events) => events.map(Events::into_response),
        None => blocking(move || post_now(&gui, &what, &body)).await,
    };
    done.unwrap_or_else(|why| text(StatusCode::BAD_REQUEST, "text/plain", why))
}

/// Answers a request without a search. Waits for files.
fn post_now(gui: &Gui, what: &str, body: &[u8]) -> Result<Response, String> {
    Ok(match what {
        "exercises" => object(practice::exercises(gui)?),
        "answer" => object(practice::answer(gui, body)?),
        "practise" => object(practice::practise(gui, body)?),
        "games" => json(&games::read(body)?),
        _ => text(StatusCode::OK, "text/plain", games::save(body)?),
    })
}

/// Runs work that may wait for a file in a thread of its own: that of the server must not wait.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(error.to_string()))
}

fn text(status: StatusCode, kind: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    if let Ok(kind) = format!("{kind}; charset=utf-8").parse() {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// Returns a script of the page, with the scripts that it uses.
fn script(own: &str) -> Response {
    let all = [web::BOARD_SCRIPT, web::SQUARES_SCRIPT, SERVER_SCRIPT, own];
    text(StatusCode::OK, "text/javascript", all.concat())
}

fn object(json: String) -> Response {
    text(StatusCode::OK, "application/json", json)
}

fn json(fields: &impl Serialize) -> Response {
    match serde_json::to_string(fields) {
        Ok(json) => object(json),
        Err(error) => {
            let why = error.to_string();
            text(StatusCode::INTERNAL_SERVER_ERROR, "text/plain", why)
        }
    }
}

impl Gui {
    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Player>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
