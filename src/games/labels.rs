//! Lines of one move each, with the same label before each move: `B f5`, `play b f5`, `1,black,f5`.

use std::ops::Range;

use super::reading::{NO_SQUARE, NOT_LEGAL, Stop, Why};
use super::tokens::{Kind, tokens};
use super::{Game, words};
use emilia_core::board::{Color, Move};

/// Fewest lines of a series.
const FEWEST: usize = 4;

/// Maximum length in bytes of a line.
const LONGEST: usize = 60;

/// A game of labelled lines.
pub(super) struct Series {
    pub game: Game,
    pub stop: Option<Stop>,
    /// Byte offset after the last line that was read.
    pub end: usize,
}

/// Returns whether a line may have a label and a move.
pub(super) fn may_be_labelled(line: &str) -> bool {
    let is_square = |pair: &[u8]| {
        (b'a'..=b'h').contains(&pair[0].to_ascii_lowercase()) && (b'1'..=b'8').contains(&pair[1])
    };
    line.len() <= LONGEST && line.as_bytes().windows(2).any(is_square)
}

/// Reads the series of lines that begins at byte `at` of a text. Their moves are legal in order, up
/// to a damaged one.
pub(super) fn series(text: &str, at: usize) -> Option<Series> {
    let mut forms: [Option<String>; 2] = [None, None];
    let mut game = Game::default();
    let (mut end, mut stop) = (at, None);
    while end < text.len() {
        let range = line_at(text, end);
        // Each side may have a label of its own.
        let mover = game.position().mover;
        let mover = if game.position().must_pass() {
            !mover
        } else {
            mover
        };
        let form = &mut forms[mover as usize];
        let line = Line::of(text, range.clone());
        let line = line.filter(|line| form.as_ref().is_none_or(|form| *form == line.form));
        let Some(line) = line else {
            // A label without a move.
            let label = Line::label(text, range.clone());
            let is_label = label.is_some() && label == *form;
            stop = is_label.then(|| stop_at(range.start, NO_SQUARE));
            break;
        };
        let wrong = match line.mv {
            None => Some(NO_SQUARE),
            Some(mv) => {
                let side = line.side.unwrap_or(game.position().mover);
                let is_forced = line.side.is_none() && game.position().must_pass();
                let side = if is_forced && mv != Move::Pass {
                    !side
                } else {
                    side
                };
                game.play_as(side, mv).is_err().then_some(NOT_LEGAL)
            }
        };
        if let Some(wrong) = wrong {
            stop = Some(stop_at(line.at, wrong));
            break;
        }
        *form = Some(line.form);
        end = range.end;
    }
    (game.placed() >= FEWEST).then_some(Series { game, stop, end })
}

fn stop_at(at: usize, wrong: &'static str) -> Stop {
    Stop {
        at,
        why: Why::Token(wrong),
    }
}

/// Returns the range of the line at byte `at` of a text.
fn line_at(text: &str, at: usize) -> Range<usize> {
    at..text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// A label and a move.
struct Line {
    /// The words of the label, with a dot for each that names a side.
    form: String,
    side: Option<Color>,
    /// `None` if the move may be damaged.
    mv: Option<Move>,
    /// Byte offset of the move.
    at: usize,
}

impl Line {
    fn of(text: &str, range: Range<usize>) -> Option<Line> {
        if range.len() > LONGEST {
            return None;
        }
        let tokens = tokens(text, range.clone());
        let (mv, label) = tokens.split_last()?;
        let is_numbered = text[range].starts_with('#');
        let words = label.iter().map(|token| token.text(text));
        let mut sides = words.clone().filter_map(words::label);
        let others = label.len() - sides.clone().count();
        if others > 1 || label.is_empty() && !is_numbered {
            return None;
        }
        Some(Line {
            form: form(words),
            side: sides.next_back(),
            mv: match mv.kind {
                Kind::Square(square) => Some(Move::Place(square)),
                Kind::Pass => Some(Move::Pass),
                _ => None,
            },
            at: mv.range().start,
        })
    }

    /// Returns the form of a line that has a label only.
    fn label(text: &str, range: Range<usize>) -> Option<String> {
        if range.len() > LONGEST {
            return None;
        }
        let tokens = tokens(text, range);
        let form = form(tokens.iter().map(|token| token.text(text)));
        (!tokens.is_empty()).then_some(form)
    }
}

fn form<'t>(words: impl Iterator<Item = &'t str>) -> String {
    let words = words.map(|word| match words::label(word) {
        Some(_) => "\u{b7} ".to_owned(),
        None => word.to_lowercase() + " ",
    });
    words.collect()
}
