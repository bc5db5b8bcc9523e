//! The analysis of a game as a page of its own: nothing in it comes from elsewhere.

use super::json::Object;
use super::table::title;
use crate::game::Game;

/// The page with places for what is put in.
const PAGE: &str = include_str!("report/page.html");
const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/script.js");

/// The page.
pub(super) fn page(game: &Game, object: &Object) -> serde_json::Result<String> {
    let data = serde_json::to_string(object)?;
    // Within a script element nothing may look like its end.
    let data = data.replace('<', "\\u003c");
    let title = title(game)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
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
