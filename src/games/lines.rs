//! Reads text without a structured format (see `segments`).
//!
//! A transcript, a position and a header line each fill one text line. All other text is searched
//! for [`lists`] of moves. A header line is a tag, such as `Black: Ann`. It is pending until the
//! text after it shows whether it belongs to the game above or to the game below. A block is a
//! group of consecutive text lines that may hold moves.

use std::mem;
use std::ops::Range;

use super::header::{self, Header};
use super::reading::{Reading, Span, Stop};
use super::replay::Replay;
use super::tokens::tokens;
use super::{Game, Labelled, PackedGame, boards, labelled, lists, segments, words};
use emilia_core::board::{Position, Square, Transcript};

/// Maximum number of games in a text, so that a small packed file cannot exhaust the memory.
const MAX_GAMES: usize = 4_000_000;

/// Reads a text from byte `at` up to the next segment of a structured format. Returns the byte
/// offset of the end.
pub(super) fn read(out: &mut Reading, at: usize) -> usize {
    let mut lines = Lines {
        first: out.entries.len(),
        out,
        pending: None,
        block: None,
        position: None,
        has_sides: false,
        table: None,
    };
    let mut next = at;
    while next < lines.out.text.len() {
        let rest = &lines.out.text[next..];
        let line = rest.find('\n').map_or(rest, |end| &rest[..=end]);
        let head = if next == at {
            None
        } else {
            segments::head_in(rest, line)
        };
        if let Some(head) = head {
            lines.line(next, &line[..head]);
            next += head;
            break;
        }
        next = lines.line(next, line);
        if lines.out.entries.len() >= MAX_GAMES {
            let text = format!("more than {MAX_GAMES} games; split the file");
            lines.out.refuse(next..next, Span::Moves, text);
            return lines.out.text.len();
        }
    }
    lines.end_block(next);
    lines.end(next);
    next
}

/// State of the reader of one segment of text without a structured format.
struct Lines<'r, 't> {
    out: &'r mut Reading<'t>,
    /// Number of games in `out` before this segment.
    first: usize,
    pending: Option<Pending>,
    block: Option<Block>,
    /// Position on the previous line, and the index of its game in `out`. This game has no moves
    /// yet.
    position: Option<(Position, usize)>,
    /// Whether an earlier board has a side to move. A later board without a side to move is then
    /// damaged.
    has_sides: bool,
    table: Option<Table>,
}

/// Pending header lines: it is not known yet to which game they belong.
#[derive(Default)]
struct Pending {
    header: Header,
    lines: Vec<Range<usize>>,
    /// Whether the header lines begin with `%`, `#` or `;`. Such header lines, which Emilia also
    /// writes, are above their game.
    is_above: bool,
    /// Whether a [`Block`] ends directly above the first header line.
    is_below: bool,
    /// Whether a blank line follows the header lines.
    is_whole: bool,
}

/// Consecutive lines that are neither header lines nor positions. They may hold moves.
struct Block {
    start: usize,
    end: usize,
    /// Header lines above the block. They belong to its first game.
    above: Pending,
    /// Number of games read before the block: the length of the entries of [`Lines::out`].
    games: usize,
    /// Whether each line is a transcript, whose game is already in the entries of [`Lines::out`].
    is_read: bool,
}

