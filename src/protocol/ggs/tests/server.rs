//! Mock game server with one client and one opponent, `boris`. [`World`] is the logic of the
//! server: it takes lines and times, and returns messages. [`Server`] connects it to a socket on
//! the loopback interface.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use emilia_core::board::{Color, Move, Position, Square};
use fastrand::Rng;

/// Login name and password of the client.
pub(crate) const USER: &str = "emilia";
pub(crate) const PASSWORD: &str = "s3cret-word";

/// Match that the opponent will request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Match type, such as `8w` or `s8r16`. The colour in it is the opponent's.
    pub(crate) kind: &'static str,
    /// Main time of each side in seconds.
    pub(crate) seconds: u32,
    /// The server breaks the connection after this number of moves, counted over all games of the
    /// match.
    pub(crate) break_at: Option<usize>,
}

/// Game of a match. `seen` is the number of its moves that the server has sent to the client.
#[derive(Clone, Debug)]
struct Game {
    id: String,
    client: Color,
    start: Position,
    position: Position,
    moves: Vec<String>,
    seen: usize,
    /// Time left on the clocks of Black and White, in seconds.
    left: [f64; 2],
    /// Time at which the clock of the side to move was started. Like every `now`, it is a reading
    /// of the clock given to [`Server::start`].
    since: Duration,
}

#[derive(Clone, Debug)]
struct Match {
    plan: Plan,
    id: String,
    games: Vec<Game>,
}

/// Logic of the server, without sockets.
#[derive(Debug)]
pub(crate) struct World {
    /// Matches that are not requested yet. The next one is last.
    pub(crate) plans: Vec<Plan>,
    /// Messages for the client. Each has a first line and may have continuation lines.
    pub(crate) messages: Vec<String>,
    /// Whether the server closes the connection after sending the messages.
    pub(crate) closing: bool,
    is_online: bool,
    /// Identifier of the opponent's open request.
    asked: Option<String>,
    running: Option<Match>,
    stored: Option<Match>,
    ids: usize,
    rng: Rng,
    /// Faults of the client: illegal moves, moves out of turn, and exceeded time.
    pub(crate) faults: Vec<String>,
}

impl World {
    pub(crate) fn new(plans: &[Plan], seed: u64) -> World {
        World {
            plans: plans.iter().rev().copied().collect(),
            messages: Vec::new(),
            closing: false,
            is_online: false,
            asked: None,
            running: None,
            stored: None,
            ids: 0,
            rng: Rng::with_seed(seed),
            faults: Vec::new(),
        }
    }

    /// Returns whether all matches are over.
    pub(crate) fn is_done(&self) -> bool {
        self.plans.is_empty()
            && self.asked.is_none()
            && self.running.is_none()
            && self.stored.is_none()
    }

    fn say(&mut self, message: impl Into<String>) {
        self.messages.push(message.into());
    }

    pub(crate) fn connect(&mut self) {
        (self.is_online, self.closing, self.asked) = (false, false, None);
        self.say("Welcome to the game server of the tests");
        self.say(": Enter login (yours, or one you'd like to use).");
    }

    /// Closes the connection. The running match is stored and its clocks are stopped.
    pub(crate) fn disconnect(&mut self, now: Duration) {
        self.messages.clear();
        if let Some(mut played) = self.running.take() {
            for game in &mut played.games {
                game.stop_clock(now);
                game.seen = game.moves.len();
            }
            self.stored = Some(played);
        }
    }

