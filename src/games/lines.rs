//! Games in text: transcripts, positions, and header lines of the next game, each on a line.
//!
//! Where lines are anything else, the games are [`found`] among the words.

use std::mem;

use super::found::{self, Found};
use super::header::{self, Header};
use super::obf::{holds_board, holds_run, parse_obf};
use super::{Game, LabelledReader, PackedGame};
use emilia_core::board::{Position, PositionError, Sentence, Transcript};

/// Number of invalid games at the start of a text after which it is no game file.
/// Then only the error of the first game is returned.
const MAX_INVALID_GAMES: usize = 1000;

/// Maximum number of games in a text, so that a small packed file cannot exhaust the memory.
const MAX_GAMES: usize = 4_000_000;

/// Maximum length in bytes of a text that may be a single game or position on several lines.
const MAX_SINGLE: usize = 1 << 16;

/// Reads the games of a text.
pub(super) fn read(text: &str) -> Vec<Result<PackedGame, Sentence>> {
    let mut reader = Reader {
        text,
        has_boards: text.lines().any(is_board),
        ..Reader::default()
    };
    for (number, line) in (1..).zip(text.lines()) {
        if reader.games.len() == MAX_GAMES {
            let error = format!("line {number}: more than {MAX_GAMES} games; split the file");
            reader.games.push(Err(error.into()));
            return reader.games;
        }
        reader.add(&Line {
            number,
            start: line.as_ptr().addr() - text.as_ptr().addr(),
            content: header::trimmed(line),
        });
    }
    reader.report_swallowed();
    reader.end_block(text.len());
    reader.end_header(text.lines().count(), !text.ends_with("\n\n"));
    let has_game = reader.has_boards || reader.games.iter().any(Result::is_ok);
    if !has_game && text.len() <= MAX_SINGLE {
        // The text may have boards of several lines, or be a position in a form other than OBF.
        let read = |read: Result<_, PositionError>| match read {
            Ok(position) => Ok(Game::new(position).into()),
            Err(error) => Err(error.to_string().into()),
        };
        let positions: Vec<_> = Position::all_in(text).into_iter().map(read).collect();
        if !positions.is_empty() {
            return positions;
        }
    }
    if !has_game && reader.games.len() >= MAX_INVALID_GAMES {
        reader.games.truncate(1);
    }
    reader.games
}

/// Returns whether a line is no comment and holds a board.
fn is_board(line: &str) -> bool {
    !line.starts_with(['%', '#']) && holds_board(line)
}

/// A line of the text, with its number from 1 and its byte offset.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    start: usize,
    content: &'a str,
}

/// Reader state.
#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    games: Vec<Result<PackedGame, Sentence>>,
    /// Header lines of the next game.
    header: Header,
    /// Whether a blank line ended the header.
    is_header_whole: bool,
    /// The lines since the last header line or position.
    block: Option<Block<'a>>,
    /// Number of the last header line, if it holds moves or a board: they may be the game's own.
    swallowed: Option<usize>,
    /// Position of the last line, which is a game without moves so far.
    position: Option<Position>,
    labelled: LabelledReader,
    /// Whether the text has positions on single lines. Then prose is an error.
    has_boards: bool,
}

