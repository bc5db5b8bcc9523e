//! Games in any text. One rule for all readers: *a game is read token by token. What is a square, a
//! pass or known decoration is consumed. What may be a damaged move ends the game there, and is
//! reported with line and text.*
//!
//! Known decoration is: marks, move numbers that fit the moves, and remarks in brackets; in prose
//! also words that name the side to move. Where a game begins in prose is a heuristic: at a square
//! that is legal first and continues no other list. Where it ends is none: a result, the end of the
//! board, another game, or words after which no list of moves goes on.

use std::borrow::Cow;

use super::replay::{Replay, Squares};
use super::tokens::{self, Before, Kind, Token, mirrored, tokens};
use super::{Game, Outcome, sheets};
use emilia_core::board::{Color, Position, Sentence};

/// Fewest moves of a game in a text, because prose names squares, too.
const FEWEST: usize = 4;

/// Number of moves of a list that are sorted by their numbers, or counted after a fault.
const MAX_MOVES: usize = 256;

/// Number of lines between a game and its result.
const NEAR: u32 = 4;

/// A game found in a text, with the numbers of its first and last line, from 0. Moves that were
/// not read count, too.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub game: Game,
    pub lines: [u32; 2],
}

/// Finds the games of a text that begin at `start` and have [`FEWEST`] moves or more. `line` is the
/// number of the first line, from 1.
pub(super) fn games(text: &str, start: Position, line: usize) -> Vec<Found> {
    let text = narrow(text);
    let tokens = tokens(&text);
    let reader = Reader {
        text: &text,
        tokens: &tokens,
        start,
        line,
        is_list: false,
    };
    let mut found = reader.search();
    if found.is_empty() {
        let sheet = sheets::read(&text, &tokens, start);
        let sheet = sheet.filter(|(game, _)| game.placed() >= FEWEST);
        found.extend(sheet.map(|(game, lines)| Found { game, lines }));
    }
    found
}

/// A list of moves and nothing else, as [`list`] reads it.
#[derive(Debug)]
pub(super) struct List {
    pub game: Game,
    /// Byte offset of each move.
    pub places: Vec<usize>,
    /// Whether a result is after the moves, perhaps the sign of an unknown one.
    pub has_result: bool,
    /// Number of moves, with those that were not read.
    pub moves: usize,
}

impl List {
    /// Returns the game, or why not even its first move was read.
    pub(super) fn game(self) -> Result<Game, Sentence> {
        match self.game.warnings().first() {
            Some(why) if self.game.is_cut() && self.game.placed() == 0 => Err(why.clone()),
            _ => Ok(self.game),
        }
    }
}

/// Reads a list of moves from `start`: every token must be one, up to a result. Rows may be
/// numbered from the bottom if `may_mirror`. `line` is the number of the first line, from 1.
pub(super) fn list(text: &str, start: Position, line: usize, may_mirror: bool) -> List {
    let text = narrow(text);
    let mut tokens = tokens(&text);
    let first = tokens.iter().find_map(Token::square);
    let is_mirrored = may_mirror && start == Position::START;
    let is_mirrored = is_mirrored && first.is_some_and(|first| tokens::is_mirrored(&start, first));
    for token in tokens.iter_mut().filter(|_| is_mirrored) {
        if let Kind::Square(square) = &mut token.kind {
            *square = mirrored(*square);
        }
    }
    let reader = Reader {
        text: &text,
        tokens: &tokens,
        start,
        line,
        is_list: true,
    };
    let mut run = reader.read(0);
    let end = tokens[run.end];
    let has_result = matches!(end.kind, Kind::Result(..));
    if has_result && run.fault.is_none() && tokens[run.end + 1].kind != Kind::End {
        run.fault = Some((run.end + 1, "follows the result"));
    }
    let mut game = reader.game(&run);
    game.tags.outcome = outcome(&end);
    if is_mirrored {
        game.notes_mut().warnings.push(mirrored_record());
    }
    let places = tokens[..run.end].iter();
    let places = places.filter(|token| token.square().is_some());
    List {
        game,
        places: places.map(|token| token.start as usize).collect(),
        has_result,
        moves: tokens.iter().filter(|token| token.is_move()).count(),
    }
}

