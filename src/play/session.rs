//! A game at the terminal: reads a command, executes it, and lets the engine answer.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::commands::{self, PlayCommand, help};
use super::file::{SavedGame, save, unsign};
use super::input::{Event, Input};
use super::players::Humans;
use super::resume;
use super::review::review;
use super::state::GameState;
use super::thinking::{self, UNTIL_ENTER, describe_depth, explain_depth, hints};
use crate::cli::Failure;
use emilia_core::board::{Color, Move, Position, Square};
use emilia_core::eval::Value;
use emilia_core::search::{Depth, Line, SearchHandle};
use emilia_files::quoted;
use emilia_games::{Game, Played, input};
use emilia_player::{Player, limits_with_default_time};
use emilia_view::{BoardView, outcome, printable, wrap};

/// Text output, wrapped to the width of the terminal.
pub(super) struct Screen<'a> {
    pub(super) out: &'a mut dyn Write,
    /// Function that returns the current width of the terminal. `None` if `out` is not a terminal.
    pub(super) width: Option<fn() -> usize>,
    pub(super) colored: bool,
}

impl Screen<'_> {
    pub(super) fn columns(&self) -> usize {
        self.width.map_or(usize::MAX, |width| width())
    }

    /// Writes a sentence, wrapped.
    pub(super) fn say(&mut self, sentence: &str) -> io::Result<()> {
        writeln!(
            self.out,
            "{}",
            wrap(&printable(sentence), self.columns(), 0)
        )
    }

    /// Writes a sentence to stderr, wrapped.
    pub(super) fn complain(&self, sentence: &str) {
        let lines = wrap(&printable(sentence), self.columns(), 0);
        // Without stderr the game goes on.
        let _ = writeln!(io::stderr(), "{lines}");
    }
}

/// Game in progress with its engine, input and output.
pub(super) struct Session<'a> {
    pub(super) state: GameState,
    pub player: Player,
    pub input: Input,
    pub(super) screen: Screen<'a>,
    /// Random seed of human levels, if given.
    pub(super) seed: Option<u64>,
    /// Engine options as arguments.
    pub(super) engine_arguments: Vec<String>,
    /// Opening named last.
    pub(super) opening: Option<&'static str>,
    /// File from which the game was loaded or to which it was saved. `save` may overwrite it.
    pub(super) saved: Option<SavedGame>,
    /// Whether a selective depth has been explained.
    pub(super) has_explained: bool,
}

