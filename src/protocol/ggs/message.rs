//! Boards of the server: messages `join` and `update`.

use std::mem;

use emilia_core::board::{Color, Move, Position};
use emilia_games::{Game, Played, TimeLimit};

/// Maximum number of lines of a board message. The longest game has 120 moves and passes.
const MAX_LINES: usize = 256;

/// Name and clock of a side.
type PlayerTime = (String, TimeLimit);

/// Board message, collected line by line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BoardMessage {
    /// Id of the game: `.3`, or `.4.0` in synchro.
    pub(super) id: String,
    /// Whether it is a `join`, with the whole game, or an `update` with the last move.
    pub(super) is_join: bool,
    lines: usize,
    /// Whether a `join` announces moves.
    has_moves: bool,
    moves: Vec<(usize, Played)>,
    /// Name and clock of Black and White. A `join` lists the clocks at the start before the current
    /// ones, which replace them.
    sides: [Option<PlayerTime>; 2],
    /// Clock of the first clock line.
    limit: Option<TimeLimit>,
    /// Squares of the board whose rows are arriving.
    squares: String,
    /// Boards of the message: start and current board of a `join` with moves, otherwise the current
    /// board.
    boards: Vec<Position>,
}

impl BoardMessage {
    /// Begins the message of a head line.
    pub(super) fn new(id: &str, is_join: bool) -> BoardMessage {
        BoardMessage {
            id: id.to_owned(),
            is_join,
            ..BoardMessage::default()
        }
    }

    /// Adds a line without its `|`. Returns whether it is the last one.
    ///
    /// # Errors
    /// One sentence if the rows are not a board, or the message is too long.
    pub(super) fn add(&mut self, line: &str) -> Result<bool, String> {
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Err(format!("it has more than {MAX_LINES} lines"));
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [count, "move(s)"] => self.has_moves = count != "0",
            [mover, "to", "move"] => {
                let text = mem::take(&mut self.squares) + mover;
                let board = text.parse();
                self.boards.push(board.map_err(|error| format!("{error}"))?);
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
        Ok(self.boards.len() > usize::from(self.has_moves))
    }

    /// Returns the position and both sides now, Black first.
    pub(super) fn now(&self) -> Option<(Position, [PlayerTime; 2])> {
        let [Some(black), Some(white)] = self.sides.clone() else {
            return None;
        };
        Some((*self.boards.last()?, [black, white]))
    }

    /// Updates the record of the game. A `join` begins it anew. Returns whether the record leads to
    /// `position`, the current one. If at most two moves are missing, they follow from the boards.
    /// Otherwise the record begins at `position`.
    pub(super) fn update(
        &self,
        position: Position,
        sides: &[PlayerTime; 2],
        game: &mut Game,
    ) -> bool {
        if self.is_join {
            *game = Game::new(self.boards[0]);
            [game.tags.black, game.tags.white] = sides.each_ref().map(|(name, _)| name.clone());
            game.tags.time = self.limit;
        }
        for (number, played) in &self.moves {
            // Move 0 is a pass that stands for no move.
            if *number == game.moves().len() + 1 && game.play(*played).is_err() {
                break;
            }
        }
        let is_right = game.position() == position || play_missing(game, position);
        if !is_right {
            game.restart(position);
        }
        is_right
    }
}

/// Parses the move of a move line. An annotation that is not a plain number is ignored.
fn played_of(text: &str) -> Option<Played> {
    let square = || text.split('/').next()?.parse::<Move>().ok();
    text.parse().ok().or_else(|| square().map(Played::from))
}

/// Plays the one or two moves of lost lines that lead to `position`. Returns whether there are any.
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
    Some((
        color,
        (name.trim().to_owned(), TimeLimit::of_server(limit.trim())?),
    ))
}
