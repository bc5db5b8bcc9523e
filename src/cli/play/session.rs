//! Game in progress and its loop: read a command, execute it, let the engine answer.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::Humans;
use super::commands::{self, Command, help};
use super::file::{load, save, unsign};
use super::input::{Event, Input};
use super::resume::{self, Given};
use super::review::review;
use super::strength::Strength;
use crate::board::{Color, Move, Position, Square, Transcript};
use crate::cli::hint::hints;
use crate::cli::thinking::{Thinking, UNTIL_KEY, depth, meaning};
use crate::cli::{Failure, Verdict, print_to_stderr};
use crate::eval::Value;
use crate::game::{Ending, Game, Outcome, Played};
use crate::player::{PlaySettings, Player, limits_with_default_time};
use crate::search::{Depth, Limits, Line, SearchHandle};
use crate::view::{BoardView, moves, outcome, printable, wrap};

/// File of the game and the moves in it.
pub(super) struct Saved {
    path: PathBuf,
    moves: Transcript,
}

impl Saved {
    /// Creates the record of `path`, which holds the whole `game`.
    pub(super) fn new(path: PathBuf, game: &Game) -> Saved {
        let moves = game.transcript();
        Saved { path, moves }
    }

    /// Returns a sentence about the moves of `game` that the file lacks, if it lacks any.
    fn lack(&self, game: &Game) -> Option<String> {
        let pairs = game.moves().iter().zip(&self.moves.moves);
        let shared = pairs.take_while(|(played, saved)| played.mv == **saved);
        let shared = shared.filter(|(played, _)| played.mv != Move::Pass).count();
        let path = self.path.display();
        let all = game.placed();
        (shared < all).then(|| format!("{path} has {shared} of the {all} moves"))
    }
}

/// Game in progress with its settings, input and output.
pub(super) struct Session<'a> {
    pub(super) game: Game,
    /// Moves taken back, the next one to redo last.
    pub(super) undone: Vec<Played>,
    pub(super) humans: Humans,
    pub(super) player: Player,
    /// Play settings: human level, seed, pondering.
    pub(super) play_settings: PlaySettings,
    /// Level from which play settings and limits were set, if any.
    pub(super) strength: Strength,
    pub(super) limits: Limits,
    /// Other settings of the command line, for the command that resumes the game.
    pub(super) given: Given,
    pub(super) colored: bool,
    /// Function that returns the current width of the terminal, or `None` if `out` is none.
    pub(super) width: Option<fn() -> usize>,
    pub(super) input: Input,
    pub(super) out: &'a mut dyn Write,
    /// Opening named last.
    pub(super) opening: Option<&'static str>,
    /// File from which the game was loaded or to which it was saved. `save` may overwrite it.
    pub(super) saved: Option<Saved>,
    /// Whether selective depths have not been explained yet.
    pub(super) explains_depth: bool,
    /// Whether a person has resigned.
    pub(super) resigned: bool,
}

