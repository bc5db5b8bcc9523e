//! `emilia ggs`: plays on the Generic Game Server by itself.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::options::{PlayOptions, whole};
use super::{CommandResult, Failure, Verdict, data_file, on_interrupt, refused, serve};
use emilia_core::work::StopFlag;
use emilia_files::{FileError, append, open_to_append, read_text};
use emilia_games::Game;
use emilia_protocol::ggs::{self, Environment, GgsOptions};

/// Name of the game file in the user's data folder.
const GAMES: &str = "ggs.ggf";

/// Maximum size of a password file in bytes.
const MAX_PASSWORD: u64 = 1 << 12;

/// Headings of the groups of options in the help.
const SERVER: &str = "Server";
const MATCHES: &str = "Matches";

/// Arguments of `emilia ggs`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
GGS, the Generic Game Server, is a public server on which people and programs play Othello. \
The first time:
  1. Get a login, a name of 2 to 8 characters with a password: 'telnet skatgame.net 5000' shows \
the greeting of the server, which also takes new names. The password travels unencrypted, as the \
server wants it, so use one that you use nowhere else.
  2. Run 'emilia ggs --user NAME', and type the password.
  3. Wait for somebody to ask you for a match. Or ask everybody yourself: add '--ask 8'.

Emilia accepts each request of a type below that gives a side one minute to 24 hours, and declines \
every other one. It plays one match at a time by the clock of the server, and appends the games to \
the file: each move at once, and the whole game once more when it is over. If the link breaks in a \
match, it logs in again and asks to resume the match. Chat, undo and abort are not answered. Ctrl-C \
lets the running match finish first, and a second one leaves at once: the server keeps a rated \
match, to be resumed later.

Types of matches: 8 is a usual game on 8x8 squares, 8b and 8w give the colour of who asks. s8 is \
synchro: two games at a time with colours swapped. s8r20 is synchro from a random start with 20 \
discs. Clocks are MAIN/INCREMENT/GRACE, and an empty part has the default of the server, 15:00//2:00.

Examples:
  emilia ggs --user emilia
      asks for the password, then plays whoever asks for a match
  emilia ggs --user emilia --password-file ggs.txt --ask s8r20,5:00
      also asks everybody for a match, every 10 minutes
  emilia analyze ~/.local/share/emilia/ggs.ggf
      shows the mistakes in the games played")]
pub(super) struct Args {
    /// Name or address of the server
    #[arg(long, default_value = "skatgame.net", help_heading = SERVER)]
    host: String,

    /// Port of the server
    #[arg(long, value_name = "N", default_value_t = 5000, help_heading = SERVER)]
    #[arg(value_parser = whole::<u16>(1..=u16::MAX))]
    port: u16,

    /// Your login on the server
    #[arg(long, value_name = "NAME", value_parser = login, help_heading = SERVER)]
    user: String,

    /// File whose first line is the password [default: ask for it]
    #[arg(long, value_name = "FILE", help_heading = SERVER)]
    password_file: Option<PathBuf>,

    /// File to which every game is appended, as GGF [default: ggs.ggf in the data folder]
    #[arg(long, value_name = "FILE", help_heading = SERVER)]
    games: Option<PathBuf>,

    /// Ask for a match of this type, and with this clock, every ten minutes while none is running
    #[arg(long, value_name = "TYPE[,CLOCK]", value_parser = request, help_heading = MATCHES)]
    ask: Option<String>,

    #[command(flatten)]
    options: PlayOptions,
}

