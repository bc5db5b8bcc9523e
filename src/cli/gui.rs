//! `emilia gui`: opens a board in the browser.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::time::SystemTime;

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use super::analyze::search_limits;
use super::inputs::POSITION;
use super::options::{BookOption, EngineOptions, whole};
use super::{CommandResult, Verdict, data_file, refused};
use emilia_book::Book;
use emilia_core::search::{Engine, Limits};
use emilia_games::input;
use emilia_player::people::small_engine;
use emilia_review::practice::SearchLimits;
use emilia_web::{App, Gui, MAX_SEARCHES, Practice, ReadGames, UserFiles, serve};

/// Total size of the transposition tables of all searches, in MiB.
const DEFAULT_HASH_MIB: usize = 256;

/// Arguments of `emilia gui`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The board is served to this machine only, at an address with a random token. It needs no network. \
Ctrl-C ends the program. Other users of this machine can read the address among the arguments of \
the browser's process: on a shared machine use --no-browser, and open the address by hand.

Examples:
  emilia gui
  emilia gui game.sgf
  emilia gui --listen 0.0.0.0 --port 8000")]
pub(super) struct Args {
    #[arg(value_name = "FILE|POS", help = POSITION)]
    position: Vec<String>,

    #[command(flatten)]
    server: ServerOptions,

    #[command(flatten)]
    book: BookOption,

    #[command(flatten)]
    engine: EngineOptions,
}

/// Name of the file of exercises in the user's data folder.
pub(super) const STATE: &str = "practice.db";

/// Options of the server.
#[derive(Debug, clap::Args)]
pub(super) struct ServerOptions {
    /// Port of the server. 0 is a free one
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u16::MAX))]
    port: u16,

    /// Print the address, and open no browser
    #[arg(long)]
    no_browser: bool,

    /// Listen on this address instead of loopback, so that other machines can use the board, and
    /// print it as a QR code
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// End when the last tab is closed
    #[arg(long)]
    once: bool,

    /// File of exercises and answers, as of 'emilia practice'. The games of the page are in
    /// games.db beside it [default: in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
}

/// Serves the board until Ctrl-C.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let search = search_limits(Limits::default(), &args.engine.settings());
    let book = args.book.book();
    (args.server).serve(&args.engine, search, book, &args.position, "", out)
}

impl ServerOptions {
    /// Opens the board in the browser, and serves it until Ctrl-C, or with `--once` until the last
    /// tab is closed.
    /// `position` names the games to load. `search` limits the searches of exercises. `page` is
    /// appended to the address that is opened.
    pub(super) fn serve(
        &self,
        engine: &EngineOptions,
        search: SearchLimits,
        book: Book,
        position: &[String],
        page: &str,
        out: &mut dyn Write,
    ) -> CommandResult {
        let first = ReadGames::new(input::games(position)?)?;
        let address = SocketAddr::new(self.listen, self.port);
        let wrong = |error| refused(format!("cannot serve {address}: {error}"));
        let listener = TcpListener::bind(address).map_err(wrong)?;
        let local = listener.local_addr().map_err(wrong)?;
        let mut settings = engine.settings_with_hash(DEFAULT_HASH_MIB);
        settings.threads = engine.threads_or_cores();
        settings.hash_mib = (settings.hash_mib / MAX_SEARCHES).max(1);
        let practice = Practice {
            files: UserFiles::new(data_file(self.state.as_ref(), STATE, "--state").ok()),
            search,
            now: SystemTime::now,
        };
        let engine = Engine::try_new(settings)?;
        let app = App {
            book,
            practice,
            people: small_engine,
        };
        let gui = Gui::new(local, engine, app, &first, self.once).map_err(wrong)?;
        let url = format!("http://{}{}{page}", reachable(local), gui.path);
        writeln!(out, "{url}")?;
        out.flush()?;
        if !self.listen.is_loopback() {
            write!(std::io::stderr(), "{}", qr_code(&url))?;
            note!("emilia: other machines can use this board; what passes is not encrypted");
            note!("emilia: Ctrl-C ends it");
        }
        let is_terminal = std::io::stderr().is_terminal();
        if !self.no_browser && open::that_detached(&url).is_err() && is_terminal {
            note!("emilia: open this address in a browser");
        }
        serve(listener, gui).map_err(wrong)?;
        Ok(Verdict::Yes)
    }
}

/// Returns `url` as a QR code for the camera of a phone. On a terminal the code is black on white.
fn qr_code(url: &str) -> String {
    // Every address fits into a QR code, so this branch is never taken.
    let Ok(code) = QrCode::new(url) else {
        return String::new();
    };
    let picture = code.render::<Dense1x2>().build();
    let (white, end) = if std::io::stderr().is_terminal() {
        ("\x1b[30;107m", "\x1b[0m")
    } else {
        ("", "")
    };
    let lines = picture.lines().map(|line| format!("{white}{line}{end}\n"));
    lines.collect()
}

/// Returns the address at which other machines reach a server that listens on `local`: `local`
/// itself, or an address of this machine if `local` stands for all its addresses.
fn reachable(local: SocketAddr) -> SocketAddr {
    if !local.ip().is_unspecified() {
        return local;
    }
    // Connecting a UDP socket sends nothing. It only chooses the local address to send from.
    let outside = match local {
        SocketAddr::V4(_) => "192.0.2.1:9",
        SocketAddr::V6(_) => "[2001:db8::1]:9",
    };
    let own = UdpSocket::bind((local.ip(), 0)).and_then(|socket| {
        socket.connect(outside)?;
        socket.local_addr()
    });
    own.map_or(local, |own| SocketAddr::new(own.ip(), local.port()))
}