impl Lines<'_, '_> {
    /// Reads one line, or several lines such as a drawn board. Returns the byte offset of their
    /// end.
    fn line(&mut self, at: usize, line: &str) -> usize {
        let content = header::trimmed(line);
        let end = at + line.len();
        if content.is_empty() {
            self.blank();
            return end;
        }
        if self.transcript(at, line, content) || self.row(at, content) {
            return end;
        }
        if let Some(second) = header::second(line) {
            self.header(at, &line[..second]);
            return self.line(at + second, &line[second..]);
        }
        if header::value(content).is_some() {
            self.header(at, line);
            return end;
        }
        if boards::is_heading(content) {
            self.end_block(at);
            self.out.mark(at..end, Span::Board);
            return end;
        }
        let is_comment = |rest: &str| {
            let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
            !is_number && !has_move(content)
        };
        if content.starts_with('%') || content.strip_prefix('#').is_some_and(is_comment) {
            return end;
        }
        if let Some((moves, tag)) = line.rsplit_once('%').or_else(|| line.rsplit_once('#'))
            && header::value(tag).is_some()
        {
            let start = end - tag.len();
            self.line(at, moves);
            self.header(start, tag);
            if let Some(pending) = &mut self.pending {
                pending.is_below = true;
            }
            return end;
        }
        if let Some(end) = self.board(at, line, content) {
            return end;
        }
        // A row without the names of its columns, such as a name, a tab and moves.
        let mut fields = content.split('\t').filter(|field| has_move(field));
        let is_row = match (fields.next(), fields.next()) {
            (Some(moves), None) => self.transcript(at, line, moves),
            _ => false,
        };
        if !is_row {
            self.add_to_block(at, line, false);
        }
        end
    }

    /// Adds the game of a line that is a transcript. Returns whether the line is one.
    fn transcript(&mut self, at: usize, line: &str, content: &str) -> bool {
        let start = match (&self.block, &self.pending) {
            (None, Some(pending)) => pending.header.start(),
            _ => Position::START,
        };
        let Ok(moves) = Transcript::parse(content, start) else {
            return false;
        };
        let block = self.add_to_block(at, line, true);
        let header = &block.above.header;
        let game = if block.start == at && header.says_anything() {
            PackedGame::settled(header.clone().onto(Game::from(&moves)))
        } else {
            PackedGame::from(&moves)
        };
        self.out.add(at..at, Span::Moves, game, None);
        true
    }

    /// Reads a row of a table, or the line with the names of its columns. Returns whether the line
    /// is either.
    fn row(&mut self, at: usize, content: &str) -> bool {
        let Some(table) = self.table.take() else {
            self.table = Table::of_header(content);
            if self.table.is_some() {
                self.end_block(at);
                self.out.mark(at..at + content.len(), Span::Tags);
            }
            return self.table.is_some();
        };
        let mut is_quoted = false;
        let fields = content.split(|sign| {
            is_quoted ^= sign == '"';
            sign == table.separator && !is_quoted
        });
        let fields: Vec<&str> = fields.map(str::trim).collect();
        let range = at..at + content.len();
        let is_comment = content.starts_with(['%', '#']);
        let is_row = table.is_row(&fields);
        let is_damaged = !is_row && !is_comment && fields.len() > 2 && has_move(content);
        if is_damaged {
            self.end_block(at);
            let (all, count) = (table.names.len(), fields.len());
            let text = format!("a row of {count} fields in a table of {all} columns");
            self.out.refuse(at..at, Span::Moves, text);
        }
        if is_row {
            self.end_block(at);
            match table.board {
                Some(_) => {
                    let read = table.position(&fields).map(Game::from);
                    self.add_board(read, range, Vec::new());
                }
                None => self.game_of_row(&table, &fields),
            }
        }
        if is_row || is_damaged || is_comment || table.board.is_some() || fields.len() == 1 {
            self.table = Some(table);
        }
        is_row
    }

    /// Reads the game of a row, with its tags.
    fn game_of_row(&mut self, table: &Table, fields: &[&str]) {
        let (text, first) = (self.out.text, self.out.entries.len());
        let range = |field: &str| {
            let start = field.as_ptr().addr() - text.as_ptr().addr();
            start..start + field.len()
        };
        lists::read(self.out, range(fields[table.moves]), Position::START, true);
        if self.out.entries.len() == first {
            return;
        }
        let mut header = Header::default();
        for (name, field) in table.names.iter().zip(fields) {
            let value = field.trim_matches('"');
            let mut take = |tag| header.take(&format!("{tag}: {value}")).is_ok();
            if words::tag(name).is_some_and(&mut take) {
                self.out.mark(range(field), Span::Tags);
            }
        }
        self.out.entries[first].edit(|game| header.below(game));
    }

