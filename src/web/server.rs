//! HTTP server of `emilia gui`.
//!
//! Reading order: [`Gui`] is the state of the server. `accept` accepts connections and limits their
//! number. [`route`] dispatches a request by method and path. `run_search` runs a search in a
//! thread, and an [`EventStream`] sends its events to the client.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum_core::body::Body;
use axum_core::extract::{DefaultBodyLimit, FromRequest, Request};
use axum_core::response::{IntoResponse, Response};
use futures_core::Stream;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Notify, Semaphore, oneshot};

use super::{App, Events, ReadGames, Refusal, Reply, Search, guard, refusal, words};
use emilia_core::board::Sentence;
use emilia_core::search::{Engine, Settings};
use emilia_core::work::{StopFlag, spawn_thread};
use emilia_player::Player;
use emilia_review::report::web::{self, Module};
use emilia_textbook::lesson::EXAMPLES;

/// Maximum number of concurrent searches.
pub const MAX_SEARCHES: usize = 4;

/// Maximum time that a new search waits for another search to end, if [`MAX_SEARCHES`] are running.
/// An aborted search ends within milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Maximum size of a request body in bytes. The largest bodies are game files.
const MAX_BYTES: usize = 16 << 20;

/// Maximum time in which a client must send the headers of a request. The time starts when the
/// connection is opened or the previous request is complete.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// Maximum number of open connections that have not sent the token.
const MAX_STRANGERS: usize = 128;

/// Pause after `accept` failed, for example because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Maximum time in which a client must send the body of a request.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Time from the closing of the last tab to the end of the program, with `--once`. Reloading a page
/// closes and reopens its tab in less time.
const RELOAD_TIME: Duration = Duration::from_secs(2);

/// HTML fragments that several pages contain: the head, the links between pages, and the board.
const HEAD: &str = include_str!("web/head.html");
const NAV: &str = include_str!("web/nav.html");
const BOARD: &str = include_str!("web/board.html");

/// Pages as (file name, HTML, address of the link marked as current). The board page has the empty
/// name.
const PAGES: [(&str, &str, &str); 5] = [
    ("", include_str!("web/page.html"), "./"),
    (
        "practice.html",
        include_str!("web/practice.html"),
        "practice.html",
    ),
    (
        "openings.html",
        include_str!("web/openings.html"),
        "practice.html",
    ),
    (
        "lessons.html",
        include_str!("web/lessons.html"),
        "lessons.html",
    ),
    ("learn.html", include_str!("web/learn.html"), "lessons.html"),
];

/// Second part of `style.css`. The first part is [`web::STYLE`].
const STYLE: &str = include_str!("web/style.css");

/// Exercises on the Learn page.
const EXERCISES: &str = include_str!("web/exercises.txt");

/// Positions and texts on the Lessons page.
pub(super) const LESSONS: &str = include_str!("web/lessons.txt");

/// Text files that scripts of the pages load: names of openings, example trees, exercises, and
/// lessons.
const TABLES: [(&str, &str); 4] = [
    ("openings.tsv", emilia_games::OPENINGS),
    ("examples.txt", EXAMPLES),
    ("exercises.txt", EXERCISES),
    ("lessons.txt", LESSONS),
];

/// Font files as (name, contents). The font is Inter, reduced to European Latin, under
/// the SIL Open Font License (`web/inter-LICENSE.txt`). In order: the semi-bold weight, the digits
/// of equal width in semi-bold, and the regular weight.
const FONTS: [(&str, &[u8]); 3] = [
    ("inter-600.woff2", include_bytes!("web/inter-600.woff2")),
    (
        "inter-600-figures.woff2",
        include_bytes!("web/inter-600-figures.woff2"),
    ),
    ("inter-400.woff2", include_bytes!("web/inter-400.woff2")),
];

/// Expands to an array of (file name, source) for the modules with the given names.
macro_rules! modules {
    ($($name:literal)*) => {
        [$((concat!($name, ".js"), include_str!(concat!("web/", $name, ".js")))),*]
    };
}

/// ES modules of the pages, without those that [`web::BOARD`] and [`web::LIST`] have. `main.js` is
/// the entry point of the board page, and `learn.js` is the entry point of the Learn page.
const MODULES: [Module; 40] = modules! {
    "chips" "clocks" "drill" "engine" "explorer" "first" "gamelist" "games" "help" "learn-code" "learn-exercises"
    "learn-sentences" "learn-state" "learn-tree" "learn" "lessons" "lines" "main" "mine" "moves" "newdialog" "newgame"
    "openings" "players" "position" "practice" "repertoire" "result" "review" "sentences" "server" "setup" "sgf" "share" "sound" "state" "stepper"
    "transport" "tree" "values"
};

