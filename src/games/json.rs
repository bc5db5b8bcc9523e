//! Games and positions in JSON, as Othello Quest and other sites give them.
//!
//! No schema is required. The moves of a game are a text or a list: `"moves": "f5d6…"`,
//! `["f5", "d6", …]` or `[{"m": "f5", "t": 900}, …]`. A board is a text, a list of rows, or a
//! matrix of 0, 1 and -1. Names and dates are found by their keys. A text is a JSON string. A text
//! without moves, names, dates or identifiers is not marked as read. [`Reading`] then warns if the
//! text may hold a move.

mod syntax;

use std::ops::Range;

use self::syntax::{Member, Node, Value};
use super::reading::{Reading, Span};
use super::tokens::{Kind, Token, tokens};
use super::{Game, Outcome, boards, conventions, lists, segments, words};
use emilia_core::board::{Position, PositionError, Transcript};

/// Keys of a player's name in an object, and keys of a player's rating.
const NAMES: [&str; 3] = ["name", "username", "id"];
const RATINGS: [&str; 4] = ["oldr", "rating", "elo", "rate"];

/// Keys of texts that only identify something. These texts are not searched for moves.
const IDENTIFIERS: [&str; 6] = ["id", "uuid", "hash", "url", "link", "version"];

/// Maximum number of columns of a list that are checked for moves. A column is a key or an index
/// that the items share.
const MAX_COLUMNS: usize = 16;

/// If the key of a text does not name moves, the text must have at least this number of tokens,
/// unreadable ones included, to be read as a list of moves.
const FEWEST: usize = 4;

/// Returns whether the input text begins like a value in JSON that may hold games.
pub(super) fn is_start(text: &str) -> bool {
    let is_object = text.starts_with('{');
    let inside = text[1..].trim_start();
    let is_key = |c: char| c.is_alphanumeric() || c == '_';
    let is_bare = is_object && inside.trim_start_matches(is_key).starts_with(':');
    let is_comment = inside.starts_with("//");
    let is_text = is_bare || words::quote(inside).is_some();
    let line = inside.split('\n').next().unwrap_or_default();
    let is_member = !is_object || line.contains(':') || inside.starts_with('}');
    is_text && is_member || is_comment || inside.starts_with(['{', '[', ']', '}', '0', '1', '-'])
}

/// Reads the games of the value that begins at byte `at`. A board is a game without moves. Returns
/// the byte offset at which reading continues, or `None` if the text is not JSON.
pub(super) fn read(out: &mut Reading, at: usize) -> Option<usize> {
    let (node, error) = syntax::parse(out.text, at)?;
    let first = out.entries.len();
    let mut reader = Reader {
        out,
        unread: Vec::new(),
    };
    reader.games(&node, Position::START, false);
    let unread = reader.unread;
    let is_empty = out.entries.len() == first;
    let end = node.range.end;
    match error {
        Some(_) if is_empty => return None,
        // Tags without moves stay unread, so that they are reported.
        None if is_empty && node.members().iter().any(|member| is_tag(&member.key)) => {}
        None => out.mark_except(node.range, Span::Record, unread),
        Some((at, expected)) => {
            out.mark_except(node.range.start..at, Span::Record, unread);
            let text = format!("this is not JSON: expected {expected}");
            out.refuse(at..at, Span::Record, text);
            return Some(segments::resume(out.text, at));
        }
    }
    Some(end)
}

struct Reader<'r, 't> {
    out: &'r mut Reading<'t>,
    /// Byte ranges that are not marked as read: texts that are not lists of moves, and members
    /// whose key occurs before in the same object.
    unread: Vec<Range<usize>>,
}

impl Reader<'_, '_> {
    /// Adds the games of a value: its moves, its board, or the games of its items or members.
    /// `is_moves`: whether the key of the value names moves.
    fn games(&mut self, node: &Node, start: Position, is_moves: bool) {
        if let Some(board) = board(node) {
            return self.position(&board, "", node);
        }
        match &node.value {
            Value::Text(_) => self.text(node, start, is_moves),
            Value::List(nodes) => match self.list(nodes, is_moves) {
                Some(tokens) => self.moves(&tokens, start),
                None if self.indices(node, nodes, start) => {}
                None => nodes.iter().for_each(|node| self.games(node, start, false)),
            },
            Value::Object(members) => self.object(members, start),
            Value::Other(_) => {}
        }
    }