    /// Adds a line to the current block or to a new one. `is_read`: the line is a transcript.
    /// Returns the block.
    fn add_to_block(&mut self, at: usize, line: &str, is_read: bool) -> &mut Block {
        let above = match self.block {
            None => self.take_pending(),
            Some(_) => Pending::default(),
        };
        let block = self.block.get_or_insert(Block {
            start: at,
            end: at,
            above,
            games: self.out.entries.len(),
            is_read: true,
        });
        block.is_read &= is_read;
        block.end = at + line.len();
        block
    }

    /// Removes the pending header lines and returns them for the game that begins. If they are only
    /// a result directly below the previous game, gives them to that game instead.
    fn take_pending(&mut self) -> Pending {
        let is_below =
            |pending: &Pending| pending.is_below && !pending.is_above && pending.header.is_result();
        if self.pending.as_ref().is_some_and(is_below) && self.out.entries.len() > self.first {
            self.extend_last();
        }
        self.pending.take().unwrap_or_default()
    }

    /// Marks the header lines as consumed, and returns their values.
    fn given(&mut self, lines: Pending) -> Header {
        for line in lines.lines {
            self.out.mark(line, Span::Tags);
        }
        lines.header
    }

    /// Adds a game with the values of the pending header lines.
    fn add(&mut self, game: Game, stop: Option<Stop>, range: Range<usize>, span: Span) {
        let pending = self.take_pending();
        let game = PackedGame::settled(self.given(pending).onto(game));
        self.out.add(range, span, game, stop);
    }

    fn blank(&mut self) {
        let Some(pending) = &mut self.pending else {
            return;
        };
        pending.is_whole = true;
        if pending.is_below && !pending.is_above && self.out.entries.len() > self.first {
            self.extend_last();
        }
    }

    /// Adds the values of the pending header lines to the last game.
    fn extend_last(&mut self) {
        let pending = self.pending.take().unwrap_or_default();
        let header = self.given(pending);
        if let Some(last) = self.out.entries.last_mut() {
            last.edit(|game| header.below(game));
        }
    }

    /// Adds a header line to the pending header lines.
    fn header(&mut self, at: usize, line: &str) {
        let is_below =
            self.block.as_ref().is_some_and(|block| block.end == at) && self.pending.is_none();
        self.end_block(at);
        self.position = None;
        let is_above = line.trim_start().starts_with(['%', '#', ';']);
        if self
            .pending
            .as_ref()
            .is_some_and(|pending| pending.is_whole && (is_above || pending.is_above))
        {
            self.end_header(at, false);
        }
        let pending = self.pending.get_or_insert_with(|| Pending {
            is_above,
            is_below,
            ..Pending::default()
        });
        if pending.header.has(line) {
            // The tag already has another value, and it is not known which one is right. The line
            // stays unread.
            return;
        }
        match pending.header.take(line) {
            // The value holds moves, so the line break before these moves may be lost. The value is
            // kept, and the line is reported as unread.
            Ok(()) if header::value(line).is_some_and(header::holds_moves) => {}
            Ok(()) => pending.lines.push(at..at + line.len()),
            Err(expected) if is_above => {
                let pending = self.take_pending();
                self.given(pending);
                self.out
                    .refuse(at..at, Span::Tags, format!("expected {expected}"));
            }
            // A line without `%` whose value is invalid is prose.
            Err(_) => {}
        }
    }

    /// Adds the pending header lines as a game without moves. If `is_cut`, the game has a warning
    /// that the text ends after its header.
    fn end_header(&mut self, at: usize, is_cut: bool) {
        let pending = self.pending.take().unwrap_or_default();
        let header = self.given(pending);
        if header.says_anything() {
            let game = Game::new(header.start());
            let text = "the text ends after the header of a game";
            let stop = is_cut.then(|| self.out.stop(at, text, true));
            let game = PackedGame::settled(header.onto(game));
            self.out.add(at..at, Span::Tags, game, stop);
        }
    }