/// Lines of moves, or of anything but header lines and positions.
struct Block<'a> {
    first: Line<'a>,
    header: Header,
    /// Number of games before the block, and of those that are lines of it.
    before: usize,
    read: usize,
    /// Lines that are no game each, with the number of games before them.
    others: Vec<(usize, Line<'a>)>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, line: &Line<'a>) {
        let content = line.content;
        if content.is_empty() {
            self.report_swallowed();
            self.is_header_whole = self.header.says_anything();
        } else if let Some(comment) = content.strip_prefix(['%', '#']) {
            let is_header = header::value(comment).is_some();
            let is_start = is_header && comment.contains("Start");
            if is_header && comment.contains("Black:") {
                self.report_swallowed();
            }
            if found::holds_moves(comment) || holds_run(comment) && !is_start {
                self.swallowed = Some(line.number);
                if !is_header {
                    self.report_swallowed();
                }
            }
            if is_header {
                self.end_block(line.start);
                if self.is_header_whole {
                    self.end_header(line.number, false);
                }
                self.position = None;
                if let Err(expected) = self.header.take(comment) {
                    let error = format!("line {}: expected {expected}", line.number);
                    self.games.push(Err(error.into()));
                    self.header = Header::default();
                }
            }
        } else if self.has_boards && is_board(content) {
            self.swallowed = None;
            self.end_block(line.start);
            let header = mem::take(&mut self.header);
            let read = self.position_of(line);
            let start = |game: &Game| game.moves().is_empty().then(|| game.start());
            self.position = read.as_ref().ok().and_then(start);
            let read = read.map_err(|problem| format!("line {}, {problem}", line.number).into());
            let game = read.map(|game| PackedGame::settled(header.onto(game)));
            self.games.push(game);
        } else if self.has_boards && matches!(self.labelled.read(content), Ok(None)) {
            // The header of a table.
        } else {
            self.add_moves(line);
        }
    }

    /// Reports a header line or comment with moves, which no line of moves has followed.
    fn report_swallowed(&mut self) {
        if let Some(number) = self.swallowed.take() {
            let text = format!("line {number}: moves or a board in a comment");
            self.games.push(Err(text.into()));
        }
    }

    /// Ends a header without moves, which is a game without moves. The text ends there if `is_cut`.
    fn end_header(&mut self, line: usize, is_cut: bool) {
        let header = mem::take(&mut self.header);
        if header.says_anything() {
            let mut game = header.clone().onto(Game::new(header.start()));
            if is_cut {
                game.cut(format!(
                    "line {line}: the text ends after the header of a game"
                ));
            }
            self.games.push(Ok(PackedGame::settled(game)));
        }
        self.is_header_whole = false;
    }

    /// Reads a position, or one with moves: `64 squares, side; f5d6`.
    fn position_of(&mut self, line: &Line<'_>) -> Result<Game, String> {
        let content = line.content;
        let read = self.labelled.read(content);
        if read.is_err()
            && let Some((board, moves)) = content.split_once(';')
            && let Ok(start) = board.parse()
            && found::is_list(moves)
            && !moves.contains(':')
        {
            let list = found::list(moves, start, line.number, false);
            if list.game.placed() > 0 {
                return Ok(list.game);
            }
        }
        let start = read?.map_or(Position::START, |labelled| labelled.position);
        Ok(Game::new(start))
    }

    /// Adds a line to the block.
    fn add_moves(&mut self, line: &Line<'a>) {
        let (header, before) = (&mut self.header, self.games.len());
        self.is_header_whole = false;
        self.swallowed = None;
        let block = self.block.get_or_insert_with(|| Block {
            first: *line,
            header: mem::take(header),
            before,
            read: 0,
            others: Vec::new(),
        });
        match Transcript::parse(line.content, block.start_of(line)) {
            Ok(moves) if !is_later(line.content) => {
                block.read += 1;
                self.games.push(Ok(match block.header_of(line) {
                    Some(header) if header.says_anything() => {
                        block.packed(line, Game::from(&moves))
                    }
                    _ => PackedGame::from(&moves),
                }));
            }
            _ => block.others.push((before, *line)),
        }
    }

    /// Reads the games of the block, which ends at byte `end`.
    fn end_block(&mut self, end: usize) {
        let Some(block) = self.block.take() else {
            return;
        };
        let position = self.position.take();
        if block.others.is_empty() {
            return;
        }
        let others = block.others.iter().map(|(_, line)| line);
        let (lists, prose): (Vec<&Line<'_>>, Vec<_>) =
            others.partition(|line| found::is_list(line.content));
        // Lines that go on with the game of the line before.
        let is_later = |line: &&&Line<'_>| found::goes_on(line.content, block.start_of(line));
        let later = lists.iter().filter(is_later).count();
        let own = block.read + lists.len() - later;
        let is_lists = own > later && own > prose.len();
        let text = &self.text[block.first.start..end];
        if is_lists && text.len() > MAX_SINGLE {
            return self.add_lines(&block);
        }
        let found = found::games(text, block.header.start(), block.first.number);
        let is_in = |line: &&Line<'_>| {
            let index = (line.number - block.first.number) as u32;
            let is_at = |found: &Found| (found.lines[0]..=found.lines[1]).contains(&index);
            found.iter().any(is_at)
        };
        // Games over several lines leave nothing unread.
        let is_whole = !found.iter().any(|found| found.game.is_cut()) && lists.iter().all(is_in);
        if is_lists && !is_whole {
            self.add_lines(&block);
        } else {
            self.games.truncate(block.before);
            self.add_found(block, found, text, position);
        }
    }

    /// Reads each line that is no game as a list of moves, up to what is damaged.
    fn add_lines(&mut self, block: &Block<'_>) {
        for (added, (before, line)) in block.others.iter().enumerate() {
            let start = block.start_of(line);
            let game = if found::is_list(line.content) {
                Some(found::list(line.content, start, line.number, false).game())
            } else {
                let found = found::games(line.content, start, line.number);
                found.into_iter().next().map(|found| Ok(found.game))
            };
            if let Some(game) = game {
                let game = game.map(|game| block.packed(line, game));
                let place = (before + added).min(self.games.len());
                self.games.insert(place, game);
            }
        }
    }

    /// Adds the games among the words of a block, whose first moves may begin at `position`.
    fn add_found(
        &mut self,
        block: Block<'_>,
        mut found: Vec<Found>,
        text: &str,
        position: Option<Position>,
    ) {
        let (start, number) = (block.header.start(), block.first.number);
        if let Some(position) = position
            && found.is_empty()
        {
            found = found::games(text, position, number);
            if !found.is_empty() {
                // They begin at the position of the line before.
                self.games.pop();
            }
        }
        let mut headers = vec![Header::default(); found.len()];
        if let Some(first) = headers.first_mut() {
            *first = block.header;
        }
        let mut games: Vec<(u32, Result<Game, Sentence>)> = Vec::new();
        let mut prose = 0;
        for (index, line) in (0..).zip(text.lines()) {
            let content = header::trimmed(line);
            let next = found.partition_point(|found| found.lines[1] < index);
            let is_read = found.get(next).is_some_and(|found| found.lines[0] <= index);
            if header::value(content).is_some_and(|value| !found::is_list(value)) {
                // Names may be below the last game.
                if let Some(header) = headers.get_mut(next.min(found.len().saturating_sub(1))) {
                    // A value of another form is prose.
                    let _ = header.take(content);
                }
            } else if is_read || content.is_empty() || content.starts_with(['%', '#']) {
                // It is read already, empty or a comment.
            } else if self.has_boards {
                let problem = parse_obf(content).err().unwrap_or_default();
                let problem = format!("line {}, {problem}", number + index as usize);
                games.push((index, Err(problem.into())));
            } else if !found::is_list(content) {
                prose += 1;
            } else {
                let list = found::list(content, start, number + index as usize, false);
                let game = match list.game.warnings() {
                    [] => Ok(list.game),
                    [why, ..] => Err(why.clone()),
                };
                games.push((index, game));
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
        let games = games
            .into_iter()
            .map(|(_, game)| game.map(PackedGame::settled));
        self.games.extend(games);
    }
}

/// Returns whether a line begins with the number of a later move: `2. c3`, `2) c3`, `1... d6`.
fn is_later(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &line[..line.len() - rest.len()];
    rest.starts_with("...")
        || number.len() < 4
            && !matches!(number, "" | "0" | "1")
            && rest.starts_with(|c: char| !c.is_alphanumeric())
}

impl Block<'_> {
    /// Returns the start of the game on a line. The header is that of the first line.
    fn start_of(&self, line: &Line<'_>) -> Position {
        let header = self.header_of(line);
        header.map_or(Position::START, Header::start)
    }

    fn header_of(&self, line: &Line<'_>) -> Option<&Header> {
        Some(&self.header).filter(|_| line.number == self.first.number)
    }

    /// Packs the game on a line.
    fn packed(&self, line: &Line<'_>, game: Game) -> PackedGame {
        let header = self.header_of(line).cloned().unwrap_or_default();
        PackedGame::settled(header.onto(game))
    }
}