impl Session<'_> {
    /// Plays until the input ends or `quit` is typed. Without people, plays until the game ends.
    /// Returns whether Ctrl-C ended it.
    pub(super) fn run(mut self) -> Result<bool, Failure> {
        if self.input.prompting {
            self.screen.say(&welcome(&self.state))?;
        }
        let plays = self.state.humans != Humans::None;
        if plays {
            self.input.ignore_first_ctrl_c();
        }
        self.begin()?;
        while plays && let Some(line) = self.read_line()? {
            if line.trim().is_empty() {
                continue;
            }
            self.input.ignore_first_ctrl_c();
            let command = line.parse().map_err(Failure::Input);
            match command.and_then(|command| self.obey(command)) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Failure::Input(message)) => self.screen.complain(&message),
                Err(error) => return Err(error),
            }
        }
        self.point_to_game()?;
        let saved = self.saved.as_ref();
        if let Some(lack) = saved.and_then(|saved| saved.lack(&self.state)) {
            self.screen.say(&format!("{lack}."))?;
        }
        Ok(self.input.should_exit())
    }

    /// Reads the next line, or returns `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        let position = self.state.position();
        let moves = position.moves().into_iter().map(|mv| mv.to_string());
        let words = moves.chain(commands::WORDS.map(str::to_owned)).collect();
        let prompt = if self.state.is_over() {
            "over> ".to_owned()
        } else {
            format!("{}> ", position.mover)
        };
        match self.input.next(&prompt, words, self.screen.out)? {
            Event::Line(text) => Ok(Some(text)),
            Event::Failed(error) => Err(Failure::Input(format!("stdin: {error}"))),
            Event::End => Ok(None),
        }
    }

    /// Executes a command. Breaks if the program should end.
    fn obey(&mut self, command: PlayCommand) -> Result<ControlFlow<()>, Failure> {
        match command {
            PlayCommand::Play(mv) => {
                self.play(mv)?;
                self.answer()?;
            }
            PlayCommand::Undo => {
                self.state.undo()?;
                self.show_board()?;
            }
            PlayCommand::Redo => {
                self.state.redo()?;
                self.show_board()?;
            }
            PlayCommand::Step(back) => {
                self.state.step(back)?;
                self.show_board()?;
                let (placed, all) = (self.state.game.placed(), self.state.placed_in_all());
                self.screen.say(&format!("Move {placed} of {all}."))?;
            }
            PlayCommand::Go => {
                if let Some(played) = self.engine_move(&self.state.unfinished()?)? {
                    self.play(played)?;
                    self.answer()?;
                }
            }
            PlayCommand::Hint(count) => self.hint(count)?,
            PlayCommand::Eval => self.eval()?,
            PlayCommand::Save(path) => {
                let again = self.saved.as_ref().is_some_and(|saved| saved.path == path);
                self.screen.say(&save(&self.state, &path, again)?)?;
                self.saved = Some(SavedGame::new(path, &self.state.game));
                if self.state.is_over() && self.input.prompting {
                    self.point_to_analysis()?;
                }
            }
            PlayCommand::Level(None) => self.screen.say(&self.state.describe_strength())?,
            PlayCommand::Level(Some(strength)) => {
                self.state.set_strength(strength);
                self.player
                    .set_play_settings(self.state.play_settings.clone());
                unsign(&mut self.state.game);
                let sentence = format!("From now on Emilia plays at {strength}.");
                self.screen.say(&sentence)?;
            }
            PlayCommand::Side(humans) => {
                self.state.humans = humans;
                if humans == Humans::None {
                    self.input.end_on_ctrl_c();
                }
                self.screen.say(&format!("{}.", sides(humans)))?;
                if !self.state.is_over() {
                    self.answer()?;
                }
            }
            PlayCommand::Resign => {
                let loser = self.state.resign()?;
                let sentence = format!("Game over: {loser} resigns, {} wins.", !loser);
                self.screen.say(&sentence)?;
                self.look_back()?;
            }
            PlayCommand::Moves if self.state.game.moves().is_empty() => {
                self.screen.say("There are no moves yet.")?;
            }
            PlayCommand::Moves => writeln!(self.screen.out, "{}", self.state.game.transcript())?,
            PlayCommand::Load(word) => {
                let loaded = input::game_of_file(&word).map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => format!("load '{word}': no such file."),
                    _ => format!("load {error}."),
                })?;
                self.replace_game(loaded.game)?;
                let path = PathBuf::from(word);
                let saved = SavedGame::new(path, &self.state.game);
                self.saved = Some(saved).filter(|_| loaded.is_whole_file && loaded.count == 1);
                if loaded.count > 1 {
                    self.screen.say(&format!(
                        "Game {} of {}; load FILE:N for another.",
                        loaded.number, loaded.count
                    ))?;
                }
                self.begin()?;
            }
            PlayCommand::New => {
                self.replace_game(Game::new(self.state.game.start()))?;
                self.begin()?;
            }
            PlayCommand::Board => self.show_board()?,
            PlayCommand::Help => {
                let help = help(self.input.edits()).wrapped(self.screen.columns());
                write!(self.screen.out, "{help}")?;
            }
            PlayCommand::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Replaces the game by another one. Writes how to resume the old one unless it is in a file.
    fn replace_game(&mut self, game: Game) -> io::Result<()> {
        let saved = self.saved.take();
        if saved.is_none_or(|saved| saved.lack(&self.state).is_some()) {
            self.point_to_game()?;
        }
        self.state.replace_game(game);
        self.player.clear();
        self.opening = None;
        Ok(())
    }

    /// Shows the first position and lets the engine move if it is its turn.
    fn begin(&mut self) -> Result<(), Failure> {
        self.pass_if_forced()?;
        self.show_board()?;
        self.answer()
    }

    /// Plays a move and the forced pass after it, and shows the board.
    fn play(&mut self, played: impl Into<Played>) -> Result<(), Failure> {
        self.state.play(played)?;
        self.pass_if_forced()?;
        Ok(self.show_board()?)
    }

    fn pass_if_forced(&mut self) -> io::Result<()> {
        if let Some(color) = self.state.pass_if_forced() {
            writeln!(self.screen.out, "{color} has no legal move and passes.")?;
        }
        Ok(())
    }

    /// Lets the engine move while it is its turn, and writes the result if the game is over.
    fn answer(&mut self) -> Result<(), Failure> {
        while self.state.is_turn_of_engine()
            && !self.input.should_exit()
            && let Some(played) = self.engine_move(&self.state.position())?
        {
            self.play(played)?;
        }
        let position = self.state.position();
        if position.is_over() {
            let sentence = format!("Game over: {}.", outcome(&position));
            self.screen.say(&sentence)?;
            self.look_back()?;
        }
        Ok(())
    }

    /// Searches and announces the engine's move. Returns `None` if the program is to end.
    fn engine_move(&mut self, position: &Position) -> Result<Option<Played>, Failure> {
        let search = self.player.start(position, &self.state.limits, None)?;
        let lines = self.think(search, false);
        let line = self.player.pick(position, lines);
        let Some(mv) = line.best_move().filter(|_| !self.input.should_exit()) else {
            return Ok(None);
        };
        self.screen.say(&format!(
            "Emilia plays {mv}: {} for {}, {}, {:.2} s",
            line.value,
            position.mover,
            describe_depth(line.depth),
            line.elapsed.as_secs_f64()
        ))?;
        self.explain([line.depth].into_iter())?;
        Ok(Some(Played {
            mv,
            eval: Some(line.value.discs()),
            time: Some(line.elapsed),
        }))
    }

    /// Runs a search to its end and shows its progress. With `enter` the Enter key ends it.
    fn think(&self, search: SearchHandle, enter: bool) -> Vec<Line> {
        // Enter must be watched before the note about it is shown.
        let _watch = self.input.watch(search.stop_handle(), enter);
        thinking::watch(search, if enter { UNTIL_ENTER } else { "" })
    }

    /// Explains a selective depth, once, if the output is a terminal.
    fn explain(&mut self, depths: impl Iterator<Item = Depth>) -> io::Result<()> {
        if !self.has_explained
            && self.screen.width.is_some()
            && let Some(sentence) = explain_depth(depths)
        {
            self.has_explained = true;
            self.screen.say(&sentence)?;
        }
        Ok(())
    }

    /// Shows the best moves with scores. Without limits, at a terminal, Enter ends the search.
    fn hint(&mut self, count: usize) -> Result<(), Failure> {
        let position = self.state.unfinished()?;
        let mut limits = self.state.limits.clone();
        let until_enter = !limits.is_bounded() && self.input.prompting;
        if !until_enter {
            limits = limits_with_default_time(&limits);
        }
        let search = (self.player.stop_pondering()).start(&position.board, count, &limits)?;
        let lines = self.think(search, until_enter);
        if self.input.should_exit() {
            return Ok(());
        }
        let table = hints(&position, &lines, self.screen.columns());
        write!(self.screen.out, "{table}")?;
        if let Some(best) = lines.first() {
            let side = favoured(best.value, position.mover);
            self.screen.say(&format!("{}: {side}.", best.value))?;
        }
        Ok(self.explain(lines.iter().map(|line| line.depth))?)
    }

    /// Shows the static evaluation of the position.
    fn eval(&mut self) -> Result<(), Failure> {
        let position = self.state.unfinished()?;
        let evaluator = &self.player.settings().evaluator;
        let value = evaluator.evaluate(&position.board);
        Ok(self.screen.say(&format!(
            "Static evaluation ({}): {value} discs for {}: {}.",
            evaluator.name(),
            position.mover,
            favoured(value, position.mover)
        ))?)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let view = BoardView {
            position: self.state.position(),
            last_move: self.state.last_move(),
            colored: self.screen.colored,
        };
        let board = view.fitted(self.screen.columns());
        writeln!(self.screen.out, "{board}")?;
        let opening = self.state.game.opening().map(|opening| opening.name);
        if opening != self.opening {
            self.opening = opening;
            if let Some(name) = opening {
                self.screen.say(&format!("Opening: {name}"))?;
            }
        }
        Ok(())
    }

    /// Writes the transcript of a finished game, and at a terminal its most costly moves.
    fn look_back(&mut self) -> Result<(), Failure> {
        if self.state.game.moves().is_empty() {
            return Ok(());
        }
        let transcript = self.state.game.transcript();
        writeln!(self.screen.out, "Transcript: {transcript}")?;
        if !self.input.prompting || self.input.should_exit() {
            return Ok(());
        }
        if let Some(sentence) = review(self.player.stop_pondering(), &self.state, &self.input) {
            self.screen.say(&sentence)?;
        }
        self.point_to_analysis()
    }

    /// Writes the command that analyses every move of the game, and what its file lacks.
    fn point_to_analysis(&mut self) -> Result<(), Failure> {
        let transcript = self.state.game.transcript();
        let complete = (self.saved.as_ref()).filter(|saved| saved.moves == transcript);
        if let Some(SavedGame { path, .. }) = complete {
            let [game, page] = [path, &path.with_extension("html")]
                .map(|path| quoted(&path.display().to_string()));
            writeln!(
                self.screen.out,
                "Every move: emilia analyze {game} --html {page}"
            )?;
        } else if transcript.start == Position::START {
            writeln!(self.screen.out, "Every move: emilia analyze {transcript}")?;
        }
        if let Some(saved) = &self.saved
            && let Some(lack) = saved.lack(&self.state)
        {
            let sentence = format!("{lack}; save {} writes all.", saved.path.display());
            self.screen.say(&sentence)?;
        }
        Ok(())
    }

    /// Writes the command that resumes the game, if it is unfinished and has moves.
    fn point_to_game(&mut self) -> io::Result<()> {
        if self.state.is_over() || self.state.game.moves().is_empty() {
            return Ok(());
        }
        let command = resume::command(&self.state, self.seed, &self.engine_arguments);
        writeln!(self.screen.out, "To go on: {command}")
    }
}

