//! Lists of moves in any text, read token by token. A game consumes squares, passes, move numbers
//! that fit, labels that name the side to move (`labels`), remarks in brackets, and words after
//! which the list clearly continues. Any other token ends the game.
//!
//! A game begins, by a heuristic, at a square that is a legal first move and does not continue
//! another list. It ends at a result, at a position where neither side can move, at the start of
//! another game, at words, or at a token that may be a damaged move.

use std::ops::Range;

use super::reading::{NO_SQUARE, NOT_LEGAL, Reading, Span, Stop, Why};
use super::replay::{Numbers, Replay, Squares};
use super::tokens::{Before, Kind, Token, mirrored, tokens};
use super::{Game, Outcome, conventions, words};
use emilia_core::board::{Color, Position, Square};

/// Fewest moves of a game within prose. A shorter list is ignored, because prose mentions squares,
/// too.
pub(super) const FEWEST: usize = 4;

/// Maximum number of lines between a game and its result.
const NEAR: u32 = 4;

/// Reads the games in the byte range `part` of the text and adds them to `out`. The first game
/// begins at position `start`. If `may_be_short` and most lines are lists of moves, a game may have
/// fewer than [`FEWEST`] moves.
pub(super) fn read(out: &mut Reading, part: Range<usize>, start: Position, may_be_short: bool) {
    let mut tokens = tokens(out.text, part.clone());
    if !tokens.iter().any(|token| token.square().is_some())
        && let Some(game) = conventions::read(&out.text[part.clone()], start)
    {
        return out.add(part, Span::Moves, game, None);
    }
    mirror_drops(&mut tokens);
    let mut reader = Reader::new(out.text, &tokens, start);
    reader.are_lists &= may_be_short;
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let last = runs.last().filter(|run| run.fault.is_none());
        let run = reader.game_at(at, last.map_or(0, |run| run.end));
        let run = run.or_else(|| reader.labelled_game(at));
        let run = run.or_else(|| reader.unread_list(at, runs.last()));
        at = run.as_ref().map_or(at, |run| run.end).max(at + 1);
        if run.is_some() {
            // The games after the first one begin at the usual start position.
            reader.start = Position::START;
        }
        runs.extend(run);
    }
    reader.add_results(&mut runs, out);
    for run in runs {
        let mut game = run.game();
        game.tags.outcome = run.outcome;
        game.settle();
        out.add(run.bytes, Span::Moves, game, run.fault);
    }
}

/// Mirrors the squares after `P@`: programs that write this mark count ranks from the bottom.
fn mirror_drops(tokens: &mut [Token]) {
    for token in tokens {
        if let Kind::Square(square) = &mut token.kind
            && token.before.contains(Before::DROP)
        {
            *square = mirrored(*square);
        }
    }
}

/// Result of [`list`]: the game of a text that is one list of moves and nothing else.
#[derive(Debug)]
pub(super) struct List {
    pub game: Game,
    pub stop: Option<Stop>,
    /// Byte offset of each move, passes left out.
    pub places: Vec<usize>,
    /// Token of the result after the moves, which may be `*`.
    pub result: Option<Token>,
}

/// Reads a list of moves that begins at position `start`. Every token up to the result must be a
/// move. At any other token, reading stops.
pub(super) fn list(text: &str, tokens: &[Token], start: Position) -> List {
    let mut reader = Reader::new(text, tokens, start);
    reader.is_strict = true;
    let run = reader.read(tokens, 0);
    let result = tokens
        .get(run.end)
        .filter(|token| matches!(token.kind, Kind::Result(..)));
    let squares = tokens[..run.end]
        .iter()
        .filter(|token| token.square().is_some());
    let mut game = run.game();
    game.tags.outcome = result.and_then(outcome);
    List {
        places: squares.map(|token| token.range().start).collect(),
        stop: run.fault,
        game,
        result: result.copied(),
    }
}

