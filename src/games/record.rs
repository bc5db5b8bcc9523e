//! [`Game`]: the record of a game, with its positions, tags and clocks.

use std::sync::LazyLock;
use std::time::{Duration, UNIX_EPOCH};

use super::reading::NOT_LEGAL;
use super::{Ending, Outcome, Played, TimeLimit, header};
use emilia_core::board::{
    Color, IllegalMove, Move, Position, Score, Sentence, Square, Transcript, excerpt,
};

/// A game: the start position and the moves played, each checked for legality.
///
/// ```
/// use emilia_core::board::{Color, Move, Square};
/// use emilia_games::Game;
/// let mut game = Game::default();
/// game.play(Move::Place(Square::F5)).unwrap();
/// assert_eq!(game.position().mover, Color::White);
/// assert!(game.play(Move::Place(Square::A1)).is_err());
/// assert_eq!(game.undo().unwrap().mv, Move::Place(Square::F5));
/// assert!(game.moves().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Players, event, date, time limit, and recorded outcome.
    pub tags: Tags,
    /// Boxed, and `None` in most games, to save memory.
    notes: Option<Box<Notes>>,
    moves: Vec<Played>,
    /// The start position and the position after each move.
    positions: Vec<Position>,
}

/// Data of a record other than moves and tags.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Notes {
    /// Warnings for the user: parts of the record that were not read, and contradictions between
    /// the recorded result and the board.
    pub(super) warnings: Vec<Sentence>,
    /// Whether a part of the record was not read.
    pub(super) is_cut: bool,
    /// Comments, each with the number of discs placed before it.
    pub(super) comments: Vec<(usize, String)>,
    /// Variations as SGF trees, each with the number of discs placed before it.
    pub(super) variations: Vec<(usize, String)>,
    /// `best` is the exact score of the start position, `scores` are the exact scores of its moves.
    /// Both are in discs, for the side to move.
    pub(super) best: Option<Score>,
    pub(super) scores: Vec<(Move, Score)>,
}

impl Notes {
    /// Returns the comment after `placed` discs.
    pub(super) fn comment(&self, placed: usize) -> Option<&str> {
        let comment = self.comments.iter().find(|(at, _)| *at == placed);
        comment.map(|(_, comment)| comment.as_str())
    }

    /// Adds a comment after `placed` discs. If a comment is already there, appends `gap` and
    /// `comment` to it.
    pub(super) fn add_comment(&mut self, placed: usize, comment: &str, gap: &str) {
        match self.comments.last_mut() {
            Some((at, before)) if *at == placed => before.extend([gap, comment]),
            _ => self.comments.push((placed, comment.to_owned())),
        }
    }
}

/// Tags of a game record. A tag that is not recorded is empty or `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tags {
    /// Name of the player of the black discs.
    pub black: String,
    /// Name of the player of the white discs.
    pub white: String,
    /// Site or tournament.
    pub event: String,
    /// Date, as written in the record.
    pub date: String,
    /// Time limit of both sides, or of Black alone if `white_time` is set.
    pub time: Option<TimeLimit>,
    /// Time limit of White if it differs from Black's.
    pub white_time: Option<Box<TimeLimit>>,
    /// Recorded outcome of the game.
    pub outcome: Option<Outcome>,
    /// Other tags, each as its name in PGN and its value. Examples of names are `Site`, `Round` and
    /// `BlackElo`.
    pub more: Vec<(String, String)>,
}

impl Tags {
    /// Returns the text of the tag with the PGN name `name`, or an empty text if it is not
    /// recorded.
    pub(super) fn get(&self, name: &str) -> &str {
        match name {
            "Black" => &self.black,
            "White" => &self.white,
            "Event" => &self.event,
            "Date" => &self.date,
            _ => {
                let tag = self.more.iter().find(|(own, _)| own == name);
                tag.map_or("", |(_, value)| value)
            }
        }
    }