/// Returns the greeting: how to move, and the strength of the engine.
fn welcome(state: &GameState) -> String {
    let position = state.position();
    if position.is_over() {
        return "This game is over; undo goes back, new begins again.".to_owned();
    }
    let sides = sides(state.humans);
    let others = "or help to see what else there is.";
    let example = position.moves().first().copied().unwrap_or(Move::Pass);
    let how = if state.humans.play(position.mover) {
        format!("Type a move, such as {example}, {others}")
    } else {
        let example = Square::D6;
        format!("Emilia moves first; then type a move, such as {example}, {others}")
    };
    match state.humans {
        Humans::Black | Humans::White => format!("{sides}. {how} {}", state.describe_strength()),
        Humans::Both => format!("{sides}. {how}"),
        Humans::None => format!("{sides}."),
    }
}

/// Returns a sentence about the sides of people, without its full stop.
fn sides(humans: Humans) -> String {
    match humans {
        Humans::Black | Humans::White => format!("You play {}", humans.name()),
        Humans::Both => "You play both sides".to_owned(),
        Humans::None => "Emilia plays both sides; Ctrl-C ends the game".to_owned(),
    }
}

/// Returns a sentence about the side that `value`, in discs for `mover`, favours.
fn favoured(value: Value, mover: Color) -> String {
    /// Least lead in discs. Smaller values count as even.
    const MIN_LEAD: f64 = 0.5;
    let discs = value.discs();
    if discs.abs() < MIN_LEAD {
        "the sides are even".to_owned()
    } else {
        let ahead = if discs > 0.0 { mover } else { !mover };
        format!("{ahead} is ahead")
    }
}
