//! GTP commands of a game: board, moves, clocks, score, evaluation and hints.
//! The commands act on the game, the player and the clock of the session.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{DONE, GtpSession, Response, color, refuse};
use crate::seconds;
use emilia_core::board::{Color, IllegalMove, Move, Position, Square};
use emilia_core::eval::Value;
use emilia_core::search::{Line, SearchHandle};
use emilia_games::Game;
use emilia_player::limits_for_move;

/// Maximum size of a game file, in bytes.
const MAX_FILE: u64 = emilia_files::MIB;

const NO_TIME: &str = "expected times in seconds and a number of stones";
const INVALID_VERTEX: &str = "invalid color or coordinate";
const ILLEGAL: &str = "illegal move";

pub(super) fn boardsize(arguments: &[&str]) -> Response {
    match arguments {
        ["8"] => DONE,
        _ => refuse("unacceptable size"),
    }
}

/// Accepts and ignores komi: Othello has none, but Go clients set it.
pub(super) fn komi(arguments: &[&str]) -> Response {
    match arguments {
        [komi] if komi.parse::<f64>().is_ok() => DONE,
        _ => refuse("komi is not a number"),
    }
}

pub(super) fn set_game(arguments: &[&str]) -> Response {
    let game = arguments.join(" ").to_ascii_lowercase();
    match game.as_str() {
        "othello" | "reversi" => DONE,
        _ => refuse("unsupported game"),
    }
}

impl GtpSession {
    /// Starts a new game. The hash table is kept, because clients also clear the board to show
    /// another position.
    pub(super) fn clear_board(&mut self) -> Response {
        self.begin(Game::default());
        self.clock.board_cleared();
        DONE
    }

    /// Clears the hash table, so that the next search does not depend on earlier ones.
    /// Match runners send `clear_cache` between games.
    pub(super) fn clear_cache(&mut self) -> Response {
        self.player.clear();
        DONE
    }

    fn begin(&mut self, game: Game) {
        self.history = (0..game.moves().len()).collect();
        self.game = game;
    }

    /// `emilia-setboard POS`: starts a game from this position.
    pub(super) fn setboard(&mut self, arguments: &[&str]) -> Response {
        let text = arguments.join(" ");
        let position: Position = text.parse().map_err(|error| format!("position: {error}"))?;
        self.begin(Game::new(position));
        DONE
    }

    /// `loadsgf FILE [NUMBER]`: loads a game up to the position before move `NUMBER`. Passes are
    /// not counted.
    pub(super) fn loadsgf(&mut self, arguments: &[&str]) -> Response {
        let (name, before) = match arguments {
            [] => return refuse("loadsgf: expected a file name"),
            [name @ .., number] if !name.is_empty() && number.parse::<usize>().is_ok() => {
                (name, number.parse::<usize>().ok())
            }
            name => (name, None),
        };
        let text = read_file(&name.join(" "))?;
        let mut game: Game = text
            .parse()
            .map_err(|error| format!("cannot load file: {error}"))?;
        if let Some(number) = before {
            while game.placed() >= number.max(1) {
                game.undo();
            }
        }
        self.begin(game);
        DONE
    }

    pub(super) fn play(&mut self, arguments: &[&str]) -> Response {
        let &[player, vertex] = arguments else {
            return refuse(INVALID_VERTEX);
        };
        let (Some(color), Ok(mv)) = (color(player), vertex.parse()) else {
            return refuse(INVALID_VERTEX);
        };
        self.make(color, mv).map_err(|_| ILLEGAL.to_owned())?;
        DONE
    }

