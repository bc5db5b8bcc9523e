//! Labels of lines with one move each, the same before each move or one for each side: `B f5`,
//! `play b f5`, `1,black,f5`.

use super::tokens::{Kind, Token};
use super::words;

/// Fewest lines of a series.
const FEWEST: usize = 4;

/// Maximum length in bytes of a line, and of a label in tokens.
const LONGEST: usize = 60;
const MOST: usize = 3;

/// Replaces the labels of series of lines by the sides that they name, and removes other labels.
pub(super) fn replace(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let lines: Vec<&[Token]> = tokens
        .chunk_by(|left, right| left.line == right.line)
        .collect();
    let forms: Vec<Option<String>> = lines.iter().map(|line| form(text, line)).collect();
    let (mut first, mut replaced) = (0, Vec::new());
    while first < lines.len() {
        let is_next = |at: usize| {
            let form = &forms[at];
            form.is_some() && (at < first + 2 || *form == forms[at - 1] || *form == forms[at - 2])
        };
        let mut ends = first..lines.len();
        let end = ends
            .find(|&at| !is_next(at))
            .unwrap_or(lines.len())
            .max(first + 1);
        let is_move = |line: &&&[Token]| line.last().is_some_and(|last| last.square().is_some());
        let is_series = lines[first..end].iter().filter(is_move).count() >= FEWEST;
        for line in &lines[first..end] {
            match line.split_last() {
                Some((mv, label)) if is_series && forms[first].is_some() => {
                    let mut sides = label.iter().rev();
                    let side = sides.find_map(|token| words::label(token.text(text)));
                    replaced.extend(side.map(|side| label[0].as_label(side)));
                    replaced.push(mv.behind(&label[0]));
                }
                _ => replaced.extend_from_slice(line),
            }
        }
        first = end;
    }
    replaced
}

/// Returns the words of a label before a move, with a dot for each that names a side. One other word
/// may be among them.
fn form(text: &str, line: &[Token]) -> Option<String> {
    let (mv, label) = line.split_last()?;
    let is_label = (1..=MOST).contains(&label.len())
        && mv.range().end - label[0].range().start <= LONGEST
        && label
            .iter()
            .all(|token| !matches!(token.kind, Kind::Square(_) | Kind::Result(..)));
    let words = label
        .iter()
        .map(|token| token.text(text))
        .filter(|_| is_label);
    let words =
        words.map(|word| words::label(word).map_or(word.to_lowercase(), |_| "\u{b7}".into()));
    let words: Vec<String> = words.collect();
    let others = words.iter().filter(|word| *word != "\u{b7}").count();
    (is_label && others <= 1).then(|| words.join(" "))
}
