//! Games in text: transcripts, positions, and header lines of the next game, each on a line.
//!
//! Where lines are anything else, the games are [`found`](super::found) among the words.

use std::borrow::Cow;
use std::mem;

use super::header::{self, Header};
use super::tokens::is_moves;
use super::{Game, found};
use crate::obf::parse_obf;
use emilia_core::board::{Position, Transcript, split_number};

/// Number of invalid games at the start of a text after which it is no game file.
/// Then only the error of the first game is returned.
const MAX_INVALID_GAMES: usize = 1000;

/// Maximum length in bytes of a text that may be a single game or position on several lines.
const MAX_SINGLE: usize = 1 << 16;

/// Reads the games of a text. `keep` is applied to each game as soon as it is read.
pub(super) fn read<G>(text: &str, keep: &impl Fn(Game) -> G) -> Vec<Result<G, String>> {
    let mut reader = Reader {
        text,
        keep,
        games: Vec::new(),
        header: Header::default(),
        block: None,
        position: None,
    };
    for line in Joined::new(text) {
        reader.add(&line);
    }
    reader.end_block(text.len());
    if reader.header.says_anything() {
        // A header without a game line is a game without moves.
        let game = Game::new(reader.header.start());
        reader.games.push(Ok(keep(reader.header.onto(game))));
    }
    let mut games = reader.games;
    if games.iter().all(Result::is_err) {
        // The text may be a board of several lines, or in a form other than OBF.
        if text.len() <= MAX_SINGLE
            && let Ok(Some(obf)) = parse_obf(text)
        {
            return vec![Ok(keep(Game::new(obf.position)))];
        }
        if games.len() >= MAX_INVALID_GAMES {
            games.truncate(1);
        }
    }
    games
}

/// A line with those that continue its numbered game.
struct Line<'a> {
    /// Number of the line, from 1.
    number: usize,
    /// Byte offset of the line.
    start: usize,
    content: Cow<'a, str>,
}

/// Iterator over lines. A line that starts with a later move number (`2. c3`, `1... d6`) is joined
/// to the line before.
struct Joined<'a> {
    text: &'a str,
    at: usize,
    number: usize,
}

impl<'a> Joined<'a> {
    fn new(text: &'a str) -> Joined<'a> {
        Joined {
            text,
            at: 0,
            number: 0,
        }
    }

    /// Returns the line at this offset and the offset after it.
    fn line(&self) -> Option<(&'a str, usize)> {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        (length > 0).then(|| (header::trimmed(&rest[..length]), self.at + length))
    }
}

impl<'a> Iterator for Joined<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let (line, end) = self.line()?;
        let (number, start) = (self.number + 1, self.at);
        (self.number, self.at) = (number, end);
        let mut content = Cow::Borrowed(line);
        let goes_on = |line: &str| {
            split_number(line).is_some_and(|(number, dots, _)| number > 1 || dots == 3)
        };
        if split_number(&content).is_some() {
            while let Some((next, end)) = self.line()
                && goes_on(next)
            {
                content.to_mut().extend([" ", next]);
                (self.number, self.at) = (self.number + 1, end);
            }
        }
        Some(Line {
            number,
            start,
            content,
        })
    }
}

/// Reader state.
struct Reader<'a, G, K> {
    text: &'a str,
    keep: &'a K,
    games: Vec<Result<G, String>>,
    /// Header lines of the next game.
    header: Header,
    /// The lines since the last header line or position.
    block: Option<Block>,
    /// Position of the last line, which is a game without moves so far.
    position: Option<Position>,
}

/// Lines of moves, or of anything but header lines and positions.
struct Block {
    /// Number of the first line, from 1, and its byte offset.
    number: usize,
    start: usize,
    header: Header,
    /// Number of games before the block.
    before: usize,
    /// Whether every line is a game.
    is_strict: bool,
}