    /// Plays a move. After the end of the game, both sides may pass any number of times.
    fn make(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let before = self.game.moves().len();
        if mv != Move::Pass || !self.game.is_over() {
            self.game.play_as(color, mv)?;
        }
        self.history.push(before);
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Response {
        match self.history.pop() {
            Some(count) => {
                self.game.truncate(count);
                DONE
            }
            None => refuse("cannot undo"),
        }
    }

    pub(super) fn genmove(&mut self, arguments: &[&str]) -> Response {
        let (color, mv) = self.find_move(arguments)?;
        self.make(color, mv).map_err(|error| error.to_string())?;
        Ok(vertex(mv))
    }

    /// Executes `reg_genmove`: returns a move like `genmove`, without playing it.
    pub(super) fn reg_genmove(&mut self, arguments: &[&str]) -> Response {
        let (_, mv) = self.find_move(arguments)?;
        // The move is not played, so there is no reply to ponder on.
        self.player.stop_pondering();
        Ok(vertex(mv))
    }

    /// Returns the requested colour and the move that the player chooses for it.
    fn find_move(&mut self, arguments: &[&str]) -> Result<(Color, Move), String> {
        let &[player] = arguments else {
            return Err("a color is needed".to_owned());
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
        let clock = self.clock.start(color, self.game.moves().len());
        let limits = self.setup.limits.clone().with_clock(clock);
        let search = self.player.start(&position, &limits);
        let lines = self.lines(search.map_err(|error| error.to_string())?)?;
        let line = self.player.pick(&position, lines);
        self.clock.spent(color, started.elapsed());
        self.player.expect(&position, &line);
        Ok((color, line.best_move().unwrap_or(Move::Pass)))
    }

    /// Waits for the end of a search that has limits, and returns its search lines: the reported
    /// moves, each with value and PV.
    fn lines(&mut self, search: SearchHandle) -> Result<Vec<Line>, String> {
        let lines = self.inbox.wait_for_search(search, true, |_| Ok(()));
        lines.map_err(|error| error.to_string())
    }

    /// Returns the position with `color` to move. `color` may be the opponent of a side that must
    /// pass, because some clients omit forced passes.
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

    /// `time_settings MAIN BYO STONES`: sets the clocks of both sides, times in seconds.
    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Response {
        let &[main, byo, stones] = arguments else {
            return refuse("time_settings: expected main time, byo-yomi time and stones");
        };
        let (byo, stones) = time_and_stones(byo, stones)?;
        let main = seconds(main).ok_or(NO_TIME)?;
        self.clock.set(main, byo, stones);
        DONE
    }

    /// `kgs-time_settings SYSTEM …`: sets the clocks by a time system of KGS. In byo-yomi, each
    /// period is the time of one move. The number of periods is ignored, because the last period
    /// repeats.
    pub(super) fn kgs_time_settings(&mut self, arguments: &[&str]) -> Response {
        match *arguments {
            ["none"] => self.time_settings(&["0", "0", "0"]),
            ["absolute", main] => self.time_settings(&[main, "0", "0"]),
            ["byoyomi", main, time, _] => self.time_settings(&[main, time, "1"]),
            ["canadian", main, time, stones] => self.time_settings(&[main, time, stones]),
            _ => refuse(
                "kgs-time_settings: expected none, absolute MAIN, byoyomi MAIN TIME PERIODS or \
                 canadian MAIN TIME STONES",
            ),
        }
    }

    /// `time_left COLOR TIME STONES`: corrects the remaining time of one side, in seconds.
    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Response {
        let &[player, left, stones] = arguments else {
            return refuse("time_left: expected a color, time and stones");
        };
        let color = color(player).ok_or("invalid color")?;
        let (left, stones) = time_and_stones(left, stones)?;
        self.clock.correct(color, left, stones);
        DONE
    }

    pub(super) fn final_score(&self) -> Response {
        match self.game.score() {
            None => refuse("cannot score: the game is not over"),
            Some(0) => Ok("0".to_owned()),
            Some(score) if score > 0 => Ok(format!("B+{score}")),
            Some(score) => Ok(format!("W+{}", -score)),
        }
    }

    /// `emilia-eval`: static evaluation for the side to move, or the final score, in discs.
    pub(super) fn eval(&self) -> String {
        let board = self.game.position().board;
        let value = if board.is_over() {
            Value::from_score(board.final_score())
        } else {
            self.setup.settings.evaluator.evaluate(&board)
        };
        value.to_string()
    }

    /// `emilia-hint [N]`: the N best moves, best first, one move a line: move, value, depth, PV.
    pub(super) fn hint(&mut self, arguments: &[&str]) -> Response {
        let given = match arguments {
            [] => Some(1),
            [count] => count.parse().ok().filter(|&count: &usize| count > 0),
            _ => None,
        };
        let count = given.ok_or("emilia-hint needs a number of moves from 1")?;
        let limits = limits_for_move(&self.setup.limits);
        let board = self.game.position().board;
        let search = self.player.stop_pondering().start(&board, count, &limits);
        let lines = self.lines(search.map_err(|error| error.to_string())?)?;
        let rows = lines.into_iter().filter_map(|line| {
            let pv: Vec<String> = line.pv.iter().map(|&mv| vertex(mv)).collect();
            let (best, pv) = (pv.first()?, pv.join(" "));
            Some(format!("{best} {} {} {pv}", line.value, line.depth))
        });
        Ok(rows.collect::<Vec<_>>().join("\n"))
    }
}

/// Parses a time in seconds and a number of stones.
fn time_and_stones(time: &str, stones: &str) -> Result<(Duration, u32), String> {
    let both = seconds(time).zip(stones.parse().ok());
    both.ok_or_else(|| NO_TIME.to_owned())
}

/// Formats a move as `F5` or `PASS`.
pub(super) fn vertex(mv: Move) -> String {
    mv.to_string().to_ascii_uppercase()
}

/// Reads a text file, with invalid UTF-8 replaced.
/// Rejects pipes and devices, which could block the session forever.
fn read_file(name: &str) -> Result<String, String> {
    let path = Path::new(name);
    let read = emilia_files::check_plain(path).and_then(|()| emilia_files::read(path, MAX_FILE));
    let bytes = read.map_err(|error| format!("cannot load file: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Formats row `rank` (from 0) as eight cells `X`, `O` or `.`, separated by spaces.
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