    /// Handles a line from the client.
    pub(crate) fn line(&mut self, line: &str, now: Duration) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [USER] if !self.is_online => self.say(": Enter your password."),
            [PASSWORD] if !self.is_online => {
                self.is_online = true;
                self.say("READY");
            }
            [_] if !self.is_online => self.say(": ERR wrong password"),
            ["tell", "/os", "stored"] => {
                let mut list = format!("/os: stored {} {USER}", self.stored.iter().count());
                if let Some(Match { plan, .. }) = &self.stored {
                    list += "\n|.42590   23 Feb 2001 23:17:39 boris emilia ";
                    write!(list, "{}:l", plan.kind).unwrap();
                }
                self.say(list);
            }
            ["tell", "/os", "ask", ".42590"] => self.resume(now),
            ["tell", "/os", "accept", id] if self.asked.as_deref() == Some(id) => self.begin(now),
            ["tell", "/os", "play", id, played] => self.play(id, played, now),
            ["tell", "/os", "moves", id] => {
                if let Some(Match { plan, games, .. }) = &self.running {
                    let named = games.iter().filter(|game| game.id == id);
                    self.messages.extend(named.map(|game| game.join(*plan)));
                }
            }
            ["tell", "/os", "decline" | "accept", id] => {
                self.say(format!("/os: ERR not found: {id}"));
            }
            _ => {}
        }
    }

    fn next_id(&mut self) -> String {
        self.ids += 1;
        format!(".{}", self.ids)
    }

    /// Starts the match that the client has accepted.
    fn begin(&mut self, now: Duration) {
        let plan = self.plans.pop().expect("a request has a plan");
        self.asked = None;
        let id = self.next_id();
        self.say(format!(
            "/os: + match {id} 1810 boris 1720 {USER} {} R ",
            plan.kind
        ));
        let mut start = Position::START;
        if let Some((_, discs)) = plan.kind.split_once('r') {
            start = self.random_start(discs.parse().expect("a number of discs"));
        }
        let game = |id: String, client| Game {
            id,
            client,
            start,
            position: start,
            moves: Vec::new(),
            seen: 0,
            left: [f64::from(plan.seconds); 2],
            since: now,
        };
        let games = match plan.kind {
            kind if kind.starts_with('s') => vec![
                game(format!("{id}.0"), Color::White),
                game(format!("{id}.1"), Color::Black),
            ],
            "8b" => vec![game(id.clone(), Color::White)],
            _ => vec![game(id.clone(), Color::Black)],
        };
        for game in &games {
            self.messages.push(game.join(plan));
        }
        self.running = Some(Match { plan, id, games });
    }

    /// Returns a position with `discs` discs and Black to move, in which the game is not over.
    fn random_start(&mut self, discs: u32) -> Position {
        let mut position = Position::START;
        while 64 - position.board.empty_count() < discs {
            let Some(&mv) = self.rng.choice(&position.moves()) else {
                position = Position::START;
                continue;
            };
            position = position.play(mv).expect("a legal move");
        }
        let start = position.with_mover(Color::Black);
        if start.is_over() {
            return self.random_start(discs);
        }
        start
    }

    /// Resumes the stored match.
    fn resume(&mut self, now: Duration) {
        let Some(mut played) = self.stored.take() else {
            return self.say("/os: ERR not found: .42590");
        };
        let id = played.id.clone();
        self.say(format!(
            "/os: + match {id} 1810 boris 1720 {USER} {} S ",
            played.plan.kind
        ));
        for game in &mut played.games {
            game.since = now;
            if !game.position.is_over() {
                self.messages.push(game.join(played.plan));
            }
        }
        self.running = Some(played);
    }

    fn play(&mut self, id: &str, played: &str, now: Duration) {
        let game = self.running.iter_mut().flat_map(|played| &mut played.games);
        let Some(game) = game.into_iter().find(|game| game.id == id) else {
            return self.say(format!("/os: ERR not found: {id}"));
        };
        let mv = played.split('/').next().unwrap_or_default().parse::<Move>();
        let legal = mv.ok().filter(|&mv| game.position.play(mv).is_ok());
        let is_turn = game.position.mover == game.client && game.seen == game.moves.len();
        let (Some(mv), true) = (legal, is_turn) else {
            self.faults.push(format!("{played} in {}", game.position));
            return self.say(format!("/os: error {id} illegal move"));
        };
        game.stop_clock(now);
        game.make(mv, played, now);
        game.seen = game.moves.len();
        let left = game.left[game.client as usize];
        if left < 0.0 {
            let fault = format!("{left} s left in {}", game.position);
            self.faults.push(fault);
        }
        let update = game.update();
        self.say(update);
    }

    /// Performs everything that is due at the time `now`: requests, moves of the opponent, ends of
    /// matches, and broken connections.
    pub(crate) fn tick(&mut self, now: Duration) {
        if !self.is_online {
            return;
        }
        let Some(mut played) = self.running.take() else {
            return self.ask();
        };
        for game in &mut played.games {
            let moves = game.position.moves();
            if game.position.mover != game.client
                && let Some(&mv) = self.rng.choice(&moves)
            {
                let text = mv.to_string().to_uppercase();
                game.make(mv, &format!("{text}/1.50/2.10"), now);
            }
        }
        // In a synchro match, the opponent's moves are shown when both games have one.
        let counts: Vec<usize> = played.games.iter().map(Game::plies).collect();
        let both = counts.iter().min().copied().unwrap_or_default();
        for game in &mut played.games {
            if game.seen < game.moves.len() && game.seen < both {
                game.seen = game.moves.len();
                game.since = now;
                self.messages.push(game.update());
            }
        }
        let total: usize = played.games.iter().map(|game| game.moves.len()).sum();
        if played.plan.break_at.take_if(|at| total >= *at).is_some() {
            self.closing = true;
        }
        self.running = Some(played);
        self.end();
    }

    /// Requests the next match.
    fn ask(&mut self) {
        if self.asked.is_some() || self.stored.is_some() {
            return;
        }
        let Some(plan) = self.plans.last().copied() else {
            return;
        };
        let id = self.next_id();
        let clock = format!("{}//02:00", time(f64::from(plan.seconds)));
        self.say(format!(
            "/os: +   {id} 1810.5 boris    {clock}       {} R 1720.0 {USER}",
            plan.kind
        ));
        self.asked = Some(id);
    }

    /// Ends the match if all its games are over.
    fn end(&mut self) {
        let is_over = |played: &&mut Match| played.games.iter().all(|game| game.position.is_over());
        let Some(Match { plan, id, games }) = self.running.as_mut().filter(is_over).cloned() else {
            return;
        };
        self.running = None;
        let mut sum = 0;
        for game in &games {
            let score = game.position.final_score_for(!game.client);
            sum += score;
            if games.len() > 1 {
                let players = format!("( boris vs. {USER} )");
                self.say(format!("/os: end {} {players} {score:+}.00", game.id));
            }
        }
        let mean = f64::from(sum) / games.len() as f64;
        let result = format!("1810 boris 1720 {USER} {} R {mean:+.2} .42590", plan.kind);
        self.say(format!("/os: - match {id} {result}"));
    }
}