impl<G, K: Fn(Game) -> G> Reader<'_, G, K> {
    fn add(&mut self, line: &Line<'_>) {
        let content = &*line.content;
        if content.is_empty() {
            return;
        }
        if let Some(comment) = content.strip_prefix(['%', '#']) {
            if header::value(comment).is_none() {
                return;
            }
            self.end_block(line.start);
            self.position = None;
            if let Err(expected) = self.header.take(comment) {
                let error = format!("line {}: expected {expected}", line.number);
                self.games.push(Err(error));
                self.header = Header::default();
            }
        } else if looks_like_board(content) {
            self.end_block(line.start);
            let header = mem::take(&mut self.header);
            let read = read_position(content);
            self.position = read
                .as_ref()
                .ok()
                .filter(|game| game.moves().is_empty())
                .map(Game::start);
            let read = read.map_err(|problem| format!("line {}, {problem}", line.number));
            let game = read.map(|game| (self.keep)(header.onto(game)));
            self.games.push(game);
        } else {
            self.add_moves(line);
        }
    }

    /// Adds a line to the block.
    fn add_moves(&mut self, line: &Line<'_>) {
        let header = &mut self.header;
        let before = self.games.len();
        let block = self.block.get_or_insert_with(|| Block {
            number: line.number,
            start: line.start,
            header: mem::take(header),
            before,
            is_strict: true,
        });
        if !block.is_strict {
            return;
        }
        let is_first = before == block.before;
        let start = if is_first {
            block.header.start()
        } else {
            Position::START
        };
        if let Ok(moves) = Transcript::parse(&line.content, start) {
            let mut game = Game::from(&moves);
            if is_first {
                game = block.header.clone().onto(game);
            }
            self.games.push(Ok((self.keep)(game)));
        } else {
            block.is_strict = false;
            self.games.truncate(block.before);
        }
    }

    /// Reads the games of the block, which ends at byte `end`.
    fn end_block(&mut self, end: usize) {
        let Some(block) = self.block.take() else {
            return;
        };
        let position = self.position.take();
        if block.is_strict {
            return;
        }
        let text = &self.text[block.start..end];
        let start = block.header.start();
        let mut found = found::games(text, start);
        if let Some(position) = position
            && found.is_empty()
        {
            found = found::games(text, position);
            if !found.is_empty() {
                // They begin at the position of the line before.
                self.games.pop();
            }
        }
        if found.is_empty()
            && let Some(game) = whole(text, start)
        {
            let game = (self.keep)(block.header.onto(game));
            self.games.push(Ok(game));
            return;
        }
        let mut headers = vec![Header::default(); found.len()];
        if let Some(first) = headers.first_mut() {
            *first = block.header;
        }
        let mut games: Vec<(u32, Result<Game, String>)> = Vec::new();
        let mut prose = 0;
        for line in Joined::new(text) {
            let index = line.number as u32 - 1;
            let next = found.partition_point(|found| found.lines[1] < index);
            if header::value(&line.content).is_some_and(|value| !is_moves(value)) {
                // Names may be below the last game.
                if let Some(header) = headers.get_mut(next.min(found.len().saturating_sub(1))) {
                    // A value of another form is prose.
                    let _ = header.take(&line.content);
                }
            } else if line.content.is_empty()
                || line.content.starts_with(['%', '#'])
                || found.get(next).is_some_and(|found| found.lines[0] <= index)
            {
                // It is empty, a comment, or read already.
            } else if !is_moves(&line.content) {
                prose += 1;
            } else {
                let number = block.number + line.number - 1;
                let moves = Transcript::parse(&line.content, start);
                let game = moves.map(|moves| Game::from(&moves));
                games.push((
                    index,
                    game.map_err(|error| format!("line {number}, {error}")),
                ));
                let is_other = games.len() == MAX_INVALID_GAMES
                    && found.is_empty()
                    && games.iter().all(|(_, game)| game.is_err())
                    && self.games.iter().all(Result::is_err);
                if is_other {
                    break;
                }
            }
        }
        // Short lines of moves among prose are prose.
        if prose > games.len() {
            games.clear();
        }
        for (found, header) in found.into_iter().zip(headers) {
            games.push((found.lines[0], Ok(header.onto(found.game))));
        }
        games.sort_by_key(|(line, _)| *line);
        let games = games.into_iter().map(|(_, game)| game.map(self.keep));
        self.games.extend(games);
    }
}

/// Returns whether a line begins like a board of 64 squares.
fn looks_like_board(content: &str) -> bool {
    /// Fewest characters of the first 64 that are squares. Other text has fewer.
    const FEWEST: usize = 56;
    if content.len() < 60 {
        return false;
    }
    let letters = content.chars().filter(|letter| !letter.is_whitespace());
    let is_square = |letter: &char| "-._XxOo*0BbWw".contains(*letter);
    letters.take(64).filter(is_square).count() >= FEWEST
}

/// Reads a position, or one with moves: `64 squares, side; f5d6`.
fn read_position(content: &str) -> Result<Game, String> {
    let read = parse_obf(content);
    if read.is_err()
        && let Some((board, moves)) = content.split_once(';')
        && let Ok(start) = board.parse()
        && is_moves(moves)
        && !moves.contains(':')
    {
        let game = found::moves(moves, start);
        if game.placed() > 0 {
            return Ok(game);
        }
    }
    let start = read?.map_or(Position::START, |obf| obf.position);
    Ok(Game::new(start))
}

/// Parses all lines of a text as one game.
fn whole(text: &str, start: Position) -> Option<Game> {
    if text.len() > MAX_SINGLE {
        return None;
    }
    let lines = text.lines().filter(|line| !line.starts_with(['%', '#']));
    let lines: Vec<&str> = lines.map(header::trimmed).collect();
    let moves = Transcript::parse(&lines.join(" "), start).ok()?;
    Some(Game::from(&moves))
}
