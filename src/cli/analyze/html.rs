//! The analysis of a game as a page of its own: nothing in it comes from elsewhere.

use super::json::Object;
use super::table::title;
use crate::game::Game;

/// The page with places for what is put in.
const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");

/// The list of pages with a place for its rows.
const LIST: &str = include_str!("report/list.html");

/// A row of the list of pages.
#[derive(Debug)]
pub(super) struct Row {
    number: usize,
    html: String,
}

impl Row {
    /// The row of a game, whose page has this name.
    pub(super) fn new(object: &Object, page: &str) -> Row {
        let name = |name: &str, side: &str| escaped(if name.is_empty() { side } else { name });
        let (black, white) = (name(&object.black, "black"), name(&object.white, "white"));
        let result = object
            .result
            .map_or(String::new(), |result| format!("{result:+}"));
        let [black_lost, white_lost] = object.mean_losses();
        let event = [&object.event, &object.date].map(String::as_str);
        let event: Vec<&str> = event.into_iter().filter(|part| !part.is_empty()).collect();
        let number = object.game;
        let html = format!(
            "<tr><td class=\"number\">{number}</td><td><a href=\"{page}\">{black} - {white}</a></td><td class=\"number\">\
             {result}</td><td class=\"number\">{black_lost:.2}</td><td class=\"number\">{white_lost:.2}</td><td>{}</td>\
             <td>{}</td></tr>",
            escaped(&event.join(", ")),
            escaped(object.opening.as_deref().unwrap_or_default()),
        );
        Row { number, html }
    }
}

/// The page that leads to those of all games.
pub(super) fn list(rows: &mut [Row]) -> String {
    rows.sort_by_key(|row| row.number);
    let rows: Vec<&str> = rows.iter().map(|row| row.html.as_str()).collect();
    LIST.replace("{{rows}}", &rows.join("\n"))
}

/// The text as HTML shows it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The page.
pub(super) fn page(game: &Game, object: &Object) -> serde_json::Result<String> {
    let data = serde_json::to_string(object)?;
    // Within a script element nothing may look like its end.
    let data = data.replace('<', "\\u003c");
    let title = escaped(&title(game));
    let places = [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{game}}", &data),
        ("{{script}}", SCRIPT),
    ];
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    // In the order of the page, and each once: so nothing that is put in is looked through.
    for (place, text) in places {
        if let Some((before, after)) = rest.split_once(place) {
            page.extend([before, text.trim_end()]);
            rest = after;
        }
    }
    page.push_str(rest);
    Ok(page)
}