/// Returns the warning of a record that counts rows from the bottom.
pub(super) fn mirrored_record() -> Sentence {
    let text = "row 1 is the lowest in this record, so its squares are mirrored";
    Sentence::new("mirrored", text)
}

/// Returns whether a text has squares, and else only passes, numbers and marks. Squares may be
/// misspelt, also as a short word.
pub(super) fn is_list(text: &str) -> bool {
    let tokens = tokens(&narrow(text));
    let is_part = |token: &Token| token.is_move() || token.is_short_word();
    let moves = &tokens[..tokens.len() - 1];
    let count = |is: fn(&&Token) -> bool| moves.iter().filter(is).count();
    let words = count(|token| token.kind == Kind::Word);
    let squares = count(|token| token.square().is_some());
    moves.iter().all(is_part) && squares > 3 * words
}

/// Returns whether a list of moves goes on with a game, by its first number or its first square.
pub(super) fn goes_on(text: &str, start: Position) -> bool {
    let first = tokens(&narrow(text))[0];
    let is_first = |square| Replay::new(start).is_legal(square);
    first.number > 1 || first.square().is_some_and(|square| !is_first(square))
}

/// Returns whether a text has moves without anything between, which comments and names have not.
pub(super) fn holds_moves(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_later = |token: &Token| token.before.contains(Before::MOVE);
    let hold = |tokens: &[Token]| tokens.iter().all(is_later);
    words.any(|word| word.len() >= 2 * FEWEST) && tokens(text).windows(FEWEST - 1).any(hold)
}

/// Replaces the wide forms of ASCII characters, which Japanese texts use.
fn narrow(text: &str) -> Cow<'_, str> {
    const WIDE: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';
    if text.is_ascii() || !text.contains(|letter| WIDE.contains(&letter)) {
        return Cow::Borrowed(text);
    }
    let narrow = |letter: char| match letter {
        _ if WIDE.contains(&letter) => char::from((letter as u32 - 0xFF00 + 0x20) as u8),
        _ => letter,
    };
    text.chars().map(narrow).collect()
}

/// Returns the outcome that a token gives.
fn outcome(token: &Token) -> Option<Outcome> {
    match token.kind {
        Kind::Result(0, 0) => None,
        Kind::Result(black, white) => Outcome::parse(&format!("{black}-{white}")).flatten(),
        _ => None,
    }
}

/// A game among the tokens.
#[derive(Clone, Debug)]
struct Run {
    squares: Squares,
    /// Index of the first token, and of the one that ends the game.
    first: usize,
    end: usize,
    /// Index of the token that ends the game although it may be a move, and what is wrong with it.
    fault: Option<(usize, &'static str)>,
}

#[derive(Clone, Copy)]
struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    start: Position,
    line: usize,
    /// Whether the text has nothing but one list of moves.
    is_list: bool,
}