    /// Sets the text of the tag with the PGN name `name`. An empty `value` removes a tag from
    /// `more`.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        match name {
            "Black" => value.clone_into(&mut self.black),
            "White" => value.clone_into(&mut self.white),
            "Event" => value.clone_into(&mut self.event),
            "Date" => value.clone_into(&mut self.date),
            _ => {
                self.more.retain(|(own, _)| own != name);
                if !value.is_empty() {
                    self.more.push((name.to_owned(), value.to_owned()));
                }
            }
        }
    }

    /// Corrects the date and the outcome of a game that ends at `end`. A date in seconds since 1970
    /// becomes a calendar date. If the game is over, the score of the board replaces a recorded
    /// outcome that contradicts it, or that has only the winner without a reason. Fractional
    /// results (komi) stay, and so do wins by time or resignation whose discs were not counted.
    /// Returns a warning if the outcome contradicts the board.
    pub(super) fn settle(&mut self, end: &Position) -> Option<Sentence> {
        if let Some(date) = date_of_seconds(&self.date) {
            self.date = date;
        }
        let recorded = self.outcome?;
        let [black, white] = [Color::Black, Color::White].map(|color| end.discs(color).count());
        let discs = f64::from(black) - f64::from(white);
        // This check comes first because it is faster than `is_over`, and most results pass it.
        if recorded == Outcome::played(discs) || !end.is_over() {
            return None;
        }
        let score = f64::from(end.final_score_for(Color::Black));
        let agrees = match recorded.ending {
            Ending::Unknown => recorded.margin * score > 0.0,
            _ => recorded.is_winner_only() || [score, discs].contains(&recorded.margin),
        };
        let is_settled = agrees && recorded.ending != Ending::Unknown;
        if is_settled || recorded.margin.fract() != 0.0 {
            return None;
        }
        self.outcome = Some(Outcome::played(score));
        let result = recorded.sgf();
        (!agrees).then(|| {
            let text = format!(
                "the recorded result is {result}, but the board has {black}-{white}, which counts"
            );
            let sentence = Sentence::new("result", text).with("result", result);
            sentence.with("discs", format_args!("{black}-{white}"))
        })
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::START)
    }
}

impl From<&Transcript> for Game {
    fn from(transcript: &Transcript) -> Game {
        let moves = transcript.moves.iter().copied().map(Played::from);
        Game::of_legal(transcript.start, moves.collect(), Tags::default(), None)
    }
}

impl Game {
    /// Creates a game without moves that begins at `start`.
    pub fn new(start: Position) -> Game {
        Game {
            tags: Tags::default(),
            notes: None,
            moves: Vec::new(),
            positions: vec![start],
        }
    }

    /// Creates a game from moves that must be legal. They are not checked.
    pub(super) fn of_legal(
        start: Position,
        moves: Vec<Played>,
        tags: Tags,
        notes: Option<&Notes>,
    ) -> Game {
        let mut positions = Vec::with_capacity(moves.len() + 1);
        let mut next = start;
        for played in &moves {
            positions.push(next);
            next.board = next.board.play_or_pass(played.mv);
            next.mover = !next.mover;
        }
        positions.push(next);
        let notes = notes.filter(|&notes| *notes != Notes::default());
        Game {
            tags,
            notes: notes.cloned().map(Box::new),
            moves,
            positions,
        }
    }

    /// Removes all moves and sets the start position. The tags stay.
    pub fn restart(&mut self, start: Position) {
        self.truncate(0);
        self.positions = vec![start];
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> Position {
        self.positions[0]
    }

    /// Returns the position after the last move.
    pub fn position(&self) -> Position {
        self.positions[self.moves.len()]
    }

    /// Returns the start position and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the moves, passes included.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Yields the squares of the moves, without passes.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().filter_map(|played| played.mv.square())
    }

    /// Returns the number of moves without passes.
    pub fn placed(&self) -> usize {
        self.squares().count()
    }

    /// Returns the start position and the moves, without evaluations, times and tags.
    pub fn transcript(&self) -> Transcript {
        Transcript {
            start: self.start(),
            moves: self.moves.iter().map(|played| played.mv).collect(),
        }
    }