    /// Adds the games of an object, with its tags.
    fn object(&mut self, members: &[Member], start: Position) {
        let first = self.out.entries.len();
        let own = members.iter().find(|member| member.key == "start");
        let own = own.and_then(|member| member.node.word().parse().ok());
        let start = own.unwrap_or(start);
        let (mut boards, mut side) = (Vec::new(), "");
        // An analysed game has its moves as a transcript, and lists of scores and other lines.
        let transcript = members.iter().find(|Member { key, node, .. }| {
            let read = || Transcript::parse(node.word(), start);
            key == "transcript" && read().is_ok_and(|read| !read.moves.is_empty())
        });
        for (index, Member { key, node, at }) in members.iter().enumerate() {
            let plain = words::plain(key);
            if members[..index].iter().any(|other| other.key == *key) {
                // The key occurs twice, and it is not known which value is right.
                self.unread.push(*at..node.range.end);
            } else if let Some(board) = board(node) {
                boards.push((board, node));
            } else if words::is_mover(&plain) {
                side = node.word();
            } else if !is_tag(key)
                && !IDENTIFIERS.contains(&&*plain)
                && transcript.is_none_or(|own| own.key == *key)
            {
                let (games, is_moves) = (self.out.entries.len(), words::is_moves(&plain));
                self.games(node, start, is_moves);
                let is_list = matches!(&node.value, Value::List(items) if !items.is_empty());
                if is_moves && is_list && self.out.entries.len() == games {
                    let range = node.range.start..node.range.start;
                    let text = format!("'{key}' has no moves that can be read");
                    self.out.refuse(range, Span::Record, text);
                }
            }
        }
        if self.out.entries.len() == first {
            for (board, node) in boards {
                self.position(&board, side, node);
            }
        }
        if let [entry] = &mut self.out.entries[first..] {
            entry.edit(|game| {
                read_tags(members, game);
                game.settle();
            });
        }
    }

    /// Adds the game of a text that is a list of moves, or the games within the text.
    fn text(&mut self, node: &Node, start: Position, is_moves: bool) {
        let part = node.inside.clone();
        let tokens = tokens(self.out.text, part.clone());
        if is_moves && !tokens.is_empty() || lists::is_list(&tokens) && tokens.len() >= FEWEST {
            return self.moves(&tokens, start);
        }
        self.unread.push(part.clone());
        if !tokens.is_empty() {
            lists::read(self.out, part, start, false);
        }
    }

    fn moves(&mut self, tokens: &[Token], start: Position) {
        let list = lists::list(self.out.text, tokens, start);
        let place = |token: &Token| token.range().start;
        let result = list.result.as_ref().map_or(usize::MAX, place);
        let next = tokens.iter().find(|token| place(token) > result);
        let rest = next.map(|next| self.out.stop(place(next), "moves follow the result", false));
        let at = tokens.first().map_or(0, |first| first.span().start);
        self.out
            .add(at..at, Span::Record, list.game, list.stop.or(rest));
    }

    /// Returns the moves of a list, or `None` if no column holds moves
    /// ([`is_column`](Self::is_column)). An item of the list is a single value, or a short list or
    /// an object whose values are its columns. If `is_moves`, a list of fewer than [`FEWEST`] texts
    /// needs no readable move.
    fn list(&self, nodes: &[Node], is_moves: bool) -> Option<Vec<Token>> {
        let rows: Vec<Vec<(&str, &Node)>> = nodes.iter().map(columns).collect();
        // The columns of a list are the columns of its first three items.
        let mut columns: Vec<&str> = Vec::new();
        for (name, _) in rows.iter().take(3).flatten() {
            if !columns.contains(name) && columns.len() < MAX_COLUMNS {
                columns.push(name);
            }
        }
        columns.retain(|name| self.is_column(&rows, name));
        let is_plain = |node: &Node| matches!(node.value, Value::Text(_) | Value::Other(_));
        let is_short = is_moves && (1..FEWEST).contains(&nodes.len());
        if columns.is_empty() && is_short && nodes.iter().all(is_plain) {
            columns.push("");
        }
        let mut list = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for name in &columns {
                let own = row.iter().find(|(own, _)| own == name);
                let is_last = index + 1 == rows.len() && *name != columns[0];
                match own {
                    Some((_, node)) if is_last && matches!(node.value, Value::Other("null")) => {}
                    Some((_, node)) => list.extend(self.item(node)),
                    None if is_last => {}
                    None => list.push(Token::item(Kind::Bad, nodes[index].range.clone())),
                }
            }
        }
        (!columns.is_empty()).then_some(list)
    }

    /// Returns whether at least half of the items `rows`, and more than one, have a single move in
    /// the column `name`.
    fn is_column(&self, rows: &[Vec<(&str, &Node)>], name: &str) -> bool {
        let cells = rows
            .iter()
            .filter_map(|row| row.iter().find(|(own, _)| *own == name));
        let is_move = |node: &Node| {
            let tokens = self.item(node);
            matches!(&*tokens, [token] if matches!(token.kind, Kind::Square(_) | Kind::Pass))
        };
        let moves = cells.filter(|(_, node)| is_move(node)).count();
        moves > 1 && 2 * moves >= rows.len()
    }

    /// Returns the tokens of an item of a list. An item without tokens is a damaged move.
    fn item(&self, node: &Node) -> Vec<Token> {
        let mut tokens = match &node.value {
            Value::Text(text) if text.trim() == "-" => {
                vec![Token::item(Kind::Pass, node.inside.clone())]
            }
            Value::Text(_) => tokens(self.out.text, node.inside.clone()),
            Value::Other("null" | "None") => vec![Token::item(Kind::Pass, node.range.clone())],
            _ => Vec::new(),
        };
        if let [label, _] = &tokens[..]
            && words::label(label.text(self.out.text)).is_some()
        {
            tokens.remove(0);
        }
        if tokens.is_empty() {
            tokens.push(Token::item(Kind::Bad, node.range.clone()));
        }
        tokens
    }

    /// Adds the game of a list of square indices. Returns whether the list is such a game.
    fn indices(&mut self, node: &Node, nodes: &[Node], start: Position) -> bool {
        let is_number =
            |node: &Node| matches!(node.value, Value::Other(word) if word.parse::<u8>().is_ok());
        let text = &self.out.text[node.range.clone()];
        let game = conventions::read(text, start).filter(|_| nodes.iter().all(is_number));
        let at = node.range.start;
        game.map(|game| self.out.add(at..at, Span::Record, game, None))
            .is_some()
    }

    /// Adds a game without moves that begins at a board. `side` is the text of its side to move, or
    /// empty.
    fn position(&mut self, board: &str, side: &str, node: &Node) {
        let at = node.range.start..node.range.start;
        match format!("{board} {side}").trim().parse() {
            Ok(position) => self.out.add(at, Span::Record, Game::new(position), None),
            Err(error) => {
                let error: PositionError = error;
                self.out.refuse(at, Span::Record, error.to_string());
            }
        }
    }
}