/// Parses a login.
fn login(text: &str) -> Result<String, String> {
    let is_login =
        (2..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let name = is_login.then(|| text.to_owned());
    name.ok_or_else(|| "expected 2 to 8 letters and digits".to_owned())
}

/// Parses `TYPE[,CLOCK]`, and returns the arguments of the request to the server.
fn request(text: &str) -> Result<String, String> {
    let (kind, clock) = text.split_once(',').unwrap_or((text, ""));
    if !ggs::is_played(kind) || ggs::parse_clock(clock).is_none() {
        return Err("expected 8, s8 or s8rN, and a clock, as in s8r20,5:00//2:00".to_owned());
    }
    Ok(format!("{kind} {clock}").trim_end().to_owned())
}

/// Plays until Ctrl-C.
pub(super) fn run(args: &Args, out: &mut dyn Write) -> CommandResult {
    let games = data_file(args.games.as_ref(), GAMES, "--games")?;
    let paths = args.options.paths().input(&args.password_file);
    paths.append_output("--games", Some(&games)).check(false)?;
    if args.games.is_none()
        && let Some(folder) = games.parent()
    {
        fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
    }
    let password = password(args)?;
    let options = GgsOptions {
        user: args.user.clone(),
        ask: args.ask.clone(),
    };
    let interrupts = [StopFlag::default(), StopFlag::default()];
    #[cfg(unix)]
    on_termination(interrupts.clone())?;
    let [finish, leave] = interrupts.clone();
    on_interrupt(move || {
        if finish.is_set() {
            leave.set();
        } else {
            finish.set();
        }
    })?;
    let is_new = !games.exists();
    let mut file = GameFile::open(&games)?;
    writeln!(out, "Games go to {}.", games.display())?;
    let env = Environment {
        address: (&args.host, args.port),
        password: &password,
        interrupts,
        keep: &mut |ended, running| file.store(ended, running).map_err(io::Error::other),
        out,
    };
    let done = ggs::play(options, serve::setup(&args.options, false), env);
    if done.is_err() && is_new && file.size == 0 {
        // Without a login there are no games, so the new empty file is removed. If the removal
        // fails, the empty file is harmless.
        let _ = fs::remove_file(&games);
    }
    done.map_err(serve::failure)?;
    Ok(Verdict::Yes)
}

/// Leaves the server at SIGTERM or SIGHUP, as at the second Ctrl-C. `flags` are
/// [`Environment::interrupts`]. A thread waits for the signals and then sets both flags.
///
/// Call this function before other threads start, so that they inherit the mask that blocks the
/// signals.
#[cfg(unix)]
fn on_termination(flags: [StopFlag; 2]) -> Result<(), Failure> {
    use emilia_core::work::spawn_thread;
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGTERM);
    signals.add(Signal::SIGHUP);
    signals.thread_block().map_err(refused)?;
    let wait = move || {
        if signals.wait().is_ok() {
            flags.iter().for_each(StopFlag::set);
        }
    };
    spawn_thread("signals", wait).map_err(refused)?;
    Ok(())
}

/// The file of games. Its last lines are the running games, which are written again after each
/// move.
struct GameFile {
    path: PathBuf,
    file: File,
    /// Size of the part of the file with finished games, in bytes.
    size: u64,
}

impl GameFile {
    /// Opens the file for appending. All games found in it count as finished. Refuses a file that
    /// does not begin with `(`, as a GGF file does.
    fn open(path: &Path) -> Result<GameFile, FileError> {
        let mut file = open_to_append(path)?;
        let wrong = |error| FileError::new(path, error);
        let mut first = [0];
        if file.read(&mut first).map_err(wrong)? > 0 && first != [b'('] {
            return Err(FileError::refused(
                path,
                "it is not a GGF file; give another name",
            ));
        }
        let size = file.seek(SeekFrom::End(0)).map_err(wrong)?;
        Ok(GameFile {
            path: path.to_owned(),
            file,
            size,
        })
    }

    /// Overwrites the running games at the end of the file: writes the games that have ended, and
    /// after them the running games.
    fn store(&mut self, ended: Vec<Game>, running: &[&Game]) -> Result<(), FileError> {
        let mut text: String = ended.into_iter().map(line).collect();
        let size = self.size + text.len() as u64;
        text.extend(running.iter().map(|&game| line(game.clone())));
        let wrong = |error| FileError::new(&self.path, error);
        let end = self.size + text.len() as u64;
        let start = SeekFrom::Start(self.size);
        self.file.seek(start).map_err(wrong)?;
        append(&self.path, &mut self.file, text.as_bytes())?;
        self.file.set_len(end).map_err(wrong)?;
        self.size = size;
        Ok(())
    }
}

/// Formats a game as a line of GGF, with `GGS/os` as its place and the current time as its date. A game without moves gives an empty text.
fn line(mut game: Game) -> String {
    if game.moves().is_empty() {
        return String::new();
    }
    "GGS/os".clone_into(&mut game.tags.event);
    game.tags.date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    game.to_ggf() + "\n"
}

/// Reads the password: from its file, from a terminal without echo, or from a pipe.
fn password(args: &Args) -> Result<String, Failure> {
    let text = match &args.password_file {
        Some(path) => read_text(path, MAX_PASSWORD)?,
        None if io::stdin().is_terminal() => {
            let prompt = format!("Password of {}: ", args.user);
            rpassword::prompt_password(prompt)
                .map_err(|error| refused(format!("password: {error}")))?
        }
        None => io::read_to_string(io::stdin().take(MAX_PASSWORD))
            .map_err(|error| refused(format!("stdin: {error}")))?,
    };
    let password = text.lines().next().unwrap_or_default().trim().to_owned();
    if password.is_empty() {
        return Err(refused(
            "the password is empty: give it in --password-file, or type it",
        ));
    }
    Ok(password)
}
