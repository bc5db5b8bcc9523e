//! Games in any text: the longest legal games among its [`tokens`](super::tokens).
//!
//! A game begins at any square that is legal first. It ends before a result, before the number of
//! another first move, before words in a text without words, or at an illegal move. Of games that
//! overlap, the longest counts.

use std::borrow::Cow;

use super::archive::Squares;
use super::replay::Replay;
use super::tokens::{Before, Kind, Token, tokens};
use super::{Game, Outcome, sheets};
use emilia_core::board::Position;

/// Fewest moves of a game in a text, because prose names squares, too.
const FEWEST: usize = 4;

/// Number of lines between a game and its result.
const NEAR: u32 = 4;

/// Number of squares of a game with its remarks that are sorted by their move numbers.
const MAX_SQUARES: usize = 256;

/// A game found in a text, with the numbers of its first and last line, from 0. Moves that were
/// not read count, too.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub game: Game,
    pub lines: [u32; 2],
}

/// Finds the games of a text that begin at `start` and have [`FEWEST`] moves or more.
pub(super) fn games(text: &str, start: Position) -> Vec<Found> {
    let text = narrow(text);
    let tokens = tokens(&text);
    let found = search(&tokens, start);
    // Squares in brackets may be those of comments, or all moves of one side.
    let is_inside = |token: &Token| token.before.contains(Before::BRACKET);
    if tokens.iter().any(is_inside) {
        let outside = tokens.iter().filter(|token| !is_inside(token));
        let main = search(&outside.copied().collect::<Vec<Token>>(), start);
        let moves = |found: &[Found]| found.iter().map(|found| found.game.placed()).sum::<usize>();
        let is_whole = main.iter().all(|found| found.game.warnings().is_empty());
        if moves(&main) > moves(&found) / if is_whole { 2 } else { 1 } {
            return main;
        }
    }
    if found.is_empty() {
        let sheet = sheets::read(&text, &tokens, start);
        return (sheet.filter(|found| found.game.placed() >= FEWEST))
            .into_iter()
            .collect();
    }
    found
}

/// Reads a list of moves from `start`, without prose. Only an illegal move ends it.
pub(super) fn moves(text: &str, start: Position) -> Game {
    let tokens: Vec<Token> = (tokens(&narrow(text)).into_iter())
        .filter(Token::is_move)
        .collect();
    let run = Run::plain(&tokens, 0, start);
    run.game(&tokens, tokens.len(), start)
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

/// Finds the games one after the other.
fn search(tokens: &[Token], start: Position) -> Vec<Found> {
    let mut runs = Vec::new();
    let begin = Replay::new(start);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !token.square().is_some_and(|square| begin.is_legal(square)) {
            at += 1;
            continue;
        }
        let run = longest(tokens, at, start);
        if run.squares.len() < FEWEST {
            at += 1;
        } else {
            at = run.end.max(at + 1);
            runs.push(run);
        }
    }
    // Index after the last result that belongs to a game.
    let mut used = 0;
    let found = (0..runs.len()).map(|number| {
        let run = &runs[number];
        let end = runs.get(number + 1).map_or(tokens.len(), |next| next.first);
        let mut game = run.game(tokens, end, start);
        let lines = [run.first, run.end - 1].map(|index| tokens[index].line);
        // The nearest result counts, and of two as near the one after the game.
        let result = |(index, token): (usize, &Token)| {
            let line = token.line;
            let distance = lines[0].saturating_sub(line) + line.saturating_sub(lines[1]);
            let outcome = outcome(token).filter(|_| distance <= NEAR)?;
            Some((distance, index, outcome))
        };
        let after = (run.end..end).zip(&tokens[run.end..end]).find_map(result);
        let mut before = (used..run.first).zip(&tokens[used..run.first]).rev();
        let nearest = after.into_iter().chain(before.find_map(result));
        let result = nearest.min_by_key(|(distance, ..)| *distance);
        used = result.map_or(0, |(_, index, _)| index + 1).max(run.end);
        game.tags.outcome = result.map(|(.., outcome)| outcome);
        let last = run.end + run.unread(&tokens[..end]) - 1;
        let lines = [run.first, last].map(|index| tokens[index].line);
        Found { game, lines }
    });
    found.collect()
}