/// State of the server.
#[derive(Debug)]
pub struct Gui {
    /// Path of the board page: the secret token between two slashes.
    pub path: String,
    port: u16,
    app: Arc<App>,
    /// Answer to the request `start`, formatted once.
    start_answer: String,
    /// Whether the program ends after the last tab is closed.
    once: bool,
    /// Settings for new engines.
    settings: Settings,
    /// Players that are not running a search.
    idle: Mutex<Vec<Player>>,
    /// Semaphore with one permit per search, [`MAX_SEARCHES`] in all.
    permits: Arc<Semaphore>,
    /// Notified when a tab is closed. Each open tab has a clone, so the strong count minus one is
    /// the number of open tabs.
    tab_closed: Arc<Notify>,
}

impl Gui {
    /// Creates the state of a server at `address`. `engine` runs the first search. Concurrent
    /// searches get new engines with the same settings. The page first shows the games `first`.
    ///
    /// # Errors
    /// If the system cannot provide random numbers for the token.
    pub fn new(
        address: SocketAddr,
        engine: Engine,
        app: App,
        first: &ReadGames,
        once: bool,
    ) -> io::Result<Gui> {
        Ok(Gui {
            path: guard::secret_path()?,
            port: address.port(),
            app: Arc::new(app),
            start_answer: crate::start_answer(first),
            once,
            settings: engine.settings().clone(),
            idle: Mutex::new(vec![Player::new(engine)]),
            permits: Arc::new(Semaphore::new(MAX_SEARCHES)),
            tab_closed: Arc::default(),
        })
    }

    /// Returns an idle player, or creates one.
    fn player(&self) -> Result<Player, Refusal> {
        match self.idle.lock().pop() {
            Some(player) => Ok(player),
            None => Ok(Player::new(Engine::try_new(self.settings.clone())?)),
        }
    }

    /// With `--once`, returns after the last tab is closed. Otherwise never returns.
    async fn ended(self: Arc<Gui>) {
        loop {
            self.tab_closed.notified().await;
            tokio::time::sleep(RELOAD_TIME).await;
            if self.once && Arc::strong_count(&self.tab_closed) == 1 {
                return;
            }
        }
    }

    /// Returns an event stream that never has an event. A tab keeps the stream open, so the end of
    /// the stream shows that the tab was closed.
    fn tab(&self) -> EventStream {
        let closed = Arc::clone(&self.tab_closed);
        EventStream::endless(move || closed.notify_one())
    }
}

/// Serves requests. Returns only with `--once`, after the last tab is closed.
///
/// # Errors
/// If the runtime cannot be started or the listener fails.
pub fn serve(listener: TcpListener, gui: Gui) -> io::Result<()> {
    let gui = Arc::new(gui);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::spawn(accept(listener, Arc::clone(&gui)));
        gui.ended().await;
        Ok(())
    })
}