/// Returns whether the tokens of a line are a list of moves, a few of which may be damaged. The
/// list may contain short words, such as labels. One longer word may follow a list of more than
/// [`FEWEST`] moves.
pub(super) fn is_list(line: &[Token]) -> bool {
    let is_word = |token: &&Token| token.kind == Kind::Word;
    let words = line.iter().filter(is_word);
    let moves = line.iter().filter(|token| token.is_listed()).count();
    let numbers = line.iter().filter(|token| token.number > 0).count();
    let is_short = words.clone().all(|word| word.range().len() <= 3);
    let is_before_word = words.clone().count() == 1
        && moves > FEWEST
        && line[0].is_listed()
        && line.last().as_ref().is_some_and(is_word);
    let is_sure = |token: &Token| match token.kind {
        Kind::Square(_) => true,
        Kind::Bad => token.range().len() > 1,
        _ => false,
    };
    (is_short || is_before_word) && moves + numbers > words.count() && line.iter().any(is_sure)
}

/// Returns the outcome of a result token. Returns `None` for other tokens and for an unknown
/// result.
fn outcome(token: &Token) -> Option<Outcome> {
    match token.kind {
        Kind::Result(0, 0) => None,
        Kind::Result(black, white) => Outcome::parse(&format!("{black}-{white}")).flatten(),
        _ => None,
    }
}

/// A game found in the tokens, and its range of tokens, lines and bytes.
#[derive(Clone, Debug)]
struct Run {
    start: Position,
    squares: Squares,
    /// Indices of the first token and of the token after the game.
    first: usize,
    end: usize,
    /// Lines of the first and the last move.
    lines: [u32; 2],
    /// Byte range from the first to the last move.
    bytes: Range<usize>,
    /// Byte offset and reason if reading stopped before the end of the game.
    fault: Option<Stop>,
    outcome: Option<Outcome>,
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    start: Position,
    /// Whether the text must be one list of moves and nothing else.
    is_strict: bool,
    /// For each line of the text, whether it is a list of moves.
    lists: Vec<bool>,
    /// Whether more lines are lists of moves than prose. If so, short lists are games, too.
    are_lists: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, tokens: &'t [Token], start: Position) -> Reader<'t> {
        let lines = tokens.last().map_or(0, |last| last.line as usize + 1);
        let mut lists = vec![false; lines];
        let mut prose = 0;
        for line in tokens.chunk_by(|left, right| left.line == right.line) {
            let is_list = is_list(line);
            lists[line[0].line as usize] = is_list;
            prose += usize::from(!is_list && line.iter().any(|token| token.kind == Kind::Word));
        }
        let are_lists = lists.iter().filter(|is_list| **is_list).count() > prose;
        Reader {
            text,
            tokens,
            start,
            is_strict: false,
            lists,
            are_lists,
        }
    }

    fn is_on_list(&self, token: &Token) -> bool {
        self.lists
            .get(token.line as usize)
            .is_some_and(|is_list| *is_list)
    }

    /// Reads the game that begins at token `at`. Returns `None` if no game begins there. `end` is
    /// the index of the token after the previous game.
    fn game_at(&self, at: usize, end: usize) -> Option<Run> {
        if !self.begins(at, end) {
            return None;
        }
        let run = self.read(self.tokens, at);
        let token = &self.tokens[at];
        let is_first = token.before.contains(Before::LINE);
        let is_short = self.are_lists && is_first && self.is_on_list(token);
        let least = if is_short { 1 } else { FEWEST };
        (run.squares.len() >= least).then_some(run)
    }

