//! Boards of the server: messages `join` and `update`.

use std::mem;
use std::time::Duration;

use super::parse_clock;
use emilia_core::board::{Color, Move, Position};
use emilia_games::{Game, Played, TimeLimit};

/// Maximum number of lines of a board message. The longest game has 120 moves and passes, and a
/// line for each.
const MAX_LINES: usize = 256;

/// Name and clock of a side.
pub(super) type PlayerTime = (String, TimeLimit);

/// Board message, collected line by line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BoardMessage {
    /// Id of the game: `.3`, or `.4.0` in synchro.
    pub(super) id: String,
    /// Time at which the last line of the message arrived, as read from the session's clock.
    pub(super) since: Duration,
    /// Whether the message is a `join`, with the whole game, or an `update` with the last move.
    pub(super) is_join: bool,
    lines: usize,
    /// Number of moves that a `join` announces.
    count: Option<usize>,
    moves: Vec<(usize, Played)>,
    /// Names and current clocks of Black and White. The clocks at the start of the game come first
    /// in a message, and the current clocks replace them.
    pub(super) sides: [Option<PlayerTime>; 2],
    /// Clock on the first clock line: the time control of the game.
    pub(super) limit: Option<TimeLimit>,
    /// Squares of the board whose rows are arriving.
    squares: String,
    /// Boards of the message: first and current board of a `join` with moves, otherwise the current
    /// board. `None` for a board with a missing row.
    boards: Vec<Option<Position>>,
}

impl BoardMessage {
    /// Begins a message at its first line, which has the game's `id`.
    pub(super) fn new(id: &str, is_join: bool, since: Duration) -> BoardMessage {
        BoardMessage {
            id: id.to_owned(),
            since,
            is_join,
            ..BoardMessage::default()
        }
    }

    /// Adds a line without its `|`. Returns whether it is the last line of the message.
    ///
    /// # Errors
    /// If the message has more than [`MAX_LINES`] lines.
    pub(super) fn add(&mut self, line: &str, now: Duration) -> Result<bool, String> {
        self.since = now;
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Err(format!("it has more than {MAX_LINES} lines"));
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [count, "move(s)"] => self.count = count.parse().ok(),
            [mover, "to", "move"] => {
                let board = mem::take(&mut self.squares) + mover;
                self.boards.push(board.parse().ok());
            }
            [row, ref squares @ .., last] if row == last && squares.len() == 8 => {
                self.squares.extend(squares.iter().copied());
            }
            [number, played] if number.ends_with(':') => {
                let parsed = number.trim_end_matches(':').parse();
                self.moves.extend(parsed.ok().zip(played_of(played)));
            }
            _ => {
                if let Some((color, side)) = side(line) {
                    self.limit.get_or_insert(side.1);
                    self.sides[color as usize] = Some(side);
                }
            }
        }
        let has_start = self.is_join && self.count != Some(0);
        Ok(self.boards.len() > usize::from(has_start))
    }

    /// Ends a message whose last line was lost.
    pub(super) fn end(&mut self) {
        self.boards.push(None);
    }

    /// Returns the record of the game up to this message: `so_far`, extended by the moves of the
    /// message. If a `join` does not continue `so_far`, returns a new record. Returns `None` if the
    /// message does not determine a record.
    pub(super) fn record(&self, so_far: Option<&Game>) -> Option<Game> {
        let extended = so_far.and_then(|game| self.extended(game.clone()));
        extended.or_else(|| {
            let start = (*self.boards.first()?)?;
            let is_whole = self.is_join && self.count.is_some();
            is_whole.then(|| self.extended(Game::new(start)))?
        })
    }

    /// Adds the moves of the message to `game`. A complete board also reveals up to two moves whose
    /// lines were lost. Returns `None` unless the board equals the record's last position or, if
    /// rows of the board are lost, the last move of the message is the record's last move.
    fn extended(&self, mut game: Game) -> Option<Game> {
        for (number, played) in &self.moves {
            // Before the first move, the server writes a pass as move 0. Its number fits no move,
            // so this pass is not played.
            if *number == game.moves().len() + 1 && game.play(*played).is_err() {
                break;
            }
        }
        let is_shown = if let Some(position) = *self.boards.last()? {
            game.position() == position || play_missing(&mut game, position)
        } else {
            let (number, last) = self.moves.last()?;
            let is_last = game.moves().last().is_some_and(|own| own.mv == last.mv);
            is_last && *number == game.moves().len()
        };
        is_shown.then_some(game)
    }
}

/// Parses the move of a move line. Ignores an annotation that is not a plain number.
fn played_of(text: &str) -> Option<Played> {
    let square = || text.split('/').next()?.parse::<Move>().ok();
    text.parse().ok().or_else(|| square().map(Played::from))
}

/// Plays the one or two moves from the current position of `game` to `position`, whose lines were
/// lost. Returns whether such moves exist.
fn play_missing(game: &mut Game, position: Position) -> bool {
    let before = game.position();
    let mut after_one = Vec::new();
    for mv in before.moves() {
        let Ok(next) = before.play(mv) else { continue };
        after_one.push((vec![mv], next));
    }
    let after_two: Vec<_> = (after_one.iter())
        .flat_map(|(first, between)| {
            let seconds = between.moves().into_iter();
            seconds.filter_map(|mv| Some((vec![first[0], mv], between.play(mv).ok()?)))
        })
        .collect();
    let mut found = after_one.into_iter().chain(after_two);
    let Some((moves, _)) = found.find(|(_, next)| *next == position) else {
        return false;
    };
    moves.into_iter().all(|mv| game.play(mv).is_ok())
}

/// Parses a clock line: `emilia   (1720.0 *) 05:00,0:0//02:00,0:0`. The colour is `*` or `O`, and
/// missing while the sides bid for a komi.
fn side(line: &str) -> Option<(Color, PlayerTime)> {
    let (name, rest) = line.split_once('(')?;
    let (player, limit) = rest.split_once(')')?;
    let color = match player.split_whitespace().next_back()? {
        "*" => Color::Black,
        "O" => Color::White,
        _ => return None,
    };
    Some((color, (name.trim().to_owned(), parse_clock(limit.trim())?)))
}
