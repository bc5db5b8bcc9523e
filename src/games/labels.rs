//! Labels in texts with one move on each line: `B f5`, `play b f5`, `1,black,f5`. A label is the
//! tokens before the move on its line, `play b` in the second example. The form of a label is its
//! words, with a dot in place of each word that names a side. In a series of labelled lines, all
//! labels have one form, or two forms that alternate.

use super::tokens::{Kind, Token};
use super::words;

/// Fewest moves in a series of labelled lines.
const FEWEST: usize = 4;

/// Maximum length in bytes of a labelled line.
const LONGEST_LINE: usize = 60;

/// Maximum number of tokens of a label.
const MOST_TOKENS: usize = 3;

/// Returns `tokens` with a [`Kind::Label`] in place of the tokens of each label that names a side.
/// The tokens of labels that name no side are removed. Only labels in a series of labelled lines
/// are replaced.
pub(super) fn replace(text: &str, tokens: &[Token]) -> Vec<Token> {
    let lines = tokens.chunk_by(|left, right| left.line == right.line);
    let lines: Vec<&[Token]> = lines.collect();
    let forms: Vec<Option<String>> = lines.iter().map(|line| form(text, line)).collect();
    let (mut first, mut replaced) = (0, Vec::new());
    while first < lines.len() {
        let is_next = |at: usize| {
            let form = &forms[at];
            form.is_some() && (at < first + 2 || *form == forms[at - 1] || *form == forms[at - 2])
        };
        let mut ends = first..lines.len();
        let end = ends.find(|&at| !is_next(at)).unwrap_or(lines.len());
        let is_move = |line: &&&[Token]| line.last().is_some_and(|last| last.square().is_some());
        if lines[first..end].iter().filter(is_move).count() < FEWEST {
            let end = end.max(first + 1);
            replaced.extend(lines[first..end].iter().copied().flatten());
            first = end;
            continue;
        }
        for (mv, label) in lines[first..end]
            .iter()
            .filter_map(|line| line.split_last())
        {
            let mut sides = label.iter().rev();
            let side = sides.find_map(|token| words::label(token.text(text)));
            replaced.extend(side.map(|side| label[0].as_label(side)));
            replaced.push(mv.behind(&label[0]));
        }
        let damaged = lines.get(end);
        let damaged = damaged.and_then(|line| without_move(text, line, forms[end - 1].as_deref()));
        first = end + usize::from(damaged.is_some());
        replaced.extend(damaged);
    }
    replaced
}

/// If a line has a label of the form `form` but no readable move, returns a damaged move for this
/// line.
fn without_move(text: &str, line: &[Token], form: Option<&str>) -> Option<Token> {
    let mut lengths = 1..=line.len();
    let length = lengths.find(|&length| {
        let next = line.get(length);
        next.is_none_or(|token| token.kind == Kind::Bad)
            && words(text, &line[..length]).as_deref() == form
    })?;
    Some(line[length.min(line.len() - 1)].as_bad())
}

/// Returns the form of the label before the move of a line, or `None` if the line is not a label
/// and a move. Labels of one form differ only in the side that they name.
fn form(text: &str, line: &[Token]) -> Option<String> {
    let (mv, label) = line.split_last()?;
    let is_label = (1..=MOST_TOKENS).contains(&label.len())
        && mv.range().end - label[0].range().start <= LONGEST_LINE
        && label.iter().all(|token| token.square().is_none());
    is_label.then(|| words(text, label)).flatten()
}

/// Returns the words of a label, with a dot in place of each word that names a side. Returns `None`
/// if the label has more than one other word.
fn words(text: &str, label: &[Token]) -> Option<String> {
    let words = label.iter().map(|token| token.text(text));
    let others = words
        .clone()
        .filter(|word| words::label(word).is_none())
        .count();
    let words = words.map(|word| match words::label(word) {
        Some(_) => "\u{b7} ".to_owned(),
        None => word.to_lowercase() + " ",
    });
    (others <= 1).then(|| words.collect())
}