    /// Reads the game after a label that looks like a move, as in `R1: f5d6…`. Returns `None`
    /// unless the token after the label is a legal first move. The label is then not a damaged
    /// first move, because no legal first move is legal as second move.
    fn labelled_game(&self, at: usize) -> Option<Run> {
        let (label, first) = (&self.tokens[at], self.tokens.get(at + 1)?);
        let is_first = label.before.contains(Before::LINE)
            || at
                .checked_sub(1)
                .is_some_and(|last| self.tokens[last].is_word());
        let is_apart = label.line == first.line && !first.before.contains(Before::MOVE);
        let may_be_label = is_first && is_apart && label.is_move();
        let mut run = may_be_label.then(|| self.game_at(at + 1, at + 1))??;
        run.bytes.start = label.span().start;
        (run.fault.is_none() && run.squares.len() >= FEWEST).then_some(run)
    }

    /// Returns a run without moves for a line that is a list of moves but does not begin with a
    /// legal move. The `fault` of the run makes the line a reported error.
    fn unread_list(&self, at: usize, last: Option<&Run>) -> Option<Run> {
        let token = &self.tokens[at];
        // The line may belong to the previous game, if that game spans several lines or stopped on
        // this line.
        let is_rest = last.is_some_and(|last| {
            last.fault.is_some() && (last.lines[0] < last.lines[1] || last.lines[1] == token.line)
        });
        let is_own = self.are_lists
            && token.is_move()
            && token.before.contains(Before::LINE)
            && self.is_on_list(token);
        let line = self.tokens[at..]
            .iter()
            .take_while(|next| next.line == token.line);
        let why = match token.kind {
            Kind::Square(_) | Kind::Pass => NOT_LEGAL,
            _ => NO_SQUARE,
        };
        (is_own && !is_rest).then(|| Run {
            end: at + line.count(),
            fault: Some(stop_of(token, why)),
            ..Run::new(self.start, at, Some(token))
        })
    }

