//! A game at the terminal: reads a command, executes it, and runs the engine for its moves.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::input::Input;
use super::players::{Humans, describe};
use super::state::GameState;
use super::thinking::{self, hints};
use super::{commands, file};
use crate::cli::Failure;
use emilia_core::board::{Move, Position, Square, Transcript, excerpt, printable};
use emilia_core::search::{Engine, Line, SearchHandle};
use emilia_games::{Game, Played};
use emilia_player::{Level, Player, limits_for_move};
use emilia_view::{BoardView, outcome, width, wrap};

/// Default number of moves that `hint` shows.
const DEFAULT_HINTS: usize = 3;

/// Game in progress with its engine, input and output.
struct TerminalGame<'a> {
    state: GameState,
    player: Player,
    input: Input,
    out: &'a mut dyn Write,
    colored: bool,
    /// Name of the opening that was shown last.
    opening: Option<&'static str>,
    /// File to which the game was saved. `save` overwrites this file, but no other existing file.
    saved: Option<PathBuf>,
}

/// Plays a game until the user quits or the input ends. Returns whether Ctrl-C ended it.
///
/// # Errors
/// If reading the commands or writing to `out` fails.
pub(crate) fn run(
    state: GameState,
    engine: Engine,
    colored: bool,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let input = Input::open()
        .map_err(|error| Failure::Input(format!("cannot read the keyboard: {error}")))?;
    let game = TerminalGame {
        player: Player::new(engine).with_play_settings(state.play_settings.clone()),
        state,
        input,
        out,
        colored,
        opening: None,
        saved: None,
    };
    game.run()
}