/// Returns the longest game that begins at token `at`, or at a later token of that game if an
/// illegal move ends it.
fn longest(tokens: &[Token], at: usize, start: Position) -> Run {
    let mut best = Run::at(tokens, at, start);
    if let Some(illegal) = best.illegal {
        for later in at + 1..=illegal {
            let run = Run::at(tokens, later, start);
            if run.is_longer(&best) {
                best = run;
            }
        }
    }
    best
}

/// Returns the outcome that a token gives.
fn outcome(token: &Token) -> Option<Outcome> {
    let Kind::Result(black, white) = token.kind else {
        return None;
    };
    match (black, white) {
        (0, 0) => None,
        (black, white) => Outcome::parse(&format!("{black}-{white}")).flatten(),
    }
}

/// A game among the tokens.
#[derive(Clone, Debug)]
struct Run {
    squares: Squares,
    /// Index of the first token.
    first: usize,
    /// Index after the last token.
    end: usize,
    /// Index of the illegal move that ends the game.
    illegal: Option<usize>,
}

impl Run {
    /// Returns the game at token `at`, in the order of its move numbers if all are there.
    fn at(tokens: &[Token], at: usize, start: Position) -> Run {
        let run = Run::in_order(tokens, at, start);
        match Run::numbered(tokens, at, start) {
            Some((numbered, is_whole)) if is_whole || numbered.is_longer(&run) => numbered,
            _ => run,
        }
    }

    fn is_longer(&self, other: &Run) -> bool {
        self.squares.len() > other.squares.len()
    }

    /// Plays all squares from token `at` on, up to an illegal one.
    fn plain(tokens: &[Token], at: usize, start: Position) -> Run {
        let mut run = Run::new(at);
        let mut replay = Replay::new(start);
        for (index, token) in (at..).zip(&tokens[at..]) {
            if !run.play(&mut replay, index, token) {
                break;
            }
        }
        run
    }

    /// Plays the move of a token. Returns `false` if that ends the game.
    fn play(&mut self, replay: &mut Replay, index: usize, token: &Token) -> bool {
        let square = token.square().filter(|&square| replay.play(square).is_ok());
        match square {
            Some(square) => {
                self.squares.push(square);
                self.end = index + 1;
            }
            None if token.is_move() => self.illegal = Some(index),
            None => {}
        }
        square.is_some()
    }

    fn new(first: usize) -> Run {
        Run {
            squares: Squares::new(),
            first,
            end: first,
            illegal: None,
        }
    }

    /// Plays the squares from token `at` on, as long as the text reads like one game.
    fn in_order(tokens: &[Token], at: usize, start: Position) -> Run {
        let mut run = Run::new(at);
        let mut replay = Replay::new(start);
        // Whether words are between the moves of this game.
        let mut has_words = false;
        // Whether moves are written without anything between.
        let mut is_compact = false;
        for (index, token) in (at..).zip(&tokens[at..]) {
            let is_word = token.before.contains(Before::WORD);
            let is_first = index == at;
            if !is_first {
                let goes_on = || Run::plain_from(&tokens[index..], replay);
                if token.before.contains(Before::ONE)
                    || is_word && !has_words && run.squares.len() > 1 && goes_on() < FEWEST
                    || is_word && is_compact && !is_compact_at(&tokens[index..])
                    || token.before.contains(Before::LINE)
                        && token.square().is_some_and(|square| replay.is_legal(square))
                        && is_restart(&tokens[index..], start, goes_on())
                {
                    break;
                }
                has_words |= is_word;
            }
            is_compact |= is_compact_at(&tokens[index..]);
            if !run.play(&mut replay, index, token) || replay.position.is_over() {
                break;
            }
        }
        run
    }

    /// Returns how many squares are legal in turn, and at least [`FEWEST`] if they end the game.
    fn plain_from(tokens: &[Token], mut replay: Replay) -> usize {
        let mut count = 0;
        for token in tokens {
            match token.square() {
                Some(square) if replay.play(square).is_ok() => count += 1,
                _ => break,
            }
        }
        if replay.position.is_over() {
            count.max(FEWEST)
        } else {
            count
        }
    }

