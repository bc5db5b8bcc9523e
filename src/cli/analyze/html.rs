//! HTML of a game's page and of a list of games or players.
//! A page loads nothing from elsewhere. Text of a game record is escaped, so it is never markup.

use std::iter;

use super::json::{Object, Side};
use crate::view::printable;

/// HTML templates of a game's page and of a list, with `{{…}}` placeholders.
const GAME: &str = include_str!("report/page.html");
const LIST: &str = include_str!("report/list.html");
/// Style sheet of both templates.
const STYLE: &str = include_str!("report/style.css");

/// Script of a game's page: one module, split into files.
const GAME_SCRIPT: &str = concat!(
    include_str!("report/rules.js"),
    include_str!("report/board.js"),
    include_str!("report/graph.js"),
    include_str!("report/tables.js"),
    include_str!("report/page.js"),
);
/// Script of a list.
const LIST_SCRIPT: &str = include_str!("report/list.js");

/// Links from a game's page to other pages. The default has none.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Navigation between pages, as HTML.
    pub(super) navigation: String,
    /// Pages of the two players, Black's first. `None` if a player has no page.
    pub(super) players: [Option<String>; 2],
}

/// Returns the HTML page of a game.
///
/// # Errors
/// If the game cannot be serialised as JSON.
pub(super) fn game(object: &Object, links: &Links) -> serde_json::Result<String> {
    let data = serde_json::to_string(object)?;
    // A `</script` in the data would end the script element.
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

/// Page with a table that can be searched and sorted.
#[derive(Debug)]
pub(super) struct List<'a> {
    /// Title, as plain text.
    pub(super) title: &'a str,
    /// Navigation between pages, as HTML.
    pub(super) navigation: &'a str,
    /// HTML above the table.
    pub(super) intro: &'a str,
    /// Description of the searchable texts, shown in the search field.
    pub(super) hint: &'a str,
    /// CSS class of the table.
    pub(super) kind: &'a str,
    /// Column names, and whether each column holds numbers.
    pub(super) columns: &'a [(&'a str, bool)],
    /// Table rows, as HTML.
    pub(super) rows: &'a str,
    /// Explanation below the table, as HTML.
    pub(super) note: &'a str,
}

impl List<'_> {
    /// Returns the HTML page.
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

/// Replaces each placeholder of `template` once.
/// The places must be in the order of the template. Inserted text is not searched for placeholders.
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

/// Returns the recorded name of a side's player, or `Black` or `White` if it is empty.
pub(super) fn name(object: &Object, side: Side) -> &str {
    match object.name(side).as_str() {
        "" => side.name(),
        name => name,
    }
}

/// Returns the HTML of a disc, hidden from screen readers.
pub(super) fn disc(side: Side) -> &'static str {
    match side {
        Side::Black => "<span class=\"disc black\" aria-hidden=\"true\"></span>",
        Side::White => "<span class=\"disc white\" aria-hidden=\"true\"></span>",
    }
}

/// Returns the HTML of a link to `page`. The text must be HTML.
pub(super) fn link(page: &str, text: &str) -> String {
    format!("<a href=\"{page}\">{text}</a>")
}

/// Returns the HTML of a table cell. The text must be HTML.
pub(super) fn cell(text: &str) -> String {
    format!("<td>{text}</td>")
}

/// Returns the HTML of a table cell with a number.
pub(super) fn number_cell(text: impl std::fmt::Display) -> String {
    format!("<td class=\"number\">{text}</td>")
}

/// Formats a number with its sign: `+4`, `−2`, `0`.
pub(super) fn signed(number: f64) -> String {
    format!("{:+}", number + 0.0)
        .replace('-', "\u{2212}")
        .replace("+0", "0")
}

/// Escapes text for HTML content and attributes.
pub(super) fn escaped(text: &str) -> String {
    printable(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