impl Game {
    /// Returns the number of moves made. If the game is over, returns the maximum, so that it does
    /// not delay the other game.
    fn plies(&self) -> usize {
        if self.position.is_over() {
            usize::MAX
        } else {
            self.moves.len()
        }
    }

    fn stop_clock(&mut self, now: Duration) {
        self.left[self.position.mover as usize] -= now.saturating_sub(self.since).as_secs_f64();
        self.since = now;
    }

    fn make(&mut self, mv: Move, text: &str, now: Duration) {
        self.position = self.position.play(mv).expect("a legal move");
        self.moves.push(text.to_owned());
        self.since = now;
    }

    fn board(&self, position: &Position, counters: &str) -> String {
        board(position, self.client, self.left, counters)
    }

    fn update(&self) -> String {
        let (id, count) = (&self.id, self.moves.len());
        let last = self.moves.last().expect("a move");
        format!(
            "/os: update {id} 8w K?\n|  {count}: {last}{}",
            self.board(&self.position, ",0:0")
        )
    }

    fn join(&self, plan: Plan) -> String {
        let count = self.moves.len();
        let mut text = format!("/os: join {} {} K?\n|{count} move(s)", self.id, plan.kind);
        let Some((last, others)) = self.moves.split_last() else {
            return text + "\n|  0: PASS" + &self.board(&self.position, ",0:0");
        };
        text += &self.board(&self.start, "");
        for (number, played) in (1..).zip(others) {
            write!(text, "\n|  {number}: {played}").unwrap();
        }
        text + &format!("\n|  {count}: {last}") + &self.board(&self.position, ",0:0")
    }
}

