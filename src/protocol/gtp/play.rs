//! The commands that make up a game: board, moves, clocks, score.

use std::path::Path;
use std::time::Instant;

use super::request::color;
use super::{Answer, DONE, Session, refuse};
use crate::board::{Color, IllegalMove, Move, Position, Square};
use crate::eval::Value;
use crate::files;
use crate::game::Game;
use crate::player::bounded;
use crate::protocol::seconds;
use crate::search::{Line, Search, TimeControl};

/// The longest file that can be a game.
const LONGEST_FILE: u64 = files::MIB;

const NO_MOVE: &str = "invalid color or coordinate";
const ILLEGAL: &str = "illegal move";

pub(super) fn boardsize(arguments: &[&str]) -> Answer {
    match arguments {
        ["8"] => DONE,
        _ => refuse("unacceptable size"),
    }
}

/// Othello has no komi, but clients for Go set one.
pub(super) fn komi(arguments: &[&str]) -> Answer {
    match arguments {
        [komi] if komi.parse::<f64>().is_ok() => DONE,
        _ => refuse("komi is not a number"),
    }
}

pub(super) fn set_game(arguments: &[&str]) -> Answer {
    let game = arguments.join(" ").to_ascii_lowercase();
    match game.as_str() {
        "othello" | "reversi" => DONE,
        _ => refuse("unsupported game"),
    }
}

impl Session {
    /// The table of the engine is kept: clients clear the board often, to show another position of the same game.
    pub(super) fn clear_board(&mut self) {
        self.begin(Game::default());
        self.clock.board_cleared();
    }

    /// Forgets all that was learnt, so that the next search does not depend on earlier ones: match runners send it
    /// between games.
    pub(super) fn clear_cache(&mut self) {
        self.player.clear();
    }

    fn begin(&mut self, game: Game) {
        self.history = (0..game.moves().len()).collect();
        self.game = game;
    }

    /// `emilia-setboard POS`.
    pub(super) fn setboard(&mut self, arguments: &[&str]) -> Answer {
        let text = arguments.join(" ");
        let position: Position = text.parse().map_err(|error| format!("position: {error}"))?;
        self.begin(Game::new(position));
        DONE
    }

    /// `loadsgf FILE [NUMBER]`: the position before that move, passes not counted.
    pub(super) fn loadsgf(&mut self, arguments: &[&str]) -> Answer {
        let (name, before) = match arguments {
            [] => return refuse("loadsgf needs a file name"),
            [name @ .., number] if !name.is_empty() && number.parse::<usize>().is_ok() => {
                (name, number.parse::<usize>().ok())
            }
            name => (name, None),
        };
        let text = read_file(&name.join(" "))?;
        let mut game =
            Game::from_sgf(&text).map_err(|error| format!("cannot load file: {error}"))?;
        if let Some(number) = before {
            while game.placed() >= number.max(1) {
                game.undo();
            }
        }
        self.begin(game);
        DONE
    }

    pub(super) fn play(&mut self, arguments: &[&str]) -> Answer {
        let &[player, vertex] = arguments else {
            return refuse(NO_MOVE);
        };
        let (Some(color), Ok(mv)) = (color(player), vertex.parse()) else {
            return refuse(NO_MOVE);
        };
        self.make(color, mv).map_err(|_| ILLEGAL.to_owned())?;
        DONE
    }

    /// Plays a move that the client knows of. At the end of the game both sides may pass as often as they like.
    fn make(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let before = self.game.moves().len();
        if mv != Move::Pass || !self.game.is_over() {
            self.game.play_as(color, mv)?;
        }
        self.history.push(before);
        Ok(())
    }

    pub(super) fn undo(&mut self, _: &[&str]) -> Answer {
        match self.history.pop() {
            Some(count) => {
                self.game.truncate(count);
                DONE
            }
            None => refuse("cannot undo"),
        }
    }

    pub(super) fn genmove(&mut self, arguments: &[&str]) -> Answer {
        let (color, mv) = self.find_move(arguments)?;
        self.make(color, mv).map_err(|error| error.to_string())?;
        Ok(vertex(mv))
    }

    /// As `genmove`, with the board left as it is.
    pub(super) fn reg_genmove(&mut self, arguments: &[&str]) -> Answer {
        let (_, mv) = self.find_move(arguments)?;
        // No opponent is going to answer it.
        self.player.engine();
        Ok(vertex(mv))
    }

