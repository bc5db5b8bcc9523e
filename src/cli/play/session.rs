//! The game and its loop: read a command, obey it, let the engine answer.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::Humans;
use super::commands::{Command, help};
use super::save::save;
use super::thinking::{Thinking, depth};
use crate::board::{Move, Position, Transcript};
use crate::cli::Failure;
use crate::search::{Engine, Limits};
use crate::view::{Align, BoardView, Table, moves, outcome};

/// How many moves of a line `hint` shows, so that it fits a terminal.
const HINT_MOVES: usize = 16;

/// A game in progress, and the two ends it is played from.
pub(super) struct Session<'a> {
    pub(super) game: Transcript,
    pub(super) humans: Humans,
    pub(super) engine: Engine,
    pub(super) limits: Limits,
    pub(super) colored: bool,
    /// Whether somebody sits at the other end of `input`.
    pub(super) prompting: bool,
    pub(super) input: &'a mut dyn BufRead,
    pub(super) out: &'a mut dyn Write,
    /// The file this game was last saved as: it may be written again.
    pub(super) saved_as: Option<PathBuf>,
}

impl Session<'_> {
    /// Plays until the input ends or says so; without people, until the game ends.
    pub(super) fn run(mut self) -> Result<(), Failure> {
        self.begin()?;
        if self.humans == Humans::None {
            return Ok(());
        }
        while let Some(line) = self.read_line()? {
            if line.trim().is_empty() {
                continue;
            }
            match line.parse().and_then(|command| self.obey(command)) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(Failure::Input(complaint)) => {
                    // Whoever closed stderr does not want to hear it.
                    let _ = writeln!(io::stderr(), "{complaint}");
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(self.take_leave()?)
    }

    /// Shows the position to begin from, and lets the engine move if it is its turn.
    fn begin(&mut self) -> io::Result<()> {
        self.pass_if_forced()?;
        self.show_board()?;
        self.answer()
    }

    fn position(&self) -> Position {
        self.game.end()
    }

    /// The next line of input; `None` at its end. Bytes that are no text make a line like any other, which is then no
    /// command.
    fn read_line(&mut self) -> io::Result<Option<String>> {
        if self.prompting {
            write!(self.out, "{}> ", self.position().mover)?;
            self.out.flush()?;
        }
        let mut line = Vec::new();
        let ended = self.input.read_until(b'\n', &mut line)? == 0;
        if ended && self.prompting {
            writeln!(self.out)?;
        }
        Ok((!ended).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Does what was typed; breaks to leave.
    fn obey(&mut self, command: Command) -> Result<ControlFlow<()>, Failure> {
        match command {
            Command::Play(mv) => {
                self.check(mv)?;
                self.play(mv)?;
                self.answer()?;
            }
            Command::Undo => self.undo()?,
            Command::Hint(count) => self.hint(count)?,
            Command::Eval => self.eval()?,
            Command::Save(path) => {
                save(&self.game, &path, self.saved_as.as_ref() == Some(&path))?;
                writeln!(self.out, "Saved as {}.", path.display())?;
                self.saved_as = Some(path);
            }
            Command::New => {
                self.game = Transcript::new(self.game.start);
                self.engine.clear();
                self.saved_as = None;
                self.begin()?;
            }
            Command::Board => self.show_board()?,
            Command::Help => write!(self.out, "{}", help())?,
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether the person may play this move.
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

    /// The position, unless the game is over.
    fn going_on(&self) -> Result<Position, Failure> {
        let position = self.position();
        if position.is_over() {
            let complaint = "The game is over; undo goes back, new begins again.";
            return Err(Failure::Input(complaint.to_owned()));
        }
        Ok(position)
    }

    /// Goes back to where a person was last to choose.
    fn undo(&mut self) -> Result<(), Failure> {
        let positions: Vec<Position> = self.game.positions().collect();
        let back = (0..self.game.moves.len()).rev().find(|&length| {
            let position = &positions[length];
            self.humans.play(position.mover) && !position.must_pass()
        });
        let Some(length) = back else {
            return Err(Failure::Input("There is nothing to take back.".to_owned()));
        };
        self.game.moves.truncate(length);
        Ok(self.show_board()?)
    }

    /// Makes a legal move, and the pass that it forces, and shows the board.
    fn play(&mut self, mv: Move) -> io::Result<()> {
        self.game.moves.push(mv);
        self.pass_if_forced()?;
        self.show_board()
    }

    fn pass_if_forced(&mut self) -> io::Result<()> {
        let position = self.position();
        if position.must_pass() {
            writeln!(self.out, "{} has no legal move and passes.", position.mover)?;
            self.game.moves.push(Move::Pass);
        }
        Ok(())
    }

    /// Lets the engine move as long as it is its turn, and tells the result when the game has ended.
    fn answer(&mut self) -> io::Result<()> {
        while let Some(mv) = self.engine_move()? {
            self.play(mv)?;
        }
        let position = self.position();
        if position.is_over() {
            writeln!(self.out, "Game over: {}.", outcome(&position))?;
            writeln!(self.out, "Transcript: {}", self.game)?;
        }
        Ok(())
    }

    /// The engine's move, announced; `None` if it is not its turn.
    fn engine_move(&mut self) -> io::Result<Option<Move>> {
        let position = self.position();
        if position.is_over() || self.humans.play(position.mover) {
            return Ok(None);
        }
        let line = self
            .engine
            .search(&position.board, &self.limits, &mut Thinking::new());
        let mv = line.best_move();
        if let Some(mv) = mv {
            writeln!(
                self.out,
                "Emilia plays {mv}: {} for {}, {}, {:.2} s",
                line.value,
                position.mover,
                depth(line.depth),
                line.elapsed.as_secs_f64()
            )?;
        }
        Ok(mv)
    }

    /// The best moves with their scores.
    fn hint(&mut self, count: usize) -> Result<(), Failure> {
        let position = self.going_on()?;
        let lines = self
            .engine
            .hint(&position.board, count, &self.limits, &mut Thinking::new());
        let score = format!("discs for {}", position.mover);
        let mut table = Table::new([
            ("move", Align::Left),
            (&score, Align::Right),
            ("search", Align::Left),
            ("line", Align::Left),
        ]);
        for line in lines {
            let shown = &line.pv[..line.pv.len().min(HINT_MOVES)];
            table.row([
                moves(&line.pv[..line.pv.len().min(1)]),
                line.value.to_string(),
                depth(line.depth),
                moves(shown),
            ]);
        }
        Ok(write!(self.out, "{table}")?)
    }

    /// The static evaluation.
    fn eval(&mut self) -> Result<(), Failure> {
        let position = self.going_on()?;
        let evaluator = &self.engine.settings().evaluator;
        Ok(writeln!(
            self.out,
            "Static evaluation ({}): {} discs for {}",
            evaluator.name(),
            evaluator.evaluate(&position.board),
            position.mover
        )?)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let view = BoardView {
            position: self.position(),
            last_move: self
                .game
                .moves
                .iter()
                .copied()
                .rev()
                .find(|&mv| mv != Move::Pass),
            colored: self.colored,
        };
        writeln!(self.out, "{view}")
    }

    /// Says how an unfinished game can be taken up again.
    fn take_leave(&mut self) -> io::Result<()> {
        if self.position().is_over() || self.game.moves.is_empty() {
            Ok(())
        } else if self.game.start == Position::START {
            writeln!(self.out, "To go on: emilia play {}", self.game)
        } else {
            writeln!(self.out, "To go on: emilia play {}", self.position())
        }
    }
}