impl Reader<'_> {
    /// Finds the games one after the other.
    fn search(&self) -> Vec<Found> {
        let mut runs: Vec<(Run, Game)> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let last = runs.last().filter(|(run, _)| run.fault.is_none());
            if !self.begins(at, last.map_or(0, |(run, _)| run.end)) {
                at += 1;
                continue;
            }
            let sorted = self.by_number(at);
            let tokens = sorted.as_deref().unwrap_or(self.tokens);
            let reader = Reader { tokens, ..*self };
            let run = reader.read(at);
            if run.squares.len() < FEWEST {
                at += 1;
                continue;
            }
            at = run.end.max(at + 1);
            let game = reader.game(&run);
            runs.push((run, game));
        }
        // Index after the last result that belongs to a game.
        let mut used = 0;
        let mut found = Vec::new();
        let firsts: Vec<usize> = runs.iter().map(|(run, _)| run.first).collect();
        for (number, (run, mut game)) in runs.into_iter().enumerate() {
            let end = firsts.get(number + 1).copied().unwrap_or(self.tokens.len());
            let last = run.end + self.unread(&run, &self.tokens[..end]);
            let lines = [run.first, last - 1].map(|index| self.tokens[index].line);
            // The nearest result counts, and of two as near the one after the game.
            let result = |index: usize| {
                let line = self.tokens[index].line;
                let distance = lines[0].saturating_sub(line) + line.saturating_sub(lines[1]);
                let outcome = outcome(&self.tokens[index]).filter(|_| distance <= NEAR)?;
                Some((distance, index, outcome))
            };
            let after = (run.end..end).find_map(result);
            let before = (used..run.first).rev().find_map(result);
            let nearest = after.into_iter().chain(before);
            let nearest = nearest.min_by_key(|(distance, ..)| *distance);
            used = nearest.map_or(0, |(_, index, _)| index + 1).max(run.end);
            game.tags.outcome = nearest.map(|(.., outcome)| outcome);
            found.push(Found { game, lines });
        }
        found
    }

    /// Returns whether a game may begin at a token: at the start of a list of moves. `end` is the
    /// end of the last game.
    fn begins(&self, at: usize, end: usize) -> bool {
        let token = &self.tokens[at];
        let begin = Replay::new(self.start);
        let before = |flags| token.before.intersects(flags);
        let is_first = at.checked_sub(1).is_none_or(|last| {
            let last = &self.tokens[last];
            !last.is_move() || last.bracket != token.bracket || at == end
        });
        token.is_move()
            && token.square().is_some_and(|square| begin.is_legal(square))
            && (!before(Before::MOVE) || at == end)
            && (token.number <= 1 || self.start != Position::START)
            && (is_first
                || before(Before::LINE | Before::ONE | Before::MARK)
                || self.is_word_at(at))
    }

    /// Returns whether the next moves are written without anything between.
    fn is_word_at(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1..at + FEWEST).unwrap_or_default();
        next.len() == FEWEST - 1 && next.iter().all(|token| token.before.contains(Before::MOVE))
    }

    /// Returns the tokens in the order of their numbers, if those from `at` on are 1 to n, each
    /// once, in another order, as in two columns.
    fn by_number(&self, at: usize) -> Option<Vec<Token>> {
        let is_in = |(index, token): &(usize, &Token)| {
            token.is_move() && (*index == at || !token.before.contains(Before::ONE))
        };
        if self.tokens[at].number != 1 {
            return None;
        }
        let list = (at..).zip(&self.tokens[at..]).take_while(is_in);
        let end = at + list.take(MAX_MOVES).count();
        let starts = (at..end).filter(|&index| self.tokens[index].number > 0);
        let starts: Vec<usize> = starts.chain([end]).collect();
        let rows = starts.windows(2).map(|pair| &self.tokens[pair[0]..pair[1]]);
        let mut rows: Vec<&[Token]> = rows.collect();
        let numbers = rows.iter().map(|row| row[0].number);
        if starts[0] != at || numbers.is_sorted() {
            return None;
        }
        rows.sort_by_key(|row| row[0].number);
        let is_each = (1..)
            .zip(&rows)
            .all(|(number, row)| row[0].number == number);
        let before = &self.tokens[..at];
        is_each.then(|| [before, &rows.concat(), &self.tokens[end..]].concat())
    }

    /// Reads a game token by token.
    fn read(&self, at: usize) -> Run {
        let tokens = self.tokens;
        let mut run = Run {
            squares: Squares::new(),
            first: at,
            end: at,
            fault: None,
        };
        let mut replay = Replay::new(self.start);
        let mut numbers = Numbers {
            // `1...` is White's half of a turn.
            passes: i32::from(self.start.mover == Color::White),
            ..Numbers::default()
        };
        let mut index = at;
        while let Some(token) = tokens.get(index) {
            if token.bracket != tokens[at].bracket && token.kind != Kind::End {
                // A remark in brackets.
                if tokens[at].bracket != 0 {
                    break;
                }
                index += 1;
                continue;
            }
            let is_over = replay.position.is_over();
            if token.is_word() {
                if is_over {
                    break;
                }
                match self.words(index, &replay) {
                    Ok(next) => index = next,
                    Err(why) => {
                        run.fault = why.map(|why| (index, why));
                        break;
                    }
                }
                continue;
            }
            if !token.is_move() {
                if self.is_list && !numbers.fit(token, &run.squares) {
                    run.fault = Some((index, "is not a move number here"));
                }
                break;
            }
            let is_after = is_over && (token.before.contains(Before::LINE) && !self.is_list);
            if index > at && (is_after || self.is_new_game(index, &replay)) {
                break;
            }
            run.fault = match token.kind {
                Kind::Pass if is_over => None,
                _ if is_over => Some("follows the end of the game"),
                Kind::Bad => Some(NO_SQUARE),
                _ if !numbers.fit(token, &run.squares) => Some("has the number of another move"),
                Kind::Pass if replay.take_pass() => {
                    numbers.passes += i32::from(run.squares.is_empty());
                    None
                }
                Kind::Square(square) if replay.play(square) => {
                    run.squares.push(square);
                    numbers.passes += i32::from(replay.has_passed());
                    None
                }
                _ => Some(NOT_LEGAL),
            }
            .map(|why| (index, why));
            if run.fault.is_some() {
                break;
            }
            index += 1;
            run.end = index;
        }
        run.end = if self.is_list { index } else { run.end };
        run
    }

    /// Returns the token at which the game goes on after the words from token `at` on, which name
    /// the side to move in `replay`. Other words end the game.
    ///
    /// # Errors
    /// Returns what is wrong with words that may be a damaged move, or a move among words.
    fn words(&self, at: usize, replay: &Replay) -> Result<usize, Option<&'static str>> {
        let tokens = self.tokens;
        let words = tokens[at..].iter().take_while(|token| token.is_word());
        let count = words.count();
        let (words, next) = tokens[at..].split_at(count);
        let is_move = |index: usize| next.get(index).is_some_and(Token::is_move);
        let mut backwards = words.iter().rev();
        let color = backwards.find_map(|word| color(word.text(self.text)));
        let first = &words[0];
        let has_mark = first.before.contains(Before::MARK) || {
            let before = self.text[..first.start as usize].trim_end();
            before.ends_with(['"', '\'', '\u{201d}', '`', '<', '>'])
        };
        // The replay has passed already.
        let is_pass =
            replay.has_passed() && next.first().is_some_and(|next| next.kind == Kind::Pass);
        let mover = replay.position.mover;
        let mover = if is_pass { !mover } else { mover };
        // A list of moves may be broken within a sentence.
        let is_next = first.kind != Kind::Word
            && first.before.contains(Before::LINE)
            && (tokens[..at].last()).is_some_and(|before| first.line == before.line + 1)
            && first.square().is_none_or(|square| replay.is_legal(square));
        if self.is_list {
            Err(Some(NO_SQUARE))
        } else if is_next {
            Err(Some("is among words, so it may be a move or a remark"))
        } else if is_move(0) && color == Some(mover) {
            Ok(at + count)
        } else if is_move(0) && self.is_new_game(at + count, replay) {
            Err(None)
        } else if first.is_short_word()
            && !has_mark
            && (count == 1 || !first.before.contains(Before::LINE) && first.is_no_word(self.text))
        {
            // Other short words before words are prose: `f5 d6 c3 d3 so far`.
            Err(Some(NO_SQUARE))
        } else if is_move(0) && is_move(1) {
            let is_label = first.before.contains(Before::LINE) && !first.is_short_word();
            Err((!is_label).then_some(NO_SQUARE))
        } else {
            Err(None)
        }
    }

    /// Returns whether another game begins at a token where this one has reached `replay`.
    fn is_new_game(&self, at: usize, replay: &Replay) -> bool {
        let tokens = self.tokens;
        let token = &tokens[at];
        let may_begin = token.before.intersects(Before::LINE | Before::ONE)
            || tokens[..at].last().is_some_and(Token::is_word)
            || !token.before.contains(Before::MOVE) && self.is_word_at(at)
            || replay.position.is_over();
        if self.is_list || !may_begin || token.number > 1 {
            return false;
        }
        // Remarks in brackets are no moves.
        let is_own = |next: &&Token| next.bracket == token.bracket;
        let next = || tokens[at..].iter().filter(is_own);
        let own = legal_in_turn(next(), *replay);
        let other = legal_in_turn(next(), Replay::new(self.start));
        let is_on_line = |next: &&Token| next.is_move() && next.line == token.line;
        let on_line = next().take_while(is_on_line).count();
        let least = match token.before {
            before if before.contains(Before::ONE) => 1,
            before if before.contains(Before::LINE) => FEWEST.min(on_line),
            _ => FEWEST,
        };
        other >= own.max(least)
    }

    /// Returns the number of moves from the fault on, up to the end of `tokens`, where another game
    /// may begin.
    fn unread(&self, run: &Run, tokens: &[Token]) -> usize {
        let rest = run.fault.and_then(|(fault, _)| tokens.get(fault..));
        let is_move = |token: &&Token| token.is_move() || self.is_list && token.is_word();
        let rest = rest.unwrap_or_default().iter().take(MAX_MOVES);
        rest.take_while(is_move).count()
    }

    /// Returns the game, with a report of its fault.
    fn game(&self, run: &Run) -> Game {
        let mut game = Game::new(self.start);
        for &square in &run.squares {
            // All squares are legal.
            let played = game.play_next(square);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        if let Some((fault, why)) = run.fault {
            let token = &self.tokens[fault];
            let found = match token.number {
                number if !token.is_move() && !token.is_word() => number.to_string(),
                _ => token.text(self.text).to_owned(),
            };
            let count = run.squares.len() + self.unread(run, self.tokens).max(1);
            let line = self.line + token.line as usize;
            game.stop_at(Some(line), &found, why, count);
        }
        game
    }
}