impl TerminalGame<'_> {
    /// Plays until the input ends or `quit` is typed. Without people, plays until the game ends.
    fn run(mut self) -> Result<bool, Failure> {
        if self.input.prompting {
            self.say(&format!(
                "{}. Type a move, such as f5, or help to see what else there is. {}",
                sides(self.state.humans),
                self.state.describe_level()
            ))?;
        }
        let plays = self.state.humans != Humans::None;
        self.go_on()?;
        while plays && let Some(line) = self.read_line()? {
            match self.obey(line.trim()) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Failure::Input(message)) => {
                    let lines = wrap(&printable(&message), columns(), 0);
                    // If stderr cannot be written, the game continues.
                    let _ = writeln!(io::stderr(), "{lines}");
                }
                Err(error) => return Err(error),
            }
        }
        self.point_to_game()?;
        Ok(self.input.should_exit())
    }

    /// Reads the next line, or returns `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        let position = self.state.game.position();
        let over = self.state.is_over().then_some("over");
        let prompt = format!("{}> ", over.unwrap_or(position.mover.name()));
        self.input.next(&prompt, self.out)
    }

    /// Executes a move or a command, ignoring case. Returns `Break` if the program should end.
    fn obey(&mut self, line: &str) -> Result<ControlFlow<()>, Failure> {
        let (first, after) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (first.to_ascii_lowercase(), after.trim());
        let refused = |what: &str| format!("{word} '{}': expected {what}.", excerpt(rest));
        match (word.as_str(), rest) {
            ("", _) => {}
            ("undo", "") => {
                self.state.undo()?;
                self.show_board()?;
            }
            ("go", "") => {
                if let Some(played) = self.engine_move(&self.state.unfinished()?)? {
                    self.state.play(played)?;
                    self.go_on()?;
                }
            }
            ("hint", "") => self.hint(DEFAULT_HINTS)?,
            ("hint", count) => match count.parse() {
                Ok(count @ 1..=64) => self.hint(count)?,
                _ => return Err(refused("a number of moves, 1 to 64").into()),
            },
            ("eval", "") => self.eval()?,
            ("level", "") => self.say(&self.state.describe_level())?,
            ("level", level) => {
                let parsed = level.to_ascii_lowercase().parse();
                let level = parsed.map_err(|_| refused(Level::RANGE))?;
                self.state.set_level(level);
                self.player
                    .set_play_settings(self.state.play_settings.clone());
                self.say(&format!(
                    "From now on Emilia plays at {}.",
                    describe(Some(level))
                ))?;
            }
            ("side", side) => {
                self.state.humans = Humans::from_str(side, true)
                    .map_err(|_| refused("black, white, both or none, the sides that you play"))?;
                self.say(&format!("{}.", sides(self.state.humans)))?;
                if !self.state.is_over() {
                    self.go_on()?;
                }
            }
            ("board", "") => {
                self.show_board()?;
                writeln!(self.out, "{}", self.state.game.transcript())?;
            }
            ("resign", "") => {
                let loser = self.state.resign()?;
                self.say(&format!("Game over: {loser} resigns, {} wins.", !loser))?;
                self.write_transcript()?;
            }
            ("save", "") => return Err(refused("a file name, like game.sgf").into()),
            ("save", name) => {
                let path = Path::new(name);
                let is_own = self.saved.as_deref() == Some(path);
                self.say(&file::save(&self.state, path, is_own)?)?;
                self.saved = Some(path.to_owned());
            }
            ("new", "") => {
                self.new_game()?;
                self.go_on()?;
            }
            ("help" | "?", "") => {
                write!(self.out, "{}", commands::help(columns()))?;
            }
            ("quit" | "exit", "") => return Ok(ControlFlow::Break(())),
            _ => {
                let unknown = "is neither a move nor a command; help lists the commands";
                let unknown = || format!("'{}' {unknown}.", excerpt(line));
                let moves = if let Ok(mv) = line.parse::<Move>() {
                    vec![mv]
                } else {
                    // The line may be several moves, of both sides in turn.
                    let read = Transcript::parse(line, self.state.game.position());
                    let is_move = line
                        .get(..2)
                        .is_some_and(|one| one.parse::<Square>().is_ok());
                    let wrong = |why| {
                        if is_move {
                            format!("{why}.")
                        } else {
                            unknown()
                        }
                    };
                    read.map_err(wrong)?.moves
                };
                for mv in moves {
                    self.state.play(mv)?;
                }
                self.go_on()?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Begins a game from the same start position, and writes how to resume the old game.
    fn new_game(&mut self) -> io::Result<()> {
        self.point_to_game()?;
        self.state.game = Game::new(self.state.game.start());
        self.player.clear();
        (self.opening, self.saved) = (None, None);
        Ok(())
    }

    /// Plays a forced pass, shows the board and plays the engine's moves, until a person is to move
    /// or the game is over. Then writes the result if the game is over.
    fn go_on(&mut self) -> Result<(), Failure> {
        loop {
            let mover = self.state.game.position().mover;
            if self.state.game.position().must_pass() && self.state.game.play(Move::Pass).is_ok() {
                writeln!(self.out, "{mover} has no legal move and passes.")?;
            }
            self.show_board()?;
            if !self.state.is_turn_of_engine() || self.input.should_exit() {
                break;
            }
            let Some(played) = self.engine_move(&self.state.game.position())? else {
                break;
            };
            self.state.play(played)?;
        }
        let position = self.state.game.position();
        if position.is_over() {
            self.say(&format!("Game over: {}.", outcome(&position)))?;
            self.write_transcript()?;
        }
        Ok(())
    }

    /// Searches for the engine's move and announces it. Returns `None` if the program should end.
    fn engine_move(&mut self, position: &Position) -> Result<Option<Played>, Failure> {
        let mut search = self.player.start(position, &self.state.limits)?;
        self.think(&mut search);
        if self.state.humans == Humans::None {
            self.input.end_if_stopped();
        }
        let line = self.player.pick(position, search.wait());
        let Some(mv) = line.best_move().filter(|_| !self.input.should_exit()) else {
            return Ok(None);
        };
        self.say(&format!(
            "Emilia plays {mv}: {} for {}, {}, {:.2} s",
            line.value,
            position.mover,
            line.depth.in_words(),
            line.elapsed.as_secs_f64()
        ))?;
        Ok(Some(Played {
            eval: Some(line.value.discs()),
            time: Some(line.elapsed),
            depth: Some(line.depth.plies(position.board.empty_count())),
            ..mv.into()
        }))
    }

    /// Runs a search until it ends or Ctrl-C is pressed, and shows its progress.
    /// Returns its last complete iteration.
    fn think(&self, search: &mut SearchHandle) -> Vec<Line> {
        self.input.watch(search.stop_handle());
        thinking::watch(search, "")
    }

    /// Shows the best moves with scores.
    fn hint(&mut self, count: usize) -> Result<(), Failure> {
        let position = self.state.unfinished()?;
        let limits = limits_for_move(&self.state.limits);
        let engine = self.player.stop_pondering();
        let mut search = engine.start(&position.board, count, &limits)?;
        let lines = self.think(&mut search);
        if self.input.should_exit() {
            return Ok(());
        }
        let table = hints(&position, &lines, columns());
        Ok(write!(self.out, "{table}")?)
    }

    /// Shows the static evaluation of the position.
    fn eval(&mut self) -> Result<(), Failure> {
        let position = self.state.unfinished()?;
        let evaluator = &self.player.settings().evaluator;
        let value = evaluator.evaluate(&position.board);
        Ok(self.say(&format!(
            "Static evaluation ({}): {value} discs for {}.",
            evaluator.name(),
            position.mover
        ))?)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = &self.state.game;
        let mut moves = game.moves().iter().rev().map(|played| played.mv);
        let view = BoardView {
            position: game.position(),
            last_move: moves.find(|&mv| mv != Move::Pass),
            colored: self.colored,
        };
        writeln!(self.out, "{}", view.fitted(columns()))?;
        let opening = self.state.game.opening().map(|opening| opening.name);
        let is_new = opening != self.opening;
        self.opening = opening;
        match opening.filter(|_| is_new) {
            Some(name) => self.say(&format!("Opening: {name}")),
            None => Ok(()),
        }
    }

    /// Writes the transcript of a finished game, and at a terminal the command that analyses it.
    fn write_transcript(&mut self) -> io::Result<()> {
        let transcript = self.state.game.transcript();
        if transcript.moves.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "Transcript: {transcript}")?;
        if self.input.prompting && transcript.start == Position::START {
            writeln!(self.out, "Every move: emilia analyze {transcript}")?;
        }
        Ok(())
    }

    /// Writes the command that resumes the game, if it is unfinished and has moves.
    fn point_to_game(&mut self) -> io::Result<()> {
        if self.state.is_over() || self.state.game.moves().is_empty() {
            return Ok(());
        }
        let command = format!("To go on: {}", file::resume_command(&self.state));
        // A backslash at the end of a line makes the shell join the next line to it.
        let width = columns().saturating_sub(CONTINUED.len());
        let lines = wrap(&command, width, 2).replace('\n', &format!("{CONTINUED}\n"));
        writeln!(self.out, "{lines}")
    }

    /// Writes a sentence, wrapped.
    fn say(&mut self, sentence: &str) -> io::Result<()> {
        let lines = wrap(&printable(sentence), columns(), 0);
        writeln!(self.out, "{lines}")
    }
}

/// End of a line whose command continues on the next line.
const CONTINUED: &str = " \\";

/// Returns the width of the output in columns, unlimited if stdout is not a terminal.
fn columns() -> usize {
    let is_terminal = io::stdout().is_terminal();
    if is_terminal { width() } else { usize::MAX }
}

/// Returns a sentence about the sides of people, without its full stop.
fn sides(humans: Humans) -> String {
    match humans {
        Humans::Black | Humans::White => format!("You play {}", humans.name()),
        Humans::Both => "You play both sides".to_owned(),
        Humans::None => "Emilia plays both sides; Ctrl-C ends the game".to_owned(),
    }
}