/// Accepts connections forever. If more than [`MAX_STRANGERS`] connections have not sent the token,
/// the oldest of them is closed.
async fn accept(listener: tokio::net::TcpListener, gui: Arc<Gui>) {
    let mut strangers = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let has_token = Arc::new(AtomicBool::new(false));
        let own = (Arc::clone(&gui), Arc::clone(&has_token));
        let answers = service_fn(move |request: Request<Incoming>| {
            answer(own.clone(), request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .serve_connection(TokioIo::new(stream), answers);
        let task = tokio::spawn(connection);
        strangers.push_back((has_token, task));
        strangers
            .retain(|(has_token, task)| !has_token.load(Ordering::Relaxed) && !task.is_finished());
        if strangers.len() > MAX_STRANGERS
            && let Some((_, oldest)) = strangers.pop_front()
        {
            oldest.abort();
        }
    }
}

/// Answers a request and adds the headers of every response. If the request has the token,
/// `has_token` is set, so that [`accept`] keeps the connection.
async fn answer(
    (gui, has_token): (Arc<Gui>, Arc<AtomicBool>),
    request: Request,
) -> Result<Response, Infallible> {
    let mut response = if let Some(why) = guard::refusal(gui.port, &request) {
        sentence(StatusCode::FORBIDDEN, why)
    } else if request.uri().path().starts_with(&gui.path) {
        has_token.store(true, Ordering::Relaxed);
        route(gui, request).await
    } else {
        old_page(&request)
    };
    guard::add_headers(response.headers_mut());
    Ok(response)
}

/// Answers a request with the right token. The path after the token is the name of the request.
async fn route(gui: Arc<Gui>, mut request: Request) -> Response {
    DefaultBodyLimit::max(MAX_BYTES).apply(&mut request);
    let path = request.uri().path();
    let what = path.get(gui.path.len()..).unwrap_or("").to_owned();
    match (request.method(), what.as_str()) {
        // hyper omits the body of a response to HEAD.
        (&Method::GET | &Method::HEAD, what) => get(&gui, what),
        (&Method::POST, _) => {
            let body = Bytes::from_request(request, &());
            match tokio::time::timeout(BODY_TIME, body).await {
                Ok(Ok(body)) => (post(gui, what, body).await).unwrap_or_else(|why| {
                    (StatusCode::BAD_REQUEST, object(refusal(why))).into_response()
                }),
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
        _ => no_page(),
    }
}

/// Answers a request with a wrong token: files of the page only. They contain no secret. A tab that
/// was opened before the program was restarted has the old token, and can still be reloaded.
fn old_page(request: &Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let what = guard::after_token(path).filter(|_| [Method::GET, Method::HEAD].contains(method));
    let found = what.and_then(file_response);
    found.unwrap_or_else(|| sentence(StatusCode::FORBIDDEN, guard::WRONG_TOKEN))
}

/// Answers a GET or HEAD request, which has no body.
fn get(gui: &Gui, what: &str) -> Response {
    match what {
        "start" => object(gui.start_answer.clone()),
        "tab" => gui.tab().into_response(),
        _ => file_response(what).unwrap_or_else(no_page),
    }
}

/// Returns the response with a file of the page. `None` if there is no such file.
fn file_response(name: &str) -> Option<Response> {
    let (kind, bytes) = file(name)?;
    Some(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// Returns the names of all files of the pages. The board page has the empty name.
pub fn names() -> impl Iterator<Item = &'static str> {
    let pages = PAGES.map(|(name, ..)| name).into_iter();
    let tables = TABLES.map(|(name, _)| name);
    let fonts = FONTS.map(|(name, _)| name);
    let modules = modules().map(|(name, _)| *name);
    let others = ["style.css"].into_iter().chain(tables).chain(fonts);
    let all = pages.chain(others).chain(modules);
    all.chain(words::DICTIONARIES)
}

/// Returns the media type and the contents of a file of the pages.
pub fn file(name: &str) -> Option<(&'static str, Vec<u8>)> {
    if let Some((_, html, current)) = PAGES.iter().find(|(own, ..)| *own == name) {
        return Some(("text/html; charset=utf-8", with_parts(html, current)));
    }
    if let Some((_, table)) = TABLES.iter().find(|(own, _)| *own == name) {
        return Some(("text/plain; charset=utf-8", (*table).into()));
    }
    if let Some((_, bytes)) = FONTS.iter().find(|(own, _)| *own == name) {
        return Some(("font/woff2", bytes.to_vec()));
    }
    if name == "style.css" {
        let sheet = packed([web::STYLE, STYLE]);
        return Some(("text/css; charset=utf-8", sheet.into()));
    }
    let module = modules().find(|(own, _)| *own == name);
    let text = module.map(|(_, text)| web::lines(text).collect::<Vec<_>>().join("\n"));
    let source = text.or_else(|| words::dictionary(name))?;
    Some(("text/javascript; charset=utf-8", source.into()))
}

/// Joins style sheets and removes comments and line ends.
fn packed(sheets: [&str; 2]) -> String {
    let sheet = sheets.concat();
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| Some(part.split_once("*/")?.1));
    let uncommented = [first].into_iter().chain(rest);
    uncommented.flat_map(str::lines).collect()
}

/// Inserts the head, the links and the board into the HTML of a page, so that a browser draws the
/// board before scripts run. The link to `current` is marked: it leads to this page, or to the
/// first page of its group.
fn with_parts(page: &str, current: &str) -> Vec<u8> {
    let link = format!("href=\"{current}\">");
    let marked = format!("href=\"{current}\" aria-current=\"page\">");
    let (title, links) = NAV.trim_end().split_once('\n').unwrap_or_default();
    let nav = format!("{title}\n{}", links.replace(&link, &marked));
    let board = BOARD
        .trim_end()
        .replace("{{ picture }}", web::BOARD_PICTURE);
    page.replace("{{ head }}", HEAD.trim_end())
        .replace("{{ nav }}", &nav)
        .replace("{{ board }}", &board)
        .into()
}

/// Returns all ES modules of the pages.
fn modules() -> impl Iterator<Item = &'static Module> {
    let shared = web::BOARD.iter().chain([&web::LIST]);
    shared.chain(&MODULES)
}

/// Answers a POST request, which has a body.
async fn post(gui: Arc<Gui>, what: String, body: Bytes) -> Result<Response, Refusal> {
    let app = Arc::clone(&gui.app);
    let is_file = ["save", "export"].contains(&what.as_str());
    Ok(match blocking(move || app.reply(&what, &body)).await? {
        Some(Reply::Search(search)) => run_search(gui, search).await?.into_response(),
        Some(Reply::Text(answer)) if is_file => text("text/plain", answer),
        Some(Reply::Text(answer)) => object(answer),
        None => no_page(),
    })
}

/// Runs `work` in a separate thread, because it may wait for a file and the server has only one
/// thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (sender, result) = oneshot::channel();
    spawn_thread("file", move || drop(sender.send(work())))?;
    result.await?
}

fn text(kind: &str, body: impl Into<Body>) -> Response {
    let kind = [(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))];
    (kind, body.into()).into_response()
}

fn sentence(status: StatusCode, why: impl Into<Body>) -> Response {
    (status, text("text/plain", why)).into_response()
}

/// Response to a request for an unknown path.
fn no_page() -> Response {
    sentence(StatusCode::NOT_FOUND, "no such page")
}

fn object(json: String) -> Response {
    text("application/json", json)
}

/// Runs `search` in a thread with an idle player. Dropping the returned stream stops the search:
/// this happens when the client disconnects.
///
/// # Errors
/// If too many searches are running, memory is short, or no thread can be started.
async fn run_search(gui: Arc<Gui>, search: Search) -> Result<EventStream, Refusal> {
    let free = Arc::clone(&gui.permits).acquire_owned();
    let Ok(permit) = tokio::time::timeout(MAX_WAIT, free).await else {
        let busy = "as many searches as possible are running: stop one in another tab";
        return Err(Sentence::new("busy", busy).into());
    };
    let stop = StopFlag::default();
    let at_end = stop.clone();
    let (sender, events) = EventStream::channel(move || at_end.set());
    let owner = Arc::clone(&gui);
    let mut player = blocking(move || owner.player()).await?;
    spawn_thread("gui", move || {
        player.stop_pondering().set_interrupt(stop);
        search(&mut player, &sender);
        gui.idle.lock().push(player);
        drop(permit);
    })?;
    Ok(events)
}

/// Capacity of an event queue, in events. Progress events are dropped when the queue is full.
const QUEUE: usize = 64;

/// Receiving end of a queue of events, sent to the client as server-sent events. Calls `at_end`
/// when the stream is dropped: after the last event, or when the client disconnects.
struct EventStream {
    receiver: Receiver<String>,
    at_end: Option<Box<dyn FnOnce() + Send>>,
}

/// Sending end of the queue of an [`EventStream`].
struct EventSender(Sender<String>);

impl EventStream {
    /// Creates a queue of events. `at_end` is called when the stream is dropped.
    fn channel(at_end: impl FnOnce() + Send + 'static) -> (EventSender, EventStream) {
        let (sender, receiver) = channel(QUEUE);
        let events = EventStream {
            receiver,
            at_end: Some(Box::new(at_end)),
        };
        (EventSender(sender), events)
    }

    /// Creates a stream without events, which stays open until the client disconnects.
    fn endless(at_end: impl FnOnce() + Send + 'static) -> EventStream {
        let (sender, mut events) = EventStream::channel(|| ());
        events.at_end = Some(Box::new(move || {
            drop(sender);
            at_end();
        }));
        events
    }
}

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "text/event-stream")];
        (kind, Body::from_stream(self)).into_response()
    }
}

impl Events for EventSender {
    fn progress(&self, object: String) {
        let _ = self.0.try_send(lines(&object));
    }

    fn result(&self, object: String) {
        let _ = self.0.blocking_send(lines(&object));
    }
}

/// Formats a server-sent event: one `data` line and an empty line.
fn lines(object: &str) -> String {
    format!("data: {object}\n\n")
}

impl Stream for EventStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        let event = self.receiver.poll_recv(context);
        event.map(|event| event.map(|event| Ok(Bytes::from(event))))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
    }
}
