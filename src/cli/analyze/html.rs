//! Pages as HTML: a game, and a list of rows. Nothing in a page comes from elsewhere, and text of a
//! record is never markup.

use std::iter;

use super::json::{Object, Side};
use crate::view::printable;

/// The page of a game and that of a list, with places for what is put in.
const GAME: &str = include_str!("report/page.html");
const LIST: &str = include_str!("report/list.html");
/// The look of both.
const STYLE: &str = include_str!("report/style.css");

/// The script of a game's page, one module in parts.
const GAME_SCRIPT: &str = concat!(
    include_str!("report/rules.js"),
    include_str!("report/board.js"),
    include_str!("report/graph.js"),
    include_str!("report/tables.js"),
    include_str!("report/page.js"),
);
/// The script of a list.
const LIST_SCRIPT: &str = include_str!("report/list.js");

/// Where a page of a game leads to; a page by itself leads nowhere.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The navigation between pages, as HTML.
    pub(super) navigation: String,
    /// The pages of the two players, Black's first.
    pub(super) players: [Option<String>; 2],
}

/// The page of a game.
///
/// # Errors
/// If the game cannot be written as JSON.
pub(super) fn game(object: &Object, links: &Links) -> serde_json::Result<String> {
    let data = serde_json::to_string(object)?;
    // Within a script element nothing may look like its end.
    let data = data.replace('<', "\\u003c");
    let names = [Side::Black, Side::White].map(|side| escaped(name(object, side)));
    let linked = [0, 1].map(|side| match &links.players[side] {
        Some(page) => link(page, &names[side]),
        None => names[side].clone(),
    });
    let result = object
        .result
        .map_or(String::new(), |result| format!(", {}", signed(result)));
    let outcome = match object.result {
        None => "No result".to_owned(),
        Some(0.0) => "Draw".to_owned(),
        Some(margin) => {
            let winner = if margin > 0.0 { "Black" } else { "White" };
            format!("{winner} won by {}", margin.abs())
        }
    };
    let opening = object.opening.as_deref().unwrap_or_default();
    let about = [&object.event, &object.date, opening].into_iter();
    let about = about.filter(|text| !text.is_empty()).map(escaped);
    let outcome = format!("<strong>{outcome}</strong>");
    let about: Vec<String> = iter::once(outcome).chain(about).collect();
    let [black, white] = &linked;
    let heading = format!(
        "{}{black} <span class=\"versus\">\u{2013}</span> {}{white}",
        disc(Side::Black),
        disc(Side::White)
    );
    let places = [
        (
            "{{title}}",
            format!("{} \u{2013} {}{result}", names[0], names[1]),
        ),
        ("{{style}}", STYLE.to_owned()),
        ("{{links}}", links.navigation.clone()),
        ("{{heading}}", heading),
        ("{{about}}", about.join(" \u{b7} ")),
        ("{{game}}", data),
        ("{{script}}", GAME_SCRIPT.to_owned()),
    ];
    Ok(filled(GAME, &places))
}

/// A page with a list of rows.
#[derive(Debug)]
pub(super) struct List<'a> {
    /// What it is called, as text.
    pub(super) title: &'a str,
    /// The navigation between pages, as HTML.
    pub(super) navigation: &'a str,
    /// What stands above the list, as HTML.
    pub(super) intro: &'a str,
    /// What may be searched for.
    pub(super) hint: &'a str,
    /// The class of the list, by which it is laid out.
    pub(super) kind: &'a str,
    /// Its columns, and whether they hold numbers.
    pub(super) columns: &'a [(&'a str, bool)],
    /// Its rows, as HTML.
    pub(super) rows: &'a str,
    /// What the words in it mean.
    pub(super) note: &'a str,
}

impl List<'_> {
    /// The page.
    pub(super) fn page(&self) -> String {
        let head = self.columns.iter().map(|&(name, is_number)| {
            let class = if is_number { " class=\"number\"" } else { "" };
            format!("<th scope=\"col\"{class}>{name}</th>")
        });
        let title = escaped(self.title);
        let places = [
            ("{{title}}", title.clone()),
            ("{{style}}", STYLE.to_owned()),
            ("{{links}}", self.navigation.to_owned()),
            ("{{title}}", title),
            ("{{intro}}", self.intro.to_owned()),
            ("{{note}}", self.note.to_owned()),
            ("{{hint}}", self.hint.to_owned()),
            ("{{kind}}", self.kind.to_owned()),
            ("{{head}}", head.collect()),
            ("{{rows}}", self.rows.to_owned()),
            ("{{script}}", LIST_SCRIPT.to_owned()),
        ];
        filled(LIST, &places)
    }
}

/// The template with its places filled, in the order of the template, each once: what is put in is
/// not searched for places.
fn filled(template: &str, places: &[(&str, String)]) -> String {
    let size: usize = places.iter().map(|(_, text)| text.len()).sum();
    let mut page = String::with_capacity(template.len() + size);
    let mut rest = template;
    for (place, text) in places {
        if let Some((before, after)) = rest.split_once(place) {
            page.extend([before, text.trim_end()]);
            rest = after;
        }
    }
    page.push_str(rest);
    page
}

/// The name of a side's player, or the side itself.
pub(super) fn name(object: &Object, side: Side) -> &str {
    match object.name(side).as_str() {
        "" => side.name(),
        name => name,
    }
}

/// A disc of this side, for the eye alone.
pub(super) fn disc(side: Side) -> &'static str {
    match side {
        Side::Black => "<span class=\"disc black\" aria-hidden=\"true\"></span>",
        Side::White => "<span class=\"disc white\" aria-hidden=\"true\"></span>",
    }
}

/// A link to a page of the folder; its text is HTML.
pub(super) fn link(page: &str, text: &str) -> String {
    format!("<a href=\"{page}\">{text}</a>")
}

/// A cell of a row; its text is HTML.
pub(super) fn cell(text: &str) -> String {
    format!("<td>{text}</td>")
}

/// A cell with a number.
pub(super) fn number_cell(text: impl std::fmt::Display) -> String {
    format!("<td class=\"number\">{text}</td>")
}

/// A number with its sign, `−` where it is below 0.
pub(super) fn signed(number: f64) -> String {
    format!("{:+}", number + 0.0)
        .replace('-', "\u{2212}")
        .replace("+0", "0")
}

/// The text as HTML shows it, in an attribute too.
pub(super) fn escaped(text: &str) -> String {
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