    /// Ends the segment. Pending header lines become a game without moves, or their values are
    /// added to the last game. If neither is possible, they stay unread.
    fn end(&mut self, at: usize) {
        let Some(pending) = &self.pending else {
            return;
        };
        // Header lines above prose are a game only if they name a player.
        let below = pending.lines.last().map_or(at, |line| line.end.min(at));
        let is_game = pending.header.names_player() || self.out.text[below..at].trim().is_empty();
        if pending.is_above && !pending.is_below && is_game {
            let is_cut = !self.out.text[..at].ends_with("\n\n");
            self.end_header(at.saturating_sub(1), is_cut);
        } else if self.out.entries.len() > self.first {
            self.extend_last();
        }
    }

    /// Reads a board at byte `at`: on this line, in a link, or in eight rows. Returns the byte
    /// offset of its end.
    fn board(&mut self, at: usize, line: &str, content: &str) -> Option<usize> {
        let end = at + line.len();
        let end_of_link = |c: char| c.is_whitespace() || ")>\"'".contains(c);
        let links = line.match_indices("http").filter_map(|(start, _)| {
            let address = line[start..].split(end_of_link).next()?;
            let start = at + start;
            Some((boards::link(address)?, start..start + address.len()))
        });
        let links: Vec<(Game, Range<usize>)> = links.collect();
        if !links.is_empty() {
            self.end_block(at);
            for (game, range) in links {
                self.add(game, None, range, Span::Board);
            }
            return Some(end);
        }
        if is_position(content) {
            self.end_block(at);
            self.position_line(at..end, content);
            return Some(end);
        }
        let drawn = boards::drawn(self.out.text, at)?;
        self.end_block(at);
        self.add_board(drawn.game, at..drawn.end, drawn.beside);
        self.out.mark(drawn.side, Span::Board);
        Some(drawn.end)
    }

    /// Adds the game `read` from a board, or an invalid game with its error. The byte ranges
    /// `beside`, which are notes beside the rows, stay unread.
    fn add_board(
        &mut self,
        read: Result<Game, String>,
        range: Range<usize>,
        beside: Vec<Range<usize>>,
    ) {
        let stop = read
            .as_ref()
            .err()
            .map(|why| self.out.stop(range.start, why, false));
        let position = read.as_ref().ok().map(Game::start);
        self.out.mark_except(range.clone(), Span::Board, beside);
        self.add(
            read.unwrap_or_default(),
            stop,
            range.start..range.start,
            Span::Board,
        );
        self.position = position.map(|position| (position, self.out.entries.len() - 1));
    }

    /// Reads a position, or a position with moves: `64 squares, side; f5d6`.
    fn position_line(&mut self, range: Range<usize>, content: &str) {
        let read = self.labelled(content);
        let start = content.as_ptr().addr() - self.out.text.as_ptr().addr();
        let part = boards::part_of_position(content);
        let used = start + part.start..(start + part.end).min(range.end);
        if let Some((board, moves)) = content.split_once(';')
            && read.is_err()
            && let Ok(start) = board.parse::<Position>()
            && !moves.contains(':')
        {
            let at = moves.as_ptr().addr() - self.out.text.as_ptr().addr();
            let tokens = tokens(self.out.text, at..at + moves.len());
            let list = lists::list(self.out.text, &tokens, start);
            if list.game.placed() > 0 {
                return self.add(list.game, list.stop, range, Span::Board);
            }
        }
        self.add_board(read.map(Game::from), used, Vec::new());
    }

    /// Reads a position with its scores. Fails if the board has no side to move although an earlier
    /// board has one.
    fn labelled(&mut self, content: &str) -> Result<Labelled, String> {
        let board = content.split([';', '%']).next().unwrap_or_default();
        let letters = board.chars().filter(|letter| !letter.is_whitespace());
        let squares = letters.count();
        if self.has_sides && squares == Square::COUNT {
            return Err("no side to move (the boards before have one)".to_owned());
        }
        let read = labelled::read(content)?;
        self.has_sides |= boards::holds_board(board) && squares > Square::COUNT;
        Ok(read)
    }