/// Formats the clocks, an empty line, and a board. `left` is the time left for Black and for White,
/// in seconds.
pub(crate) fn board(position: &Position, client: Color, left: [f64; 2], counters: &str) -> String {
    let mut text = String::new();
    for (color, mark) in [(Color::Black, '*'), (Color::White, 'O')] {
        let (name, rating) = [("boris", 1810.5), (USER, 1720.0)][usize::from(color == client)];
        let left = time(left[color as usize]);
        write!(
            text,
            "\n|{name:<8} ({rating:6.1} {mark}) {left}{counters}//02:00{counters}"
        )
        .unwrap();
    }
    text += "\n|\n|   A B C D E F G H";
    for row in 0..8 {
        write!(text, "\n| {}", row + 1).unwrap();
        for square in Square::all().skip(row * 8).take(8) {
            text += position.disc_on(square).map_or(" -", |color| mark(color));
        }
        write!(text, " {} ", row + 1).unwrap();
    }
    text + "\n|   A B C D E F G H\n|\n|" + mark(position.mover).trim() + " to move"
}

fn mark(color: Color) -> &'static str {
    if color == Color::Black { " *" } else { " O" }
}

/// Formats seconds as the server does.
fn time(seconds: f64) -> String {
    let all = seconds.abs() as u64;
    let (hours, minutes) = (all / 3600, all / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", all % 60)
}

/// Ways to split messages into packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packets {
    /// One packet with all messages that are due.
    Whole,
    /// One packet with all messages, which do not end with READY.
    WithoutReady,
    /// One packet per byte.
    Bytes,
}

/// Server on the loopback interface. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) port: u16,
    world: Arc<Mutex<World>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(world: World, clock: fn() -> Duration, packets: Packets) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        listener.set_nonblocking(true).expect("a socket");
        let port = listener.local_addr().expect("an address").port();
        let world = Arc::new(Mutex::new(world));
        let stop = Arc::new(AtomicBool::new(false));
        let (of_thread, own_stop) = (Arc::clone(&world), Arc::clone(&stop));
        let thread = thread::spawn(move || {
            while !own_stop.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => serve(stream, &of_thread, &own_stop, clock, packets),
                    Err(_) => thread::sleep(Duration::from_millis(2)),
                }
            }
        });
        Server {
            port,
            world,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("the server runs")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(
            thread::panicking() || matches!(ended, Some(Ok(()))),
            "the server panicked"
        );
    }
}

/// Serves one connection until either side closes it.
fn serve(
    mut stream: TcpStream,
    world: &Mutex<World>,
    stop: &AtomicBool,
    clock: fn() -> Duration,
    packets: Packets,
) {
    stream.set_nonblocking(false).expect("a socket");
    stream.set_nodelay(true).expect("a socket");
    let pause = Some(Duration::from_millis(2));
    stream.set_read_timeout(pause).expect("a socket");
    world.lock().expect("no panic").connect();
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    while !stop.load(Ordering::Relaxed) {
        let read = stream.read(&mut buffer);
        let mut world = world.lock().expect("no panic");
        match read {
            Ok(0) => return world.disconnect(clock()),
            Ok(count) => received.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return world.disconnect(clock()),
        }
        while let Some(end) = received.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = received.drain(..=end).collect();
            world.line(String::from_utf8_lossy(&line).trim_end(), clock());
        }
        world.tick(clock());
        let mut text = String::new();
        for message in world.messages.drain(..) {
            write!(text, "\r\n{}\r\n", message.replace('\n', "\r\n")).unwrap();
            if packets != Packets::WithoutReady && message.starts_with("/os:") {
                text += "READY\r\n";
            }
        }
        let size = match packets {
            Packets::Bytes => 1,
            _ => text.len().max(1),
        };
        let mut parts = text.as_bytes().chunks(size);
        let sent = parts.try_for_each(|part| stream.write_all(part));
        if sent.is_err() || world.closing {
            let _ = stream.shutdown(Shutdown::Both);
            return world.disconnect(clock());
        }
    }
}