impl Session<'_> {
    /// Plays until the input ends or `quit` is typed. Without people, plays until the game ends.
    pub(super) fn run(mut self) -> Result<Verdict, Failure> {
        if self.input.prompting {
            let welcome = self.welcome();
            self.say(&welcome)?;
        }
        if self.humans != Humans::None {
            self.input.spare();
        }
        self.begin()?;
        if self.humans == Humans::None {
            return self.leave();
        }
        loop {
            let Some(line) = self.read_line()? else {
                return self.leave();
            };
            if line.trim().is_empty() {
                continue;
            }
            self.input.spare();
            match line.parse().and_then(|command| self.obey(command)) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return self.leave(),
                Err(Failure::Input(complaint)) => self.complain(&complaint),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Returns the greeting: how to move, and the strength of the engine.
    fn welcome(&self) -> String {
        let position = self.position();
        if position.is_over() {
            return "This game is over; undo goes back, new begins again.".to_owned();
        }
        let others = "or help to see what else there is.";
        let example = position.moves().first().copied().unwrap_or(Move::Pass);
        let how = if self.humans.play(position.mover) {
            format!("Type a move, such as {example}, {others}")
        } else {
            format!(
                "Emilia moves first; then type a move, such as {}, {others}",
                Square::D6
            )
        };
        let strength = self.describe_strength();
        match self.humans {
            Humans::Black => format!("You play black. {how} {strength}"),
            Humans::White => format!("You play white. {how} {strength}"),
            Humans::Both => format!("You play both sides. {how}"),
            Humans::None => "Emilia plays both sides; Ctrl-C ends the game.".to_owned(),
        }
    }

    /// Returns a sentence about the strength of the engine and how to change it.
    fn describe_strength(&self) -> String {
        let limited = self.strength.0.is_none()
            && (self.limits.is_bounded() || self.limits.solve_from_empties.is_some());
        if limited {
            "Emilia plays within the limits given; level changes that.".to_owned()
        } else {
            format!(
                "Emilia plays at {}. To change that: level (beginner to best, h1 to h14, or 1 to \
                 60) and side.",
                self.strength
            )
        }
    }

    /// Writes a sentence to `out`, wrapped to the terminal width.
    fn say(&mut self, sentence: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.fit(sentence))
    }

    /// Writes a sentence to stderr, wrapped to the terminal width.
    fn complain(&self, sentence: &str) {
        self.fit(sentence)
            .lines()
            .for_each(|line| print_to_stderr(&line));
    }

    fn fit(&self, sentence: &str) -> String {
        let width = self.width.map_or(usize::MAX, |width| width());
        wrap(&printable(sentence), width, 0)
    }

    /// Shows the first position and lets the engine move if it is its turn.
    fn begin(&mut self) -> Result<(), Failure> {
        self.pass_if_forced()?;
        self.show_board()?;
        self.answer()
    }

    fn position(&self) -> Position {
        self.game.position()
    }

    /// Reads the next line, or returns `None` at the end of the input.
    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        let position = self.position();
        let moves = position.moves().into_iter().map(|mv| mv.to_string());
        let words = moves.chain(commands::WORDS.map(str::to_owned)).collect();
        let prompt = if self.is_over() {
            "over> ".to_owned()
        } else {
            format!("{}> ", position.mover)
        };
        match self.input.next(&prompt, words, self.out)? {
            Event::Line(text) => Ok(Some(text)),
            Event::Failed(error) => Err(Failure::Input(format!("stdin: {error}"))),
            Event::End | Event::Interrupted => Ok(None),
        }
    }

    /// Executes a command. Breaks if the program should end.
    fn obey(&mut self, command: Command) -> Result<ControlFlow<()>, Failure> {
        match command {
            Command::Play(mv) => {
                self.check(mv)?;
                self.undone.clear();
                self.play(mv)?;
                self.answer()?;
            }
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Step(back) => self.step(back)?,
            Command::Go => self.go()?,
            Command::Hint(count) => self.hint(count)?,
            Command::Eval => self.eval()?,
            Command::Save(path) => {
                let again = self.saved.as_ref().is_some_and(|saved| saved.path == path);
                let saved = save(&self.game, (self.humans, self.strength), &path, again)?;
                self.say(&saved)?;
                self.saved = Some(Saved::new(path, &self.game));
                if self.is_over() && self.input.prompting {
                    self.point_to_analysis()?;
                }
            }
            Command::Level(None) => {
                let sentence = self.describe_strength();
                self.say(&sentence)?;
            }
            Command::Level(Some(strength)) => {
                self.strength = strength;
                strength.apply(&mut self.limits, &mut self.play_settings);
                self.player.set_play_settings(self.play_settings);
                unsign(&mut self.game);
                self.say(&format!("From now on Emilia plays at {strength}."))?;
            }
            Command::Side(humans) => {
                self.humans = humans;
                if humans == Humans::None {
                    self.input.spare_no_more();
                }
                self.say(&match humans {
                    Humans::Black | Humans::White => format!("You play {}.", humans.name()),
                    Humans::Both => "You play both sides.".to_owned(),
                    Humans::None => "Emilia plays both sides; Ctrl-C ends the game.".to_owned(),
                })?;
                if !self.is_over() {
                    self.answer()?;
                }
            }
            Command::Resign => self.resign()?,
            Command::Moves => {
                if self.game.moves().is_empty() {
                    self.say("There are no moves yet.")?;
                } else {
                    writeln!(self.out, "{}", self.game.transcript())?;
                }
            }
            Command::Load(word) => {
                let loaded = load(&word)?;
                self.point_to_unsaved()?;
                self.replace_game(loaded.game);
                self.saved = (loaded.is_whole_file && loaded.count == 1)
                    .then(|| Saved::new(PathBuf::from(word), &self.game));
                if loaded.count > 1 {
                    self.say(&format!(
                        "Game {} of {}; load FILE:N for another.",
                        loaded.number, loaded.count
                    ))?;
                }
                self.begin()?;
            }
            Command::New => {
                self.point_to_unsaved()?;
                self.replace_game(Game::new(self.game.start()));
                self.saved = None;
                self.begin()?;
            }
            Command::Board => self.show_board()?,
            Command::Help => {
                let help = match self.width {
                    Some(width) => help(self.input.edits()).wrapped(width()),
                    None => help(self.input.edits()).to_string(),
                };
                write!(self.out, "{help}")?;
            }
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Replaces the game by another one and resets everything that belongs to the old one.
    fn replace_game(&mut self, game: Game) {
        self.game = game;
        self.undone.clear();
        self.player.clear();
        self.opening = None;
        self.resigned = false;
    }

    /// Clears the recorded result, which is invalid once the moves change.
    fn reopen(&mut self) {
        self.game.tags.outcome = None;
        self.resigned = false;
    }

    /// Checks that a move is legal now.
    ///
    /// # Errors
    /// If the game is over or the move is illegal.
    fn check(&self, mv: Move) -> Result<(), Failure> {
        let position = self.going_on()?;
        if position.play(mv).is_ok() {
            return Ok(());
        }
        Err(Failure::Input(format!(
            "{mv} is not legal for {}; legal moves: {}.",
            position.mover,
            moves(&position.moves())
        )))
    }

    /// Returns the position.
    ///
    /// # Errors
    /// If the game is over.
    fn going_on(&self) -> Result<Position, Failure> {
        let position = self.position();
        if position.is_over() {
            let complaint = "The game is over; undo goes back, new begins again.";
            return Err(Failure::Input(complaint.to_owned()));
        }
        Ok(position)
    }

    /// Takes moves back to the last position in which a person had a choice.
    fn undo(&mut self) -> Result<(), Failure> {
        let positions = self.game.positions();
        let back = (0..self.game.moves().len()).rev().find(|&length| {
            let position = &positions[length];
            self.humans.play(position.mover) && !position.must_pass()
        });
        let Some(length) = back else {
            return Err(Failure::Input("There is nothing to take back.".to_owned()));
        };
        self.take_back(length);
        Ok(self.show_board()?)
    }

    /// Takes moves back until `length` moves are left, passes included.
    fn take_back(&mut self, length: usize) {
        while self.game.moves().len() > length {
            self.undone.extend(self.game.undo());
        }
        self.reopen();
    }

    /// Redoes one move. Returns whether there was one.
    fn make_again(&mut self) -> bool {
        let next = self.undone.pop();
        next.is_some_and(|played| self.game.play(played).is_ok())
    }

    /// Redoes moves up to the next position in which a person has a choice.
    fn redo(&mut self) -> Result<(), Failure> {
        if !self.make_again() {
            return Err(Failure::Input("There is nothing to make again.".to_owned()));
        }
        let humans = self.humans;
        let is_choice = |position: Position| {
            humans.play(position.mover) && !position.must_pass() && !position.is_over()
        };
        while !is_choice(self.position()) && self.make_again() {}
        Ok(self.show_board()?)
    }

    /// Steps back by `back` discs placed, or forward if negative.
    fn step(&mut self, back: isize) -> Result<(), Failure> {
        let placed = self.game.placed();
        let next = placed.saturating_add_signed(-back);
        let all = placed
            + self
                .undone
                .iter()
                .filter(|one| one.mv != Move::Pass)
                .count();
        if next.min(all) == placed {
            let end = if back > 0 { "start" } else { "last move" };
            return Err(Failure::Input(format!("This is the {end} of the game.")));
        }
        if back > 0 {
            while self.game.placed() > next {
                self.take_back(self.game.moves().len() - 1);
            }
        } else {
            while self.game.placed() < next && self.make_again() {}
        }
        // A forced pass belongs to the move before it.
        while self.position().must_pass() && self.make_again() {}
        self.show_board()?;
        self.say(&format!("Move {} of {all}.", self.game.placed()))?;
        Ok(())
    }

    /// Lets the engine move for the side to move, then answer if it plays the next side too.
    fn go(&mut self) -> Result<(), Failure> {
        let position = self.going_on()?;
        if let Some(played) = self.move_of_engine(&position)? {
            self.undone.clear();
            self.play(played)?;
            self.answer()?;
        }
        Ok(())
    }

    /// Plays a legal move and the forced pass after it, and shows the board.
    fn play(&mut self, played: impl Into<Played>) -> Result<(), Failure> {
        let played = played.into();
        self.game
            .play(played)
            .map_err(|illegal| Failure::Input(illegal.to_string()))?;
        self.reopen();
        self.pass_if_forced()?;
        Ok(self.show_board()?)
    }

    fn pass_if_forced(&mut self) -> io::Result<()> {
        let position = self.position();
        if position.must_pass() && self.game.play(Move::Pass).is_ok() {
            writeln!(self.out, "{} has no legal move and passes.", position.mover)?;
        }
        Ok(())
    }

    /// Lets the engine move while it is its turn, and writes the result if the game is over.
    fn answer(&mut self) -> Result<(), Failure> {
        while let Some(played) = self.engine_move()? {
            self.play(played)?;
        }
        let position = self.position();
        if position.is_over() {
            self.say(&format!("Game over: {}.", outcome(&position)))?;
            self.look_back()?;
        }
        Ok(())
    }

    /// Resigns for the person's side, or for the side to move if people play both sides or none.
    fn resign(&mut self) -> Result<(), Failure> {
        let position = self.going_on()?;
        let loser = match self.humans {
            Humans::Black => Color::Black,
            Humans::White => Color::White,
            Humans::Both | Humans::None => position.mover,
        };
        // A resignation is recorded with a margin of 64 discs.
        let margin = if loser == Color::Black { -64.0 } else { 64.0 };
        self.game.tags.outcome = Some(Outcome {
            margin,
            ending: Ending::Resigned,
        });
        self.resigned = true;
        self.say(&format!("Game over: {loser} resigns, {} wins.", !loser))?;
        self.look_back()
    }

    /// Returns whether the game has ended, on the board or by resignation.
    fn is_over(&self) -> bool {
        self.position().is_over() || self.resigned
    }

    /// Writes the transcript of a finished game, and at a terminal its most costly moves.
    fn look_back(&mut self) -> Result<(), Failure> {
        if self.game.moves().is_empty() {
            return Ok(());
        }
        writeln!(self.out, "Transcript: {}", self.game.transcript())?;
        if !self.input.prompting || self.input.is_left() {
            return Ok(());
        }
        let engine = self.player.engine();
        if let Some(sentence) = review(engine, &self.game, self.humans, &self.input) {
            self.say(&sentence)?;
        }
        self.point_to_analysis()
    }

    /// Writes the command that analyses every move of the game.
    fn point_to_analysis(&mut self) -> Result<(), Failure> {
        let transcript = self.game.transcript();
        let complete = (self.saved.as_ref()).filter(|saved| saved.moves == transcript);
        if let Some(Saved { path, .. }) = complete {
            let game = resume::quoted(&path.display().to_string());
            let page = resume::quoted(&path.with_extension("html").display().to_string());
            writeln!(self.out, "Every move: emilia analyze {game} --html {page}")?;
        } else if transcript.start == Position::START {
            writeln!(self.out, "Every move: emilia analyze {transcript}")?;
        }
        if let Some(saved) = &self.saved
            && let Some(lack) = saved.lack(&self.game)
        {
            let sentence = format!("{lack}; save {} writes all.", saved.path.display());
            self.say(&sentence)?;
        }
        Ok(())
    }

    /// Plays the engine's move if it is its turn and returns it, announced but not yet made.
    fn engine_move(&mut self) -> Result<Option<Played>, Failure> {
        let position = self.position();
        if position.is_over() || self.humans.play(position.mover) || self.input.is_left() {
            return Ok(None);
        }
        self.move_of_engine(&position)
    }

    /// Searches and announces the engine's move. Returns `None` if the program is to end.
    fn move_of_engine(&mut self, position: &Position) -> Result<Option<Played>, Failure> {
        let search = self.player.start(position, &self.limits, None);
        let lines = self.think(search, false);
        let line = self.player.pick(position, lines);
        let Some(mv) = line.best_move().filter(|_| !self.input.is_left()) else {
            return Ok(None);
        };
        self.say(&format!(
            "Emilia plays {mv}: {} for {}, {}, {:.2} s",
            line.value,
            position.mover,
            depth(line.depth),
            line.elapsed.as_secs_f64()
        ))?;
        self.explain(&[line.depth])?;
        Ok(Some(Played {
            mv,
            eval: Some(line.value.discs()),
            time: Some(line.elapsed),
        }))
    }

    /// Runs a search to its end and shows its progress. With `any_key` the next key ends it.
    fn think(&self, mut search: SearchHandle, any_key: bool) -> Vec<Line> {
        // Keys must be watched before the note about them is shown.
        let _watch = self.input.watch(search.stop_handle(), any_key);
        let mut thinking = Thinking::new(if any_key { UNTIL_KEY } else { "" });
        while let Some(progress) = search.next_progress() {
            thinking.show(&progress);
        }
        search.wait()
    }

    /// Explains a selective depth, once, if `out` is a terminal.
    fn explain(&mut self, depths: &[Depth]) -> Result<(), Failure> {
        if self.explains_depth
            && self.width.is_some()
            && let Some(meaning) = depths.iter().find_map(|&depth| meaning(depth))
        {
            self.explains_depth = false;
            self.say(&format!("({meaning})"))?;
        }
        Ok(())
    }

    /// Shows the best moves with scores. Without limits, at a terminal, a key ends the search.
    fn hint(&mut self, count: usize) -> Result<(), Failure> {
        let position = self.going_on()?;
        let until_key = !self.limits.is_bounded() && self.input.awaits_keys();
        let limits = if until_key {
            self.limits.clone()
        } else {
            limits_with_default_time(&self.limits)
        };
        let search = (self.player.engine()).start(&position.board, count, &limits);
        let lines = self.think(search, until_key);
        if self.input.is_left() {
            return Ok(());
        }
        let table = hints(&position, &lines, self.width.map(|width| width()));
        write!(self.out, "{table}")?;
        if let Some(best) = lines.first() {
            let side = favoured(best.value, position.mover);
            self.say(&format!("{}: {side}.", best.value))?;
        }
        let depths: Vec<Depth> = lines.iter().map(|line| line.depth).collect();
        self.explain(&depths)
    }

    /// Shows the static evaluation of the position.
    fn eval(&mut self) -> Result<(), Failure> {
        let position = self.going_on()?;
        let evaluator = &self.player.settings().evaluator;
        let value = evaluator.evaluate(&position.board);
        let sentence = format!(
            "Static evaluation ({}): {value} discs for {}: {}.",
            evaluator.name(),
            position.mover,
            favoured(value, position.mover)
        );
        Ok(self.say(&sentence)?)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let view = BoardView {
            position: self.position(),
            last_move: self
                .game
                .moves()
                .iter()
                .rev()
                .map(|played| played.mv)
                .find(|&mv| mv != Move::Pass),
            colored: self.colored,
        };
        match self.width {
            Some(width) => writeln!(self.out, "{}", view.fitted(width()))?,
            None => writeln!(self.out, "{view}")?,
        }
        let opening = self.game.opening().map(|opening| opening.name);
        if opening != self.opening {
            self.opening = opening;
            if let Some(name) = opening {
                self.say(&format!("Opening: {name}"))?;
            }
        }
        Ok(())
    }

    /// Writes the command that resumes the game, if it is unfinished and has moves.
    fn point_to_game(&mut self) -> io::Result<()> {
        if self.is_over() || self.game.moves().is_empty() {
            return Ok(());
        }
        let command = self
            .given
            .command(&self.game, self.humans, self.strength, &self.limits);
        writeln!(self.out, "To go on: {command}")
    }

    /// Writes the command that resumes the game, unless a file holds all its moves.
    fn point_to_unsaved(&mut self) -> io::Result<()> {
        match &self.saved {
            Some(saved) if saved.lack(&self.game).is_none() => Ok(()),
            _ => self.point_to_game(),
        }
    }

    /// Points to the game and to the moves that its file lacks, and returns the verdict.
    fn leave(&mut self) -> Result<Verdict, Failure> {
        self.point_to_game()?;
        let saved = self.saved.as_ref();
        if let Some(lack) = saved.and_then(|saved| saved.lack(&self.game)) {
            self.say(&format!("{lack}."))?;
        }
        Ok(if self.input.is_interrupted() {
            Verdict::Interrupted
        } else {
            Verdict::Yes
        })
    }
}

/// Returns a sentence about the side that `value`, in discs for `mover`, favours.
fn favoured(value: Value, mover: Color) -> String {
    /// Least lead in discs. Smaller values count as even.
    const LEAST: f64 = 0.5;
    let discs = value.discs();
    if discs.abs() < LEAST {
        "the sides are even".to_owned()
    } else {
        let ahead = if discs > 0.0 { mover } else { !mover };
        format!("{ahead} is ahead")
    }
}