/// Returns the values of an item with the names of their columns. The names are the keys of an
/// object, the indices of a short list, or an empty name for a single value.
fn columns<'n>(node: &'n Node) -> Vec<(&'n str, &'n Node<'n>)> {
    const PLACES: [&str; 3] = ["0", "1", "2"];
    match &node.value {
        Value::List(nodes) if (1..=3).contains(&nodes.len()) => {
            PLACES.into_iter().zip(nodes).collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|member| (&*member.key, &member.node))
            .collect(),
        _ => vec![("", node)],
    }
}

/// Returns the squares of a board as one text. The board is a text, a list of eight rows (texts or
/// lists), or a list of 64 squares.
fn board(node: &Node) -> Option<String> {
    squares(node).filter(|text| boards::holds_board(text))
}

fn squares(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.to_string()),
        Value::Other(word) => match *word {
            "null" | "0" | "None" => Some("-".to_owned()),
            "1" => Some("X".to_owned()),
            "-1" | "2" => Some("O".to_owned()),
            _ => None,
        },
        Value::List(cells) if matches!(cells.len(), 8 | 64) => cells.iter().map(squares).collect(),
        _ => None,
    }
}

fn is_tag(key: &str) -> bool {
    match words::tag(key) {
        Some(tag) => !matches!(tag, "Time" | "Comment"),
        None => words::plain(key) == "players",
    }
}

/// Sets each tag that a member of an object names, except time, comment and start position. A tag
/// that is already set stays.
fn read_tags(members: &[Member], game: &mut Game) {
    for Member { key, node, .. } in members {
        match (words::tag(key), &node.value) {
            (Some("Time" | "Comment" | "Start"), _) => {}
            (Some("Result"), _) => {
                let outcome = Outcome::parse(&name(node)).flatten();
                game.tags.outcome = game.tags.outcome.or(outcome);
            }
            (Some(tag), _) => set(game, tag, node),
            (None, Value::List(players)) if is_tag(key) => {
                let sides = ["Black", "White"].into_iter().zip(players);
                sides.for_each(|(side, player)| set(game, side, player));
            }
            (None, Value::Object(players)) if is_tag(key) => read_tags(players, game),
            _ => {}
        }
    }
    // Removes the time of day after the date.
    if let Some((date, _)) = game.tags.date.split_once('T')
        && date.starts_with(|c: char| c.is_ascii_digit())
    {
        game.tags.date = date.to_owned();
    }
}

/// Sets the tag `tag`, and the rating if the tag is a player. A value that is already set stays.
fn set(game: &mut Game, tag: &str, node: &Node) {
    let elo = first(node.members(), &RATINGS);
    for (tag, text) in [(tag, &*name(node)), (&format!("{tag}Elo"), elo)] {
        if game.tags.get(tag).is_empty() && !text.is_empty() {
            game.tags.set(tag, text);
        }
    }
}

/// Returns a text or a number as a text, or the name in an object.
fn name(node: &Node) -> String {
    match &node.value {
        Value::Object(members) => first(members, &NAMES).to_owned(),
        // JSON can escape control characters, which no other format holds.
        _ => node.word().replace(char::is_control, " "),
    }
}

/// Returns the value of the first of `keys` that the members have, or an empty text.
fn first<'n>(members: &'n [Member], keys: &[&str]) -> &'n str {
    let is_named = |own: &&str| {
        members
            .iter()
            .find(|member| words::plain(&member.key) == **own)
    };
    let found = keys.iter().find_map(is_named);
    found.map_or("", |member| member.node.word())
}