    /// Returns whether a game may begin at token `at`, because a list of moves begins there. `end`
    /// is the index of the token after the previous game.
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
            && (token.number <= 1 || self.start != Position::START || self.is_labelled(at))
            && (is_first || before(Before::LINE | Before::ONE) || self.is_word_at(at))
    }

    /// Returns whether the number before a token is the number of the list on its line, as in
    /// `2 f5d6c3d3`, and not a move number.
    fn is_labelled(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let line = self.tokens[at + 1..].iter();
        let line = line.take_while(|next| next.line == token.line && next.is_move());
        let is_plain = line.clone().all(|next| next.number == 0);
        token.before.contains(Before::LINE) && is_plain && line.count() + 1 >= FEWEST
    }

    /// Returns whether the token and the next moves are written without a gap, as in `f5d6c3d3`.
    fn is_word_at(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1..at + FEWEST).unwrap_or_default();
        next.len() == FEWEST - 1 && next.iter().all(|token| token.before.contains(Before::MOVE))
    }

    /// Reads the game that begins at token `at`, up to its end or up to a token that gives the run
    /// a `fault`.
    fn read(&self, tokens: &[Token], at: usize) -> Run {
        let mut run = Run::new(self.start, at, tokens.get(at));
        let mut replay = Replay::new(self.start);
        let mut numbers = Numbers::new(&self.start);
        let mut index = at;
        while let Some(token) = tokens.get(index) {
            let is_over = replay.position.is_over();
            let bracket = tokens[at].bracket;
            match token.kind {
                // Skips a remark in brackets.
                _ if token.bracket != bracket && bracket == 0 => {}
                _ if token.bracket != bracket => break,
                Kind::Label(side) if side == mover(&replay, tokens.get(index + 1)) => {}
                _ if token.is_word() && !self.is_strict => {
                    let next = self.behind_words(tokens, index, &replay, &numbers, &run);
                    if let Some(next) = next.filter(|_| !is_over) {
                        index = next;
                        continue;
                    }
                    let is_damage = !is_over && self.is_damaged(token);
                    run.fault = is_damage.then(|| stop_of(token, NO_SQUARE));
                    break;
                }
                _ if index > at && self.is_end(tokens, index, &replay, &run) => break,
                Kind::Result(..) => break,
                Kind::Pass if is_over => run.take(index, token),
                _ => {
                    let why = fault(token, &mut replay, &mut numbers, &mut run.squares);
                    run.fault = why.map(|why| stop_of(token, why));
                    if why.is_some() {
                        break;
                    }
                    run.take(index, token);
                }
            }
            index += 1;
        }
        run
    }

    /// Returns whether a word that ends a game may be a damaged move: it is within a list of moves,
    /// or a move number precedes it.
    fn is_damaged(&self, word: &Token) -> bool {
        let is_inside = self.is_on_list(word) && !word.before.contains(Before::LINE);
        is_inside || word.number > 0 && word.range().len() <= 3
    }

    /// Returns the index of the token after the words that begin at `at`, if the game continues
    /// there: the words name the side to move, or the next move is legal and has the next number.
    fn behind_words(
        &self,
        tokens: &[Token],
        at: usize,
        replay: &Replay,
        numbers: &Numbers,
        run: &Run,
    ) -> Option<usize> {
        let words = tokens[at..].iter().take_while(|token| token.is_word());
        let words = &tokens[at..at + words.count()];
        let next = tokens.get(at + words.len()).filter(|next| next.is_move())?;
        let mut backwards = words.iter().rev();
        let side = backwards.find_map(|word| words::side(word.text(self.text)));
        let is_legal = next.square().is_some_and(|square| replay.is_legal(square));
        let is_numbered = words.len() > 1
            && next.number > 1
            && is_legal
            && numbers.clone().fit(next, &run.squares);
        let is_own = side == Some(mover(replay, Some(next)));
        (is_own || is_numbered).then_some(at + words.len())
    }

    /// Returns whether a game that has reached `replay` ends before token `at`, which is a result
    /// or begins another game.
    fn is_end(&self, tokens: &[Token], at: usize, replay: &Replay, run: &Run) -> bool {
        let token = &tokens[at];
        if self.is_strict || matches!(token.kind, Kind::Result(..)) {
            return !self.is_strict;
        }
        let is_line = token.before.contains(Before::LINE);
        let is_one = token.before.contains(Before::ONE);
        let is_over = replay.position.is_over();
        let may_begin = is_line
            || is_one
            || is_over
            || tokens[at - 1].is_word()
            || !token.before.contains(Before::MOVE) && self.is_word_at(at);
        let is_label = || is_line && self.is_labelled(at);
        if !may_begin || token.number > 1 && !is_label() {
            return false;
        }
        is_over && is_line || self.is_other_game(&tokens[at..], replay, run)
    }

    /// Returns whether the next moves are another game, and not the continuation of the game at
    /// `replay`.
    fn is_other_game(&self, tokens: &[Token], replay: &Replay, run: &Run) -> bool {
        let token = &tokens[0];
        let is_line = token.before.contains(Before::LINE);
        let is_one = token.before.contains(Before::ONE);
        // Remarks in brackets and labels are not moves.
        let is_own =
            |next: &&Token| next.bracket == token.bracket && !matches!(next.kind, Kind::Label(_));
        let next = || tokens.iter().filter(is_own);
        let own = legal_in_turn(next(), *replay);
        let other = legal_in_turn(next(), Replay::new(Position::START));
        let on_line = next().take_while(|next| next.is_move() && next.line == token.line);
        let on_line = on_line.count();
        // If the current game is on one line, each line is taken for a separate game, unless its
        // moves continue the current game.
        let is_long = own == 0 || on_line >= run.squares.len();
        let is_line_each = run.lines[0] == run.lines[1] && self.is_on_list(token) && is_long;
        let least = match () {
            () if is_one || is_line_each && own == 0 => 1,
            () if is_line => FEWEST.min(on_line),
            () => FEWEST,
        };
        let is_equal = is_one || !is_line || is_line_each || token.line > run.lines[1] + 1;
        match other {
            0 => own == 0 && is_line && is_line_each && token.number == 0,
            _ => other >= least && (other > own || is_equal && other == own),
        }
    }

    /// Gives each result to the game before or after it that is nearer, at most [`NEAR`] lines away
    /// and without a result. At equal distances, the game before the result gets it.
    fn add_results(&self, runs: &mut [Run], out: &mut Reading) {
        let is_result = |index: &usize| matches!(self.tokens[*index].kind, Kind::Result(..));
        for index in (0..self.tokens.len()).filter(is_result) {
            let token = &self.tokens[index];
            let Some(found) = outcome(token) else {
                continue;
            };
            let next = runs.partition_point(|run| run.first < index);
            let distance = |number: usize| {
                let [first, last] = runs.get(number)?.lines;
                let distance = first.saturating_sub(token.line) + token.line.saturating_sub(last);
                let is_free = runs[number].outcome.is_none();
                (distance <= NEAR && is_free).then_some((distance, number))
            };
            let last = next.checked_sub(1).and_then(distance);
            let near = last.into_iter().chain(distance(next)).min();
            if let Some((_, number)) = near {
                runs[number].outcome = Some(found);
                out.mark(token.range(), Span::Result);
            }
        }
    }
}