    /// Plays the moves in the order of their numbers: one of each number from 1 on, or two, and no
    /// others. Returns also whether the numbers are those of the moves, or `None` if a move is
    /// illegal.
    fn numbered(tokens: &[Token], at: usize, start: Position) -> Option<(Run, bool)> {
        let is_begin = at == 0 || tokens[at - 1].number != 1;
        let is_marked = tokens[at].before.contains(Before::ONE);
        if tokens[at].number != 1 || !(is_begin || is_marked) {
            return None;
        }
        let is_inside = |(index, token): &(usize, &Token)| {
            let is_next = *index > at && token.before.contains(Before::ONE);
            token.square().is_some() && !is_next
        };
        let inside = (at..).zip(&tokens[at..]).take_while(is_inside);
        let mut moves: Vec<(usize, &Token)> = inside.take(MAX_SQUARES).collect();
        moves.sort_by_key(|(_, token)| token.number);
        let mut run = Run::new(at);
        let mut replay = Replay::new(start);
        let groups = moves.chunk_by(|(_, left), (_, right)| left.number == right.number);
        let mut size = 2;
        for (number, group) in (1..).zip(groups) {
            if group[0].1.number != number {
                return Some((run, false));
            }
            let has_word = |(_, token): &(usize, &Token)| token.before.contains(Before::WORD);
            // A second square after words is a remark, unless there are words before the first.
            let is_pair = group
                .get(1)
                .is_some_and(|second| !has_word(second) || has_word(&group[0]));
            let count = if is_pair { size } else { 1 };
            if number == 1 {
                size = count;
            }
            for (index, token) in &group[..count] {
                let square = token.square()?;
                replay.play(square).ok()?;
                run.squares.push(square);
                run.end = run.end.max(index + 1);
            }
        }
        let is_misspelt = tokens
            .get(run.end)
            .is_some_and(|next| matches!(next.kind, Kind::Bad(_)));
        run.illegal = Some(run.end).filter(|_| is_misspelt);
        let is_whole = 2 * run.squares.len() > moves.len();
        Some((run, is_whole))
    }

    /// Returns the number of moves from the illegal one on, up to the end of `tokens`, where
    /// another game may begin.
    fn unread(&self, tokens: &[Token]) -> usize {
        let rest = self
            .illegal
            .and_then(|illegal| tokens.get(illegal..))
            .unwrap_or_default();
        let is_word = |token: &Token| token.before.contains(Before::WORD);
        let has_words = rest.first().is_some_and(is_word);
        let is_move = |token: &&Token| token.is_move() && (has_words || !is_word(token));
        rest.iter().take_while(is_move).count()
    }

    /// Returns the game. Squares of `tokens` up to `end` that were not read are a warning if the
    /// last one read is followed by an illegal move.
    fn game(&self, tokens: &[Token], end: usize, start: Position) -> Game {
        let mut game = Game::new(start);
        for &square in &self.squares {
            // All squares are legal.
            let played = game.play_next(square);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        if let Some(illegal) = self.illegal.filter(|&illegal| illegal < end) {
            let unread = self.unread(&tokens[..end]);
            let (found, why) = match tokens[illegal].kind {
                Kind::Square(square) => (square.to_string(), "is not legal"),
                Kind::Bad(letters) => (letters.map(char::from).iter().collect(), "is no square"),
                Kind::Result(..) => return game,
            };
            let other = !game.position().mover;
            let passed = game.hand_over_to(other);
            game.stop_at(&found, why, self.squares.len() + unread);
            if passed {
                game.undo();
            }
        }
        game
    }
}

/// Returns whether the next moves are written without anything between.
fn is_compact_at(tokens: &[Token]) -> bool {
    let next = tokens.get(1..FEWEST).unwrap_or_default();
    next.len() == FEWEST - 1 && next.iter().all(|token| token.before.contains(Before::MOVE))
}

/// Returns whether a game that begins at the first token is long enough and has as many moves as
/// `others`.
fn is_restart(tokens: &[Token], start: Position, others: usize) -> bool {
    Run::plain_from(tokens, Replay::new(start)) >= others.max(FEWEST)
}