    /// The colour asked for and its best move.
    fn find_move(&mut self, arguments: &[&str]) -> Result<(Color, Move), String> {
        let &[player] = arguments else {
            return Err("a colour is needed".to_owned());
        };
        let color = color(player).ok_or("invalid color")?;
        if self.game.is_over() {
            return Ok((color, Move::Pass));
        }
        let position = self.position_for(color)?;
        if position.must_pass() {
            return Ok((color, Move::Pass));
        }
        let started = Instant::now();
        let clock = self.time(color);
        let search = self.player.start(&position, &self.setup.limits, clock);
        let lines = self.lines(search)?;
        let line = self.player.pick(&position, lines);
        self.clock.spent(color, started.elapsed());
        self.player.expect(&position, &line);
        Ok((color, line.best_move().unwrap_or(Move::Pass)))
    }

    /// What a search finds, which has limits.
    fn lines(&self, search: Search) -> Result<Vec<Line>, String> {
        let lines = self.inbox.attend(search, true, |_| Ok(()));
        lines.map_err(|error| error.to_string())
    }

    /// The position with `color` to move, after the other side's forced pass where that was left out.
    fn position_for(&self, color: Color) -> Result<Position, String> {
        let position = self.game.position();
        if position.mover == color {
            Ok(position)
        } else if position.must_pass() {
            Ok(position.with_mover(color))
        } else {
            Err(format!("{ILLEGAL}: it is the turn of {}", position.mover))
        }
    }

    /// The time for the next move of `color`, if there is a clock.
    pub(super) fn time(&mut self, color: Color) -> Option<TimeControl> {
        self.clock.start(color, self.game.moves().len())
    }

    /// `time_settings MAIN BYO STONES`.
    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Answer {
        let &[main, byo, stones] = arguments else {
            return refuse("time_settings needs main time, byo yomi time and stones");
        };
        match (seconds(main), seconds(byo), stones.parse()) {
            (Some(main), Some(byo), Ok(stones)) => {
                self.clock.set(main, byo, stones);
                DONE
            }
            _ => refuse("times are not numbers from 0"),
        }
    }

    /// `time_left COLOR TIME STONES`.
    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Answer {
        let &[player, left, stones] = arguments else {
            return refuse("time_left needs a colour, time and stones");
        };
        match (color(player), seconds(left), stones.parse()) {
            (Some(color), Some(left), Ok(stones)) => {
                self.clock.correct(color, left, stones);
                DONE
            }
            (None, ..) => refuse("invalid color"),
            _ => refuse("times are not numbers from 0"),
        }
    }

    pub(super) fn final_score(&mut self, _: &[&str]) -> Answer {
        match self.game.score() {
            None => refuse("cannot score: the game is not over"),
            Some(0) => Ok("0".to_owned()),
            Some(score) if score > 0 => Ok(format!("B+{score}")),
            Some(score) => Ok(format!("W+{}", -score)),
        }
    }

    /// `emilia-eval`: the static evaluation for the side to move, in discs; the score when the game is over.
    pub(super) fn eval(&self) -> String {
        let board = self.game.position().board;
        let value = if board.is_over() {
            Value::from_score(board.final_score())
        } else {
            self.setup.settings.evaluator.evaluate(&board)
        };
        value.to_string()
    }

    /// `emilia-hint [N]`: the best moves, best first, one a line: move, value, depth, line of play.
    pub(super) fn hint(&mut self, arguments: &[&str]) -> Answer {
        let count = match arguments {
            [] => Ok(1),
            [count] => count.parse().map_err(|_| ()),
            _ => Err(()),
        };
        let Some(count) = count.ok().filter(|&count: &usize| count > 0) else {
            return refuse("emilia-hint needs a number of moves from 1");
        };
        let limits = bounded(&self.setup.limits);
        let board = self.game.position().board;
        let search = self.player.engine().start(&board, count, &limits);
        let lines = self.lines(search)?;
        let rows = lines.iter().filter_map(|line| {
            let pv: String = line.pv.iter().map(|&mv| vertex(mv) + " ").collect();
            let best = vertex(line.best_move()?);
            Some(format!(
                "{best} {} {} {}",
                line.value,
                line.depth,
                pv.trim_end()
            ))
        });
        Ok(rows.collect::<Vec<_>>().join("\n"))
    }
}

/// `F5` or `PASS`.
pub(super) fn vertex(mv: Move) -> String {
    mv.to_string().to_ascii_uppercase()
}

/// The text of a file; bytes that are no UTF-8 are replaced. To open a pipe or a device could block the session for ever.
fn read_file(name: &str) -> Result<String, String> {
    let bytes = files::read_plain(Path::new(name), LONGEST_FILE);
    let bytes = bytes.map_err(|error| format!("cannot load file: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// All squares of a row, first row first, as `cell` writes them.
pub(super) fn row(position: &Position, rank: u8) -> String {
    let cells = (0..8).map(|file| {
        let disc = position.disc_on(Square::at(file, rank));
        disc.map_or(".", |color| match color {
            Color::Black => "X",
            Color::White => "O",
        })
    });
    cells.collect::<Vec<_>>().join(" ")
}