impl Run {
    /// Creates a [`Run`] without moves that begins at `token`. `first` is the index of this token.
    fn new(start: Position, first: usize, token: Option<&Token>) -> Run {
        let at = token.map_or(0, |token| token.span().start);
        Run {
            start,
            squares: Squares::new(),
            first,
            end: first,
            lines: [token.map_or(0, |token| token.line); 2],
            bytes: at..at,
            fault: None,
            outcome: None,
        }
    }

    /// Extends the lines and bytes of the run to include `token`, which has index `index`.
    fn take(&mut self, index: usize, token: &Token) {
        self.end = index + 1;
        let [first, last] = self.lines;
        self.lines = [first.min(token.line), last.max(token.line)];
        let span = token.span();
        self.bytes = self.bytes.start.min(span.start)..self.bytes.end.max(span.end);
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &square in &self.squares {
            // Cannot fail: all squares are legal.
            let played = game.play_next(square);
            debug_assert!(played.is_ok(), "{played:?}");
        }
        game
    }
}

/// Returns the side to move before the token `next`. If `next` is a pass that `replay` has already
/// played, returns the side that passes.
fn mover(replay: &Replay, next: Option<&Token>) -> Color {
    let is_pass = replay.has_passed() && next.is_some_and(|next| next.kind == Kind::Pass);
    let mover = replay.position.mover;
    if is_pass { !mover } else { mover }
}

fn stop_of(token: &Token, why: &'static str) -> Stop {
    Stop {
        at: token.range().start,
        why: Why::Token(why),
    }
}

/// Plays a move of a list. Returns what is wrong with the move, or `None` if it is legal.
fn fault(
    token: &Token,
    replay: &mut Replay,
    numbers: &mut Numbers,
    squares: &mut Squares,
) -> Option<&'static str> {
    match token.kind {
        _ if replay.position.is_over() => Some("follows the end of the game"),
        Kind::Bad | Kind::Word => Some(NO_SQUARE),
        _ if !numbers.fit(token, squares) => Some("has the number of another move"),
        Kind::Pass if replay.take_pass() => {
            numbers.passes += i32::from(squares.is_empty());
            None
        }
        Kind::Square(square) if replay.play(square) => {
            squares.push(square);
            numbers.passes += i32::from(replay.has_passed());
            None
        }
        _ => Some(NOT_LEGAL),
    }
}

/// Returns how many squares at the start of `tokens` are legal one after another from `replay`. If
/// these moves end the game, returns at least [`FEWEST`], so that a short complete game is
/// accepted.
pub(super) fn legal_in_turn<'t>(
    tokens: impl Iterator<Item = &'t Token>,
    mut replay: Replay,
) -> usize {
    let is_legal = |square: &Square| replay.play(*square);
    let count = tokens.map_while(Token::square).take_while(is_legal).count();
    if replay.position.is_over() {
        count.max(FEWEST)
    } else {
        count
    }
}