    /// Returns whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.position().is_over()
    }

    /// Returns Black's final score in discs, or `None` if the game is not over.
    pub fn score(&self) -> Option<Score> {
        let position = self.position();
        (position.is_over()).then(|| position.final_score_for(Color::Black))
    }

    /// Returns the recorded outcome, or else the outcome of the final position if the game is over.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let of_board = || self.score().map(|score| Outcome::played(score.into()));
        self.tags.outcome.or_else(of_board)
    }

    /// Returns Black's score in discs, as recorded or else from the final position. Returns `None`
    /// if only the winner is recorded, or if a game without a recorded outcome is not over.
    pub fn margin(&self) -> Option<f64> {
        self.outcome().and_then(Outcome::discs)
    }

    /// Plays a move or pass of the side to move.
    ///
    /// # Errors
    /// If the move is illegal. The game is then unchanged.
    pub fn play(&mut self, played: impl Into<Played>) -> Result<(), IllegalMove> {
        let played = played.into();
        let position = self.position().play(played.mv)?;
        self.moves.push(played);
        self.positions.push(position);
        Ok(())
    }

    /// Plays a move of `color`. If the opponent is to move and must pass, this pass is played
    /// first.
    ///
    /// # Errors
    /// If it is not the turn of `color`, or the move is illegal. The game is then unchanged.
    pub fn play_as(&mut self, color: Color, played: impl Into<Played>) -> Result<(), IllegalMove> {
        let played = played.into();
        let passed = self.hand_over_to(color);
        let result = if self.position().mover == color {
            self.play(played)
        } else {
            Err(IllegalMove {
                mv: played.mv,
                mover: color,
                legal: None,
            })
        };
        if result.is_err() && passed {
            self.undo();
        }
        result
    }

    /// Places a disc of the side to move, or of the other side if the side to move must pass.
    ///
    /// # Errors
    /// If the move is illegal. A forced pass before it stays played.
    pub(super) fn play_next(&mut self, square: Square) -> Result<(), IllegalMove> {
        let other = !self.position().mover;
        self.hand_over_to(other);
        self.play(Move::Place(square))
    }

    /// Plays the forced pass of the opponent of `color`, if the opponent is to move and has no
    /// legal move. Returns whether a pass was played.
    pub fn hand_over_to(&mut self, color: Color) -> bool {
        let position = self.position();
        position.mover != color && position.must_pass() && self.play(Move::Pass).is_ok()
    }

    /// Returns the move that placed disc `number`, counted from 1.
    pub(super) fn placed_mut(&mut self, number: usize) -> Option<&mut Played> {
        let is_placed = |played: &&mut Played| played.mv.square().is_some();
        let mut placed = self.moves.iter_mut().filter(is_placed);
        placed.nth(number.checked_sub(1)?)
    }

    /// Sets the evaluation of the last move. Does nothing before the first move.
    pub(super) fn set_last_eval(&mut self, eval: Option<f64>) {
        if let Some(played) = self.moves.last_mut() {
            played.eval = eval;
        }
    }

    /// Undoes the last move and returns it, or `None` before the first move.
    pub fn undo(&mut self) -> Option<Played> {
        let played = self.moves.pop()?;
        self.positions.pop();
        self.forget_later();
        Some(played)
    }

    /// Undoes moves until `count` are left, passes included.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
        self.positions.truncate(count + 1);
        self.forget_later();
    }

    /// Removes the comments and variations that belong to undone moves.
    fn forget_later(&mut self) {
        if self.notes.is_some() {
            let placed = self.placed();
            let notes = self.notes_mut();
            notes.comments.retain(|&(at, _)| at <= placed);
            notes.variations.retain(|&(at, _)| at <= placed);
            if *notes == Notes::default() {
                self.notes = None;
            }
        }
    }

    pub(super) fn notes(&self) -> &Notes {
        static NONE: LazyLock<Notes> = LazyLock::new(Notes::default);
        self.notes.as_deref().unwrap_or(&NONE)
    }

    pub(super) fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    /// Returns the warnings for the user: parts of the record that were not read, and
    /// contradictions between the recorded result and the board. If only a part of the game was
    /// read, there is at least one.
    pub fn warnings(&self) -> &[Sentence] {
        &self.notes().warnings
    }

    /// Puts the place of the game in front of its warnings.
    #[must_use]
    pub(super) fn with_place(mut self, place: &str) -> Game {
        for warning in self.notes.iter_mut().flat_map(|notes| &mut notes.warnings) {
            *warning = warning.clone().within(place);
        }
        self
    }

    /// Returns the number of comments and the number of variations. Only SGF keeps variations.
    pub fn annotations(&self) -> [usize; 2] {
        let notes = self.notes();
        [notes.comments.len(), notes.variations.len()]
    }

    /// Returns the warning that only the moves of `self`, out of `count` moves in the record, were
    /// read. `next` is the text of the first unread move, on line `line` of the file. `wrong` says
    /// why it was not read, such as [`NOT_LEGAL`].
    pub(super) fn stopped(&self, line: usize, next: &str, wrong: &str, count: usize) -> Sentence {
        let read = self.placed();
        let next = format!("{}. {}", read + 1, excerpt(next));
        let text = format!("line {line}: {read} of {count} moves read; {next} {wrong}");
        let code = if wrong == NOT_LEGAL {
            "not-legal"
        } else {
            "not-next"
        };
        let sentence = Sentence::new(code, text).with("move", next);
        sentence.with("read", read).with("all", count)
    }

    /// Marks the record as read only in part, with the warning `why`.
    pub(super) fn cut(&mut self, why: impl Into<Sentence>) {
        let notes = self.notes_mut();
        notes.is_cut = true;
        notes.warnings.push(why.into());
    }

    /// Warns that `count` variations of the record are left out.
    pub(super) fn warn_of_variations(&mut self, count: usize) {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            let sentence =
                Sentence::new("variations", format!("{count} variation{plural} left out"));
            self.notes_mut().warnings.push(sentence.with("n", count));
        }
    }

    /// Returns whether a part of the record was not read. If so, [`warnings`](Self::warnings) has
    /// the reason.
    pub fn is_cut(&self) -> bool {
        self.notes().is_cut
    }

    /// Corrects the date and the outcome by the final position ([`Tags::settle`]), and stores the
    /// warning that this returns.
    pub(super) fn settle(&mut self) {
        let end = self.position();
        if let Some(warning) = self.tags.settle(&end) {
            self.notes_mut().warnings.push(warning);
        }
    }

    /// Returns the time that `color` has left, or `None` if the game has no clock.
    ///
    /// This is the main time plus the increments of the moves played, less the time used.
    /// Grace time is ignored.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        let own = self.tags.white_time.as_deref().copied();
        let own = own.filter(|_| color == Color::White);
        let limit = own.or(self.tags.time).filter(TimeLimit::is_limit)?;
        let (mut earned, mut used) = (limit.main, Duration::ZERO);
        for (played, position) in self.moves.iter().zip(&self.positions) {
            if position.mover == color {
                earned = earned.saturating_add(limit.increment);
                used = used.saturating_add(played.time.unwrap_or_default());
            }
        }
        Some(earned.saturating_sub(used))
    }
}

/// Converts seconds since 1970, as in old GGF, to a date. Returns `None` for any other text.
fn date_of_seconds(text: &str) -> Option<String> {
    /// Smallest number that is read as seconds since 1970: a time in 1973. A smaller number is a
    /// date such as `20240229`.
    const FIRST: u64 = 100_000_000;
    let text = header::trimmed(text);
    let is_number = text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|&seconds| is_number && seconds >= FIRST)?;
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    let time = humantime::format_rfc3339_seconds(time).to_string();
    Some(time.replace('T', " ").replace('Z', " GMT"))
}