    /// Reads the games of the current block, which ends before byte `end`. Header lines above a
    /// block without games stay pending.
    fn end_block(&mut self, end: usize) {
        let Some(mut block) = self.block.take() else {
            return;
        };
        let range = block.start..block.end.min(end);
        if block.is_read {
            self.position = None;
            self.given(block.above);
            return self.out.mark(range, Span::Moves);
        }
        self.out.entries.truncate(block.games);
        let start = block.above.header.start();
        // The moves may continue from the position on the previous line. Of both start positions,
        // the one from which more moves are legal is used.
        let position = self.position.take().filter(|(position, _)| {
            let tokens = tokens(self.out.text, range.clone());
            let legal = |start| lists::legal_in_turn(tokens.iter(), Replay::new(start));
            !position.is_over() && legal(*position) > legal(start)
        });
        let first = position.map_or(start, |(position, _)| position);
        lists::read(self.out, range, first, true);
        if self.out.entries.len() == block.games {
            block.above.is_whole |= self.out.text[block.end.min(end)..end].contains('\n');
            self.pending = Some(block.above).filter(|above| above.header.says_anything());
            return;
        }
        let header = self.given(block.above);
        let entries = &mut self.out.entries;
        match position {
            Some((_, number)) => _ = entries.remove(number),
            None if header.says_anything() => {
                entries[block.games].edit(|game| *game = header.onto(mem::take(game)));
            }
            None => {}
        }
    }
}

/// Table of games, or of positions with their scores: a line of column names, then one row on each
/// text line.
struct Table {
    separator: char,
    /// Names of the columns, as [`words::plain`] returns them.
    names: Vec<String>,
    /// Index of the column of boards, `None` for a table of games. `moves` is the index of the
    /// column of moves.
    board: Option<usize>,
    moves: usize,
}

impl Table {
    /// Reads a line of column names. Returns `None` if the line is not the first line of a table.
    fn of_header(line: &str) -> Option<Table> {
        let mut signs = [';', '\t', ','].into_iter();
        let separator = signs.find(|&sign| line.contains(sign))?;
        let names: Vec<String> = line.split(separator).map(words::plain).collect();
        let board = names.iter().position(|name| name == "board");
        let board = board.filter(|_| separator == '\t');
        let moves = names.iter().rposition(|name| words::is_moves(name));
        let has_tag = names.iter().any(|name| words::tag(name).is_some());
        (board.is_some() || moves.is_some() && has_tag).then(|| Table {
            separator,
            board,
            moves: moves.unwrap_or_default(),
            names,
        })
    }

    /// Returns whether `fields` are a row of the table. A row of a table of positions may lack its
    /// last fields.
    fn is_row(&self, fields: &[&str]) -> bool {
        let (count, all) = (fields.len(), self.names.len());
        !fields[0].starts_with(['%', '#']) && (count == all || self.board.is_some() && count > 1)
    }

    /// Reads the position of a row, with its scores.
    fn position(&self, fields: &[&str]) -> Result<Labelled, String> {
        let field = |name: &str| {
            let index = self.names.iter().position(|own| own == name);
            let field = index.and_then(|index| fields.get(index));
            field.copied().unwrap_or_default()
        };
        let [board, side, best, scores] = ["board", "side", "best", "movescores"].map(field);
        labelled::row(board, side, best, scores)
    }
}

/// Returns whether a line names a square. Passes do not count.
fn has_move(line: &str) -> bool {
    tokens(line, 0..line.len())
        .iter()
        .any(|token| token.square().is_some())
}

/// Returns whether a line is a position in a form that has no other meaning: 64 squares, a FEN, two
/// hexadecimal numbers, or the word `start`.
fn is_position(line: &str) -> bool {
    let is_fen = || line.matches('/').count() == 7 && Position::from_fen(line).is_ok();
    line == "start" || boards::holds_board(line) || is_fen() || boards::is_hexadecimal(line)
}