const NO_SQUARE: &str = "is not a square";

/// What is wrong with a move that is illegal.
pub(super) const NOT_LEGAL: &str = "is not legal";

/// Returns the colour that a word names.
fn color(word: &str) -> Option<Color> {
    let word = word.to_lowercase();
    let is = |names: [&str; 2]| names.iter().any(|name| word.starts_with(name));
    match () {
        () if is(["black", "\u{9ed2}"]) => Some(Color::Black),
        () if is(["white", "\u{767d}"]) => Some(Color::White),
        () => None,
    }
}

/// Returns how many squares are legal in turn, and at least [`FEWEST`] if they end the game.
fn legal_in_turn<'t>(tokens: impl Iterator<Item = &'t Token>, mut replay: Replay) -> usize {
    let mut count = 0;
    for token in tokens {
        match token.square() {
            Some(square) if replay.play(square) => count += 1,
            _ => break,
        }
    }
    if replay.position.is_over() {
        count.max(FEWEST)
    } else {
        count
    }
}

/// Move numbers of a game: of each move, or of each pair.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    /// Number of the first move.
    first: Option<i32>,
    /// Number of passes so far. Records may count them as moves.
    passes: i32,
}

impl Numbers {
    /// Returns whether the number before a token can be that of the next move.
    fn fit(&mut self, token: &Token, squares: &Squares) -> bool {
        let (number, placed) = (i32::from(token.number), squares.len() as i32);
        if number == 0 {
            return true;
        }
        if placed == 0 {
            self.first = self.first.or(Some(number));
        }
        let Some(first) = self.first else {
            return false;
        };
        let ahead = number - first;
        let turns = placed - 1..=placed + self.passes;
        !token.before.contains(Before::TWO) && (ahead == placed || turns.contains(&(2 * ahead)))
    }
}
