//! Runs a session: socket, searches, output and Ctrl-C. A link is a connection to the server. A
//! search is due while the server waits for its move.

use std::convert::Infallible;
use std::io::{self, BufReader, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use std::{mem, thread};

use super::session::{Action, Due, End, GAMES, GgsOptions, GgsSession};
use crate::reader::{InputLine, POLL, READS, read_all};
use crate::{say, shown};
use emilia_core::search::SearchHandle;
use emilia_core::work::{StopFlag, spawn_thread};
use emilia_games::Game;
use emilia_player::{Player, Setup};

/// Maximum wait for a connection, and for the server to accept a line.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Interval of [`GgsSession::tick`] while no search is running.
const IDLE: Duration = Duration::from_millis(50);

/// Function that stores games: ended or interrupted games, and the running games with their moves
/// so far.
pub type Keep<'a> = dyn FnMut(Vec<Game>, &[&Game]) -> io::Result<()> + 'a;

/// Server, password, signals and output of a session.
#[expect(missing_debug_implementations, reason = "it has a password")]
pub struct Environment<'a> {
    /// Name or address of the server, and its TCP port.
    pub address: (&'a str, u16),
    /// Password, not empty. The output and the log never show it.
    pub password: &'a str,
    /// Flags that Ctrl-C sets: one to leave after the running match, and one to leave at once.
    pub interrupts: [StopFlag; 2],
    /// Stores games.
    pub keep: &'a mut Keep<'a>,
    /// Receives a line for each event.
    pub out: &'a mut dyn Write,
}

/// Connection to the server. A separate thread reads it. Drop closes the connection, which ends the
/// thread.
struct Link {
    stream: TcpStream,
    lines: Receiver<Vec<InputLine>>,
}

impl Link {
    fn open(address: (&str, u16)) -> io::Result<Link> {
        let addresses = address.to_socket_addrs()?;
        let mut tries = addresses.map(|address| TcpStream::connect_timeout(&address, TIMEOUT));
        let first = tries.next().unwrap_or(Err(io::ErrorKind::NotFound.into()));
        let stream = first.or_else(|error| tries.find_map(Result::ok).ok_or(error))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        let (sender, lines) = sync_channel(READS);
        let input = BufReader::new(stream.try_clone()?);
        spawn_thread("game server", move || read_all(input, &sender))?;
        Ok(Link { stream, lines })
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // Fails if the server has closed the link.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

struct Driver<'a> {
    env: Environment<'a>,
    setup: Setup,
    session: GgsSession,
    players: Vec<Player>,
    searches: [Option<(Due, SearchHandle)>; GAMES],
}

/// Plays on a server until Ctrl-C. Games share the hash memory and the threads of `setup`.
///
/// # Errors
/// If the first login fails, a game cannot be stored, or memory or threads are missing.
pub fn play(options: GgsOptions, mut setup: Setup, env: Environment) -> io::Result<()> {
    setup.settings.hash_mib = (setup.settings.hash_mib / GAMES).max(1);
    let players = (0..GAMES).map(|_| setup.player());
    let mut driver = Driver {
        players: players.collect::<Result<_, _>>()?,
        session: GgsSession::new(options),
        searches: [const { None }; GAMES],
        env,
        setup,
    };
    match driver.run() {
        Err(End::Failed(error)) => Err(error),
        _ => Ok(()),
    }
}

impl Driver<'_> {
    fn now(&self) -> Duration {
        (self.setup.settings.clock)()
    }

    /// Returns `text` with the password hidden, because the server may send the password back.
    fn hidden(&self, text: &str) -> String {
        shown(&text.replace(self.env.password, "(password)"))
    }

    /// Opens a link, and another link whenever one breaks, until the session ends.
    fn run(&mut self) -> Result<Infallible, End> {
        loop {
            let why = match self.link() {
                Err(End::Broken(why)) => self.hidden(&why),
                end => return end,
            };
            self.session.disconnected(&why, self.now());
            self.searches = [const { None }; GAMES];
            self.act(None)?;
            while self.now() < self.session.retry_at {
                if self.env.interrupts[0].is_set() {
                    return Err(End::Left);
                }
                thread::sleep(POLL);
            }
        }
    }

    /// Opens a link and plays until the link ends.
    fn link(&mut self) -> Result<Infallible, End> {
        let (host, port) = self.env.address;
        let broken = |error| End::Broken(format!("cannot connect to {host}:{port}: {error}"));
        let mut link = Link::open((host, port)).map_err(broken)?;
        self.session.connected_at = self.now();
        loop {
            let is_searching = self.searches.iter().any(Option::is_some);
            let wait = if is_searching { POLL } else { IDLE };
            for line in match link.lines.recv_timeout(wait) {
                Ok(lines) => lines,
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                Err(_) => return Err(End::Broken("the server has closed it".to_owned())),
            } {
                log::debug!("< {}", self.hidden(line.text.trim_end()));
                if line.cut {
                    return Err(End::Broken("a line without end".to_owned()));
                }
                self.session.line(&line.text, self.now());
            }
            let [finish, leave] = &self.env.interrupts;
            if leave.is_set() {
                self.session.leave();
            } else if finish.is_set() {
                self.session.finish();
            }
            self.end_searches();
            self.session.tick(self.now());
            self.act(Some(&mut link.stream))?;
            self.start_searches().map_err(End::Failed)?;
        }
    }

    /// Performs the actions of the session. Without a link, or after its end, no lines are sent.
    fn act(&mut self, mut stream: Option<&mut TcpStream>) -> Result<(), End> {
        let mut result = Ok(());
        for action in mem::take(&mut self.session.actions) {
            let mut text = None;
            match action {
                Action::Send(line) => text = Some(line),
                Action::SendPassword => text = Some(self.env.password.to_owned()),
                Action::Keep(games) => {
                    (self.env.keep)(games, &self.session.records()).map_err(End::Failed)?;
                }
                Action::Say(sentence) => {
                    let sentence = self.hidden(&sentence);
                    say(self.env.out, &sentence).map_err(End::Failed)?;
                }
                Action::End(end) => (stream, result) = (None, Err(end)),
            }
            if let (Some(open), Some(line)) = (&mut stream, text) {
                log::debug!("> {}", self.hidden(&line));
                if let Err(error) = open.write_all((line + "\n").as_bytes()) {
                    (stream, result) = (None, Err(End::Broken(error.to_string())));
                }
            }
        }
        result
    }

    /// Passes the results of searches that have ended to the session.
    fn end_searches(&mut self) {
        for slot in 0..GAMES {
            let ended = self.searches[slot].take_if(|(_, search)| search.is_finished());
            if let Some((due, search)) = ended {
                let line = self.players[slot].pick(&due.position, search.wait());
                self.session.searched(slot, &due, &line, self.now());
            }
        }
    }

    /// Starts the searches that are due, and stops the running searches that are not due any more.
    fn start_searches(&mut self) -> io::Result<()> {
        let games = self.session.running().max(1);
        let share = NonZero::new(self.setup.settings.threads.get() / games);
        let threads = share.unwrap_or(NonZero::<usize>::MIN);
        for slot in 0..GAMES {
            let (due, search) = (self.session.due(slot), &mut self.searches[slot]);
            search.take_if(|(known, _)| due != Some(known));
            if let (Some(due), None) = (due, &search) {
                let player = &mut self.players[slot];
                player.configure(self.setup.settings.clone().with_threads(threads))?;
                let limits = self.setup.limits.clone().with_clock(Some(due.clock));
                let handle = player.start(&due.position, &limits)?;
                *search = Some((due.clone(), handle));
            }
        }
        Ok(())
    }
}
